//! What runs, then and now: which ops are new, gone or elsewhere, and which live ranges follow from that.

use std::collections::BTreeMap;

use crate::model::Kernel;

/// So many cells has the table of the exact alignment at most; longer schedules that differ in more are
/// aligned by the names that occur equally often, and exactly in between.
const MOST_CELLS: usize = 2 << 20;

/// A step of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step<'a> {
    /// Its name; may repeat.
    name: &'a str,
    /// What begins and ends here, as a number: of steps with one name, those with one number belong
    /// together.
    touches: u64,
}

/// The steps of a kernel, where they are told.
pub(super) fn steps(kernel: &Kernel) -> Option<Vec<Step<'_>>> {
    let names = kernel.steps.as_ref()?;
    let mut steps: Vec<Step<'_>> = names.iter().map(|name| Step { name, touches: 0 }).collect();
    for scope in &kernel.scopes {
        for buffer in &scope.buffers {
            let size =
                buffer.size.unwrap_or(0).wrapping_mul(2 * u64::from(buffer.slots.unwrap_or(1)) + 1);
            for [start, end] in buffer.live.iter().flatten() {
                let ends = [(*start, size), (end.saturating_sub(1), !size)];
                for (at, number) in ends {
                    if let Some(step) = steps.get_mut(index(at)) {
                        step.touches = step.touches.wrapping_add(scatter(number));
                    }
                }
            }
        }
    }
    Some(steps)
}

/// Two schedules, aligned.
///
/// ```text
/// old   load  mul  add  store          kept: load add store
/// new   load  add  mul  exp  store     moved: mul   added: exp
/// ```
pub(super) struct Schedule {
    to_new: Vec<Option<usize>>,
    to_old: Vec<Option<usize>>,
    moved_old: Vec<bool>,
    moved_new: Vec<bool>,
    /// Sums of a number for each op that both have, over the steps before.
    sums_old: Vec<u64>,
    sums_new: Vec<u64>,
    /// New ops, as steps now.
    pub(super) added: Vec<usize>,
    /// Ops that are gone, as steps then.
    pub(super) removed: Vec<usize>,
    /// Ops that stand elsewhere, as steps now.
    pub(super) moved: Vec<usize>,
}

/// What became of a live range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is alive beside the same ops.
    Same,
    /// It is not, and that follows from the schedule.
    Follows,
    /// It begins or ends at another op although that op and the old one run where they ran.
    Own,
}

impl Schedule {
    /// Aligns two schedules.
    pub(super) fn new(old: &[Step<'_>], new: &[Step<'_>]) -> Self {
        let (mut to_new, mut to_old) = (vec![None; old.len()], vec![None; new.len()]);
        for (a, b) in common(old, new) {
            to_new[a] = Some(b);
            to_old[b] = Some(a);
        }
        // What is left of one name stands elsewhere, in the order in which it occurs.
        let mut left: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, step) in old.iter().enumerate().rev().filter(|(at, _)| to_new[*at].is_none()) {
            left.entry(step.name).or_default().push(at);
        }
        let (mut added, mut moved) = (Vec::new(), Vec::new());
        let (mut moved_old, mut moved_new) = (vec![false; old.len()], vec![false; new.len()]);
        for (b, step) in new.iter().enumerate() {
            if to_old[b].is_some() {
                continue;
            }
            match left.get_mut(step.name).and_then(Vec::pop) {
                Some(a) => {
                    (to_new[a], to_old[b]) = (Some(b), Some(a));
                    (moved_old[a], moved_new[b]) = (true, true);
                    moved.push(b);
                }
                None => added.push(b),
            }
        }
        let removed = (0..old.len()).filter(|&at| to_new[at].is_none()).collect();
        let sums_old = sums(to_new.iter().enumerate().map(|(a, b)| b.map(|_| a)));
        let sums_new = sums(to_old.iter().copied());
        Self { to_new, to_old, moved_old, moved_new, sums_old, sums_new, added, removed, moved }
    }

    /// True when the same runs in the same order.
    pub(super) fn is_same(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.moved.is_empty()
    }

    /// What became of the live ranges of one buffer.
    pub(super) fn fate(&self, old: &[[u64; 2]], new: &[[u64; 2]]) -> Fate {
        if self.is_same() {
            return if old == new { Fate::Same } else { Fate::Own };
        }
        let spans = |sums: &[u64], ranges: &[[u64; 2]]| {
            let sum = |at: u64| sums[index(at).min(sums.len() - 1)];
            let each = ranges.iter().map(|[start, end]| sum(*end).wrapping_sub(sum(*start)));
            each.fold(0, u64::wrapping_add)
        };
        let same_ops = spans(&self.sums_old, old) == spans(&self.sums_new, new);
        if old.len() != new.len() {
            return if same_ops { Fate::Same } else { Fate::Follows };
        }
        let mut fate = if same_ops { Fate::Same } else { Fate::Follows };
        for (old, new) in old.iter().zip(new) {
            let ends = [(old[0], new[0]), (old[1].saturating_sub(1), new[1].saturating_sub(1))];
            for (a, b) in ends {
                match self.end(a, b) {
                    Fate::Own => return Fate::Own,
                    Fate::Follows => fate = Fate::Follows,
                    Fate::Same => {}
                }
            }
        }
        fate
    }

    /// What became of one end of a live range: the step `a` then, `b` now.
    fn end(&self, a: u64, b: u64) -> Fate {
        let (a, b) = (index(a), index(b));
        let (Some(to), Some(from)) = (self.to_new.get(a), self.to_old.get(b)) else {
            // Past the last step; what is there has no name.
            return Fate::Same;
        };
        match (to, from) {
            (Some(to), Some(_)) if *to == b => Fate::Same,
            (Some(_), Some(_)) if !self.moved_old[a] && !self.moved_new[b] => Fate::Own,
            // What moved decides by the ops in between.
            (Some(_), Some(_)) => Fate::Same,
            _ => Fate::Follows,
        }
    }
}

