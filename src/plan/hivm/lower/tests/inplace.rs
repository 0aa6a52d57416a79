//! Sections 3.1 and 3.2: which buffers share memory.

use super::*;

/// `load a; cast a -> b; store b`.
fn cast(from: &str, to: &str) -> Vec<u64> {
    single(&format!(
        "%a = UB<{from}>\n%b = UB<{to}>\nhivm.hir.load ins(%g : GM<?xf32>) outs(%a : UB<{from}>)\n\
        hivm.hir.vcast ins(%a : UB<{from}>) outs(%b : UB<{to}>)\n\
        hivm.hir.store ins(%b : UB<{to}>) outs(%g : GM<?xf32>)"
    ))
}

/// `load a, b; op a b -> c; store c`, with a temporary.
fn binary(op: &str, [a, b, c, t]: [&str; 4], attrs: &str) -> Vec<u64> {
    single(&format!(
        "%a = UB<{a}>\n%b = UB<{b}>\n%d = UB<{c}>\n%t = UB<{t}>\nload %a : {a}\nload %b : {b}\n\
        hivm.hir.{op} ins(%a, %b : UB<{a}>, UB<{b}>) outs(%d : UB<{c}>) \
        temp_buffer(%t : UB<{t}>) {attrs}\nstore %d : {c}"
    ))
}

#[test]
fn a_chain_of_additions_stays_in_the_loaded_buffer() {
    let body = "%a = UB<8xf32>\n%b = UB<8xf32>\n%d = UB<8xf32>\n%e = UB<8xf32>\nload %a : 8xf32\n\
        vadd %a, %a -> %b : 8xf32\nvadd %b, %b -> %d : 8xf32\nvadd %d, %d -> %e : 8xf32\n\
        store %e : 8xf32";
    assert_eq!(single(body), [0, 0, 0, 0]);
}

#[test]
fn a_result_takes_one_of_its_two_sources() {
    let body = "%a = UB<128xf32>\n%b = UB<128xf32>\n%d = UB<128xf32>\nload %a : 128xf32\n\
        load %b : 128xf32\nvadd %a, %b -> %d : 128xf32\nstore %d : 128xf32";
    let found = single(body);
    assert!(found == [0, 512, 0] || found == [0, 512, 512], "{found:?}");
}

/// Seed 0 decides which of two equal sources dies first: it depends on all shuffles so far.
#[test]
fn the_shuffle_decides_which_source_is_taken() {
    let ty = "UB<2048xf32>";
    let kernel = |body: &str, [a, b, d]: [&str; 3]| {
        let chunk = module(&format!(
            "func.func @kernel(%g0: GM<?xf32>, %g1: GM<?xf32>, %g2: GM<?xf32>) {{\n{body}\n\
            vadd {a}, {b} -> {d} : 2048xf32\n\
            hivm.hir.store ins({d} : {ty}) outs(%g2 : GM<?xf32>)\nreturn\n}}"
        ));
        bytes(&planned(&chunk, &PassOptions::default(), CHIP)[0]).concat()
    };
    let load =
        |name: &str, n: u32| format!("hivm.hir.load ins(%g{n} : GM<?xf32>) outs({name} : {ty})\n");
    let (a, b) = (load("%a", 0), load("%b", 1));
    let late = format!("%a = {ty}\n{a}%b = {ty}\n{b}%d = {ty}");
    assert_eq!(kernel(&late, ["%a", "%b", "%d"]), [0, 8192, 0]);
    // With all allocs first, the lists of the loads are longer and the other source dies first.
    let early = format!("%a = {ty}\n%b = {ty}\n%d = {ty}\n{a}{b}");
    assert_eq!(kernel(&early, ["%a", "%b", "%d"]), [0, 8192, 8192]);
    for view in [
        "memref.subview %name[0] [2048] [1] : UB<2048xf32> to UB<2048xf32, strided<[1]>>",
        "memref.collapse_shape %name [[0]] : UB<2048xf32> into UB<2048xf32>",
        "memref.expand_shape %name [[0]] output_shape [2048] : UB<2048xf32> into UB<2048xf32>",
    ] {
        let make = |name: &str| format!("{name}v = {}\n", view.replace("%name", name));
        let views = early.clone() + &make("%a") + &make("%b") + &make("%d");
        assert_eq!(kernel(&views, ["%av", "%bv", "%dv"]), [0, 8192, 8192], "{view}");
    }
}

#[test]
fn casts_share_where_no_element_is_overwritten_unread() {
    assert_eq!(cast("16x16xf16", "16x16xf32"), [0, 512]);
    assert_eq!(cast("16x16xf16", "16x16xi16"), [0, 0]);
    assert_eq!(cast("16x16xf32", "16x16xf16"), [0, 1024]);
    assert_eq!(cast("1024xf16", "1024xf32"), [0, 2048]);
    assert_eq!(cast("1024xf16", "1024xi16"), [0, 0]);
    assert_eq!(cast("1024xf32", "1024xf16"), [0, 0]);
    let strided = |element| format!("1024x{element}, strided<[2]>");
    assert_eq!(cast(&strided("f16"), &strided("f32")), [0, 2048]);
    assert_eq!(cast(&strided("f16"), &strided("i16")), [0, 0]);
    assert_eq!(cast(&strided("f32"), &strided("f16")), [0, 4096]);
}

