//! What happens to bodies in a game, a few of these in every second.

use wobble::capi::body::*;
use wobble::capi::defs::{WobbleBounds, WobbleQuat, WobbleVec3};
use wobble::capi::handles::{WobbleBody, WobbleShape};
use wobble::capi::reading::*;
use wobble::capi::shape::wobble_shape_release;
use wobble::capi::tuning::*;
use wobble::capi::world::*;

use super::play::{Game, get, ok};
use super::{Outcome, RATE};

const PRESETS: [&std::ffi::CStr; 6] = [c"jelly", c"rubber", c"flesh", c"foam", c"gummy", c"water balloon"];
const WEIGHTINGS: [&std::ffi::CStr; 3] = [c"uniform", c"gaussian_fine", c"linear_coarse"];
/// Longest that a particle is held, steps.
const HOLD: u32 = 60;

impl Game<'_> {
    /// A few random events, and those that are due.
    pub(super) fn events(&mut self) -> Outcome<()> {
        self.let_go()?;
        if self.dice.chance(30) {
            let at = self.dice.index(self.players.len());
            self.event(at)?;
        }
        if self.dice.below(10 * RATE) == 0 {
            self.release_shape()?;
            self.load_shape()?;
        }
        if self.dice.below(10 * RATE) == 0 {
            self.remember()?;
        }
        if !self.saved.is_empty() && self.now > self.saved_at + RATE {
            self.go_back()?;
        }
        Ok(())
    }

    fn event(&mut self, at: usize) -> Outcome<()> {
        let (body, particles) = (self.players[at].body, self.players[at].particles);
        let particle = self.dice.between(0, particles - 1);
        let [x, y, z] = [(); 3].map(|()| self.dice.float(-1.0, 1.0));
        match self.dice.below(14) {
            0 => ok(wobble_body_apply_force(body, 40.0 * x, 40.0 * y.abs(), 40.0 * z)),
            1 => ok(wobble_body_apply_force_to(body, particle, x, y, z)),
            2 => ok(wobble_body_apply_impulse(body, 2.0 * x, 3.0 * y.abs(), 2.0 * z)),
            3 => ok(wobble_body_apply_impulse_to(body, particle, 0.02 * x, 0.02 * y, 0.02 * z)),
            4 => ok(wobble_body_set_velocity(body, 3.0 * x, 3.0 * y, 3.0 * z)),
            5 => self.teleport(body),
            6 => self.hold(at, particle),
            7 => ok(unsafe { wobble_body_set_preset(body, self.dice.pick(&PRESETS).as_ptr()) }),
            8 => {
                ok(unsafe { wobble_body_set_weighting(body, self.dice.pick(&WEIGHTINGS).as_ptr(), 1.0, 1.0) })
            }
            9 => self.blend(body, x.abs()),
            10 => self.recall(body),
            11 => self.lift(body),
            12 => ok(wobble_body_set_velocity_of(body, particle, x, y, z)),
            _ => ok(wobble_body_set_enabled(body, u32::from(self.dice.chance(90)))),
        }
    }

    fn teleport(&mut self, body: WobbleBody) -> Outcome<()> {
        let place = self.place();
        let turn = WobbleQuat { x: self.dice.float(-1.0, 1.0), y: 0.0, z: 0.0, w: 1.0 };
        // SAFETY: here and below, pointers lead to what they claim.
        ok(unsafe { wobble_body_teleport(body, &raw const place, &raw const turn) })?;
        ok(wobble_body_set_enabled(body, 1))
    }

    /// Back to the rest shape, where there is room for it.
    fn lift(&mut self, body: WobbleBody) -> Outcome<()> {
        let centre: WobbleVec3 = get(|out| unsafe { wobble_body_centre_of_mass(body, out) })?;
        let above = WobbleVec3 { y: centre.y.max(1.2), ..centre };
        ok(wobble_body_reset(body))?;
        ok(unsafe { wobble_body_teleport(body, &raw const above, std::ptr::null()) })
    }

    /// Takes hold of a particle and moves it up a little.
    fn hold(&mut self, at: usize, particle: u32) -> Outcome<()> {
        if self.players[at].held.is_some() {
            return Ok(());
        }
        let body = self.players[at].body;
        let bounds: WobbleBounds = get(|out| unsafe { wobble_body_bounds(body, out) })?;
        ok(wobble_body_pin(body, particle))?;
        let [x, z] =
            [(bounds.low.x, bounds.high.x), (bounds.low.z, bounds.high.z)].map(|(a, b)| 0.5 * (a + b));
        ok(wobble_body_move_pin(body, particle, x, bounds.high.y + 0.1, z))?;
        self.players[at].held = Some((particle, self.now + u64::from(self.dice.between(1, HOLD))));
        Ok(())
    }

    fn let_go(&mut self) -> Outcome<()> {
        for at in 0..self.players.len() {
            if let Some((particle, until)) = self.players[at].held
                && until <= self.now
            {
                ok(wobble_body_unpin(self.players[at].body, particle))?;
                self.players[at].held = None;
            }
        }
        Ok(())
    }

    /// Shifts weight between the finest and the coarsest level.
    fn blend(&mut self, body: WobbleBody, share: f32) -> Outcome<()> {
        let levels: u32 = get(|out| unsafe { wobble_body_level_count(body, out) })?;
        if levels > 1 {
            ok(wobble_body_set_level_weight(body, levels - 1, 0.1 + 0.8 * share))?;
            ok(wobble_body_set_level_stiffness(body, 0, 0.5 + share))?;
        }
        ok(wobble_body_set_level_damping(body, 0, 0.5 + share))
    }

    /// Writes a body down and puts it back at once.
    fn recall(&mut self, body: WobbleBody) -> Outcome<()> {
        let size: u32 = get(|out| unsafe { wobble_body_snapshot_size(body, out) })?;
        let mut bytes = vec![0; size as usize];
        let _: u32 = get(|out| unsafe { wobble_body_snapshot(body, bytes.as_mut_ptr(), size, out) })?;
        ok(unsafe { wobble_body_restore(body, bytes.as_ptr(), size) })
    }

    /// Writes the world down, to go back to it a second later.
    fn remember(&mut self) -> Outcome<()> {
        let size: u32 = get(|out| unsafe { wobble_world_snapshot_size(self.world, out) })?;
        self.saved.resize(size as usize, 0);
        let _: u32 =
            get(|out| unsafe { wobble_world_snapshot(self.world, self.saved.as_mut_ptr(), size, out) })?;
        self.saved_at = self.now;
        self.saved_players = self.players.clone();
        // Bodies that go meanwhile must find their shapes again.
        for at in 0..self.players.len() {
            let body = self.players[at].body;
            let shape: WobbleShape = get(|out| unsafe { wobble_body_shape(body, out) })?;
            self.note(shape.bits)?;
            self.saved_shapes.push(shape);
        }
        Ok(())
    }

    /// Goes back: bodies made since then are gone, bodies that went are here again.
    fn go_back(&mut self) -> Outcome<()> {
        let (bytes, shapes) = (std::mem::take(&mut self.saved), std::mem::take(&mut self.saved_shapes));
        let (size, count) = (bytes.len() as u32, shapes.len() as u32);
        ok(unsafe { wobble_world_restore(self.world, bytes.as_ptr(), size, shapes.as_ptr(), count) })?;
        for shape in shapes {
            ok(wobble_shape_release(shape))?;
            self.bury(shape.bits);
        }
        let then = std::mem::take(&mut self.saved_players);
        let since = std::mem::replace(&mut self.players, then);
        for player in since {
            if !self.players.iter().any(|p| p.body == player.body) {
                self.bury(player.body.bits);
            }
        }
        for at in 0..self.players.len() {
            self.unbury(self.players[at].body.bits);
        }
        Ok(())
    }
}
