//! Live ranges from ops: backwards over the region tree, buffer by buffer, byte-exact.
//!
//! A buffer is alive where some of its bytes may be read later and may have been written before,
//! and at every step that touches it. The rules, by the names of `docs/DESIGN.md`:
//!
//! * *write*: a write holds its bytes at its step even when nobody reads them.
//! * *kill*: a write that surely replaces bytes ends the need for the old ones.
//! * *fresh*: where a buffer is made anew (`AccessMode::Fresh`), nothing before is needed.
//! * *loop*: a value that a trip needs from outside the trip lives through the whole loop.
//! * *zero trips*: a value needed after a loop that may not run is needed before it.
//! * *branch*: each side is a path of its own; what neither side replaces lives through both.
//! * *class*: parameters, constants and persistent buffers live through the whole function, outputs
//!   to its end, donated ones from its start.

use super::tree::{Kind, Tree};
use super::uses::{Use, Uses};
use crate::diag::{Code, Diagnostic};
use crate::model::{
    AccessMode, Buffer, BufferId, ByteRange, Function, IdVec, LifetimeClass, Live, Order, Step,
};

pub(super) fn live(
    function: &Function,
    order: &Order,
    tree: &Tree,
    uses: &Uses,
    warnings: &mut Vec<Diagnostic>,
) -> IdVec<BufferId, Vec<Live>> {
    let derive = Derive { function, order, tree };
    function
        .buffers
        .enumerate()
        .map(|(id, buffer)| match &buffer.live {
            Some(given) => given.clone(),
            None => derive.buffer(buffer, &uses.of[id], uses.carried[id], warnings),
        })
        .collect()
}

/// Bytes of a buffer that are needed later: sorted, disjoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Need(Vec<ByteRange>);

impl Need {
    fn all(bytes: u64) -> Self {
        // A zero-sized buffer has one imaginary byte, so that its life is that of its value.
        Self(vec![ByteRange::new(0, bytes.max(1))])
    }

    fn any(&self) -> bool {
        !self.0.is_empty()
    }

    fn add(&mut self, range: ByteRange) {
        if range.is_empty() {
            return;
        }
        self.0.push(range);
        self.0.sort_unstable();
        let mut out: Vec<ByteRange> = Vec::with_capacity(self.0.len());
        for range in self.0.drain(..) {
            match out.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => out.push(range),
            }
        }
        self.0 = out;
    }

    fn remove(&mut self, gone: ByteRange) {
        let mut out = Vec::with_capacity(self.0.len() + 1);
        for range in self.0.drain(..) {
            let before = ByteRange::new(range.start, range.end.min(gone.start));
            let after = ByteRange::new(range.start.max(gone.end), range.end);
            out.extend([before, after].into_iter().filter(|r| !r.is_empty()));
        }
        self.0 = out;
    }

    fn join(&mut self, other: &Self) {
        for &range in &other.0 {
            self.add(range);
        }
    }
}

struct Derive<'a> {
    function: &'a Function,
    order: &'a Order,
    tree: &'a Tree,
}

/// A walk over the uses of one buffer.
struct Walk<'a> {
    derive: &'a Derive<'a>,
    size: u64,
    /// False where a write may mean another slot than a later read.
    kills: bool,
    segments: Vec<Live>,
}

