//! Who may take whose bytes: every rule of 5.2 and 5.3, most of which no dump exercises.

mod gpu;

use super::Sharing;
use crate::ir::hlo::tests::module;
use crate::ir::hlo::{InstructionId, Module, Platform, ShapeIndex};

/// The instruction of the entry of that name.
pub(super) fn named(module: &Module, name: &str) -> InstructionId {
    let mut entry = module.entry().instructions.iter();
    let found = entry.find(|id| module.instructions[**id].name == name);
    *found.unwrap_or_else(|| panic!("no `{name}`"))
}

/// Whether `user` at `index` may take the bytes of `operand`.
pub(super) fn shares(
    text: &str,
    platform: Platform,
    operand: &str,
    user: &str,
    index: &[u32],
) -> bool {
    let module = module(text);
    let rules = Sharing::new(&module, platform);
    let (operand, user) = (named(&module, operand), named(&module, user));
    rules.may_share(operand, &ShapeIndex::TOP, user, &ShapeIndex::from(index))
}

fn on_cpu(text: &str, operand: &str, user: &str) -> bool {
    shares(text, Platform::Cpu, operand, user, &[])
}

/// An entry of two arrays, a matrix, a number, and these lines; the last is the root.
fn entry(computations: &str, lines: &str) -> String {
    format!(
        "HloModule m\n\
         sum {{\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT c = f32[] add(a, b)\n}}\n\
         less {{\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT c = pred[] compare(a, b), direction=LT\n}}\n\
         less2 {{\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n d = f32[] parameter(2)\n e = f32[] parameter(3)\n ROOT c = pred[] compare(a, b), direction=LT\n}}\n\
         {computations}\n\
         ENTRY main {{\n p = f32[8] parameter(0)\n q = f32[8] parameter(1)\n m = f32[8,8] parameter(2)\n i = s32[] parameter(3)\n{lines}\n}}"
    )
}

#[test]
fn a_constant_gives_its_bytes_to_nobody() {
    let text =
        entry("", "k = f32[8] constant({...})\n r = f32[8] negate(k)\n s = f32[8] negate(p)");
    assert!(!on_cpu(&text, "k", "r"));
    assert!(on_cpu(&text, "p", "s"));
}

#[test]
fn only_an_operand_gives_its_bytes() {
    assert!(!on_cpu(&entry("", "r = f32[8] negate(p)"), "q", "r"));
}

#[test]
fn in_place_pairs_share() {
    let text = entry(
        "",
        "r = f32[8] custom-call(p, q), custom_call_target=\"f\", output_to_operand_aliasing={{}: (1, {})}",
    );
    for platform in [Platform::Cpu, Platform::Gpu] {
        assert!(shares(&text, platform, "q", "r", &[]));
        assert!(!shares(&text, platform, "p", "r", &[]));
    }
}

/// An operand in several slots shares if one of them is in place.
#[test]
fn a_pair_in_any_slot_is_enough() {
    let text = entry(
        "",
        "r = f32[8] custom-call(p, p), custom_call_target=\"f\", output_to_operand_aliasing={{}: (1, {})}",
    );
    assert!(on_cpu(&text, "p", "r"));
}

#[test]
fn shapes_differ_by_type_size_layout_and_memory_space() {
    for (from, to) in [
        ("f32[8]", "s32[8]"),
        ("f32[4,8]{1,0}", "f32[4,8]{0,1}"),
        ("f32[8]{0}", "f32[8]{0:S(5)}"),
        ("f32[8]{0}", "f32[8]{0:T(128)}"),
    ] {
        let text = format!(
            "HloModule m\nENTRY e {{\n p = {from} parameter(0)\n ROOT r = {to} convert(p)\n}}"
        );
        assert!(!on_cpu(&text, "p", "r"), "{from} {to}");
    }
    // What is left out has its default.
    let text =
        "HloModule m\nENTRY e {\n p = f32[4,8] parameter(0)\n ROOT r = f32[4,8]{1,0} abs(p)\n}";
    assert!(on_cpu(text, "p", "r"));
}

