//! A game that goes on for hours: bodies come, are pushed about and go.
//!
//! A season is one life of a world. In it all is made, played with and destroyed again, so that
//! at its end nothing of it may be left. All calls are good ones; any refusal is a failure.

mod events;
mod play;
mod watch;

pub use play::Game;
pub use watch::{Handles, Memory};

use crate::dice::Dice;

/// Steps a second of game time.
pub const RATE: u64 = 60;

/// A failure in words.
pub type Outcome<T> = Result<T, String>;

/// How long to play, and how.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Of all choices.
    pub seed: u64,
    /// In all.
    pub steps: u64,
    /// Lives of a world that they are spread over.
    pub seasons: u64,
    /// That step.
    pub threads: u32,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Of all positions that were looked at.
    pub hash: u64,
    /// Bodies made.
    pub bodies: u64,
    /// Handles given out.
    pub handles: u64,
}

/// Plays; `tell` hears after every season how far it is.
pub fn run(plan: Plan, mut tell: impl FnMut(u64, &Memory)) -> Outcome<(Tally, Memory)> {
    let mut handles = Handles::new(plan.steps);
    let mut memory = Memory::new(plan.steps);
    let mut tally = Tally::default();
    let mut dice = Dice::new(plan.seed, 0);
    let mut left_over = Vec::with_capacity(plan.seasons as usize);
    let mut done = 0;
    for season in 0..plan.seasons {
        let steps = plan.steps * (season + 1) / plan.seasons - done;
        let mut game = Game::new(plan, &mut dice, &mut handles)?;
        for step in 0..steps {
            game.step().map_err(|why| format!("season {season}, step {step}: {why}"))?;
            memory.look(done + step);
        }
        game.end(&mut tally)?;
        left_over.push(crate::allocator::alive().0);
        done += steps;
        tell(done, &memory);
    }
    tally.handles = handles.count();
    check_left_over(&left_over)?;
    memory.check()?;
    Ok((tally, memory))
}

/// After the first seasons, in which tables get their size, each leaves as much behind as the others.
fn check_left_over(blocks: &[i64]) -> Outcome<()> {
    let settled = &blocks[blocks.len() / 4..];
    match (settled.first(), settled.last()) {
        (Some(first), Some(last)) if last > first => {
            Err(format!("blocks alive after each season: {blocks:?}; they grow"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_goes_the_same_on_one_thread_and_on_three() {
        let plan = Plan { seed: 7, steps: 3600, seasons: 2, threads: 1 };
        let one = run(plan, |_, _| ()).unwrap().0;
        let three = run(Plan { threads: 3, ..plan }, |_, _| ()).unwrap().0;
        assert_eq!(one, three);
        assert!(one.bodies > 50 && one.hash != 0, "{one:?}");
    }
}
