//! One section as a machine: can the blocks be packed between their lowest and highest offsets?
//!
//! The blocks of a section share no byte, so the bytes are a machine, sizes are processing times,
//! lowest offsets are release dates and highest ends are deadlines. If blocks could be cut into
//! pieces, earliest deadline first would meet all deadlines whenever that is possible at all; if
//! it misses one even so, there is no packing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::units::Unit;

/// A block between its lowest start and its highest end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub(crate) head: Unit,
    pub(crate) size: Unit,
    pub(crate) deadline: Unit,
}

/// Scratch memory for [`Machine::fits`].
#[derive(Debug, Default)]
pub(crate) struct Machine {
    pub(crate) jobs: Vec<Job>,
    open: BinaryHeap<Reverse<(Unit, Unit)>>,
}

impl Machine {
    /// True when earliest deadline first, with cutting, meets all deadlines of `jobs`.
    pub(crate) fn fits(&mut self) -> bool {
        self.jobs.sort_unstable_by_key(|job| job.head);
        self.open.clear();
        let mut next = 0;
        let mut now = 0;
        loop {
            if self.open.is_empty() {
                match self.jobs.get(next) {
                    Some(job) => now = now.max(job.head),
                    None => return true,
                }
            }
            while let Some(job) = self.jobs.get(next).filter(|job| job.head <= now) {
                self.open.push(Reverse((job.deadline, job.size)));
                next += 1;
            }
            let Some(Reverse((deadline, size))) = self.open.pop() else { return true };
            let until = self.jobs.get(next).map_or(Unit::MAX, |job| job.head);
            let run = size.min(until - now);
            now += run;
            if now > deadline {
                return false;
            }
            if run < size {
                self.open.push(Reverse((deadline, size - run)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(jobs: &[(Unit, Unit, Unit)]) -> bool {
        let job = |&(head, size, deadline): &(Unit, Unit, Unit)| Job { head, size, deadline };
        Machine { jobs: jobs.iter().map(job).collect(), ..Machine::default() }.fits()
    }

    #[test]
    fn heads_and_deadlines_both_count() {
        assert!(fits(&[(0, 2, 4), (0, 2, 4)]));
        assert!(!fits(&[(1, 2, 4), (1, 2, 4)]));
        assert!(fits(&[(0, 3, 9), (1, 2, 3)]), "the first may be cut");
        assert!(!fits(&[(0, 3, 4), (1, 2, 3), (3, 1, 5), (0, 1, 5)]));
    }
}
