//! Arguments: numbers, names, arrays, structs; good ones, and bad ones that must be refused.

use std::ffi::CString;

use wobble::capi::defs::{WobbleQuat, WobbleVec3};
use wobble::capi::status::WOBBLE_STATUS_OK;

use crate::driver::{Driver, Expect};
use crate::memory::Memory;

/// The largest coordinate that the library takes.
pub const LARGEST: f32 = 1e9;

/// An array or struct that goes to the library, and the pointer that it gets.
pub struct Input<T> {
    /// Keeps the bytes.
    pub memory: Memory,
    /// Null, misaligned, or the memory.
    pub pointer: *const T,
}

/// An array with its count and stride.
pub struct Array {
    /// Keeps the bytes.
    pub memory: Memory,
    /// Null, misaligned, or the memory.
    pub pointer: *mut f32,
    /// Elements claimed.
    pub count: u32,
    /// Bytes from one to the next, or 0.
    pub stride: u32,
}

/// Counts and strides whose product fits no memory.
const OVERFLOW: (u32, u32) = (u32::MAX, u32::MAX - 3);

/// Whether a struct of an earlier header could have that size.
pub fn is_older<T>(size: u32) -> bool {
    (8..size_of::<T>() as u32).contains(&size) && size.is_multiple_of(align_of::<T>() as u32)
}

/// Whether a struct of a later header could.
pub fn is_newer<T>(size: u32) -> bool {
    (size_of::<T>() as u32..=4096).contains(&size) && size.is_multiple_of(4)
}

impl Driver {
    /// A number from `low` to `high`, usually one of `usual`.
    pub fn float(&mut self, low: f32, high: f32, usual: (f32, f32)) -> f32 {
        if self.spoil() {
            self.bad();
            let beyond = [f32::NAN, f32::INFINITY, -f32::INFINITY, high.next_up(), low.next_down(), f32::MAX, f32::MIN];
            let beyond: Vec<f32> = beyond.into_iter().filter(|v| !(low..=high).contains(v)).collect();
            return self.dice.pick(&beyond);
        }
        if self.wild && self.dice.chance(4) {
            let ends = [low, high, 0.0, -0.0, 1e-45, -1e-45, f32::MIN_POSITIVE, 1e-20, 1e4, -1e4];
            let ends: Vec<f32> = ends.into_iter().filter(|v| (low..=high).contains(v)).collect();
            return self.dice.pick(&ends);
        }
        self.dice.float(usual.0, usual.1)
    }

    /// A coordinate, velocity or force, usually of size `scale` at most.
    pub fn coordinate(&mut self, scale: f32) -> f32 {
        self.float(-LARGEST, LARGEST, (-scale, scale))
    }

    /// Three of them.
    pub fn vector(&mut self, scale: f32) -> WobbleVec3 {
        WobbleVec3 { x: self.coordinate(scale), y: self.coordinate(scale), z: self.coordinate(scale) }
    }

    /// A rotation, not of unit length.
    pub fn quaternion(&mut self) -> WobbleQuat {
        if self.spoil() {
            self.bad();
            let bad = self.dice.pick(&[f32::NAN, f32::INFINITY, 0.0]);
            return WobbleQuat { x: bad, y: bad, z: bad, w: bad };
        }
        let mut part = || self.dice.float(-2.0, 2.0);
        WobbleQuat { x: part(), y: part(), z: part(), w: 0.5 + part().abs() }
    }

    /// An index below `count`.
    pub fn index(&mut self, count: u32) -> u32 {
        if count == 0 || self.spoil() {
            self.bad();
            return self.dice.pick(&[count, count.saturating_add(1), u32::MAX, 1 << 31 | count]);
        }
        self.dice.between(0, count - 1)
    }

    /// A number from `low` to `high`, usually at most `usual`.
    pub fn integer(&mut self, low: u32, high: u32, usual: u32) -> u32 {
        if self.spoil() && (low > 0 || high < u32::MAX) {
            self.bad();
            let above = high < u32::MAX && (low == 0 || self.dice.chance(50));
            return if above { high + 1 } else { low - 1 };
        }
        self.dice.between(low, usual)
    }

