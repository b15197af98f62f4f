//! Attachments: a byte for the kind, then what it holds. Force fields follow them, as they share their
//! numbers.

use glam::{Quat, Vec3};

use super::fields;
use crate::attach::{Attachment, Frame, Held, Hold, Kind, Side, check_force};
use crate::bytes::{Reader, Writer};
use crate::error::{Error, finite, within};
use crate::fields::Placed;
use crate::world::World;

/// The attachments and force fields of a snapshot, and the number of the next one.
pub(super) struct Read {
    list: Vec<Attachment>,
    fields: Vec<Placed>,
    next: u32,
}

impl World {
    pub(super) fn write_attachments(&self, out: &mut Writer) {
        out.u32(self.next_number);
        out.u32(self.attachments.list.len() as u32);
        for attachment in &self.attachments.list {
            write(out, attachment);
        }
        fields::write(out, &self.fields);
    }

    /// Gives attachments and force fields of another world numbers that were never given out here.
    pub(super) fn renumbered(&self, own: bool, mut read: Read) -> Result<Read, Error> {
        if own {
            read.next = read.next.max(self.next_number);
            return Ok(read);
        }
        let end = u64::from(self.next_number) + (read.list.len() + read.fields.len()) as u64;
        if end > u64::from(u32::MAX) {
            let wanted = "below 4294967295 in number; make a new world";
            return Err(Error::Value { field: "attachments", value: end as f64, wanted });
        }
        let numbers = read.list.iter_mut().map(|attachment| &mut attachment.number);
        let numbers = numbers.chain(read.fields.iter_mut().map(|field| &mut field.number));
        numbers.zip(self.next_number..).for_each(|(old, new)| *old = new);
        read.next = end as u32;
        Ok(read)
    }

    pub(super) fn take_attachments(&mut self, read: Read) {
        self.next_number = read.next;
        self.attachments.broken.clear();
        self.attachments.broken.reserve(read.list.len());
        self.attachments.list = read.list;
        self.fields = read.fields;
    }
}

fn write(out: &mut Writer, attachment: &Attachment) {
    out.u32(attachment.number);
    let (hertz, ratio) = match attachment.hold {
        Hold::Firm => (0.0, 0.0),
        Hold::Spring { hertz, damping_ratio } => (hertz, damping_ratio),
    };
    [hertz, ratio, attachment.break_force].into_iter().for_each(|n| out.f32(n));
    out.vec3(attachment.impulse);
    out.vec3(attachment.torque);
    match &attachment.kind {
        Kind::Frame { body, held, from, to } => {
            out.u8(0);
            out.u32(*body);
            for frame in [from, to] {
                out.vec3(frame.position);
                out.vec4(frame.rotation.into());
            }
            out.u32(held.len() as u32);
            for held in held {
                out.u32(held.particle);
                out.vec3(held.local);
            }
        }
        Kind::Joint { sides, length } => {
            out.u8(1);
            out.f32(*length);
            sides.iter().for_each(|side| write_side(out, side));
        }
        Kind::Drag { side, offset, from, to, most } => {
            out.u8(2);
            [offset, from, to].into_iter().for_each(|v| out.vec3(*v));
            out.f32(*most);
            write_side(out, side);
        }
    }
}

fn write_side(out: &mut Writer, side: &Side) {
    out.u32(side.body);
    out.u32(side.shares.len() as u32);
    for (particle, share) in &side.shares {
        out.u32(*particle);
        out.f32(*share);
    }
}

/// Says how many particles the body at a place has, if there is one.
type Particles<'a> = &'a dyn Fn(u32) -> Option<usize>;

/// Reads what `write_attachments` wrote.
pub(super) fn read(from: &mut Reader, particles: Particles) -> Result<Read, Error> {
    let next = from.u32()?;
    let count = from.count("attachments", 49)?;
    let list: Result<Vec<Attachment>, Error> = (0..count).map(|_| read_one(from, particles)).collect();
    let list = list?;
    let ascending = list.is_sorted_by(|a, b| a.number < b.number);
    from.ensure(ascending, || "the numbers of its attachments do not ascend".into())?;
    let fields = fields::read(from, |place| particles(place).is_some())?;
    let last = list.last().map(|last| last.number).max(fields.last().map(|last| last.number));
    from.ensure(last.is_none_or(|last| last < next), || {
        format!("an attachment or force field has the number {next} or a later one")
    })?;
    Ok(Read { list, fields, next })
}

