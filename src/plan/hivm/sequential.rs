//! Running sums in list order, when everything fits one after the other (4.3).

use super::slots::Slot;

/// What everything needs one after the other, in bits.
pub(super) fn need(slots: &[Slot<'_>], list: &[usize]) -> u128 {
    list.iter().map(|&slot| u128::from(slots[slot].size)).sum()
}

/// Puts everything one after the other; the total in bits.
pub(super) fn sequential(slots: &mut [Slot<'_>], list: &[usize]) -> u64 {
    let mut total = 0u64;
    for &slot in list {
        slots[slot].offset = total;
        total = total.saturating_add(slots[slot].size);
    }
    total
}
