//! Bits to objects and back.
//!
//! A handle says which kind it is, which place in a table and which generation of it, so that
//! anything but a live handle is told apart and refused. Handles of what lives in a world also say
//! in which. Attachments and fields are numbered, never twice alike. No combination is ever given out twice: a world that moves into the
//! place of a destroyed one starts its generations after the other's.
//!
//! ```text
//! bits  63..61   60..48   47..24      23..0
//!       1 world  place    ------ generation -----
//!       2 shape  ---- place (36..60) ---- generation (0..35)
//!       3 body   world    place       generation
//!       4 coll.  world    place       generation
//!       5 attachment, 6 field  world  -- number --
//! ```

use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::cell::Cell;
use super::status::{
    Failure, WOBBLE_STATUS_INVALID_HANDLE, WOBBLE_STATUS_NULL_HANDLE, WOBBLE_STATUS_STALE_HANDLE,
    WOBBLE_STATUS_TOO_MANY,
};
use crate::shape::Shape;
use crate::slots::MOST_GENERATIONS;
use crate::world::{World, WorldDef};

/// Names a world. Zero is null.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WobbleWorld {
    /// Opaque.
    pub bits: u64,
}

/// Names a rest shape, which any number of bodies in any worlds share. Zero is null.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WobbleShape {
    /// Opaque.
    pub bits: u64,
}

/// Names a body. Zero is null.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WobbleBody {
    /// Opaque.
    pub bits: u64,
}

/// Names a collider. Zero is null.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WobbleCollider {
    /// Opaque.
    pub bits: u64,
}

/// Names an attachment: held particles, a joint or a drag. Zero is null.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WobbleAttachment {
    /// Opaque.
    pub bits: u64,
}

/// Names a force field. Zero is null.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WobbleField {
    /// Opaque.
    pub bits: u64,
}

const WORLD: u64 = 1;
const SHAPE: u64 = 2;
const BODY: u64 = 3;
const COLLIDER: u64 = 4;
const ATTACHMENT: u64 = 5;
const FIELD: u64 = 6;
const KINDS: [&str; 8] = ["null", "world", "shape", "body", "collider", "attachment", "field", "unknown"];

const MOST_WORLDS: usize = 1 << 13;
const MOST_SHAPES: usize = 1 << 25;

struct WorldPlace {
    generation: u64,
    /// Where the generations of the next world's bodies and colliders begin.
    first: u32,
    cell: Option<Arc<Cell>>,
}

struct ShapePlace {
    generation: u64,
    /// References that hosts hold.
    count: u32,
    shape: Option<Arc<Shape>>,
}

static WORLDS: RwLock<Vec<WorldPlace>> = RwLock::new(Vec::new());
static SHAPES: RwLock<Vec<ShapePlace>> = RwLock::new(Vec::new());

/// A lock of a table. No code that can panic runs while one is held for writing.
fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn check_kind(bits: u64, wanted: u64) -> Result<(), Failure> {
    let wanted_name = KINDS[wanted as usize];
    if bits == 0 {
        return Err(Failure::new(WOBBLE_STATUS_NULL_HANDLE, format!("the {wanted_name} handle is null")));
    }
    match bits >> 61 {
        kind if kind == wanted => Ok(()),
        kind @ WORLD..=FIELD => Err(Failure::new(
            WOBBLE_STATUS_INVALID_HANDLE,
            format!("handle {bits:#x} is of the kind {}, not {wanted_name}", KINDS[kind as usize]),
        )),
        _ => Err(invented(bits, wanted)),
    }
}

fn invented(bits: u64, kind: u64) -> Failure {
    let kind = KINDS[kind as usize];
    Failure::new(WOBBLE_STATUS_INVALID_HANDLE, format!("{bits:#x} was never a handle of the kind {kind}"))
}

fn stale(bits: u64, kind: u64) -> Failure {
    let kind = KINDS[kind as usize];
    Failure::new(WOBBLE_STATUS_STALE_HANDLE, format!("the {kind} with the handle {bits:#x} was destroyed"))
}

fn place_of_world(bits: u64) -> usize {
    (bits >> 48) as usize & (MOST_WORLDS - 1)
}

/// The world that a handle of it, or of what lives in it, names.
fn cell_at(bits: u64, kind: u64, generation: Option<u64>) -> Result<Arc<Cell>, Failure> {
    let worlds = read(&WORLDS);
    let place = worlds.get(place_of_world(bits)).ok_or_else(|| invented(bits, kind))?;
    if generation.is_some_and(|g| g == 0 || g > place.generation) {
        return Err(invented(bits, kind));
    }
    let current = generation.is_none_or(|g| g == place.generation);
    place.cell.as_ref().filter(|_| current).cloned().ok_or_else(|| stale(bits, kind))
}

