//! A scene filmed without a window, by the examples' software renderer.

use std::path::Path;

use glam::Vec3;
use wobble::{ColliderShape, World};

use crate::options::Options;
use crate::play::Play;
use crate::solids::Triangles;
use crate::support::picture::write_animation;
use crate::support::render::{Camera, Renderer, Splat};
use crate::views::{Look, Painter, View};

/// Frames a second of the film.
const RATE: u16 = 25;

/// Plays the scene that is being built and writes the film.
pub fn film(mut play: Play, options: &Options, file: &Path) -> Result<(), String> {
    play.take_over(true);
    let Some(stage) = &play.stage else {
        return Err(play.trouble.unwrap_or_else(|| "there is nothing to film".into()));
    };
    let (width, height) = options.size.unwrap_or((480, 300));
    let camera = Camera { eye: stage.eye, target: stage.target, opening: 0.75 };
    let mut renderer = Renderer::new(width.into(), height.into(), &camera, 6.0);
    let seconds = options.seconds.unwrap_or(stage.seconds.min(4.0));
    let colliders = colliders(&stage.world);
    let look = Look {
        view: options.view.filter(|view| *view == View::Clusters).unwrap_or(View::Particles),
        level: options.level,
        proxies: false,
        contacts: false,
    };
    let mut painter = Painter::new();
    let mut frames = Vec::new();
    for frame in 0..(seconds * f32::from(RATE)) as u32 {
        while play.stage.as_ref().is_some_and(|stage| stage.time() * f32::from(RATE) < frame as f32) {
            play.step();
            if let Some(trouble) = play.trouble {
                return Err(trouble);
            }
        }
        let stage = play.stage.as_ref().expect("it was there before");
        let picture =
            painter.paint(&stage.world, &stage.drawn, &look, 1.0).map_err(|error| error.to_string())?;
        let balls = picture.balls.iter().map(|ball| Splat {
            centre: ball.centre.truncate(),
            radius: ball.centre.w,
            colour: ball.colour.truncate(),
        });
        let splats: Vec<Splat> = balls.chain(colliders.iter().map(splat)).collect();
        frames.push(renderer.draw(&splats));
    }
    write_animation(&frames, RATE, file).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{seconds} s of {} are in {}", play.scene().name, file.display());
    Ok(())
}

/// Radius of the spheres that colliders are made of here, and how far apart they are, metres.
const GRAIN: f32 = 0.03;

fn splat(at: &Vec3) -> Splat {
    Splat { centre: *at, radius: GRAIN, colour: Vec3::new(0.36, 0.40, 0.46) }
}

/// Points all over the colliders as they are now, but for planes: the renderer has a ground of its own.
fn colliders(world: &World) -> Vec<Vec3> {
    let mut points = Vec::new();
    for (_, collider) in world.colliders() {
        if matches!(collider.shape(), ColliderShape::Plane { .. }) {
            continue;
        }
        let solid = Triangles::of_collider(collider.shape());
        let at = |i: u32| collider.position() + collider.rotation() * solid.positions[i as usize];
        for t in solid.indices.chunks(3) {
            let [a, b, c] = [at(t[0]), at(t[1]), at(t[2])];
            let steps =
                ((b - a).length().max((c - a).length()).max((c - b).length()) / GRAIN).ceil().max(1.0);
            let n = (steps as u32).min(400);
            for i in 0..=n {
                for j in 0..=n - i {
                    let [u, v] = [i, j].map(|k| k as f32 / n as f32);
                    points.push(a + (b - a) * u + (c - a) * v);
                }
            }
        }
    }
    points
}