#[test]
fn of_a_broadcast_only_the_full_source_is_taken() {
    let (full, row, column) = ("64x128xf32", "1x128xf32", "64x1xf32");
    let last = [full, column, full, row];
    assert_eq!(binary("vsub", last, "broadcast = [1]"), [0, 32768, 0, 33024]);
    assert_eq!(binary("vadd", last, "broadcast = [1]"), [0, 32768, 0, 33024]);
    let second = [column, full, full, row];
    assert_eq!(binary("vsub", second, "broadcast = [1]"), [0, 256, 256, 33024]);
    let first = [full, row, full, row];
    assert_eq!(binary("vdiv", first, "broadcast = [0]"), [0, 32768, 0, 33280]);
}

#[test]
fn a_result_larger_than_its_sources_takes_none() {
    let types = ["1x256xf32", "64x4xf32", "64x256xf32", "8xf32"];
    assert_eq!(binary("vmul", types, "broadcast = [0]"), [0, 1024, 2048, 67584]);
}

#[test]
fn one_temporary_is_allowed_with_a_scalar_operand_and_stays_apart() {
    let body = |n: u32| {
        format!(
            "%a = UB<{n}xf32>\n%b = UB<{n}xf32>\n%t = UB<{n}xf32>\nload %a : {n}xf32\n\
            hivm.hir.vdiv ins(%a, %s : UB<{n}xf32>, f32) outs(%b : UB<{n}xf32>) \
            temp_buffer(%t : UB<{n}xf32>)\nstore %b : {n}xf32"
        )
    };
    assert_eq!(single(&body(8192)), [0, 0, 32768]);
    assert_eq!(single(&body(16)), [0, 0, 64]);
}

#[test]
fn one_temporary_without_scalar_or_broadcast_forbids_reuse() {
    let same = ["16xf32"; 4];
    assert_eq!(binary("vdiv", same, ""), [0, 64, 128, 192]);
}

#[test]
fn restricted_to_the_isa_only_seven_ops_reuse() {
    let body = |op: &str| {
        format!(
            "%a = UB<8xf32>\n%b = UB<8xf32>\nload %a : 8xf32\n\
            hivm.hir.{op} outs(%b : UB<8xf32>)\nstore %b : 8xf32"
        )
    };
    let options = PassOptions { inplace_as_isa: true, ..PassOptions::default() };
    let add = body("vadd ins(%a, %a : UB<8xf32>, UB<8xf32>)");
    assert_eq!(offsets_of(&add, &options, CHIP).concat(), [0, 0]);
    let abs = body("vabs ins(%a : UB<8xf32>)");
    assert_eq!(offsets_of(&abs, &options, CHIP).concat(), [0, 32]);
    assert_eq!(single(&abs), [0, 0]);
    assert_eq!(single(&body("vadd ins(%a, %a : UB<8xf32>, UB<8xf32>) transpose = [0]")), [0, 32]);
}

#[test]
fn ops_that_are_not_elementwise_do_not_reuse() {
    let body = "%a = UB<8xf32>\n%b = UB<8xf32>\nload %a : 8xf32\n\
        hivm.hir.vflip ins(%a : UB<8xf32>) outs(%b : UB<8xf32>)\nstore %b : 8xf32";
    assert_eq!(single(body), [0, 32]);
}

#[test]
fn a_64_bit_selection_does_not_overwrite_its_condition() {
    let body = |condition: &str, out: &str, element: &str| {
        format!(
            "%a = UB<{condition}>\n%b = UB<{out}>\n\
            %x = arith.constant 0 : {element}\nload %a : {condition}\n\
            hivm.hir.vsel ins(%a, %x, %x : UB<{condition}>, {element}, {element}) \
            outs(%b : UB<{out}>)\nstore %b : {out}"
        )
    };
    assert_eq!(single(&body("2048xi1", "32xi64", "i64")), [0, 256]);
    assert_eq!(single(&body("2048xi1", "64xi32", "i32")), [0, 0]);
    // Regbase has only the width rule: 64-bit scalars are as wide as the output.
    let wide = kernel(&body("2048xi1", "32xi64", "i64"));
    assert_eq!(bytes(&planned(&wide, &regbase(), CHIP)[0]).concat(), [0, 0]);
}

#[test]
fn views_at_different_offsets_do_not_share_in_base() {
    let body = "%a = UB<2048xf32>\n%b = UB<1024xf32>\nload %a : 2048xf32\n\
        %v = memref.subview %a[1024] [1024] [1] : UB<2048xf32> to \
        UB<1024xf32, strided<[1], offset: 1024>>\n\
        hivm.hir.vabs ins(%v : UB<1024xf32, strided<[1], offset: 1024>>) outs(%b : UB<1024xf32>)\n\
        store %b : 1024xf32";
    assert_eq!(single(body), [0, 8192]);
    assert_eq!(offsets_of(body, &regbase(), CHIP).concat(), [0, 0]);
}

