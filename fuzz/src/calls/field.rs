//! Force fields and explosions.

use wobble::capi::field::*;
use wobble::capi::handles::{WobbleBody, WobbleField, WobbleWorld};

use crate::driver::{Driver, Expect};
use crate::shadow::{Any, Use};
use crate::values::Input;
use crate::{api, ask};

/// Fields in a world.
const MOST_FIELDS: usize = 5;

pub(super) fn def_init(driver: &mut Driver) {
    super::init::<WobbleFieldDef>(driver, "wobble_field_def_init", wobble_field_def_init);
}

/// The fields of a world by its own account.
fn listed(driver: &mut Driver, world: WobbleWorld) -> Vec<WobbleField> {
    driver.calmly(|driver| {
        let count = ask!(driver, wobble_world_field_count(world) -> u32).unwrap_or(0);
        let list = driver.list_out::<WobbleField>(count, count);
        let found = ask!(driver, wobble_world_fields(world, list.pointer, list.capacity) -> u32);
        list.take(driver, found)
    })
}

/// A field of a world that does not step.
fn field(driver: &mut Driver) -> WobbleField {
    let worlds = driver.shadow.quiet_worlds();
    let all: Vec<WobbleField> = worlds.into_iter().flat_map(|world| listed(driver, world)).collect();
    if !all.is_empty() && !driver.spoil() {
        return driver.dice.pick(&all);
    }
    let chosen = WobbleField { bits: driver.wrong(|a| matches!(a, Any::Field(_))) };
    if all.contains(&chosen) {
        // A bit of another handle may make it that of a field.
        driver.expect = Expect::Either;
    }
    chosen
}

/// What a field does, and on this body alone unless it is null.
fn def(driver: &mut Driver, body: WobbleBody) -> Input<WobbleFieldDef> {
    let kind = driver.constant(3);
    let hopeless = driver.expect == Expect::Refusal;
    let def = WobbleFieldDef {
        struct_size: 0,
        kind,
        velocity: driver.vector(10.0),
        drag: driver.float(0.0, 1e6, (0.0, 5.0)),
        gusts: driver.float(0.0, 10.0, (0.0, 1.0)),
        gust_hertz: driver.float(0.0, 1e3, (0.0, 3.0)),
        centre: driver.vector(3.0),
        strength: driver.float(-1e9, 1e9, (-30.0, 30.0)),
        radius: driver.float(f32::MIN_POSITIVE, 1e9, (0.5, 10.0)),
        normal: driver.vector(1.0),
        offset: driver.float(-1e9, 1e9, (-1.0, 1.0)),
        density_ratio: driver.float(0.0, 1e3, (0.0, 3.0)),
        mask: driver.dice.pick(&[u32::MAX, 1, 2]),
        body,
    };
    if !hopeless {
        // What was spoilt may be a field that this kind does not look at; a normal may be too short.
        driver.expect = Expect::Either;
    }
    driver.sized(def, false)
}

pub(super) fn create(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let at = driver.shadow.world_at(world).filter(|at| !driver.shadow.worlds[*at].stepping);
    if at.is_some() && listed(driver, world).len() >= MOST_FIELDS {
        driver.expect = Expect::Success;
        return destroy(driver);
    }
    let bodies = at.map_or(Vec::new(), |at| driver.shadow.worlds[at].bodies.clone());
    let body = match driver.dice.below(4) {
        0 if !bodies.is_empty() => bodies[driver.dice.index(bodies.len())].handle,
        1 if driver.sour => {
            driver.unsure();
            driver.body(Use::Change)
        }
        _ => WobbleBody::default(),
    };
    if body.bits == 0 && driver.expect == Expect::Refusal && at.is_some() {
        // A body that is null is as good as none.
        driver.expect = Expect::Either;
    }
    let def = def(driver, body);
    if let Some(made) = ask!(driver, wobble_field_create(world, def.pointer) -> WobbleField) {
        let dead = driver.shadow.dead.contains(&Any::Field(made.bits));
        driver.ensure(!dead, || format!("{made:?} was given out before"));
    }
}

pub(super) fn definition(driver: &mut Driver) {
    let (memory, pointer) = driver.out_sized::<WobbleFieldDef>();
    let field = field(driver);
    let status = api!(driver, wobble_field_definition(field, pointer));
    if let Some(def) = driver.take_sized::<WobbleFieldDef>(&memory, status) {
        let sound = def.kind <= WOBBLE_FIELD_BUOYANCY && def.drag >= 0.0 && def.radius > 0.0;
        driver.ensure(sound, || format!("{def:?}"));
    }
}

pub(super) fn set_definition(driver: &mut Driver) {
    let field = field(driver);
    let def = def(driver, WobbleBody::default());
    api!(driver, wobble_field_set_definition(field, def.pointer));
}

pub(super) fn destroy(driver: &mut Driver) {
    let field = field(driver);
    if api!(driver, wobble_field_destroy(field)) == 0 {
        driver.shadow.dead.push(Any::Field(field.bits));
    }
}

pub(super) fn count(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    ask!(driver, wobble_world_field_count(world) -> u32);
}

pub(super) fn fields(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let known = driver.shadow.quiet_worlds().contains(&world);
    let count = if known { listed(driver, world).len() as u32 } else { 0 };
    let list = driver.list_out::<WobbleField>(count, count);
    let found = ask!(driver, wobble_world_fields(world, list.pointer, list.capacity) -> u32);
    let all = list.take(driver, found);
    let live = all.iter().all(|f| !driver.shadow.dead.contains(&Any::Field(f.bits)));
    driver.ensure(live, || format!("{all:?} are not all alive"));
}

pub(super) fn explode(driver: &mut Driver) {
    let (world, centre) = (driver.world(Use::Change), driver.vector(2.0));
    let centre = driver.one(centre, false);
    let radius = driver.float(f32::MIN_POSITIVE, 1e9, (0.1, 5.0));
    let speed = driver.float(-1e9, 1e9, (-5.0, 20.0));
    let mask = driver.dice.pick(&[u32::MAX, 1, 0]);
    api!(driver, wobble_world_explode(world, centre.pointer, radius, speed, mask));
}
