//! Orders that removals count on in a module without a schedule.

use std::collections::BTreeSet;

use super::Kept;
use crate::analyze::hlo::{Analysis, ValueId};
use crate::ir::hlo::{ComputationId, InstructionId};
use crate::model::IdVec;

/// What runs first, and what after it; both in one computation.
pub(super) type Order = (InstructionId, InstructionId);

/// How many new orders one pair of values may need.
const ORDERS: usize = 64;
/// How many instructions are looked at to see whether dependencies give an order already. If that is
/// not enough, the order is written down although it may be given.
const LOOKS: usize = 512;

/// The orders that are accepted.
pub(super) struct Edges<'a> {
    analysis: &'a Analysis<'a>,
    /// Where an instruction stands in its computation's order.
    position: IdVec<InstructionId, u32>,
    pub(super) accepted: BTreeSet<Order>,
}

impl<'a> Edges<'a> {
    /// None yet, over the order that the analysis took.
    pub(super) fn new(analysis: &'a Analysis<'a>) -> Self {
        let mut position = IdVec::filled(0, analysis.module.instructions.len());
        for sequence in analysis.order.0.iter() {
            for (at, &id) in (0..).zip(sequence) {
                position[id] = at;
            }
        }
        Self { analysis, position, accepted: BTreeSet::new() }
    }

    /// The orders that make every use of `first` run before `later` is made, but for those that
    /// dependencies give.
    ///
    /// # Errors
    /// `Kept::Orders` when there are too many, or none can be given.
    pub(super) fn orders(&self, first: ValueId, later: ValueId) -> Result<Vec<Order>, Kept> {
        let module = self.analysis.module;
        let values = &self.analysis.values.values;
        let (value, then) = (&values[first], values[later].definition.instruction);
        let roots = value.positions.iter().map(|position| position.instruction);
        let roots = roots.filter(|&id| module.is_root(id));
        let born = value.definition.instruction;
        let ends = value.uses.iter().map(|used| used.user).chain(roots).chain([born]);
        let mut out = BTreeSet::new();
        for end in ends {
            let (end, then) = self.lift(end, then).ok_or(Kept::Orders)?;
            if end == then || out.contains(&(end, then)) {
                continue;
            }
            if self.position[end] > self.position[then] {
                return Err(Kept::Orders);
            }
            if !self.given(end, then) {
                out.insert((end, then));
            }
            if out.len() > ORDERS {
                return Err(Kept::Orders);
            }
        }
        Ok(out.into_iter().collect())
    }

    /// Takes orders into the account.
    pub(super) fn accept(&mut self, orders: Vec<Order>) {
        self.accepted.extend(orders);
    }

    /// The instructions of one computation that run `a` and `b`, each itself or by calls: the same one
    /// where both run in computations that one instruction calls. `None` where a computation is called
    /// from several places.
    fn lift(&self, a: InstructionId, b: InstructionId) -> Option<Order> {
        let (a, b) = (self.callers(a)?, self.callers(b)?);
        let pairs = a.iter().rev().zip(b.iter().rev());
        let of = |id: InstructionId| self.analysis.module.instructions[id].computation;
        let mut last = None;
        for (&a, &b) in pairs.take_while(|&(&a, &b)| of(a) == of(b)) {
            last = Some((a, b));
            if a != b {
                break;
            }
        }
        last
    }

    /// An instruction and those that call it, up to the entry.
    fn callers(&self, id: InstructionId) -> Option<Vec<InstructionId>> {
        let (module, calls) = (self.analysis.module, &self.analysis.calls);
        let mut out = vec![id];
        let mut computation: ComputationId = module.instructions[id].computation;
        while computation != module.entry {
            let [caller] = calls.callers[computation][..] else { return None };
            out.push(caller);
            computation = module.instructions[caller].computation;
        }
        Some(out)
    }

    /// True when `then` depends on `first`, as far as that is looked for.
    fn given(&self, first: InstructionId, then: InstructionId) -> bool {
        let (mut seen, mut todo) = (BTreeSet::new(), vec![then]);
        while let Some(id) = todo.pop() {
            if id == first {
                return true;
            }
            if self.position[id] <= self.position[first] || !seen.insert(id) {
                continue;
            }
            if seen.len() > LOOKS {
                return false;
            }
            let instruction = &self.analysis.module.instructions[id];
            todo.extend(instruction.operands.iter().chain(instruction.control_predecessors()));
        }
        false
    }
}
