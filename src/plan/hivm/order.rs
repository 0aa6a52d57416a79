//! The order in which UB is planned (4.4).

use std::cmp::Reverse;

use super::levels::buffer;
use super::slots::Slot;
use super::{Entry, Input};

/// The classes in order of placing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Unique,
    Dma,
    Other,
    Scalar,
}

/// First slots by class, each followed by its other slots. `largest-first` sorts all classes but
/// the unique one by size; equal sizes stay in list order.
pub(super) fn reorder(input: &Input, slots: &[Slot<'_>], list: &[usize]) -> Vec<usize> {
    let mut firsts: Vec<usize> = list.iter().copied().filter(|&s| slots[s].first == s).collect();
    firsts.sort_by_key(|&slot| {
        let entry = slots[slot].entry;
        let class = class(input, entry);
        let sorted = input.largest_first && class != Class::Unique;
        (class, Reverse(if sorted { entry.bits } else { 0 }))
    });
    firsts.into_iter().flat_map(|s| std::iter::once(s).chain(slots[s].others.clone())).collect()
}

/// The class of the first buffer that has one.
fn class(input: &Input, entry: &Entry) -> Class {
    let mut classes = entry.buffers.iter().filter_map(|&no| match buffer(input, no) {
        b if b.unique => Some(Class::Unique),
        b if b.dma => Some(Class::Dma),
        b if b.scalar => Some(Class::Scalar),
        _ => None,
    });
    classes.next().unwrap_or(Class::Other)
}
