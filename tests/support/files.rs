//! Files of the library as a stranger would forge them.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use wobble::Shape;

/// Bytes before the payload: magic, format, length.
const HEAD: usize = 20;
/// Bytes of the checksum at the end.
const TAIL: usize = 8;

/// The checksum that the format asks for: 64-bit FNV-1a over words of eight bytes, every fourth by itself,
/// and over these four; zeros fill up to a multiple of four words, or are four.
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

/// All numbers of a shape, floats so that no two look the same, but for how long building took.
pub fn numbers(shape: &Shape) -> String {
    let all = format!("{shape:?}");
    let mut parts = all.split("seconds: ");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |told, part| told + part.trim_start_matches(|c: char| !" }".contains(c)))
}

/// The payload of a file.
pub fn payload(file: &[u8]) -> &[u8] {
    &file[HEAD..file.len() - TAIL]
}

/// A file like `file` with another payload, its length and checksum in order.
pub fn forged(file: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut out = file[..HEAD - 8].to_vec();
    out.extend((payload.len() as u64).to_le_bytes());
    out.extend(payload);
    out.extend(checksum(&out).to_le_bytes());
    out
}

/// Panics unless `accepts` refuses `file` with any one bit flipped, cut short anywhere, or with
/// bytes behind it.
pub fn refuses_all_damage(file: &[u8], accepts: impl Fn(&[u8]) -> bool) {
    assert!(accepts(file));
    let mut damaged = file.to_vec();
    for bit in 0..8 * file.len() {
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(!accepts(&damaged), "bit {bit} of {}", 8 * file.len());
        damaged[bit / 8] ^= 1 << (bit % 8);
    }
    for length in 0..file.len() {
        assert!(!accepts(&file[..length]), "{length} of {} bytes", file.len());
    }
    damaged.extend([0; 4]);
    assert!(!accepts(&damaged), "four bytes more");
}

/// Mutations of a file's payload with a checksum that matches: bits flipped, words replaced by
/// nasty ones or by others of the file, bytes cut out or repeated.
pub struct Mutations {
    file: Vec<u8>,
    random: ChaCha8Rng,
}

/// Words that upset careless readers: counts, signs, infinities, NaN, the smallest and largest.
const NASTY: [u32; 14] = [
    0,
    1,
    2,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x0000_8000,
    0x7f7f_ffff,
    0x3f80_0000,
    0x0100_0000,
    0x4e6e_6b28,
];

impl Mutations {
    pub fn of(file: &[u8], seed: u64) -> Mutations {
        Mutations { file: file.to_vec(), random: ChaCha8Rng::seed_from_u64(seed) }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random.next_u32() as usize % limit.max(1)
    }

    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len());
        let word = at.min(bytes.len() - 4);
        match self.below(8) {
            0 | 1 => bytes[at] ^= 1 << self.below(8),
            2..=4 => {
                let nasty = NASTY[self.below(NASTY.len())];
                bytes[word..word + 4].copy_from_slice(&nasty.to_le_bytes());
            }
            5 | 6 => {
                let other = self.below(bytes.len() - 3);
                bytes.copy_within(other..other + 4, word);
            }
            _ => {
                let end = (at + 1 + self.below(16)).min(bytes.len());
                if self.below(2) == 0 && end - at < bytes.len() - 8 {
                    bytes.drain(at..end);
                } else {
                    bytes.extend_from_within(at..end);
                }
            }
        }
    }
}

impl Iterator for Mutations {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut bytes = payload(&self.file).to_vec();
        for _ in 0..=self.below(3) {
            self.mutate(&mut bytes);
        }
        Some(forged(&self.file, &bytes))
    }
}
