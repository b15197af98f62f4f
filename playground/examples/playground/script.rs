//! A pointer moved by a script, the same way as by a mouse.

use glam::{Vec2, vec2};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Press,
    Move,
    Release,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    frame: u32,
    deed: Deed,
    at: Vec2,
}

/// What the pointer does at which frame; in between it moves straight on.
#[derive(Clone, Debug, Default)]
pub struct Script {
    entries: Vec<Entry>,
}

impl Script {
    /// Reads `5 press 640 400, 40 move 800 250, 60 release 800 250`.
    pub fn read(text: &str) -> Result<Script, String> {
        let entries: Option<Vec<Entry>> = text.split(',').map(entry).collect();
        let ascending = |entries: &Vec<Entry>| entries.is_sorted_by(|a, b| a.frame < b.frame);
        let entries = entries.filter(ascending);
        entries.map(|entries| Script { entries }).ok_or_else(|| {
            format!("the pointer's script {text:?} is not of ascending parts such as '5 press 640 400'")
        })
    }

    /// What happens in a frame, and where the pointer is.
    pub fn at(&self, frame: u32) -> Option<(Deed, Vec2)> {
        let next = self.entries.iter().position(|entry| entry.frame >= frame)?;
        let after = self.entries[next];
        if after.frame == frame {
            return Some((after.deed, after.at));
        }
        let before = self.entries[next.checked_sub(1)?];
        let share = (frame - before.frame) as f32 / (after.frame - before.frame) as f32;
        Some((Deed::Move, before.at.lerp(after.at, share)))
    }
}

fn entry(text: &str) -> Option<Entry> {
    let mut words = text.split_whitespace();
    let frame = words.next()?.parse().ok()?;
    let deed = match words.next()? {
        "press" => Deed::Press,
        "move" => Deed::Move,
        "release" => Deed::Release,
        _ => return None,
    };
    let mut number = || words.next()?.parse::<f32>().ok().filter(|n| n.is_finite());
    let at = vec2(number()?, number()?);
    words.next().is_none().then_some(Entry { frame, deed, at })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pointer_moves_straight_between_the_entries_of_its_script() {
        let script = Script::read("5 press 100 40, 15 release 200 60").expect("it is right");
        assert_eq!(script.at(4), None);
        assert_eq!(script.at(5), Some((Deed::Press, vec2(100.0, 40.0))));
        assert_eq!(script.at(10), Some((Deed::Move, vec2(150.0, 50.0))));
        assert_eq!(script.at(15), Some((Deed::Release, vec2(200.0, 60.0))));
        assert_eq!(script.at(16), None);
        assert!(Script::read("9 press 1 1, 3 move 1 1").is_err());
    }
}
