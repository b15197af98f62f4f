//! What has lasted of a body's deformation. Coarser clusters at rest follow from it when it is read.

use glam::{Mat3A, Vec4};

use crate::body::Body;
use crate::bytes::{Reader, Writer, floats};
use crate::error::Error;
use crate::material::{Goals, Material};
use crate::plasticity::{Dent, Frame, Plastic, Plasticity};
use crate::shape::Shape;

pub(super) fn write(out: &mut Writer, body: &Body) {
    body.flows.iter().for_each(|flow| out.f32(*flow));
    out.u8(body.plasticity.is_some().into());
    if let Some(rule) = body.plasticity {
        let Plasticity { yield_strain, flow, hardening, limit, recovery } = rule;
        [yield_strain, flow, hardening, limit, recovery].into_iter().for_each(|n| out.f32(n));
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
}

/// What a snapshot says about it, checked.
pub(super) struct Lasting {
    flows: Vec<f32>,
    plasticity: Option<Plasticity>,
    plastic: Option<Box<Plastic>>,
}

impl Lasting {
    pub(super) fn read(from: &mut Reader, shape: &Shape, material: &Material) -> Result<Lasting, Error> {
        let flows: Vec<f32> = from.list(shape.levels().len(), f32::from_le_bytes)?;
        from.ensure(flows.iter().all(|f| (0.0..=1.0).contains(f)), || format!("levels flow by {flows:?}"))?;
        let plasticity = if from.flag("plastic")? { Some(read_rule(from)?) } else { None };
        let dented = from.flag("dented")?;
        from.ensure(dented || plasticity.is_none(), || "nothing can last of what yields".into())?;
        let quadratic = matches!(material.goals, Goals::Quadratic { .. });
        from.ensure(!(dented && quadratic), || "its goals are quadratic and its deformation lasts".into())?;
        let plastic = if dented { Some(Box::new(read_plastic(from, shape)?)) } else { None };
        Ok(Lasting { flows, plasticity, plastic })
    }

    pub(super) fn take_over(self, body: &mut Body) {
        (body.flows, body.plasticity, body.plastic) = (self.flows, self.plasticity, self.plastic);
    }
}

fn read_rule(from: &mut Reader) -> Result<Plasticity, Error> {
    let [yield_strain, flow, hardening] = [from.f32()?, from.f32()?, from.f32()?];
    let rule = Plasticity { yield_strain, flow, hardening, limit: from.f32()?, recovery: from.f32()? };
    from.checked(rule.check())?;
    Ok(rule)
}

fn read_plastic(from: &mut Reader, shape: &Shape) -> Result<Plastic, Error> {
    let mut plastic = Plastic::new(shape);
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
    plastic.recall(shape);
    Ok(plastic)
}

fn numbers<const M: usize, const N: usize>(from: &mut Reader) -> Result<[f32; N], Error> {
    Ok(floats(from.list(1, |bytes: [u8; M]| bytes)?[0]))
}
