//! One life of a world.

use wobble::capi::body::*;
use wobble::capi::collider::wobble_collider_create;
use wobble::capi::collider_defs::WobbleColliderDef;
use wobble::capi::defs::*;
use wobble::capi::handles::{WobbleBody, WobbleShape, WobbleWorld};
use wobble::capi::reading::*;
use wobble::capi::shape::*;
use wobble::capi::status::{WOBBLE_STATUS_INVALID_HANDLE, WOBBLE_STATUS_STALE_HANDLE};
use wobble::capi::world::*;

use super::{Handles, Outcome, Plan, RATE, Tally};
use crate::dice::Dice;
use crate::driver::{last_error, name_of};

/// Bodies wanted at a time.
const FEW: usize = 20;
const MANY: usize = 60;
/// Kinds of rest shapes, saved once a season and loaded again and again.
const KINDS: u64 = 5;
/// Stale handles that are remembered.
const STALE: usize = 64;
/// How far below the ground a particle may be, metres.
const SUNK: f32 = 0.01;
/// The walls are so far from the middle, metres.
pub(super) const WALL: f32 = 6.0;

/// A body and what is being done to it.
#[derive(Clone)]
pub(super) struct Player {
    pub(super) body: WobbleBody,
    pub(super) particles: u32,
    /// The step in which it goes.
    pub(super) until: u64,
    /// A particle that is held, and the step in which it is let go.
    pub(super) held: Option<(u32, u64)>,
}

/// A world in play.
pub struct Game<'a> {
    pub(super) dice: &'a mut Dice,
    handles: &'a mut Handles,
    pub(super) world: WobbleWorld,
    /// Files of shapes.
    baked: Vec<Vec<u8>>,
    pub(super) shapes: Vec<WobbleShape>,
    pub(super) players: Vec<Player>,
    /// A state to go back to, who was there, and their shapes.
    pub(super) saved: Vec<u8>,
    pub(super) saved_players: Vec<Player>,
    pub(super) saved_shapes: Vec<WobbleShape>,
    pub(super) saved_at: u64,
    stale: Vec<u64>,
    positions: Vec<f32>,
    pub(super) now: u64,
    tally: Tally,
}

/// Turns a status into an outcome.
pub(super) fn ok(status: i32) -> Outcome<()> {
    if status == 0 { Ok(()) } else { Err(format!("{}: {}", name_of(status), last_error())) }
}

/// The value that a call writes.
pub(super) fn get<T: Default>(call: impl FnOnce(*mut T) -> i32) -> Outcome<T> {
    let mut value = T::default();
    ok(call(&raw mut value))?;
    Ok(value)
}

