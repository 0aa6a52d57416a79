//! Which outputs are updated in place (5.1).

use super::module;
use crate::ir::hlo::{InPlacePair, all_in_place_pairs, in_place_pairs};

/// The pairs of instruction `r` as text: `0{} -> {}`.
fn pairs(text: &str) -> Vec<String> {
    let module = module(text);
    let found = module.instructions.enumerate().find(|(_, op)| op.name == "r");
    let (id, _) = found.unwrap();
    let pairs = in_place_pairs(&module, id);
    assert_eq!(all_in_place_pairs(&module)[id], pairs, "both ways tell the same");
    let text = |p: &InPlacePair| format!("{}{} -> {}", p.operand, p.operand_index, p.output_index);
    pairs.iter().map(text).collect()
}

/// An entry of two arrays, a row, a number, and these lines.
fn entry(computations: &str, lines: &str) -> String {
    format!(
        "HloModule m\n\
         sum {{\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT c = f32[] add(a, b)\n}}\n\
         {computations}\n\
         ENTRY main {{\n p = f32[8,4] parameter(0)\n q = f32[8,4] parameter(1)\n w = f32[1,4] parameter(2)\n i = s32[] parameter(3)\n{lines}\n}}"
    )
}

/// A fusion `r` of `p`, `q`, `w` and `i`.
fn fused(shape: &str, lines: &str) -> String {
    fused_beside("", shape, lines)
}

fn fused_beside(computations: &str, shape: &str, lines: &str) -> String {
    let f = format!(
        "{computations}\nf {{\n x = f32[8,4] parameter(0)\n y = f32[8,4] parameter(1)\n v = f32[1,4] parameter(2)\n j = s32[] parameter(3)\n{lines}\n}}"
    );
    entry(&f, &format!("r = {shape} fusion(p, q, w, i), kind=kLoop, calls=f"))
}

#[test]
fn ops_that_update_their_operand() {
    for (line, expected) in [
        ("f32[8,4] dynamic-update-slice(p, w, i, i)", &["0{} -> {}"][..]),
        ("f32[8,4] set-dimension-size(p, i), dimensions={0}", &["0{} -> {}"]),
        ("f32[8,4] ragged-all-to-all(p, q, i, i, i, i)", &["1{} -> {}"]),
        ("f32[8,4] all-reduce-start(p), to_apply=sum", &["0{} -> {}"]),
        (
            "(f32[8,4], f32[8,4]) all-reduce-start(p, q), to_apply=sum",
            &["0{} -> {0}", "1{} -> {1}"],
        ),
        (
            "f32[8,4] all-reduce-start(p), to_apply=sum, backend_config={\"collective_backend_config\":{\"backend\":\"NVSHMEM\"}}",
            &[],
        ),
        ("f32[8,4] all-reduce(p), to_apply=sum", &[]),
        ("f32[8,4] copy(p)", &[]),
        ("f32[8,4] bitcast(p)", &[]),
        ("f32[8,4] collective-permute(p), source_target_pairs={{0,1}}", &[]),
        ("f32[8,4] collective-permute(p, q, i, i), source_target_pairs={{0,1}}", &["1{} -> {}"]),
        (
            "(f32[8,4], f32[8,4], u32[], u32[]) collective-permute-start(p, q, i, i), source_target_pairs={{0,1}}",
            &["1{} -> {1}"],
        ),
        ("(f32[8,4], f32[8,4]) collective-permute-start(p), source_target_pairs={{0,1}}", &[]),
    ] {
        assert_eq!(pairs(&entry("", &format!("r = {line}"))), expected, "{line}");
    }
}

#[test]
fn scatters_of_one_and_of_several_inputs() {
    let rest = "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum";
    let one = entry(
        "",
        &format!("k = s32[8,1] iota(), iota_dimension=0\n r = f32[8,4] scatter(p, k, q), {rest}"),
    );
    assert_eq!(pairs(&one), ["0{} -> {}"]);
    let two = "(f32[8,4], f32[8,4]) scatter(p, q, k, p, q)";
    let two = entry(
        "two {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n c = f32[] parameter(2)\n d = f32[] parameter(3)\n ROOT t = (f32[], f32[]) tuple(a, b)\n}",
        &format!(
            "k = s32[8,1] iota(), iota_dimension=0\n r = {two}, {}",
            rest.replace("sum", "two")
        ),
    );
    assert_eq!(pairs(&two), ["0{} -> {0}", "1{} -> {1}"]);
}

