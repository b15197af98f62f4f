//! Memory that a host hands to the library, with marked bytes all over and behind it, so that
//! every byte written tells.

/// What bytes are before anyone wrote to them: odd, large, and as a float tiny and finite.
const MARK: u8 = 0xa5;
/// Marked bytes behind the end.
const BEHIND: usize = 64;

/// Marked memory, aligned to 8 bytes.
pub struct Memory {
    words: Vec<u64>,
    size: usize,
}

impl Memory {
    /// Room for `size` bytes.
    pub fn new(size: usize) -> Memory {
        let words = vec![u64::from_ne_bytes([MARK; 8]); (size + BEHIND).div_ceil(8) + 1];
        Memory { words, size }
    }

    /// Room for `values`, filled with them.
    pub fn of<T: Copy>(values: &[T]) -> Memory {
        let mut memory = Memory::new(size_of_val(values));
        // SAFETY: there is room for them, and `T` is aligned to 8 bytes at most.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), memory.pointer(), values.len()) };
        memory
    }

    /// The first byte, as one of a `T`.
    pub fn pointer<T>(&mut self) -> *mut T {
        const { assert!(align_of::<T>() <= 8) };
        self.words.as_mut_ptr().cast()
    }

    /// All bytes, those behind the end included.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the words are there, and any word is eight bytes.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.words.len() * 8) }
    }

    /// Bytes that the host means to hand over.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Sets a number at a byte offset that is a multiple of 4.
    pub fn set(&mut self, offset: usize, value: u32) {
        let bytes = value.to_ne_bytes();
        let word = &mut self.words[offset / 8];
        let mut whole = word.to_ne_bytes();
        whole[offset % 8..offset % 8 + 4].copy_from_slice(&bytes);
        *word = u64::from_ne_bytes(whole);
    }

    /// The `T` at a byte offset.
    pub fn get<T: Copy>(&self, offset: usize) -> T {
        assert!(offset + size_of::<T>() <= self.bytes().len());
        // SAFETY: within the memory; only used for types of which any bytes are a value.
        unsafe { self.bytes().as_ptr().add(offset).cast::<T>().read_unaligned() }
    }

    /// Whether all bytes from `start` on are as they were.
    pub fn is_marked_from(&self, start: usize) -> bool {
        self.bytes()[start..].iter().all(|&b| b == MARK)
    }

    /// Whether the bytes in `range` are as they were.
    pub fn is_marked(&self, range: std::ops::Range<usize>) -> bool {
        self.bytes()[range].iter().all(|&b| b == MARK)
    }
}
