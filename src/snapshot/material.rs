//! Materials and surfaces: a byte for each choice, then its number.

use crate::bytes::{Reader, Writer};
use crate::collide::surface::{Combine, Groups, Surface};
use crate::error::Error;
use crate::material::{Damping, DampingForm, Goals, Material, Rotation, Stiffness, StrainLimit};

pub(super) fn write(out: &mut Writer, material: &Material) {
    let mut choice = |kind: u8, number: f32| {
        out.u8(kind);
        out.f32(number);
    };
    match material.stiffness {
        Stiffness::PerStep(alpha) => choice(0, alpha),
        Stiffness::Hertz(f) => choice(1, f),
    }
    match material.damping {
        Damping::PerStep(k) => choice(0, k),
        Damping::PerSecond(rate) => choice(1, rate),
    }
    match material.goals {
        Goals::Rigid => choice(0, 0.0),
        Goals::Linear { beta } => choice(1, beta),
        Goals::Quadratic { beta } => choice(2, beta),
    }
    out.u8(u8::from(material.damping_form == DampingForm::Paper));
    out.u8(u8::from(material.rotation == Rotation::Stretch));
    let numbers = [material.gravity_scale, material.rebound, material.volume_stiffness, material.pressure];
    numbers.into_iter().for_each(|n| out.f32(n));
    out.u8(u8::from(material.strain.is_some()));
    if let Some(limit) = material.strain {
        out.f32(limit.gamma);
        out.f32(limit.omega);
        out.u32(limit.rounds);
    }
}

pub(super) fn read(from: &mut Reader) -> Result<Material, Error> {
    let mut choice = |name: &str| -> Result<(u8, f32), Error> {
        let (kind, number) = (from.u8()?, from.f32()?);
        let kinds = if name == "goals" { 3 } else { 2 };
        from.ensure(kind < kinds, || format!("{name} are of the unknown kind {kind}"))?;
        Ok((kind, number))
    };
    let stiffness = match choice("stiffnesses")? {
        (0, alpha) => Stiffness::PerStep(alpha),
        (_, f) => Stiffness::Hertz(f),
    };
    let damping = match choice("dampings")? {
        (0, k) => Damping::PerStep(k),
        (_, rate) => Damping::PerSecond(rate),
    };
    let goals = match choice("goals")? {
        (0, _) => Goals::Rigid,
        (1, beta) => Goals::Linear { beta },
        (_, beta) => Goals::Quadratic { beta },
    };
    let material = Material {
        stiffness,
        damping,
        goals,
        damping_form: if from.flag("damping_form")? { DampingForm::Paper } else { DampingForm::Rigid },
        rotation: if from.flag("rotation")? { Rotation::Stretch } else { Rotation::Momentum },
        gravity_scale: from.f32()?,
        rebound: from.f32()?,
        volume_stiffness: from.f32()?,
        pressure: from.f32()?,
        strain: match from.flag("strain")? {
            false => None,
            true => Some(StrainLimit { gamma: from.f32()?, omega: from.f32()?, rounds: from.u32()? }),
        },
    };
    from.checked(material.check())?;
    Ok(material)
}

pub(super) fn write_surface(out: &mut Writer, surface: Surface, groups: Groups) {
    out.f32(surface.friction);
    out.f32(surface.restitution);
    out.u8(surface.combine as u8);
    out.u32(groups.group);
    out.u32(groups.mask);
}

pub(super) fn read_surface(from: &mut Reader) -> Result<(Surface, Groups), Error> {
    let (friction, restitution) = (from.f32()?, from.f32()?);
    let rules = [Combine::Natural, Combine::Average, Combine::Minimum, Combine::Multiply, Combine::Maximum];
    let rule = from.u8()?;
    from.ensure(usize::from(rule) < rules.len(), || format!("its rule of combining is {rule}"))?;
    let combine = rules[usize::from(rule)];
    let surface = Surface { friction, restitution, combine };
    from.checked(surface.check())?;
    Ok((surface, Groups { group: from.u32()?, mask: from.u32()? }))
}
