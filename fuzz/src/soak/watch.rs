//! What must not grow, and what must never come twice.

use super::Outcome;

/// Every handle ever given out, in a table that has its final size from the start.
pub struct Handles {
    table: Vec<u64>,
    count: u64,
}

impl Handles {
    /// For so many steps.
    pub fn new(steps: u64) -> Handles {
        // About one handle in twenty steps; a table that is a quarter full at most.
        let size = (steps / 4).max(1 << 14).next_power_of_two();
        Handles { table: vec![u64::MAX; size as usize], count: 0 }
    }

    /// Notes a new handle.
    pub fn add(&mut self, bits: u64) -> Outcome<()> {
        let mask = self.table.len() - 1;
        let mut at = (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize & mask;
        while self.table[at] != u64::MAX {
            if self.table[at] == bits {
                return Err(format!("handle {bits:#x} was given out twice"));
            }
            at = (at + 1) & mask;
        }
        self.table[at] = bits;
        self.count += 1;
        if self.count as usize * 2 > self.table.len() {
            return Err("the table of handles is too small".into());
        }
        Ok(())
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// Resident memory over time.
#[derive(Clone, Debug)]
pub struct Memory {
    warm: u64,
    every: u64,
    /// The most during the first tenth, kB.
    pub before: u64,
    /// The most after it, kB.
    pub after: u64,
}

impl Memory {
    /// For a run of so many steps.
    pub fn new(steps: u64) -> Memory {
        Memory { warm: steps / 10, every: (steps / 400).max(1), before: 0, after: 0 }
    }

    /// Looks now and then.
    pub fn look(&mut self, step: u64) {
        if step.is_multiple_of(self.every) {
            let most = if step < self.warm { &mut self.before } else { &mut self.after };
            *most = (*most).max(resident().unwrap_or(0));
        }
    }

    /// Refuses growth by more than 5 % and 2 MB.
    pub fn check(&self) -> Outcome<()> {
        let Memory { before, after, .. } = *self;
        if after > before + before / 20 + 2048 {
            return Err(format!("resident memory grew from {before} kB to {after} kB"));
        }
        Ok(())
    }
}

/// Resident memory of this process, kB, where the system tells.
pub fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}
