//! Reading a body's mesh into memory that the renderer's buffers are made of.
//!
//! It needs nothing of Godot's, so a [`Job`] may be done on any thread; many bodies are drawn at once.

use std::cell::RefCell;

use glam::{Affine3A, Vec3};
use wobble::{Body, Error, Octahedral, SkinBuffers};

use crate::convert::Placement;

/// Vertices of several surfaces, before each gets its own.
#[derive(Default)]
struct Scratch {
    positions: Vec<Vec3>,
    /// The normal of each, and its tangent.
    directions: Vec<[u32; 2]>,
}

thread_local! {
    /// One for all bodies of several surfaces that a thread draws, so that it stays in the cache.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The space that vertices are wanted in.
#[derive(Clone, Copy)]
pub enum Space {
    /// That of a node, from the world.
    Node(Affine3A),
    /// That of the body itself, wherever it went; with where it was and where its mesh has the centre of mass.
    Body(Placement, Vec3),
}

/// What a job found.
pub struct Done {
    pub bounds: [Vec3; 2],
    /// From the world to the vertices.
    pub frame: Affine3A,
    /// Where the body went.
    pub placement: Option<Placement>,
}

/// Reading a body's mesh: nothing of Godot's in it but memory.
pub struct Job<'a> {
    pub fraction: f32,
    pub space: Space,
    pub surfaces: Vec<Sheet<'a>>,
    pub done: Option<Result<Done, Error>>,
}

/// A surface's part of all vertices, and the halves of its buffer: the engine's memory lies as numbers have to.
pub struct Sheet<'a> {
    pub range: std::ops::Range<usize>,
    pub has_tangents: bool,
    pub places: &'a mut [Vec3],
    /// One for each vertex, or two where there are tangents.
    pub directions: &'a mut [u32],
}

impl Job<'_> {
    pub fn run(&mut self, body: &Body) {
        self.done = Some(self.try_run(body));
    }

    fn try_run(&mut self, body: &Body) -> Result<Done, Error> {
        let (frame, placement) = match self.space {
            Space::Node(to_local) => (to_local, None),
            Space::Body(before, centre) => {
                let went = before.moved_with(body, centre);
                (went.to_local(), Some(went))
            }
        };
        let bounds = match &mut self.surfaces[..] {
            [sheet] => sheet.read(body, self.fraction, frame),
            sheets => {
                SCRATCH.with_borrow_mut(|scratch| read_all(sheets, body, self.fraction, frame, scratch))
            }
        }?;
        Ok(Done { bounds, frame, placement })
    }
}

impl Sheet<'_> {
    /// The only surface of a mesh: right into its buffer.
    fn read(&mut self, body: &Body, fraction: f32, frame: Affine3A) -> Result<[Vec3; 2], Error> {
        let stride = 1 + usize::from(self.has_tangents);
        let mut out = SkinBuffers {
            positions: Some(self.places),
            octahedral: Some(Octahedral { words: self.directions, stride }),
            frame: Some(frame),
            ..SkinBuffers::default()
        };
        body.read_skin(fraction, &mut out)
    }
}

/// All surfaces of a mesh. Where a shape has no tangents, a surface keeps those it has.
fn read_all(
    sheets: &mut [Sheet],
    body: &Body,
    fraction: f32,
    frame: Affine3A,
    Scratch { positions, directions }: &mut Scratch,
) -> Result<[Vec3; 2], Error> {
    let skin = body.shape().skin();
    let (count, has_tangents) =
        skin.map_or((0, false), |skin| (skin.vertex_count(), !skin.tangents().is_empty()));
    positions.resize(count, Vec3::ZERO);
    directions.resize(count, [0; 2]);
    let mut out = SkinBuffers {
        positions: Some(positions),
        octahedral: Some(Octahedral { words: directions.as_flattened_mut(), stride: 2 }),
        frame: Some(frame),
        ..SkinBuffers::default()
    };
    let bounds = body.read_skin(fraction, &mut out)?;
    for sheet in sheets {
        let some = &directions[sheet.range.clone()];
        sheet.places.iter_mut().zip(&positions[sheet.range.clone()]).for_each(|(out, place)| *out = *place);
        let stride = 1 + usize::from(sheet.has_tangents);
        for (out, words) in sheet.directions.chunks_exact_mut(stride).zip(some) {
            let known = if has_tangents { stride } else { 1 };
            out[..known].copy_from_slice(&words[..known]);
        }
    }
    Ok(bounds)
}
