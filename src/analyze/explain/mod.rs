//! Why the facts are as they are: what ends a live range, what forbids an in-place pair, what stands
//! between two buffers. Decides nothing: the rules are those of the modules beside it.

mod between;
mod lives;
mod near;
mod reasons;
mod rederive;
#[cfg(test)]
mod tests;
mod together;

pub use between::{Between, Bond};
pub use lives::{Cause, Span};
pub use near::{Bar, NearMiss, NearMisses};
pub use reasons::{PairRule, Reasons};
pub use rederive::Rederived;
pub use together::Together;
