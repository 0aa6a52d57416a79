//! What the search knows: least and greatest bases, orders left, prices; all of it on a trail.

use std::collections::VecDeque;

use crate::machine::{Job, Machine};
use crate::model::Model;
use crate::rules::Rules;
use crate::units::{FAR, Unit};

/// What was decided about a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deal {
    /// Nothing yet.
    Open,
    /// Its pairs are kept apart.
    Apart,
    /// It is paid.
    Paid,
}

/// What must not be exceeded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) peak: Unit,
    pub(crate) cost: u64,
}

/// Who is to blame for a dead end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fail {
    Pair(u32),
    Section,
    Price,
}

#[derive(Clone, Copy, Debug)]
enum Undo {
    Low(u32, Unit),
    High(u32, Unit),
    Range(u32, (u32, u32)),
    Deal(u32),
}

/// The bounds of all bodies and the orders left for all pairs.
pub(crate) struct State<'m> {
    pub(crate) model: &'m Model,
    rules: Rules,
    limits: Limits,
    /// Least bases: if they obey all pairs they are the best packing there is from here.
    pub(crate) low: Vec<Unit>,
    /// Greatest bases.
    pub(crate) high: Vec<Unit>,
    /// For each pair the first and last index left of its allowed ranges.
    pub(crate) range: Vec<(u32, u32)>,
    pub(crate) deals: Vec<Deal>,
    paid: u64,
    trail: Vec<Undo>,
    queue: VecDeque<u32>,
    queued: Vec<bool>,
    dirty: Vec<u32>,
    is_dirty: Vec<bool>,
    /// For each body how often it rose in this propagation, and because of whom by how much.
    rises: Vec<(u32, u32, Unit)>,
    rounds: u64,
    machine: Machine,
    /// Propagation was cut short somewhere: a closed search proves nothing.
    pub(crate) unsure: bool,
}

/// Propagations of one node before it is cut short; never seen but with absurd alignments.
const MAX_ROUNDS: u64 = 4_000_000;

impl<'m> State<'m> {
    /// Everything is open; symmetric pairs are already ordered if the rules say so.
    pub(crate) fn new(model: &'m Model, rules: Rules, order: &[(u32, (u32, u32))]) -> Self {
        let bodies = model.bodies.len();
        let mut range: Vec<(u32, u32)> =
            model.pairs.iter().map(|pair| (0, pair.allowed.len() as u32 - 1)).collect();
        for &(pair, narrowed) in order {
            range[pair as usize] = narrowed;
        }
        Self {
            model,
            rules,
            limits: Limits { peak: 0, cost: 0 },
            low: vec![0; bodies],
            high: vec![0; bodies],
            range,
            deals: vec![Deal::Open; model.prices.len()],
            paid: model.always,
            trail: Vec::new(),
            queue: VecDeque::new(),
            queued: vec![false; bodies],
            dirty: Vec::new(),
            is_dirty: vec![false; model.sections.len()],
            rises: vec![(0, 0, 0); bodies],
            rounds: 0,
            machine: Machine::default(),
            unsure: false,
        }
    }

