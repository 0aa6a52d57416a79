//! Multi-buffers, from the marks to the slots (sections 2.9, 3.2 step 11, 4.9, 4.10).

use super::*;

/// `load a; vadd a a -> b; store b` in a loop, twice, with that many slots for each buffer.
fn two_chains(ty: &str, slots: [u32; 4]) -> String {
    let [a, b, x, y] = slots;
    format!(
        "scf.for %k = %n to %i step %n {{\n\
        %a = UB<{ty}>\nslots {a} %a : {ty}\n%x = UB<{ty}>\nslots {x} %x : {ty}\n\
        %b = UB<{ty}>\nslots {b} %b : {ty}\n%y = UB<{ty}>\nslots {y} %y : {ty}\n\
        load %a : {ty}\nvadd %a, %a -> %b : {ty}\nstore %b : {ty}\n\
        load %x : {ty}\nvadd %x, %x -> %y : {ty}\nstore %y : {ty}\n}}"
    )
}

fn chain(slots: [u32; 2]) -> String {
    let [a, b] = slots;
    format!(
        "%a = UB<8xf32>\nslots {a} %a : 8xf32\n%b = UB<8xf32>\nslots {b} %b : 8xf32\n\
        load %a : 8xf32\nvadd %a, %a -> %b : 8xf32\nstore %b : 8xf32"
    )
}

#[test]
fn a_mark_gives_as_many_addresses() {
    let body = "%a = UB<8xf32>\nslots 2 %a : 8xf32\nload %a : 8xf32\nstore %a : 8xf32";
    assert_eq!(offsets(body), [[0, 32]]);
    let body = "%a = UB<8xf32>\nslots 4 %a : 8xf32\nload %a : 8xf32\nstore %a : 8xf32";
    assert_eq!(offsets(body), [[0, 32, 64, 96]]);
}

#[test]
fn the_last_mark_counts_and_one_slot_is_no_mark() {
    let body = "%a = UB<8xf32>\nslots 4 %a : 8xf32\nslots 2 %a : 8xf32\nslots 1 %a : 8xf32\n\
        load %a : 8xf32\nstore %a : 8xf32";
    assert_eq!(offsets(body), [[0, 32]]);
}

#[test]
fn a_mark_on_a_view_counts_for_the_alloc() {
    let body = "%a = UB<128xf32>\n\
        %v = memref.subview %a[0] [8] [1] : UB<128xf32> to UB<8xf32, strided<[1]>>\n\
        annotation.mark %v {hivm.multi_buffer = 2 : i32} : UB<8xf32, strided<[1]>>\n\
        load %v : 8xf32\nstore %v : 8xf32";
    assert_eq!(offsets(body), [[0, 512]]);
}

#[test]
fn a_single_buffer_in_place_of_a_double_buffer_becomes_one() {
    assert_eq!(offsets(&chain([2, 1])), [[0, 32], [0, 32]]);
    assert_eq!(offsets(&chain([4, 1])), [[0, 32, 64, 96], [0, 32, 64, 96]]);
}

#[test]
fn rotating_buffers_of_load_and_store_stay_apart() {
    assert_eq!(offsets(&chain([2, 2])), [[0, 64], [32, 96]]);
    assert_eq!(offsets(&chain([4, 4])), [[0, 64, 96, 128], [32, 160, 192, 224]]);
    let expected = [[0, 32768], [16384, 49152], [8192, 40960], [24576, 57344]];
    assert_eq!(offsets(&two_chains("2048xf32", [2; 4])), expected);
}

#[test]
fn regbase_has_no_stall_veto() {
    assert_eq!(offsets_of(&chain([2, 2]), &regbase(), CHIP), [[0, 32], [0, 32]]);
}

