//! The state of bodies and worlds as bytes, to go back to or to go on from elsewhere.
//!
//! A restored body goes on bit for bit as the one that was written down. What a step works out
//! before it reads it is left out: pulls, the marks of strain limiting, sums of
//! quadratic goals, and, unless strain limiting left them fresh, moments and rigid transforms.
//! Rotations always go along, because each search starts from the last one.
//!
//! Shapes are large, never change and are shared, so a snapshot only names them by fingerprint.
//! Everything is read and checked before anything changes.

mod attach;
mod body;
mod collider;
mod contacts;
mod fields;
mod lasting;
mod material;
mod pieces;
mod reclustering;
mod world;
