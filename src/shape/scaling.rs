//! The same shape larger, smaller or stretched, without clustering it anew.
//!
//! Reads a shape; writes another with the same clusters, members and weights. All else is derived by the
//! code that builds shapes (`assembly.rs`), on all cores, in about the time that loading takes.

use std::sync::Arc;

use glam::Vec3;

use super::{Parts, Shape, is_mass};
use crate::clustering::{LevelReport, Workers};
use crate::error::{Error, within};
use crate::headroom;

impl Shape {
    /// This shape with lengths multiplied by `scale` along each axis, from 1e-3 to 1e3, the mesh that it
    /// carries too. It weighs `mass` kg, or as much more or less as its volume grows or shrinks when `None`.
    ///
    /// ```
    /// # use glam::{Vec3, vec3};
    /// # use wobble::{LevelsDef, Shape};
    /// # let shape = Shape::from_points(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z], None, &LevelsDef::default())?;
    /// let tall = shape.scaled(vec3(1.0, 2.0, 1.0), None)?;
    /// assert!((tall.mass() - 2.0 * shape.mass()).abs() < 1e-6);
    /// assert_eq!(tall.particle_count(), shape.particle_count());
    /// # Ok::<(), wobble::Error>(())
    /// ```
    pub fn scaled(&self, scale: Vec3, mass: Option<f32>) -> Result<Arc<Shape>, Error> {
        for factor in scale.to_array() {
            within("scale", factor, 1e-3, 1e3, "from 1e-3 to 1e3")?;
        }
        let heavier = match mass {
            Some(mass) => {
                within("mass", mass, 1e-9, 1e9, "from 1e-9 to 1e9 kg")?;
                f64::from(mass) / f64::from(self.mass)
            }
            None => scale.as_dvec3().element_product(),
        };
        let workers = Workers::new(0, self.particle_count());
        headroom::ensure(2 * self.bytes(), "a scaled shape")?;
        let masses: Vec<f32> = self.masses.iter().map(|&m| (f64::from(m) * heavier) as f32).collect();
        if let Some(index) = masses.iter().position(|m| !is_mass(*m)) {
            let wanted = "from 1e-12 to 1e9 kg once scaled";
            return Err(Error::Element { field: "masses", index, value: masses[index].into(), wanted });
        }
        let wider = scale.max_element();
        let report = |r: &LevelReport| LevelReport { radius: r.radius * wider, ..r.clone() };
        let parts = Parts {
            rest: self.rest.iter().map(|r| (r.truncate() * scale).extend(1.0)).collect(),
            masses,
            order: self.order.clone(),
            nesting: self.nesting,
            levels: self.levels.iter().map(|l| (l.held_by.clone(), report(&l.report))).collect(),
            tuning: self.tuning.clone(),
            toughness: self.toughness.clone(),
            pinned: self.pinned.clone(),
            centre: self.centre * scale,
            skin: self.skin.as_ref().map(|skin| skin.scaled(scale)),
        };
        let shape = Shape::assembled(parts, &workers);
        match shape.unsound_cluster() {
            None => Ok(Arc::new(shape)),
            Some(i) => {
                let why = format!("cluster {i} would have numbers beyond what single precision holds");
                Err(Error::Unsuitable { what: "scale", why })
            }
        }
    }

    /// The first cluster that has no mass, or numbers that single precision cannot hold.
    pub(crate) fn unsound_cluster(&self) -> Option<usize> {
        let sound = |values: &[f32]| values.iter().all(|v| v.is_finite());
        self.clusters.iter().zip(&self.scatter).position(|(c, scatter)| {
            let vectors = c.centre.is_finite() && c.residue.is_finite();
            let numbers = sound(&[c.mass, c.inverse_mass, c.spread, c.width]) && sound(scatter);
            !(c.mass > 0.0 && vectors && numbers)
        })
    }
}

#[cfg(test)]
mod tests {
    use glam::{Vec3, vec3};

