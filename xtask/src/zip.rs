//! Writes a folder as a zip file that any tool opens, uncompressed.
//!
//! Names come in sorted order and all dates are the same, so equal folders make equal files.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// 1 January 1980, the first day there is in a zip file.
const DATE: u16 = 0x21;
/// Version 2.0 of the format.
const VERSION: u16 = 20;
/// Made on Unix, so that the mode below counts.
const MADE_BY: u16 = 3 << 8 | VERSION;
/// An ordinary file that its owner may write and all may read.
const MODE: u32 = 0o100_644;

/// Writes `folder`, under its own name, into the file `zip`.
pub fn write(folder: &Path, zip: &Path) -> io::Result<()> {
    let above = folder.parent().unwrap_or(folder);
    let (mut body, mut directory) = (Vec::new(), Vec::new());
    let files = files(folder)?;
    for file in &files {
        let within = file.strip_prefix(above).unwrap_or(file);
        let name = within.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
        let bytes = fs::read(file)?;
        let (start, entry) = (size(body.len())?, entry(&bytes, &name)?);
        body.extend([b"PK\x03\x04", &entry[..], name.as_bytes(), &bytes].concat());
        directory.extend(b"PK\x01\x02");
        directory.extend(MADE_BY.to_le_bytes());
        directory.extend(entry);
        // No comment, the first disk, no attributes of DOS.
        directory.extend([0; 6]);
        directory.extend((MODE << 16).to_le_bytes());
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, length) = (size(body.len())?, size(directory.len())?);
    let count = u16::try_from(files.len()).map_err(io::Error::other)?;
    body.extend(directory);
    // The first disk of one.
    body.extend(b"PK\x05\x06\0\0\0\0");
    body.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    body.extend([length.to_le_bytes(), start.to_le_bytes()].concat());
    // No comment.
    body.extend([0; 2]);
    fs::write(zip, body)
}

/// What both headers of a file have in common: version, flags, method (stored), time, date,
/// checksum, sizes, the name's length, no extras.
fn entry(bytes: &[u8], name: &str) -> io::Result<Vec<u8>> {
    let length = size(bytes.len())?;
    let name_length = u16::try_from(name.len()).map_err(io::Error::other)?;
    let mut entry = Vec::new();
    [VERSION, 0, 0, 0, DATE].iter().for_each(|n| entry.extend(n.to_le_bytes()));
    [crc32(bytes), length, length].iter().for_each(|n| entry.extend(n.to_le_bytes()));
    [name_length, 0].iter().for_each(|n| entry.extend(n.to_le_bytes()));
    Ok(entry)
}

fn size(length: usize) -> io::Result<u32> {
    u32::try_from(length).map_err(io::Error::other)
}

/// All files in a folder and below, sorted.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for item in fs::read_dir(folder)? {
        let path = item?.path();
        if path.is_dir() { all.extend(files(&path)?) } else { all.push(path) }
    }
    all.sort();
    Ok(all)
}

/// The checksum of zip files (ISO 3309), by way of a table of all bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let (mut crc, mut bit) = (byte as u32, 0);
            while bit < 8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
                bit += 1;
            }
            table[byte] = crc;
            byte += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |crc, &byte| TABLE[usize::from(crc as u8 ^ byte)] ^ crc >> 8)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_checksum_is_the_standard_one() {
        assert_eq!(super::crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(super::crc32(b""), 0);
    }
}