/// The cell of a world.
pub(crate) fn world(handle: WobbleWorld) -> Result<Arc<Cell>, Failure> {
    check_kind(handle.bits, WORLD)?;
    cell_at(handle.bits, WORLD, Some(handle.bits & ((1 << 48) - 1)))
}

/// The handle of the world that a body lives in.
pub(crate) fn world_of(named: &Named) -> Result<WobbleWorld, Failure> {
    let place = named.cell.place();
    let worlds = read(&WORLDS);
    let generation = worlds.get(place as usize).map(|world| world.generation);
    let generation = generation.ok_or_else(|| stale(named.bits, BODY))?;
    Ok(WobbleWorld { bits: WORLD << 61 | place << 48 | generation })
}

/// Gives a new world a place.
pub(crate) fn add_world(def: &WorldDef) -> Result<WobbleWorld, Failure> {
    let (index, first) = reserve_place()?;
    // Starts threads, so not while others wait for the table.
    let world = World::with_first_generation(def, first);
    let mut worlds = write(&WORLDS);
    let place = &mut worlds[index];
    match world {
        Ok(world) => {
            place.generation += 1;
            place.cell = Some(Arc::new(Cell::new(world, index as u64)));
            Ok(WobbleWorld { bits: WORLD << 61 | (index as u64) << 48 | place.generation })
        }
        Err(refusal) => {
            place.first = first;
            Err(refusal.into())
        }
    }
}

/// A place that nobody else takes, and the first generation to be given out there.
fn reserve_place() -> Result<(usize, u32), Failure> {
    let mut worlds = write(&WORLDS);
    let free = worlds.iter().position(|place| place.cell.is_none() && place.first < WORN_OUT);
    let index = free.unwrap_or(worlds.len());
    if index >= MOST_WORLDS {
        let sentence = format!("there are {MOST_WORLDS} worlds already; destroy one first");
        return Err(Failure::new(WOBBLE_STATUS_TOO_MANY, sentence));
    }
    if free.is_none() {
        worlds.push(WorldPlace { generation: 0, first: 1, cell: None });
    }
    Ok((index, std::mem::replace(&mut worlds[index].first, TAKEN)))
}

/// A place that has given out this many generations is not used again.
const WORN_OUT: u32 = MOST_GENERATIONS / 2;
/// Stands for a first generation while a world is in its place, coming or going.
const TAKEN: u32 = MOST_GENERATIONS;

/// Takes a world out of its place and waits until it is gone.
pub(crate) fn remove_world(handle: WobbleWorld) -> Result<(), Failure> {
    let cell = world(handle)?;
    let place = place_of_world(handle.bits);
    {
        let mut worlds = write(&WORLDS);
        let generation = handle.bits & ((1 << 48) - 1);
        // Of two threads that destroy one world, one comes too late.
        if worlds[place].generation != generation || worlds[place].cell.take().is_none() {
            return Err(stale(handle.bits, WORLD));
        }
    }
    let first = cell.close();
    write(&WORLDS)[place].first = first;
    Ok(())
}

/// What lives in a world, as its handle names it.
pub(crate) struct Named {
    pub(crate) cell: Arc<Cell>,
    pub(crate) bits: u64,
}

impl Named {
    /// Place and generation of a body.
    pub(crate) fn body(&self) -> (u32, u32) {
        ((self.bits >> 24) as u32 & 0xff_ffff, self.bits as u32 & 0xff_ffff)
    }

    /// Place and generation of a collider.
    pub(crate) fn collider(&self) -> (u32, u32) {
        self.body()
    }

    /// The number of an attachment or a field; none if it cannot be one.
    pub(crate) fn number(&self) -> Option<u32> {
        u32::try_from(self.bits & ((1 << 48) - 1)).ok()
    }

    /// The refusal of a handle whose object is not there.
    pub(crate) fn stale(&self) -> Failure {
        let kind = KINDS[(self.bits >> 61) as usize];
        let sentence = format!("the {kind} with the handle {:#x} was destroyed, or never was", self.bits);
        Failure::new(WOBBLE_STATUS_STALE_HANDLE, sentence)
    }
}

fn named(bits: u64, kind: u64) -> Result<Named, Failure> {
    check_kind(bits, kind)?;
    Ok(Named { cell: cell_at(bits, kind, None)?, bits })
}

