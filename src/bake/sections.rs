//! What a shape may have and may lack, at the end of its file: a tag of four letters, a length and
//! as many bytes each, each tag at most once.
//!
//! | tag | holds |
//! |---|---|
//! | `TUNE` | multipliers of stiffness and damping of each particle |
//! | `TOUG` | multipliers of toughness of each particle |
//! | `PINS` | particles that a new body pins, ascending |
//! | `SKIN` | the render mesh: vertices, triangles, who carries whom |
//!
//! A tag that is not known is refused if it begins with a capital, since the shape would be another
//! without it, and skipped if it begins with a small letter.

use glam::{Vec3, Vec4};

use crate::bytes::{Reader, Writer, floats};
use crate::error::{Error, LARGEST};
use crate::painting::{MOST_TUNING, TOUGHNESS, Tuning};
use crate::shape::Shape;
use crate::skinning::{INFLUENCES, Skin, SkinParts, WHOLE};

const TUNE: [u8; 4] = *b"TUNE";
const TOUG: [u8; 4] = *b"TOUG";
const PINS: [u8; 4] = *b"PINS";
const SKIN: [u8; 4] = *b"SKIN";

/// What the sections of a file hold.
#[derive(Default)]
pub(super) struct Sections {
    pub(super) tuning: Vec<Tuning>,
    pub(super) toughness: Vec<f32>,
    pub(super) pinned: Vec<u32>,
    pub(super) skin: Option<Skin>,
}

pub(super) fn write(shape: &Shape, out: &mut Writer) {
    if !shape.tuning().is_empty() {
        out.section(TUNE, |out| {
            for t in shape.tuning() {
                out.f32(t.stiffness);
                out.f32(t.damping);
            }
        });
    }
    if !shape.toughness().is_empty() {
        out.section(TOUG, |out| shape.toughness().iter().for_each(|t| out.f32(*t)));
    }
    if !shape.pinned().is_empty() {
        out.section(PINS, |out| {
            out.u32(shape.pinned().len() as u32);
            shape.pinned().iter().for_each(|i| out.u32(*i));
        });
    }
    if let Some(skin) = shape.skin() {
        out.section(SKIN, |out| write_skin(skin, shape.clusters(0).len(), out));
    }
}

/// Reads sections to the end of the file, for a shape of so many particles and finest clusters.
pub(super) fn read(from: &mut Reader, particles: usize, clusters: usize) -> Result<Sections, Error> {
    let (mut found, mut seen) = (Sections::default(), Vec::new());
    while !from.is_empty() {
        let (tag, mut section) = from.section()?;
        from.ensure(!seen.contains(&tag), || format!("it has two sections {}", tag.escape_ascii()))?;
        seen.push(tag);
        match tag {
            TUNE => found.tuning = read_tuning(&mut section, particles)?,
            TOUG => found.toughness = read_toughness(&mut section, particles)?,
            PINS => found.pinned = read_pins(&mut section, particles)?,
            SKIN => found.skin = Some(read_skin(&mut section, clusters)?),
            _ if tag[0].is_ascii_lowercase() => continue,
            _ => return Err(from.refuse(format!("its section {} is not known", tag.escape_ascii()))),
        }
        section.done()?;
    }
    Ok(found)
}

fn read_tuning(from: &mut Reader, particles: usize) -> Result<Vec<Tuning>, Error> {
    let all = from.list(particles, |b: [u8; 8]| {
        let [stiffness, damping] = floats(b);
        Tuning { stiffness, damping }
    })?;
    let fits = |v: f32| (0.0..=MOST_TUNING).contains(&v);
    match all.iter().position(|t| !(fits(t.stiffness) && fits(t.damping))) {
        None => Ok(all),
        Some(i) => Err(from.refuse(format!("multipliers of particle {i} are {:?}", all[i]))),
    }
}

fn read_toughness(from: &mut Reader, particles: usize) -> Result<Vec<f32>, Error> {
    let all = from.list(particles, f32::from_le_bytes)?;
    match all.iter().position(|t| !TOUGHNESS.contains(t)) {
        None => Ok(all),
        Some(i) => Err(from.refuse(format!("the toughness of particle {i} is multiplied by {}", all[i]))),
    }
}

