//! A partial order of a model: what has run, what may run next.

use super::model::Model;
use super::state::{State, Step};

/// What has run of a model.
#[derive(Clone, Debug)]
pub(crate) struct Frontier {
    /// What is alive.
    pub(crate) state: State,
    /// What each instruction still waits for.
    waits: Vec<u32>,
    /// What may run next, by place.
    pub(crate) ready: Vec<u32>,
    /// The most bytes alive so far.
    pub(crate) peak: u64,
    /// A number for the set of instructions that have run.
    pub(crate) mark: u128,
    /// How many have run.
    pub(crate) depth: u32,
}

impl Frontier {
    /// Before the first instruction.
    pub(crate) fn of(model: &Model) -> Self {
        let ready = (0_u32..).zip(&model.waits).filter(|(_, count)| **count == 0);
        Self {
            state: State::of(model),
            waits: model.waits.clone(),
            ready: ready.map(|(place, _)| place).collect(),
            peak: 0,
            mark: 0,
            depth: 0,
        }
    }

    /// Runs a ready instruction.
    pub(crate) fn run(&mut self, model: &Model, place: u32) {
        if let Ok(at) = self.ready.binary_search(&place) {
            self.ready.remove(at);
        }
        self.peak = self.peak.max(self.state.step(model, place).peak);
        self.mark ^= mark(place);
        self.depth += 1;
        for &next in &model.after[place as usize] {
            let waits = &mut self.waits[next as usize];
            *waits = waits.saturating_sub(1);
            if *waits == 0
                && let Err(at) = self.ready.binary_search(&next)
            {
                self.ready.insert(at, next);
            }
        }
    }

    /// The mark after one more instruction.
    pub(crate) fn mark_with(&self, place: u32) -> u128 {
        self.mark ^ mark(place)
    }

    /// A ready instruction that can run now without loss: it needs no more than was alive before, and
    /// leaves no more alive. Whatever the best order of the rest is, it may as well begin with this one.
    pub(crate) fn free(&self, model: &Model, ceiling: u64, steps: &mut u64) -> Option<u32> {
        let free = |&&place: &&u32| {
            *steps += 1;
            let Step { peak, after } = self.state.probe(model, place);
            !model.is_joint[place as usize] && peak <= ceiling && after <= self.state.live
        };
        self.ready.iter().find(free).copied()
    }
}

/// The number of a place in the mark of a set: SplitMix64 twice, so that sets of one mark are one set in
/// all likelihood.
fn mark(place: u32) -> u128 {
    let mix = |seed: u64| {
        let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let seed = u64::from(place).wrapping_mul(2);
    (u128::from(mix(seed)) << 64) | u128::from(mix(seed + 1))
}
