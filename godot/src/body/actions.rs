//! What scripts do with a body, and ask it.

use glam::{Quat, Vec3};
use godot::classes::ArrayMesh;
use godot::prelude::*;
use wobble::{DragDef, Knife, Space};

use super::WobbleBody3D;
use crate::convert::{Placement, packed, vec3, vector3};

#[godot_api(secondary)]
impl WobbleBody3D {
    /// Adds a force on the whole body for the next tick, newtons.
    #[func]
    fn apply_force(&mut self, force: Vector3) {
        self.act(|body| body.apply_force(vec3(force)));
    }

    /// Adds a force on the particles within `radius` metres of a point of the world, or on the nearest, for the next tick,
    /// newtons in all.
    #[func]
    fn apply_force_at(&mut self, point: Vector3, force: Vector3, #[opt(default = 0.1)] radius: f32) {
        self.act(|body| {
            let mut some = body.particles_in_sphere(vec3(point), radius, Space::World)?;
            if some.is_empty() {
                some.extend(body.nearest_particle(vec3(point), Space::World)?);
            }
            let each = vec3(force) / some.len().max(1) as f32;
            some.into_iter().try_for_each(|particle| body.apply_force_to(particle as usize, each))
        });
    }

    /// Changes the momentum of the whole body at once, N s.
    #[func]
    fn apply_impulse(&mut self, impulse: Vector3) {
        self.act(|body| body.apply_impulse(vec3(impulse)));
    }

    /// Changes the momentum of the particles within `radius` metres of a point of the world at once, N s in all; those at
    /// the point gain most.
    #[func]
    fn apply_impulse_at(&mut self, point: Vector3, impulse: Vector3, #[opt(default = 0.2)] radius: f32) {
        self.act(|body| body.apply_impulse_at(vec3(point), vec3(impulse), radius));
    }

    /// Changes the spin of the whole body at once, kg m²/s.
    #[func]
    fn apply_torque_impulse(&mut self, impulse: Vector3) {
        self.act(|body| body.apply_torque_impulse(vec3(impulse)));
    }

    /// Puts the body elsewhere, in its rest shape and at rest. Dents, cuts and breaks stay; [method reset] ends them. Pins go along.
    /// The scale of the transform does not count.
    #[func]
    fn teleport(&mut self, transform: Transform3D) {
        let (Some(home), Some(placed)) = (&self.home, self.placed) else { return };
        let centre = home.shape.centre();
        let Some(to) = Placement::of(transform) else {
            self.complain(
                "a transform to teleport to must be finite and not flat; the body stays where it is",
            );
            return;
        };
        if self.act(|body| body.teleport(to.position + to.rotation * centre, to.rotation)) {
            self.jump_to(Placement { scale: placed.scale, ..to });
            self.draw_now();
        }
    }

    /// Back to the rest shape as it was before it was dented, cut or broken, upright and still, about where the body is. Nodes
    /// of pieces that broke off are freed, and what held the broken body lets go; a piece goes back to its own shape.
    #[func]
    fn reset(&mut self) {
        self.mend();
    }

    /// Cuts the body along a plane of the world, all through. Returns how many bodies it is then: 1 if it still hangs
    /// together, 0 if there is none. The largest piece stays this node; the others become nodes beside it at the end of the
    /// frame, told by [signal fractured].
    #[func]
    fn cut(&mut self, plane: Plane) -> i64 {
        let normal = vec3(plane.normal);
        let point = normal * (plane.d / normal.length_squared().max(f32::MIN_POSITIVE));
        self.cut_with(&Knife::Plane { point, normal })
    }

    /// Cuts the body with the edge of a blade, which went from one place of the world to another, as far as it reaches.
    /// Returns the same as [method cut].
    #[func]
    fn cut_with_blade(&mut self, from_a: Vector3, from_b: Vector3, to_a: Vector3, to_b: Vector3) -> i64 {
        self.cut_with(&Knife::Blade { from: [from_a, from_b].map(vec3), to: [to_a, to_b].map(vec3) })
    }

