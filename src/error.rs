//! What can go wrong, in words that help: which field, which value, what to do.

use std::fmt;

/// Why a call was refused. Nothing has changed when one is returned.
///
/// ```
/// use wobble::{Error, World, WorldDef};
///
/// let refused = World::new(&WorldDef { substeps: 0, ..WorldDef::default() });
/// let Err(error) = refused else { panic!("no step can be split into none") };
/// assert!(matches!(error, Error::Value { field: "substeps", .. }));
/// println!("{error}"); // names the field, the value, and what would do
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A value is out of range or not finite.
    Value {
        /// The parameter or struct field, as the caller wrote it.
        field: &'static str,
        /// The value that was refused.
        value: f64,
        /// What would have been accepted.
        wanted: &'static str,
    },
    /// An array has the wrong length.
    Length {
        /// The parameter, as the caller wrote it.
        field: &'static str,
        /// Its length.
        got: usize,
        /// What the length must be.
        wanted: String,
    },
    /// One element of an array is refused.
    Element {
        /// The array parameter, as the caller wrote it.
        field: &'static str,
        /// Which element, counted from 0.
        index: usize,
        /// The value that was refused.
        value: f64,
        /// What would have been accepted.
        wanted: &'static str,
    },
    /// An index is past the end.
    Index {
        /// What the index counts.
        field: &'static str,
        /// The index given.
        got: usize,
        /// How many there are.
        count: usize,
    },
    /// A name that is not known.
    Name {
        /// What it names.
        field: &'static str,
        /// The name given.
        got: String,
        /// The names there are.
        wanted: String,
    },
    /// The object was removed, or belongs to another world.
    Stale {
        /// What kind of object.
        what: &'static str,
    },
    /// A file is damaged, or not what it claims to be.
    Corrupt {
        /// What kind of file.
        what: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A file is of another format.
    Version {
        /// What kind of file.
        what: &'static str,
        /// Its format.
        got: u32,
        /// The format that this library reads.
        wanted: u32,
    },
    /// Something that a file refers to is not at hand.
    Missing {
        /// What kind of object.
        what: &'static str,
        /// Its fingerprint.
        id: u64,
    },
    /// What was handed over cannot become what was asked for.
    Unsuitable {
        /// What was handed over.
        what: &'static str,
        /// Why it cannot, and what to do.
        why: String,
    },
    /// There is not that much memory.
    Memory {
        /// What needs it.
        what: &'static str,
        /// How much, about.
        bytes: usize,
    },
    /// The progress callback asked to stop.
    Cancelled,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Value { field, value, wanted } => {
                write!(f, "{field} is {value}; it must be {wanted}")
            }
            Error::Length { field, got, wanted } => {
                write!(f, "{field} has {got} elements; it must have {wanted}")
            }
            Error::Element { field, index, value, wanted } => {
                write!(f, "{field}[{index}] is {value}; it must be {wanted}")
            }
            Error::Index { field, got, count } => {
                write!(f, "{field} is {got}, but there are only {count} (counted from 0)")
            }
            Error::Name { field, got, wanted } => {
                write!(f, "{field} is {got:?}; it must be one of {wanted}")
            }
            Error::Stale { what } => {
                write!(f, "this {what} was removed, or belongs to another world")
            }
            Error::Corrupt { what, why } => {
                write!(f, "this {what} is damaged: {why}; make it anew")
            }
            Error::Version { what, got, wanted } => {
                write!(f, "this {what} is of format {got}, this library reads {wanted}; make it anew")
            }
            Error::Missing { what, id } => {
                write!(f, "the {what} with fingerprint {id:#018x} is needed; load it and hand it over")
            }
            Error::Unsuitable { what, why } => write!(f, "this {what} cannot become a body: {why}"),
            Error::Memory { what, bytes } => write!(f, "{what} needs {bytes} bytes, which are not to be had"),
            Error::Cancelled => write!(f, "cancelled by the progress callback"),
        }
    }
}

impl std::error::Error for Error {}

/// Refuses `value` unless it is finite and within `low..=high`.
pub(crate) fn within(
    field: &'static str,
    value: f32,
    low: f32,
    high: f32,
    wanted: &'static str,
) -> Result<(), Error> {
    if value.is_finite() && value >= low && value <= high {
        Ok(())
    } else {
        Err(Error::Value { field, value: value.into(), wanted })
    }
}

/// Refuses a vector with a component that is not finite or larger than [`LARGEST`].
pub(crate) fn finite(field: &'static str, value: glam::Vec3) -> Result<(), Error> {
    match value.to_array().into_iter().find(|c| !is_ordinary(*c)) {
        None => Ok(()),
        Some(c) => Err(Error::Value { field, value: c.into(), wanted: "finite and at most 1e9 in size" }),
    }
}

/// Whether a number from a caller is finite and at most [`LARGEST`] in size.
pub(crate) fn is_ordinary(value: f32) -> bool {
    value.abs() <= LARGEST
}

/// The largest magnitude of any coordinate, velocity or force component taken
/// from a caller. Products of three of them still fit into an `f32`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
///
/// assert!(world.body_mut(id)?.set_velocity(Vec3::X * 2.0 * wobble::LARGEST).is_err());
/// # Ok::<(), wobble::Error>(())
/// ```
pub const LARGEST: f32 = 1e9;
