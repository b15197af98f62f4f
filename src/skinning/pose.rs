//! Where each finest cluster carries what surrounds it.
//!
//! Reads positions, or those before the last step; writes a 3x4 transform a cluster, its [`Bone`].
//! The fits that a step leaves behind are those of the positions before it moved the particles, so
//! clusters are matched here anew, once for all reads between two changes of a body.
//!
//! A bone is affine: F = (A_xr + λ R)(A_rr + λ I)⁻¹ about the cluster's centre. In directions in which the
//! cluster has extent this is A_xr A_rr⁻¹, which follows the particles where they are squashed; in those
//! that a flat or thin one lacks it is the rotation R. A rigid motion gives R whatever λ. F is linear in the
//! positions but for R, so transforms between two steps are blended linearly, as the particles are.

use std::sync::{Mutex, MutexGuard};

use glam::{Affine3A, Mat3A, Vec3A, Vec4};

use crate::body::Body;
use crate::fitting::{Fit, Rigid, Wanted};
use crate::lanes;
use crate::matching::{Moments, OfParticles, Particles, STILL};
use crate::material::Rotation;
use crate::parallel::{Spread, chunks};
use crate::plasticity::AtRest;
use crate::shape::RestCluster;
use crate::shape::held::Matched;

/// Rows of a 3x4 transform from rest space to world space about the body's origin.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Bone {
    pub(crate) rows: [Vec4; 3],
}

/// λ as a share of A_rr's trace: a cluster that fills space has a third of it in each direction.
const THIN: f32 = 1.0 / 256.0;

/// Clusters that a thread matches at a time; a multiple of the eight that are fitted together.
const BLOCK: usize = 64;

/// The bones of a body as far as they were asked for since it last changed.
#[derive(Default)]
struct Poses {
    now: Vec<Bone>,
    before: Vec<Bone>,
    between: Vec<Bone>,
    has_now: bool,
    has_before: bool,
    /// Where `between` is.
    at: Option<f32>,
    /// Bones that lead into a frame of the caller's, and those before the last step: good for one read.
    framed: [Vec<Bone>; 2],
}

/// Keeps the bones from one read to the next.
#[derive(Default)]
pub(crate) struct PoseCache(Mutex<Poses>);

impl PoseCache {
    /// To be called whenever positions change.
    pub(crate) fn forget(&mut self) {
        let poses = self.0.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        (poses.has_now, poses.has_before, poses.at) = (false, false, None);
    }

    /// Heap bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let poses = self.lock();
        let Poses { now, before, between, framed: [a, b], .. } = &*poses;
        [now, before, between, a, b].map(Vec::capacity).iter().sum::<usize>() * size_of::<Bone>()
    }

    fn lock(&self) -> MutexGuard<'_, Poses> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Bones about an origin.
pub(crate) struct Posed<'a> {
    pub(crate) origin: Vec4,
    /// At the fraction that was asked for.
    pub(crate) bones: &'a [Bone],
    /// Before the last step, if asked for.
    pub(crate) before: Option<&'a [Bone]>,
}

impl Body {
    /// Calls `work` with the bones at `fraction` between the last two steps, 0 to 1.
    pub(crate) fn with_pose<R>(
        &self,
        fraction: f32,
        with_before: bool,
        spread: Spread,
        work: impl FnOnce(Posed) -> R,
    ) -> R {
        let origin = self.origin_now();
        let poses = &mut *self.poses.lock();
        if fraction > 0.0 && !poses.has_now {
            self.find_bones(self.raw_positions(), origin, spread, &mut poses.now);
            poses.has_now = true;
        }
        if (fraction < 1.0 || with_before) && !poses.has_before {
            self.find_bones(self.raw_previous(), origin, spread, &mut poses.before);
            poses.has_before = true;
        }
        if 0.0 < fraction && fraction < 1.0 && poses.at != Some(fraction) {
            blend(&poses.before, &poses.now, fraction, &mut poses.between);
            poses.at = Some(fraction);
        }
        let bones = match fraction {
            1.0 => &poses.now,
            0.0 => &poses.before,
            _ => &poses.between,
        };
        work(Posed { origin, bones, before: with_before.then_some(&poses.before[..]) })
    }

