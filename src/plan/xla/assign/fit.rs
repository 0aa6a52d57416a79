//! Whether a buffer may lie in an allocation that has others (spec/xla-memory.md 9.3).

use super::occupied::Occupied;
use crate::analyze::hlo::{Analysis, GroupId, Position, Range, ValueId};
use crate::ir::hlo::{Opcode, Sharing};
use crate::model::IdVec;

/// What the rule asks again and again.
pub(super) struct Fit<'a, 'm> {
    analysis: &'a Analysis<'m>,
    sharing: &'a Sharing<'m>,
    /// The last position of each value, once it was needed.
    last: IdVec<ValueId, Option<Position>>,
}

impl<'a, 'm> Fit<'a, 'm> {
    pub(super) fn new(analysis: &'a Analysis<'m>, sharing: &'a Sharing<'m>) -> Self {
        let last = IdVec::filled(None, analysis.values.values.len());
        Self { analysis, sharing, last }
    }

    /// True when no value of the group needs its bytes while a value there needs them.
    pub(super) fn fits(&mut self, group: GroupId, held: &Occupied) -> bool {
        let analysis = self.analysis;
        analysis.groups.groups[group].iter().all(|&value| {
            let Some(range) = analysis.ranges.live[value] else { return false };
            held.meeting(range).all(|(other, span)| self.follow(value, range, other, span))
        })
    }

    /// True when one of two values with a time in common begins where the other ends, and may take its
    /// bytes there.
    fn follow(&mut self, a: ValueId, of_a: Range, b: ValueId, of_b: Range) -> bool {
        (of_a.end == of_b.start && self.may_take(a, b))
            || (of_b.end == of_a.start && self.may_take(b, a))
    }

    /// True when `later` may take the bytes of `earlier` where that one is needed last.
    fn may_take(&mut self, earlier: ValueId, later: ValueId) -> bool {
        let born = &self.analysis.values.values[later].definition;
        let instruction = &self.analysis.module.instructions[born.instruction];
        if instruction.opcode == Opcode::Copy {
            return false;
        }
        let from = self.last_position(earlier);
        instruction.operands.contains(&from.instruction)
            && self.sharing.may_share(from.instruction, &from.index, born.instruction, &born.index)
    }

    /// The position with the greatest time; the root of a computation stands at the end of its span.
    fn last_position(&mut self, value: ValueId) -> Position {
        if let Some(position) = &self.last[value] {
            return position.clone();
        }
        let Analysis { module, ranges, values, .. } = self.analysis;
        let value_of = &values.values[value];
        let time = |position: &Position| {
            let at = position.instruction;
            if module.is_root(at) {
                ranges.span[module.instructions[at].computation].map(|span| span.end)
            } else {
                ranges.time[at]
            }
        };
        let mut last = (time(&value_of.definition), &value_of.definition);
        for position in &value_of.positions {
            let at = time(position);
            if at > last.0 {
                last = (at, position);
            }
        }
        let last = last.1.clone();
        self.last[value] = Some(last.clone());
        last
    }
}
