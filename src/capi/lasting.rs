//! Deformation that lasts.

use super::body::change;
use super::guard::call;
use super::handles::{self, WobbleBody};
use super::memory::{self, Sized32, out, out_sized};
use super::reading::read;
use super::status::{Failure, WobbleStatus};
use crate::plasticity::Plasticity;

/// How a body keeps what deforms it. Strains are the length of (s1 - 1, s2 - 1, s3 - 1), s being the stretches along the axes of the deformation at unit volume. Fill with wobble_plasticity_init().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobblePlasticity {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// Elastic strain from which on deformation lasts, 0 to 10. Default 0.1. Elsewhere called c_yield.
    pub yield_strain: f32,
    /// Share of the strain beyond the yield that becomes lasting in a second, 0 to 1e6. Default 100. Elsewhere called c_creep.
    pub flow: f32,
    /// How much the yield rises with each unit of strain that has become lasting, -100 to 100; below 0 the material softens. Default 0.
    pub hardening: f32,
    /// The largest lasting strain, 0 to 10. Default 1. Elsewhere called c_max.
    pub limit: f32,
    /// Share of the lasting strain that is forgotten in a second, 0 to 1e6. Default 0. What clusters that were replaced had kept is not forgotten.
    pub recovery: f32,
    /// Largest over smallest lasting stretch of a finest cluster from which on it is replaced, 1.05 to 1000: what flows is then bounded neither by limit nor by what the first clusters can bear. 1.25 to 1.5 are common. 0 for never, the default. Not for bodies whose levels are independent.
    pub recluster: f32,
    /// Steps in which such a cluster fades out, 1 to 1000; new ones fade in within half of them. Default 30.
    pub fade: u32,
    /// The most new clusters of the body in a step, 1 to 1000; the rest waits. Default 8.
    pub most_new_clusters: u32,
}

// SAFETY: repr(C), begins with struct_size, all other fields are numbers.
unsafe impl Sized32 for WobblePlasticity {}

impl From<Plasticity> for WobblePlasticity {
    fn from(rule: Plasticity) -> WobblePlasticity {
        let Plasticity { yield_strain, flow, hardening, limit, recovery, recluster, fade, most_new_clusters } =
            rule;
        let struct_size = size_of::<WobblePlasticity>() as u32;
        WobblePlasticity {
            struct_size,
            yield_strain,
            flow,
            hardening,
            limit,
            recovery,
            recluster,
            fade,
            most_new_clusters,
        }
    }
}

impl From<WobblePlasticity> for Plasticity {
    fn from(rule: WobblePlasticity) -> Plasticity {
        let WobblePlasticity { yield_strain, flow, hardening, limit, recovery, recluster, .. } = rule;
        let WobblePlasticity { fade, most_new_clusters, .. } = rule;
        Plasticity { yield_strain, flow, hardening, limit, recovery, recluster, fade, most_new_clusters }
    }
}

/// What a sized struct that may be null says.
pub(super) fn rule<T: Sized32 + Copy>(
    pointer: *const T,
    default: T,
    name: &str,
) -> Result<Option<T>, Failure> {
    if pointer.is_null() { Ok(None) } else { memory::read(pointer, default, name).map(Some) }
}

/// Fills a struct with the defaults. size is sizeof(WobblePlasticity).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_plasticity_init(
    plasticity: *mut WobblePlasticity,
    size: u32,
) -> WobbleStatus {
    call(|| memory::init(plasticity, size, Plasticity::default().into(), "plasticity"))
}

/// Lets the deformation of a body last; with null no more of it does, and what has lasted stays until
/// wobble_body_reset(). Not for bodies with quadratic goals. A step of such a body takes about a fifth longer, and up to
/// three times as long while much of it flows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_set_plasticity(
    body: WobbleBody,
    plasticity: *const WobblePlasticity,
) -> WobbleStatus {
    call(|| {
        let given = rule(plasticity, Plasticity::default().into(), "plasticity")?;
        let named = handles::body(body)?;
        named.cell.with_body_mut(&named, |b| Ok(b.set_plasticity(given.map(Plasticity::from))?))
    })
}

/// How the deformation of a body lasts; out_enabled gets 1 if it does, else 0, and then out_plasticity the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_plasticity(
    body: WobbleBody,
    out_plasticity: *mut WobblePlasticity,
    out_enabled: *mut u32,
) -> WobbleStatus {
    call(|| {
        let (to, enabled) = (out_sized(out_plasticity, "out_plasticity")?, out(out_enabled, "out_enabled")?);
        let named = handles::body(body)?;
        let found = named.cell.with_body(&named, |b| Ok(b.plasticity()))?;
        to.write(found.unwrap_or_default().into());
        enabled.write(found.is_some().into());
        Ok(())
    })
}

/// What the flow of a level is multiplied by; 1 at first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_level_flow(
    body: WobbleBody,
    level: u32,
    out_multiplier: *mut f32,
) -> WobbleStatus {
    read(body, out_multiplier, "out_multiplier", |b| Ok(b.level_flow(level as usize)?))
}

/// Multiplies the flow of a level, 0 to 1. The finest level, 0, decides what lasts; a coarser nested one follows it by this
/// share. With 0 for the coarse levels a surface can be dented while the outline as a whole comes back.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_set_level_flow(body: WobbleBody, level: u32, multiplier: f32) -> WobbleStatus {
    change(body, |b| b.set_level_flow(level as usize, multiplier))
}

/// The largest lasting strain of a finest cluster; 0 where nothing lasts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_lasting_strain(body: WobbleBody, out_strain: *mut f32) -> WobbleStatus {
    read(body, out_strain, "out_strain", |b| Ok(b.lasting_strain()))
}