#[test]
fn element_wise_ops_share() {
    for (call, may) in [
        ("copy(p)", true),
        ("add(p, q)", true),
        ("add(p, p)", true),
        ("clamp(p, q, p)", true),
        ("logistic(p)", true),
        ("map(p), dimensions={0}, to_apply=sum", true),
        ("reverse(p), dimensions={0}", false),
        ("rng-bit-generator(p)", false),
        ("all-reduce(p), to_apply=sum", false),
        ("transpose(p), dimensions={0}", false),
        ("reshape(p)", false),
        ("broadcast(p), dimensions={0}", false),
        ("concatenate(p), dimensions={0}", false),
        ("slice(p), slice={[0:8]}", false),
        ("dot(m, p), lhs_contracting_dims={1}, rhs_contracting_dims={0}", false),
    ] {
        assert_eq!(on_cpu(&entry("", &format!("r = f32[8] {call}")), "p", "r"), may, "{call}");
    }
}

/// A scalar that is broadcast on the way has other dimensions than the result.
#[test]
fn operands_of_other_dimensions_do_not_share() {
    let text = entry("", "k = f32[] parameter(4)\n r = f32[8] clamp(k, p, k)");
    assert!(!on_cpu(&text, "k", "r"));
    assert!(on_cpu(&text, "p", "r"));
}

#[test]
fn updates_share_operand_0_that_appears_once() {
    let update = |call: &str| {
        entry(
            "",
            &format!(
                "z = f32[1] slice(q), slice={{[0:1]}}\n j = s32[8,1] parameter(4)\n r = f32[8] {call}"
            ),
        )
    };
    assert!(on_cpu(&update("dynamic-update-slice(p, z, i)"), "p", "r"));
    assert!(!on_cpu(&update("dynamic-update-slice(q, p, i)"), "p", "r"));
    assert!(on_cpu(&update("set-dimension-size(p, i), dimensions={0}"), "p", "r"));
    let scatter = "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum";
    assert!(on_cpu(&update(&format!("scatter(p, j, q), {scatter}")), "p", "r"));
    assert!(!on_cpu(&update(&format!("scatter(q, j, p), {scatter}")), "p", "r"));
}

#[test]
fn a_triangular_solve_shares_operand_1_that_appears_once() {
    let solve = |a: &str, b: &str| {
        entry("", &format!("n = f32[8,8] negate(m)\n r = f32[8,8] triangular-solve({a}, {b})"))
    };
    assert!(on_cpu(&solve("m", "n"), "n", "r"));
    assert!(!on_cpu(&solve("m", "n"), "m", "r"));
    assert!(!on_cpu(&solve("n", "n"), "n", "r"));
}

#[test]
fn loops_and_conditionals_share() {
    let text = entry(
        "body {\n s = (f32[8]) parameter(0)\n x = f32[8] get-tuple-element(s), index=0\n ROOT t = (f32[8]) tuple(x)\n}\n\
         while_true {\n s = (f32[8]) parameter(0)\n ROOT t = pred[] constant(true)\n}\n\
         yes {\n s = f32[8] parameter(0)\n ROOT t = f32[8] negate(s)\n}",
        "t = (f32[8]) tuple(p)\n w = (f32[8]) while(t), condition=while_true, body=body\n g = pred[] constant(true)\n\
         c = f32[8] conditional(g, p, q), true_computation=yes, false_computation=yes",
    );
    let module = module(&text);
    let rules = Sharing::new(&module, Platform::Cpu);
    let zero = ShapeIndex::one(0);
    assert!(rules.may_share(named(&module, "t"), &zero, named(&module, "w"), &zero));
    assert!(on_cpu(&text, "q", "c"));
}

