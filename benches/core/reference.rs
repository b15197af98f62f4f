//! Multi-resolution shape matching as MR prints it: the reference the library is
//! timed against and whose trajectories it must follow.
//!
//! Written for reading, not for speed: particles and clusters are structs, numbers
//! are `f64`, every cluster takes one singular value decomposition, one level comes
//! after the other (MR Algorithms 2 and 3), on one thread. What does not change
//! from step to step is computed once. Particles stay in the order they came in;
//! clusters and weights are those of a shape built with independent levels.

use nalgebra::{Matrix3, Vector3};
use wobble::{Nesting, Rotation, Shape};

/// A particle as MR 3.1 has it, with what a step gathers for it.
struct Particle {
    mass: f64,
    rest: Vector3<f64>,
    position: Vector3<f64>,
    velocity: Vector3<f64>,
    /// Goals of the level at hand.
    goal: Vector3<f64>,
    goal_velocity: Vector3<f64>,
    /// Change of velocity, summed over the levels.
    change: Vector3<f64>,
}

/// A cluster: members with their weights, and what its rest shape fixes.
struct Cluster {
    members: Vec<(usize, f64)>,
    mass: f64,
    rest_centre: Vector3<f64>,
    /// `A_rr⁻¹` of MR Eq. 3.
    rest_inverse: Matrix3<f64>,
}

/// The parameters of MR Algorithm 3.
pub struct Parameters {
    /// α, per step.
    pub stiffness: f64,
    /// k_d, per step; at 0 goal velocities are not computed.
    pub damping: f64,
    /// m/s².
    pub gravity: Vector3<f64>,
    /// What the rotation of a cluster is taken from.
    pub rotation: Rotation,
    /// Weights of the levels, finest first; they sum to 1.
    pub level_weights: Vec<f64>,
}

/// One body and its clusters, level by level, finest first.
pub struct Reference {
    particles: Vec<Particle>,
    levels: Vec<Vec<Cluster>>,
    parameters: Parameters,
}

impl Reference {
    /// The body at rest about the origin, particles in the order they were given in.
    pub fn new(shape: &Shape, parameters: Parameters) -> Reference {
        assert_eq!(shape.nesting(), Nesting::Independent, "MR clusters particles at every level");
        let particles: Vec<Particle> = (shape.place().iter())
            .map(|&place| {
                let (rest, mass) = (shape.rest()[place as usize], shape.masses()[place as usize]);
                let rest = Vector3::new(rest.x.into(), rest.y.into(), rest.z.into());
                Particle {
                    mass: mass.into(),
                    rest,
                    position: rest,
                    velocity: Vector3::zeros(),
                    goal: Vector3::zeros(),
                    goal_velocity: Vector3::zeros(),
                    change: Vector3::zeros(),
                }
            })
            .collect();
        let levels = shape.levels().iter().map(|level| clusters(level, shape.order(), &particles)).collect();
        Reference { particles, levels, parameters }
    }

