//! Which pairs touch: the next step tells by it which contacts are new.

use crate::bytes::{Reader, Writer};
use crate::collide::events::{ContactEvent, Partner, Phase};
use crate::error::Error;

/// A pair by the places of body and partner; the rest of its event, names aside.
pub(super) struct Pair {
    pub(super) body: u32,
    /// The place, and whether it is that of a collider.
    pub(super) other: (u32, bool),
    event: ContactEvent,
}

impl Pair {
    /// The event with the names that the places have now.
    pub(super) fn named(&self, body: crate::BodyId, other: Partner) -> ContactEvent {
        ContactEvent { body, other, ..self.event }
    }
}

pub(super) fn write(out: &mut Writer, touching: &[ContactEvent]) {
    out.u32(touching.len() as u32);
    for event in touching {
        out.u32(event.body.index);
        let (kind, index) = match event.other {
            Partner::Body(id) => (0, id.index),
            Partner::Collider(id) => (1, id.index),
        };
        out.u8(kind);
        out.u32(index);
        out.vec3(event.point);
        out.vec3(event.normal);
        out.f32(event.impulse);
        out.u32(event.cluster);
    }
}

/// `taken` tells whether something is in a place, of a collider or a body.
pub(super) fn read(from: &mut Reader, taken: impl Fn(u32, bool) -> bool) -> Result<Vec<Pair>, Error> {
    let count = from.count("touching pairs", 41)?;
    let mut pairs: Vec<Pair> = Vec::with_capacity(count);
    for _ in 0..count {
        let (body, collider, other) = (from.u32()?, from.flag("partner")?, from.u32()?);
        let there = taken(body, false) && taken(other, collider);
        from.ensure(there, || format!("body {body} touches {other}, and one of them is not there"))?;
        let nobody = crate::BodyId { world: 0, index: 0, generation: 0 };
        let event = ContactEvent {
            phase: Phase::Stay,
            body: nobody,
            other: Partner::Body(nobody),
            point: from.vec3()?,
            normal: from.vec3()?,
            impulse: from.f32()?,
            cluster: from.u32()?,
        };
        let finite = event.point.is_finite() && event.normal.is_finite() && event.impulse.is_finite();
        from.ensure(finite, || format!("the contact of body {body} is not finite"))?;
        pairs.push(Pair { body, other: (other, collider), event });
    }
    Ok(pairs)
}