#[test]
fn branches_that_yield_share_one_buffer() {
    let body = "%r = scf.if %c -> (UB<8xf32>) {\n%a = UB<8xf32>\nload %a : 8xf32\n\
        scf.yield %a : UB<8xf32>\n} else {\n%b = UB<8xf32>\nload %b : 8xf32\n\
        scf.yield %b : UB<8xf32>\n}\nstore %r : 8xf32";
    assert_eq!(single(body), [0, 0]);
}

#[test]
fn a_loop_carries_one_buffer() {
    let body = "%a = UB<8xf32>\n%b = UB<8xf32>\nload %b : 8xf32\nload %a : 8xf32\n\
        %r = scf.for %k = %n to %i step %n iter_args(%x = %a) -> (UB<8xf32>) {\n\
        %d = UB<8xf32>\nvadd %x, %b -> %d : 8xf32\nscf.yield %d : UB<8xf32>\n}\n\
        store %r : 8xf32";
    assert_eq!(single(body), [32, 0, 32]);
}

#[test]
fn a_while_carries_one_buffer_and_passes_another() {
    let body = "%a = UB<8xf32>\nload %a : 8xf32\n\
        %r = scf.while (%x = %a) : (UB<8xf32>) -> UB<8xf32> {\n\
        scf.condition(%c) %x : UB<8xf32>\n} do {\n^bb0(%y: UB<8xf32>):\n%d = UB<8xf32>\n\
        vadd %y, %y -> %d : 8xf32\nscf.yield %d : UB<8xf32>\n}\nstore %r : 8xf32";
    assert_eq!(single(body), [0, 0]);
}

#[test]
fn a_scope_returns_the_buffer_itself() {
    let body = "%r = scope.scope : () -> UB<8xf32> {\n%a = UB<8xf32>\nload %a : 8xf32\n\
        scope.return %a : UB<8xf32>\n}\nstore %r : 8xf32";
    // 0 scope, 1 alloc, 2 load, 3 return, 4 end, 5 store.
    assert_eq!(lives(body), [Some((2, 5))]);
}

#[test]
fn selected_buffers_keep_their_addresses() {
    let body = "%a = UB<8xf32>\n%b = UB<8xf32>\nload %a : 8xf32\nload %b : 8xf32\n\
        %r = arith.select %c, %a, %b : UB<8xf32>\n%d = UB<8xf32>\nvadd %r, %r -> %d : 8xf32\n\
        store %d : 8xf32";
    assert_eq!(single(body), [0, 32, 64]);
}

/// D.5.
#[test]
fn a_loop_that_yields_what_it_was_given_keeps_its_buffer_from_reuse() {
    let body = "%a = UB<8xf32>\nload %a : 8xf32\n\
        %r = scf.for %k = %n to %i step %n iter_args(%x = %a) -> (UB<8xf32>) {\n\
        scf.yield %x : UB<8xf32>\n}\n%d = UB<8xf32>\nvadd %r, %r -> %d : 8xf32\nstore %d : 8xf32";
    assert_eq!(single(body), [0, 32]);
    assert_eq!(lowered(&kernel(body), &PassOptions::default()).pairs[0].second, 0);
}

/// Hazard 3: the base pass loses the second link's flag.
#[test]
fn base_forgets_that_a_link_became_conditional() {
    let body = "%a = UB<8xf32>\n%b = UB<8xf32>\nload %a : 8xf32\nload %b : 8xf32\n\
        %r = scf.if %c -> (UB<8xf32>) {\nscf.yield %a : UB<8xf32>\n} else {\n\
        scf.yield %b : UB<8xf32>\n}\n%q = arith.select %c, %a, %b : UB<8xf32>\n\
        %p = arith.select %c, %a, %r : UB<8xf32>\nstore %r : 8xf32\nstore %p : 8xf32\n\
        store %q : 8xf32";
    let chunk = kernel(body);
    let pairs = |options: &PassOptions| lowered(&chunk, options).pairs.len();
    assert_eq!((pairs(&PassOptions::default()), pairs(&regbase())), (1, 0));
}

/// Hazard 5.
#[test]
fn the_storage_of_a_pair_has_the_size_of_the_second() {
    let body = "%a = UB<1024xf32>\nload %a : 1024xf32\n\
        %r = scf.for %k = %n to %i step %n iter_args(%x = %a) -> (UB<1024xf32>) {\n\
        %d = UB<8xf32>\n\
        %v = memref.reinterpret_cast %d to offset: [0], sizes: [1024], strides: [1] : \
        UB<8xf32> to UB<1024xf32>\nvadd %x, %x -> %v : 1024xf32\nscf.yield %v : UB<1024xf32>\n}\n\
        store %r : 1024xf32";
    let lowered = lowered(&kernel(body), &PassOptions::default());
    assert_eq!((lowered.input.entries.len(), lowered.input.entries[0].bits), (1, 256));
}
