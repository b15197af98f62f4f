//! From a world to what is drawn: particles, clusters of a level, skinned meshes, proxies, contacts.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};
use wobble::{Body, Error, Nesting, Phase, Shape, SkinBuffers, World};

use crate::pick::Hand;
use crate::solids::{Triangles, icosphere};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Skinned meshes; bodies without one as particles.
    Mesh,
    Particles,
    /// Particles in the colour of the cluster that holds them most.
    Clusters,
}

impl View {
    pub const ALL: [(View, &'static str); 3] =
        [(View::Mesh, "Mesh"), (View::Particles, "Particles"), (View::Clusters, "Clusters")];
}

/// What is to be seen.
#[derive(Clone, Copy)]
pub struct Look {
    pub view: View,
    /// Of the clusters; 0 is the finest.
    pub level: usize,
    pub proxies: bool,
    pub contacts: bool,
}

/// A sphere, as the GPU reads it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Ball {
    /// Radius in w, metres.
    pub centre: Vec4,
    /// Linear; w is how much of it glows.
    pub colour: Vec4,
}

/// An end of a line, as the GPU reads it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct End {
    at: [f32; 3],
    colour: [f32; 4],
}

impl End {
    fn new(at: Vec3, colour: Vec4) -> End {
        End { at: at.to_array(), colour: colour.to_array() }
    }
}

/// A deformed mesh.
pub struct Skinned {
    pub shape: Arc<Shape>,
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub colour: Vec3,
}

/// Everything of one frame that moves.
#[derive(Default)]
pub struct Picture {
    pub balls: Vec<Ball>,
    pub lines: Vec<End>,
    pub skins: Vec<Skinned>,
}

/// Colours of bodies and clusters, linear.
const PALETTE: [Vec3; 8] = [
    Vec3::new(0.86, 0.10, 0.06),
    Vec3::new(0.92, 0.42, 0.03),
    Vec3::new(0.05, 0.40, 0.10),
    Vec3::new(0.80, 0.62, 0.04),
    Vec3::new(0.05, 0.28, 0.66),
    Vec3::new(0.48, 0.08, 0.52),
    Vec3::new(0.02, 0.46, 0.46),
    Vec3::new(0.78, 0.14, 0.34),
];

/// Draws worlds, remembering what depends on shapes alone.
pub struct Painter {
    /// By the address of a shape, which is held so that it stays one, and the level: the colour of each
    /// particle, in creation order.
    tints: BTreeMap<(usize, usize), (Arc<Shape>, Vec<Vec3>)>,
    /// Directions in which a proxy's surface is looked for.
    directions: Triangles,
}

impl Painter {
    pub fn new() -> Painter {
        Painter { tints: BTreeMap::new(), directions: icosphere(1) }
    }

    /// Forgets the shapes of a scene that is over.
    pub fn forget(&mut self) {
        self.tints.clear();
    }

    /// All that is to be seen, at `fraction` between the last two steps; `drawn` are the radii of the first
    /// bodies' particles.
    pub fn paint(
        &mut self,
        world: &World,
        drawn: &[f32],
        look: &Look,
        fraction: f32,
    ) -> Result<Picture, Error> {
        let mut picture = Picture::default();
        for (i, (_, body)) in world.bodies().enumerate() {
            let colour = PALETTE[i % PALETTE.len()];
            let radius = drawn.get(i).or(drawn.last()).copied().unwrap_or(0.03);
            if look.view == View::Mesh && body.shape().skin().is_some() {
                picture.skins.push(skinned(body, fraction, colour)?);
            } else {
                self.particles(body, look, fraction, (colour, radius), &mut picture.balls)?;
            }
            if look.proxies {
                self.proxies(body, &mut picture.lines)?;
            }
        }
        if look.contacts {
            contacts(world, &mut picture);
        }
        Ok(picture)
    }

    fn particles(
        &mut self,
        body: &Body,
        look: &Look,
        fraction: f32,
        (colour, radius): (Vec3, f32),
        balls: &mut Vec<Ball>,
    ) -> Result<(), Error> {
        let mut positions = vec![Vec3::ZERO; body.shape().particle_count()];
        body.read_positions_at(fraction, &mut positions)?;
        let ball = |at: &Vec3, colour: Vec3| Ball { centre: at.extend(radius), colour: colour.extend(0.0) };
        match look.view {
            View::Clusters => {
                let level = look.level.min(body.shape().levels().len().saturating_sub(1));
                let tints = self.tints_of(body.shape(), level);
                balls.extend(positions.iter().zip(tints).map(|(at, tint)| ball(at, *tint)));
            }
            _ => balls.extend(positions.iter().map(|at| ball(at, colour))),
        }
        Ok(())
    }

    fn tints_of(&mut self, shape: &Arc<Shape>, level: usize) -> &[Vec3] {
        let key = (Arc::as_ptr(shape) as usize, level);
        &self.tints.entry(key).or_insert_with(|| (shape.clone(), tints(shape, level))).1
    }

