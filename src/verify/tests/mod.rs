//! Tests of the judge.

mod build;
mod cases;
mod differential;
mod naive;
mod program;
mod random;
mod ranges;
mod rules;
