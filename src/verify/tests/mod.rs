//! Tests of the judge.

mod build;
mod cases;
mod ranges;
mod rules;