fn read_pins(from: &mut Reader, particles: usize) -> Result<Vec<u32>, Error> {
    let count = from.count("pins", 4)?;
    let pins = from.list(count, u32::from_le_bytes)?;
    let ascending = pins.windows(2).all(|two| two[0] < two[1]);
    let within = pins.last().is_some_and(|&last| (last as usize) < particles);
    from.ensure(ascending && within, || {
        "pins do not ascend, or there are none, or no such particles".into()
    })?;
    Ok(pins)
}

fn write_skin(skin: &Skin, clusters: usize, out: &mut Writer) {
    let vertices = skin.vertex_count();
    out.u32(vertices as u32);
    out.u32(skin.triangles().len() as u32);
    out.u8((!skin.tangents().is_empty()).into());
    skin.rest().iter().chain(skin.normals()).for_each(|v| out.vec3(v.truncate()));
    out.vec4s(skin.tangents());
    out.narrow(skin.triangles().iter().flatten().copied(), vertices);
    let influences = || (0..vertices).flat_map(|i| skin.influences(i));
    out.narrow(influences().map(|(cluster, _)| cluster), clusters);
    out.narrow(influences().map(|(_, share)| share.into()), WHOLE as usize + 1);
}

fn read_skin(from: &mut Reader, clusters: usize) -> Result<Skin, Error> {
    // A vertex takes two vectors and at least three bytes an influence.
    let vertices = from.count("vertices", 24 + 3 * INFLUENCES)?;
    let triangles = from.count("triangles", 3)?;
    from.ensure(vertices > 0, || "its mesh has no vertices".into())?;
    let has_tangents = from.flag("tangents")?;
    let vector = |b| Vec3::from_array(floats::<12, 3>(b));
    let (rest, normals) = (from.list(vertices, vector)?, from.list(vertices, vector)?);
    let tangents = from.vec4s(if has_tangents { vertices } else { 0 })?;
    check_vectors(from, &rest, &normals, &tangents)?;
    let corners = from.narrow(3 * triangles, vertices, "a corner of a triangle")?;
    let carriers = from.narrow(INFLUENCES * vertices, clusters, "a cluster that carries a vertex")?;
    let shares = from.narrow(INFLUENCES * vertices, WHOLE as usize + 1, "a share of a vertex")?;
    let (carriers, shares) = (carriers.as_chunks().0, shares.as_chunks::<INFLUENCES>().0);
    if let Some(i) = shares.iter().position(|of| of.iter().sum::<u32>() != WHOLE) {
        return Err(from.refuse(format!("shares of vertex {i} do not sum up")));
    }
    let influences = |(of, shares): (&[u32; INFLUENCES], &[u32; INFLUENCES])| {
        std::array::from_fn(|k| (of[k], shares[k] as u16))
    };
    let influences = carriers.iter().zip(shares).map(influences).collect();
    let triangles = corners.as_chunks().0.to_vec();
    Ok(Skin::assembled(SkinParts { rest, normals, tangents, triangles, influences }))
}

/// A mesh may be [`LARGEST`] away from the origin, and so may the centre of mass.
fn check_vectors(from: &Reader, rest: &[Vec3], normals: &[Vec3], tangents: &[Vec4]) -> Result<(), Error> {
    let near = |p: &Vec3| p.to_array().iter().all(|c| c.abs() <= 2.0 * LARGEST);
    if let Some(i) = rest.iter().position(|p| !near(p)) {
        return Err(from.refuse(format!("vertex {i} is at {}", rest[i])));
    }
    let is_unit = |v: Vec3| (v.length_squared() - 1.0).abs() < 1e-3;
    if let Some(i) = normals.iter().position(|n| !is_unit(*n)) {
        return Err(from.refuse(format!("normal {i} is {}", normals[i])));
    }
    match tangents.iter().position(|t| !(is_unit(t.truncate()) && t.w.abs() == 1.0)) {
        None => Ok(()),
        Some(i) => Err(from.refuse(format!("tangent {i} is {}", tangents[i]))),
    }
}
