//! What a user of the pools may rely on.

mod calls;
mod differential;
mod lifecycle;
mod loops;
mod naive;
mod naive_events;
mod naive_reuse;
mod quirks;
mod reusing;
mod trims;
mod world;
