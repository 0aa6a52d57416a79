//! The hints of GPU compilers (5.3).

use super::{entry, shares};
use crate::ir::hlo::Platform;

fn on_gpu(text: &str, operand: &str, user: &str, index: &[u32]) -> bool {
    shares(text, Platform::Gpu, operand, user, index)
}

/// A fusion `r` of `p`, `q` and `i` with that inside.
fn fused(kind: &str, shape: &str, lines: &str) -> String {
    let f = format!(
        "f {{\n x = f32[8] parameter(0)\n y = f32[8] parameter(1)\n j = s32[] parameter(2)\n{lines}\n}}"
    );
    entry(&f, &format!("r = {shape} fusion(p, q, i), kind={kind}, calls=f"))
}

#[test]
fn reductions_over_devices_share_output_by_output() {
    let one = entry("", "r = f32[8] all-reduce(p), to_apply=sum");
    assert!(on_gpu(&one, "p", "r", &[]));
    assert!(!shares(&one, Platform::Cpu, "p", "r", &[]));
    let two = entry("", "r = (f32[8], f32[8]) all-reduce(p, q), to_apply=sum");
    assert!(on_gpu(&two, "q", "r", &[1]));
    assert!(!on_gpu(&two, "q", "r", &[0]));
    assert!(on_gpu(&entry("", "r = f32[8] collective-broadcast(p)"), "p", "r", &[]));
}

#[test]
fn library_calls_share_only_where_they_work_in_place() {
    let call = |shape: &str, operands: &str, rest: &str| {
        entry(
            "",
            &format!(
                "n = f32[8,8] negate(m)\n r = {shape} custom-call({operands}), custom_call_target={rest}"
            ),
        )
    };
    let product = |beta: &str, operands: &str| {
        let rest = format!(
            "\"__cublas$lt$matmul\", backend_config={{\"gemm_backend_config\":{{\"alpha_real\":1,\"beta\":{beta}}}}}"
        );
        call("(f32[8,8], f32[8,8])", operands, &rest)
    };
    assert!(on_gpu(&product("1", "m, m, n"), "n", "r", &[0]));
    assert!(on_gpu(&product("-0.5", "m, m, n"), "n", "r", &[0]));
    assert!(!on_gpu(&product("0", "m, m, n"), "n", "r", &[0]));
    assert!(!on_gpu(&product("0.0e1", "m, m, n"), "n", "r", &[0]));
    // The workspace, and the factors.
    assert!(!on_gpu(&product("1", "m, m, n"), "n", "r", &[1]));
    assert!(!on_gpu(&product("1", "n, m, m"), "n", "r", &[0]));
    let quoted =
        call("f32[8,8]", "m, m, n", "\"__cublas$lt$matmul\", backend_config=\"{\\\"beta\\\":1}\"");
    assert!(on_gpu(&quoted, "n", "r", &[]));
    let cholesky = call("(f32[8,8], f32[8,8], s32[])", "n", "\"__cusolver$cholesky\"");
    assert!(on_gpu(&cholesky, "n", "r", &[0]));
    assert!(!on_gpu(&cholesky, "n", "r", &[1]));
    assert!(!on_gpu(&call("f32[8,8]", "n", "\"other\""), "n", "r", &[]));
}

/// Elements of the same size are enough, whatever their type and dimensions.
#[test]
fn fusions_share_with_other_shapes_of_the_same_size() {
    let text = fused("kLoop", "s32[2,4]", "n = s32[8] convert(x)\n ROOT z = s32[2,4] bitcast(n)");
    assert!(on_gpu(&text, "p", "r", &[]));
    assert!(!shares(&text, Platform::Cpu, "p", "r", &[]));
    // Half the size, and as many bytes in fewer elements.
    assert!(!on_gpu(&fused("kLoop", "bf16[8]", "ROOT z = bf16[8] convert(x)"), "p", "r", &[]));
    assert!(!on_gpu(&fused("kLoop", "f64[4]", "ROOT z = f64[4] bitcast(x)"), "p", "r", &[]));
    // The host's memory is another.
    assert!(!on_gpu(
        &fused("kLoop", "f32[8]{0:S(5)}", "ROOT z = f32[8]{0:S(5)} negate(x)"),
        "p",
        "r",
        &[]
    ));
}

#[test]
fn the_way_to_the_output_is_element_wise_and_no_copy() {
    for (line, may) in [
        ("ROOT z = f32[8] negate(x)", true),
        ("ROOT z = f32[8] copy(x)", false),
        ("ROOT z = f32[8] reverse(x), dimensions={0}", false),
        ("n = f32[8] reverse(x), dimensions={0}\n ROOT z = f32[8] add(x, n)", false),
        // The output does not come from it.
        ("n = f32[8] negate(x)\n ROOT z = f32[8] negate(y)", false),
    ] {
        assert_eq!(on_gpu(&fused("kCustom", "f32[8]", line), "p", "r", &[]), may, "{line}");
    }
}