fn read_one(from: &mut Reader, particles: Particles) -> Result<Attachment, Error> {
    let number = from.u32()?;
    let (hertz, damping_ratio, break_force) = (from.f32()?, from.f32()?, from.f32()?);
    let hold = if hertz == 0.0 { Hold::Firm } else { Hold::Spring { hertz, damping_ratio } };
    from.checked(hold.check())?;
    from.checked(check_force("break_force", break_force))?;
    let (impulse, torque) = (from.vec3()?, from.vec3()?);
    from.ensure((impulse + torque).is_finite(), || "an attachment's impulse is not finite".into())?;
    let kind = match from.u8()? {
        0 => read_frame(from, particles)?,
        1 => {
            let length = from.f32()?;
            from.checked(within("length", length, 0.0, f32::MAX, "finite and 0 or more"))?;
            Kind::Joint { length, sides: [read_side(from, particles)?, read_side(from, particles)?] }
        }
        2 => read_drag(from, particles)?,
        other => return Err(from.refuse(format!("attachments are of the unknown kind {other}"))),
    };
    Ok(Attachment { number, kind, hold, break_force, impulse, torque, broken: false })
}

fn read_place(from: &mut Reader, particles: Particles) -> Result<(u32, usize), Error> {
    let body = from.u32()?;
    match particles(body) {
        Some(count) => Ok((body, count)),
        None => Err(from.refuse(format!("an attachment holds a body at place {body}, where none is"))),
    }
}

/// Refuses particles that are not there, occur twice, or are none.
fn check_particles(
    from: &Reader,
    found: impl Iterator<Item = u32> + Clone,
    count: usize,
) -> Result<(), Error> {
    let there = found.clone().last().is_some_and(|last| (last as usize) < count);
    from.ensure(there && found.is_sorted_by(|a, b| a < b), || {
        "an attachment's particles are out of range, or do not ascend".into()
    })
}

fn read_frame(from: &mut Reader, particles: Particles) -> Result<Kind, Error> {
    let (body, count) = read_place(from, particles)?;
    let mut frame = || -> Result<Frame, Error> {
        let (position, rotation) = (from.vec3()?, Quat::from_vec4(from.vec4()?));
        from.checked(finite("position", position))?;
        from.ensure(rotation.is_normalized(), || "a frame's rotation is not of length 1".into())?;
        Ok(Frame { position, rotation })
    };
    let (before, to) = (frame()?, frame()?);
    let length = from.count("held particles", 16)?;
    let held = (0..length).map(|_| Ok(Held { particle: from.u32()?, local: from.vec3()? }));
    let held = held.collect::<Result<Vec<Held>, Error>>()?;
    check_particles(from, held.iter().map(|held| held.particle), count)?;
    let finite = held.iter().all(|held| held.local.is_finite());
    from.ensure(finite, || "a place in a frame is not finite".into())?;
    Ok(Kind::Frame { body, held, from: before, to })
}

fn read_side(from: &mut Reader, particles: Particles) -> Result<Side, Error> {
    let (body, count) = read_place(from, particles)?;
    let length = from.count("attached particles", 8)?;
    let shares = (0..length).map(|_| Ok((from.u32()?, from.f32()?)));
    let shares = shares.collect::<Result<Vec<(u32, f32)>, Error>>()?;
    check_particles(from, shares.iter().map(|share| share.0), count)?;
    let sum: f32 = shares.iter().map(|share| share.1).sum();
    let whole = shares.iter().all(|share| (0.0..=1.0).contains(&share.1)) && (sum - 1.0).abs() < 1e-3;
    from.ensure(whole, || format!("the shares of an attached point sum to {sum}, not to 1"))?;
    Ok(Side { body, shares })
}

fn read_drag(from: &mut Reader, particles: Particles) -> Result<Kind, Error> {
    let (offset, before, to, most) = (from.vec3()?, from.vec3()?, from.vec3()?, from.f32()?);
    from.checked(finite("target", before).and(finite("target", to)))?;
    from.ensure(Vec3::is_finite(offset), || "the offset of a drag is not finite".into())?;
    from.checked(check_force("max_force", most))?;
    Ok(Kind::Drag { side: read_side(from, particles)?, offset, from: before, to, most })
}
