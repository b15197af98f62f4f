//! Bytes of the library's own files: little-endian, in an envelope that tells damage.
//!
//! ```text
//! magic 8 bytes, format u32, length of the payload u64, payload, checksum u64
//! ```
//!
//! The checksum is over everything before it. A reader never panics and looks at how many bytes
//! are left before it makes room for what a count promises: a file may come from anywhere.

mod hash;

use glam::{Vec3, Vec4};

use crate::error::Error;
use crate::headroom;
use hash::checksum;

pub(crate) use hash::{Fnv, WideFnv};

/// What kind of file it is.
#[derive(Clone, Copy)]
pub(crate) struct Format {
    /// Its first bytes.
    pub(crate) magic: [u8; 8],
    /// Counts up with every change of the layout.
    pub(crate) version: u32,
    /// What errors call it.
    pub(crate) what: &'static str,
}

/// Bytes before the payload.
const HEAD: usize = 20;
/// Bytes after it.
const TAIL: usize = 8;

impl Format {
    /// The payload of a file, once its envelope is found to be in order.
    pub(crate) fn open<'a>(&self, bytes: &'a [u8]) -> Result<Reader<'a>, Error> {
        let what = self.what;
        let mut head = Reader { what, bytes };
        if head.take(8)? != self.magic {
            return Err(corrupt(what, "it does not begin as one"));
        }
        let got = head.u32()?;
        if got != self.version {
            return Err(Error::Version { what, got, wanted: self.version });
        }
        let promised = head.u64()?;
        let there = head.bytes.len().saturating_sub(TAIL) as u64;
        if promised != there {
            return Err(corrupt(what, format!("it should hold {promised} bytes and holds {there}")));
        }
        let payload = head.take(promised as usize)?;
        let checksum = checksum(&bytes[..HEAD + payload.len()]);
        if head.u64()? != checksum {
            return Err(corrupt(what, "its checksum does not match"));
        }
        Ok(Reader { what, bytes: payload })
    }
}

/// The refusal of a file.
pub(crate) fn corrupt(what: &'static str, why: impl Into<String>) -> Error {
    Error::Corrupt { what, why: why.into() }
}

/// Collects a file. Where memory ends, the file does, which is told at the end.
pub(crate) struct Writer {
    what: &'static str,
    bytes: Vec<u8>,
    short: Option<Error>,
}

impl Writer {
    pub(crate) fn new(format: Format) -> Writer {
        let mut writer = Writer { what: format.what, bytes: format.magic.to_vec(), short: None };
        writer.u32(format.version);
        writer.u64(0);
        writer
    }

    /// The file, with its length and checksum.
    pub(crate) fn finish(mut self) -> Result<Vec<u8>, Error> {
        self.length_before(HEAD);
        let checksum = checksum(&self.bytes);
        self.u64(checksum);
        self.short.map_or(Ok(self.bytes), Err)
    }

    fn put(&mut self, bytes: &[u8]) {
        self.make_room(bytes.len());
        if self.short.is_none() {
            self.bytes.extend_from_slice(bytes);
        }
    }

    fn make_room(&mut self, more: usize) {
        if self.short.is_none() {
            self.short = headroom::extend(&mut self.bytes, more, self.what).err();
        }
        if self.short.is_some() {
            self.bytes = Vec::new();
        }
    }

    /// Writes how many bytes follow from a place on into the word before it.
    fn length_before(&mut self, from: usize) {
        if self.short.is_none() {
            let length = (self.bytes.len() - from) as u64;
            self.bytes[from - 8..from].copy_from_slice(&length.to_le_bytes());
        }
    }

    pub(crate) fn u8(&mut self, value: u8) {
        self.put(&[value]);
    }

