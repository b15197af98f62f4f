//! Pointers from outside, checked before they are followed.
//!
//! Null, misaligned, of the wrong size, overflowing: each has its sentence. That a pointer
//! which passes leads to memory of the caller's is what a C caller promises.

use std::ffi::{CStr, c_char};

use glam::Vec3;

use super::status::{
    Failure, WOBBLE_STATUS_BUFFER_TOO_SMALL, WOBBLE_STATUS_NULL_POINTER, WOBBLE_STATUS_OUT_OF_MEMORY,
    WOBBLE_STATUS_STRUCT_SIZE,
};

/// A struct that begins with `uint32_t struct_size`, plain data in all its bytes.
///
/// # Safety
/// `repr(C)`, first field a `u32` that holds its size, every bit pattern of the rest is a value.
pub(crate) unsafe trait Sized32: Copy {}

fn null(name: &str) -> Failure {
    Failure::new(WOBBLE_STATUS_NULL_POINTER, format!("{name} is null"))
}

fn check<T>(pointer: *const T, name: &str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(null(name));
    }
    if !pointer.is_aligned() {
        return Err(Failure::argument(format!(
            "{name} is {pointer:p}; it must be a multiple of {} bytes",
            align_of::<T>()
        )));
    }
    Ok(())
}

/// A place for a result: written at the end, when nothing can fail any more.
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    pub(crate) fn write(self, value: T) {
        // SAFETY: `out` checked that it is not null and aligned; the caller promises the rest.
        unsafe { self.0.write(value) }
    }
}

/// Checks a place for a result.
pub(crate) fn out<T>(pointer: *mut T, name: &str) -> Result<Out<T>, Failure> {
    check(pointer, name)?;
    Ok(Out(pointer))
}

/// A small struct from the caller.
pub(crate) fn required<T: Copy>(pointer: *const T, name: &str) -> Result<T, Failure> {
    check(pointer, name)?;
    // SAFETY: not null and aligned; the caller promises the rest, and all its bytes are numbers.
    Ok(unsafe { pointer.read() })
}

/// The same, or none where the pointer is null.
pub(crate) fn optional<T: Copy>(pointer: *const T, name: &str) -> Result<Option<T>, Failure> {
    if pointer.is_null() { Ok(None) } else { required(pointer, name).map(Some) }
}

/// The smallest size a sized struct may claim: `struct_size` and one field.
const LEAST: usize = 8;
/// And the largest: a newer library's.
const MOST: usize = 4096;

/// Whether some version of a struct can have that size. One that is shorter than here must not
/// end within a pointer: half of one would be followed.
fn is_size_of<T>(size: usize) -> bool {
    let unit = if size < size_of::<T>() { align_of::<T>() } else { 4 };
    (LEAST..=MOST).contains(&size) && size.is_multiple_of(unit)
}

fn claimed<T>(pointer: *const T, name: &str) -> Result<usize, Failure> {
    check(pointer, name)?;
    // SAFETY: not null and aligned; a sized struct begins with its size.
    let size = unsafe { pointer.cast::<u32>().read() } as usize;
    if is_size_of::<T>(size) {
        return Ok(size);
    }
    Err(Failure::new(
        WOBBLE_STATUS_STRUCT_SIZE,
        format!(
            "{name}.struct_size is {size}, here it is {}; fill the struct with its init function",
            size_of::<T>()
        ),
    ))
}

/// A struct from the caller; fields that an older host does not know keep `default`. Fields that
/// this library does not know must be zero.
pub(crate) fn read<T: Sized32>(pointer: *const T, default: T, name: &str) -> Result<T, Failure> {
    let size = claimed(pointer, name)?;
    let known = size.min(size_of::<T>());
    let mut value = default;
    // SAFETY: the struct claims `size` bytes, and any bytes make a `T`.
    let unknown = unsafe {
        std::ptr::copy_nonoverlapping(pointer.cast::<u8>(), (&raw mut value).cast::<u8>(), known);
        std::slice::from_raw_parts(pointer.cast::<u8>().add(known), size - known)
    };
    if unknown.iter().any(|&b| b != 0) {
        return Err(Failure::new(
            WOBBLE_STATUS_STRUCT_SIZE,
            format!("{name} uses fields that this library, {}, does not know", env!("CARGO_PKG_VERSION")),
        ));
    }
    Ok(value)
}

