//! Merging storage entries of buffers that share one address (3.4).

use super::lives::union;
use super::{BufferNo, Entry};

/// Merges entries, pair by pair: the entry of `first` goes into the entry of `second`.
///
/// * lives: the union, sorted, with touching intervals fused under the name of the first part;
/// * buffers: those of `first`'s entry, then those of `second`'s;
/// * slots: the larger number;
/// * size, scope and place in the list: those of `second`'s entry, even if it is smaller (10.2,
///   hazard 5).
///
/// A pair within one entry, or with a buffer that has no entry (never written), merges nothing.
pub fn merge(entries: Vec<Entry>, pairs: &[(BufferNo, BufferNo)]) -> Vec<Entry> {
    let buffers = entries.iter().flat_map(|e| &e.buffers).max().map_or(0, |&b| b as usize + 1);
    let mut entry_of: Vec<Option<usize>> = vec![None; buffers];
    for (at, entry) in entries.iter().enumerate() {
        for &no in &entry.buffers {
            entry_of[no as usize] = Some(at);
        }
    }
    let mut entries: Vec<Option<Entry>> = entries.into_iter().map(Some).collect();
    for &(first, second) in pairs {
        let of = |no: BufferNo| entry_of.get(no as usize).copied().flatten();
        let (Some(from), Some(into)) = (of(first), of(second)) else { continue };
        if from == into {
            continue;
        }
        let Some(gone) = entries[from].take() else { continue };
        for &no in &gone.buffers {
            entry_of[no as usize] = Some(into);
        }
        if let Some(kept) = &mut entries[into] {
            kept.lives = union(gone.lives.into_iter().chain(kept.lives.drain(..)).collect());
            kept.buffers.splice(..0, gone.buffers);
            kept.slots = kept.slots.max(gone.slots);
        }
    }
    entries.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::hivm::Life;

    fn entry(no: BufferNo, bits: u64, slots: u32, (start, end): (i64, i64)) -> Entry {
        let lives = vec![Life { start, end, buffer: no }];
        Entry { scope: 0, buffers: vec![no], bits, slots, lives }
    }

    /// `vadd(A, B) -> C`: the pair (C, A) puts C into A's entry.
    #[test]
    fn the_result_lives_in_the_entry_of_its_operand() {
        let (a, b, c) = (entry(0, 64, 2, (1, 4)), entry(1, 64, 1, (2, 4)), entry(2, 32, 1, (4, 6)));
        let merged = merge(vec![a, b.clone(), c], &[(2, 0), (0, 2), (7, 0)]);
        let lives = vec![Life { start: 1, end: 6, buffer: 0 }];
        let both = Entry { scope: 0, buffers: vec![2, 0], bits: 64, slots: 2, lives };
        assert_eq!(merged, [both, b]);
    }

    #[test]
    fn a_chain_of_pairs_is_one_entry_of_the_size_of_the_last_second() {
        let all = vec![entry(0, 8, 1, (1, 2)), entry(1, 16, 3, (2, 3)), entry(2, 32, 1, (9, 9))];
        let merged = merge(all, &[(1, 0), (0, 2)]);
        let one = Life { start: 1, end: 3, buffer: 0 };
        let two = Life { start: 9, end: 9, buffer: 2 };
        let kept =
            Entry { scope: 0, buffers: vec![1, 0, 2], bits: 32, slots: 3, lives: vec![one, two] };
        assert_eq!(merged, [kept]);
    }
}
