//! What follows from what is known: pairs push bounds, bounds strike out ranges of pairs.

use crate::machine::Job;
use crate::state::{Deal, Fail, State, Undo};
use crate::units::{FAR, Unit};

/// Changes of bounds in one propagation before it is cut short; never seen but with absurd
/// alignments.
const MAX_ROUNDS: u64 = 4_000_000;

impl State<'_> {
    /// Draws all conclusions from the bodies in the queue.
    pub(crate) fn propagate(&mut self) -> Result<(), Fail> {
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
    pub(crate) fn revise(&mut self, index: u32) -> Result<(), Fail> {
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