    use crate::{BodyDef, LevelsDef, Shape, SkinBuffers, Solid, World, WorldDef};

    const STRETCH: Vec3 = vec3(2.0, 1.0, 0.5);

    fn bear() -> std::sync::Arc<Shape> {
        let sampling = crate::SamplingDef { amount: crate::Amount::Count(300), ..Default::default() };
        let bear = Solid::gummy_bear(0.5).unwrap();
        Shape::from_solid(&bear, 24, &sampling, &LevelsDef::default(), &mut |_| true).unwrap()
    }

    #[test]
    fn a_scaled_shape_has_scaled_places_masses_and_mesh_and_the_same_clusters() {
        let shape = bear();
        let wide = shape.scaled(STRETCH, None).unwrap();
        assert!((wide.mass() / shape.mass() - 1.0).abs() < 1e-5);
        assert!((shape.scaled(STRETCH, Some(7.0)).unwrap().mass() - 7.0).abs() < 1e-5);
        for (a, b) in shape.rest().iter().zip(wide.rest()) {
            assert_eq!(a.truncate() * STRETCH, b.truncate());
        }
        let count = |s: &Shape| s.levels().iter().map(|l| l.cluster_count()).collect::<Vec<_>>();
        assert_eq!(count(&shape), count(&wide));
        let (before, after) = (shape.skin().unwrap(), wide.skin().unwrap());
        assert_eq!(before.triangles(), after.triangles());
        for (i, (a, b)) in before.rest().iter().zip(after.rest()).enumerate() {
            assert_eq!(a.truncate() * STRETCH, b.truncate());
            assert_eq!(before.influences(i), after.influences(i));
        }
    }

    /// How upright normals stand on the triangles of a body's mesh, 1 being all of them, and its shape error.
    fn at_rest(shape: &std::sync::Arc<Shape>) -> (f32, f32) {
        let def = WorldDef { threads: 1, gravity: Vec3::ZERO, ..WorldDef::default() };
        let mut world = World::new(&def).unwrap();
        let id = world.add_body(shape, &BodyDef::default()).unwrap();
        (0..10).for_each(|_| world.step(1.0 / 60.0).unwrap());
        let skin = shape.skin().unwrap();
        let mut positions = vec![Vec3::ZERO; skin.vertex_count()];
        let mut normals = positions.clone();
        let (to, along) = (Some(&mut positions[..]), Some(&mut normals[..]));
        let mut out = SkinBuffers { positions: to, normals: along, ..SkinBuffers::default() };
        world.read_skin(id, 1.0, &mut out).unwrap();
        let mut upright = 0.0;
        for t in skin.triangles() {
            let [a, b, c] = t.map(|i| positions[i as usize]);
            let face = (b - a).cross(c - a).normalize_or_zero();
            upright += t.iter().map(|&i| face.dot(normals[i as usize])).sum::<f32>() / 3.0;
        }
        (upright / skin.triangles().len() as f32, world.body(id).unwrap().shape_error())
    }

    #[test]
    fn a_body_of_a_scaled_shape_rests_in_it_and_its_normals_stand_as_upright_as_before() {
        let shape = bear();
        let (before, _) = at_rest(&shape);
        let (after, error) = at_rest(&shape.scaled(STRETCH, None).unwrap());
        println!("{before} before, {after} after, shape error {error}");
        assert!(error < 1e-5 && before > 0.9 && after > before - 0.02);
    }

    #[test]
    fn scales_that_are_flat_mirrored_or_not_finite_are_refused() {
        let shape = bear();
        for scale in [Vec3::ZERO, vec3(-1.0, 1.0, 1.0), vec3(1.0, f32::NAN, 1.0), Vec3::splat(1e4)] {
            assert!(shape.scaled(scale, None).is_err(), "{scale}");
        }
        for mass in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(shape.scaled(Vec3::ONE, Some(mass)).is_err(), "{mass}");
        }
    }
}
