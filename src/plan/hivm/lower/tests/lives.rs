//! Sections 2.1 to 2.8: when a buffer begins and ends.

use super::*;

#[test]
fn a_buffer_lives_from_its_first_write_to_its_last_use() {
    // 0 alloc, 1 alloc, 2 load, 3 vadd, 4 store.
    let body = "%a = UB<8xf32>\n%b = UB<8xf32>\nload %a : 8xf32\n\
        vadd %a, %a -> %b : 8xf32\nstore %b : 8xf32";
    assert_eq!(lives(body), [Some((2, 3)), Some((3, 4))]);
}

#[test]
fn a_write_through_a_view_counts() {
    let body = "%a = UB<8xf32>\n\
        %v = memref.collapse_shape %a [[0]] : UB<8xf32> into UB<8xf32>\n\
        load %v : 8xf32\nstore %a : 8xf32\nstore %v : 8xf32";
    assert_eq!(lives(body), [Some((2, 4))]);
}

#[test]
fn what_lives_into_a_loop_begins_with_it() {
    // Also where the first write is behind the loop: 0, 1 allocs, 2 for, 3 load, 4 store, 5 yield,
    // 6 end, 7 load, 8 store.
    let body = "%a = UB<8xf32>\n%b = UB<8xf32>\nscf.for %k = %n to %i step %n {\n\
        load %a : 8xf32\nstore %a : 8xf32\n}\nload %b : 8xf32\nstore %b : 8xf32";
    assert_eq!(lives(body), [Some((2, 6)), Some((2, 8))]);
}

#[test]
fn a_buffer_of_the_body_lives_within_one_iteration() {
    // 0 for, 1 alloc, 2 load, 3 store, 4 yield.
    let body = "scf.for %k = %n to %i step %n {\n%a = UB<8xf32>\nload %a : 8xf32\n\
        store %a : 8xf32\nscf.yield\n}";
    assert_eq!(lives(body), [Some((2, 3))]);
}

#[test]
fn an_omitted_terminator_takes_a_step() {
    let with = "scf.for %k = %n to %i step %n {\nscf.yield\n}\n%a = UB<8xf32>\nload %a : 8xf32";
    let without = "scf.for %k = %n to %i step %n {\n}\n%a = UB<8xf32>\nload %a : 8xf32";
    assert_eq!(lives(with), lives(without));
    // 0 for, 1 yield, 2 end, 3 alloc, 4 load.
    assert_eq!(lives(with), [Some((4, 4))]);
}

#[test]
fn steps_of_a_branch_are_begin_middle_and_end() {
    // 0, 1 allocs, 2 if, 3 load, 4 yield, 5 mid, 6 load, 7 yield, 8 end, 9 store, 10 store.
    let body = "%a = UB<8xf32>\n%b = UB<8xf32>\nscf.if %c {\nload %a : 8xf32\n} else {\n\
        load %b : 8xf32\n}\nstore %a : 8xf32\nstore %b : 8xf32";
    assert_eq!(lives(body), [Some((3, 9)), Some((6, 10))]);
    // Without else the middle is the end.
    let body = "%a = UB<8xf32>\nscf.if %c {\nload %a : 8xf32\n}\nstore %a : 8xf32";
    assert_eq!(lives(body), [Some((2, 5))]);
}

#[test]
fn a_buffer_used_in_both_branches_lives_to_the_end_of_the_branch() {
    // 0 alloc, 1 load, 2 if, 3 store, 4 yield, 5 mid, 6 store, 7 yield, 8 end.
    let body = "%a = UB<8xf32>\nload %a : 8xf32\nscf.if %c {\nstore %a : 8xf32\n} else {\n\
        store %a : 8xf32\n}";
    assert_eq!(lives(body), [Some((1, 8))]);
}

#[test]
fn both_regions_of_a_while_lie_between_its_begin_and_end() {
    // 0 alloc, 1 load, 2 while, 3 condition, 4 store, 5 yield, 6 end.
    let body = "%a = UB<8xf32>\nload %a : 8xf32\nscf.while : () -> () {\nscf.condition(%c)\n} \
        do {\nstore %a : 8xf32\nscf.yield\n}";
    assert_eq!(lives(body), [Some((1, 6))]);
}

#[test]
fn a_temporary_lives_at_its_op_alone() {
    // 0, 1, 2 allocs, 3 load, 4 vbrc, 5 store.
    let body = "%a = UB<1xf32>\n%b = UB<8xf32>\n%t = UB<8xf32>\nload %a : 1xf32\n\
        hivm.hir.vbrc ins(%a : UB<1xf32>) outs(%b : UB<8xf32>) temp_buffer(%t : UB<8xf32>) \
        broadcast_dims = [0]\nstore %b : 8xf32";
    assert_eq!(lives(body), [Some((3, 4)), Some((4, 5)), Some((4, 4))]);
}

