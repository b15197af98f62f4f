//! Work that takes more memory than is to be had is refused with an error; the process goes on.

mod scenes;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use glam::Vec3;
use wobble::{
    Algorithm, Amount, BodyDef, ColliderShape, Error, LevelsDef, Nesting, SamplingDef, Shape, Solid, World,
    WorldDef,
};

/// The system's memory, counted; beyond a limit nothing is given but crumbs, which a system always has left.
struct Limited;

/// Bytes that are a crumb: no more than what a thread of a pool that ends meanwhile asks for, about 2 KiB.
const CRUMB: usize = 4096;

/// Bytes from which on an allocation is address space that is asked for and given back: no work here fills so much.
const SPACE: usize = 1 << 28;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

// SAFETY: all is the system's; what is refused is null.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() >= SPACE {
            // SAFETY: the caller's layout.
            return unsafe { System.alloc(layout) };
        }
        let held = HELD.fetch_add(layout.size(), Relaxed) + layout.size();
        let allowed = layout.size() <= CRUMB || held <= LIMIT.load(Relaxed);
        // SAFETY: the caller's layout.
        let memory = if allowed { unsafe { System.alloc(layout) } } else { std::ptr::null_mut() };
        if memory.is_null() {
            HELD.fetch_sub(layout.size(), Relaxed);
        } else {
            PEAK.fetch_max(held, Relaxed);
        }
        memory
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if layout.size() < SPACE {
            HELD.fetch_sub(layout.size(), Relaxed);
        }
        // SAFETY: the caller's memory and layout.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static MEMORY: Limited = Limited;

/// What a work made, and the bytes that it took at its peak beyond what was held before.
fn measured<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let held = HELD.load(Relaxed);
    PEAK.store(held, Relaxed);
    let made = work();
    (made, PEAK.load(Relaxed) - held)
}

fn limited<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    LIMIT.store(HELD.load(Relaxed) + bytes, Relaxed);
    let made = work();
    LIMIT.store(usize::MAX, Relaxed);
    made
}

/// Tries a work with more and more memory: it is refused until it is done, and the process lives on.
fn survives<T>(what: &str, mut work: impl FnMut() -> Result<T, Error>) {
    let (made, peak) = measured(&mut work);
    assert!(made.is_ok(), "{what}: {:?}", made.err());
    drop(made);
    let (mut refused, mut most) = (0, 0);
    for part in 1..=33 {
        let bytes = peak * part / 32;
        match limited(bytes, &mut work) {
            Ok(_) => {}
            Err(Error::Memory { .. }) => (refused, most) = (refused + 1, bytes),
            Err(error) => panic!("{what}: {error}"),
        }
    }
    println!("{what}: {peak} bytes at its peak, refused below {:.2} of that", most as f64 / peak as f64);
    assert!(refused > 0, "{what}: never refused");
}

#[test]
fn what_finds_too_little_memory_is_refused_and_the_process_lives_on() {
    shapes();
    worlds();
    meshes();
}

fn shapes() {
    let points = scenes::shell(4500, 0.5, 0.1, 7);
    let mut file = Vec::new();
    for (algorithm, nesting, overlap, radius) in [
        (Algorithm::Fuzzy, Nesting::Nested, 4.0, None),
        (Algorithm::Fuzzy, Nesting::Nested, 32.0, None),
        (Algorithm::KMeans, Nesting::Independent, 16.0, None),
        (Algorithm::Random, Nesting::Nested, 4.0, Some(0.4)),
    ] {
        let def = LevelsDef { algorithm, nesting, overlap, radius, max_rounds: 8, ..LevelsDef::default() };
        let build = || Shape::from_points(&points, None, &def);
        survives(&format!("{algorithm:?}, {nesting:?}, {overlap} clusters a particle"), build);
        file = build().unwrap().to_bytes();
        survives("loading", || Shape::from_bytes(&file));
    }
    let shape = Shape::from_bytes(&file).unwrap();
    survives("scaling", || shape.scaled(Vec3::new(1.0, 2.0, 1.0), None));
}

fn worlds() {
    let shape = |n| Shape::from_points(&scenes::shell(n, 0.5, 0.1, 7), None, &LevelsDef::default()).unwrap();
    let first = shape(4500);
    let world = || World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap();
    let fresh = |shape: &Arc<Shape>| Shape::from_bytes(&shape.to_bytes()).unwrap();
    survives("a body", || {
        let mut world = world();
        world.add_body(&first, &BodyDef::default())
    });
    // The surfaces of shapes are found with the second body.
    let mut shapes: Vec<Arc<Shape>> = (0..80).map(|_| fresh(&first)).collect();
    survives("two bodies", || {
        let (mut world, own) = (world(), shapes.pop().unwrap());
        world.add_body(&own, &BodyDef::default())?;
        world.add_body(&own, &BodyDef::default())
    });
    let mut full = world();
    for _ in 0..3 {
        full.add_body(&first, &BodyDef::default()).unwrap();
    }
    full.step(1.0 / 60.0).unwrap();
    let snapshot = full.snapshot();
    survives("restoring", || {
        let mut other = world();
        other.restore(&snapshot, &[Arc::clone(&first)])
    });
}

fn meshes() {
    for (rings, particles) in [(12, 6000), (60, 300)] {
        let ball = scenes::spheres::sphere(rings, 0.5);
        for fill in [true, false] {
            let sampling = SamplingDef { amount: Amount::Count(particles), fill, ..SamplingDef::default() };
            let levels = LevelsDef { max_rounds: 8, ..LevelsDef::default() };
            let bake = || Shape::from_mesh(&ball.mesh(), &sampling, &levels, &mut |_| true);
            survives(&format!("a mesh of {rings} rings, {particles} particles, filled: {fill}"), bake);
        }
    }
    let ball = scenes::spheres::sphere(60, 0.5);
    survives("a mesh collider", || ColliderShape::mesh(&ball.mesh()));
    survives("a surface", || ColliderShape::surface(&ball.mesh()));
    let heights = vec![0.0; 200 * 200];
    survives("a height field", || ColliderShape::height_field(200, 200, [1.0, 1.0], &heights));
    let solid = Solid::ball(0.5).unwrap();
    survives("a solid", || solid.mesh(40));
}
