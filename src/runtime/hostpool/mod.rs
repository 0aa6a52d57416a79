//! The host memory pool of a GPU executor: 128 elements of one type in pinned memory (xla-memory
//! 18). While and conditional thunks copy their predicate or branch index into an element.

mod handles;
mod pool;
#[cfg(test)]
mod tests;

pub use self::handles::{Handle, Handles, Held, Moved, Taken};
pub use self::pool::{ELEMENTS, Element, HostPool};
