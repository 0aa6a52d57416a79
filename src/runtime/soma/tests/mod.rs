//! What a user of the pools may rely on.

mod lifecycle;
mod loops;
mod quirks;
mod reusing;
mod trims;
mod world;
