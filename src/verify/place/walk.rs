//! The ops of a function in an order in which they may run: loops twice, one side of every branch.

use std::collections::BTreeMap;

use crate::diag::Loc;
use crate::model::{
    AccessMode, BranchId, BufferId, ByteRange, Function, LoopId, Node, OpId, Region, Trips, ValueId,
};

/// One run of one op, or of the step of a buffer whose live range is given.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// What it is called.
    pub name: String,
    /// Where it is written.
    pub loc: Option<Loc>,
    /// What it touches.
    pub touches: Vec<Touch>,
}

/// Bytes of a slot that are touched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub buffer: BufferId,
    pub slot: usize,
    pub bytes: ByteRange,
    pub mode: AccessMode,
    /// True when exactly these bytes are touched, and all of them.
    pub exact: bool,
}

/// Steps that a walk makes at most; the rest is left out.
const MAX_STEPS: usize = 1 << 18;

struct Walk<'a> {
    function: &'a Function,
    /// True for the second side of every branch.
    otherwise: bool,
    trips: BTreeMap<LoopId, u64>,
    slots: &'a BTreeMap<BufferId, Vec<u64>>,
    /// What carries and results stand for.
    names: BTreeMap<ValueId, ValueId>,
    steps: Vec<Step>,
}

/// The steps of a function for the buffers that lie in `slots`.
pub(super) fn steps(
    function: &Function,
    slots: &BTreeMap<BufferId, Vec<u64>>,
    otherwise: bool,
) -> Vec<Step> {
    let mut walk = Walk {
        function,
        otherwise,
        trips: BTreeMap::new(),
        slots,
        names: BTreeMap::new(),
        steps: Vec::new(),
    };
    if function.has_program() {
        walk.region(&function.body);
        return walk.steps;
    }
    given(function, slots)
}

/// Buffers whose live ranges are given are written when they begin and read when they end.
fn given(function: &Function, slots: &BTreeMap<BufferId, Vec<u64>>) -> Vec<Step> {
    let mut at: BTreeMap<(u64, bool), Vec<Touch>> = BTreeMap::new();
    for (&buffer, offsets) in slots {
        let body = &function.buffers[buffer];
        let bytes = ByteRange::new(0, body.size.0);
        for live in body.live.iter().flatten() {
            for slot in 0..offsets.len() {
                let touch = |mode| Touch { buffer, slot, bytes, mode, exact: true };
                let (begin, last) = (live.start.0, live.end.0.saturating_sub(1));
                at.entry((begin, true)).or_default().push(touch(AccessMode::Write));
                if last > begin {
                    at.entry((last, false)).or_default().push(touch(AccessMode::Read));
                }
            }
        }
    }
    // Reads first: the result of an op may take the bytes of an operand that dies there.
    let name = |(step, writes): (u64, bool)| {
        format!("step {step} {}", if writes { "writes" } else { "reads" })
    };
    at.into_iter().map(|(key, touches)| Step { name: name(key), loc: None, touches }).collect()
}

impl Walk<'_> {
    // Recursion over the region tree, whose depth readers limit.
    fn region(&mut self, region: &Region) {
        for node in &region.nodes {
            if self.steps.len() >= MAX_STEPS {
                return;
            }
            match *node {
                Node::Op(id) => self.op(id),
                Node::Loop(id) => self.repeat(id),
                Node::Branch(id) => self.branch(id),
            }
        }
    }

    fn repeat(&mut self, id: LoopId) {
        let l = &self.function.loops[id];
        let trips = match l.trips {
            Trips::Known(n) => n.min(2),
            Trips::AtLeast(_) => 2,
        };
        for carry in &l.carries {
            let init = self.name(carry.init);
            self.names.insert(carry.value, init);
        }
        for trip in 0..trips {
            self.trips.insert(id, trip);
            self.region(&l.body);
            let next: Vec<(ValueId, ValueId)> =
                l.carries.iter().map(|c| (c.value, self.name(c.next))).collect();
            self.names.extend(next);
        }
        for carry in &l.carries {
            let last = self.name(carry.value);
            self.names.insert(carry.result, last);
        }
    }

    fn branch(&mut self, id: BranchId) {
        let branch = &self.function.branches[id];
        self.region(if self.otherwise { &branch.otherwise } else { &branch.then });
        for result in &branch.results {
            let side = self.name(if self.otherwise { result.otherwise } else { result.then });
            self.names.insert(result.value, side);
        }
    }

    fn name(&self, value: ValueId) -> ValueId {
        self.names.get(&value).copied().unwrap_or(value)
    }

    fn op(&mut self, id: OpId) {
        let op = &self.function.ops[id];
        let mut touches = Vec::new();
        for access in &op.accesses {
            let value = self.name(access.value);
            match self.function.exact(value) {
                Some((buffer, whole)) => {
                    let bytes = access.range.map_or(whole, |range| {
                        let start = whole.start.saturating_add(range.start).min(whole.end);
                        ByteRange::new(start, start.saturating_add(range.len()).min(whole.end))
                    });
                    let exact = !access.partial;
                    self.touch(&mut touches, buffer, bytes, access.mode, exact);
                }
                None => {
                    for buffer in self.function.roots(value) {
                        let bytes = ByteRange::new(0, self.function.buffers[buffer].size.0);
                        self.touch(&mut touches, buffer, bytes, access.mode, false);
                    }
                }
            }
        }
        if !touches.is_empty() {
            self.steps.push(Step { name: op.name.clone(), loc: op.loc, touches });
        }
    }

    fn touch(
        &self,
        touches: &mut Vec<Touch>,
        buffer: BufferId,
        bytes: ByteRange,
        mode: AccessMode,
        exact: bool,
    ) {
        let Some(offsets) = self.slots.get(&buffer) else { return };
        let rotates = self.function.buffers[buffer].rotates_in;
        let trip = rotates.and_then(|id| self.trips.get(&id)).copied().unwrap_or(0);
        let slot = (trip % offsets.len().max(1) as u64) as usize;
        touches.push(Touch { buffer, slot, bytes, mode, exact });
    }
}
