//! What a team holds its kernels to: budgets and baselines.

mod base;
mod baseline;
mod budget;
mod causes;
mod compare;
mod effects;
mod limits;
mod load;
mod matching;
mod pairs;
mod schedule;
#[cfg(test)]
mod tests;
mod update;
mod words;

pub use base::Base;
pub use baseline::against_baseline;
pub use budget::against_budget;
pub use compare::compare;
pub use limits::Limits;
pub use update::updated;
