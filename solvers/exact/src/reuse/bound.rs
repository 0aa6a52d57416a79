//! A lower bound on the cost, from covers that share no part of any price.
//!
//! Every cover is an inequality `sum of v x >= need`. Multiplied by some `y` it takes `y v` of the
//! cost of every price in it, and proves a cost of `y need`; what it takes is taken from the price,
//! so the proofs add up: a solution of the dual of the linear relaxation, found greedily.

use memplan_packing::Meter;

use super::cliques::cliques;
use super::crowd::{Cover, Crowd, Tie};
use crate::model::Model;
use crate::units::Unit;

/// Parts that a price is divided into.
const PARTS: u128 = 1 << 24;
/// Cliques looked at, at most; fewer where each takes longer.
const CLIQUES: usize = 3_000;
/// Pairs of bodies looked at, at most, in all.
const LOOKS: u64 = 15_000_000;
/// Bodies of which all triples are looked at, at most.
const TRIPLES: u32 = 30;
/// Steps of spreading, at most.
const STEPS: usize = 4_000;

/// No packing within the peak costs less; `None` when there is none at all.
///
/// When the meter's time is up the bound is what was proven until then.
pub(crate) fn bound(model: &Model, peak: Unit, meter: &Meter<'_>) -> Option<u64> {
    let crowd = Crowd::new(model, peak);
    let mut low = 0;
    // Which covers are best taken first differs; every way is a proof.
    for (trims, spreads) in [(false, false), (true, false), (true, true)] {
        let mut way = Way { crowd: &crowd, meter, trims, spreads, looks: 0 };
        low = low.max(way.prove(model)?);
    }
    Some(model.always.saturating_add(low))
}

/// A way to choose covers.
struct Way<'a> {
    crowd: &'a Crowd,
    meter: &'a Meter<'a>,
    /// Bodies that make a cover worth less are dropped from it.
    trims: bool,
    /// All covers first prove a little, then one after the other what is left.
    spreads: bool,
    looks: u64,
}

impl Way<'_> {
    fn prove(&mut self, model: &Model) -> Option<u64> {
        let crowd = self.crowd;
        let mut share = Shares::new(model);
        let n = crowd.len() as u32;
        // Two that have no room beside each other always pay.
        for b in 0..n {
            for a in 0..b {
                if crowd.tie(a, b) != Tie::Free
                    && let Some(cover) = crowd.cover(&[a, b], |price| share.open(price))
                {
                    share.pay(&cover)?;
                }
            }
        }
        let mut spread = self.spreads;
        loop {
            let related = |a: u32, b: u32| match crowd.tie(a, b) {
                Tie::Free => false,
                Tie::Hard => true,
                Tie::Price(price) => share.open(price),
            };
            if self.meter.poll().is_err() {
                return Some(share.low());
            }
            let mut sets: Vec<(Worth, Vec<u32>)> = Vec::new();
            let limit = if n > 64 { CLIQUES / 3 } else { CLIQUES };
            for set in cliques(&crowd.sizes, related, limit) {
                self.chain(&share, set, &mut sets);
            }
            sets.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
            sets.dedup();
            if spread {
                spread = false;
                self.triples(&share, &mut sets);
                let covers = sets.iter();
                let covers = covers.filter_map(|(_, set)| crowd.cover(set, |p| share.open(p)));
                let pool: Vec<Cover> = covers.collect();
                share.spread(&pool, &mut self.looks)?;
                continue;
            }
            let mut paid = false;
            for (before, set) in sets {
                // What has lost its worth to others may be worth more in smaller pieces.
                if let Some(cover) = crowd.cover(&set, |price| share.open(price))
                    && share.worth(&cover).is_some_and(|worth| !better(before, worth))
                {
                    share.pay(&cover)?;
                    paid = true;
                }
            }
            if !paid || self.looks > LOOKS {
                return Some(share.low());
            }
        }
    }

    /// Three that do not fit together.
    fn triples(&mut self, share: &Shares, sets: &mut Vec<(Worth, Vec<u32>)>) {
        let n = self.crowd.len() as u32;
        if n > TRIPLES {
            return;
        }
        for c in 0..n {
            for b in 0..c {
                for a in 0..b {
                    let cover = self.crowd.cover(&[a, b, c], |price| share.open(price));
                    if let Some(worth) = cover.and_then(|cover| share.worth(&cover)) {
                        sets.push((worth, vec![a, b, c]));
                    }
                }
            }
        }
    }

    /// The set and, bodies dropped from it one by one, sets that are worth more.
    fn chain(&mut self, share: &Shares, mut set: Vec<u32>, sets: &mut Vec<(Worth, Vec<u32>)>) {
        let mut worth_of = |set: &[u32]| {
            self.looks += (set.len() * set.len()) as u64;
            let cover = self.crowd.cover(set, |price| share.open(price))?;
            share.worth(&cover)
        };
        let Some(mut best) = worth_of(&set) else { return };
        loop {
            if !self.trims || self.spreads {
                sets.push((best, set.clone()));
            }
            let mut next = None;
            for at in (0..set.len()).filter(|_| self.trims) {
                let mut less = set.clone();
                less.remove(at);
                if let Some(worth) = worth_of(&less).filter(|&worth| better(worth, best)) {
                    best = worth;
                    next = Some(less);
                }
            }
            match next {
                Some(less) => set = less,
                None if self.trims && !self.spreads => {
                    sets.push((best, set));
                    return;
                }
                None => return,
            }
        }
    }
}

