//! What hosts read: the deformed mesh, bones for a GPU, and particles between two steps.

use glam::{Affine3A, Vec3, Vec4};

use super::Skin;
use super::deform::{self, Targets};
use super::pose::Posed;
use crate::body::Body;
use crate::bulk::{self, Target};
use crate::error::{Error, finite, within};
use crate::parallel::Spread;
use crate::world::{BodyId, World};

/// Where a deformed mesh goes: any of these, each with room for every vertex.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::ball()?;
/// # let (mut world, id) = doc::above_ground(&shape)?;
/// use glam::Vec3;
/// use wobble::SkinBuffers;
///
/// let mut vertices = vec![Vec3::ZERO; shape.skin().map_or(0, |skin| skin.vertex_count())];
/// let mut buffers = SkinBuffers { positions: Some(&mut vertices), ..SkinBuffers::default() };
///
/// let [low, high] = world.body(id)?.read_skin(1.0, &mut buffers)?; // 1 is now
/// assert!(low.y > 0.7 && high.y < 1.3);
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Default)]
pub struct SkinBuffers<'a> {
    /// Positions, metres, world space.
    pub positions: Option<&'a mut [Vec3]>,
    /// Unit normals.
    pub normals: Option<&'a mut [Vec3]>,
    /// Unit tangents; w is that of the mesh. For meshes that have tangents.
    pub tangents: Option<&'a mut [Vec4]>,
    /// Normals and tangents in as few bytes as renderers take them in.
    pub octahedral: Option<Octahedral<'a>>,
    /// Positions before the last step, for motion vectors.
    pub previous: Option<&'a mut [Vec3]>,
    /// Carries world space to the space that all of it is wanted in, such as that of a node which draws the
    /// mesh; must not mirror or flatten. `None` for world space.
    pub frame: Option<Affine3A>,
}

/// Directions in a word each: the point of the unfolded octahedron that they meet, each of its coordinates from 0 to 1 in 16 bits,
/// the first one low. This is how Godot's renderer keeps them.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::ball()?;
/// # let (world, id) = doc::above_ground(&shape)?;
/// use wobble::{Octahedral, SkinBuffers};
///
/// let mut words = vec![0; shape.skin().map_or(0, |skin| skin.vertex_count())];
/// let octahedral = Some(Octahedral { words: &mut words, stride: 1 });
/// world.body(id)?.read_skin(1.0, &mut SkinBuffers { octahedral, ..SkinBuffers::default() })?;
/// # Ok::<(), wobble::Error>(())
/// ```
pub struct Octahedral<'a> {
    /// `stride` for each vertex, little-endian.
    pub words: &'a mut [u32],
    /// Words from one vertex to the next: 1 for normals alone, 2 for the tangent behind each normal; that of a mesh without
    /// tangents is left as it is. A tangent's second coordinate is in the upper half of its range where w is positive, and
    /// mirrored into the lower one where it is not.
    pub stride: usize,
}

impl Octahedral<'_> {
    fn target(&mut self, vertices: usize) -> Result<Target, Error> {
        let stride = self.stride as f32;
        within("octahedral.stride", stride, 1.0, 2.0, "1 for normals, 2 for normals and tangents")?;
        let wanted = vertices * self.stride;
        if self.words.len() < wanted {
            let wanted = format!("at least {wanted}, {stride} for each vertex");
            return Err(Error::Length { field: "octahedral.words", got: self.words.len(), wanted });
        }
        Ok(Target { start: self.words.as_mut_ptr().cast(), stride: self.stride * size_of::<u32>() })
    }
}

impl SkinBuffers<'_> {
    fn targets(&mut self, vertices: usize) -> Result<Targets, Error> {
        Ok(Targets {
            positions: target("positions", self.positions.as_deref_mut(), vertices)?,
            normals: target("normals", self.normals.as_deref_mut(), vertices)?,
            tangents: target("tangents", self.tangents.as_deref_mut(), vertices)?,
            octahedral: self.octahedral.as_mut().map(|words| words.target(vertices)).transpose()?,
            previous: target("previous", self.previous.as_deref_mut(), vertices)?,
            bounds: true,
            frame: self.frame,
        })
    }
}