#[test]
fn tuples_are_permuted_element_by_element() {
    let lines = "t = (f32[8,4], f32[8,4]) tuple(p, q)\n s = (s32[], s32[]) tuple(i, i)\n";
    let sync = format!(
        "{lines} r = (f32[8,4], f32[8,4]) collective-permute(t, t, s, s), source_target_pairs={{{{0,1}}}}"
    );
    assert_eq!(pairs(&entry("", &sync)), ["1{0} -> {0}", "1{1} -> {1}"]);
    let start = format!(
        "{lines} r = ((f32[8,4], f32[8,4]), (f32[8,4], f32[8,4]), u32[]) collective-permute-start(t, t, s, s), source_target_pairs={{{{0,1}}}}"
    );
    assert_eq!(pairs(&entry("", &start)), ["1{0} -> {1,0}", "1{1} -> {1,1}"]);
}

#[test]
fn annotations_say_what_they_say() {
    let call = entry(
        "",
        "t = (f32[8,4], f32[8,4]) tuple(p, q)\n r = (f32[8,4], f32[8,4]) custom-call(w, t), custom_call_target=\"f\", output_to_operand_aliasing={{0}: (1, {}), {1}: (1, {1})}",
    );
    // The first does not fit: an array cannot be a tuple.
    let all = pairs(&call);
    assert!(all.contains(&"1{1} -> {1}".to_owned()), "{all:?}");
    let start = |more: &str| {
        entry(
            "g {\n x = f32[8,4] parameter(0)\n ROOT z = f32[8,4] negate(x)\n}",
            &format!(
                "r = ((f32[8,4]), f32[8,4], u32[]) async-start(p), calls=g{more}\n d = f32[8,4] async-done(r)"
            ),
        )
    };
    assert_eq!(pairs(&start("")), [""; 0]);
    assert_eq!(pairs(&start(", output_to_operand_aliasing={{1}: (0, {})}")), ["0{} -> {1}"]);
}

#[test]
fn a_fusion_is_in_place_where_its_root_updates_a_parameter() {
    let update = "dynamic-update-slice(x, v, j, j)";
    assert_eq!(pairs(&fused("f32[8,4]", &format!("ROOT z = f32[8,4] {update}"))), ["0{} -> {}"]);
    assert_eq!(pairs(&fused("f32[8,4]", "ROOT z = f32[8,4] add(x, y)")), [""; 0]);
    assert_eq!(
        pairs(&fused("f32[8,4]", &format!("u = f32[8,4] {update}\n ROOT z = f32[8,4] negate(u)"))),
        [""; 0]
    );
    let several = format!(
        "a = f32[8,4] add(x, y)\n u = f32[8,4] {update}\n t = f32[8,4] dynamic-update-slice(y, v, j, j)\n ROOT z = (f32[8,4], (f32[8,4], f32[8,4])) tuple(a, b)"
    )
    .replace("tuple(a, b)", "tuple(a, b)")
    .replace(" ROOT", " b = (f32[8,4], f32[8,4]) tuple(u, t)\n ROOT");
    assert_eq!(
        pairs(&fused("(f32[8,4], (f32[8,4], f32[8,4]))", &several)),
        ["0{} -> {1,0}", "1{} -> {1,1}"]
    );
}

/// The walk goes one update deep.
#[test]
fn chained_updates_are_not_in_place() {
    let lines = "u = f32[8,4] dynamic-update-slice(x, v, j, j)\n ROOT z = f32[8,4] dynamic-update-slice(u, v, j, j)";
    assert_eq!(pairs(&fused("f32[8,4]", lines)), [""; 0]);
}

#[test]
fn bitcasts_and_tuples_on_the_way_do_no_harm() {
    let cast = "a = f32[4,8] bitcast(x)\n u = f32[4,8] dynamic-update-slice(a, b, j, j)\n ROOT z = f32[8,4] bitcast(u)";
    let cast = cast.replace("a =", "b = f32[1,8] constant({...})\n a =");
    assert_eq!(pairs(&fused("f32[8,4]", &cast)), ["0{} -> {}"]);
    let tuple = "t = (f32[8,4], f32[8,4]) tuple(y, x)\n g = f32[8,4] get-tuple-element(t), index=1\n u = f32[8,4] dynamic-update-slice(g, v, j, j)\n ROOT z = (f32[8,4]) tuple(u)";
    assert_eq!(pairs(&fused("(f32[8,4])", tuple)), ["0{} -> {0}"]);
    // A bitcast of one operand, an update of the other.
    let other = "a = f32[8,4] bitcast(y)\n ROOT z = f32[8,4] dynamic-update-slice(a, v, j, j)";
    assert_eq!(pairs(&fused("f32[8,4]", other)), ["1{} -> {}"]);
}

