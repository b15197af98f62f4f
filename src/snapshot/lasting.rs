//! What has lasted of a body's deformation, and how it broke. Coarser clusters at rest follow from it when it is read.

use glam::{Mat3A, Vec4};

use super::reclustering;
use crate::body::Body;
use crate::body::breaking::Unbroken;
use crate::bytes::{Reader, Writer, floats};
use crate::error::Error;
use crate::fracture::{Breaking, Fracture};
use crate::material::{Goals, Material};
use crate::painting::Tuning;
use crate::parallel::Spread;
use crate::plasticity::{Dent, Frame, Plastic, Plasticity};
use crate::recluster::Reclustered;
use crate::shape::Shape;

pub(super) fn write(out: &mut Writer, body: &Body) {
    write_breaking(out, body);
    body.flows.iter().for_each(|flow| out.f32(*flow));
    out.u8(body.plasticity.is_some().into());
    if let Some(rule) = body.plasticity {
        let Plasticity { yield_strain, flow, hardening, limit, recovery, recluster, fade, most_new_clusters } =
            rule;
        [yield_strain, flow, hardening, limit, recovery, recluster].into_iter().for_each(|n| out.f32(n));
        [fade, most_new_clusters].into_iter().for_each(|n| out.u32(n));
    }
    out.u8(body.plastic.is_some().into());
    let Some(plastic) = &body.plastic else { return };
    for Dent { fp, hardened, flowed, turned } in &plastic.dents {
        fp.to_cols_array().into_iter().chain([*hardened, *flowed]).for_each(|n| out.f32(n));
        out.vec4(*turned);
    }
    for Frame { turn, centre, stretch } in &plastic.frames {
        out.vec4(*turn);
        out.vec3(centre.truncate());
        stretch.to_cols_array().into_iter().for_each(|n| out.f32(n));
    }
    body.reclustered.iter().for_each(|own| reclustering::write(out, own));
}

fn write_breaking(out: &mut Writer, body: &Body) {
    let Breaking { rule, painted, cracks, relaxing, .. } = &body.breaking;
    out.u8(rule.is_some().into());
    if let Some(Fracture { toughness, smallest }) = rule {
        out.f32(*toughness);
        out.u32(*smallest);
    }
    write_numbers(out, painted);
    write_numbers(out, relaxing);
    out.u32(cracks.len() as u32);
    out.vec4s(cracks);
    out.u8(body.family.is_some().into());
    out.u32(body.family.unwrap_or(0));
    out.u8(body.unbroken.is_some().into());
    if let Some(before) = &body.unbroken {
        out.u32(before.weights.len() as u32);
        for ((weight, tuning), flow) in before.weights.iter().zip(&before.tuning).zip(&before.flows) {
            [*weight, tuning.stiffness, tuning.damping, *flow].into_iter().for_each(|n| out.f32(n));
        }
        write_numbers(out, &before.painted);
    }
}

fn write_numbers(out: &mut Writer, numbers: &[f32]) {
    out.u32(numbers.len() as u32);
    numbers.iter().for_each(|n| out.f32(*n));
}

/// None, or as many as `wanted`, all within bounds.
fn read_numbers(from: &mut Reader, wanted: usize, low: f32, high: f32) -> Result<Vec<f32>, Error> {
    let count = from.count("numbers", 4)?;
    from.ensure(count == 0 || count == wanted, || format!("it counts {count} where {wanted} are"))?;
    let numbers = from.list(count, f32::from_le_bytes)?;
    from.ensure(numbers.iter().all(|n| (low..=high).contains(n)), || format!("not all are {low} to {high}"))?;
    Ok(numbers)
}

fn read_breaking(from: &mut Reader, shape: &Shape, spare: usize) -> Result<Breaking, Error> {
    let mut breaking = Breaking::default();
    if from.flag("breaks")? {
        let rule = Fracture { toughness: from.f32()?, smallest: from.u32()? };
        from.checked(rule.check())?;
        breaking.rule = Some(rule);
    }
    let finest = shape.levels().first().map_or(0, |level| level.cluster_count()) + spare;
    breaking.painted = read_numbers(from, shape.particle_count(), 0.0, 1e6)?;
    breaking.relaxing = read_numbers(from, finest, 0.0, 1.0)?;
    let cracks = from.count("cracks", 16)?;
    breaking.cracks = from.vec4s(cracks)?;
    from.ensure(breaking.cracks.iter().all(|c| c.is_finite()), || "a crack is nowhere".into())?;
    Ok(breaking)
}

