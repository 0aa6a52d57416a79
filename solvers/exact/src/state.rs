//! What the search knows: least and greatest bases, orders left, prices; all of it on a trail.

use std::collections::VecDeque;

use crate::machine::Machine;
use crate::model::Model;
use crate::rules::Rules;
use crate::units::Unit;

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

/// How to take back one change.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Undo {
    Low(u32, Unit),
    High(u32, Unit),
    Range(u32, (u32, u32)),
    Deal(u32),
}

/// The bounds of all bodies and the orders left for all pairs.
pub(crate) struct State<'m> {
    pub(crate) model: &'m Model,
    pub(crate) rules: Rules,
    pub(crate) limits: Limits,
    /// Least bases: if they obey all pairs they are the best packing there is from here.
    pub(crate) low: Vec<Unit>,
    /// Greatest bases.
    pub(crate) high: Vec<Unit>,
    /// For each pair the first and last index left of its allowed ranges.
    pub(crate) range: Vec<(u32, u32)>,
    pub(crate) deals: Vec<Deal>,
    paid: u64,
    pub(crate) trail: Vec<Undo>,
    pub(crate) queue: VecDeque<u32>,
    pub(crate) queued: Vec<bool>,
    pub(crate) dirty: Vec<u32>,
    pub(crate) is_dirty: Vec<bool>,
    /// For each body how often it rose in this propagation, and because of whom by how much.
    pub(crate) rises: Vec<(u32, u32, Unit)>,
    pub(crate) rounds: u64,
    pub(crate) machine: Machine,
    /// Propagation was cut short somewhere: a closed search proves nothing.
    pub(crate) unsure: bool,
}

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

    pub(crate) fn settle(&mut self, price: u32, deal: Deal) -> Result<(), Fail> {
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
    pub(crate) fn too_dear(&mut self) -> Result<(), Fail> {
        for price in 0..self.deals.len() {
            let open = self.deals[price] == Deal::Open;
            if open && self.model.prices[price].cost > self.limits.cost - self.paid {
                self.settle(price as u32, Deal::Apart)?;
            }
        }
        Ok(())
    }

    pub(crate) fn touch(&mut self, body: u32) {
        if !self.queued[body as usize] {
            self.queued[body as usize] = true;
            self.queue.push_back(body);
        }
    }
}
