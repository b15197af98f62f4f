//! A hint to the processor: this will be read soon.

/// Begins to fetch `slice[index]` into the nearest cache, where the platform has such a hint.
/// Changes no result; an index past the end is harmless.
#[inline(always)]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and never faults, whatever the address.
        unsafe { _mm_prefetch(slice.as_ptr().wrapping_add(index).cast(), _MM_HINT_T0) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}