impl Derive<'_> {
    fn buffer(
        &self,
        buffer: &Buffer,
        uses: &[Use],
        carried: bool,
        warnings: &mut Vec<Diagnostic>,
    ) -> Vec<Live> {
        let len = self.order.len;
        match buffer.class {
            LifetimeClass::Parameter
            | LifetimeClass::Constant
            | LifetimeClass::Persistent
            | LifetimeClass::ThreadLocal => return whole(len),
            LifetimeClass::Local | LifetimeClass::Output | LifetimeClass::Donated => {}
        }
        let mut out = Need::default();
        if buffer.class == LifetimeClass::Output {
            out = Need::all(buffer.size.0);
        }
        let mut walk = Walk {
            derive: self,
            size: buffer.size.0,
            kills: buffer.slots == 1 || !carried,
            segments: Vec::new(),
        };
        let before = walk.region(0, uses, &out, (0, len));
        let mut segments = walk.segments;
        let whole_loop = self.preload(uses).filter(|_| buffer.preload);
        segments.extend(whole_loop);
        if buffer.class == LifetimeClass::Donated {
            segments.push(Live::new(0, 1));
            return joined(segments, 0);
        }
        let first_write = self.first_write(uses);
        if before.any() && first_write.is_none_or(|w| uses.first().is_some_and(|u| u.step < w)) {
            let reader = uses.iter().find(|u| u.mode == AccessMode::Read);
            let d = Diagnostic::warning(
                Code::SpecReadBeforeWrite,
                format!("buffer `{}` is read before anything is written to it", buffer.name),
            );
            let op = reader.and_then(|u| self.function.ops[u.op].loc);
            warnings.push(d.maybe_at(op, "read here").maybe_at(buffer.loc, ""));
        }
        let touched = uses.first().map(|u| u.step);
        let starts = [first_write.or(Some(Step(0))), touched, whole_loop.map(|l| l.start)];
        let start = starts.into_iter().flatten().min().unwrap_or(Step(0));
        joined(segments, start.0)
    }

    /// The step from which the buffer may hold data: its first write, or the start of the
    /// outermost loop around a write that may run again.
    fn first_write(&self, uses: &[Use]) -> Option<Step> {
        let writes = uses.iter().filter(|u| replaces(u.mode));
        let starts = writes.map(|u| {
            let loops = &self.order.loops_of_op[u.op];
            let again = loops.iter().find(|&&l| self.function.loops[l].trips.may_repeat());
            again.map_or(u.step, |&l| self.order.loops[l].begin)
        });
        starts.min()
    }

    /// The innermost loop around all uses, whole.
    fn preload(&self, uses: &[Use]) -> Option<Live> {
        let common = self.order.common_loops(uses.iter().map(|u| u.op));
        let steps = self.order.loops[*common.last()?];
        Some(Live::new(steps.begin.0, steps.end.0 + 1))
    }
}