/// What a body is mended to.
fn read_unbroken(from: &mut Reader, shape: &Shape) -> Result<Option<Box<Unbroken>>, Error> {
    if !from.flag("broken")? {
        return Ok(None);
    }
    let whole = shape.part_of().map(|part| &part.whole);
    let (levels, particles) = whole.map_or((0, 0), |whole| (whole.levels().len(), whole.particle_count()));
    let count = from.u32()? as usize;
    from.ensure(whole.is_some() && count == levels, || format!("it had {count} levels, its shape {levels}"))?;
    let numbers = from.list(count, floats::<16, 4>)?;
    let sound = |n: &[f32; 4]| {
        (0.0..=1.0).contains(&n[0])
            && n[1..3].iter().all(|m| (0.0..=1e6).contains(m))
            && (0.0..=1.0).contains(&n[3])
    };
    let sum: f32 = numbers.iter().map(|n| n[0]).sum();
    let even = count == 0 || (sum - 1.0).abs() <= 1e-3;
    from.ensure(even && numbers.iter().all(sound), || "the levels it had cannot have been".into())?;
    Ok(Some(Box::new(Unbroken {
        weights: numbers.iter().map(|n| n[0]).collect(),
        tuning: numbers.iter().map(|n| Tuning { stiffness: n[1], damping: n[2] }).collect(),
        flows: numbers.iter().map(|n| n[3]).collect(),
        painted: read_numbers(from, particles, 0.0, 1e6)?,
    })))
}

/// What a snapshot says about it, checked.
pub(super) struct Lasting {
    breaking: Breaking,
    family: Option<u32>,
    unbroken: Option<Box<Unbroken>>,
    flows: Vec<f32>,
    plasticity: Option<Plasticity>,
    plastic: Option<Box<Plastic>>,
    pub(super) reclustered: Option<Box<Reclustered>>,
}

impl Lasting {
    /// `spare` is how many finest clusters more than the shape the body has room for, if it has clusters of its own.
    pub(super) fn read(
        from: &mut Reader,
        shape: &Shape,
        spare: usize,
        material: &Material,
    ) -> Result<Lasting, Error> {
        let breaking = read_breaking(from, shape, spare)?;
        let (known, family) = (from.flag("family")?, from.u32()?);
        let unbroken = read_unbroken(from, shape)?;
        let flows: Vec<f32> = from.list(shape.levels().len(), f32::from_le_bytes)?;
        from.ensure(flows.iter().all(|f| (0.0..=1.0).contains(f)), || format!("levels flow by {flows:?}"))?;
        let plasticity = if from.flag("plastic")? { Some(read_rule(from)?) } else { None };
        let dented = from.flag("dented")?;
        from.ensure(dented || plasticity.is_none(), || "nothing can last of what yields".into())?;
        let quadratic = matches!(material.goals, Goals::Quadratic { .. });
        from.ensure(!(dented && quadratic), || "its goals are quadratic and its deformation lasts".into())?;
        from.ensure(dented || spare == 0, || "it replaced clusters of which nothing lasts".into())?;
        let (plastic, reclustered) = if dented { read_plastic(from, shape, spare)? } else { (None, None) };
        let family = known.then_some(family);
        Ok(Lasting { breaking, family, unbroken, flows, plasticity, plastic, reclustered })
    }

    pub(super) fn take_over(self, body: &mut Body) {
        (body.flows, body.plasticity, body.plastic) = (self.flows, self.plasticity, self.plastic);
        (body.breaking, body.family, body.unbroken) = (self.breaking, self.family, self.unbroken);
    }
}

fn read_rule(from: &mut Reader) -> Result<Plasticity, Error> {
    let [yield_strain, flow, hardening] = [from.f32()?, from.f32()?, from.f32()?];
    let [limit, recovery, recluster] = [from.f32()?, from.f32()?, from.f32()?];
    let (fade, most_new_clusters) = (from.u32()?, from.u32()?);
    let rule =
        Plasticity { yield_strain, flow, hardening, limit, recovery, recluster, fade, most_new_clusters };
    from.checked(rule.check())?;
    Ok(rule)
}

/// What has lasted, and the clusters that it has lasted in where these are the body's own.
type Kept = (Option<Box<Plastic>>, Option<Box<Reclustered>>);

fn read_plastic(from: &mut Reader, shape: &Shape, spare: usize) -> Result<Kept, Error> {
    let mut plastic = Box::new(Plastic::new(shape));
    if spare > 0 {
        plastic.make_room(shape.range(0).len(), spare);
    }
    for c in 0..plastic.dents.len() {
        let n = numbers::<60, 15>(from)?;
        let fp = Mat3A::from_cols_slice(&n[..9]);
        let dent = Dent { fp, hardened: n[9], flowed: n[10], turned: Vec4::from_slice(&n[11..]) };
        let sound = dent.is_sound();
        from.ensure(sound, || format!("cluster {c} cannot be deformed as it says"))?;
        plastic.dents[c] = dent;
    }
    for c in 0..plastic.frames.len() {
        let (turn, centre) = (from.vec4()?, from.vec3()?.extend(0.0));
        let frame = Frame { turn, centre, stretch: Mat3A::from_cols_slice(&numbers::<36, 9>(from)?) };
        from.ensure(frame.is_sound(), || format!("cluster {c} cannot lie where it says"))?;
        plastic.frames[c] = frame;
    }
    if spare == 0 {
        plastic.recall(shape);
        return Ok((Some(plastic), None));
    }
    let mut own = Box::new(reclustering::read(from, shape)?);
    own.follow(&mut plastic, false, Spread::Here);
    Ok((Some(plastic), Some(own)))
}

fn numbers<const M: usize, const N: usize>(from: &mut Reader) -> Result<[f32; N], Error> {
    Ok(floats(from.list(1, |bytes: [u8; M]| bytes)?[0]))
}
