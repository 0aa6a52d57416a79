//! Tests of managed memory.

mod advice;
mod attributes;
mod copies;
mod faults;
mod naive;
mod oversubscription;
mod prefetches;
mod quirks;
mod random;
mod scale;
mod scenarios;
mod space;
mod world;