    /// The same, but the bones lead into `frame`, which carries world space to the caller's.
    pub(crate) fn with_pose_in<R>(
        &self,
        frame: &Affine3A,
        fraction: f32,
        with_before: bool,
        spread: Spread,
        work: impl FnOnce(Posed) -> R,
    ) -> R {
        let mut framed = std::mem::take(&mut self.poses.lock().framed);
        let result = self.with_pose(fraction, with_before, spread, |posed| {
            let [now, before] = &mut framed;
            lead_into(frame, posed.bones, now);
            posed.before.into_iter().for_each(|bones| lead_into(frame, bones, before));
            let origin = frame.transform_point3a(Vec3A::from_vec4(posed.origin)).extend(posed.origin.w);
            work(Posed { origin, bones: now, before: posed.before.map(|_| &before[..]) })
        });
        self.poses.lock().framed = framed;
        result
    }

    fn find_bones(&self, x: &[Vec4], origin: Vec4, spread: Spread, out: &mut Vec<Bone>) {
        let shape = self.shape();
        let Some(level) = shape.levels().first() else { return };
        let (table, clusters, range) = (level.members(), shape.clusters(0), shape.range(0));
        let (scatter, at_rest) =
            (shape.scatter(), AtRest::of(Matched::of(shape, None), self.known_plastic()));
        let stretch = self.material().rotation == Rotation::Stretch;
        out.resize(range.len(), Bone::default());
        spread.for_blocks(chunks(out, BLOCK), |block, out| {
            let first = block * BLOCK;
            let here = first..first + out.len();
            let mut moments = [Moments::default(); BLOCK];
            let mut fits = [Fit::default(); BLOCK];
            let mut rigid = [Rigid::default(); BLOCK];
            let (moments, fits) = (&mut moments[..out.len()], &mut fits[..out.len()]);
            let (rest, v) = (shape.rest(), self.raw_velocities());
            let particles = Particles { table, clusters, rest, apart: &[], origin, x, v };
            lanes::run(OfParticles::<_, STILL> { particles, first, out: &mut *moments, wanted: |_| true });
            self.known_fits(here.clone(), fits);
            let at_rest = at_rest.part(here.clone());
            let wanted = Wanted { stretch: stretch.then_some(at_rest.inverse), spin: None };
            at_rest.fit_where(moments, wanted, |_| true, fits, &mut rigid[..out.len()]);
            for (i, c) in here.enumerate() {
                out[i] = bone(&rigid[i], &moments[i], &clusters[c], &scatter[c]);
            }
        });
    }
}

/// The affine transform of a cluster whose rotation is known, or that times what has lasted of its deformation.
fn bone(rigid: &Rigid, moments: &Moments, cluster: &RestCluster, scatter: &[f32; 6]) -> Bone {
    let [x, y, z] = rigid.columns.map(Vec3A::from_vec4);
    let rotation = Mat3A::from_cols(x, y, z);
    let share = 1.0 / cluster.spread;
    // A single particle has no extent; nor has one so narrow that its squares vanish.
    let share = if share.is_finite() { share } else { 0.0 };
    let [xx, yy, zz, xy, xz, yz] = scatter.map(|s| s * share);
    let (xx, yy, zz) = (xx + THIN, yy + THIN, zz + THIN);
    let thick = Mat3A::from_cols(Vec3A::new(xx, xy, xz), Vec3A::new(xy, yy, yz), Vec3A::new(xz, yz, zz));
    let [a, b, c] = moments.columns().map(|column| Vec3A::from_vec4(column * share));
    let f = (Mat3A::from_cols(a, b, c) + rotation * THIN) * thick.inverse();
    let centre = Vec3A::from_vec4(cluster.centre);
    let shift = Vec3A::from_vec4(moments.centre) - f * centre - f * cluster.residue;
    let rows = f.transpose();
    Bone { rows: [rows.x_axis.extend(shift.x), rows.y_axis.extend(shift.y), rows.z_axis.extend(shift.z)] }
}

/// Bones followed by the linear part of a frame.
fn lead_into(frame: &Affine3A, bones: &[Bone], out: &mut Vec<Bone>) {
    let rows = frame.matrix3.transpose();
    let rows = [rows.x_axis, rows.y_axis, rows.z_axis];
    out.clear();
    out.extend(
        bones.iter().map(|Bone { rows: [x, y, z] }| Bone {
            rows: rows.map(|row| *x * row.x + *y * row.y + *z * row.z),
        }),
    );
}

fn blend(before: &[Bone], now: &[Bone], fraction: f32, out: &mut Vec<Bone>) {
    out.clear();
    out.extend(before.iter().zip(now).map(|(a, b)| Bone {
        rows: std::array::from_fn(|k| a.rows[k] * (1.0 - fraction) + b.rows[k] * fraction),
    }));
}
