//! 255 colours that stand for all colours of some pictures: median cut, after
//! Heckbert, "Color image quantization for frame buffer display", 1982.

/// Bits kept of each channel when colours are counted.
const BITS: u32 = 6;

pub struct Palette {
    pub colours: Vec<[u8; 3]>,
    index_of: Vec<u8>,
}

/// A colour that occurs, and how often.
struct Counted {
    colour: [u8; 3],
    count: u64,
}

impl Palette {
    /// The index of no colour: what lies below shines through.
    pub const TRANSPARENT: u8 = 0;

    pub fn of<'a>(pixels: impl Iterator<Item = &'a [u8; 3]>) -> Palette {
        let mut counts = vec![0u64; 1 << (3 * BITS)];
        pixels.for_each(|pixel| counts[bin(*pixel)] += 1);
        let occurring = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let mut all: Vec<Counted> =
            occurring.map(|(bin, count)| Counted { colour: colour(bin), count: *count }).collect();
        let mut palette = Palette { colours: vec![[0; 3]], index_of: vec![0; counts.len()] };
        for part in cut(&mut all, 255) {
            for counted in part.iter() {
                palette.index_of[bin(counted.colour)] = palette.colours.len() as u8;
            }
            palette.colours.push(mean(part));
        }
        palette
    }

    /// The index of the colour that stands for `pixel`.
    pub fn index(&self, pixel: [u8; 3]) -> u8 {
        self.index_of[bin(pixel)]
    }
}

/// Cuts the part with the widest spread in two, until there are `wanted` parts.
fn cut(all: &mut [Counted], wanted: usize) -> Vec<&mut [Counted]> {
    let mut parts = vec![all];
    while parts.len() < wanted {
        let spreads = parts.iter().map(|part| widest(part)).enumerate();
        let Some((chosen, (channel, spread))) = spreads.max_by_key(|(_, (_, spread))| *spread) else { break };
        if spread == 0 {
            break;
        }
        let part = parts.swap_remove(chosen);
        part.sort_by_key(|counted| counted.colour[channel]);
        let half: u64 = part.iter().map(|counted| counted.count).sum::<u64>() / 2;
        let mut before = 0;
        let median = part.iter().position(|counted| {
            before += counted.count;
            before > half
        });
        let (low, high) = part.split_at_mut(median.unwrap_or(0).clamp(1, part.len() - 1));
        parts.extend([low, high]);
    }
    parts
}

/// The channel in which the colours differ most, and the sum of their squared
/// distances from the mean in it.
fn widest(part: &[Counted]) -> (usize, u64) {
    let middle = mean(part);
    let spread = |channel: usize| {
        let off = |counted: &Counted| u64::from(counted.colour[channel].abs_diff(middle[channel]));
        part.iter().map(|counted| counted.count * off(counted).pow(2)).sum()
    };
    let spreads = [spread(0), spread(1), spread(2)];
    (0..3).map(|channel| (channel, spreads[channel])).max_by_key(|(_, spread)| *spread).unwrap_or((0, 0))
}

fn mean(part: &[Counted]) -> [u8; 3] {
    let total: u64 = part.iter().map(|counted| counted.count).sum();
    let sum = |channel: usize| part.iter().map(|c| c.count * u64::from(c.colour[channel])).sum::<u64>();
    [0, 1, 2].map(|channel| ((sum(channel) + total / 2) / total) as u8)
}

fn bin(pixel: [u8; 3]) -> usize {
    pixel.iter().fold(0, |bin, channel| bin << BITS | usize::from(channel >> (8 - BITS)))
}

/// The middle of a bin.
fn colour(bin: usize) -> [u8; 3] {
    let channel = |shift: u32| ((bin >> (shift * BITS)) << (8 - BITS)) as u8 | 1 << (7 - BITS);
    [channel(2), channel(1), channel(0)]
}