/// The world of a body.
pub(crate) fn body(handle: WobbleBody) -> Result<Named, Failure> {
    named(handle.bits, BODY)
}

/// The world of a collider.
pub(crate) fn collider(handle: WobbleCollider) -> Result<Named, Failure> {
    named(handle.bits, COLLIDER)
}

/// The world of an attachment.
pub(crate) fn attachment(handle: WobbleAttachment) -> Result<Named, Failure> {
    named(handle.bits, ATTACHMENT)
}

/// The world of a field.
pub(crate) fn field(handle: WobbleField) -> Result<Named, Failure> {
    named(handle.bits, FIELD)
}

/// The handle of a body in the world at `place`.
pub(crate) fn body_handle(place: u64, index: u32, generation: u32) -> WobbleBody {
    WobbleBody { bits: BODY << 61 | place << 48 | u64::from(index) << 24 | u64::from(generation) }
}

/// The handle of a collider in the world at `place`.
pub(crate) fn collider_handle(place: u64, index: u32, generation: u32) -> WobbleCollider {
    WobbleCollider { bits: COLLIDER << 61 | place << 48 | u64::from(index) << 24 | u64::from(generation) }
}

/// The handle of an attachment in the world at `place`.
pub(crate) fn attachment_handle(place: u64, number: u32) -> WobbleAttachment {
    WobbleAttachment { bits: ATTACHMENT << 61 | place << 48 | u64::from(number) }
}

/// The handle of a field in the world at `place`.
pub(crate) fn field_handle(place: u64, number: u32) -> WobbleField {
    WobbleField { bits: FIELD << 61 | place << 48 | u64::from(number) }
}

fn shape_parts(handle: WobbleShape) -> Result<(usize, u64), Failure> {
    check_kind(handle.bits, SHAPE)?;
    Ok(((handle.bits >> 36) as usize & (MOST_SHAPES - 1), handle.bits & ((1 << 36) - 1)))
}

fn live_shape(places: &[ShapePlace], handle: WobbleShape) -> Result<usize, Failure> {
    let (index, generation) = shape_parts(handle)?;
    let place = places.get(index).filter(|place| generation > 0 && generation <= place.generation);
    let place = place.ok_or_else(|| invented(handle.bits, SHAPE))?;
    if place.generation == generation && place.shape.is_some() {
        Ok(index)
    } else {
        Err(stale(handle.bits, SHAPE))
    }
}

/// The shape that a handle names.
pub(crate) fn shape(handle: WobbleShape) -> Result<Arc<Shape>, Failure> {
    let shapes = read(&SHAPES);
    let index = live_shape(&shapes, handle)?;
    shapes[index].shape.clone().ok_or_else(|| stale(handle.bits, SHAPE))
}

/// A handle for a shape, with one reference.
pub(crate) fn add_shape(shape: Arc<Shape>) -> Result<WobbleShape, Failure> {
    let mut shapes = write(&SHAPES);
    let free = shapes.iter().position(|place| place.shape.is_none());
    let index = free.unwrap_or(shapes.len());
    if index >= MOST_SHAPES {
        let sentence = format!("there are {MOST_SHAPES} shapes already; release one first");
        return Err(Failure::new(WOBBLE_STATUS_TOO_MANY, sentence));
    }
    if free.is_none() {
        shapes.push(ShapePlace { generation: 0, count: 0, shape: None });
    }
    let place = &mut shapes[index];
    *place = ShapePlace { generation: place.generation + 1, count: 1, shape: Some(shape) };
    Ok(WobbleShape { bits: SHAPE << 61 | (index as u64) << 36 | place.generation })
}

/// Adds a reference.
pub(crate) fn retain_shape(handle: WobbleShape) -> Result<(), Failure> {
    let mut shapes = write(&SHAPES);
    let index = live_shape(&shapes, handle)?;
    shapes[index].count = shapes[index].count.checked_add(1).ok_or_else(|| {
        Failure::new(WOBBLE_STATUS_TOO_MANY, "the shape is referred to four thousand million times already")
    })?;
    Ok(())
}

/// Takes a reference away; the last one ends the handle.
pub(crate) fn release_shape(handle: WobbleShape) -> Result<(), Failure> {
    let mut shapes = write(&SHAPES);
    let index = live_shape(&shapes, handle)?;
    let place = &mut shapes[index];
    place.count -= 1;
    let last = if place.count == 0 { place.shape.take() } else { None };
    // A large shape takes a while to free: not while others wait for the table.
    drop(shapes);
    drop(last);
    Ok(())
}
