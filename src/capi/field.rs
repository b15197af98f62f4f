//! Force fields and explosions.

use std::sync::Arc;

use super::cell::Cell;
use super::convert::unknown;
use super::defs::WobbleVec3;
use super::guard::call;
use super::handles::{self, WobbleBody, WobbleField, WobbleWorld};
use super::memory::{self, Sized32, out, out_sized, required};
use super::status::{Failure, WobbleStatus};
use crate::fields::{Explosion, Field, FieldDef, FieldId};
use crate::world::World;

/// Air that moves with velocity, and drags what moves otherwise. The default.
pub const WOBBLE_FIELD_WIND: u32 = 0;
/// A point, centre, that pulls with strength within radius, or pushes if strength is below 0.
pub const WOBBLE_FIELD_ATTRACTOR: u32 = 1;
/// A fluid below a plane that lifts what is in it against gravity, and drags it along with velocity.
pub const WOBBLE_FIELD_BUOYANCY: u32 = 2;

/// What a force field does, and on whom. Fill with wobble_field_def_init(). Fields of other kinds are not
/// looked at.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleFieldDef {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// A WOBBLE_FIELD_ constant. Default wind.
    pub kind: u32,
    /// Of wind and buoyancy: how the air or the fluid moves, m/s. Default zero.
    pub velocity: WobbleVec3,
    /// Of wind and buoyancy: how soon a particle takes the velocity on, 1/s, 0 to 1e6. Default 1.
    pub drag: f32,
    /// Of wind: how much it swells and ebbs, as a share of its velocity, 0 to 10. Default 0.
    pub gusts: f32,
    /// Of wind: how often, hertz, 0 to 1e3. Default 0.5.
    pub gust_hertz: f32,
    /// Of an attractor: where it is, metres. Default the origin.
    pub centre: WobbleVec3,
    /// Of an attractor: acceleration near the centre, m/s², at most 1e9 in size. It falls off smoothly to none at the radius, and within a sixteenth of it. Default 10.
    pub strength: f32,
    /// Of an attractor: metres, above 0 to 1e9. Default 10.
    pub radius: f32,
    /// Of buoyancy: direction out of the fluid, of any length but zero. Default (0, 1, 0).
    pub normal: WobbleVec3,
    /// Of buoyancy: distance of the surface from the origin along the normal, metres. Default 0.
    pub offset: f32,
    /// Of buoyancy: density of the fluid over that of the bodies, 0 to 1e3; above 1 they float. Default 2.
    pub density_ratio: f32,
    /// It acts on bodies that are in one of these groups. Default all.
    pub mask: u32,
    /// The only body that it acts on, with which it ends; null for all of the groups. Default null.
    pub body: WobbleBody,
}

// SAFETY: repr(C), begins with struct_size, all other fields are numbers.
unsafe impl Sized32 for WobbleFieldDef {}

/// Fills a definition with the defaults. size is sizeof(WobbleFieldDef).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_field_def_init(def: *mut WobbleFieldDef, size: u32) -> WobbleStatus {
    call(|| memory::init(def, size, WobbleFieldDef::standard(), "def"))
}

/// Adds a force field to a world: it acts in every step until it is destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_field_create(
    world: WobbleWorld,
    def: *const WobbleFieldDef,
    out_field: *mut WobbleField,
) -> WobbleStatus {
    call(|| {
        let out = out(out_field, "out_field")?;
        let def = memory::read(def, WobbleFieldDef::standard(), "def")?;
        let cell = handles::world(world)?;
        let id = def.with(&cell, |w, def| Ok(w.add_field(def)?))?;
        out.write(handles::field_handle(cell.place(), id.number));
        Ok(())
    })
}

/// What a force field does, and on whom.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_field_definition(
    field: WobbleField,
    out_def: *mut WobbleFieldDef,
) -> WobbleStatus {
    call(|| {
        let out = out_sized(out_def, "out_def")?;
        let named = handles::field(field)?;
        let place = named.cell.place();
        out.write(named.cell.with(|w| {
            let found = id_of(w, &named)?;
            Ok(WobbleFieldDef::of(&w.field(found)?, place))
        })?);
        Ok(())
    })
}

/// Changes a force field; its gusts go on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_field_set_definition(
    field: WobbleField,
    def: *const WobbleFieldDef,
) -> WobbleStatus {
    call(|| {
        let def = memory::read(def, WobbleFieldDef::standard(), "def")?;
        let named = handles::field(field)?;
        named.cell.with(|w| id_of(w, &named))?;
        def.with(&named.cell, |w, def| Ok(w.set_field(id_of(w, &named)?, def)?))
    })
}

/// Removes a force field; its handle becomes stale.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_field_destroy(field: WobbleField) -> WobbleStatus {
    call(|| {
        let named = handles::field(field)?;
        named.cell.with(|w| Ok(w.remove_field(id_of(w, &named)?)?))
    })
}