    /// Starts under new limits. Nothing may be decided.
    pub(crate) fn begin(&mut self, limits: Limits) -> Result<(), Fail> {
        self.limits = limits;
        for (index, body) in self.model.bodies.iter().enumerate() {
            self.low[index] = body.place.up(0);
            self.high[index] = body.top(limits.peak);
            if self.low[index] > self.high[index] {
                return Err(self.model.near[index].first().map_or(Fail::Price, |&p| Fail::Pair(p)));
            }
        }
        (0..self.model.bodies.len()).for_each(|body| self.touch(body as u32));
        if self.paid > limits.cost {
            return Err(Fail::Price);
        }
        self.propagate()
    }

    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back everything since the mark.
    pub(crate) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Undo::Low(body, old)) => self.low[body as usize] = old,
                Some(Undo::High(body, old)) => self.high[body as usize] = old,
                Some(Undo::Range(pair, old)) => self.range[pair as usize] = old,
                Some(Undo::Deal(price)) => {
                    if self.deals[price as usize] == Deal::Paid {
                        self.paid -= self.model.prices[price as usize].cost;
                    }
                    self.deals[price as usize] = Deal::Open;
                }
                None => {}
            }
        }
        for body in self.queue.drain(..) {
            self.queued[body as usize] = false;
        }
        for section in self.dirty.drain(..) {
            self.is_dirty[section as usize] = false;
        }
    }

    /// Leaves only some of the orders of a pair.
    pub(crate) fn narrow(&mut self, pair: u32, range: (u32, u32)) -> Result<(), Fail> {
        let old = self.range[pair as usize];
        if old != range {
            self.trail.push(Undo::Range(pair, old));
            self.range[pair as usize] = range;
        }
        self.rises.iter_mut().for_each(|rise| rise.0 = 0);
        self.revise(pair)?;
        self.propagate()
    }

    /// Decides a price.
    pub(crate) fn decide(&mut self, price: u32, deal: Deal) -> Result<(), Fail> {
        self.settle(price, deal)?;
        self.propagate()
    }

    fn settle(&mut self, price: u32, deal: Deal) -> Result<(), Fail> {
        let model = self.model;
        let item = &model.prices[price as usize];
        self.trail.push(Undo::Deal(price));
        self.deals[price as usize] = deal;
        match deal {
            Deal::Paid => {
                self.paid += item.cost;
                if self.paid > self.limits.cost {
                    return Err(Fail::Price);
                }
                if self.rules.prices {
                    self.too_dear()?;
                }
            }
            _ => {
                for &pair in &item.pairs {
                    self.touch(model.pairs[pair as usize].first);
                }
            }
        }
        Ok(())
    }

    /// Keeps apart what can no longer be paid.
    fn too_dear(&mut self) -> Result<(), Fail> {
        for price in 0..self.deals.len() {
            let open = self.deals[price] == Deal::Open;
            if open && self.model.prices[price].cost > self.limits.cost - self.paid {
                self.settle(price as u32, Deal::Apart)?;
            }
        }
        Ok(())
    }

    fn touch(&mut self, body: u32) {
        if !self.queued[body as usize] {
            self.queued[body as usize] = true;
            self.queue.push_back(body);
        }
    }

    fn propagate(&mut self) -> Result<(), Fail> {
        self.rounds = 0;
        self.rises.iter_mut().for_each(|rise| rise.0 = 0);
        if self.rules.prices && self.trail.is_empty() {
            self.too_dear()?;
        }
        loop {
            while let Some(body) = self.queue.pop_front() {
                self.queued[body as usize] = false;
                let model = self.model;
                for &pair in &model.near[body as usize] {
                    self.revise(pair)?;
                }
                if self.rules.sections {
                    for &section in &model.inside[body as usize] {
                        if !self.is_dirty[section as usize] {
                            self.is_dirty[section as usize] = true;
                            self.dirty.push(section);
                        }
                    }
                }
                if self.rounds > MAX_ROUNDS {
                    self.unsure = true;
                    return Ok(());
                }
            }
            let Some(section) = self.dirty.pop() else { return Ok(()) };
            self.is_dirty[section as usize] = false;
            self.work(section)?;
        }
    }

    /// Makes one pair consistent with the bounds and the bounds with the pair.
    fn revise(&mut self, index: u32) -> Result<(), Fail> {
        let model = self.model;
        let pair = &model.pairs[index as usize];
        let (a, b) = (pair.first as usize, pair.second as usize);
        let deal = pair.price.map_or(Deal::Apart, |price| self.deals[price as usize]);
        if deal == Deal::Paid {
            return Ok(());
        }
        let (mut from, mut to) = self.range[index as usize];
        if self.rules.filter || deal == Deal::Open {
            let least = self.low[b] - self.high[a];
            let most = self.high[b] - self.low[a];
            while from <= to && pair.allowed[from as usize].1 < least {
                from += 1;
            }
            while from <= to && pair.allowed[to as usize].0 > most {
                if to == 0 {
                    from = 1;
                } else {
                    to -= 1;
                }
            }
        }
        if deal == Deal::Open {
            return match pair.price {
                Some(price) if from > to && self.rules.prices => self.settle(price, Deal::Paid),
                _ => Ok(()),
            };
        }
        if from > to {
            return Err(Fail::Pair(index));
        }
        if (from, to) != self.range[index as usize] {
            self.trail.push(Undo::Range(index, self.range[index as usize]));
            self.range[index as usize] = (from, to);
        }
        let (low, high) = (pair.allowed[from as usize].0, pair.allowed[to as usize].1);
        if low > -FAR {
            self.raise(b, a, low, index)?;
            self.lower(a, self.high[b] - low, index)?;
        }
        if high < FAR {
            self.raise(a, b, -high, index)?;
            self.lower(b, self.high[a] + high, index)?;
        }
        Ok(())
    }

    /// `base(body) >= base(after) + by`.
    fn raise(&mut self, body: usize, after: usize, by: Unit, pair: u32) -> Result<(), Fail> {
        let least = self.low[after] + by;
        if least <= self.low[body] {
            return Ok(());
        }
        let least = self.model.bodies[body].place.up(least);
        if least > self.high[body] {
            return Err(Fail::Pair(pair));
        }
        self.trail.push(Undo::Low(body as u32, self.low[body]));
        self.low[body] = least;
        self.rounds += 1;
        let rises = self.rises[body].0 + 1;
        self.rises[body] = (rises, after as u32, by);
        if rises.is_multiple_of(32) && self.pushes_itself(body) {
            return Err(Fail::Pair(pair));
        }
        self.touch(body as u32);
        Ok(())
    }

    /// True when a body rises because of itself, without end: a circle of orders.
    fn pushes_itself(&self, body: usize) -> bool {
        let (mut at, mut sum) = (body, 0);
        for _ in 0..self.rises.len() {
            let (rises, after, by) = self.rises[at];
            if rises == 0 {
                return false;
            }
            sum += by;
            at = after as usize;
            if at == body {
                return sum > 0;
            }
        }
        false
    }

    /// `base(body) <= most`.
    fn lower(&mut self, body: usize, most: Unit, pair: u32) -> Result<(), Fail> {
        if !self.rules.tails || most >= self.high[body] {
            return Ok(());
        }
        let most = self.model.bodies[body].place.down(most);
        if most < self.low[body] {
            return Err(Fail::Pair(pair));
        }
        self.trail.push(Undo::High(body as u32, self.high[body]));
        self.high[body] = most;
        self.rounds += 1;
        self.touch(body as u32);
        Ok(())
    }

    /// The one-machine test of one section.
    fn work(&mut self, section: u32) -> Result<(), Fail> {
        self.machine.jobs.clear();
        for &block in &self.model.sections[section as usize] {
            let block = &self.model.blocks[block as usize];
            let body = block.body as usize;
            self.machine.jobs.push(Job {
                head: self.low[body] + block.shift,
                size: block.size,
                deadline: self.high[body] + block.shift + block.size,
            });
        }
        for &(start, end) in &self.model.walls {
            self.machine.jobs.push(Job { head: start, size: end - start, deadline: end });
        }
        if self.machine.fits() { Ok(()) } else { Err(Fail::Section) }
    }
}