#[test]
fn a_parameter_that_is_a_tuple_is_updated_at_its_node() {
    let text = entry(
        "f {\n x = (f32[8,4], f32[8,4]) parameter(0)\n v = f32[1,4] parameter(1)\n j = s32[] parameter(2)\n g = f32[8,4] get-tuple-element(x), index=1\n ROOT z = f32[8,4] dynamic-update-slice(g, v, j, j)\n}",
        "t = (f32[8,4], f32[8,4]) tuple(p, q)\n r = f32[8,4] fusion(t, w, i), kind=kLoop, calls=f",
    );
    assert_eq!(pairs(&text), ["0{1} -> {}"]);
}

#[test]
fn nested_fusions_are_looked_into() {
    let g = "g {\n a = f32[8,4] parameter(0)\n b = f32[1,4] parameter(1)\n k = s32[] parameter(2)\n ROOT c = f32[8,4] dynamic-update-slice(a, b, k, k)\n}";
    let nested = "n = f32[8,4] fusion(y, v, j), kind=kLoop, calls=g\n";
    for (root, expected) in [
        ("ROOT z = (f32[8,4]) tuple(n)", &["1{} -> {0}"][..]),
        ("t = f32[8,4] bitcast(n)\n ROOT z = (f32[8,4]) tuple(t)", &["1{} -> {0}"]),
        // An update of what the nested one has updated.
        (
            "u = f32[8,4] dynamic-update-slice(n, v, j, j)\n ROOT z = (f32[8,4]) tuple(u)",
            &["1{} -> {0}"],
        ),
        ("u = f32[8,4] negate(n)\n ROOT z = (f32[8,4]) tuple(u)", &[]),
    ] {
        assert_eq!(
            pairs(&fused_beside(g, "(f32[8,4])", &format!("{nested}{root}"))),
            expected,
            "{root}"
        );
    }
    let g = g
        .replace(" ROOT c", " n = f32[8,4] negate(a)\n c")
        .replace("}", " ROOT t = (f32[8,4], f32[8,4]) tuple(n, c)\n}");
    let outputs = "n = (f32[8,4], f32[8,4]) fusion(x, v, j), kind=kLoop, calls=g\n a = f32[8,4] get-tuple-element(n), index=0\n b = f32[8,4] get-tuple-element(n), index=1\n ROOT z = (f32[8,4], f32[8,4]) tuple(b, a)";
    assert_eq!(pairs(&fused_beside(&g, "(f32[8,4], f32[8,4])", outputs)), ["0{} -> {0}"]);
}

/// Found first, then annotated; what a nested fusion is annotated with does not pass a bitcast.
#[test]
fn fusions_have_annotated_pairs_too() {
    let text = fused(
        "(f32[8,4], f32[8,4])",
        "a = f32[8,4] negate(x)\n u = f32[8,4] dynamic-update-slice(y, v, j, j)\n ROOT z = (f32[8,4], f32[8,4]) tuple(a, u)",
    );
    let text = text.replace(
        "kind=kLoop, calls=f",
        "kind=kLoop, calls=f, output_to_operand_aliasing={{0}: (0, {})}",
    );
    assert_eq!(pairs(&text), ["1{} -> {1}", "0{} -> {0}"]);
    let g = "g {\n a = f32[8,4] parameter(0)\n ROOT c = f32[8,4] negate(a)\n}";
    let nested =
        "n = f32[8,4] fusion(x), kind=kLoop, calls=g, output_to_operand_aliasing={{}: (0, {})}\n";
    let direct = format!("{nested} ROOT z = (f32[8,4]) tuple(n)");
    assert_eq!(pairs(&fused_beside(g, "(f32[8,4])", &direct)), ["0{} -> {0}"]);
    let cast = format!("{nested} ROOT z = f32[8,4] bitcast(n)");
    assert_eq!(pairs(&fused_beside(g, "f32[8,4]", &cast)), [""; 0]);
}

/// 200 fusions in each other are looked into once each.
#[test]
fn nests_of_fusions_are_looked_into_to_the_end() {
    let mut text = String::from(
        "HloModule m\nf0 {\n x = f32[8] parameter(0)\n v = f32[1] parameter(1)\n j = s32[] parameter(2)\n ROOT z = f32[8] dynamic-update-slice(x, v, j)\n}\n",
    );
    for n in 1..200 {
        text += &format!(
            "f{n} {{\n x = f32[8] parameter(0)\n v = f32[1] parameter(1)\n j = s32[] parameter(2)\n ROOT z = f32[8] fusion(x, v, j), kind=kLoop, calls=f{}\n}}\n",
            n - 1
        );
    }
    text += "ENTRY e {\n p = f32[8] parameter(0)\n w = f32[1] parameter(1)\n i = s32[] parameter(2)\n ROOT r = f32[8] fusion(p, w, i), kind=kLoop, calls=f199\n}";
    assert_eq!(pairs(&text), ["0{} -> {}"]);
}
