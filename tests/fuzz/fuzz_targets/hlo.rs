//! See `checks.rs`.
#![no_main]

#[path = "../checks.rs"]
#[expect(dead_code, reason = "each target runs one of them")]
mod checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::hlo(bytes));
