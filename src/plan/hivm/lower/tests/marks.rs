//! `mem_unique`, preload buffers and the ops that the pass does not know (sections 1.4, 1.6, 2.4,
//! 2.9).

use super::*;

const BASE: PassOptions = PassOptions {
    pass: PassKind::Base,
    mode: PlanMode::Local,
    workspace_reuse: false,
    inplace_as_isa: false,
    coupled_unique: false,
    simt_kib: 216,
    no_vf_check: false,
    largest_first: false,
    display: false,
    print_size: false,
};

#[test]
fn a_unique_buffer_is_not_joined_by_a_branch() {
    let body = |mark: &str| {
        format!(
            "%r = scf.if %c -> (UB<2048xf32>) {{\n%a = UB<2048xf32>\n{mark}\nload %a : 2048xf32\n\
            scf.yield %a : UB<2048xf32>\n}} else {{\n%b = UB<2048xf32>\nload %b : 2048xf32\n\
            scf.yield %b : UB<2048xf32>\n}}\nstore %r : 2048xf32"
        )
    };
    assert_eq!(single(&body("annotation.mark %a {mem_unique} : UB<2048xf32>")), [0, 8192]);
    assert_eq!(single(&body("")), [0, 0]);
}

#[test]
fn a_unique_buffer_shares_with_nobody_at_another_time() {
    let body = |mark: &str| {
        format!(
            "%a = UB<32768xf32>\n{mark}\nload %a : 32768xf32\nstore %a : 32768xf32\n\
            %b = UB<32768xf32>\nload %b : 32768xf32\nstore %b : 32768xf32"
        )
    };
    let marked = kernel(&body("annotation.mark %a {mem_unique} : UB<32768xf32>"));
    let message = overflow(&marked, &regbase(), CHIP_950);
    assert_eq!(message, "ub overflow, requires 2097152 bits while 2031616 bits available!");
    assert_eq!(offsets_of(&body(""), &regbase(), CHIP_950), [[0], [0]]);
}

#[test]
fn a_unique_buffer_may_have_two_slots() {
    let body = "%a = UB<16384xf32>\n%b = UB<16384xf32>\n\
        annotation.mark %a {mem_unique, hivm.multi_buffer = 2 : i32} : UB<16384xf32>\n\
        load %a : 16384xf32\nload %b : 16384xf32\nstore %a : 16384xf32\nstore %b : 16384xf32";
    let expected: [&[u64]; 2] = [&[0, 131072], &[65536]];
    assert_eq!(offsets_of(body, &regbase(), CHIP_950), expected);
}

/// Hazard 4: base reuses a unique buffer in place all the same.
#[test]
fn only_regbase_keeps_a_unique_buffer_from_reuse_in_place() {
    let body = "%a = UB<8xf32>\nannotation.mark %a {mem_unique} : UB<8xf32>\n%b = UB<8xf32>\n\
        load %a : 8xf32\nvadd %a, %a -> %b : 8xf32\nstore %b : 8xf32";
    assert_eq!(single(body), [0, 0]);
    assert_eq!(offsets_of(body, &regbase(), CHIP), [[0], [32]]);
}

#[test]
fn a_preload_buffer_lives_as_long_as_its_loop() {
    // 0 for, 1 alloc, 2 mark, 3 load, 4 store, 5 yield, 6 end.
    let body = "scf.for %k = %n to %i step %n {\n%a = UB<8xf32>\n\
        annotation.mark %a {hivm.preload_local_buffer = 1 : i32} : UB<8xf32>\nload %a : 8xf32\n\
        store %a : 8xf32\n}";
    assert_eq!(lives(body), [Some((0, 6))]);
    // The next loop does not count for it.
    let body = format!("{body}\n{}", body.replace("%a", "%b"));
    assert_eq!(lives(&body), [Some((0, 6)), Some((7, 13))]);
}

#[test]
fn a_preload_buffer_outside_of_loops_is_fatal() {
    let body = "%a = UB<8xf32>\n\
        annotation.mark %a {hivm.preload_local_buffer = 1 : i32} : UB<8xf32>\nload %a : 8xf32";
    let message = "preload local buffer must be inside a loop-like op";
    assert_eq!(fatal(body, &BASE), (message.to_owned(), None));
}

#[test]
fn in_base_a_mark_kills_only_the_buffer_that_it_marks() {
    // 0 alloc, 1 load, 2 mark.
    let body = "%a = UB<8xf32>\nload %a : 8xf32\n\
        annotation.mark %a {hivm.multi_buffer = 2 : i32} : UB<8xf32>";
    assert_eq!(lives(body), [Some((1, 2))]);
}

#[test]
fn ops_that_are_not_known_must_not_touch_local_memory() {
    let body = "%a = UB<8xf32>\nload %a : 8xf32\nmemref.dealloc %a : UB<8xf32>";
    let error = "PlanMemory Fail : Unrecognized type of Operation touches local buffer!";
    let message = "PlanMemory Traverse IR Failed! ";
    assert_eq!(fatal(body, &BASE), (message.to_owned(), Some(error.to_owned())));
    let body = "%p = memref.alloc() : GM<8xf32>";
    let error = "Alloc buffer not at UB space! ";
    assert_eq!(fatal(body, &BASE), (message.to_owned(), Some(error.to_owned())));
}

#[test]
fn a_pointer_into_ssbuf_is_accepted_by_regbase() {
    let body = "%z = arith.constant 0 : i64\n\
        %p = hivm.hir.pointer_cast(%z) : memref<8xf32, #hivm.address_space<ssbuf>>";
    assert!(fatal(body, &BASE).1.is_some());
    assert_eq!(offsets_of(body, &regbase(), CHIP).len(), 0);
}

#[test]
fn sizes_must_be_static() {
    let message = "Failed to obtain op buffer shape size which should be static.";
    assert_eq!(fatal("%a = memref.alloc(%n) : UB<?xf32>", &BASE).0, message);
}

#[test]
fn other_spaces_stop_the_pass() {
    let ca = "memref<8xf32, #hivm.address_space<ca>>";
    let message = "Currently only support (UB | L1 | L0C) allocation";
    assert_eq!(fatal(&format!("%a = memref.alloc() : {ca}"), &BASE).0, message);
    let ssbuf = "memref<8xf32, #hivm.address_space<ssbuf>>";
    let message = "Temporarily unsupported memory buffer space !";
    assert_eq!(fatal(&format!("%a = memref.alloc() : {ssbuf}"), &BASE).0, message);
}

#[test]
fn a_copy_between_spaces_that_no_pipe_connects_is_fatal() {
    let body = "%a = UB<8xf32>\nload %a : 8xf32\n\
        hivm.hir.copy ins(%a : UB<8xf32>) outs(%g : GM<8xf32>)";
    assert_eq!(fatal(body, &BASE).0, "Unknown PIPE!");
}