    /// A constant of which there are `count`.
    pub fn constant(&mut self, count: u32) -> u32 {
        self.index(count)
    }

    /// A name, usually one of `known`; empty optional: null.
    pub fn name(&mut self, known: &[&str]) -> Option<CString> {
        if !self.spoil() {
            return CString::new(self.dice.pick(known)).ok();
        }
        self.bad();
        let long = "j".repeat(3000);
        let odd: [&[u8]; 6] = [b"", b"Jelly ", b"\xff\xfe\x80", b"no such name", long.as_bytes(), b"uniform\x01"];
        match self.dice.below(7) {
            6 => None,
            i => CString::new(odd[i as usize]).ok(),
        }
    }

    /// A pointer to one struct; now and then null or misaligned.
    pub fn one<T: Copy>(&mut self, value: T, may_be_null: bool) -> Input<T> {
        let mut memory = Memory::of(&[value]);
        let mut pointer: *const T = memory.pointer();
        if may_be_null && self.dice.chance(15) {
            pointer = std::ptr::null();
            // What is in the struct does not count then.
            self.expect = Expect::Either;
        } else if self.spoil() {
            self.bad();
            pointer = if may_be_null || self.dice.chance(50) { pointer.wrapping_byte_add(1) } else { std::ptr::null() };
        }
        Input { memory, pointer }
    }

    /// A struct that begins with its size; now and then with a wrong one.
    pub fn sized<T: Copy>(&mut self, value: T, may_be_null: bool) -> Input<T> {
        let size = size_of::<T>();
        let mut memory = Memory::new(size + 72);
        // SAFETY: there is room for it.
        unsafe { memory.pointer::<T>().write(value) };
        memory.set(0, size as u32);
        let pointer: *const T = memory.pointer();
        if may_be_null && self.dice.chance(10) {
            self.expect = Expect::Either;
            return Input { memory, pointer: std::ptr::null() };
        }
        if !self.spoil() {
            return Input { memory, pointer };
        }
        if self.dice.chance(25) {
            self.bad();
            return Input { memory, pointer: pointer.wrapping_byte_add(1) };
        }
        let claimed = self.wrong_size(size);
        memory.set(0, claimed);
        if is_older::<T>(claimed) {
            // The fields beyond take their defaults, so it hangs on the others.
            self.expect = Expect::Either;
            return Input { memory, pointer };
        }
        if is_newer::<T>(claimed) && self.dice.chance(50) {
            (size..claimed as usize).step_by(4).for_each(|at| memory.set(at, 0));
            // Zeros in fields yet unknown are fine, so it hangs on the others.
            self.unsure();
            return Input { memory, pointer };
        }
        self.bad();
        Input { memory, pointer }
    }

    /// A size that is not that of the struct.
    pub fn wrong_size(&mut self, size: usize) -> u32 {
        match self.dice.below(10) {
            0 => self.dice.pick(&[0, 4, 7, 4100, u32::MAX, 1 << 31]),
            1..=4 => self.dice.between(0, size as u32 - 1),
            _ => self.dice.between(size as u32 + 1, size as u32 + 64),
        }
    }

    /// A stride for elements of `width` bytes.
    fn stride(&mut self, width: u32) -> u32 {
        if self.spoil() {
            self.bad();
            return self.dice.pick(&[1, width - 1, width + 1, width + 2, width.max(8) - 4 | 1, u32::MAX]);
        }
        self.dice.pick(&[0, 0, width, width + 4, width + 20, 64])
    }

    /// An array of elements of `floats` numbers to be read; now and then with a bad count or pointer.
    pub fn array_in<const N: usize>(&mut self, values: &[[f32; N]]) -> Array {
        let width = 4 * N as u32;
        let stride = self.stride(width);
        let step = if stride == 0 { width } else { stride } as usize;
        // With a stride that is refused nothing is read, so nothing has to be there.
        let room = if step > 4096 || step < width as usize { width as usize } else { step };
        let mut memory = Memory::new(values.len() * room);
        for (i, value) in values.iter().enumerate() {
            value.iter().enumerate().for_each(|(c, v)| memory.set(i * (room & !3) + 4 * c, v.to_bits()));
        }
        let mut array = Array { pointer: memory.pointer(), memory, count: values.len() as u32, stride };
        self.spoil_array(&mut array);
        array
    }

