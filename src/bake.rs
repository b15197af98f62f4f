//! Shapes as files: built once, where time does not matter, and loaded in a game.
//!
//! A file holds what building searches for: particles in their order, and for every level which
//! clusters hold whom. All that follows from these (members, centres, scatter, planes) is worked
//! out by the code that builds shapes, so a loaded shape has the bits of the built one. What a shape
//! may lack, as its render mesh, follows in sections.
//!
//! The step trusts a shape's tables without looking again, so everything in a file is checked
//! here, whatever its checksum says.

mod sections;

use std::sync::Arc;

use glam::{Vec3, Vec4};

use crate::bytes::{Format, Reader, WideFnv, Writer, corrupt, floats};
use crate::clustering::{LevelReport, Nesting, Workers};
use crate::error::{Error, LARGEST, is_ordinary};
use crate::headroom;
use crate::membership::{Entry, MOST_PARTICLES, Membership};
use crate::shape::{Parts, Shape, is_mass};
use sections::Sections;

const FORMAT: Format = Format { magic: *b"WOBBLESH", version: 3, what: "shape file" };

/// Building at least halves the clusters from level to level, so that 25 are enough.
const MOST_LEVELS: usize = 64;

/// Bytes of a level before its table.
const LEVEL_HEAD: usize = 29;

/// How far a row of weights may sum up to something else than 1.
const UNEVEN: f64 = 1e-3;

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::cube()?;
/// use wobble::Shape;
///
/// let mut file = shape.to_bytes();
/// assert_eq!(Shape::from_bytes(&file)?.to_bytes(), file);
/// file[100] ^= 1;
/// assert!(Shape::from_bytes(&file).is_err(), "damage is found");
/// # Ok::<(), wobble::Error>(())
/// ```
impl Shape {
    /// The shape as a file, for [`Shape::from_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        headroom::or_end(self.file())
    }

    /// The same, unless there is no memory for it.
    pub(crate) fn file(&self) -> Result<Vec<u8>, Error> {
        let mut out = Writer::new(FORMAT);
        out.u8(u8::from(self.nesting() == Nesting::Independent));
        out.u32(self.particle_count() as u32);
        self.rest().iter().for_each(|r| out.vec3(r.truncate()));
        self.masses().iter().for_each(|m| out.f32(*m));
        self.order().iter().for_each(|i| out.u32(*i));
        out.u32(self.levels().len() as u32);
        for level in self.levels() {
            write_report(&mut out, level.report());
            let table = level.held_by();
            out.u32(table.len() as u32);
            table.starts().iter().for_each(|s| out.u32(*s));
            for e in table.entries() {
                out.u32(e.index);
                out.f32(e.weight);
            }
        }
        out.vec3(self.centre());
        sections::write(self, &mut out);
        out.finish()
    }

    /// Loads what [`Shape::to_bytes`] gave. The shape is the same to the last bit.
    ///
    /// Files may come from anywhere: one that is damaged, or made to do harm, is refused.
    pub fn from_bytes(bytes: &[u8]) -> Result<Arc<Shape>, Error> {
        Shape::loaded(bytes).map(Arc::new)
    }

    /// What `from_bytes` loads, before it is shared.
    pub(crate) fn loaded(bytes: &[u8]) -> Result<Shape, Error> {
        let parts = Parts::read(&mut FORMAT.open(bytes)?)?;
        let workers = Workers::new(0, parts.rest.len());
        parts.ensure_room()?;
        let shape = Shape::assembled(parts, &workers);
        if let Some(i) = shape.unsound_cluster() {
            let why = format!("cluster {i} has no mass, or numbers beyond what single precision holds");
            return Err(corrupt(FORMAT.what, why));
        }
        Ok(shape)
    }
}

impl Parts {
    /// Of everything but how building went; the radius counts, since planes depend on it.
    pub(crate) fn fingerprint(&self) -> u64 {
        let both = |a: u32, b: u32| u64::from(a) | u64::from(b) << 32;
        let mut hash = WideFnv::new();
        hash.add([(self.nesting == Nesting::Independent).into(), self.rest.len() as u64, 0, 0]);
        for ((r, m), i) in self.rest.iter().zip(&self.masses).zip(&self.order) {
            let [x, y, z] = r.truncate().to_array().map(f32::to_bits);
            hash.add([both(x, y), both(z, m.to_bits()), (*i).into(), 0]);
        }
        for (table, report) in &self.levels {
            hash.add([report.clusters as u64, report.radius.to_bits().into(), 0, 0]);
            hash.add_all(table.starts().iter().map(|&s| s.into()));
            hash.add_all(table.entries().iter().map(|e| both(e.index, e.weight.to_bits())));
        }
        hash.add_all(self.tuning.iter().map(|t| both(t.stiffness.to_bits(), t.damping.to_bits())));
        hash.add_all(self.pinned.iter().map(|&i| i.into()));
        if !self.toughness.is_empty() {
            hash.add_all(self.toughness.iter().map(|t| t.to_bits().into()));
        }
        hash.finish()
    }

