//! Cheap packings by moving one body at a time.
//!
//! Everybody has a place at all times; a pair that is broken weighs something: a price its cost, a
//! conflict a good deal more, and ever more the longer it stays broken. A move takes one body out and puts
//! it somewhere, anywhere, the lighter the place the likelier: how much likelier is the
//! temperature, which falls and starts over.
//!
//! ```text
//!   weight at each base of one body:   ----+      +--
//!                                          +--+   |      the two ends of every flat stretch are
//!                                             +---+      its candidates
//! ```

use memplan_packing::random::SplitMix64;
use memplan_packing::{Meter, Stop};

use super::links::{Link, links};
use crate::model::Model;
use crate::units::Unit;

/// By how much an eighth of a typical cost makes a place less likely, in 65536ths: one factor for
/// each temperature of a cycle, `exp(-1 / 8t)` for t from 1 down to 0.1.
const COOLING: [u64; 12] =
    [57835, 56056, 54073, 51039, 48665, 46311, 43204, 40521, 37129, 32726, 26837, 18776];
/// Grades of weight that are told apart.
const GRADES: usize = 200;
/// No conflict weighs more.
const HEAVY: u64 = 1 << 40;
/// Moves for each node that the meter counts: a node of the exact search takes about as long.
const MOVES: u64 = 32;

/// A local search with its state.
pub(crate) struct Anneal<'m> {
    model: &'m Model,
    links: Vec<Vec<Link>>,
    random: SplitMix64,
    /// Least and greatest base of each body.
    ends: Vec<(Unit, Unit)>,
    /// Bodies that have a choice.
    movable: Vec<u32>,
    bases: Vec<Unit>,
    weights: Vec<u64>,
    /// What a typical price costs.
    unit: u64,
    /// The broken pairs, and where each pair stands among them.
    broken: Vec<u32>,
    place: Vec<u32>,
    /// Broken pairs of each price.
    dues: Vec<u32>,
    conflicts: u64,
    cost: u64,
    events: Vec<(Unit, i64)>,
    candidates: Vec<(Unit, u64)>,
    /// The least cost without conflicts, and the bases.
    pub(crate) best: Option<(u64, Vec<Unit>)>,
}

const WHOLE: u32 = u32::MAX;

impl<'m> Anneal<'m> {
    /// Starts at `bases`, or at the bottom.
    pub(crate) fn new(model: &'m Model, peak: Unit, bases: Option<&[Unit]>, seed: u64) -> Self {
        let ends: Vec<(Unit, Unit)> =
            model.bodies.iter().map(|body| (body.place.up(0), body.top(peak))).collect();
        let links = links(model);
        let free = |b: &u32| {
            let (low, high) = ends[*b as usize];
            low < high && !links[*b as usize].is_empty()
        };
        let movable = (0..model.bodies.len() as u32).filter(free).collect();
        let mut costs: Vec<u64> = model.prices.iter().map(|price| price.cost).collect();
        costs.sort_unstable();
        // Weights are small enough to add up those of all pairs.
        let most = costs.last().copied().unwrap_or(1);
        let shift = 34u32.saturating_sub(most.leading_zeros());
        let unit = costs.get(costs.len() / 2).map_or(1, |cost| cost >> shift).max(1);
        let weight = |pair: &crate::model::Pair| match pair.price {
            Some(price) => (model.prices[price as usize].cost >> shift).max(1),
            None => conflict(unit),
        };
        let bottom = || ends.iter().map(|ends| ends.0).collect();
        let mut it = Self {
            model,
            random: SplitMix64::new(seed),
            movable,
            bases: bases.map_or_else(bottom, <[Unit]>::to_vec),
            weights: model.pairs.iter().map(weight).collect(),
            unit,
            broken: Vec::new(),
            place: vec![WHOLE; model.pairs.len()],
            dues: vec![0; model.prices.len()],
            conflicts: 0,
            cost: model.always,
            events: Vec::new(),
            candidates: Vec::new(),
            best: None,
            links,
            ends,
        };
        for pair in 0..model.pairs.len() {
            if !model.pairs[pair].holds(&it.bases) {
                it.set(pair as u32, true);
            }
        }
        it.keep();
        it
    }

    /// Runs one cycle of temperatures with so many moves each, or until a cost of `enough` or until the
    /// meter shows so many nodes.
    pub(crate) fn cycle(
        &mut self,
        moves: u64,
        enough: u64,
        until: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        if self.movable.is_empty() {
            return Ok(());
        }
        for factor in COOLING {
            let mut odds = [0u64; GRADES];
            let mut odd = 1u64 << 32;
            for slot in &mut odds {
                *slot = odd;
                odd = (odd * factor) >> 16;
            }
            for step in 0..moves {
                if step % MOVES == 0 {
                    if meter.nodes() >= until {
                        return Ok(());
                    }
                    meter.tick()?;
                }
                let body = self.choose();
                let base = self.draw(body, &odds);
                self.shift(body, base);
                if self.keep() && self.best.as_ref().is_some_and(|best| best.0 <= enough) {
                    return Ok(());
                }
                if step % 64 == 0 {
                    self.complain();
                }
            }
        }
        Ok(())
    }