/// Each output asks for itself.
#[test]
fn an_operand_shares_only_with_the_output_it_reaches() {
    let text = fused(
        "kLoop",
        "(f32[8], f32[8])",
        "a = f32[8] negate(x)\n b = f32[8] negate(y)\n ROOT z = (f32[8], f32[8]) tuple(a, b)",
    );
    assert!(on_gpu(&text, "p", "r", &[0]) && on_gpu(&text, "q", "r", &[1]));
    assert!(!on_gpu(&text, "p", "r", &[1]) && !on_gpu(&text, "q", "r", &[0]));
}

#[test]
fn a_scatter_at_the_end_shares_its_input() {
    let scatter = "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum";
    let f = |input: &str, updates: &str, root: &str| {
        let lines = format!(
            "k = s32[8,1] iota(), iota_dimension=0\n n = f32[8] negate(x)\n s = f32[8] scatter({input}, k, {updates}), {scatter}\n{root}"
        );
        fused("kInput", "f32[8]", &lines)
    };
    let cast = "ROOT z = f32[8] bitcast(s)";
    assert!(on_gpu(&f("x", "y", cast), "p", "r", &[]));
    assert!(on_gpu(&f("n", "y", cast), "p", "r", &[]));
    assert!(!on_gpu(&f("x", "y", cast), "q", "r", &[]));
    assert!(!on_gpu(&f("n", "n", cast), "p", "r", &[]));
    // Not at the end.
    assert!(!on_gpu(&f("x", "y", "ROOT z = f32[8] negate(s)"), "p", "r", &[]));
}

/// The window that is read is the one that is written.
#[test]
fn an_update_shares_with_what_reads_the_same_window() {
    let f = |size: u64, at: &str, base: &str| {
        let lines = format!(
            "k = s32[] constant(3)\n n = f32[8] negate(x)\n s = f32[{size}] dynamic-slice(n, {at}), dynamic_slice_sizes={{{size}}}\n\
             w = f32[2] broadcast(k), dimensions={{}}\n e = f32[{size}] exponential(s)\n\
             ROOT z = f32[8] dynamic-update-slice({base}, e, j)"
        );
        fused("kLoop", "f32[8]", &lines)
    };
    assert!(on_gpu(&f(2, "j", "n"), "p", "r", &[]));
    assert!(on_gpu(&f(1, "j", "n"), "p", "r", &[]));
    assert!(!on_gpu(&f(2, "k", "n"), "p", "r", &[]));
    // Another array is updated: the operand that is read may not be written.
    assert!(!on_gpu(&f(2, "j", "y"), "p", "r", &[]));
    assert!(!on_gpu(&f(2, "j", "y"), "q", "r", &[0]));
}

#[test]
fn the_hero_of_a_reduction_is_computed_first() {
    let lines = "k = f32[] constant(0)\n h = f32[] reduce(x, k), dimensions={0}, to_apply=sum\n a = f32[8] negate(x)\n ROOT z = (f32[], f32[8]) tuple(h, a)";
    let text = |kind: &str| fused(kind, "(f32[], f32[8])", lines);
    assert!(on_gpu(&text("kInput"), "p", "r", &[1]));
    // Only reduction fusions have one.
    assert!(!on_gpu(&text("kLoop"), "p", "r", &[1]));
}

/// Another output may still read while an update writes.
#[test]
fn an_update_shares_only_when_no_other_output_reads() {
    let f = |other: &str| {
        let lines = format!(
            "w = f32[2] slice(y), slice={{[0:2]}}\n n = f32[8] negate(x)\n u = f32[8] dynamic-update-slice(n, w, j)\n a = f32[8] negate({other})\n ROOT z = (f32[8], f32[8]) tuple(u, a)"
        );
        fused("kLoop", "(f32[8], f32[8])", &lines)
    };
    assert!(on_gpu(&f("y"), "p", "r", &[0]));
    assert!(!on_gpu(&f("n"), "p", "r", &[0]));
}

#[test]
fn a_fused_sort_shares_key_by_key() {
    let lines = "ROOT z = (f32[8], f32[8]) sort(x, y), dimensions={0}, to_apply=less2";
    let text = fused("kInput", "(f32[8], f32[8])", lines);
    assert!(on_gpu(&text, "q", "r", &[1]));
    assert!(!on_gpu(&text, "q", "r", &[0]));
    let lines = "n = f32[8] negate(y)\n ROOT z = (f32[8], f32[8]) sort(x, y), dimensions={0}, to_apply=less2";
    assert!(!on_gpu(&fused("kInput", "(f32[8], f32[8])", lines), "q", "r", &[1]));
}
