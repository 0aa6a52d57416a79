//! Every serde type of the house: what files look like.

pub mod read;
pub mod spec;
pub mod target;
pub mod values;