fn target<T>(field: &'static str, list: Option<&mut [T]>, vertices: usize) -> Result<Option<Target>, Error> {
    let Some(list) = list else { return Ok(None) };
    if list.len() < vertices {
        let wanted = format!("at least {vertices}, one for each vertex");
        return Err(Error::Length { field, got: list.len(), wanted });
    }
    Ok(Some(Target { start: list.as_mut_ptr().cast(), stride: size_of::<T>() }))
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::ball()?;
/// # let (mut world, id) = doc::above_ground(&shape)?;
/// use glam::Vec3;
/// use wobble::SkinBuffers;
///
/// let mut vertices = vec![Vec3::ZERO; shape.skin().map_or(0, |skin| skin.vertex_count())];
/// let mut buffers = SkinBuffers { positions: Some(&mut vertices), ..SkinBuffers::default() };
///
/// let mut ids = vec![id];
/// let [low, _high] = world.read_skin(id, 0.5, &mut buffers)?; // half-way between the last two steps
/// assert!(low.y > 0.7);
/// world.read_bodies(&ids, |_i, body| println!("{}", body.centre_of_mass()))?; // on the world's threads
/// # Ok::<(), wobble::Error>(())
/// ```
impl World {
    /// Calls `work` with each of some bodies and its place in the list, several at a time on the world's threads: for
    /// hosts that draw many small bodies, see [`Body::read_skin`]. Refused as a whole if one is not there.
    ///
    /// ```
    /// # use glam::Vec3;
    /// # use wobble::{BodyDef, LevelsDef, Shape, World, WorldDef};
    /// # let shape = Shape::from_points(&[Vec3::ZERO, Vec3::X], None, &LevelsDef::default())?;
    /// # let mut world = World::new(&WorldDef { threads: 2, ..WorldDef::default() })?;
    /// # let ids = [world.add_body(&shape, &BodyDef::default())?, world.add_body(&shape, &BodyDef::default())?];
    /// let centres = std::sync::Mutex::new([Vec3::ZERO; 2]);
    /// world.read_bodies(&ids, |i, body| centres.lock().unwrap()[i] = body.centre_of_mass())?;
    /// # Ok::<(), wobble::Error>(())
    /// ```
    pub fn read_bodies(&mut self, ids: &[BodyId], work: impl Fn(usize, &Body) + Sync) -> Result<(), Error> {
        for id in ids {
            self.body(*id)?;
        }
        let this = &*self;
        this.spread().for_each(ids.len(), |i| {
            if let Ok(body) = this.body(ids[i]) {
                work(i, body);
            }
        });
        Ok(())
    }

    /// The mesh of a body as it is now, spread over the world's threads; see [`Body::read_skin`].
    pub fn read_skin(
        &mut self,
        id: BodyId,
        fraction: f32,
        out: &mut SkinBuffers,
    ) -> Result<[Vec3; 2], Error> {
        let (body, spread) = self.body_and_team(id)?;
        body.read_skin_over(fraction, out, spread)
    }
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::ball()?;
/// # let (mut world, id) = doc::above_ground(&shape)?;
/// use glam::Vec3;
/// use wobble::SkinBuffers;
///
/// let mut vertices = vec![Vec3::ZERO; shape.skin().map_or(0, |skin| skin.vertex_count())];
/// let mut buffers = SkinBuffers { positions: Some(&mut vertices), ..SkinBuffers::default() };
///
/// let body = world.body(id)?;
/// body.read_skin(1.0, &mut buffers)?;
///
/// // On the GPU: weights once, from `Skin::influences`, and these each frame.
/// let mut bones = vec![[0.0; 12]; shape.levels()[0].cluster_count()];
/// body.read_bones(1.0, &mut bones)?;
/// let mut places = vec![Vec3::ZERO; shape.particle_count()];
/// body.read_positions_at(0.5, &mut places)?;
/// # Ok::<(), wobble::Error>(())
/// ```
impl Body {
    /// Writes the deformed mesh at `fraction` between the last two steps, 0 being before the last one
    /// and 1 the present; returns the least and greatest coordinates of its positions. For shapes that
    /// were made from a mesh.
    ///
    /// The first read after a step matches the finest clusters, later ones reuse that. Allocates at
    /// the first read of a body only.
    pub fn read_skin(&self, fraction: f32, out: &mut SkinBuffers) -> Result<[Vec3; 2], Error> {
        self.read_skin_over(fraction, out, Spread::Here)
    }

    fn read_skin_over(
        &self,
        fraction: f32,
        out: &mut SkinBuffers,
        spread: Spread,
    ) -> Result<[Vec3; 2], Error> {
        let targets = out.targets(self.shape().skin().map_or(0, |skin| skin.vertex_count()))?;
        // SAFETY: every buffer has room for all vertices.
        unsafe { self.deform_mesh(fraction, &targets, spread) }
    }

    /// Deforms the mesh.
    ///
    /// # Safety
    /// The targets have room for all its vertices.
    pub(crate) unsafe fn deform_mesh(
        &self,
        fraction: f32,
        targets: &Targets,
        spread: Spread,
    ) -> Result<[Vec3; 2], Error> {
        let skin = self.check_mesh(fraction, targets)?;
        let work = |posed: Posed| {
            // SAFETY: promised by the caller; a skin's influences are checked to be finest clusters.
            unsafe { deform::deform(skin, &posed, targets, spread) }
        };
        let with_before = targets.previous.is_some();
        Ok(match &targets.frame {
            None => self.with_pose(fraction, with_before, spread, work),
            Some(frame) => self.with_pose_in(frame, fraction, with_before, spread, work),
        })
    }

    /// The mesh, if it can be deformed into these targets.
    pub(crate) fn check_mesh(&self, fraction: f32, targets: &Targets) -> Result<&Skin, Error> {
        check_fraction(fraction)?;
        let skin = self.shape().skin().ok_or_else(no_skin)?;
        if targets.tangents.is_some() && skin.tangents().is_empty() {
            let wanted = "at least one a vertex to be read; hand the mesh over with its tangents";
            return Err(Error::Value { field: "tangents of the mesh", value: 0.0, wanted });
        }
        targets.frame.iter().try_for_each(check_frame)?;
        Ok(skin)
    }

    /// For each finest cluster the 3x4 matrix, row by row, that carries the mesh at rest about the
    /// shape's centre of mass to where it is in the world at `fraction` between the last two steps.
    /// A vertex goes to the sum of its influences' matrices times their shares, times its rest
    /// position: what [`Body::read_skin`] computes.
    pub fn read_bones(&self, fraction: f32, out: &mut [[f32; 12]]) -> Result<(), Error> {
        let count = self.shape().levels().first().map_or(0, |level| level.cluster_count());
        if out.len() < count {
            let wanted = format!("at least {count}, one for each finest cluster");
            return Err(Error::Length { field: "out", got: out.len(), wanted });
        }
        self.bones(fraction, Spread::Here, |i, bone| out[i] = bone)
    }

    /// Calls `put` with every bone.
    pub(crate) fn bones(
        &self,
        fraction: f32,
        spread: Spread,
        mut put: impl FnMut(usize, [f32; 12]),
    ) -> Result<(), Error> {
        check_fraction(fraction)?;
        self.with_pose(fraction, false, spread, |posed| {
            let origin = posed.origin.to_array();
            for (i, bone) in posed.bones.iter().enumerate() {
                let row = |k: usize| bone.rows[k] + Vec4::W * origin[k];
                let [x, y, z] = [row(0), row(1), row(2)];
                put(i, [x.x, x.y, x.z, x.w, y.x, y.y, y.z, y.w, z.x, z.y, z.z, z.w]);
            }
        });
        Ok(())
    }

    /// Copies the positions at `fraction` between the last two steps, 0 being before the last one and
    /// 1 the present, in creation order, metres.
    pub fn read_positions_at(&self, fraction: f32, out: &mut [Vec3]) -> Result<(), Error> {
        check_fraction(fraction)?;
        let wanted = self.shape().particle_count();
        if out.len() < wanted {
            let wanted = format!("at least {wanted}");
            return Err(Error::Length { field: "out", got: out.len(), wanted });
        }
        let target = Target { start: out.as_mut_ptr().cast(), stride: size_of::<Vec3>() };
        // SAFETY: there is room for every particle.
        unsafe { self.copy_positions_at(fraction, &target, Spread::Here) };
        Ok(())
    }

    /// # Safety
    /// The target has room for every particle; the fraction is from 0 to 1.
    pub(crate) unsafe fn copy_positions_at(&self, fraction: f32, target: &Target, spread: Spread) {
        let (place, before, now) = (self.shape().place(), self.raw_previous(), self.raw_positions());
        // SAFETY: a shape's places are indices of its particles, a body has as many, and so has the target.
        unsafe { bulk::copy_between(before, now, fraction, place, target, spread) };
    }
}

pub(crate) fn check_fraction(fraction: f32) -> Result<(), Error> {
    within("fraction", fraction, 0.0, 1.0, "from 0 (before the last step) to 1 (now)")
}

/// Normals go by the cofactors, which point inwards under a frame that mirrors.
fn check_frame(frame: &Affine3A) -> Result<(), Error> {
    for column in [frame.matrix3.x_axis, frame.matrix3.y_axis, frame.matrix3.z_axis, frame.translation] {
        finite("frame", column.into())?;
    }
    let volume = frame.matrix3.determinant();
    within(
        "determinant of the frame",
        volume,
        f32::MIN_POSITIVE,
        f32::MAX,
        "above 0: it must not mirror or flatten",
    )
}

pub(crate) fn no_skin() -> Error {
    let wanted = "at least 1; make the shape from a mesh";
    Error::Value { field: "vertices of the shape's mesh", value: 0.0, wanted }
}
