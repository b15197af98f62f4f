//! Soft bodies for games: clustered shape matching at several scales at once.

pub mod clustering;
pub mod error;
pub mod math;
pub mod membership;
