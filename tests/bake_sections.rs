//! What a shape file holds beyond particles and levels: what is painted, what is pinned, the mesh.

mod scenes;
mod support;

use std::sync::Arc;

use glam::Vec3;
use scenes::spheres;
use support::files::{Mutations, forged, numbers, payload, refuses_all_damage};
use wobble::{BodyDef, Error, LevelsDef, Mesh, Particles, Shape, SkinBuffers, World, WorldDef};

/// A painted ball that carries a mesh.
fn ball(rings: usize, with_tangents: bool) -> Arc<Shape> {
    let points = scenes::ball(0.53, 0.1);
    let owned = spheres::sphere(rings, 0.55);
    let stiffness: Vec<f32> = points.iter().map(|p| 1.0 + p.x).collect();
    let pin: Vec<f32> = points.iter().map(|p| if p.y > 0.45 { 1.0 } else { 0.0 }).collect();
    let particles =
        Particles { points: &points, stiffness: Some(&stiffness), pin: Some(&pin), ..Particles::default() };
    let mesh = owned.mesh();
    let mesh = if with_tangents { mesh } else { Mesh { tangents: None, ..mesh } };
    Shape::from_particles_and_mesh(&particles, &mesh, &LevelsDef::default(), &mut |_| true).unwrap()
}

#[test]
fn a_painted_shape_with_a_mesh_comes_back_bit_for_bit() {
    for (rings, with_tangents) in [(3, true), (4, false), (20, true)] {
        let built = ball(rings, with_tangents);
        let file = built.to_bytes();
        let loaded = Shape::from_bytes(&file).unwrap();
        assert_eq!(numbers(&built), numbers(&loaded));
        assert_eq!(built.fingerprint(), loaded.fingerprint());
        assert!(!loaded.pinned().is_empty());
        assert!(loaded.to_bytes() == file);
    }
}

#[test]
fn a_loaded_mesh_moves_as_the_built_one() {
    let built = ball(12, true);
    let loaded = Shape::from_bytes(&built.to_bytes()).unwrap();
    let at = |shape: &Arc<Shape>| {
        let mut world = World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap();
        let id = world.add_body(shape, &BodyDef::default()).unwrap();
        (0..30).for_each(|_| world.step(1.0 / 60.0).unwrap());
        let mut positions = vec![Vec3::ZERO; shape.skin().unwrap().vertex_count()];
        let mut out = SkinBuffers { positions: Some(&mut positions), ..SkinBuffers::default() };
        world.read_skin(id, 0.5, &mut out).unwrap();
        (world.state_hash(), positions)
    };
    assert_eq!(at(&built), at(&loaded));
}

/// Bytes of a particle and of a vertex in a file.
#[test]
fn files_are_compact() {
    let size = |rings: usize| ball(rings, false).to_bytes().len() as f64;
    let vertices = |rings: usize| ((rings + 1) * (2 * rings + 1)) as f64;
    let a_vertex = (size(60) - size(20)) / (vertices(60) - vertices(20));
    assert!(a_vertex < 64.0, "{a_vertex} bytes a vertex, its two triangles included");
}

#[test]
fn no_damage_to_sections_goes_unseen() {
    refuses_all_damage(&ball(2, true).to_bytes(), |bytes| Shape::from_bytes(bytes).is_ok());
}

/// A tag and what follows.
type Section = ([u8; 4], Vec<u8>);

/// The payload of a file cut into what comes before its sections, and these.
fn taken_apart(file: &[u8]) -> (Vec<u8>, Vec<Section>) {
    let all = payload(file);
    let from = all.windows(4).position(|w| w == b"TUNE").unwrap();
    let (head, mut rest) = all.split_at(from);
    let mut sections = Vec::new();
    while let Some((tag, more)) = rest.split_first_chunk::<4>() {
        let (length, more) = more.split_first_chunk::<8>().unwrap();
        let (section, more) = more.split_at(u64::from_le_bytes(*length) as usize);
        sections.push((*tag, section.to_vec()));
        rest = more;
    }
    (head.to_vec(), sections)
}

