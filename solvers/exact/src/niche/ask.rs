//! One question, asked again and again in different manners, by several threads at once.
//!
//! ```text
//!   wave 0                    wave 1
//!   run 0  run 1 .. run 5     run 6  ..           Each run has its own noise and its own share of
//!   ------------------------  --------------      the nodes, by its number. The answer is that of
//!   what they refuted is known to the next wave   the first run that has one, whoever runs it.
//! ```

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use memplan_packing::random::SplitMix64;
use memplan_packing::{Meter, Stop};

use super::level::Level;
use super::memo::{Keys, Memo};
use super::order::{MANNERS, ranks};
use super::problem::Problem;
use super::search::{End, Search, Shared};
use crate::rules::Rules;
use crate::search::Verdict;
use crate::units::Unit;

/// The first run gets so many percent of a node per rectangle: a run that makes few mistakes needs one.
const NODES: u64 = 150;
/// Every run gets so many percent of the one before. Slowly at first: every manner shall have its
/// turns while they are cheap.
const SLOW: u64 = 105;
/// After [`TURNS`] of each manner it goes faster, so that in the end a run may finish.
const FAST: u64 = 120;
/// See [`FAST`].
const TURNS: usize = 5;
/// Runs that know the same refuted states.
const WAVE: usize = MANNERS.len();

/// What carries over from one question to the next.
pub(super) struct Asker<'a, L> {
    pub(super) problem: &'a Problem<L>,
    pub(super) rules: Rules,
    keys: Keys,
    memo: Memo,
    /// By capacity how many runs there were and how long the next one is: a question that comes
    /// again goes on where it was left.
    asked: BTreeMap<Unit, (usize, u64)>,
    random: SplitMix64,
}

/// A run to do: its number in the question, its noise and its nodes.
#[derive(Clone, Copy)]
struct Run {
    turn: usize,
    seed: u64,
    nodes: u64,
}

/// A run that was done.
struct Done<L> {
    end: End,
    nodes: u64,
    offsets: Vec<L>,
    learned: Memo,
}

impl<'a, L: Level> Asker<'a, L> {
    /// Nothing was asked yet.
    pub(super) fn new(problem: &'a Problem<L>, rules: Rules, seed: u64) -> Self {
        let keys = Keys::new(problem.rects.len(), problem.loads.len());
        let random = SplitMix64::new(0x72_6573_7461_7274 ^ seed);
        Self { problem, rules, keys, memo: Memo::default(), asked: BTreeMap::new(), random }
    }

    /// Is there a packing within so many units?
    pub(super) fn ask(
        &mut self,
        capacity: Unit,
        slice: u64,
        meter: &mut Meter<'_>,
    ) -> Verdict<Vec<L>> {
        let until = meter.nodes().saturating_add(slice);
        let first = (NODES * self.problem.rects.len() as u64 / 100).max(16);
        let (mut turn, mut share) = self.asked.get(&capacity).copied().unwrap_or((0, first));
        loop {
            let mut wave = Vec::with_capacity(WAVE);
            let mut rest = until.saturating_sub(meter.nodes()).min(meter.left());
            while wave.len() < WAVE && rest > 0 {
                let nodes = if self.rules.restarts { share.min(rest) } else { rest };
                wave.push(Run { turn, seed: self.random.bits(), nodes });
                rest -= nodes;
                let growth = if turn + 1 < TURNS * MANNERS.len() { SLOW } else { FAST };
                share = share.saturating_mul(growth).div_ceil(100);
                turn += 1;
            }
            self.asked.insert(capacity, (turn, share));
            if wave.is_empty() {
                // The meter knows whose limit it was.
                return meter.tick().map_or_else(Verdict::Stopped, |()| Verdict::Slice);
            }
            for done in self.wave(&wave, L::of(capacity), meter) {
                meter.spend(done.nodes);
                self.memo.absorb(done.learned);
                match done.end {
                    End::Found => return Verdict::Found(done.offsets),
                    End::Refuted => return Verdict::Refuted,
                    End::Stopped(stop) => return Verdict::Stopped(stop),
                    End::Slice => {}
                }
            }
            if meter.nodes() >= until {
                return Verdict::Slice;
            }
        }
    }

    /// Does the runs up to the first that has an answer.
    fn wave(&self, runs: &[Run], capacity: L, meter: &Meter<'_>) -> Vec<Done<L>> {
        let (next, last) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        let done: Vec<Mutex<Option<Done<L>>>> = runs.iter().map(|_| Mutex::default()).collect();
        let lock = |at: usize| done[at].lock().unwrap_or_else(PoisonError::into_inner);
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                if at >= runs.len() || at > last.load(Ordering::Relaxed) {
                    return;
                }
                // Nobody waits for a run behind the first answer.
                let poll = || match last.load(Ordering::Relaxed) {
                    last if last < at => Err(Stop::Cancelled),
                    _ => meter.poll(),
                };
                let one = self.run(runs[at], capacity, &poll);
                if one.end != End::Slice {
                    last.fetch_min(at, Ordering::Relaxed);
                }
                *lock(at) = Some(one);
            }
        };
        let threads = meter.jobs().min(runs.len());
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // Where no thread is to be had, this one does the work.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let last = last.into_inner().min(runs.len() - 1);
        let done = done.into_iter().take(last + 1);
        done.filter_map(|one| one.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    fn run(&self, run: Run, capacity: L, poll: &dyn Fn() -> Result<(), Stop>) -> Done<L> {
        let manner = &MANNERS[run.turn % MANNERS.len()];
        let ranks = ranks(self.problem, manner, &mut SplitMix64::new(run.seed));
        let shared =
            Shared { problem: self.problem, rules: self.rules, keys: &self.keys, memo: &self.memo };
        let mut search = Search::new(shared, capacity, ranks, *manner);
        let end = search.run(run.nodes, poll);
        Done { end, nodes: search.nodes, offsets: search.state.offsets, learned: search.learned }
    }
}