    fn keep(&mut self) -> bool {
        let better = self.conflicts == 0 && self.best.as_ref().is_none_or(|b| self.cost < b.0);
        if better {
            self.best = Some((self.cost, self.bases.clone()));
        }
        better
    }

    /// Broken conflicts weigh more.
    fn complain(&mut self) {
        if self.conflicts == 0 {
            return;
        }
        for &pair in &self.broken {
            if self.model.pairs[pair as usize].price.is_none() {
                let weight = &mut self.weights[pair as usize];
                *weight = (*weight + self.unit.div_ceil(4)).min(HEAVY);
            }
        }
    }

    /// Every second time somebody who breaks a pair.
    fn choose(&mut self) -> u32 {
        if !self.broken.is_empty() && self.random.chance(1, 2) {
            let at = self.random.below(self.broken.len() as u64);
            let pair = &self.model.pairs[self.broken[at as usize] as usize];
            let body = if self.random.chance(1, 2) { pair.first } else { pair.second };
            let (low, high) = self.ends[body as usize];
            if low < high {
                return body;
            }
        }
        self.movable[self.random.below(self.movable.len() as u64) as usize]
    }

    /// Draws a base for a body.
    fn draw(&mut self, body: u32, odds: &[u64; GRADES]) -> Unit {
        let (low, high) = self.ends[body as usize];
        let place = &self.model.bodies[body as usize].place;
        self.events.clear();
        let mut weight = 0i64;
        for link in &self.links[body as usize] {
            let other = self.bases[link.other as usize];
            let (from, to) = (other + link.from, other + link.to);
            if to < low || from > high {
                continue;
            }
            let heavy = self.weights[link.pair as usize] as i64;
            if from <= low {
                weight += heavy;
            } else {
                self.events.push((from, heavy));
            }
            if to < high {
                self.events.push((to + 1, -heavy));
            }
        }
        self.events.sort_unstable_by_key(|event| event.0);
        self.candidates.clear();
        let (mut from, mut next, mut least) = (low, 0, u64::MAX);
        loop {
            let end = self.events.get(next).map_or(high, |event| event.0 - 1);
            if from <= end {
                let first = place.up(from);
                if first <= end {
                    let heavy = weight as u64;
                    least = least.min(heavy);
                    self.candidates.push((first, heavy));
                    let last = place.down(end);
                    if last > first {
                        self.candidates.push((last, heavy));
                    }
                }
            }
            let Some(&(at, _)) = self.events.get(next) else { break };
            from = at;
            while let Some(&(_, change)) = self.events.get(next).filter(|event| event.0 == at) {
                weight += change;
                next += 1;
            }
        }
        let unit = self.unit;
        let odd = |heavy: u64| {
            let grade = (heavy - least).saturating_mul(8) / unit;
            odds.get(grade as usize).copied().unwrap_or(0)
        };
        let sum = self.candidates.iter().map(|&(_, heavy)| odd(heavy)).sum();
        let mut ticket = self.random.below(sum);
        for &(base, heavy) in &self.candidates {
            let odd = odd(heavy);
            if ticket < odd {
                return base;
            }
            ticket -= odd;
        }
        self.bases[body as usize]
    }

    /// Moves a body.
    fn shift(&mut self, body: u32, base: Unit) {
        let old = self.bases[body as usize];
        if old == base {
            return;
        }
        self.bases[body as usize] = base;
        let links = std::mem::take(&mut self.links[body as usize]);
        let mut at = 0;
        while let Some(link) = links.get(at) {
            let other = self.bases[link.other as usize];
            let (before, after) = (old - other, base - other);
            let hit = |link: &Link, distance| link.from <= distance && distance <= link.to;
            let (mut was, mut is) = (false, false);
            while let Some(same) = links.get(at).filter(|same| same.pair == link.pair) {
                was |= hit(same, before);
                is |= hit(same, after);
                at += 1;
            }
            if was != is {
                self.set(link.pair, is);
            }
        }
        self.links[body as usize] = links;
    }

    /// A pair breaks or holds again.
    fn set(&mut self, pair: u32, breaks: bool) {
        if breaks {
            self.place[pair as usize] = self.broken.len() as u32;
            self.broken.push(pair);
        } else {
            let at = self.place[pair as usize];
            self.place[pair as usize] = WHOLE;
            self.broken.swap_remove(at as usize);
            if let Some(&moved) = self.broken.get(at as usize) {
                self.place[moved as usize] = at;
            }
        }
        match self.model.pairs[pair as usize].price {
            None if breaks => self.conflicts += 1,
            None => self.conflicts -= 1,
            Some(price) => {
                let due = &mut self.dues[price as usize];
                let cost = self.model.prices[price as usize].cost;
                if breaks {
                    *due += 1;
                    self.cost += if *due == 1 { cost } else { 0 };
                } else {
                    *due -= 1;
                    self.cost -= if *due == 0 { cost } else { 0 };
                }
            }
        }
    }
}

/// What a conflict weighs at first.
fn conflict(unit: u64) -> u64 {
    unit * 3
}
