//! Bytes that a library wrote, spoilt: cut off, changed, and changed with a checksum that fits.

use crate::dice::Dice;

/// What was done to bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoilt {
    /// They must be refused.
    Plainly,
    /// Their checksum is right, so it depends on what they say.
    Cunningly,
}

/// The checksum of the library's files: 64-bit FNV-1a over words of eight bytes, every fourth by itself, and
/// over these four; zeros fill up to a multiple of four words, or are four.
pub fn checksum(bytes: &[u8]) -> u64 {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    let add = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
    let mut padded = bytes.to_vec();
    padded.resize((bytes.len() / 32 + 1) * 32, 0);
    let words: Vec<u64> = padded.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let every_fourth =
        |first: usize| words[first..].iter().step_by(4).fold(START, |hash, &word| add(hash, word));
    (0..4).map(every_fourth).fold(START, add)
}

/// Makes the checksum fit again.
fn seal(bytes: &mut [u8]) {
    if let Some(body) = bytes.len().checked_sub(8) {
        let sum = checksum(&bytes[..body]);
        bytes[body..].copy_from_slice(&sum.to_le_bytes());
    }
}

/// Numbers that a reader may trip over.
const EDGES: [u32; 12] = [
    0,
    1,
    2,
    u32::MAX,
    u32::MAX - 1,
    1 << 31,
    1 << 24,
    0x00ff_ffff,
    0x7f80_0000,
    0x7fc0_0000,
    0xff80_0000,
    0x0000_0001,
];

/// Changes a few bytes at random places, more often near the front, where counts are.
fn change(bytes: &mut [u8], dice: &mut Dice) {
    for _ in 0..dice.between(1, 4) {
        let reach = dice.pick(&[40, 160, bytes.len(), bytes.len()]).min(bytes.len());
        let at = dice.index(reach);
        match dice.below(4) {
            0 => bytes[at] ^= 1 << dice.below(8),
            1 => bytes[at] = dice.bits() as u8,
            2 => {
                let word = dice.pick(&EDGES).to_le_bytes();
                let end = (at + 4).min(bytes.len());
                bytes[at..end].copy_from_slice(&word[..end - at]);
            }
            _ => {
                let from = dice.index(bytes.len());
                let length = dice.index(16).min(bytes.len() - at.max(from));
                bytes.copy_within(from..from + length, at);
            }
        }
    }
}

/// Spoils bytes in one of many ways.
pub fn spoil(bytes: &mut Vec<u8>, dice: &mut Dice) -> Spoilt {
    let whole = bytes.clone();
    match dice.below(8) {
        0 => bytes.truncate(dice.index(whole.len())),
        1 => bytes.extend_from_slice(&whole[..dice.index(whole.len()) + 1]),
        2 => bytes.iter_mut().for_each(|b| *b = dice.bits() as u8),
        3 => {
            // Cut off, but with the length and the checksum of a whole file.
            let keep = 28 + dice.index(whole.len() - 27);
            bytes.truncate(keep);
            bytes[12..20].copy_from_slice(&(keep as u64 - 28).to_le_bytes());
            seal(bytes);
        }
        4 => change(bytes, dice),
        _ => {
            let end = bytes.len() - 8;
            change(&mut bytes[8..end], dice);
            seal(bytes);
            return Spoilt::Cunningly;
        }
    }
    if *bytes == whole { Spoilt::Cunningly } else { Spoilt::Plainly }
}