/// Number of force fields.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_field_count(world: WobbleWorld, out_count: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_count, "out_count")?;
        out.write(handles::world(world)?.with(|w| Ok(w.fields().count() as u32))?);
        Ok(())
    })
}

/// The handles of all force fields, in the order they were made, into out_fields, which holds capacity of
/// them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_fields(
    world: WobbleWorld,
    out_fields: *mut WobbleField,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        out(out_count, "out_count")?;
        let cell = handles::world(world)?;
        let handle = |id: FieldId| handles::field_handle(cell.place(), id.number);
        let found: Vec<WobbleField> = cell.with(|w| Ok(w.fields().map(handle).collect()))?;
        memory::write_list(&found, out_fields, capacity, out_count, "out_fields", "fields")
    })
}

/// Pushes all particles within its reach away from a point, at once.
///
/// centre        where, metres
/// radius        how far it reaches, metres, above 0 to 1e9
/// speed         velocity that a particle at the centre would gain, m/s, at most 1e9 in size: less with the
///               distance, none at the radius; below 0 it is an implosion
/// mask          it acts on bodies that are in one of these groups; UINT32_MAX for all
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_explode(
    world: WobbleWorld,
    centre: *const WobbleVec3,
    radius: f32,
    speed: f32,
    mask: u32,
) -> WobbleStatus {
    call(|| {
        let centre = required(centre, "centre")?.into();
        handles::world(world)?.with(|w| Ok(w.explode(&Explosion { centre, radius, speed, mask })?))
    })
}

/// The name of a field that is there.
fn id_of(world: &World, named: &handles::Named) -> Result<FieldId, Failure> {
    let id = named.number().map(|number| world.field_id(number));
    id.filter(|id| world.field(*id).is_ok()).ok_or_else(|| named.stale())
}

impl WobbleFieldDef {
    fn standard() -> WobbleFieldDef {
        WobbleFieldDef {
            struct_size: size_of::<WobbleFieldDef>() as u32,
            kind: WOBBLE_FIELD_WIND,
            velocity: WobbleVec3::default(),
            drag: 1.0,
            gusts: 0.0,
            gust_hertz: 0.5,
            centre: WobbleVec3::default(),
            strength: 10.0,
            radius: 10.0,
            normal: WobbleVec3 { x: 0.0, y: 1.0, z: 0.0 },
            offset: 0.0,
            density_ratio: 2.0,
            mask: u32::MAX,
            body: WobbleBody::default(),
        }
    }

    /// What it means in a world, passed to `work` with that world.
    fn with<R>(
        &self,
        cell: &Arc<Cell>,
        work: impl FnOnce(&mut World, &FieldDef) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let field = self.field()?;
        let mut def = FieldDef { field, body: None, mask: self.mask };
        if self.body.bits == 0 {
            return cell.with(|w| work(w, &def));
        }
        let named = handles::body(self.body)?;
        if !Arc::ptr_eq(cell, &named.cell) {
            return Err(Failure::argument("body lives in another world than the field"));
        }
        cell.with_body_id(&named, |w, id| {
            def.body = Some(id);
            work(w, &def)
        })
    }

    fn field(&self) -> Result<Field, Failure> {
        let WobbleFieldDef { drag, gusts, gust_hertz, strength, radius, offset, density_ratio, .. } = *self;
        let velocity = self.velocity.into();
        Ok(match self.kind {
            WOBBLE_FIELD_WIND => Field::Wind { velocity, drag, gusts, gust_hertz },
            WOBBLE_FIELD_ATTRACTOR => Field::Attractor { centre: self.centre.into(), strength, radius },
            WOBBLE_FIELD_BUOYANCY => {
                Field::Buoyancy { normal: self.normal.into(), offset, density_ratio, drag, flow: velocity }
            }
            other => return Err(unknown("kind", other, WOBBLE_FIELD_BUOYANCY)),
        })
    }

    /// The definition as hosts of the world at `place` see it.
    fn of(def: &FieldDef, place: u64) -> WobbleFieldDef {
        let body = def.body.map(|id| handles::body_handle(place, id.index, id.generation));
        let (body, mask) = (body.unwrap_or_default(), def.mask);
        let standard = WobbleFieldDef { mask, body, ..WobbleFieldDef::standard() };
        match def.field {
            Field::Wind { velocity, drag, gusts, gust_hertz } => {
                let (kind, velocity) = (WOBBLE_FIELD_WIND, velocity.into());
                WobbleFieldDef { kind, velocity, drag, gusts, gust_hertz, ..standard }
            }
            Field::Attractor { centre, strength, radius } => {
                let (kind, centre) = (WOBBLE_FIELD_ATTRACTOR, centre.into());
                WobbleFieldDef { kind, centre, strength, radius, ..standard }
            }
            Field::Buoyancy { normal, offset, density_ratio, drag, flow } => {
                let (kind, normal, velocity) = (WOBBLE_FIELD_BUOYANCY, normal.into(), flow.into());
                WobbleFieldDef { kind, normal, offset, density_ratio, drag, velocity, ..standard }
            }
        }
    }
}
