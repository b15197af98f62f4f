//! Hashes of what is written and read: by words, the same on every platform.

/// The 64-bit FNV-1a hash, fed whole words.
#[derive(Clone, Copy)]
pub(crate) struct Fnv(pub(crate) u64);

impl Fnv {
    pub(crate) fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
    }

    pub(crate) fn add_floats(&mut self, floats: &[f32]) {
        floats.iter().for_each(|f| self.add(f.to_bits().into()));
    }
}

/// Four such hashes side by side, so that none waits for another, and one of them all in the end. Every
/// step can be undone, so no change of a single word goes unseen.
#[derive(Clone, Copy)]
pub(crate) struct WideFnv([Fnv; 4]);

impl WideFnv {
    pub(crate) fn new() -> WideFnv {
        WideFnv([Fnv::new(); 4])
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, words: [u64; 4]) {
        self.0.iter_mut().zip(words).for_each(|(hash, word)| hash.add(word));
    }

    /// Their number, then all of them; the last four are filled up with zeros.
    #[inline(always)]
    pub(crate) fn add_all(&mut self, words: impl ExactSizeIterator<Item = u64>) {
        self.0[0].add(words.len() as u64);
        let mut words = words.fuse();
        while let Some(first) = words.next() {
            let rest: [u64; 3] = std::array::from_fn(|_| words.next().unwrap_or(0));
            self.add([first, rest[0], rest[1], rest[2]]);
        }
    }

    pub(crate) fn finish(&self) -> u64 {
        let mut hash = Fnv::new();
        self.0.iter().for_each(|of| hash.add(of.0));
        hash.0
    }
}

/// Of words of eight bytes, the last ones filled up with zeros.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = WideFnv::new();
    let (blocks, rest) = bytes.as_chunks::<32>();
    let mut last = [0; 32];
    last[..rest.len()].copy_from_slice(rest);
    for block in blocks.iter().chain([&last]) {
        let words = block.as_chunks::<8>().0;
        hash.add(std::array::from_fn(|k| u64::from_le_bytes(words[k])));
    }
    hash.finish()
}