#[test]
fn a_stall_is_seen_through_views_and_buffers_reused_in_place() {
    // %b moves into %a and inherits its slots; %d may not follow.
    let body = "%a = UB<8xf32>\nslots 2 %a : 8xf32\n%b = UB<8xf32>\n\
        %d = UB<8xf32>\nslots 2 %d : 8xf32\n%e = UB<8xf32>\nslots 2 %e : 8xf32\n\
        load %a : 8xf32\nvadd %a, %a -> %b : 8xf32\nvadd %b, %b -> %d : 8xf32\n\
        store %d : 8xf32\nload %e : 8xf32\nstore %e : 8xf32";
    assert_eq!(offsets(body), [[0, 96], [0, 96], [32, 128], [64, 160]]);
    let body = "%a = UB<8xf32>\nslots 2 %a : 8xf32\n%b = UB<8xf32>\nslots 2 %b : 8xf32\n\
        load %a : 8xf32\nvadd %a, %a -> %b : 8xf32\n\
        %v = memref.subview %b[0] [8] [1] : UB<8xf32> to UB<8xf32, strided<[1]>>\n\
        store %v : 8xf32";
    assert_eq!(offsets(body), [[0, 64], [32, 96]]);
}

#[test]
fn a_load_and_a_store_buffer_share_when_nothing_else_fits() {
    let body = chain([2, 2]).replace("8xf32", "24576xf32");
    assert_eq!(offsets(&body), [[0, 98304], [0, 98304]]);
}

#[test]
fn a_single_buffer_of_the_same_loop_takes_all_slots_of_a_quad_buffer() {
    let ([a, x, b, y], quad) = (
        <[Vec<u64>; 4]>::try_from(offsets(&two_chains("6144xf32", [4, 4, 1, 1]))).expect("four"),
        [0, 24576, 49152, 73728],
    );
    assert_eq!([a, x, y], [quad; 3].map(Vec::from));
    assert_eq!(b, [98304, 122880, 147456, 172032]);
}

#[test]
fn quad_buffers_share_slots_of_quad_buffers() {
    let expected: [&[u64]; 4] = [
        &[0, 20480, 40960, 61440],
        &[163840, 0, 20480, 40960],
        &[81920, 102400, 122880, 143360],
        &[81920, 102400, 122880, 143360],
    ];
    assert_eq!(offsets(&two_chains("5120xf32", [4; 4])), expected);
    let expected = [expected[0], &[163840, 0], expected[2], expected[3]];
    assert_eq!(offsets(&two_chains("5120xf32", [4, 4, 2, 2])), expected);
}

/// L0C keeps list order: the second slots come last, and sibling loops share at level 2.
#[test]
fn cube_results_of_sibling_loops_share_crosswise() {
    let ty = "L0C<8192xf32>";
    let one = |a: &str, b: &str| {
        let make = |name: &str| {
            format!(
                "{name} = {ty}\nannotation.mark {name} {{hivm.multi_buffer = 2 : i32}} : {ty}\n\
                hivm.hir.mmadL1 ins(%n, %n : index, index) outs({name} : {ty})\n"
            )
        };
        let fix =
            |name: &str| format!("hivm.hir.fixpipe ins({name} : {ty}) outs(%g : GM<8192xf32>)\n");
        let body = make(a) + &make(b) + &fix(a) + &fix(b);
        format!("scf.for %k = %n to %i step %n {{\n{body}}}\n")
    };
    let expected = [[0, 65536], [32768, 98304], [65536, 0], [98304, 32768]];
    assert_eq!(offsets(&(one("%a", "%b") + &one("%x", "%y"))), expected);
}

#[test]
fn preload_buffers_of_two_loops_share() {
    let one = |name: &str, slots: u32, n: u32| {
        format!(
            "scf.for %k = %n to %i step %n {{\n{name} = UB<{n}xf32>\n\
            annotation.mark {name} {{hivm.multi_buffer = {slots} : i32, \
            hivm.preload_local_buffer = 1 : i32}} : UB<{n}xf32>\nload {name} : {n}xf32\n\
            store {name} : {n}xf32\n}}\n"
        )
    };
    let body = one("%a", 2, 20480) + &one("%b", 2, 20480);
    assert_eq!(offsets(&body), [[0, 81920], [0, 81920]]);
    let body = one("%a", 2, 20480) + &one("%b", 4, 10240);
    let expected: [&[u64]; 2] = [&[0, 81920], &[163840, 204800, 0, 40960]];
    assert_eq!(offsets_of(&body, &regbase(), CHIP_950), expected);
}
