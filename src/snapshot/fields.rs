//! Force fields: a byte for the kind, then its numbers.

use crate::bytes::{Reader, Writer};
use crate::error::Error;
use crate::fields::{Field, Placed};

pub(super) fn write(out: &mut Writer, fields: &[Placed]) {
    out.u32(fields.len() as u32);
    for placed in fields {
        out.u32(placed.number);
        out.u32(placed.mask);
        out.u64(placed.age.to_bits());
        out.u8(u8::from(placed.body.is_some()));
        out.u32(placed.body.unwrap_or(0));
        let (kind, vectors, numbers) = match placed.field {
            Field::Wind { velocity, drag, gusts, gust_hertz } => {
                (0, [velocity, glam::Vec3::ZERO], [drag, gusts, gust_hertz])
            }
            Field::Attractor { centre, strength, radius } => {
                (1, [centre, glam::Vec3::ZERO], [strength, radius, 0.0])
            }
            Field::Buoyancy { normal, offset, density_ratio, drag, flow } => {
                (2, [normal, flow], [offset, density_ratio, drag])
            }
        };
        out.u8(kind);
        vectors.into_iter().for_each(|v| out.vec3(v));
        numbers.into_iter().for_each(|n| out.f32(n));
    }
}

/// Reads what `write` wrote; `is_taken` says at which places there are bodies.
pub(super) fn read(from: &mut Reader, is_taken: impl Fn(u32) -> bool) -> Result<Vec<Placed>, Error> {
    let count = from.count("force fields", 58)?;
    let fields: Result<Vec<Placed>, Error> = (0..count).map(|_| read_one(from, &is_taken)).collect();
    let fields = fields?;
    let ascending = fields.is_sorted_by(|a, b| a.number < b.number);
    from.ensure(ascending, || "the numbers of its force fields do not ascend".into())?;
    Ok(fields)
}

fn read_one(from: &mut Reader, is_taken: &impl Fn(u32) -> bool) -> Result<Placed, Error> {
    let (number, mask, age) = (from.u32()?, from.u32()?, f64::from_bits(from.u64()?));
    from.ensure(age >= 0.0 && age.is_finite(), || format!("a force field is {age} s old"))?;
    let (single, place) = (from.flag("single")?, from.u32()?);
    from.ensure(!single || is_taken(place), || {
        format!("a force field acts on a body at place {place}, where none is")
    })?;
    let kind = from.u8()?;
    let ([first, second], [a, b, c]) =
        ([from.vec3()?, from.vec3()?], [from.f32()?, from.f32()?, from.f32()?]);
    let field = match kind {
        0 => Field::Wind { velocity: first, drag: a, gusts: b, gust_hertz: c },
        1 => Field::Attractor { centre: first, strength: a, radius: b },
        2 => Field::Buoyancy { normal: first, offset: a, density_ratio: b, drag: c, flow: second },
        other => return Err(from.refuse(format!("force fields are of the unknown kind {other}"))),
    };
    from.checked(field.checked())?;
    if let Field::Buoyancy { normal, .. } = field {
        from.ensure(normal.is_normalized(), || format!("a normal is {normal}, not of length 1"))?;
    }
    Ok(Placed { number, field, body: single.then_some(place), mask, age })
}
