//! Tightly coupled buffers (section 2.9 end, section 7 rule 4) and buffer classes (4.5, 4.9).

use super::*;

fn mark(name: &str, ty: &str, id: u32) -> String {
    format!(
        "annotation.mark {name} {{hivm.tightly_coupled_buffer = \
        #hivm.tightly_coupled_buffer<{id}>}} : {ty}"
    )
}

fn core(name: &str, core: &str, body: &str) -> String {
    format!(
        "func.func @{name}(%g: GM<?xf32>) attributes {{hivm.func_core_type = \
        #hivm.func_core_type<{core}>}} {{\n{body}\nreturn\n}}\n"
    )
}

/// The vector core owns `%a` behind another buffer; the cube core writes it.
fn both_cores() -> Chunk {
    let owner = format!(
        "%x = UB<8xf32>\n%a = UB<8xf32>\nload %x : 8xf32\n{}\nstore %a : 8xf32\nstore %x : 8xf32",
        mark("%a", "UB<8xf32>", 3)
    );
    let consumer = format!(
        "%a = UB<8xf32>\n{}\nhivm.hir.fixpipe ins(%g : GM<?xf32>) outs(%a : UB<8xf32>)",
        mark("%a", "UB<8xf32>", 3)
    );
    module(&(core("vector", "AIV", &owner) + &core("cube", "AIC", &consumer)))
}

#[test]
fn the_other_core_takes_the_offsets_of_the_owner() {
    for options in [PassOptions::default(), regbase()] {
        let chunk = both_cores();
        let all = planned(&chunk, &options, CHIP_950);
        let found: Vec<_> = all.iter().map(bytes).collect();
        assert_eq!(found, [vec![vec![0], vec![32]], vec![vec![32]]]);
        assert!(unwritten(&chunk.functions[1], &all[1]).is_empty());
    }
}

#[test]
fn the_owner_sees_its_buffer_written_at_the_mark() {
    // 0, 1 allocs, 2 load, 3 mark, 4 store, 5 store.
    let chunk = both_cores();
    assert_eq!(lowered(&chunk, &PassOptions::default()).lives, [Some((2, 5)), Some((3, 4))]);
}

#[test]
fn an_id_without_owner_leaves_the_buffer_without_offsets() {
    let body = format!(
        "%a = UB<8xf32>\n{}\nhivm.hir.fixpipe ins(%g : GM<?xf32>) outs(%a : UB<8xf32>)",
        mark("%a", "UB<8xf32>", 3)
    );
    let chunk = module(&core("cube", "AIC", &body));
    let all = planned(&chunk, &PassOptions::default(), CHIP_950);
    assert_eq!(unwritten(&chunk.functions[0], &all[0]), [0]);
}

#[test]
fn coupled_buffers_are_unique_only_on_request() {
    let options = PassOptions { coupled_unique: true, ..regbase() };
    let chunk = both_cores();
    assert!(!lowered(&chunk, &regbase()).input.buffers[1].unique);
    assert!(lowered(&chunk, &options).input.buffers[1].unique);
}

#[test]
fn coupled_buffers_whose_uses_lie_apart_may_share() {
    let pairs = |apart: bool| {
        let (a, b) = (mark("%a", "UB<8xf32>", 1), mark("%b", "UB<8xf32>", 2));
        let alloc = "%b = UB<8xf32>";
        let (early, late) = if apart { ("", alloc) } else { (alloc, "") };
        let body = format!(
            "%a = UB<8xf32>\n{early}\n{a}\nload %a : 8xf32\nstore %a : 8xf32\n{late}\n{b}\n\
            load %b : 8xf32\nstore %b : 8xf32"
        );
        lowered(&module(&core("vector", "AIV", &body)), &regbase()).input.coupled_pairs
    };
    assert_eq!(pairs(true).into_iter().collect::<Vec<_>>(), [(1, 2)]);
    assert!(pairs(false).is_empty());
}

#[test]
fn transfers_and_scalar_code_set_the_class_of_a_buffer() {
    let body = "%a = UB<8xf32>\n%b = UB<8xf32>\n%d = UB<8xf32>\n%e = UB<8xi64>\n\
        %v = memref.subview %a[0] [8] [1] : UB<8xf32> to UB<8xf32, strided<[1]>>\n\
        load %v : 8xf32\nvadd %a, %a -> %b : 8xf32\nmemref.store %s, %d[%n] : UB<8xf32>\n\
        vadd %e, %e -> %e : 8xi64\nstore %d : 8xf32";
    let buffers = lowered(&kernel(body), &PassOptions::default()).input.buffers;
    let classes: Vec<_> = buffers.iter().map(|b| (b.dma, b.scalar)).collect();
    assert_eq!(classes, [(true, false), (false, false), (true, true), (false, true)]);
}

#[test]
fn cube_buffers_have_their_own_scopes() {
    let body = "%a = L1<16xf16>\n%b = L1<16xf16>\n%d = L0C<16xf32>\n%t = arith.constant true\n\
        hivm.hir.nd2nz {dst_continuous} ins(%g : GM<16xf16>) outs(%a : L1<16xf16>)\n\
        hivm.hir.nd2nz {dst_continuous} ins(%g : GM<16xf16>) outs(%b : L1<16xf16>)\n\
        hivm.hir.mmadL1 ins(%a, %b, %t, %n, %n, %n : L1<16xf16>, L1<16xf16>, i1, index, index, \
        index) outs(%d : L0C<16xf32>)\n\
        hivm.hir.fixpipe ins(%d : L0C<16xf32>) outs(%g : GM<16xf32>)";
    assert_eq!(single(body), [0, 32, 0]);
    let lowered = lowered(&kernel(body), &PassOptions::default());
    assert!(lowered.input.buffers.iter().all(|b| b.dma));
}

#[test]
fn the_anchor_is_the_outermost_loop_that_uses_the_value_on_its_way_out() {
    let anchors = |body: &str| {
        let chunk = kernel(body);
        let lowered = lowered(&chunk, &PassOptions::default());
        let ops = &chunk.functions[0].ops;
        let loops: Vec<u32> =
            ops.enumerate().filter(|(_, op)| op.name == "scf.for").map(|(id, _)| id.0).collect();
        let number = |anchor| loops.iter().position(|&l| Some(l) == anchor);
        lowered.input.buffers.iter().map(|b| number(b.anchor)).collect::<Vec<_>>()
    };
    let body = "%a = UB<8xf32>\nload %a : 8xf32\nscf.for %k = %n to %i step %n {\n\
        %b = UB<8xf32>\nload %b : 8xf32\nscf.for %l = %n to %i step %n {\n%d = UB<8xf32>\n\
        load %d : 8xf32\nstore %d : 8xf32\nstore %b : 8xf32\n}\n}\nstore %a : 8xf32";
    assert_eq!(anchors(body), [None, Some(0), Some(1)]);
    // Through the inner loop's yield to the outer loop, which uses the result directly.
    let body = "%a = UB<8xf32>\nload %a : 8xf32\nscf.for %k = %n to %i step %n {\n\
        %r = scf.for %l = %n to %i step %n iter_args(%x = %a) -> (UB<8xf32>) {\n\
        %d = UB<8xf32>\nload %d : 8xf32\nscf.yield %d : UB<8xf32>\n}\nstore %r : 8xf32\n}";
    assert_eq!(anchors(body), [None, Some(0)]);
}