    /// Positions in the order the particles were given in.
    pub fn positions(&self) -> impl Iterator<Item = Vector3<f64>> + '_ {
        self.particles.iter().map(|p| p.position)
    }

    /// Sets all positions and velocities, in the order the particles were given in.
    pub fn set_state(&mut self, state: impl Iterator<Item = (Vector3<f64>, Vector3<f64>)>) {
        for (particle, (position, velocity)) in self.particles.iter_mut().zip(state) {
            particle.position = position;
            particle.velocity = velocity;
        }
    }

    /// MR Algorithm 2: from the coarsest level to the finest, which integrates.
    pub fn step(&mut self, dt: f64) {
        for particle in &mut self.particles {
            particle.change = Vector3::zeros();
        }
        for level in (0..self.levels.len()).rev() {
            self.compute_goals(level);
            self.accumulate(level, dt);
        }
        self.integrate(dt);
    }

    /// MR Eq. 1-7 for every cluster of a level, averaged as in MR Eq. 11 and 12.
    fn compute_goals(&mut self, level: usize) {
        let damped = self.parameters.damping > 0.0;
        for particle in &mut self.particles {
            particle.goal = Vector3::zeros();
            particle.goal_velocity = Vector3::zeros();
        }
        for cluster in &self.levels[level] {
            let (mut centre, mut velocity) = (Vector3::zeros(), Vector3::zeros());
            for &(i, weight) in &cluster.members {
                let particle = &self.particles[i];
                let mass = weight * particle.mass;
                centre += mass * particle.position;
                if damped {
                    velocity += mass * particle.velocity;
                }
            }
            centre /= cluster.mass;
            velocity /= cluster.mass;
            let rotation = cluster.rotation(&self.particles, centre, self.parameters.rotation);
            for &(i, weight) in &cluster.members {
                let particle = &mut self.particles[i];
                particle.goal += weight * (rotation * (particle.rest - cluster.rest_centre) + centre);
                if damped {
                    particle.goal_velocity += weight * velocity;
                }
            }
        }
    }

    /// MR Algorithm 3, line 2.
    fn accumulate(&mut self, level: usize, dt: f64) {
        let Parameters { stiffness, damping, gravity, ref level_weights, .. } = self.parameters;
        for particle in &mut self.particles {
            let mut change = dt * gravity + stiffness / dt * (particle.goal - particle.position);
            if damping > 0.0 {
                change += damping * (particle.goal_velocity - particle.velocity);
            }
            particle.change += level_weights[level] * change;
        }
    }

    /// MR Algorithm 3, lines 4 and 5.
    fn integrate(&mut self, dt: f64) {
        for particle in &mut self.particles {
            particle.velocity += particle.change;
            particle.position += dt * particle.velocity;
        }
    }
}

/// The clusters of one level, with masses, centres and `A_rr⁻¹` (MR Eq. 3 and 10).
/// `order` gives the particle that a row of the level's table stands for.
fn clusters(level: &wobble::Level, order: &[u32], particles: &[Particle]) -> Vec<Cluster> {
    let mut all: Vec<Vec<(usize, f64)>> = vec![Vec::new(); level.cluster_count()];
    for (row, &particle) in order.iter().enumerate() {
        for entry in level.held_by().row(row) {
            all[entry.index as usize].push((particle as usize, entry.weight.into()));
        }
    }
    all.into_iter()
        .map(|members| {
            let mass: f64 = members.iter().map(|&(i, w)| w * particles[i].mass).sum();
            let sum: Vector3<f64> =
                members.iter().map(|&(i, w)| w * particles[i].mass * particles[i].rest).sum();
            let rest_centre = sum / mass;
            let spread: Matrix3<f64> = (members.iter())
                .map(|&(i, w)| {
                    let r = particles[i].rest - rest_centre;
                    w * particles[i].mass * r * r.transpose()
                })
                .sum();
            let rest_inverse =
                spread.pseudo_inverse(1e-12 * spread.trace()).expect("the tolerance is positive");
            Cluster { members, mass, rest_centre, rest_inverse }
        })
        .collect()
}

impl Cluster {
    /// MR Eq. 3-5: the rotation nearest to `A_xr`, or to `F = A_xr A_rr⁻¹`.
    fn rotation(&self, particles: &[Particle], centre: Vector3<f64>, from: Rotation) -> Matrix3<f64> {
        let mut a_xr = Matrix3::zeros();
        for &(i, weight) in &self.members {
            let particle = &particles[i];
            let offset = weight * particle.mass * (particle.position - centre);
            a_xr += offset * (particle.rest - self.rest_centre).transpose();
        }
        let matched = match from {
            Rotation::Momentum => a_xr,
            Rotation::Stretch => a_xr * self.rest_inverse,
        };
        let svd = matched.svd(true, true);
        let (mut u, v_t) = (svd.u.expect("asked for"), svd.v_t.expect("asked for"));
        // Singular values descend: mirror the least of them rather than the body.
        if (u * v_t).determinant() < 0.0 {
            u.column_mut(2).neg_mut();
        }
        u * v_t
    }
}