/// What is gained per million parts taken, and in all.
type Worth = (u128, u128);

/// More than rounding makes a difference.
fn better(worth: Worth, than: Worth) -> bool {
    worth.0 > than.0 + than.0 / 1_000
}

/// What is left of each price.
struct Shares {
    left: Vec<u128>,
    proven: u128,
}

impl Shares {
    fn new(model: &Model) -> Self {
        let left = model.prices.iter().map(|price| u128::from(price.cost) * PARTS).collect();
        Self { left, proven: 0 }
    }

    fn open(&self, price: u32) -> bool {
        self.left[price as usize] > 0
    }

    /// How many parts a cover proves; `None` when it cannot hold.
    fn gain(&self, cover: &Cover) -> Option<u128> {
        let sum: u128 = cover.terms.iter().map(|term| u128::from(term.1)).sum();
        if sum < u128::from(cover.need) {
            return None;
        }
        let most = |&(price, v): &(u32, u64)| {
            self.left[price as usize].saturating_mul(cover.need.into()) / u128::from(v)
        };
        Some(cover.terms.iter().map(most).min().unwrap_or(0))
    }

    /// What a cover takes for a gain.
    fn taken(cover: &Cover, gain: u128) -> impl Iterator<Item = (usize, u128)> {
        let need = u128::from(cover.need);
        cover
            .terms
            .iter()
            .map(move |&(price, v)| (price as usize, gain.saturating_mul(v.into()).div_ceil(need)))
    }

    fn worth(&self, cover: &Cover) -> Option<Worth> {
        let gain = self.gain(cover).filter(|&gain| gain > 0)?;
        let taken: u128 = Self::taken(cover, gain).map(|taken| taken.1).sum();
        Some((gain.saturating_mul(1 << 16) / taken.max(1), gain))
    }

    fn pay(&mut self, cover: &Cover) -> Option<()> {
        let gain = self.gain(cover)?;
        self.take(cover, gain);
        Some(())
    }

    fn take(&mut self, cover: &Cover, gain: u128) {
        for (price, taken) in Self::taken(cover, gain) {
            self.left[price] -= taken.min(self.left[price]);
        }
        self.proven += gain;
    }

    /// Takes from all covers a bit at a time, from those first whose prices have most left.
    fn spread(&mut self, pool: &[Cover], looks: &mut u64) -> Option<()> {
        for _ in 0..STEPS {
            let mut best: Option<(u128, usize, u128)> = None;
            for (index, cover) in pool.iter().enumerate() {
                *looks += cover.terms.len() as u64;
                let dear = |&(price, v): &(u32, u64)| {
                    (u128::from(v) * (PARTS << 10)).div_ceil(self.left[price as usize].max(1))
                };
                let sum: u128 = cover.terms.iter().map(dear).sum();
                let worth = u128::from(cover.need) * (1 << 30) / sum.max(1);
                let gain = self.gain(cover)? / 4;
                if gain > PARTS / 256 && best.is_none_or(|best| worth > best.0) {
                    best = Some((worth, index, gain));
                }
            }
            let Some((_, index, gain)) = best.filter(|_| *looks < LOOKS / 2) else {
                return Some(());
            };
            self.take(&pool[index], gain);
        }
        Some(())
    }

    /// Costs are whole.
    fn low(&self) -> u64 {
        u64::try_from(self.proven.div_ceil(PARTS)).unwrap_or(u64::MAX)
    }
}
