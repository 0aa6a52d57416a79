//! Buffers that a loop makes anew in every trip and carries into the next one.
//!
//! In MLIR each trip's alloc is memory of its own; a plan gives all of them one address, or one for
//! each slot. Where the bytes of the trip before are still read, under the carried name, after the
//! buffer is written again, one address is not enough: the buffer needs two slots that turn with the loop.
//! Where a value may be carried on for any number of trips, no number of slots is enough.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Code, Diagnostic};
use crate::model::{
    AccessMode, BufferId, Function, InplaceRule, LoopId, Order, ValueId, ValueKind,
};

/// How a value leads to a buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ways {
    /// As the buffer of this trip.
    own: bool,
    /// Through what the loop carries.
    carried: bool,
}

/// Gives such buffers their second slot; `made_in` says in which loops each buffer is made.
///
/// Notes what no number of slots can help as a fault of the function.
pub(super) fn settle(function: &mut Function, made_in: &BTreeMap<BufferId, Vec<LoopId>>) {
    let order = Order::of(function);
    for l in function.loops.ids() {
        let mut made: BTreeSet<BufferId> = BTreeSet::new();
        for carry in &function.loops[l].carries {
            let roots = function.roots(carry.next);
            let own = |b: &BufferId| made_in.get(b).is_some_and(|loops| loops.contains(&l));
            made.extend(roots.into_iter().filter(own));
        }
        for buffer in made {
            let passed = Passed::of(function, &order, l, buffer);
            if passed.over_a_write() {
                let fault = never(function, l, buffer);
                function.faults.push((buffer, fault));
                continue;
            }
            if !late(function, &order, l, buffer) {
                continue;
            }
            let b = &function.buffers[buffer];
            let turns = b.slots > 1 && b.rotates_in == Some(l);
            if kept(function, l, buffer) || (b.slots > 1 && !turns) {
                let fault = never(function, l, buffer);
                function.faults.push((buffer, fault));
            } else if !turns {
                let b = &mut function.buffers[buffer];
                (b.slots, b.rotates_in) = (2, Some(l));
            }
        }
    }
}

/// True when an op reads or writes the buffer of the trip before after this trip's is written, or where it
/// is and the op may not work in place.
fn late(function: &Function, order: &Order, l: LoopId, buffer: BufferId) -> bool {
    let inside = function.ops.enumerate().filter(|(op, _)| order.loops_of_op[*op].contains(&l));
    let mut touches: Vec<(u64, Ways, bool, bool)> = Vec::new();
    for (op, body) in inside {
        for access in &body.accesses {
            if access.mode == AccessMode::Fresh {
                continue;
            }
            let ways = ways(function, l, buffer, access.value);
            if ways.own || ways.carried {
                let writes = access.mode != AccessMode::Read;
                let apart = body.inplace == InplaceRule::Never;
                touches.push((order.ops[op].0, ways, writes, apart));
            }
        }
    }
    let first =
        touches.iter().filter(|(_, ways, writes, _)| ways.own && *writes).map(|t| t.0).min();
    let Some(first) = first else { return false };
    // In an inner loop what comes first comes again.
    touches.iter().any(|&(step, ways, writes, apart)| {
        ways.carried && !ways.own && (step > first || (step == first && (apart || writes)))
    })
}

/// Whether a trip can pass on the buffer of an earlier one although it writes its own.
struct Passed<'a> {
    function: &'a Function,
    order: &'a Order,
    l: LoopId,
    buffer: BufferId,
    /// Steps at which this trip's buffer is written.
    writes: Vec<u64>,
}

impl<'a> Passed<'a> {
    fn of(function: &'a Function, order: &'a Order, l: LoopId, buffer: BufferId) -> Self {
        let inside = function.ops.enumerate().filter(|(op, _)| order.loops_of_op[*op].contains(&l));
        let own = inside.filter(|(_, body)| {
            body.accesses.iter().any(|a| {
                matches!(a.mode, AccessMode::Write | AccessMode::Temporary)
                    && ways(function, l, buffer, a.value).own
            })
        });
        let writes = own.map(|(op, _)| order.ops[op].0).collect();
        Self { function, order, l, buffer, writes }
    }