fn index(step: u64) -> usize {
    usize::try_from(step).unwrap_or(usize::MAX)
}

/// Before each step, the sum of a number for each op before it that the other side has, too. Two ranges
/// with equal sums hold the same ops: the numbers are scattered over 64 bits.
fn sums(ops: impl Iterator<Item = Option<usize>>) -> Vec<u64> {
    let mut sum = 0u64;
    let mut sums = vec![0];
    for op in ops {
        sum = sum.wrapping_add(op.map_or(0, |op| scatter(op as u64)));
        sums.push(sum);
    }
    sums
}

/// The finaliser of SplitMix64.
fn scatter(n: u64) -> u64 {
    let n = n.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    n ^ (n >> 31)
}

/// Pairs of steps of a common subsequence, in order: a longest one where the table is small enough.
fn common(old: &[Step<'_>], new: &[Step<'_>]) -> Vec<(usize, usize)> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (a, b) = (&old[head..], &new[head..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - tail], &b[..b.len() - tail]);
    let small = a.len().saturating_mul(b.len()) <= MOST_CELLS;
    let middle = if small { longest(a, b) } else { between(a, b) };
    let mut pairs: Vec<(usize, usize)> = (0..head).map(|at| (at, at)).collect();
    pairs.extend(middle.into_iter().map(|(a, b)| (a + head, b + head)));
    pairs.extend((0..tail).rev().map(|at| (old.len() - 1 - at, new.len() - 1 - at)));
    pairs
}

