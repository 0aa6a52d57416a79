//! What a user of the pools may rely on.

mod world;
