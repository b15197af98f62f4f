//! Lists that the library writes: pointer and capacity in, a count out.

use crate::driver::Driver;
use crate::memory::Memory;

/// Room for a list, or less than that.
pub struct List<T> {
    memory: Memory,
    /// Null, misaligned, or the memory.
    pub pointer: *mut T,
    /// Elements claimed to fit.
    pub capacity: u32,
}

impl Driver {
    /// Room for a list that has at least `least` and at most `most` elements.
    pub fn list_out<T>(&mut self, least: u32, most: u32) -> List<T> {
        let capacity = most + self.dice.between(0, 2);
        let mut memory = Memory::new(capacity as usize * size_of::<T>());
        let mut list = List::<T> { pointer: memory.pointer(), memory, capacity };
        if self.spoil() {
            if least > 0 {
                self.bad()
            } else {
                self.unsure()
            }
            match self.dice.below(3) {
                0 => list.pointer = std::ptr::null_mut(),
                1 => list.pointer = list.pointer.wrapping_byte_add(2),
                _ => list.capacity = self.dice.between(0, least.max(1) - 1),
            }
        }
        list
    }
}

impl<T: Copy> List<T> {
    /// The elements that a call wrote, `count` of them; behind them nothing may be written.
    pub fn take(&self, driver: &mut Driver, count: Option<u32>) -> Vec<T> {
        let count = count.unwrap_or(0);
        let width = size_of::<T>();
        driver.ensure(count <= self.capacity, || format!("{count} in a list of {}", self.capacity));
        driver.ensure(self.memory.is_marked_from(count as usize * width), || "wrote behind the list".into());
        driver.note_bytes(&self.memory.bytes()[..count as usize * width]);
        (0..count as usize).map(|i| self.memory.get(i * width)).collect()
    }
}
