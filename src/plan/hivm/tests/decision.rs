//! Which of the three ways a scope takes (4.1 to 4.4), and workspaces (section 5).

use super::case::{Case, DMA, PLAIN, SCALAR, UNIQUE};
use crate::ir::hivm::PassKind;
use crate::plan::hivm::How;

#[test]
fn what_fits_one_after_the_other_is_not_reordered() {
    let case = Case::new("ub", 128).entry(32, (0, 1), SCALAR).entry(33, (2, 3), DMA);
    assert_eq!(case.bytes(), Ok(vec![vec![0], vec![32]]));
    assert_eq!(
        case.place().map(|p| (p.scopes[0].how, p.scopes[0].peak)),
        Ok((How::Sequential, 96 * 8))
    );
}

#[test]
fn a_zero_sized_buffer_lies_at_0_when_memory_is_reused_and_in_the_row_otherwise() {
    let case = Case::new("ub", 64).entry(32, (0, 1), PLAIN).entry(0, (0, 9), DMA);
    assert_eq!(case.bytes(), Ok(vec![vec![0], vec![32]]));
    let case = case.entry(64, (3, 4), PLAIN);
    assert_eq!(case.bytes(), Ok(vec![vec![0], vec![0], vec![0]]));
}

/// U, D, O, S; others behind their first. 4 x 30 and one that overlaps nobody, so that 100 is not
/// enough for a row but for level 3: scalar with scalar, vector with vector.
#[test]
fn ub_is_planned_unique_first_then_dma_then_the_rest_then_scalar() {
    let case = |name| {
        let case = Case::new(name, 100).unaligned();
        let case = case.entry(10, (0, 1), SCALAR).entry(20, (0, 1), PLAIN).entry(20, (2, 3), PLAIN);
        case.entry(15, (0, 3), DMA.slots(2)).entry(25, (0, 3), UNIQUE)
    };
    // U @0 | D @25 @40 | O @55, the second shares | S @75.
    let ub = vec![vec![75], vec![55], vec![55], vec![25, 40], vec![0]];
    assert_eq!(case("ub").bytes(), Ok(ub));
    // Everywhere else in list order, other slots last.
    let cbuf = vec![vec![0], vec![10], vec![10], vec![30, 70], vec![45]];
    assert_eq!(case("cbuf").bytes(), Ok(cbuf));
}

#[test]
fn largest_first_sorts_within_a_class_but_not_the_unique_one() {
    let case = Case::new("ub", 100).unaligned().entry(5, (0, 1), UNIQUE).entry(10, (0, 1), UNIQUE);
    let case = case.entry(20, (0, 1), PLAIN).entry(30, (0, 1), PLAIN).entry(40, (2, 3), PLAIN);
    assert_eq!(case.bytes(), Ok(vec![vec![0], vec![5], vec![15], vec![35], vec![15]]));
    let sorted = case.change(|i| i.largest_first = true);
    assert_eq!(sorted.bytes(), Ok(vec![vec![0], vec![5], vec![45], vec![15], vec![15]]));
}

#[test]
fn scopes_are_planned_apart_in_the_order_in_which_they_appear() {
    let case = Case::new("cbuf", 128).scope("cc", 1024).entry(8, (0, 1), DMA);
    let case = case.change(|i| i.entries.reverse()).entry(520, (0, 1), DMA);
    let case = case.change(|i| i.entries[0].scope = 0);
    let plan = case.place();
    assert_eq!(
        plan.map(|p| p.scopes.iter().map(|s| (s.scope, s.peak)).collect()),
        Ok(vec![(0, 256), (1, 8192)])
    );
}

fn workspace(sequential_only: bool, alignment: u64) -> Case {
    let case = Case::new("%arg2", 0).change(|i| {
        i.scopes[0].capacity = None;
        i.scopes[0].alignment = alignment;
        i.scopes[0].sequential_only = sequential_only;
    });
    case.entry(100, (0, 1), DMA).entry(50, (2, 3), DMA).entry(8, (2, 3), DMA)
}

#[test]
fn a_workspace_is_a_row_of_sums_by_default() {
    let sums = |alignment| workspace(true, alignment).bytes();
    assert_eq!(sums(256), Ok(vec![vec![0], vec![128], vec![192]]));
    assert_eq!(sums(1), Ok(vec![vec![0], vec![100], vec![150]]), "regbase does not align");
}

#[test]
fn a_reused_workspace_goes_by_lives_alone() {
    let case = workspace(false, 256);
    assert_eq!(case.bytes(), Ok(vec![vec![0], vec![0], vec![64]]));
    let scope = case.place().map(|p| p.scopes[0].clone());
    assert_eq!(scope.map(|s| (s.peak, s.warning)), Ok((128 * 8, None)));
    assert_eq!(case.change(|i| i.pass = PassKind::Regbase).bytes(), workspace(false, 256).bytes());
}
