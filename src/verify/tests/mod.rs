//! Tests of the judge.

pub(crate) mod build;
mod cases;
mod choices;
mod differential;
mod naive;
mod program;
mod random;
mod ranges;
mod rules;
