//! Which platform a text seems to be for.

use super::corpus::texts;
use super::module;
use crate::ir::hlo::{Platform, platform_of};

#[test]
fn plain_text_is_for_the_cpu() {
    let text = "HloModule m\nENTRY e {\n p = f32[8] parameter(0)\n ROOT r = f32[8] negate(p), metadata={op_name=\"cublas\"}\n}";
    assert_eq!(platform_of(&module(text)), Platform::Cpu);
}

#[test]
fn what_only_gpu_compilers_write_tells() {
    for rest in [
        "custom-call(p), custom_call_target=\"__cublas$lt$matmul\"",
        "custom-call(p), custom_call_target=\"cu_threefry2x32_ffi\"",
        "negate(p), backend_config={\"operation_queue_id\":\"0\",\"reification_cost\":[]}",
        "negate(p), backend_config=\"{\\\"fusion_backend_config\\\":{}}\"",
    ] {
        let text = format!(
            "HloModule m\nENTRY e {{\n p = f32[8] parameter(0)\n ROOT r = f32[8] {rest}\n}}"
        );
        assert_eq!(platform_of(&module(&text)), Platform::Gpu, "{rest}");
    }
    let text = "HloModule m, frontend_attributes={fingerprint_before_lhs=\"12\"}\nENTRY e {\n ROOT p = f32[8] parameter(0)\n}";
    assert_eq!(platform_of(&module(text)), Platform::Gpu);
}

/// All optimised texts of the corpus; texts before optimisation do not tell.
#[test]
fn every_optimised_text_of_the_corpus_tells() {
    for (path, text) in texts() {
        let path = path.to_string_lossy().into_owned();
        if path.contains("after_optimizations") {
            let expected = if path.contains("/gpu_") { Platform::Gpu } else { Platform::Cpu };
            assert_eq!(platform_of(&module(&text)), expected, "{path}");
        }
    }
}