fn with_sections(file: &[u8], sections: &[Section]) -> Result<Arc<Shape>, Error> {
    let (mut bytes, _) = taken_apart(file);
    for (tag, section) in sections {
        bytes.extend(tag);
        bytes.extend((section.len() as u64).to_le_bytes());
        bytes.extend(section);
    }
    Shape::from_bytes(&forged(file, &bytes))
}

#[test]
fn sections_may_be_left_out_and_unknown_ones_are_skipped_only_if_they_say_so() {
    let file = ball(3, true).to_bytes();
    let (_, all) = taken_apart(&file);
    assert_eq!(all.iter().map(|(tag, _)| *tag).collect::<Vec<_>>(), [*b"TUNE", *b"PINS", *b"SKIN"]);
    assert!(with_sections(&file, &all).is_ok());
    assert!(with_sections(&file, &[]).unwrap().skin().is_none());
    let with = |tag: [u8; 4]| with_sections(&file, &[all.clone(), vec![(tag, vec![1, 2, 3])]].concat());
    assert!(with(*b"sdfs").unwrap().skin().is_some());
    assert!(with(*b"SDFS").unwrap_err().to_string().contains("SDFS is not known"));
    let twice = [all.clone(), all].concat();
    assert!(with_sections(&file, &twice).unwrap_err().to_string().contains("two sections TUNE"));
}

#[test]
fn lies_in_a_mesh_are_refused_by_name() {
    let file = ball(3, true).to_bytes();
    let (_, all) = taken_apart(&file);
    let vertices = 4 * 7;
    let forge = |section: usize, at: usize, bytes: &[u8]| {
        let mut all = all.clone();
        all[section].1[at..at + bytes.len()].copy_from_slice(bytes);
        with_sections(&file, &all).unwrap_err().to_string()
    };
    let nan = f32::NAN.to_le_bytes();
    assert!(forge(0, 0, &nan).contains("multipliers of particle 0"));
    assert!(forge(1, 4, &[255; 4]).contains("pins"));
    assert!(forge(2, 0, &[255; 4]).contains("vertices"));
    assert!(forge(2, 0, &[0; 4]).contains("no vertices"));
    assert!(forge(2, 4, &[255; 4]).contains("triangles"));
    assert!(forge(2, 8, &[7]).contains("tangents is 7"));
    assert!(forge(2, 9, &nan).contains("vertex 0"));
    assert!(forge(2, 9 + 12 * vertices, &nan).contains("normal 0"));
    let tangents = 9 + 24 * vertices;
    assert!(forge(2, tangents + 12, &nan).contains("tangent 0"));
    let corners = tangents + 16 * vertices;
    assert!(forge(2, corners, &[200]).contains("a corner of a triangle is 200, but there are only 28"));
    let carriers = corners + 3 * 2 * 3 * 6;
    assert!(forge(2, carriers, &[255]).contains("a cluster that carries a vertex is 255"));
    let shares = carriers + 8 * vertices;
    assert!(forge(2, shares + 2, &[255, 255]).contains("shares of vertex 0 do not sum up"));
}

#[test]
fn whatever_is_read_from_a_forged_file_can_be_used() {
    let mut accepted = 0;
    for file in Mutations::of(&ball(3, true).to_bytes(), 5).take(3000) {
        let Ok(shape) = Shape::from_bytes(&file) else { continue };
        accepted += 1;
        let mut world = World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap();
        let id = world.add_body(&shape, &BodyDef::default()).unwrap();
        world.step(1.0 / 60.0).unwrap();
        if let Some(skin) = shape.skin() {
            let mut positions = vec![Vec3::ZERO; skin.vertex_count()];
            let mut normals = positions.clone();
            let (positions, normals) = (Some(&mut positions[..]), Some(&mut normals[..]));
            world.read_skin(id, 1.0, &mut SkinBuffers { positions, normals, ..Default::default() }).unwrap();
        }
    }
    assert!(accepted > 0);
}
