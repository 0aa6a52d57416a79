//! Lists of inclusive intervals: their union and where two of them meet (2.8, 3.4, 4.8).

use super::{BufferNo, Life};

/// A stretch of time that two lists share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overlap {
    /// First entry shared.
    pub(super) start: i64,
    /// Last entry shared.
    pub(super) end: i64,
    /// The buffer that the interval of the second list names.
    pub(super) second: BufferNo,
}

/// The union of intervals: sorted by (start, end), touching ones fused, each with the name of its
/// first part (3.4). Of equal intervals the one given first gives the name.
///
/// An interval that is never killed (`end == -1`) is fused only into one that began before it.
pub(super) fn union(mut lives: Vec<Life>) -> Vec<Life> {
    lives.sort_by_key(|l| (l.start, l.end));
    let mut out: Vec<Life> = Vec::with_capacity(lives.len());
    for life in lives {
        match out.last_mut() {
            Some(last) if life.start <= last.end.saturating_add(1) => {
                last.end = last.end.max(life.end);
            }
            _ => out.push(life),
        }
    }
    out
}

/// Where two sorted lists of disjoint intervals meet.
///
/// The pass sweeps both lists; the meetings are the same. The first list is that of an entry and
/// short, the second that of a bound and long, so each of the first is looked up in the second.
pub(super) fn overlaps(first: &[Life], second: &[Life]) -> impl Iterator<Item = Overlap> {
    first.iter().flat_map(move |a| {
        let before = &second[..second.partition_point(|b| b.start <= a.end)];
        // Lives that never end meet nobody and hide nobody.
        let killed = before.iter().rev().filter(|b| b.start <= b.end);
        killed.take_while(|b| a.start <= b.end).map(|b| {
            let (start, end) = (a.start.max(b.start), a.end.min(b.end));
            Overlap { start, end, second: b.buffer }
        })
    })
}

/// True when two lists share a moment.
pub(super) fn meet(first: &[Life], second: &[Life]) -> bool {
    overlaps(first, second).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lives(list: &[(i64, i64, BufferNo)]) -> Vec<Life> {
        list.iter().map(|&(start, end, buffer)| Life { start, end, buffer }).collect()
    }

    #[test]
    fn touching_intervals_become_one_with_the_first_name() {
        let all = lives(&[(7, 9, 2), (3, 5, 0), (6, 6, 1), (11, 12, 3)]);
        assert_eq!(union(all), lives(&[(3, 9, 0), (11, 12, 3)]));
    }

    #[test]
    fn a_buffer_that_is_never_killed_meets_nobody() {
        assert!(!meet(&lives(&[(3, -1, 0)]), &lives(&[(0, 9, 1)])));
        assert!(meet(&lives(&[(2, -1, 0), (3, 4, 0)]), &lives(&[(0, 9, 1)])));
        assert_eq!(union(lives(&[(3, -1, 0), (4, 6, 1)])), lives(&[(3, -1, 0), (4, 6, 1)]));
    }

    #[test]
    fn the_operand_and_the_result_of_one_op_meet() {
        let found: Vec<Overlap> =
            overlaps(&lives(&[(3, 5, 0), (8, 9, 0)]), &lives(&[(5, 8, 1)])).collect();
        let at = |t| Overlap { start: t, end: t, second: 1 };
        assert_eq!(found, [at(5), at(8)]);
    }
}