#[test]
fn a_temporary_of_a_comparison_is_never_written() {
    let body = "%a = UB<8xf32>\n%b = UB<8xi1>\n%t = UB<8xf32>\nload %a : 8xf32\n\
        hivm.hir.vcmp ins(%a, %a : UB<8xf32>, UB<8xf32>) outs(%b : UB<8xi1>) \
        temp_buffer(%t : UB<8xf32>)\nstore %b : 8xi1";
    assert_eq!(lives(body)[2], None);
}

#[test]
fn loads_and_stores_of_elements_count() {
    // 0, 1 allocs, 2 store, 3 load, 4 store, 5 load.
    let body = "%a = UB<8xf32>\n%b = UB<8xf32>\nmemref.store %s, %a[%n] : UB<8xf32>\n\
        %x = memref.load %a[%n] : UB<8xf32>\nmemref.store %x, %b[%n] : UB<8xf32>\n\
        %y = memref.load %b[%n] : UB<8xf32>";
    assert_eq!(lives(body), [Some((2, 3)), Some((4, 5))]);
}

#[test]
fn a_call_writes_all_its_operands() {
    // 0 alloc, 1 call.
    let chunk = module(
        "func.func private @f(UB<8xf32>)\nfunc.func @kernel() {\n%a = UB<8xf32>\n\
        call @f(%a) : (UB<8xf32>) -> ()\nreturn\n}",
    );
    assert_eq!(lowered(&chunk, &PassOptions::default()).lives, [Some((1, 1))]);
}

/// Hazard 1.
#[test]
fn a_buffer_last_used_by_an_op_that_kills_nothing_never_ends() {
    let body = "%a = UB<8xf32>\nload %a : 8xf32\nstore %a : 8xf32\n\
        %d = memref.dim %a, %n : UB<8xf32>";
    assert_eq!(lives(body), [Some((1, -1))]);
    let huge = "%a = UB<49152xf32>\n%b = UB<49152xf32>\nload %a : 49152xf32\n\
        load %b : 49152xf32\nstore %b : 49152xf32\nstore %a : 49152xf32";
    assert!(overflow(&kernel(huge), &PassOptions::default(), CHIP).starts_with("ub overflow"));
    let body = format!("{huge}\n%d = memref.dim %a, %n : UB<49152xf32>");
    assert_eq!(single(&body), [0, 0]);
}

/// Hazard 2.
#[test]
fn a_foreign_alias_before_the_buffer_hides_it_from_the_kill_rule() {
    let select = |operands: &str| {
        let chunk = module(&format!(
            "func.func @kernel(%g: GM<8xf32>, %c: i1, %u: UB<8xf32>) {{\n%a = UB<8xf32>\n\
            load %a : 8xf32\n%r = arith.select %c, {operands} : UB<8xf32>\nstore %r : 8xf32\n\
            return\n}}"
        ));
        lowered(&chunk, &PassOptions::default()).lives
    };
    assert_eq!(select("%u, %a"), [Some((1, -1))]);
    assert_eq!(select("%a, %u"), [Some((1, 3))]);
}

/// Blocks are walked in textual order, so a use in one branch ends the buffer before the other
/// branch writes it.
#[test]
fn writing_a_dead_buffer_is_fatal() {
    let chunk = module(
        "func.func @kernel(%g: GM<8xf32>, %c: i1) {\n%a = UB<8xf32>\nload %a : 8xf32\n\
        cf.cond_br %c, ^bb1, ^bb2\n^bb1:\nstore %a : 8xf32\ncf.br ^bb3\n^bb2:\n\
        load %a : 8xf32\ncf.br ^bb3\n^bb3:\nreturn\n}",
    );
    let Cause::Fatal(fatal) = cause(&chunk, &PassOptions::default(), CHIP) else {
        panic!("it cannot be planned")
    };
    let message = "The buffer memory has been released and cannot be used again! ";
    assert_eq!(fatal.message, message);
}

#[test]
fn regbase_keeps_what_one_region_of_a_while_defines_through_the_other() {
    // 0 while, 1 alloc, 2 load, 3 condition, 4 store, 5 yield, 6 end.
    let chunk = kernel(
        "%r = scf.while : () -> UB<8xf32> {\n%a = UB<8xf32>\nload %a : 8xf32\n\
        scf.condition(%c) %a : UB<8xf32>\n} do {\n^bb0(%y: UB<8xf32>):\nstore %y : 8xf32\n\
        scf.yield\n}",
    );
    assert_eq!(lowered(&chunk, &PassOptions::default()).lives, [Some((2, 4))]);
    assert_eq!(lowered(&chunk, &regbase()).lives, [Some((2, 6))]);
}

