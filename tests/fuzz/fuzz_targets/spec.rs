//! See `checks.rs`.
#![no_main]

#[path = "../checks.rs"]
#[allow(dead_code)] // Each target runs one of them.
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::spec(bytes));
