//! Structs and constants that cross the border.
//!
//! Only u32, u64, f32 and pointers; no Rust enum is taken from C. A sized struct begins with
//! its size, fields are only ever appended.

use std::ffi::c_void;

use super::memory::Sized32;

/// Log lines: worth knowing.
pub const WOBBLE_LOG_WARNING: u32 = 1;
/// Log lines: something failed.
pub const WOBBLE_LOG_ERROR: u32 = 2;

/// Clustering: random particles become centres.
pub const WOBBLE_ALGORITHM_RANDOM: u32 = 0;
/// Clustering: k-means.
pub const WOBBLE_ALGORITHM_K_MEANS: u32 = 1;
/// Clustering: fuzzy, with weighted centres. The default.
pub const WOBBLE_ALGORITHM_FUZZY: u32 = 2;

/// Membership is the same for all members.
pub const WOBBLE_KERNEL_BOX: u32 = 0;
/// Membership falls smoothly to zero at the radius.
pub const WOBBLE_KERNEL_POLY6: u32 = 1;
/// A constant share, kernel_parameter (0 or more), plus poly6.
pub const WOBBLE_KERNEL_BLEND: u32 = 2;
/// Inverse squared distance; kernel_parameter keeps the centre finite, relative to the radius squared. The default, with 1e-4.
pub const WOBBLE_KERNEL_INVERSE_SQUARE: u32 = 3;
/// Fuzzy c-means; kernel_parameter is the fuzziness, greater than 1.
pub const WOBBLE_KERNEL_FCM: u32 = 4;

/// Coarser levels cluster the clusters below: several scales at the price of one. The default.
pub const WOBBLE_NESTING_NESTED: u32 = 0;
/// Every level clusters all particles.
pub const WOBBLE_NESTING_INDEPENDENT: u32 = 1;

/// Stiffness as a frequency, hertz: the look does not depend on the step.
pub const WOBBLE_STIFFNESS_HERTZ: u32 = 0;
/// Stiffness as the papers' alpha: the share of the way to the goal in each substep, up to 2.
pub const WOBBLE_STIFFNESS_PER_STEP: u32 = 1;
/// Damping as a rate, 1/s.
pub const WOBBLE_DAMPING_PER_SECOND: u32 = 0;
/// Damping as the share taken in each substep, 0 to 1.
pub const WOBBLE_DAMPING_PER_STEP: u32 = 1;
/// Damping takes deformation only: rigid motion, spin included, goes on.
pub const WOBBLE_DAMPING_FORM_RIGID: u32 = 0;
/// Damping takes spin too, as the papers do.
pub const WOBBLE_DAMPING_FORM_PAPER: u32 = 1;
/// Rotations that keep angular momentum exactly.
pub const WOBBLE_ROTATION_MOMENTUM: u32 = 0;
/// Rotations from the deformation gradient.
pub const WOBBLE_ROTATION_STRETCH: u32 = 1;
/// Clusters pull towards a rigid goal.
pub const WOBBLE_GOALS_RIGID: u32 = 0;
/// Towards a goal that may stretch and shear, by the share goals_beta.
pub const WOBBLE_GOALS_LINEAR: u32 = 1;
/// Towards a goal that may also bend and twist, by the share goals_beta.
pub const WOBBLE_GOALS_QUADRATIC: u32 = 2;

/// Friction of a contact is the geometric mean of both sides', restitution the greater one: ice is slippery
/// to everything, and a ball that bounces does so everywhere. The default.
pub const WOBBLE_COMBINE_NATURAL: u32 = 0;
/// Both are the means. Where two rules meet, that with the higher number holds.
pub const WOBBLE_COMBINE_AVERAGE: u32 = 1;
/// They are the lesser ones.
pub const WOBBLE_COMBINE_MINIMUM: u32 = 2;
/// They are the products.
pub const WOBBLE_COMBINE_MULTIPLY: u32 = 3;
/// They are the greater ones.
pub const WOBBLE_COMBINE_MAXIMUM: u32 = 4;

/// A point or direction.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WobbleVec3 {
    /// Along x.
    pub x: f32,
    /// Along y.
    pub y: f32,
    /// Along z.
    pub z: f32,
}

/// A rotation as a quaternion; need not be of unit length when given.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WobbleQuat {
    /// Imaginary part, x.
    pub x: f32,
    /// Imaginary part, y.
    pub y: f32,
    /// Imaginary part, z.
    pub z: f32,
    /// Real part; 1 for no rotation.
    pub w: f32,
}

/// Carries a vertex at rest position r to rotation (r - rest centre) + position.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WobbleTransform {
    /// How the cluster is turned.
    pub rotation: WobbleQuat,
    /// Where its centre is, metres, world space.
    pub position: WobbleVec3,
}

/// One cluster holds one member.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WobbleMembership {
    /// A particle, in the order the points were given in; in a coarser nested level a cluster of the
    /// level below.
    pub member: u32,
    /// The cluster that holds it.
    pub cluster: u32,
    /// How much, 0 to 1.
    pub weight: f32,
}