    /// The largest strain that has become lasting; 0 where nothing has.
    #[func]
    fn get_lasting_strain(&self) -> f32 {
        self.ask(0.0, |body| body.lasting_strain())
    }

    /// Whether the node came about as a piece of another.
    #[func]
    pub fn is_piece(&self) -> bool {
        self.piece.is_some()
    }

    /// Whether the node is debris: particles that nothing holds.
    #[func]
    fn is_debris(&self) -> bool {
        self.piece.as_ref().is_some_and(|piece| piece.is_debris)
    }

    /// Mean velocity, m/s.
    #[func]
    fn get_linear_velocity(&self) -> Vector3 {
        vector3(self.velocity())
    }

    /// Sets the velocity of every particle, m/s.
    #[func]
    fn set_linear_velocity(&mut self, velocity: Vector3) {
        self.act(|body| body.set_velocity(vec3(velocity)));
    }

    /// What keeps the node from being a body, as the editor warns about it.
    #[func]
    fn get_problems(&self) -> PackedStringArray {
        self.misconfigurations().iter().map(|text| GString::from(text.as_str())).collect()
    }

    /// Whether there is a body in the world.
    #[func]
    fn is_simulated(&self) -> bool {
        self.home.is_some()
    }

    /// Whether the body sleeps.
    #[func]
    fn is_sleeping(&self) -> bool {
        self.ask(false, |body| body.is_sleeping())
    }

    /// Whether the body went wild and was stopped.
    #[func]
    fn is_frozen(&self) -> bool {
        self.ask(false, |body| body.is_frozen())
    }

    /// Wakes the body.
    #[func]
    fn wake(&mut self) {
        self.act(|body| {
            body.wake();
            Ok(())
        });
    }

    /// Puts the body to sleep where it is.
    #[func]
    fn put_to_sleep(&mut self) {
        self.act(|body| {
            body.put_to_sleep();
            Ok(())
        });
    }

    /// kg; 0 if there is no body.
    #[func]
    fn get_body_mass(&self) -> f32 {
        self.ask(0.0, |body| body.shape().mass())
    }

    /// Where the centre of mass is in the world.
    #[func]
    fn get_center_of_mass(&self) -> Vector3 {
        vector3(self.ask(Vec3::ZERO, |body| body.centre_of_mass()))
    }

    /// The box about all particles in the world.
    #[func]
    fn get_bounds(&self) -> Aabb {
        let (low, high) = self.ask((Vec3::ZERO, Vec3::ZERO), |body| body.bounds());
        Aabb::new(vector3(low), vector3(high - low))
    }

    /// How far the body is from its rest shape: 0 undeformed, about 0.58 flat as a puddle.
    #[func]
    fn get_shape_error(&self) -> f32 {
        self.ask(0.0, |body| body.shape_error())
    }

    /// Joules.
    #[func]
    fn get_kinetic_energy(&self) -> f32 {
        self.ask(0.0, |body| body.kinetic_energy())
    }

    /// Number of particles; 0 if there is no body.
    #[func]
    fn get_particle_count(&self) -> i64 {
        self.ask(0, |body| body.shape().particle_count() as i64)
    }

    /// Where all particles are in the world.
    #[func]
    fn get_particle_positions(&self) -> PackedVector3Array {
        self.ask(PackedVector3Array::new(), |body| {
            let mut places = vec![Vec3::ZERO; body.shape().particle_count()];
            body.read_positions(&mut places).map_or(PackedVector3Array::new(), |()| packed(&places))
        })
    }

    /// The particle nearest to a point of the world; -1 if there is no body.
    #[func]
    fn get_nearest_particle(&self, point: Vector3) -> i64 {
        self.ask(-1, |body| match body.nearest_particle(vec3(point), Space::World) {
            Ok(Some(particle)) => particle.into(),
            _ => -1,
        })
    }