    /// Another file as a part of this one, or why there is none; its length before it.
    pub(crate) fn file(&mut self, file: Result<Vec<u8>, Error>) {
        match file {
            Ok(file) => {
                self.u32(file.len() as u32);
                self.put(&file);
            }
            Err(error) => self.short = Some(error),
        }
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.put(&value.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.put(&value.to_le_bytes());
    }

    pub(crate) fn f32(&mut self, value: f32) {
        self.u32(value.to_bits());
    }

    pub(crate) fn vec3(&mut self, value: Vec3) {
        value.to_array().into_iter().for_each(|c| self.f32(c));
    }

    pub(crate) fn vec4(&mut self, value: Vec4) {
        value.to_array().into_iter().for_each(|c| self.f32(c));
    }

    /// Integers below `limit`, each in as few bytes as that takes.
    pub(crate) fn narrow(&mut self, values: impl Iterator<Item = u32>, limit: usize) {
        let width = width(limit);
        values.for_each(|v| self.put(&v.to_le_bytes()[..width]));
    }

    /// A part with a tag and its length before it.
    pub(crate) fn section(&mut self, tag: [u8; 4], write: impl FnOnce(&mut Writer)) {
        self.put(&tag);
        self.u64(0);
        let from = self.bytes.len();
        write(self);
        self.length_before(from);
    }

    pub(crate) fn vec4s(&mut self, values: &[Vec4]) {
        self.make_room(16 * values.len());
        values.iter().for_each(|v| self.vec4(*v));
    }
}

/// Reads a payload from front to back.
pub(crate) struct Reader<'a> {
    what: &'static str,
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A refusal that names the kind of file.
    pub(crate) fn refuse(&self, why: impl Into<String>) -> Error {
        corrupt(self.what, why)
    }

    /// Refuses the file unless `holds`.
    pub(crate) fn ensure(&self, holds: bool, why: impl FnOnce() -> String) -> Result<(), Error> {
        if holds { Ok(()) } else { Err(self.refuse(why())) }
    }

    /// Refuses the file for what a setter would refuse; that memory is short is no fault of the file's.
    pub(crate) fn checked<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        result.map_err(|error| match error {
            Error::Memory { .. } => error,
            _ => self.refuse(error.to_string()),
        })
    }

    /// Refuses a file with bytes that nothing has read.
    pub(crate) fn done(&self) -> Result<(), Error> {
        self.ensure(self.bytes.is_empty(), || format!("{} bytes are left over", self.bytes.len()))
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let Some((taken, left)) = self.bytes.split_at_checked(count) else {
            let left = self.bytes.len();
            return Err(self.refuse(format!("it ends too early: {count} bytes wanted, {left} left")));
        };
        self.bytes = left;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Error> {
        Ok(self.array::<1>()?[0])
    }

    /// A yes or no.
    pub(crate) fn flag(&mut self, name: &str) -> Result<bool, Error> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.refuse(format!("{name} is {other}; it must be 0 or 1"))),
        }
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Error> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Error> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub(crate) fn f32(&mut self) -> Result<f32, Error> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    pub(crate) fn vec3(&mut self) -> Result<Vec3, Error> {
        Ok(Vec3::new(self.f32()?, self.f32()?, self.f32()?))
    }

    pub(crate) fn vec4(&mut self) -> Result<Vec4, Error> {
        Ok(vec4(self.array()?))
    }

    /// `count` elements of `N` bytes each.
    pub(crate) fn list<T, const N: usize>(
        &mut self,
        count: usize,
        element: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>, Error> {
        let bytes = self.take(count.saturating_mul(N))?;
        let mut list = headroom::vec(count, self.what)?;
        list.extend(bytes.as_chunks::<N>().0.iter().map(|b| element(*b)));
        Ok(list)
    }

    pub(crate) fn vec4s(&mut self, count: usize) -> Result<Vec<Vec4>, Error> {
        self.list(count, vec4)
    }

    /// Integers that [`Writer::narrow`] wrote, all below `limit`; `what` they are is told if not.
    pub(crate) fn narrow(&mut self, count: usize, limit: usize, what: &str) -> Result<Vec<u32>, Error> {
        let all = match width(limit) {
            1 => self.list(count, |[a]| u32::from(a))?,
            2 => self.list(count, |b| u16::from_le_bytes(b).into())?,
            3 => self.list(count, |[a, b, c]| u32::from_le_bytes([a, b, c, 0]))?,
            _ => self.list(count, u32::from_le_bytes)?,
        };
        match all.iter().find(|v| **v as usize >= limit) {
            None => Ok(all),
            Some(v) => Err(self.refuse(format!("{what} is {v}, but there are only {limit}"))),
        }
    }

    /// The next part that [`Writer::section`] wrote, with its tag.
    pub(crate) fn section(&mut self) -> Result<([u8; 4], Reader<'a>), Error> {
        let (tag, length) = (self.array()?, self.u64()?);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        Ok((tag, Reader { what: self.what, bytes: self.take(length)? }))
    }

    /// Whether all was read.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// How many elements of at least `each` bytes follow; no more than there is room for.
    pub(crate) fn count(&mut self, name: &str, each: usize) -> Result<usize, Error> {
        let count = self.u32()? as usize;
        let left = self.bytes.len();
        self.ensure(count.saturating_mul(each) <= left, || {
            format!("it promises {count} {name}, but only {left} bytes are left")
        })?;
        Ok(count)
    }
}