/// A plane that bounds a cluster: inside is where normal·r + offset is below 0, r being about the
/// shape's centre of mass.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WobbleClusterPlane {
    /// The cluster, of the finest level.
    pub cluster: u32,
    /// Points out of the cluster; of length 1.
    pub normal: WobbleVec3,
    /// Metres.
    pub offset: f32,
}

/// A box along the axes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WobbleBounds {
    /// The least of each coordinate, metres.
    pub low: WobbleVec3,
    /// The greatest.
    pub high: WobbleVec3,
}

/// Memory of the library's that a host may read, not keep: it is good until the next step of the
/// world, or until the body is changed or destroyed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleView {
    /// The first element.
    pub data: *const f32,
    /// How many there are.
    pub count: u32,
    /// Bytes from one to the next.
    pub stride: u32,
}

/// How a world is set up. Fill with wobble_world_def_init().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleWorldDef {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// Threads that step, the calling one counted; 0 takes all cores. Default 0, at most 256. Results do not depend on it.
    pub threads: u32,
    /// Equal parts that a step is split into, 1 to 64. Default 4. More is stiffer and costs as much more.
    pub substeps: u32,
    /// Acceleration of gravity, m/s². Default (0, -9.81, 0).
    pub gravity: WobbleVec3,
    /// Contacts are reported from this impulse on, N s in a step, 0 to 1e9. Default 0. Pairs that press less count as apart.
    pub contact_threshold: f32,
    /// The most contact events of a step, up to 16777216. Default 4096. The weakest beyond are left out.
    pub max_contacts: u32,
    /// 1 if bodies at rest fall asleep, 0 if all stay awake. Default 1. See wobble_world_set_sleeping().
    pub sleeping: u32,
    /// What counts as rest for a body of 1 m, m/s, 0 to 1e6. Default 0.03.
    pub sleep_speed: f32,
}

/// Told the fraction of a build done, 0 to 1; returns 0 to cancel, anything else to go on. It may
/// call the library, but must not throw or jump out.
pub type WobbleProgressCallback = Option<extern "C" fn(fraction: f32, user: *mut c_void) -> u32>;

/// How a shape's levels are built. Fill with wobble_shape_def_init().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleShapeDef {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// A WOBBLE_ALGORITHM_ constant. Default fuzzy.
    pub algorithm: u32,
    /// A WOBBLE_KERNEL_ constant. Default inverse square.
    pub kernel: u32,
    /// What the kernel's constant says. Default 1e-4.
    pub kernel_parameter: f32,
    /// A WOBBLE_NESTING_ constant. Default nested.
    pub nesting: u32,
    /// Particles for each cluster of the finest level, 1 or more. Default 20; good values 15 to 50.
    pub particles_per_cluster: u32,
    /// Clusters of the finest level in place of particles_per_cluster; 0 for none. Default 0.
    pub finest_clusters: u32,
    /// Stop after this many levels, finest first. Default 16, which always reaches the single top cluster; 1 is the classic method.
    pub max_levels: u32,
    /// Cluster radius of the finest level, metres; 0 to have it chosen. Default 0.
    pub radius: f32,
    /// Each coarser level's radius over that of the level below, when radius is given; more than 1. Default 2.
    pub radius_growth: f32,
    /// Memberships a particle aimed at when the radius is chosen, 1 to 64. Default 4. Memory and time grow with it.
    pub overlap: f32,
    /// Rounds of one clustering attempt before its radius grows, 1 or more. Default 300.
    pub max_rounds: u32,
    /// Threads to build with; 0 takes all cores. Default 0. Results do not depend on it.
    pub threads: u32,
    /// Not used; zero.
    pub reserved: u32,
    /// Seed of the random choices. Default 0.
    pub seed: u64,
    /// Called now and then while building; null for none. Default null.
    pub progress: WobbleProgressCallback,
    /// Passed to progress. Default null.
    pub progress_user: *mut c_void,
}

/// What building one level took. Set struct_size before asking for it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleLevelReport {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// Clusters of the level.
    pub clusters: u32,
    /// Rounds of clustering over all attempts.
    pub rounds: u32,
    /// 1 if the last attempt converged.
    pub converged: u32,
    /// Radius used, metres.
    pub radius: f32,
    /// Mean memberships of what the level clusters: particles, or the clusters below.
    pub overlap: f32,
    /// Mean clusters of this level that hold a particle.
    pub memberships_per_particle: f32,
    /// Wall time of building the level, seconds; 0 for a shape that was loaded, or torn from another.
    pub seconds: f32,
}

