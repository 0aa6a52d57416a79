//! All temporaries of a memory space in one allocation (spec/xla-memory.md 9.4, 22.4).

use std::collections::BTreeMap;

use super::{Allocation, HeapTrace};

/// Moves temporaries behind all others and joins those of a memory space; `heaps` are told where
/// theirs went.
pub(super) fn combine(
    allocations: Vec<Allocation>,
    heaps: &mut [HeapTrace],
    alignment: u64,
) -> Vec<Allocation> {
    let mut made: Vec<(usize, Allocation)> = allocations.into_iter().enumerate().collect();
    let kept = partition(&mut made, |(_, allocation)| allocation.is_temp());
    let temps = made.split_off(kept);
    let mut combined: Vec<Allocation> =
        made.into_iter().map(|(_, allocation)| allocation).collect();

    // By the number that the allocation was made with: where it is now, and at which offset.
    let mut moved = BTreeMap::new();
    let mut of_space: BTreeMap<u32, usize> = BTreeMap::new();
    for (number, mut temp) in temps {
        let Some(&into) = of_space.get(&temp.memory_space) else {
            of_space.insert(temp.memory_space, combined.len());
            moved.insert(number, (combined.len(), 0));
            combined.push(temp);
            continue;
        };
        let whole = &mut combined[into];
        let base = whole.size.next_multiple_of(alignment);
        temp.values.iter_mut().for_each(|placed| placed.offset += base);
        whole.values.append(&mut temp.values);
        whole.size = base + temp.size;
        moved.insert(number, (into, base));
    }
    for allocation in &mut combined {
        allocation.values.sort_unstable_by_key(|placed| placed.value);
    }
    for heap in heaps.iter_mut() {
        if let Some(&to) = moved.get(&heap.allocation) {
            (heap.allocation, heap.base) = to;
        }
    }
    heaps.sort_by_key(|heap| heap.allocation);
    combined
}

/// Moves the items that answer yes behind the others: the first such from the left changes places with
/// the last other from the right, until they meet. The order of the result is XLA's, and the
/// padding between temporaries follows from it. Returns how many others there are.
fn partition<T>(items: &mut [T], last: impl Fn(&T) -> bool) -> usize {
    let (mut left, mut right) = (0, items.len());
    loop {
        while left < right && !last(&items[left]) {
            left += 1;
        }
        while left < right && last(&items[right - 1]) {
            right -= 1;
        }
        if left == right {
            return left;
        }
        items.swap(left, right - 1);
        left += 1;
        right -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporaries_change_places_with_the_others_behind_them() {
        let mut items = vec![1, -2, 3, -4, 5, 6, -7];
        assert_eq!(partition(&mut items, |item| *item < 0), 4);
        assert_eq!(items, [1, 6, 3, 5, -4, -2, -7]);
        assert_eq!(partition(&mut [1, 2], |_| false), 2);
        assert_eq!(partition(&mut [1, 2], |_| true), 0);
        assert_eq!(partition::<u8>(&mut [], |_| true), 0);
    }
}