impl Walk<'_> {
    /// Walks a region backwards. `uses` are those inside it, `out` is needed after it, `span` are
    /// its steps `[first, past)`. Returns what is needed before it.
    fn region(&mut self, here: usize, uses: &[Use], out: &Need, span: (u64, u64)) -> Need {
        let mut need = out.clone();
        // Where the need that is open now ends.
        let mut end = span.1;
        let mut rest = uses;
        while let Some(last) = rest.last() {
            let child = self.derive.tree.towards(here, last.op);
            let open = need.any();
            if child == here {
                let step = last.step;
                let from = rest.partition_point(|u| u.step < step);
                self.op(&rest[from..], &mut need, &mut end);
                rest = &rest[..from];
                continue;
            }
            let (begin, past, first) = self.compound(child, rest);
            let inside = &rest[first..];
            if open {
                // From the end of the loop or branch to the next use.
                self.segments.push(Live::new(past - 1, end));
            }
            need = match self.derive.tree.kind[child] {
                Kind::Loop(_) => self.repeat(child, inside, &need, (begin, past)),
                Kind::Then(_) | Kind::Else(_) | Kind::Body => {
                    self.branch(child, inside, &need, begin)
                }
            };
            end = begin + 1;
            rest = &rest[..first];
        }
        if need.any() && span.0 < end {
            self.segments.push(Live::new(span.0, end));
        }
        need
    }

    /// The steps of the loop or branch that is `child`, and the first use inside it.
    fn compound(&self, child: usize, uses: &[Use]) -> (u64, u64, usize) {
        let order = self.derive.order;
        let steps = match self.derive.tree.kind[child] {
            Kind::Loop(id) => order.loops[id],
            Kind::Then(id) | Kind::Else(id) => order.branches[id],
            Kind::Body => crate::model::RegionSteps::default(),
        };
        let first = uses.partition_point(|u| u.step < steps.begin);
        (steps.begin.0, steps.end.0 + 1, first)
    }

    /// One op: its writes happen after its reads.
    fn op(&mut self, uses: &[Use], need: &mut Need, end: &mut u64) {
        let Some(step) = uses.first().map(|u| u.step.0) else { return };
        let open = need.any();
        for u in uses.iter().filter(|u| replaces(u.mode)) {
            if u.surely && self.kills {
                need.remove(self.bytes(u));
            }
        }
        if open && !need.any() {
            self.segments.push(Live::new(step, *end));
        }
        let after = need.any();
        for u in uses.iter().filter(|u| u.mode == AccessMode::Read) {
            need.add(self.bytes(u));
        }
        // Touched bytes are held at the step, needed later or not.
        if uses.iter().any(|u| u.mode != AccessMode::Fresh) {
            self.segments.push(Live::new(step, step + 1));
        }
        let needed = need.any();
        if !after && needed {
            *end = step + 1;
        }
        if uses.iter().any(|u| u.mode == AccessMode::Fresh) {
            if needed {
                self.segments.push(Live::new(step, *end));
            }
            *need = Need::default();
        }
    }

    fn bytes(&self, u: &Use) -> ByteRange {
        let all = ByteRange::new(0, self.size.max(1));
        match u.bytes {
            Some(part) if self.size > 0 => part,
            _ => all,
        }
    }

    fn repeat(&mut self, child: usize, uses: &[Use], out: &Need, span: (u64, u64)) -> Need {
        let Kind::Loop(id) = self.derive.tree.kind[child] else { return out.clone() };
        let trips = self.derive.function.loops[id].trips;
        let inside = (span.0 + 1, span.1 - 1);
        let held = self.segments.len();
        let mut need = self.region(child, uses, out, inside);
        if need.any() && trips.may_repeat() {
            // The value crosses the back edge, or came from outside: the whole loop.
            self.segments.truncate(held);
            self.segments.push(Live::new(span.0, span.1));
        }
        if trips.may_be_zero() {
            need.join(out);
        }
        if need.any() {
            self.segments.push(Live::new(span.0, span.0 + 1));
        }
        need
    }

    fn branch(&mut self, child: usize, uses: &[Use], out: &Need, begin: u64) -> Need {
        let tree = self.derive.tree;
        let (Kind::Then(id) | Kind::Else(id)) = tree.kind[child] else { return out.clone() };
        let steps = self.derive.order.branches[id];
        let (middle, end) = (steps.middle.0, steps.end.0);
        let split = uses.partition_point(|u| u.step.0 < middle);
        let (then, otherwise) = uses.split_at(split);
        let sides = tree.sides[id];
        let mut need = self.region(sides.0, then, out, (begin + 1, middle));
        let other = self.region(sides.1, otherwise, out, (middle + 1, end));
        // The way into the second side passes the step between the sides.
        if other.any() {
            self.segments.push(Live::new(middle, middle + 1));
        }
        need.join(&other);
        if need.any() {
            self.segments.push(Live::new(begin, begin + 1));
        }
        need
    }
}

/// True for a mode that puts something else in the place of the bytes.
fn replaces(mode: AccessMode) -> bool {
    matches!(mode, AccessMode::Write | AccessMode::Temporary)
}

fn whole(len: u64) -> Vec<Live> {
    // A function without ops still has a moment at which its parameters lie somewhere.
    vec![Live::new(0, len.max(1))]
}

/// Sorted and joined, without what lies before `start`.
fn joined(mut segments: Vec<Live>, start: u64) -> Vec<Live> {
    segments.sort_unstable();
    let mut out: Vec<Live> = Vec::new();
    for mut live in segments {
        live.start = live.start.max(Step(start));
        if live.start >= live.end {
            continue;
        }
        match out.last_mut() {
            Some(last) if live.start <= last.end => last.end = last.end.max(live.end),
            _ => out.push(live),
        }
    }
    out
}
