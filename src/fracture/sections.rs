//! Sections across a body, and how far its load would stretch each of them.

/// What crosses sections of a body, a spacing apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sections {
    /// Where the first one is along the direction, metres.
    pub(crate) low: f32,
    pub(crate) width: f32,
    pub(crate) list: Vec<Section>,
}

/// One of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Section {
    /// Of the matter about it, kg.
    pub(crate) mass: f32,
    /// What that matter is pulled with along the direction, kg m; then the strain by the load.
    pub(crate) pull: f32,
}

impl Sections {
    /// Heap bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<Section>()
    }

    /// The largest strain of sections from `low` to `high`, and where.
    pub(crate) fn worst(&self, low: f32, high: f32) -> (f32, f32) {
        let place = |at: f32| ((at - self.low) / self.width).clamp(0.0, self.list.len() as f32);
        let (from, to) = (place(low).ceil() as usize, place(high).floor() as usize);
        let within = (from..(to + 1).min(self.list.len())).map(|k| (self.list[k].pull, k));
        let (strain, k) = within.fold((0.0, from), |best, new| if new.0 > best.0 { new } else { best });
        (strain, self.low + k as f32 * self.width)
    }
}