impl<'a> Game<'a> {
    /// A world with ground and walls, and shapes to make bodies of.
    pub fn new(plan: Plan, dice: &'a mut Dice, handles: &'a mut Handles) -> Outcome<Game<'a>> {
        let gravity = WobbleVec3 { x: 0.0, y: -9.81, z: 0.0 };
        let def = WobbleWorldDef { threads: plan.threads, substeps: 2, gravity, ..WobbleWorldDef::default() };
        // SAFETY: in all calls of this file, pointers lead to what they claim.
        let world = get(|out| unsafe { wobble_world_create(&raw const def, out) })?;
        handles.add(world.bits)?;
        let (shapes, players, stale) = (Vec::new(), Vec::new(), Vec::new());
        let (saved, positions, baked) = (Vec::new(), Vec::new(), Vec::new());
        let tally = Tally::default();
        let mut game = Game {
            dice,
            handles,
            world,
            baked,
            shapes,
            players,
            saved,
            saved_players: Vec::new(),
            saved_shapes: Vec::new(),
            saved_at: 0,
            stale,
            positions,
            now: 0,
            tally,
        };
        game.enclose()?;
        for kind in 0..KINDS {
            let bytes = game.bake(kind)?;
            game.baked.push(bytes);
            game.load_shape()?;
        }
        Ok(game)
    }

    fn enclose(&mut self) -> Outcome<()> {
        // The ground comes last: in a corner, the friction of a later plane moves what an earlier one
        // has put on its surface.
        for (x, y, z, offset) in [
            (1.0, 0.0, 0.0, -WALL),
            (-1.0, 0.0, 0.0, -WALL),
            (0.0, 0.0, 1.0, -WALL),
            (0.0, 0.0, -1.0, -WALL),
            (0.0, 1.0, 0.0, 0.0),
        ] {
            let normal = WobbleVec3 { x, y, z };
            let def = WobbleColliderDef { normal, offset, restitution: 0.2, ..WobbleColliderDef::default() };
            let plane: wobble::capi::handles::WobbleCollider =
                get(|out| unsafe { wobble_collider_create(self.world, &raw const def, out) })?;
            self.handles.add(plane.bits)?;
        }
        Ok(())
    }

    /// Builds a shape of some kind and saves it.
    fn bake(&mut self, kind: u64) -> Outcome<Vec<u8>> {
        let (nx, ny, nz) = [(4, 4, 4), (5, 5, 5), (4, 4, 10), (8, 2, 8), (6, 6, 6)][kind as usize % 5];
        let at = |i: i32, n: i32| (i - n / 2) as f32 * 0.12;
        let row = |y, z| (0..nx).flat_map(move |x| [at(x, nx), at(y, ny), at(z, nz)]);
        let points: Vec<f32> = (0..nz).flat_map(|z| (0..ny).flat_map(move |y| row(y, z))).collect();
        let count = points.len() as u32 / 3;
        let none = (std::ptr::null(), std::ptr::null());
        let shape: WobbleShape = get(|out| unsafe {
            wobble_shape_create_from_points(points.as_ptr(), count, 0, none.0, 0, none.1, out)
        })?;
        self.handles.add(shape.bits)?;
        let size: u32 = get(|out| unsafe { wobble_shape_save_size(shape, out) })?;
        let mut bytes = vec![0; size as usize];
        let _: u32 = get(|out| unsafe { wobble_shape_save(shape, bytes.as_mut_ptr(), size, out) })?;
        ok(wobble_shape_release(shape))?;
        self.bury(shape.bits);
        Ok(bytes)
    }

    /// Loads one more of the saved shapes.
    pub(super) fn load_shape(&mut self) -> Outcome<()> {
        let bytes = &self.baked[self.dice.index(self.baked.len())];
        let shape: WobbleShape =
            get(|out| unsafe { wobble_shape_load(bytes.as_ptr(), bytes.len() as u32, out) })?;
        self.handles.add(shape.bits)?;
        self.shapes.push(shape);
        Ok(())
    }

    /// Gives one of the shapes back; bodies of it live on.
    pub(super) fn release_shape(&mut self) -> Outcome<()> {
        let at = self.dice.index(self.shapes.len());
        let shape = self.shapes.swap_remove(at);
        ok(wobble_shape_release(shape))?;
        self.bury(shape.bits);
        Ok(())
    }

    /// Keeps a handle that must stay stale from now on.
    pub(super) fn bury(&mut self, bits: u64) {
        if self.stale.len() < STALE {
            self.stale.push(bits);
        } else {
            let at = self.dice.index(STALE);
            self.stale[at] = bits;
        }
    }

    /// Forgets that a handle is stale.
    pub(super) fn unbury(&mut self, bits: u64) {
        self.stale.retain(|stale| *stale != bits);
    }

    /// Notes a handle that must be new.
    pub(super) fn note(&mut self, bits: u64) -> Outcome<()> {
        self.handles.add(bits)
    }

    /// Makes a body somewhere above the ground.
    pub(super) fn add_player(&mut self) -> Outcome<()> {
        let shape = self.dice.pick(&self.shapes);
        let mut def = WobbleBodyDef { position: self.place(), ..WobbleBodyDef::default() };
        def.velocity.x = self.dice.float(-4.0, 4.0);
        def.rotation.y = self.dice.float(-1.0, 1.0);
        let body: WobbleBody =
            get(|out| unsafe { wobble_body_create(self.world, shape, &raw const def, out) })?;
        self.handles.add(body.bits)?;
        let particles = get(|out| unsafe { wobble_body_particle_count(body, out) })?;
        let until = self.now + u64::from(self.dice.between(2, 30)) * RATE;
        self.players.push(Player { body, particles, until, held: None });
        self.tally.bodies += 1;
        Ok(())
    }

    /// A place within the walls.
    pub(super) fn place(&mut self) -> WobbleVec3 {
        let mut across = || self.dice.float(2.0 - WALL, WALL - 2.0);
        let (x, z) = (across(), across());
        WobbleVec3 { x, y: self.dice.float(1.2, 4.0), z }
    }

    /// Takes a body away.
    pub(super) fn remove_player(&mut self, at: usize) -> Outcome<()> {
        let player = self.players.swap_remove(at);
        ok(wobble_body_destroy(player.body))?;
        self.bury(player.body.bits);
        Ok(())
    }

    /// One sixtieth of a second.
    pub fn step(&mut self) -> Outcome<()> {
        while self.players.len() < FEW || self.players.len() < MANY && self.dice.chance(4) {
            self.add_player()?;
        }
        for at in (0..self.players.len()).rev() {
            if self.players[at].until <= self.now {
                self.remove_player(at)?;
            }
        }
        self.events()?;
        if self.now % 7 == 3 {
            ok(wobble_world_step_begin(self.world, 1.0 / RATE as f32))?;
            ok(wobble_world_step_wait(self.world))?;
        } else {
            ok(wobble_world_step(self.world, 1.0 / RATE as f32))?;
        }
        self.now += 1;
        if self.now.is_multiple_of(RATE / 2) {
            self.inspect()?;
        }
        Ok(())
    }

    /// Looks at every body: finite, above the ground, not frozen; and at some stale handles.
    fn inspect(&mut self) -> Outcome<()> {
        for player in &self.players {
            let (body, count) = (player.body, player.particles);
            self.positions.resize(3 * count as usize, 0.0);
            let pointer = self.positions.as_mut_ptr();
            ok(unsafe { wobble_body_positions(body, pointer, 0, count) })?;
            for (i, place) in self.positions.chunks_exact(3).enumerate() {
                if !place.iter().all(|c| c.is_finite()) || place[1] < -SUNK {
                    return Err(format!("particle {i} of body {:#x} is at {place:?}", body.bits));
                }
                for c in place {
                    self.tally.hash =
                        (self.tally.hash ^ u64::from(c.to_bits())).wrapping_mul(0x0000_0100_0000_01b3);
                }
            }
            if get::<u32>(|out| unsafe { wobble_body_is_frozen(body, out) })? != 0 {
                return Err(format!("body {:#x} is frozen", body.bits));
            }
        }
        for _ in 0..4.min(self.stale.len()) {
            let bits = self.stale[self.dice.index(self.stale.len())];
            check_stale(bits)?;
        }
        let count: u32 = get(|out| unsafe { wobble_world_body_count(self.world, out) })?;
        if count as usize != self.players.len() {
            return Err(format!("{count} bodies instead of {}", self.players.len()));
        }
        Ok(())
    }

    /// Ends everything; what was counted goes to `tally`.
    pub fn end(mut self, tally: &mut Tally) -> Outcome<()> {
        self.inspect()?;
        for shape in std::mem::take(&mut self.saved_shapes) {
            ok(wobble_shape_release(shape))?;
        }
        while self.shapes.len() > 1 {
            self.release_shape()?;
        }
        // The other way round for the last: a shape may outlive its bodies and the world.
        let bodies: Vec<u64> = self.players.iter().map(|p| p.body.bits).collect();
        ok(wobble_world_destroy(self.world))?;
        bodies.into_iter().chain([self.world.bits]).try_for_each(check_stale)?;
        self.release_shape()?;
        self.stale.iter().try_for_each(|bits| check_stale(*bits))?;
        tally.hash = tally.hash.rotate_left(7) ^ self.tally.hash;
        tally.bodies += self.tally.bodies;
        Ok(())
    }
}

/// A handle of something that is gone must be told apart, whatever its kind.
fn check_stale(bits: u64) -> Outcome<()> {
    let mut number = 0;
    let out = &raw mut number;
    // SAFETY: it leads to a number.
    let statuses = unsafe {
        [
            wobble_body_particle_count(WobbleBody { bits }, out),
            wobble_shape_particle_count(WobbleShape { bits }, out),
            wobble_world_substeps(WobbleWorld { bits }, out),
        ]
    };
    let told = [WOBBLE_STATUS_STALE_HANDLE, WOBBLE_STATUS_INVALID_HANDLE];
    if statuses.iter().all(|s| told.contains(s)) && statuses.contains(&WOBBLE_STATUS_STALE_HANDLE) {
        return Ok(());
    }
    Err(format!("the stale handle {bits:#x} got {statuses:?}"))
}