/// A longest common subsequence of names; of several, one with the most steps that touch the same.
fn longest(a: &[Step<'_>], b: &[Step<'_>]) -> Vec<(usize, usize)> {
    // A pair counts more than all agreements about what is touched.
    let pair = a.len().min(b.len()) as u64 + 1;
    let worth = |x: &Step<'_>, y: &Step<'_>| match x.name == y.name {
        true => Some(pair + u64::from(x.touches == y.touches)),
        false => None,
    };
    let width = b.len() + 1;
    let mut table = vec![0u64; (a.len() + 1) * width];
    for (i, x) in a.iter().enumerate().rev() {
        for (j, y) in b.iter().enumerate().rev() {
            let at = i * width + j;
            let both = worth(x, y).map_or(0, |worth| table[at + width + 1] + worth);
            table[at] = both.max(table[at + width]).max(table[at + 1]);
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        let at = i * width + j;
        let both = worth(&a[i], &b[j]).map(|worth| table[at + width + 1] + worth);
        if both == Some(table[at]) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if table[at + width] == table[at] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// Anchors, and longest common subsequences between them as long as there are cells.
fn between(a: &[Step<'_>], b: &[Step<'_>]) -> Vec<(usize, usize)> {
    let (mut pairs, mut cells) = (Vec::new(), MOST_CELLS);
    let (mut i, mut j) = (0, 0);
    for (x, y) in anchors(a, b).into_iter().chain([(a.len(), b.len())]) {
        let (old, new) = (&a[i..x], &b[j..y]);
        let size = old.len().saturating_mul(new.len());
        if size <= cells {
            cells -= size;
            pairs.extend(longest(old, new).into_iter().map(|(at, to)| (at + i, to + j)));
        }
        if x < a.len() {
            pairs.push((x, y));
        }
        (i, j) = (x + 1, y + 1);
    }
    pairs
}

/// The longest increasing run of the n-th ops of names that occur equally often on both sides.
fn anchors(a: &[Step<'_>], b: &[Step<'_>]) -> Vec<(usize, usize)> {
    let (a, b) = (places(a), places(b));
    let alike = a.iter().filter_map(|(name, then)| {
        let now = b.get(name).filter(|now| now.len() == then.len())?;
        Some(then.iter().copied().zip(now.iter().copied()))
    });
    let mut pairs: Vec<(usize, usize)> = alike.flatten().collect();
    pairs.sort_unstable();
    // Patience: `piles[n]` is the pair with the least second that ends a run of n + 1.
    let mut piles: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let pile = piles.partition_point(|&top| pairs[top].1 < pair.1);
        before.push(pile.checked_sub(1).map(|below| piles[below]));
        if pile == piles.len() { piles.push(at) } else { piles[pile] = at }
    }
    let mut run = Vec::with_capacity(piles.len());
    let mut next = piles.last().copied();
    while let Some(at) = next {
        run.push(pairs[at]);
        next = before[at];
    }
    run.reverse();
    run
}

/// Names with their positions.
fn places<'a>(steps: &[Step<'a>]) -> BTreeMap<&'a str, Vec<usize>> {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, step) in steps.iter().enumerate() {
        places.entry(step.name).or_default().push(at);
    }
    places
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    fn names(text: &str) -> Vec<Step<'_>> {
        text.split_whitespace().map(|name| Step { name, touches: 0 }).collect()
    }

    #[test]
    fn a_live_range_that_only_shifts_is_the_same() {
        let schedule = Schedule::new(&names("load mul store"), &names("load exp mul store"));
        assert_eq!((schedule.added.as_slice(), schedule.removed.len()), (&[1][..], 0));
        assert_eq!(schedule.fate(&[[0, 2]], &[[0, 3]]), Fate::Same);
        assert_eq!(schedule.fate(&[[1, 3]], &[[2, 4]]), Fate::Same);
        // Its last reader is the new op.
        assert_eq!(schedule.fate(&[[0, 1]], &[[0, 2]]), Fate::Follows);
        // Another of the old ops reads it.
        assert_eq!(schedule.fate(&[[0, 2]], &[[0, 4]]), Fate::Own);
    }

    #[test]
    fn a_moved_op_takes_live_ranges_along() {
        let schedule = Schedule::new(&names("a b c d"), &names("a c b d"));
        assert_eq!(schedule.moved.len(), 1);
        assert_eq!(schedule.fate(&[[0, 3]], &[[0, 2]]), Fate::Follows); // a to c
        assert_eq!(schedule.fate(&[[0, 2]], &[[0, 3]]), Fate::Follows); // a to b
        assert_eq!(schedule.fate(&[[0, 4]], &[[0, 4]]), Fate::Same); // a to d
    }

    #[test]
    fn of_two_steps_with_one_name_the_one_that_touches_the_same_is_it() {
        let old = [Step { name: "load", touches: 1 }];
        let new = [Step { name: "load", touches: 2 }, Step { name: "load", touches: 1 }];
        assert_eq!(common(&old, &new), [(0, 1)]);
    }

    #[test]
    fn long_schedules_are_aligned_by_what_occurs_once() {
        let text: Vec<String> = (0..5000).map(|n| format!("op{n}")).collect();
        let text = text.join(" ");
        let old = names(&text);
        let mut new = old.clone();
        let op = new.remove(1);
        new.insert(4000, op);
        new.swap(4998, 4999);
        assert!(old.len() * new.len() > MOST_CELLS);
        let schedule = Schedule::new(&old, &new);
        assert_eq!((schedule.added.len(), schedule.removed.len()), (0, 0));
        assert_eq!(schedule.moved.len(), 2);
    }

    #[test]
    fn long_schedules_of_few_names_are_aligned_by_their_order() {
        let old: Vec<String> = (0..3000).map(|n| format!("op{}", n % 5)).collect();
        let mut new = old.clone();
        (0..300).for_each(|n| new.insert(n * 11, "extra".to_owned()));
        new.insert(1500, "op3".to_owned());
        let (old, new) = (old.join(" "), new.join(" "));
        let schedule = Schedule::new(&names(&old), &names(&new));
        assert_eq!((schedule.added.len(), schedule.removed.len()), (301, 0));
        assert!(schedule.moved.len() < 10, "{}", schedule.moved.len());
    }

    quickcheck! {
        /// Both ways to align agree with a plain definition: pairs are equal, increasing and, for the
        /// exact one, as many as the textbook recursion finds.
        fn alignments_are_common_subsequences(a: Vec<u8>, b: Vec<u8>) -> bool {
            const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
            let step = |n: &u8| Step { name: NAMES[usize::from(n % 5)], touches: u64::from(n / 128) };
            let text = |v: &[u8]| v.iter().take(9).map(step).collect::<Vec<_>>();
            let (a, b) = (text(&a), text(&b));
            fn best(a: &[Step<'_>], b: &[Step<'_>]) -> usize {
                match (a, b) {
                    ([x, xs @ ..], [y, ys @ ..]) if x.name == y.name => 1 + best(xs, ys),
                    ([_, xs @ ..], [_, ys @ ..]) => best(xs, b).max(best(a, ys)),
                    _ => 0,
                }
            }
            let right = |pairs: &[(usize, usize)]| {
                pairs.iter().all(|&(i, j)| a[i].name == b[j].name)
                    && pairs.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 < w[1].1)
            };
            let (exact, rough) = (common(&a, &b), between(&a, &b));
            right(&exact) && right(&rough) && exact.len() == best(&a, &b)
        }
    }
}