    /// An array of numbers that has no stride.
    pub fn packed_in(&mut self, values: &[f32]) -> Input<f32> {
        let mut memory = Memory::of(values);
        let mut pointer: *const f32 = memory.pointer();
        if !values.is_empty() && self.spoil() {
            self.bad();
            pointer = if self.dice.chance(50) { std::ptr::null() } else { pointer.wrapping_byte_add(1) };
        }
        Input { memory, pointer }
    }

    /// An array to be written, for `count` elements of `width` bytes or a few more.
    pub fn array_out(&mut self, count: u32, width: u32) -> Array {
        let stride = self.stride(width);
        let step = if stride == 0 { width } else { stride }.clamp(width, 4096);
        let capacity = count + self.dice.pick(&[0, 0, 1, 7]);
        let mut memory = Memory::new((capacity * step) as usize);
        let mut array = Array { pointer: memory.pointer(), memory, count: capacity, stride };
        if count > 0 && self.spoil() {
            self.bad();
            array.count = self.dice.between(0, count - 1);
        }
        self.spoil_array(&mut array);
        array
    }

    fn spoil_array(&mut self, array: &mut Array) {
        if !self.spoil() {
            return;
        }
        match self.dice.below(3) {
            0 => {
                (array.count, array.stride) = OVERFLOW;
                self.bad();
            }
            1 => {
                array.pointer = std::ptr::null_mut();
                if array.count > 0 { self.bad() } else { self.unsure() }
            }
            _ => {
                array.pointer = array.pointer.wrapping_byte_add(2);
                if array.count > 0 { self.bad() } else { self.unsure() }
            }
        }
    }

    /// After a call that writes an array: nothing else may have been written.
    pub fn check_array(&mut self, array: &Array, status: i32, count: u32, width: u32) {
        if status != WOBBLE_STATUS_OK {
            self.ensure(array.memory.is_marked_from(0), || "wrote though it refused".into());
            return;
        }
        let stride = if array.stride == 0 { width } else { array.stride } as usize;
        let (count, width) = (count as usize, width as usize);
        for i in 0..count {
            let gap = array.memory.is_marked(i * stride + width..(i + 1) * stride);
            self.ensure(gap, || format!("wrote between elements {i} and {}", i + 1));
            self.note_bytes(&array.memory.bytes()[i * stride..i * stride + width]);
        }
        self.ensure(array.memory.is_marked_from(count * stride), || "wrote behind the array".into());
    }

    /// A place for a struct that begins with its size.
    pub fn out_sized<T>(&mut self) -> (Memory, *mut T) {
        let size = size_of::<T>();
        let mut memory = Memory::new(size + 72);
        let mut pointer: *mut T = memory.pointer();
        let mut claimed = size as u32;
        if self.spoil() {
            match self.dice.below(3) {
                0 => pointer = std::ptr::null_mut(),
                1 => pointer = pointer.wrapping_byte_add(1),
                _ => claimed = self.wrong_size(size),
            }
            let usable = is_older::<T>(claimed) || is_newer::<T>(claimed);
            if usable && !pointer.is_null() && pointer.is_aligned() { self.unsure() } else { self.bad() }
        }
        memory.set(0, claimed);
        (memory, pointer)
    }

    /// The struct that a call wrote, of which nothing but its own fields may have changed.
    pub fn take_sized<T: Copy>(&mut self, memory: &Memory, status: i32) -> Option<T> {
        let claimed = memory.get::<u32>(0) as usize;
        let written = if status == WOBBLE_STATUS_OK { size_of::<T>().min(claimed) } else { 4 };
        self.ensure(memory.is_marked_from(written), || "wrote where it must not".into());
        (status == WOBBLE_STATUS_OK && claimed >= size_of::<T>()).then(|| memory.get(0))
    }
}