/// Bytes that an integer below `limit` takes.
fn width(limit: usize) -> usize {
    match limit {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        0x1_0001..=0x100_0000 => 3,
        _ => 4,
    }
}

fn vec4(bytes: [u8; 16]) -> Vec4 {
    Vec4::from_array(floats(bytes))
}

/// The floats in `M` bytes, which are four times `N`.
pub(crate) fn floats<const M: usize, const N: usize>(bytes: [u8; M]) -> [f32; N] {
    const { assert!(M == 4 * N) };
    let words = bytes.as_chunks::<4>().0;
    std::array::from_fn(|i| f32::from_le_bytes(words[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format = Format { magic: *b"WOBBLETE", version: 2, what: "test file" };

    #[test]
    fn what_was_written_is_read_again() {
        let mut writer = Writer::new(FORMAT);
        writer.u8(1);
        writer.u32(7);
        writer.vec3(Vec3::new(1.0, -0.0, f32::MIN_POSITIVE));
        writer.vec4s(&[Vec4::X, Vec4::W]);
        let file = writer.finish().unwrap();
        let mut reader = FORMAT.open(&file).unwrap();
        assert!(reader.flag("flag").unwrap());
        assert_eq!(reader.u32().unwrap(), 7);
        let v = reader.vec3().unwrap();
        assert_eq!(v.to_array().map(f32::to_bits), [1.0, -0.0, f32::MIN_POSITIVE].map(f32::to_bits));
        assert!(reader.done().is_err());
        assert_eq!(reader.vec4s(2).unwrap(), [Vec4::X, Vec4::W]);
        assert!(reader.done().is_ok());
        assert!(reader.u8().is_err());
    }

    #[test]
    fn a_count_beyond_the_end_of_the_file_makes_no_room() {
        let mut writer = Writer::new(FORMAT);
        writer.u32(u32::MAX);
        let file = writer.finish().unwrap();
        assert!(FORMAT.open(&file).unwrap().count("things", 1).is_err());
        assert!(FORMAT.open(&file).unwrap().vec4s(usize::MAX).is_err());
    }

    #[test]
    fn a_file_of_another_format_is_refused_by_its_number() {
        let file = Writer::new(Format { version: 3, ..FORMAT }).finish().unwrap();
        let error = FORMAT.open(&file).err().unwrap();
        assert_eq!(error, Error::Version { what: "test file", got: 3, wanted: 2 });
        assert!(error.to_string().contains("of format 3"), "{error}");
    }
}
