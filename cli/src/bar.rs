//! The progress bar.

use std::io::{IsTerminal, Write, stderr};

/// Characters of the bar.
const BAR: usize = 40;

/// Draws the bar where somebody watches, once for each per cent.
pub fn show(done: f32, shown: &mut Option<u32>) {
    let per_cent = (done * 100.0) as u32;
    if !stderr().is_terminal() || *shown == Some(per_cent) {
        return;
    }
    *shown = Some(per_cent);
    let full = (done * BAR as f32) as usize;
    eprint!("\r[{:<BAR$}] {per_cent:>3} %", "#".repeat(full.min(BAR)));
    // A bar that cannot be drawn is no reason to stop.
    let _ = stderr().flush();
}

/// Wipes it away, if it was drawn.
pub fn clear(shown: bool) {
    if shown {
        eprint!("\r{:<1$}\r", "", BAR + 8);
    }
}
