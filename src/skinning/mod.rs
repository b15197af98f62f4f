//! The render mesh that a body carries: bound to its finest clusters once, deformed when read.
//!
//! ```text
//! bind        which clusters carry a vertex, and how much of it        at build
//! influences  who carries whom, laid out for deforming                 at build
//! normals     of a mesh that comes without                             at build
//! pose        where each finest cluster carries its surroundings       once a step, if asked for
//! deform      vertices, normals and tangents into the caller's buffer  at every read
//! octahedral  normals and tangents in 32 bits each                     at a read that asks for it
//! reading     what hosts call
//! divide      the mesh of a piece of a body that broke                 when it breaks
//! ```
//!
//! A vertex is carried by up to [`INFLUENCES`] clusters, blended linearly. Every vertex is computed
//! by itself from what nobody writes meanwhile, so threads change no bit.

mod bind;
mod deform;
pub(crate) mod divide;
mod influences;
mod normals;
mod octahedral;
mod pose;
mod reading;

use glam::{Vec3, Vec4};

#[cfg(feature = "capi")]
pub(crate) use deform::Targets;
pub use divide::SkinSource;
use influences::Influences;
pub(crate) use pose::PoseCache;
pub use reading::{Octahedral, SkinBuffers};
#[cfg(feature = "capi")]
pub(crate) use reading::{check_fraction, no_skin};

/// Clusters that carry a vertex, at most. Four would be cheaper, but where more than four centres
/// are about equally near, weights of four have to change all at once.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::ball()?;
/// let skin = shape.skin().expect("the ball has a mesh");
/// assert_eq!(skin.influences(0).len(), wobble::INFLUENCES);
/// # Ok::<(), wobble::Error>(())
/// ```
pub const INFLUENCES: usize = 8;

/// What the weights of a vertex sum up to: they are kept in 16 bits, as GPUs take them.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::ball()?;
/// let skin = shape.skin().expect("the ball has a mesh");
/// let sum: u32 = skin.influences(0).iter().map(|(_cluster, weight)| u32::from(*weight)).sum();
/// assert_eq!(sum, wobble::WHOLE);
/// # Ok::<(), wobble::Error>(())
/// ```
pub const WHOLE: u32 = 65535;

/// A render mesh at rest and the clusters that carry it. Vertices are in the caller's order.
///
/// Lists of vertices are filled up to an even number, since two are deformed together.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::ball()?;
/// let skin = shape.skin().expect("the ball has a mesh");
/// println!("{} vertices, {} triangles", skin.vertex_count(), skin.triangles().len());
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Skin {
    count: usize,
    /// About the shape's centre of mass, metres; w = 1.
    rest: Vec<Vec4>,
    /// Unit normals; w = 0.
    normals: Vec<Vec4>,
    /// Unit tangents, the side of the bitangent in w; empty if the mesh has none.
    tangents: Vec<Vec4>,
    triangles: Vec<[u32; 3]>,
    influences: Influences,
    /// Where the vertices of a piece come from; empty for a mesh that was not divided.
    sources: Vec<SkinSource>,
}

/// What a skin is made of, one of each a vertex; fits together.
pub(crate) struct SkinParts {
    pub(crate) rest: Vec<Vec3>,
    pub(crate) normals: Vec<Vec3>,
    /// Empty if there are none.
    pub(crate) tangents: Vec<Vec4>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Clusters and shares of [`WHOLE`], which the shares of a vertex sum up to.
    pub(crate) influences: Vec<[(u32, u16); INFLUENCES]>,
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::ball()?;
/// let skin = shape.skin().expect("the ball has a mesh");
/// assert_eq!((skin.rest().len(), skin.normals().len()), (skin.vertex_count(), skin.vertex_count()));
/// assert!(skin.tangents().is_empty(), "the mesh had none");
/// assert!(skin.sources().is_empty(), "it was not divided");
/// let corner = skin.triangles()[0][0] as usize;
/// println!("{:?}, {} bytes in all", skin.influences(corner), skin.bytes());
/// # Ok::<(), wobble::Error>(())
/// ```
impl Skin {
    pub(crate) fn assembled(parts: SkinParts) -> Skin {
        let SkinParts { rest, normals, tangents, triangles, influences } = parts;
        let count = rest.len();
        Skin {
            count,
            rest: evened(rest.iter().map(|r| r.extend(1.0)).collect()),
            normals: evened(normals.iter().map(|n| n.extend(0.0)).collect()),
            tangents: evened(tangents),
            triangles,
            influences: Influences::new(&influences),
            sources: Vec::new(),
        }
    }

    /// The same mesh with lengths multiplied by `scale`, carried by the same clusters.
    pub(crate) fn scaled(&self, scale: Vec3) -> Skin {
        let along = |v: &Vec4, by: Vec3| (v.truncate() * by).normalize_or_zero().extend(v.w);
        Skin {
            rest: self.rest.iter().map(|r| (r.truncate() * scale).extend(1.0)).collect(),
            normals: self.normals.iter().map(|n| along(n, scale.recip())).collect(),
            tangents: self.tangents.iter().map(|t| along(t, scale)).collect(),
            ..self.clone()
        }
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.count
    }

    /// Corners of the triangles.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Rest positions, metres about the shape's centre of mass; w is 1.
    pub fn rest(&self) -> &[Vec4] {
        &self.rest[..self.count]
    }

    /// Unit normals at rest; w is 0.
    pub fn normals(&self) -> &[Vec4] {
        &self.normals[..self.count]
    }

    /// Unit tangents at rest, w the side of the bitangent; none if the mesh had none.
    pub fn tangents(&self) -> &[Vec4] {
        &self.tangents[..self.count.min(self.tangents.len())]
    }

    /// The finest clusters that carry a vertex, each with its share of [`WHOLE`], largest first;
    /// shares of 0 fill up. For a GPU that skins with [`Body::read_bones`](crate::Body::read_bones).
    pub fn influences(&self, vertex: usize) -> [(u32, u16); INFLUENCES] {
        self.influences.of(vertex)
    }

    /// For each vertex of a piece's mesh, where it lies in the mesh that its body had before it broke: to blend texture
    /// coordinates. Empty for a mesh that was not divided.
    pub fn sources(&self) -> &[SkinSource] {
        &self.sources
    }

    pub(crate) fn set_sources(&mut self, sources: Vec<SkinSource>) {
        self.sources = sources;
    }

    /// Heap bytes held.
    pub fn bytes(&self) -> usize {
        (self.rest.capacity() + self.normals.capacity() + self.tangents.capacity()) * size_of::<Vec4>()
            + self.triangles.capacity() * size_of::<[u32; 3]>()
            + self.influences.bytes()
            + self.sources.capacity() * size_of::<SkinSource>()
    }
}

/// An odd list with its last element twice.
fn evened(mut list: Vec<Vec4>) -> Vec<Vec4> {
    if list.len() % 2 == 1 {
        list.extend(list.last().copied());
    }
    list.shrink_to_fit();
    list
}
