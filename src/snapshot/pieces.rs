//! Shapes in a snapshot of a world: a fingerprint, and of a piece all that makes it from the whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::bytes::{Reader, Writer};
use crate::error::Error;
use crate::fracture::pieces::PartOf;
use crate::shape::Shape;
use crate::skinning::{Skin, SkinSource};

pub(super) fn write(out: &mut Writer, shape: &Shape) {
    out.u64(shape.fingerprint());
    out.u8(shape.part_of().is_some().into());
    let Some(PartOf { whole, particles, clusters }) = shape.part_of() else { return };
    out.u64(whole.fingerprint());
    for list in [particles, clusters] {
        out.u32(list.len() as u32);
        list.iter().for_each(|i| out.u32(*i));
    }
    out.file(shape.file());
    let sources = shape.skin().map_or(&[][..], Skin::sources);
    out.u32(sources.len() as u32);
    for SkinSource { between, share, is_cap } in sources {
        between.iter().for_each(|v| out.u32(*v));
        out.f32(*share);
        out.u8((*is_cap).into());
    }
}

fn read_sources(from: &mut Reader) -> Result<Vec<SkinSource>, Error> {
    let count = from.count("vertices of a piece", 13)?;
    let one = |_| {
        let (between, share) = ([from.u32()?, from.u32()?], from.f32()?);
        Ok(SkinSource { between, share, is_cap: from.flag("cap")? })
    };
    let sources: Vec<SkinSource> = (0..count).map(one).collect::<Result<_, Error>>()?;
    let sound = sources.iter().all(|source| (0.0..=1.0).contains(&source.share));
    from.ensure(sound, || "a vertex of a piece lies nowhere".into())?;
    Ok(sources)
}

/// The shape that was written: the one that is there, a known one, or a piece made anew.
pub(super) fn read(
    from: &mut Reader,
    there: Option<&Arc<Shape>>,
    known: &BTreeMap<u64, Arc<Shape>>,
) -> Result<Arc<Shape>, Error> {
    let id = from.u64()?;
    let same = there.filter(|shape| shape.fingerprint() == id).or_else(|| known.get(&id));
    if !from.flag("piece")? {
        return same.map(Arc::clone).ok_or(Error::Missing { what: "shape", id });
    }
    let of = from.u64()?;
    let whole = known.get(&of).ok_or(Error::Missing { what: "shape", id: of })?;
    let mut list = |name: &str| {
        let count = from.count(name, 4)?;
        from.list(count, u32::from_le_bytes)
    };
    let (particles, clusters) = (list("particles of a piece")?, list("clusters of a piece")?);
    let count = from.count("bytes of a piece", 1)?;
    let bytes = from.list(count, |byte: [u8; 1]| byte[0])?;
    let sources = read_sources(from)?;
    if let Some(same) = same {
        return Ok(Arc::clone(same));
    }
    let mut shape = from.checked(Shape::loaded(&bytes))?;
    let finest = shape.levels().first().map_or(0, |level| level.cluster_count());
    let of_finest = whole.levels().first().map_or(0, |level| level.cluster_count());
    let sound = !particles.is_empty()
        && particles.len() == shape.particle_count()
        && particles.is_sorted_by(|a, b| a < b)
        && particles.last().is_some_and(|&i| (i as usize) < whole.particle_count())
        && clusters.len() == finest
        && clusters.iter().all(|&c| (c as usize) < of_finest)
        && shape.levels().len() <= whole.levels().len();
    from.ensure(sound && whole.part_of().is_none(), || "a piece does not fit its whole".into())?;
    let vertices = shape.skin().map_or(0, Skin::vertex_count);
    from.ensure(sources.len() == vertices, || {
        format!("{} of {vertices} vertices come from somewhere", sources.len())
    })?;
    shape.set_skin_sources(sources);
    shape.set_part_of(PartOf { whole: Arc::clone(whole), particles, clusters });
    from.ensure(shape.fingerprint() == id, || "a piece is not the one it says".into())?;
    Ok(Arc::new(shape))
}
