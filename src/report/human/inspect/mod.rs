//! What follows from an input.

mod buffers;
mod load;
mod names;
mod order;
mod page;
mod pairs;
mod sharing;

pub use page::inspect;
