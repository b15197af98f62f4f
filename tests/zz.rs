mod scenes;
use std::sync::Arc;
use glam::*;
use wobble::*;
const DT: f32 = 1.0 / 60.0;
fn cube() -> Arc<Shape> {
    Shape::from_points(&scenes::grid(5, 5, 5, 0.25), None, &LevelsDef::default()).unwrap()
}
fn stack(count: usize, material: Material, substeps: u32) -> (World, Vec<BodyId>) {
    let mut world = World::new(&WorldDef { threads: 1, substeps, ..WorldDef::default() }).unwrap();
    world.set_bodies_meet(true);
    world.add_plane(&Plane::default()).unwrap();
    let shape = cube();
    let at = |i: usize| Vec3::Y * (0.5 + 1.001 * i as f32);
    let def = |i: usize| BodyDef { position: at(i), material, ..BodyDef::default() };
    let ids = (0..count).map(|i| world.add_body(&shape, &def(i)).unwrap()).collect();
    (world, ids)
}
#[test]
fn rest() {
    let jelly = Material::named("jelly").unwrap();
    let hz = |h| Stiffness::Hertz(h);
    for (name, count, material, sub) in [("100/4", 4, Material { stiffness: hz(100.0), ..Material::default() }, 4), ("default", 5, Material::default(), 4), ("jelly", 2, jelly, 4), ("jelly120/8", 10, Material{ stiffness: hz(120.0), ..jelly }, 8), ("rubber", 5, Material::named("rubber").unwrap(), 4)] {
        let (mut world, ids) = stack(count, material, sub);
        print!("{name}: ke ");
        for s in 0..=1200 {
            let ke: f64 = world.bodies().map(|(_,b)| b.kinetic_energy() as f64).sum();
            if s % 120 == 0 { print!("{ke:.1e} "); }
            world.step(DT).unwrap();
        }
        let bounds = |id: BodyId| world.body(id).unwrap().bounds();
        let gaps: Vec<f32> = ids.windows(2).map(|two| bounds(two[1]).0.y - bounds(two[0]).1.y).collect();
        println!(" gaps {:.4} {:.4}", gaps.iter().cloned().fold(9.0, f32::min), gaps.iter().cloned().fold(-9.0, f32::max));
    }
    for (name, material, sub) in [("100/4", Material { stiffness: hz(100.0), ..Material::default() }, 4), ("default", Material::default(), 4), ("jelly", jelly, 4)] {
        let mut world = World::new(&WorldDef { threads: 1, substeps: sub, ..WorldDef::default() }).unwrap();
        world.set_bodies_meet(true);
        world.add_plane(&Plane::default()).unwrap();
        let shape = cube();
        for i in 0..48 {
            let at = [i % 4, i / 4 % 4, i / 16].map(|k| k as f32);
            let position = Vec3::new(at[0] * 1.2 + 0.05 * (i % 3) as f32, 0.8 + 1.3 * at[2], at[1] * 1.2);
            let rotation = Quat::from_euler(EulerRot::XYZ, 0.1 * (i % 5) as f32 - 0.2, 0.1 * (i % 7) as f32, 0.1);
            world.add_body(&shape, &BodyDef { position, rotation, material, ..BodyDef::default() }).unwrap();
        }
        print!("heap {name}: ke ");
        for s in 0..=900 {
            let ke: f64 = world.bodies().map(|(_,b)| b.kinetic_energy() as f64).sum();
            if s % 90 == 0 { print!("{ke:.1e} "); }
            world.step(DT).unwrap();
        }
        println!();
        let mut kes: Vec<(f64, usize)> = world.bodies().enumerate().map(|(i, (_,b))| (b.kinetic_energy() as f64, i)).collect();
        kes.sort_by(|a,b| b.0.total_cmp(&a.0));
        println!("ke worst {:?}", &kes[..6]);
        let worst = kes[0].1;
        let id = world.bodies().nth(worst).unwrap().0;
        for _ in 0..12 {
            let b = world.body(id).unwrap();
            let c = b.centre_of_mass();
            let v = b.raw_velocities();
            let mean = v.iter().map(|v| v.truncate()).sum::<Vec3>() / v.len() as f32;
            let fast = v.iter().map(|v| v.truncate().length()).enumerate().fold((0, 0.0), |a, (i, l)| if l > a.1 { (i, l) } else { a });
            let parts: Vec<_> = world.contacts().iter().filter(|e| e.body == id).map(|e| match e.other { Partner::Body(b) => format!("b{:?} n {:.2} i {:.3}", b, e.normal, e.impulse), _ => format!("g {:.3}", e.impulse) }).collect();
            println!("ke {:.3e} c {c} mean v {mean} fastest {fast:?} {}", b.kinetic_energy(), parts.len());
            println!("ke p {:?} v {:?}", b.raw_positions()[fast.0], v[fast.0]);
            if std::env::var("SHOW").is_ok() { unsafe { std::env::set_var("DBG", "1"); } eprintln!("DBG step, worst {worst}"); }
            world.step(DT).unwrap();
        }
        unsafe { std::env::remove_var("DBG"); }
        for e in world.contacts().iter().filter(|e| e.body == id) { println!("ke   {:?}", e); }
    }
}