    fn over_a_write(&self) -> bool {
        let carries = &self.function.loops[self.l].carries;
        carries.iter().any(|c| self.from(c.next, &mut Vec::new(), &mut BTreeSet::new()))
    }

    /// True when the value can be an earlier trip's buffer on a way that writes this trip's. `never` are
    /// steps `(from, to)` that this way does not pass.
    fn from(
        &self,
        value: ValueId,
        never: &mut Vec<(u64, u64)>,
        seen: &mut BTreeSet<ValueId>,
    ) -> bool {
        if !seen.insert(value) {
            return false;
        }
        let found = match &self.function.values[value].kind {
            ValueKind::Buffer(_) => false,
            ValueKind::View { base, .. } => self.from(*base, never, seen),
            ValueKind::Select(of) => of.iter().any(|v| self.from(*v, never, seen)),
            ValueKind::Carry(of, n) if *of == self.l => {
                let carry = self.function.loops[self.l].carries.get(*n as usize);
                let older = carry.is_some_and(|c| {
                    self.function.roots(c.next).binary_search(&self.buffer).is_ok()
                });
                let passes = |w: &&u64| never.iter().all(|(from, to)| !(from < *w && *w < to));
                older && self.writes.iter().any(|w| passes(&w))
            }
            ValueKind::Carry(of, n) | ValueKind::LoopResult(of, n) => {
                let carry = self.function.loops[*of].carries.get(*n as usize);
                carry.is_some_and(|c| {
                    self.from(c.init, never, seen) || self.from(c.next, never, seen)
                })
            }
            ValueKind::BranchResult(of, n) => {
                let result = self.function.branches[*of].results.get(*n as usize);
                let steps = self.order.branches[*of];
                let (begin, middle, end) = (steps.begin.0, steps.middle.0, steps.end.0);
                result.is_some_and(|r| {
                    [(r.then, (middle, end)), (r.otherwise, (begin, middle))].into_iter().any(
                        |(side, other)| {
                            never.push(other);
                            let found = self.from(side, never, seen);
                            never.pop();
                            found
                        },
                    )
                })
            }
        };
        seen.remove(&value);
        found
    }
}

/// How a value of the loop's body leads to the buffer.
fn ways(function: &Function, l: LoopId, buffer: BufferId, value: ValueId) -> Ways {
    let mut ways = Ways::default();
    let mut seen = BTreeSet::new();
    let mut todo = vec![value];
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        match &function.values[id].kind {
            ValueKind::Buffer(b) => ways.own |= *b == buffer,
            ValueKind::View { base, .. } => todo.push(*base),
            ValueKind::Select(of) => todo.extend(of),
            ValueKind::Carry(of, n) if *of == l => {
                let carry = function.loops[l].carries.get(*n as usize);
                ways.carried |=
                    carry.is_some_and(|c| function.roots(c.next).binary_search(&buffer).is_ok());
            }
            ValueKind::Carry(of, n) | ValueKind::LoopResult(of, n) => {
                if let Some(carry) = function.loops[*of].carries.get(*n as usize) {
                    todo.extend([carry.init, carry.next]);
                }
            }
            ValueKind::BranchResult(of, n) => {
                if let Some(result) = function.branches[*of].results.get(*n as usize) {
                    todo.extend([result.then, result.otherwise]);
                }
            }
        }
    }
    ways
}

/// True when a carried value that may be the buffer is carried on under this or another name: the
/// buffer may be as old as one likes, or at least two trips.
fn kept(function: &Function, l: LoopId, buffer: BufferId) -> bool {
    let carries = &function.loops[l].carries;
    carries.iter().any(|carry| ways(function, l, buffer, carry.next).carried)
}

fn never(function: &Function, l: LoopId, buffer: BufferId) -> Diagnostic {
    let b = &function.buffers[buffer];
    let message = format!(
        "`%{}` is made in every trip, and what earlier trips left in it is read after that",
        b.name
    );
    Diagnostic::error(Code::HivmCarried, message)
        .maybe_at(b.loc, "made anew in every trip, at one address")
        .maybe_at(function.loops[l].loc, "carried on here")
        .help("copy it into a buffer that is made outside of the loop")
}
