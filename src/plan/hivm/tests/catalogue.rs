//! Rows of section 9 whose entries follow from the text; offsets in bytes, one list an entry.

use super::case::{Case, DMA, PLAIN, Traits, UNIQUE};
use crate::ir::hivm::PassKind;
use crate::plan::hivm::How;

/// UB of a 910B.
const UB: u64 = 196_608;

fn row(sizes: &[(u64, u32)]) -> Vec<Vec<u64>> {
    let start = Case::new("ub", UB);
    let add = |c: Case, &(bytes, slots): &(u64, u32)| c.entry(bytes, (0, 9), DMA.slots(slots));
    sizes.iter().fold(start, add).bytes().expect("a row")
}

#[test]
fn rows_01_04_06_27_29_31_33_slots_of_a_row_come_after_all_first_slots() {
    assert_eq!(row(&[(131_072, 1), (65_536, 1), (0, 1)]), [[0], [131_072], [196_608]]);
    let row_04 = [[0, 32_768], [8192, 40_960], [16_384, 49_152], [24_576, 57_344]];
    assert_eq!(row(&[(8192, 2); 4]), row_04);
    assert_eq!(row(&[(32, 2); 3]), [[0, 96], [32, 128], [64, 160]]);
    assert_eq!(row(&[(32, 2)]), [[0, 32]]);
    assert_eq!(row(&[(32, 2); 2]), [[0, 64], [32, 96]]);
    assert_eq!(row(&[(32, 4)]), [[0, 32, 64, 96]]);
    assert_eq!(row(&[(32, 4); 2]), [[0, 64, 96, 128], [32, 160, 192, 224]]);
    assert_eq!(row(&[(1, 1), (160, 1), (8, 1)]), [[0], [32], [192]], "row 23");
}

#[test]
fn row_05_a_stall_pair_shares_at_level_0_when_nothing_else_fits() {
    let case = Case::new("ub", UB)
        .entry(98_304, (3, 5), DMA.slots(2).anchor(1))
        .entry(98_304, (5, 7), DMA.slots(2).anchor(1))
        .stall(0, 1);
    assert_eq!(case.bytes(), Ok(vec![vec![0, 98_304], vec![0, 98_304]]));
}

/// Loads and stores of one loop: src1, dst1, then src2, dst2, with dst1 = src1 + 1 and so on.
fn chain(size: u64, multi: u32, second: u32) -> Case {
    let of = |slots| DMA.anchor(1).slots(slots);
    Case::new("ub", UB).entry(size, (1, 2), of(multi)).entry(size, (2, 3), of(multi)).entry(
        size,
        (4, 5),
        of(second),
    )
}

#[test]
fn row_34_a_single_buffer_becomes_a_quad_buffer() {
    let places = Ok(vec![
        vec![0, 24_576, 49_152, 73_728],
        vec![98_304, 122_880, 147_456, 172_032],
        vec![0, 24_576, 49_152, 73_728],
    ]);
    assert_eq!(chain(24_576, 4, 1).bytes(), places);
}

#[test]
fn rows_35_36_the_free_rest_is_used_before_slots_are_shared() {
    let end = |slots| DMA.anchor(1).slots(slots);
    let src = vec![0, 20_480, 40_960, 61_440];
    let dst = vec![81_920, 102_400, 122_880, 143_360];
    let row_35 = chain(20_480, 4, 4).entry(20_480, (5, 6), end(4));
    let second = vec![163_840, 0, 20_480, 40_960];
    assert_eq!(row_35.bytes(), Ok(vec![src.clone(), dst.clone(), second, dst.clone()]));
    let row_36 = chain(20_480, 4, 2).entry(20_480, (5, 6), end(2));
    assert_eq!(row_36.bytes(), Ok(vec![src, dst.clone(), vec![163_840, 0], dst]));
}

/// L0C of 128 KiB; a, b live in one loop, c, d in its sibling; list order, other slots last.
#[test]
fn row_77_double_buffers_of_sibling_loops_cross_over() {
    let of = |anchor| DMA.anchor(anchor).slots(2);
    let case = Case::new("cc", 131_072)
        .entry(32_768, (1, 4), of(1))
        .entry(32_768, (2, 4), of(1))
        .entry(32_768, (6, 9), of(2))
        .entry(32_768, (7, 9), of(2));
    let places = vec![vec![0, 65_536], vec![32_768, 98_304], vec![65_536, 0], vec![98_304, 32_768]];
    assert_eq!(case.bytes(), Ok(places));
    assert_eq!(case.place().map(|p| p.scopes[0].how), Ok(How::Levels(2)));
}

#[test]
fn row_76_preload_buffers_of_sibling_loops_share() {
    let of = |anchor| DMA.anchor(anchor).slots(2);
    let case = Case::new("ub", UB).entry(81_920, (1, 5), of(1)).entry(81_920, (6, 9), of(2));
    assert_eq!(case.bytes(), Ok(vec![vec![0, 81_920]; 2]));
}

#[test]
fn row_78_sharing_dma_buffers_is_warned_of() {
    let case = Case::new("ub", UB).entry(131_072, (1, 2), DMA).entry(131_072, (3, 4), DMA);
    assert_eq!(case.bytes(), Ok(vec![vec![0]; 2]));
    let warning = "warning: [hivm-plan-memory] There reused some dma buffers in ub address space, \
                   which may stall pipe. Not reusing dma buffer needs 2097152 bits while 1572864 \
                   bits available!";
    let got = case.place().map(|p| p.scopes[0].warning.clone());
    assert_eq!(got, Ok(Some(warning.to_owned())));
}

#[test]
fn row_79_vector_buffers_share_without_a_stall_in_either_order() {
    let case = Case::new("ub", UB)
        .entry(16_384, (1, 9), PLAIN)
        .entry(131_072, (2, 9), PLAIN)
        .entry(49_152, (3, 4), PLAIN)
        .entry(49_152, (5, 6), PLAIN);
    assert_eq!(case.bytes(), Ok(vec![vec![0], vec![16_384], vec![147_456], vec![147_456]]));
    assert_eq!(case.place().map(|p| p.scopes[0].how), Ok(How::PipeOnly));
    // 128 KiB, 48 KiB twice, 16 KiB.
    let sorted = case.change(|i| i.largest_first = true);
    assert_eq!(sorted.bytes(), Ok(vec![vec![180_224], vec![0], vec![131_072], vec![131_072]]));
}

#[test]
fn rows_regbase_00_01_the_simt_capacity_decides() {
    let with = |capacity| {
        let case = Case::new("ub", capacity).change(|i| i.pass = PassKind::Regbase);
        case.entry(122_880, (1, 3), DMA).entry(122_880, (2, 4), DMA).bytes()
    };
    assert_eq!(with(216 * 1024), Err(1_966_080));
    assert_eq!(with(253_952), Ok(vec![vec![0], vec![122_880]]));
}

#[test]
fn rows_regbase_04_05_unique_buffers_do_not_share_time() {
    let two = |bytes, first: Traits| {
        Case::new("ub", 253_952).entry(bytes, (1, 2), first).entry(bytes, (3, 4), UNIQUE)
    };
    assert_eq!(two(131_072, UNIQUE).bytes(), Err(2_097_152));
    let regbase = two(131_072, UNIQUE).change(|i| i.pass = PassKind::Regbase);
    assert_eq!(regbase.bytes(), Err(2_097_152));
    let slots = two(65_536, UNIQUE.slots(2)).bytes();
    assert_eq!(slots, Ok(vec![vec![0, 131_072], vec![65_536]]));
}
