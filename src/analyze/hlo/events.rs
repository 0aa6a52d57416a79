//! The heap simulator's events: what is allocated, freed and shared, in order (spec/xla-memory.md 8.1).

use std::collections::BTreeSet;

use super::{Analysis, Groups, Ranges, ValueId, Values};
use crate::ir::hlo::{Module, Opcode, Sharing};
use crate::model::IdVec;

/// What happens to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// It gets bytes.
    Alloc,
    /// Its bytes are no longer needed by it.
    Free,
    /// It takes the bytes of another value.
    Share(ValueId),
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// What happens.
    pub kind: EventKind,
    /// To which value.
    pub value: ValueId,
    /// Bytes of the value's whole must-alias group.
    pub size: u64,
}

/// What is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventOptions<'s> {
    /// A result may take the bytes of an operand that dies where it is born.
    pub may_reuse_operands: bool,
    /// Constants take part.
    pub alloc_constants: bool,
    /// Only these values take part; `None`: all.
    pub subset: Option<&'s BTreeSet<ValueId>>,
}

impl Default for EventOptions<'_> {
    fn default() -> Self {
        Self { may_reuse_operands: true, alloc_constants: false, subset: None }
    }
}

/// What the simulation knows before it is told an order: built once for a module, it simulates many
/// orders.
#[derive(Clone, Debug)]
pub struct Simulator<'v> {
    module: &'v Module,
    values: &'v Values,
    groups: &'v Groups,
    /// For every value the operands' values whose bytes it may take, in the order in which they are
    /// tried.
    givers: IdVec<ValueId, Box<[ValueId]>>,
}

impl<'v> Simulator<'v> {
    /// Finds for every value whose bytes it may take (5.2).
    pub fn new(
        module: &'v Module,
        values: &'v Values,
        groups: &'v Groups,
        sharing: &Sharing<'_>,
    ) -> Self {
        let givers = values.values.ids().map(|value| {
            let definition = &values.values[value].definition;
            let instruction = &module.instructions[definition.instruction];
            // A table of pointers is no operand's shape.
            let never = matches!(instruction.opcode, Opcode::Copy | Opcode::Tuple);
            if never || !alone(groups, value) {
                return Box::default();
            }
            let mut givers = Vec::new();
            for &operand in &instruction.operands {
                let on_top = values.at[operand].first().map_or(&[][..], |on_top| &on_top[..]);
                for &giver in on_top {
                    let from = &values.values[giver].definition;
                    let usable = alone(groups, giver)
                        && instruction.operands.contains(&from.instruction)
                        && !givers.contains(&giver)
                        && sharing.may_share(
                            from.instruction,
                            &from.index,
                            definition.instruction,
                            &definition.index,
                        );
                    if usable {
                        givers.push(giver);
                    }
                }
            }
            givers.into_boxed_slice()
        });
        Self { module, values, groups, givers: givers.collect() }
    }

    /// The events of an order, whose ranges are given. Values without a range take no part.
    pub fn events(&self, ranges: &Ranges, options: EventOptions<'_>) -> Vec<Event> {
        let mut births: Vec<(u32, u32, ValueId)> = ranges
            .live
            .enumerate()
            .filter(|(value, _)| options.subset.is_none_or(|subset| subset.contains(value)))
            .filter(|(value, _)| options.alloc_constants || !self.is_constant(*value))
            .filter_map(|(value, live)| live.map(|live| (live.start, live.end, value)))
            .collect();
        births.sort_unstable();
        let mut deaths = births.clone();
        // Stable: the dead of a time stand in the order of their births.
        deaths.sort_by_key(|&(_, end, _)| end);

        let mut run = Run {
            events: Vec::with_capacity(births.len().saturating_mul(2)),
            dies: IdVec::filled(None, self.values.values.len()),
            first: vec![None; self.groups.groups.len()],
        };
        for &(_, end, value) in &births {
            run.dies[value] = Some(end);
        }
        let mut deaths = deaths.into_iter().peekable();
        let mut births = births.into_iter().peekable();
        while let Some(&(_, last, _)) = deaths.peek() {
            let now = births.peek().map_or(last, |&(start, ..)| start.min(last));
            while let Some((_, _, value)) = births.next_if(|&(start, ..)| start == now) {
                self.bear(&mut run, value, now, options.may_reuse_operands);
            }
            while let Some((_, _, value)) = deaths.next_if(|&(_, end, _)| end == now) {
                if run.dies[value].is_some() {
                    run.events.push(self.event(EventKind::Free, value));
                }
            }
        }
        run.events
    }

    fn bear(&self, run: &mut Run, value: ValueId, now: u32, reuse: bool) {
        let first = &mut run.first[self.groups.of[value].0 as usize];
        if let Some(first) = *first {
            run.events.push(self.event(EventKind::Share(first), value));
            return;
        }
        let givers = if reuse { &self.givers[value][..] } else { &[] };
        if let Some(&giver) = givers.iter().find(|giver| run.dies[**giver] == Some(now)) {
            run.dies[giver] = None;
            run.events.push(self.event(EventKind::Free, giver));
            run.events.push(self.event(EventKind::Share(giver), value));
            return;
        }
        *first = Some(value);
        run.events.push(self.event(EventKind::Alloc, value));
    }

    fn event(&self, kind: EventKind, value: ValueId) -> Event {
        Event { kind, value, size: self.groups.size[self.groups.of[value]] }
    }

    fn is_constant(&self, value: ValueId) -> bool {
        let at = self.values.values[value].definition.instruction;
        self.module.instructions[at].opcode == Opcode::Constant
    }
}

/// What changes during a simulation.
struct Run {
    events: Vec<Event>,
    /// When each simulated value dies, until its bytes are given away.
    dies: IdVec<ValueId, Option<u32>>,
    /// The first value of each group that got bytes.
    first: Vec<Option<ValueId>>,
}

/// The events of an analysis.
pub fn events(
    analysis: &Analysis<'_>,
    sharing: &Sharing<'_>,
    options: EventOptions<'_>,
) -> Vec<Event> {
    Simulator::new(analysis.module, &analysis.values, &analysis.groups, sharing)
        .events(&analysis.ranges, options)
}

/// True when the value is the only one of its group.
fn alone(groups: &Groups, value: ValueId) -> bool {
    groups.groups[groups.of[value]].len() == 1
}