    /// The outlines of the finest clusters' proxies, spheres cut by planes.
    fn proxies(&self, body: &Body, lines: &mut Vec<End>) -> Result<(), Error> {
        let shape = body.shape();
        let Some(finest) = shape.levels().first() else { return Ok(()) };
        let radius = finest.report().radius;
        let mut poses = vec![(Quat::IDENTITY, Vec3::ZERO); finest.cluster_count()];
        body.cluster_transforms(0, &mut poses)?;
        for (c, (rotation, position)) in poses.into_iter().enumerate() {
            let centre = shape.clusters(0)[c].centre.truncate();
            let reach = |along: Vec3| {
                let to_plane = |plane: &Vec4| {
                    let (normal, climb) = (plane.truncate(), plane.truncate().dot(along));
                    if climb > 1e-6 { -(normal.dot(centre) + plane.w) / climb } else { f32::INFINITY }
                };
                shape.planes(c).iter().map(to_plane).fold(radius, f32::min).max(0.0)
            };
            let points = self.directions.positions.iter();
            let points: Vec<Vec3> = points.map(|&d| position + rotation * (d * reach(d))).collect();
            let colour = hue(c as u32).extend(0.55);
            for t in self.directions.indices.chunks(3) {
                for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                    // Each edge is in two triangles, once in either direction.
                    if a < b {
                        lines.extend([a, b].map(|i| End::new(points[i as usize], colour)));
                    }
                }
            }
        }
        Ok(())
    }
}

fn skinned(body: &Body, fraction: f32, colour: Vec3) -> Result<Skinned, Error> {
    let count = body.shape().skin().map_or(0, |skin| skin.vertex_count());
    let (mut positions, mut normals) = (vec![Vec3::ZERO; count], vec![Vec3::ZERO; count]);
    let mut buffers = SkinBuffers {
        positions: Some(&mut positions),
        normals: Some(&mut normals),
        ..SkinBuffers::default()
    };
    body.read_skin(fraction, &mut buffers)?;
    Ok(Skinned { shape: body.shape().clone(), positions, normals, colour })
}

/// A pin for every contact: yellow where it began, white where it stays, along the normal by the impulse.
fn contacts(world: &World, picture: &mut Picture) {
    for contact in world.contacts().iter().filter(|contact| contact.phase != Phase::End) {
        let mass = world.body(contact.body).map_or(1.0, |body| body.shape().mass());
        let begun = contact.phase == Phase::Begin;
        let colour = if begun { Vec3::new(1.0, 0.8, 0.0) } else { Vec3::new(0.1, 0.9, 1.0) }.extend(1.0);
        let length = 0.15 + (contact.impulse / mass).min(0.6);
        picture.balls.push(Ball { centre: contact.point.extend(0.025), colour });
        let ends = [contact.point, contact.point + contact.normal * length];
        picture.lines.extend(ends.map(|at| End::new(at, colour)));
    }
}

/// More balls than this are drawn in any order: sorting them would take longer than it spares.
const SORTED: usize = 30_000;

impl Picture {
    /// Puts the nearest balls first, so that those behind them need no shading.
    pub fn sort(&mut self, eye: Vec3) {
        if self.balls.len() <= SORTED {
            let distance = |ball: &Ball| ball.centre.truncate().distance_squared(eye);
            self.balls.sort_unstable_by(|a, b| distance(a).total_cmp(&distance(b)));
        }
    }

    /// A mark where the hand is that holds a body.
    pub fn add_hand(&mut self, hand: &Hand) {
        let colour = Vec4::new(1.0, 1.0, 1.0, 1.0);
        self.balls.push(Ball { centre: hand.at.extend(0.02), colour });
    }
}

/// For each particle in creation order a colour for the cluster of a level that holds it most.
fn tints(shape: &Shape, level: usize) -> Vec<Vec3> {
    let strongest = |level: usize, row: usize| {
        let row = shape.levels().get(level).map_or(&[][..], |level| level.held_by().row(row));
        row.iter().max_by(|a, b| a.weight.total_cmp(&b.weight)).map_or(0, |entry| entry.index as usize)
    };
    let holder = |particle: usize| match shape.nesting() {
        Nesting::Nested => (0..=level).fold(particle, |row, level| strongest(level, row)),
        Nesting::Independent => strongest(level, particle),
    };
    shape.place().iter().map(|&particle| hue(holder(particle as usize) as u32)).collect()
}

/// A colour that differs from those of the numbers near it.
fn hue(number: u32) -> Vec3 {
    // Multiples of the golden ratio spread evenly and differ between neighbours.
    let turn = (number as f32 * 0.618_034).fract() * 6.0;
    let channel = |shift: f32| (((turn + shift).rem_euclid(6.0) - 3.0).abs() - 1.0).clamp(0.0, 1.0);
    let bright = 0.45 + 0.5 * (number as f32 * 0.414_214).fract();
    (Vec3::new(channel(0.0), channel(4.0), channel(2.0)) * 0.85 + 0.06) * bright
}