#[test]
fn a_sort_shares_key_by_key() {
    let one = entry("", "r = f32[8] sort(p), dimensions={0}, to_apply=less");
    assert!(on_cpu(&one, "p", "r"));
    let two = entry("", "r = (f32[8], f32[8]) sort(p, q), dimensions={0}, to_apply=less2");
    assert!(shares(&two, Platform::Cpu, "p", "r", &[0]));
    assert!(!shares(&two, Platform::Cpu, "p", "r", &[1]));
    let used = entry(
        "",
        "n = f32[8] negate(p)\n r = (f32[8], f32[8]) sort(p, q), dimensions={0}, to_apply=less2",
    );
    assert!(!shares(&used, Platform::Cpu, "p", "r", &[0]));
    let twice = entry("", "r = (f32[8], f32[8]) sort(p, p), dimensions={0}, to_apply=less2");
    assert!(!shares(&twice, Platform::Cpu, "p", "r", &[0]));
}

/// Two uses, the call and the root: then the root may work in the operand.
#[test]
fn a_call_shares_what_only_its_root_reads() {
    let call = |root: &str, more: &str| {
        entry(
            &format!("f {{\n x = f32[8] parameter(0)\n y = f32[8] parameter(1)\n{root}\n}}"),
            &format!("{more}\n r = f32[8] call(p, q), to_apply=f"),
        )
    };
    assert!(on_cpu(&call("ROOT z = f32[8] add(x, y)", ""), "p", "r"));
    assert!(!on_cpu(&call("ROOT z = f32[8] add(x, y)", "n = f32[8] negate(p)"), "p", "r"));
    assert!(!on_cpu(&call("n = f32[8] negate(x)\n ROOT z = f32[8] add(x, n)", ""), "p", "r"));
    assert!(!on_cpu(&call("n = f32[8] negate(x)\n ROOT z = f32[8] add(n, y)", ""), "p", "r"));
    assert!(!on_cpu(&call("ROOT z = f32[8] reverse(x), dimensions={0}", ""), "p", "r"));
    assert!(!on_cpu(&call("ROOT z = f32[8] add(x, x)", ""), "p", "r"));
}

/// A fusion `r` of `p` and `q` with that inside.
fn fused(kind: &str, lines: &str) -> String {
    let f = format!("f {{\n x = f32[8] parameter(0)\n y = f32[8] parameter(1)\n{lines}\n}}");
    entry(&f, &format!("r = f32[8] fusion(p, q), kind={kind}, calls=f"))
}

#[test]
fn fusions_share_what_flows_through_element_wise_ops() {
    for kind in ["kLoop", "kInput"] {
        let chain = fused(
            kind,
            "n = f32[8] negate(x)\n e = f32[8] exponential(n)\n ROOT z = f32[8] add(e, y)",
        );
        assert!(on_cpu(&chain, "p", "r") && on_cpu(&chain, "q", "r"), "{kind}");
        // A use that is not element-wise, however far away.
        let far = fused(
            kind,
            "n = f32[8] negate(x)\n e = f32[8] reverse(n), dimensions={0}\n ROOT z = f32[8] add(e, y)",
        );
        assert!(!on_cpu(&far, "p", "r") && on_cpu(&far, "q", "r"), "{kind}");
        // A bitcast is no element-wise op.
        let cast = fused(kind, "n = f32[8] bitcast(x)\n ROOT z = f32[8] add(n, y)");
        assert!(!on_cpu(&cast, "p", "r") && on_cpu(&cast, "q", "r"), "{kind}");
    }
    assert!(!on_cpu(&fused("kCustom", "ROOT z = f32[8] add(x, y)"), "p", "r"));
}

/// An operand that fills several slots must flow through all of them.
#[test]
fn every_slot_of_a_fusion_counts() {
    let f = "f {\n x = f32[8] parameter(0)\n y = f32[8] parameter(1)\n v = f32[8] reverse(y), dimensions={0}\n ROOT z = f32[8] add(x, v)\n}";
    let text = entry(
        f,
        "r = f32[8] fusion(p, p), kind=kLoop, calls=f\n s = f32[8] fusion(p, q), kind=kLoop, calls=f",
    );
    assert!(!on_cpu(&text, "p", "r"));
    assert!(on_cpu(&text, "p", "s"));
}