/// Several structs from the caller, one after the other, all of the first one's size.
pub(crate) fn read_many<T: Sized32>(
    pointer: *const T,
    count: u32,
    default: T,
    name: &str,
) -> Result<Vec<T>, Failure> {
    let mut all = reserve(count as usize, name)?;
    let size = if count > 0 { claimed(pointer, name)? } else { 0 };
    for i in 0..count as usize {
        let next = pointer.wrapping_byte_add(i * size);
        let own = claimed(next, name)?;
        if own != size {
            let sentence = format!(
                "{name}[{i}].struct_size is {own} and that of the first {size}; they must be the same"
            );
            return Err(Failure::new(WOBBLE_STATUS_STRUCT_SIZE, sentence));
        }
        all.push(read(next, default, name)?);
    }
    Ok(all)
}

/// A sized struct to be filled.
pub(crate) struct OutSized<T> {
    pointer: *mut T,
    size: usize,
}

impl<T: Sized32> OutSized<T> {
    /// Writes the fields that the caller knows; what it knows beyond is left alone.
    pub(crate) fn write(self, mut value: T) {
        let known = self.size.min(size_of::<T>());
        // SAFETY: checked when this was made; a sized struct begins with its size.
        unsafe {
            (&raw mut value).cast::<u32>().write(self.size as u32);
            std::ptr::copy_nonoverlapping((&raw const value).cast::<u8>(), self.pointer.cast::<u8>(), known);
        }
    }
}

/// A struct of the caller's that says its own size.
pub(crate) fn out_sized<T: Sized32>(pointer: *mut T, name: &str) -> Result<OutSized<T>, Failure> {
    let size = claimed(pointer, name)?;
    Ok(OutSized { pointer, size })
}

/// A struct of the caller's that is filled for the first time and is `size` bytes.
pub(crate) fn init<T: Sized32>(pointer: *mut T, size: u32, value: T, name: &str) -> Result<(), Failure> {
    check(pointer, name)?;
    let size = size as usize;
    if !is_size_of::<T>(size) {
        return Err(Failure::new(
            WOBBLE_STATUS_STRUCT_SIZE,
            format!("size is {size}; pass sizeof the struct, here {}", size_of::<T>()),
        ));
    }
    // SAFETY: not null, aligned, and `size` bytes by the caller's word.
    unsafe { pointer.cast::<u8>().write_bytes(0, size) };
    OutSized { pointer, size }.write(value);
    Ok(())
}

/// An array of items of `width` bytes, `stride` bytes apart.
#[derive(Clone, Copy)]
pub(crate) struct Strided {
    start: *mut u8,
    pub(crate) count: usize,
    stride: usize,
}

impl Strided {
    /// Checks an array of `count` items, each of `floats` floats; a `stride` of 0 means tightly packed.
    pub(crate) fn new(
        pointer: *const f32,
        count: u32,
        stride: u32,
        floats: usize,
        name: &str,
    ) -> Result<Strided, Failure> {
        let width = floats * 4;
        let stride = if stride == 0 { width } else { stride as usize };
        if stride < width || !stride.is_multiple_of(4) {
            return Err(Failure::argument(format!(
                "stride of {name} is {stride}; it must be a multiple of 4, at least {width}, or 0 for tightly packed"
            )));
        }
        if count > 0 {
            check(pointer, name)?;
        }
        if (count as usize).checked_mul(stride).is_none_or(|bytes| bytes > isize::MAX as usize) {
            return Err(Failure::argument(format!(
                "{name} has {count} elements of {stride} bytes: more than fit memory"
            )));
        }
        Ok(Strided { start: pointer.cast_mut().cast(), count: count as usize, stride })
    }

    /// Refuses a buffer that holds fewer than `wanted` items.
    pub(crate) fn holds(&self, wanted: usize, name: &str) -> Result<(), Failure> {
        if self.count >= wanted {
            return Ok(());
        }
        Err(Failure::new(
            WOBBLE_STATUS_BUFFER_TOO_SMALL,
            format!("{name} holds {}; it must hold {wanted}", self.count),
        ))
    }

    /// Refuses an input array of another length than `wanted`: to be asked before it is read, since
    /// a caller's wrong count leads past its memory.
    pub(crate) fn is_exactly(&self, wanted: usize, name: &str, what: &str) -> Result<(), Failure> {
        if self.count == wanted {
            return Ok(());
        }
        let count = self.count;
        Err(Failure::argument(format!(
            "{name} has {count} elements; it must have one for each of the {wanted} {what}"
        )))
    }

    /// The first item.
    pub(crate) fn start(&self) -> *mut f32 {
        self.start.cast()
    }

