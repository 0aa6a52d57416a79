//! An instance with its promotions decided, in units: bodies, blocks, pairs and prices.
//!
//! ```text
//!   instance                         model
//!   colocated items a, b (delta 2)   one body: block a at 0, block b at 2
//!   a promoted single                a block on the body of every slot
//!   two items that conflict          a pair of bodies with the distances allowed
//!   a cost                           a price: pairs that are kept apart, or it is paid
//! ```

use crate::differences::Allowed;
use crate::place::Place;
use crate::units::Unit;

/// Something rigid that gets one base.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// Where it may lie.
    pub(crate) place: Place,
    /// From the base to the end of the highest block; 0 when it takes no bytes.
    pub(crate) height: Unit,
}

/// Bytes of one item: `[base(body) + shift, + size)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) item: u32,
    /// The slot that it stands on, for a copy of a promoted single.
    pub(crate) slot: Option<u32>,
    pub(crate) body: u32,
    pub(crate) shift: Unit,
    pub(crate) size: Unit,
}

/// Two bodies and the distances `base(second) - base(first)` allowed.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) first: u32,
    pub(crate) second: u32,
    pub(crate) allowed: Allowed,
    /// The pair holds only while this price is not paid.
    pub(crate) price: Option<u32>,
}

/// A cost that is paid or kept off by keeping pairs apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Price {
    pub(crate) cost: u64,
    pub(crate) pairs: Vec<u32>,
}

/// One packing problem without any choice of promotions left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub(crate) bodies: Vec<Body>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) prices: Vec<Price>,
    /// Cost paid whatever happens.
    pub(crate) always: u64,
    /// Sets of blocks that conflict pairwise whatever their offsets.
    pub(crate) sections: Vec<Vec<u32>>,
    /// Reserved ranges.
    pub(crate) walls: Vec<(Unit, Unit)>,
    /// Body and shift of each item.
    pub(crate) at: Vec<(u32, Unit)>,
    /// For each body its pairs.
    pub(crate) near: Vec<Vec<u32>>,
    /// For each body its sections.
    pub(crate) inside: Vec<Vec<u32>>,
}

impl Model {
    /// The largest end of any body.
    pub(crate) fn peak(&self, bases: &[Unit]) -> Unit {
        let ends = self.bodies.iter().zip(bases).filter(|(body, _)| body.height > 0);
        ends.map(|(body, base)| base + body.height).max().unwrap_or(0)
    }

    /// What the bases pay.
    pub(crate) fn cost(&self, bases: &[Unit]) -> u64 {
        let broken = |&p: &u32| !self.pairs[p as usize].holds(bases);
        let paid = self.prices.iter().filter(|price| price.pairs.iter().any(broken));
        paid.fold(self.always, |sum, price| sum.saturating_add(price.cost))
    }

    /// Fills the indices from bodies to pairs and sections.
    pub(crate) fn index(&mut self) {
        self.near = vec![Vec::new(); self.bodies.len()];
        self.inside = vec![Vec::new(); self.bodies.len()];
        for (p, pair) in self.pairs.iter().enumerate() {
            self.near[pair.first as usize].push(p as u32);
            self.near[pair.second as usize].push(p as u32);
        }
        for (s, section) in self.sections.iter().enumerate() {
            for &block in section {
                let inside = &mut self.inside[self.blocks[block as usize].body as usize];
                if inside.last() != Some(&(s as u32)) {
                    inside.push(s as u32);
                }
            }
        }
    }
}

impl Body {
    /// The greatest base under a limit on the peak; bodies without bytes know no such limit.
    pub(crate) fn top(&self, peak: Unit) -> Unit {
        let most = if self.height > 0 { peak - self.height } else { self.place.high };
        self.place.down(most)
    }
}

impl Pair {
    /// True when the bases are at an allowed distance.
    pub(crate) fn holds(&self, bases: &[Unit]) -> bool {
        let distance = bases[self.second as usize] - bases[self.first as usize];
        let next = self.allowed.partition_point(|a| a.1 < distance);
        self.allowed.get(next).is_some_and(|a| a.0 <= distance)
    }
}