#[test]
fn tuples_at_the_end_of_a_fusion_do_no_harm() {
    let f = "f {\n x = f32[8] parameter(0)\n n = f32[8] negate(x)\n ROOT z = (f32[8], f32[8]) tuple(n, n)\n}";
    let text = entry(f, "r = (f32[8], f32[8]) fusion(p), kind=kLoop, calls=f");
    assert!(shares(&text, Platform::Cpu, "p", "r", &[1]));
}

#[test]
fn nested_loop_fusions_are_element_wise_when_all_in_them_is() {
    let nested = |inner: &str, kind: &str| {
        let g = format!("g {{\n u = f32[8] parameter(0)\n k = f32[] constant(1)\n{inner}\n}}\n");
        let f = format!(
            "{g}f {{\n x = f32[8] parameter(0)\n ROOT z = f32[8] fusion(x), kind={kind}, calls=g\n}}"
        );
        entry(&f, "r = f32[8] fusion(p), kind=kLoop, calls=f")
    };
    assert!(on_cpu(&nested("ROOT v = f32[8] negate(u)", "kLoop"), "p", "r"));
    assert!(!on_cpu(&nested("ROOT v = f32[8] negate(u)", "kInput"), "p", "r"));
    let broadcast = "b = f32[8] broadcast(k), dimensions={}\n ROOT v = f32[8] add(u, b)";
    assert!(!on_cpu(&nested(broadcast, "kLoop"), "p", "r"));
}

#[test]
fn an_output_fusion_shares_what_is_added_to_a_product() {
    let f = |root: &str| {
        let f = format!(
            "f {{\n x = f32[8,8] parameter(0)\n y = f32[8,8] parameter(1)\n d = f32[8,8] dot(y, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n{root}\n}}"
        );
        entry(&f, "n = f32[8,8] negate(m)\n r = f32[8,8] fusion(n, m), kind=kOutput, calls=f")
    };
    assert!(on_cpu(&f("ROOT z = f32[8,8] add(x, d)"), "n", "r"));
    assert!(on_cpu(&f("ROOT z = f32[8,8] add(d, x)"), "n", "r"));
    assert!(!on_cpu(&f("ROOT z = f32[8,8] add(x, d)"), "m", "r"));
    assert!(!on_cpu(&f("ROOT z = f32[8,8] multiply(x, d)"), "n", "r"));
    assert!(!on_cpu(&f("ROOT z = f32[8,8] add(x, y)"), "n", "r"));
    assert!(!on_cpu(&f("v = f32[8,8] negate(x)\n ROOT z = f32[8,8] add(v, d)"), "n", "r"));
    assert!(!on_cpu(&f("v = f32[8,8] negate(x)\n ROOT z = f32[8,8] add(x, d)"), "n", "r"));
}

/// Questions about a fusion of thousands of operands cost next to nothing each.
#[test]
fn fusions_of_many_operands_are_walked_once() {
    let lines = |line: fn(usize) -> String| (0..4000).map(line).collect::<String>();
    let parameters = lines(|i| format!(" p{i} = f32[8] parameter({i})\n"));
    let sums = lines(|i| match i {
        0 => " s0 = f32[8] negate(p0)\n".into(),
        _ => format!(" s{i} = f32[8] add(s{}, p{i})\n", i - 1),
    });
    let operands = lines(|i| if i == 0 { "p0".into() } else { format!(", p{i}") });
    let text = format!(
        "HloModule m\nf {{\n{parameters}{sums}}}\nENTRY e {{\n{parameters} ROOT r = f32[8] fusion({operands}), kind=kLoop, calls=f\n}}"
    );
    let module = module(&text);
    for platform in [Platform::Cpu, Platform::Gpu] {
        let rules = Sharing::new(&module, platform);
        let root = module.root(module.entry);
        let may = |p: &InstructionId| rules.may_share(*p, &ShapeIndex::TOP, root, &ShapeIndex::TOP);
        assert!(module.entry().parameters.iter().all(may));
    }
}