/// What a body is made of. Fill with wobble_material_init() or wobble_material_named().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleMaterial {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// A WOBBLE_STIFFNESS_ constant. Default hertz.
    pub stiffness_kind: u32,
    /// Hertz, above 0; or the share per substep, 0 to 2. Default 40 Hz.
    pub stiffness: f32,
    /// A WOBBLE_DAMPING_ constant. Default per second.
    pub damping_kind: u32,
    /// Rate in 1/s, 0 or more; or the share per substep, 0 to 1. Default 10 per second.
    pub damping: f32,
    /// A WOBBLE_DAMPING_FORM_ constant. Default rigid.
    pub damping_form: u32,
    /// A WOBBLE_ROTATION_ constant. Default momentum.
    pub rotation: u32,
    /// A WOBBLE_GOALS_ constant. Default rigid. Linear costs little more, quadratic several times as much.
    pub goals: u32,
    /// Share of the linear or quadratic goal, 0 to 1. Not used by rigid goals.
    pub goals_beta: f32,
    /// Strain-limiting rounds a substep, 0 for no limit. Default 0. Each costs up to a step while limits are broken, little when not.
    pub strain_rounds: u32,
    /// How far a particle may stray from a cluster's goal, in widths of the cluster.
    pub strain_gamma: f32,
    /// Share of the excess that a round takes back.
    pub strain_omega: f32,
    /// Multiplies gravity. Default 1.
    pub gravity_scale: f32,
    /// How freely a body springs back from a landing, 0 to 1. With 1 only damping holds it back; with less, what it touches also takes off speed of compression, unless that has restitution. Default 0; materials by name have 1.
    pub rebound: f32,
    /// How many times stiffer the volume of the whole body is than its shape, 0 to 100: a squeezed body bulges. Default 0; 30 keeps the volume within a few percent.
    pub volume_stiffness: f32,
    /// How much more volume than at rest the body wants, as a share, -0.9 to 9. Default 0; 0.5 blows it up by half.
    pub pressure: f32,
}

/// Where a body starts and what it is made of. Fill with wobble_body_def_init().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleBodyDef {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// Where the centre of mass goes, metres. Default the origin.
    pub position: WobbleVec3,
    /// How the rest shape is turned. Default not at all.
    pub rotation: WobbleQuat,
    /// Initial velocity, m/s. Default zero.
    pub velocity: WobbleVec3,
    /// What it is made of; null for the default material. Copied.
    pub material: *const WobbleMaterial,
    /// Coulomb friction, 0 to 1e6. Default 0.5.
    pub friction: f32,
    /// Share of the approach speed that a particle leaves a contact with, 0 to 1. Default 0.
    pub restitution: f32,
    /// How friction and restitution are combined with those of what is touched: a WOBBLE_COMBINE_ constant. Default natural.
    pub combine: u32,
    /// The groups the body is in, a bit for each. Default 1.
    pub group: u32,
    /// The groups it meets: two meet if each one's group has a bit in the other's mask. Default all.
    pub mask: u32,
    /// Distance that particles keep from what they touch, metres, 0 to 1e6. Default 0: the visible surface goes through the outermost particles.
    pub radius: f32,
    /// 1 if the body may fall asleep once it is at rest, 0 if not. Default 1.
    pub can_sleep: u32,
    /// Must be 0.
    pub reserved: u32,
}

/// Where the time of the last step went. Set struct_size before asking for it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleProfile {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// Substeps run.
    pub substeps: u32,
    /// Sums and rotations of all clusters, seconds.
    pub matching: f32,
    /// What each cluster pulls with, seconds.
    pub goals: f32,
    /// Blending, moving and meeting colliders, seconds.
    pub integrate: f32,
    /// Strain-limiting rounds, seconds.
    pub strain: f32,
    /// The whole step, wall time, seconds.
    pub total: f32,
    /// Strain-limiting rounds in which something moved.
    pub strain_rounds: u32,
    /// Cluster fits made by strain limiting.
    pub strain_fits: u64,
    /// Contacts between bodies, seconds.
    pub contacts: f32,
    /// Particles that were so near to another body that they might have touched it.
    pub contact_count: u32,
    /// Deformation that becomes lasting, seconds.
    pub plasticity: f32,
    /// Replacing clusters of bodies that flowed far, seconds.
    pub recluster: f32,
    /// Of that, finding where all would lie without stress, seconds.
    pub embed: f32,
    /// Clusters that took the place of others.
    pub new_clusters: u32,
}

/// What a world holds. Set struct_size before asking for it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleStatistics {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// Bodies.
    pub bodies: u32,
    /// Of these, enabled ones.
    pub enabled: u32,
    /// Of these, frozen because they went out of bounds.
    pub frozen: u32,
    /// Colliders.
    pub colliders: u32,
    /// Threads that step.
    pub threads: u32,
    /// Particles of all bodies.
    pub particles: u64,
    /// Clusters of all levels of all bodies.
    pub clusters: u64,
    /// Memberships that a substep visits when blending.
    pub memberships: u64,
    /// Heap bytes of the bodies.
    pub body_bytes: u64,
    /// Heap bytes of their shapes, each counted once.
    pub shape_bytes: u64,
    /// Bodies that sleep.
    pub sleeping: u32,
    /// Shapes of the bodies, each counted once.
    pub shapes: u32,
}

macro_rules! sized {
    ($($name:ident),+) => {$(
        // SAFETY: repr(C), begins with struct_size, and all other fields are numbers or pointers
        // that are only passed on.
        unsafe impl Sized32 for $name {}
    )+};
}
sized!(WobbleWorldDef, WobbleShapeDef, WobbleLevelReport, WobbleMaterial, WobbleBodyDef);
sized!(WobbleProfile, WobbleStatistics);
