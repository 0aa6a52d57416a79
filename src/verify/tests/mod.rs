//! Tests of the judge.

mod build;
mod cases;
mod program;
mod ranges;
mod rules;