    fn read(from: &mut Reader) -> Result<Parts, Error> {
        let nesting = if from.flag("nesting")? { Nesting::Independent } else { Nesting::Nested };
        let count = from.count("particles", 20)?;
        from.ensure(count <= MOST_PARTICLES, || format!("{count} particles; {MOST_PARTICLES} at most"))?;
        let rest = from.list(count, |b| Vec3::from_array(floats::<12, 3>(b)).extend(1.0))?;
        let masses = from.list(count, f32::from_le_bytes)?;
        let order = from.list(count, u32::from_le_bytes)?;
        check_particles(from, &rest, &masses, &order)?;
        let levels = read_levels(from, nesting, count)?;
        let centre = from.vec3()?;
        let ordinary = centre.to_array().into_iter().all(is_ordinary);
        from.ensure(ordinary, || format!("the centre of mass lay at {centre}"))?;
        let clusters = levels.first().map_or(0, |(_, report)| report.clusters);
        let Sections { tuning, toughness, pinned, skin } = sections::read(from, count, clusters)?;
        Ok(Parts { rest, masses, order, nesting, levels, tuning, toughness, pinned, centre, skin })
    }
}

/// Points may be [`LARGEST`] away from the origin, so twice as far from their centre of mass.
fn check_particles(from: &Reader, rest: &[Vec4], masses: &[f32], order: &[u32]) -> Result<(), Error> {
    let near = |r: &Vec4| r.truncate().to_array().iter().all(|c| c.abs() <= 2.0 * LARGEST);
    if let Some(i) = rest.iter().position(|r| !near(r)) {
        return Err(from.refuse(format!("rest position {i} is {}", rest[i].truncate())));
    }
    if let Some(i) = masses.iter().position(|m| !is_mass(*m)) {
        return Err(from.refuse(format!("mass {i} is {}", masses[i])));
    }
    let mut seen = vec![false; order.len()];
    for &i in order {
        let first = seen.get_mut(i as usize).is_some_and(|seen| !std::mem::replace(seen, true));
        from.ensure(first, || format!("particle {i} is out of range, or occurs twice in the order"))?;
    }
    Ok(())
}

fn read_levels(
    from: &mut Reader,
    nesting: Nesting,
    particles: usize,
) -> Result<Vec<(Membership, LevelReport)>, Error> {
    let count = from.count("levels", LEVEL_HEAD)?;
    let allowed = if particles == 0 { 0..=0 } else { 1..=MOST_LEVELS };
    from.ensure(allowed.contains(&count), || format!("{count} levels for {particles} particles"))?;
    let mut levels: Vec<(Membership, LevelReport)> = Vec::with_capacity(count);
    let (mut entries, mut clusters) = (0, 0);
    for l in 0..count {
        let below = levels.last().filter(|_| nesting == Nesting::Nested);
        let rows = below.map_or(particles, |(_, report)| report.clusters);
        let (table, report) = read_level(from, l, rows)?;
        entries += table.len();
        clusters += report.clusters;
        levels.push((table, report));
    }
    // Tables and clusters of all levels are joined and numbered by 32 bits.
    from.ensure(entries.max(clusters) <= u32::MAX as usize, || format!("{entries} memberships in all"))?;
    Ok(levels)
}

fn read_level(from: &mut Reader, l: usize, rows: usize) -> Result<(Membership, LevelReport), Error> {
    let report = read_report(from, l)?;
    let count = from.count("memberships", 8)?;
    // Who holds nobody is no cluster.
    from.ensure(1 <= report.clusters && report.clusters <= count, || {
        format!("level {l} has {} clusters and {count} memberships", report.clusters)
    })?;
    let starts = from.list(rows + 1, u32::from_le_bytes)?;
    let entries = from.list(count, |b: [u8; 8]| {
        let [index, weight] = [0, 4].map(|at| [b[at], b[at + 1], b[at + 2], b[at + 3]]);
        Entry { index: u32::from_le_bytes(index), weight: f32::from_le_bytes(weight) }
    })?;
    let table = Membership::checked(starts, entries, report.clusters)
        .map_err(|why| from.refuse(format!("in the table of level {l}, {why}")))?;
    for row in 0..rows {
        let sum: f64 = table.row(row).iter().map(|e| f64::from(e.weight)).sum();
        from.ensure((sum - 1.0).abs() <= UNEVEN, || {
            format!("row {row} of level {l} sums up to {sum}, not 1")
        })?;
    }
    Ok((table, report))
}

fn write_report(out: &mut Writer, report: &LevelReport) {
    out.u32(report.clusters as u32);
    out.f32(report.radius);
    out.u32(report.rounds);
    out.u8(report.converged.into());
    out.f32(report.overlap);
    out.f32(report.memberships_per_particle);
    // How long building took: no two runs take equally long, and their files are to be the same.
    out.f32(0.0);
}

fn read_report(from: &mut Reader, l: usize) -> Result<LevelReport, Error> {
    let report = LevelReport {
        clusters: from.u32()? as usize,
        radius: from.f32()?,
        rounds: from.u32()?,
        converged: from.flag("converged")?,
        overlap: from.f32()?,
        memberships_per_particle: from.f32()?,
        seconds: 0.0,
    };
    from.f32()?;
    let numbers = [report.radius, report.overlap, report.memberships_per_particle];
    let plausible = numbers.iter().all(|n| n.is_finite() && *n >= 0.0);
    from.ensure(plausible, || format!("the report of level {l} has numbers that are not finite, 0 or more"))?;
    Ok(report)
}