    /// Holds a particle where it is.
    #[func]
    fn pin_particle(&mut self, particle: i64) {
        self.act(|body| body.pin(usize::try_from(particle).unwrap_or(usize::MAX)));
    }

    /// Lets a pinned particle go.
    #[func]
    fn unpin_particle(&mut self, particle: i64) {
        self.act(|body| body.unpin(usize::try_from(particle).unwrap_or(usize::MAX)));
    }

    /// Moves a pinned particle in the course of the next tick.
    #[func]
    fn move_pin(&mut self, particle: i64, to: Vector3) {
        self.act(|body| body.move_pin(usize::try_from(particle).unwrap_or(usize::MAX), vec3(to)));
    }

    /// The pinned particles.
    #[func]
    fn get_pinned_particles(&self) -> PackedInt32Array {
        self.ask(PackedInt32Array::new(), |body| body.pins().map(|particle| particle as i32).collect())
    }

    /// Weights of the levels as they count, finest first; they sum to 1.
    #[func]
    fn get_effective_level_weights(&self) -> PackedFloat32Array {
        self.ask(PackedFloat32Array::new(), |body| body.level_weights().iter().copied().collect())
    }

    /// The mesh that moves; null if there is no body.
    #[func]
    fn get_moving_mesh(&self) -> Option<Gd<ArrayMesh>> {
        self.moving_mesh()
    }

    /// Where the vertices of the mesh are in the world, as last drawn.
    #[func]
    fn get_vertex_positions(&self) -> PackedVector3Array {
        packed(&self.vertices())
    }

    /// The vertex buffer of a surface as last handed to the renderer, for tests.
    #[func]
    fn get_surface_bytes(&self, surface: i64) -> PackedByteArray {
        self.surface_bytes(surface)
    }

    /// Takes hold of the body about a point of the world, as with a mouse; returns a name for [method move_grab] and
    /// [method release_grab], or 0. The force is bounded by `max_force` newtons, or by ten times the weight if that is 0.
    #[func]
    fn grab(
        &mut self,
        point: Vector3,
        #[opt(default = 0.2)] radius: f32,
        #[opt(default = 0.0)] max_force: f32,
    ) -> i64 {
        let Some(home) = &self.home else { return 0 };
        let weight = 9.81 * home.shape.mass();
        let max_force = if max_force > 0.0 { max_force } else { 10.0 * weight };
        let def = DragDef { point: vec3(point), radius, max_force, ..DragDef::default() };
        let taken = home.core.lock().world.drag(home.id, &def);
        match taken {
            Ok(id) => {
                let name = self.grabs.last_key_value().map_or(0, |(name, _)| *name) + 1;
                self.grabs.insert(name, id);
                name
            }
            Err(error) => {
                self.complain(&error.to_string());
                0
            }
        }
    }

    /// Drags what was taken hold of to a point of the world.
    #[func]
    fn move_grab(&mut self, grab: i64, to: Vector3) {
        let (Some(home), Some(id)) = (&self.home, self.grabs.get(&grab)) else { return };
        let _ = home.core.lock().world.move_attachment(*id, vec3(to), Quat::IDENTITY);
    }

    /// Puts the place that what was taken hold of is dragged to elsewhere at once, as when the body was teleported along.
    #[func]
    fn jump_grab(&mut self, grab: i64, to: Vector3) {
        let (Some(home), Some(id)) = (&self.home, self.grabs.get(&grab)) else { return };
        let _ = home.core.lock().world.set_attachment_pose(*id, vec3(to), Quat::IDENTITY);
    }

    /// Lets go of what was taken hold of.
    #[func]
    fn release_grab(&mut self, grab: i64) {
        let (Some(home), Some(id)) = (&self.home, self.grabs.remove(&grab)) else { return };
        let _ = home.core.lock().world.detach(id);
    }
}