    /// Bytes from one item to the next.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    fn at(&self, i: usize) -> *mut f32 {
        debug_assert!(i < self.count);
        // SAFETY: i is below the count, and count times stride was checked.
        unsafe { self.start.add(i * self.stride).cast() }
    }

    /// Item `i` of an input array.
    #[inline(always)]
    pub(crate) fn read<const N: usize>(&self, i: usize) -> [f32; N] {
        // SAFETY: by the caller's word the array is there; its stride is at least the width asked for.
        unsafe { self.at(i).cast::<[f32; N]>().read() }
    }

    /// Sets item `i` of an output array.
    #[inline(always)]
    pub(crate) fn write<const N: usize>(&self, i: usize, item: [f32; N]) {
        // SAFETY: as above.
        unsafe { self.at(i).cast::<[f32; N]>().write(item) }
    }

    /// All items of an input array as vectors.
    pub(crate) fn vectors(&self, name: &str) -> Result<Vec<Vec3>, Failure> {
        let mut all = reserve(self.count, name)?;
        all.extend((0..self.count).map(|i| Vec3::from_array(self.read(i))));
        Ok(all)
    }
}

/// An empty vector with room for `count`, or a refusal.
pub(crate) fn reserve<T>(count: usize, name: &str) -> Result<Vec<T>, Failure> {
    let mut all = Vec::new();
    all.try_reserve_exact(count).map_err(|_| {
        let bytes = count.saturating_mul(size_of::<T>());
        Failure::new(
            WOBBLE_STATUS_OUT_OF_MEMORY,
            format!("{name} needs {bytes} bytes, which are not to be had"),
        )
    })?;
    Ok(all)
}

/// Bytes of the caller's.
///
/// # Safety
/// By the caller's word `size` bytes are there and stay as they are during the call.
pub(crate) unsafe fn bytes<'a>(pointer: *const u8, size: u32, name: &str) -> Result<&'a [u8], Failure> {
    if size == 0 {
        return Ok(&[]);
    }
    check(pointer, name)?;
    // SAFETY: not null; the rest is promised.
    Ok(unsafe { std::slice::from_raw_parts(pointer, size as usize) })
}

/// A copy of a list of the caller's.
pub(crate) fn copied<T: Copy>(pointer: *const T, count: u32, name: &str) -> Result<Vec<T>, Failure> {
    if count > 0 {
        check(pointer, name)?;
    }
    let mut all = reserve(count as usize, name)?;
    // SAFETY: not null and aligned unless empty; the caller promises the rest.
    all.extend((0..count as usize).map(|i| unsafe { pointer.add(i).read() }));
    Ok(all)
}

/// Copies bytes out, if they fit.
pub(crate) fn write_bytes(
    from: &[u8],
    pointer: *mut u8,
    capacity: u32,
    out_size: *mut u32,
    name: &str,
) -> Result<(), Failure> {
    let out_size = out(out_size, "out_size")?;
    let size = size32(from.len(), name)?;
    if capacity < size {
        return Err(Failure::new(
            WOBBLE_STATUS_BUFFER_TOO_SMALL,
            format!("capacity is {capacity}; the {name} takes {size} bytes"),
        ));
    }
    check(pointer, "out_bytes")?;
    // SAFETY: not null and, by the caller's word, of `capacity` bytes.
    unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), pointer, from.len()) };
    out_size.write(size);
    Ok(())
}

/// Copies a list of `what` out, if it fits.
pub(crate) fn write_list<T: Copy>(
    list: &[T],
    pointer: *mut T,
    capacity: u32,
    out_count: *mut u32,
    name: &str,
    what: &str,
) -> Result<(), Failure> {
    let out_count = out(out_count, "out_count")?;
    if list.len() > capacity as usize {
        let sentence = format!("capacity is {capacity}; there are {} {what}", list.len());
        return Err(Failure::new(WOBBLE_STATUS_BUFFER_TOO_SMALL, sentence));
    }
    if !list.is_empty() {
        check(pointer, name)?;
        // SAFETY: not null, aligned, and of `capacity` items by the caller's word.
        unsafe { std::ptr::copy_nonoverlapping(list.as_ptr(), pointer, list.len()) };
    }
    out_count.write(list.len() as u32);
    Ok(())
}

/// A length as C sees it.
pub(crate) fn size32(size: usize, name: &str) -> Result<u32, Failure> {
    u32::try_from(size).map_err(|_| {
        Failure::new(
            WOBBLE_STATUS_OUT_OF_MEMORY,
            format!("the {name} takes {size} bytes, more than a uint32_t counts"),
        )
    })
}

/// A name of the caller's.
///
/// # Safety
/// By the caller's word the string ends with a zero byte.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Failure> {
    check(pointer, name)?;
    // SAFETY: not null, ends by the caller's word.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Failure::argument(format!("{name} is not UTF-8")))
}
