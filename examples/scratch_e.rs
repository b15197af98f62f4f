use glam::{Vec3, Quat};
use wobble::*;
fn grid(n: usize, size: f32) -> Vec<Vec3> {
    let s = size / (n as f32 - 1.0);
    (0..n*n*n).map(|i| Vec3::new((i % n) as f32, (i / n % n) as f32, (i / n / n) as f32) * s - Vec3::splat(size/2.0)).collect()
}
fn world(g: f32) -> World { World::new(&WorldDef { gravity: Vec3::Y * -g, threads: 1, ..WorldDef::default() }).unwrap() }
fn total(w: &World) -> (Vec3, Vec3, f32) {
    let mut p = glam::DVec3::ZERO; let mut l = glam::DVec3::ZERO; let mut e = 0.0;
    for (_, b) in w.bodies() {
        for ((x, v), m) in b.raw_positions().iter().zip(b.raw_velocities()).zip(b.shape().masses()) {
            let (x, v, m) = (x.truncate().as_dvec3(), v.truncate().as_dvec3(), *m as f64);
            p += v * m; l += x.cross(v) * m; e += 0.5 * m * v.length_squared();
        }
    }
    (p.as_vec3(), l.as_vec3(), e as f32)
}
fn main() {
    let what = std::env::args().nth(1).unwrap_or_default();
    let n: usize = std::env::args().nth(2).map_or(5, |s| s.parse().unwrap());
    let shape = Shape::from_points(&grid(n, 1.0), None, &LevelsDef::default()).unwrap();
    eprintln!("levels {:?}", shape.levels().iter().map(|l| l.cluster_count()).collect::<Vec<_>>());
    match what.as_str() {
        "hit" => {
            for (speed, off) in [(2.0f32, 0.0f32), (2.0, 0.3), (20.0, 0.0), (20.0, 0.25)] {
                let mut w = world(0.0);
                let _a = w.add_body(&shape, &BodyDef { position: Vec3::new(-1.5, off, 0.1), velocity: Vec3::X * speed, ..BodyDef::default() }).unwrap();
                let _b = w.add_body(&shape, &BodyDef { position: Vec3::new(1.5, 0.0, 0.0), velocity: Vec3::X * -speed, rotation: Quat::from_rotation_z(0.3), ..BodyDef::default() }).unwrap();
                let t0 = total(&w);
                println!("speed {speed} off {off} before {t0:?}");
                for f in 0..120 { w.step(1.0/60.0).unwrap(); if f % 20 == 19 {
                    let xs: Vec<_> = w.bodies().map(|(_, b)| (b.centre_of_mass().x, b.shape_error())).collect();
                    println!("  {f} {:?} {xs:?} contacts {}", total(&w), w.profile().contact_count); } }
            }
        }
        "stack" => {
            let count: usize = std::env::args().nth(3).map_or(10, |s| s.parse().unwrap());
            let seconds: usize = std::env::args().nth(4).map_or(10, |s| s.parse().unwrap());
            let mut w = world(9.81);
            w.add_plane(&Plane::default()).unwrap();
            let ids: Vec<_> = (0..count).map(|i| w.add_body(&shape, &BodyDef { position: Vec3::Y * (0.55 + 1.02 * i as f32), ..BodyDef::default() }).unwrap()).collect();
            for f in 0..60 * seconds { w.step(1.0/60.0).unwrap(); if f % (6 * seconds) == 6 * seconds - 1 {
                let gaps: Vec<String> = ids.windows(2).map(|p| {
                    let (a, b) = (w.body(p[0]).unwrap().bounds(), w.body(p[1]).unwrap().bounds());
                    format!("{:.3}", b.0.y - a.1.y) }).collect();
                let top = w.body(ids[count-1]).unwrap();
                let hs: Vec<String> = ids.iter().map(|i| { let b = w.body(*i).unwrap().bounds(); format!("{:.3}", b.1.y - b.0.y) }).collect();
                println!("{f} top {:.3} x {:.4} z {:.4} E {:.6} gaps {} heights {} contacts {}", top.bounds().1.y, top.centre_of_mass().x, top.centre_of_mass().z, total(&w).2, gaps.join(" "), hs.join(" "), w.profile().contact_count);
            } }
        }
        "drop" => { let count = 2; let mut w = world(9.81); w.add_plane(&Plane::default()).unwrap(); let ids: Vec<_> = (0..count).map(|i| w.add_body(&shape, &BodyDef { position: Vec3::Y * (0.5 + 1.5 * i as f32), ..BodyDef::default() }).unwrap()).collect(); for f in 0..90 { w.step(1.0/60.0).unwrap(); let b = w.body(ids[1]).unwrap(); let a = w.body(ids[0]).unwrap(); println!("{f} gap {:.4} vy {:.3} {:.3} err {:.4} {:.4} c {} g {}", b.bounds().0.y - a.bounds().1.y, b.momentum().y, a.momentum().y, a.shape_error(), b.shape_error(), w.profile().contact_count, b.raw_velocities().iter().filter(|v| v.w > 0.0).count()); } }
        "plane" => { let mut w = world(9.81); w.add_plane(&Plane::default()).unwrap(); let id = w.add_body(&shape, &BodyDef { position: Vec3::Y * 1.0, ..BodyDef::default() }).unwrap(); for f in 0..60 { w.step(1.0/60.0).unwrap(); let b = w.body(id).unwrap();  println!("{f} low {:.4} vy {:.3} err {:.4} grips {}", b.bounds().0.y, b.momentum().y, b.shape_error(), b.raw_velocities().iter().filter(|v| v.w > 0.0).count()); } }
        "pile" => {
            let count: usize = std::env::args().nth(3).map_or(100, |s| s.parse().unwrap());
            let steps: usize = std::env::args().nth(4).map_or(240, |s| s.parse().unwrap());
            let mut w = world(9.81);
            w.add_plane(&Plane::default()).unwrap();
            let ids: Vec<_> = (0..count).map(|i| {
                let (x, z, y) = ((i % 5) as f32, (i / 5 % 5) as f32, (i / 25) as f32);
                let p = Vec3::new((x - 2.0) * 1.1 + 0.13 * ((i * 7) % 5) as f32, 1.0 + y * 1.3, (z - 2.0) * 1.1 + 0.1 * ((i * 3) % 7) as f32);
                w.add_body(&shape, &BodyDef { position: p, rotation: Quat::from_euler(glam::EulerRot::XYZ, i as f32 * 0.7, i as f32 * 1.3, 0.2), ..BodyDef::default() }).unwrap() }).collect();
            let t = std::time::Instant::now();
            let (mut c, mut tot, mut m, mut cc) = (0.0, 0.0, 0.0, 0u64);
            for f in 0..steps { w.step(1.0/60.0).unwrap(); let p = w.profile(); c += p.contacts; tot += p.total; m += p.matching; cc += p.contact_count as u64;
                if f % (steps / 8) == steps / 8 - 1 { println!("{f} E {:.5} contacts {} t {:.3}", total(&w).2, p.contact_count, p.total * 1e6 / (count * n * n * n) as f32); } }
            let us = t.elapsed().as_secs_f64() * 1e6 / (steps * count * n * n * n) as f64;
            println!("{us:.3} us a particle a step; contacts {:.3}, match {:.3} of it; mean contacts a body {:.1}", us * (c / tot) as f64, us * (m / tot) as f64, cc as f64 / (steps * count) as f64);
            let errs: Vec<f32> = ids.iter().map(|i| w.body(*i).unwrap().shape_error()).collect();
            println!("worst shape error {:.3} mean {:.3}", errs.iter().cloned().fold(0.0, f32::max), errs.iter().sum::<f32>() / count as f32);
        }
        _ => {}
    }
}
