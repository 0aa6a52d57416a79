//! The sequential executor of one function.
//!
//! It runs a [`crate::model::Function`] op by op and tells an observer, the [`Shadow`], which
//! bytes of which buffer each op touches. It forbids nothing and knows no addresses.
//!
//! # What is promised
//!
//! * Every path of the function is covered: both sides of every branch, every number of trips that
//!   a loop may make. Paths that meet are joined by [`Shadow::join`]; what the shadow may not
//!   confuse is kept apart by the references in force (a `worlds` entry for each).
//! * An op is executed once for each distinct state in which it can be reached; states that
//!   differ only in what the shadow calls equal are one.
//! * A loop is run trip by trip until a state repeats; then all further trips are known. Number of
//!   trips exact; `Known(1_000_000_000)` costs what two or three trips cost.
//! * References are exact: a carry is what `next` stood for at the end of the trip before, with
//!   the slot it had then; all carries of a loop step at once; a branch's result is that of the
//!   side that ran. Only the choice of a `Select` is open: at every access anew, any of its
//!   candidates.
//! * Straight-line code costs one visit an op. [`Limits`] bound the rest, and every limit that
//!   was reached is told in [`Run::doubts`]: after [`Doubt::Folded`], [`Doubt::Flooded`] and
//!   [`Doubt::Merged`] more paths were covered than exist, never fewer; after [`Doubt::Stopped`]
//!   fewer.
//!
//! # What is not
//!
//! Time, pipes, and what runs beside what: ops run one after the other in the order written. An
//! observer that wants them has what it needs: [`Touch::access`] leads to the access and its
//! pipe, [`At::instance`] numbers the executions of ops, and [`Shadow::step`] tells every trip.

mod branch;
mod env;
mod executor;
mod flood;
mod home;
mod names;
mod observe;
mod paths;
mod reach;
mod repeat;
mod resolve;
mod slots;
#[cfg(test)]
mod tests;
mod trails;
mod unroll;
mod uses;
mod worlds;

pub use executor::{Choice, Doubt, Limits, ROUNDS, Run, run};
pub use home::{Home, homes};
pub use names::{Names, Path, Root, Window};
pub use observe::{At, Ref, Shadow, Touch};
pub use reach::Reach;
pub use slots::Slots;
pub use trails::{TrailId, Trails};
pub use unroll::{Instance, Phase, UnrollLimits, Walked, Walker, unroll};