#[test]
fn branches_between_blocks_are_conditional_aliases() {
    // 0, 1 allocs, 2 load, 3 load, 4 cond_br; 5 br; 6 br; 7 store, 8 return.
    let chunk = module(
        "func.func @kernel(%g: GM<8xf32>, %c: i1) {\n%a = UB<8xf32>\n%b = UB<8xf32>\n\
        load %a : 8xf32\nload %b : 8xf32\ncf.cond_br %c, ^bb1, ^bb2\n^bb1:\n\
        cf.br ^bb3(%a : UB<8xf32>)\n^bb2:\ncf.br ^bb3(%b : UB<8xf32>)\n^bb3(%x : UB<8xf32>):\n\
        store %x : 8xf32\nreturn\n}",
    );
    let lowered = lowered(&chunk, &PassOptions::default());
    assert_eq!(lowered.lives, [Some((2, 7)), Some((3, 7))]);
    assert_eq!(lowered.pairs, []);
}

#[test]
fn the_shuffle_of_the_attempts_may_change_who_dies_first() {
    let body = "%a = UB<8xf32>\n%b = UB<8xf32>\n%d = UB<8xf32>\nload %a : 8xf32\n\
        load %b : 8xf32\nvadd %a, %b -> %d : 8xf32\nstore %d : 8xf32";
    let chunk = kernel(body);
    let target = crate::ir::hivm::Family::A910B.numbers();
    let second = |seed| {
        let lowered = lower(&chunk, 0, &PassOptions::default(), &target, seed);
        lowered.expect("it is accepted").pairs[0].second
    };
    assert!(lowered(&chunk, &PassOptions::default()).shuffled);
    assert!(!lowered(&kernel(&body.replace("%a, %b", "%a, %a")), &PassOptions::default()).shuffled);
    let found: std::collections::BTreeSet<u32> = (0..20).map(second).collect();
    assert_eq!(found.into_iter().collect::<Vec<_>>(), [0, 1]);
}

/// Six arguments and six allocs live into the loop; its begin is the first shuffle of the attempt.
#[test]
fn buffers_that_begin_with_a_loop_come_in_the_shuffled_order() {
    let mut body = String::new();
    for n in 0..6 {
        body += &format!("%a{n} = UB<2048xf32>\n");
    }
    body += "scf.for %k = %n to %i step %j {\n";
    for n in [0, 2, 4] {
        let next = n + 1;
        body += &format!(
            "%x{n} = arith.select %c, %a{n}, %a{next} : UB<2048xf32>\nload %x{n} : 2048xf32\n\
            hivm.hir.store ins(%x{n} : UB<2048xf32>) outs(%h : GM<2048xf32>)\n"
        );
    }
    let chunk = module(&format!(
        "func.func @kernel(%g: GM<?xf32>, %h: GM<?xf32>, %c: i1, %n: index, %i: index, \
        %j: index) {{\n{body}}}\nreturn\n}}"
    ));
    let all = planned(&chunk, &PassOptions::default(), CHIP);
    assert_eq!(bytes(&all[0]).concat(), [24576, 16384, 40960, 0, 32768, 8192]);
}

#[test]
fn a_long_kernel_is_lowered_in_time() {
    let mut body = String::new();
    for n in 0..1700 {
        body += &format!("%a{n} = UB<8xf32>\nload %a{n} : 8xf32\n");
    }
    for n in 0..1700 {
        body += &format!("store %a{n} : 8xf32\n");
    }
    let lives = lives(&body);
    assert_eq!((lives[0], lives[1699]), (Some((1, 3400)), Some((3399, 5099))));
}

#[test]
fn many_views_of_one_buffer_are_lowered_in_time() {
    let mut body = "%a = UB<4096xf32>\nload %a : 4096xf32\n".to_owned();
    let ty = "UB<1xf32, strided<[1], offset: ?>>";
    for n in 0..2000 {
        body += &format!("%v{n} = memref.subview %a[%n] [1] [1] : UB<4096xf32> to {ty}\n");
        body += &format!("hivm.hir.vadd ins(%v{n}, %s : {ty}, f32) outs(%v{n} : {ty})\n");
    }
    body += "store %a : 4096xf32";
    assert_eq!(lives(&body), [Some((1, 4002))]);
}
