//! Loops, branches and other ops with regions.

use super::bound::Bound;
use super::lower::Lower;
use crate::diag::{Code, Diagnostic};
use crate::ir::mlir::{self, Attr, OpId};
use crate::model::{
    Branch, BranchId, BranchResult, Carry, Loop, LoopId, Node, Region, Trips, ValueId, ValueKind,
};

/// `scf.while` in the first region of a `scf.while`, at most: that region is lowered twice.
const MAX_NESTED_WHILE: usize = 8;

/// The place of a carried value among those of its loop, and what it is before the first trip.
struct Carried {
    place: u32,
    from: Option<Bound>,
}

impl Lower<'_> {
    fn begin_loop(&mut self, op: OpId, trips: Trips) -> LoopId {
        let ir = &self.ir.ops[op];
        let name = ir.results.first().map_or_else(
            || ir.name.clone(),
            |v| format!("{} %{}", ir.name, self.ir.values[*v].name),
        );
        let made = Loop {
            name,
            loc: Some(ir.loc),
            trips,
            carries: Vec::new(),
            body: Region::default(),
            parent: self.loops.last().copied(),
        };
        let id = self.out.loops.push(made);
        self.loops.push(id);
        id
    }

    fn end_loop(&mut self, id: LoopId, body: Region, nodes: &mut Vec<Node>) {
        self.out.loops[id].body = body;
        self.loops.pop();
        nodes.push(Node::Loop(id));
    }

    /// `scf.for`, and loops that look like it (`affine.for`).
    pub(super) fn for_loop(&mut self, op: OpId, nodes: &mut Vec<Node>) {
        let ir = &self.ir.ops[op];
        let (Some(&region), inits) = (ir.regions.first(), self.inits(op)) else { return };
        let Some(&block) = self.ir.regions[region].blocks.first() else { return };
        let args = self.ir.blocks[block].args.clone();
        let results = ir.results.clone();
        // The last arguments are the carried values, whatever stands before them.
        let args = args[args.len().saturating_sub(inits.len())..].to_vec();
        let id = self.begin_loop(op, self.trips(op));
        let yields = self.yields(block, inits.len());
        let mut carried: Vec<Option<Carried>> = Vec::new();
        for (arg, init) in args.iter().zip(&inits) {
            let planned = self.is_planned(self.ir.ty(*arg));
            let from = self.get(*init);
            carried.push(planned.then(|| self.carry(id, *arg, from)));
        }
        let body = self.region(region);
        for (k, carried) in carried.into_iter().enumerate() {
            let next = yields.get(k).and_then(|v| self.get(*v));
            self.leave(id, carried, next, results.get(k).copied());
        }
        self.end_loop(id, body, nodes);
    }

    /// Makes `name` a value that the loop carries, `from` before its first trip.
    fn carry(&mut self, id: LoopId, name: mlir::ValueId, from: Option<Bound>) -> Carried {
        let place = u32::try_from(self.out.loops[id].carries.len()).unwrap_or(u32::MAX);
        let value = self.named(name, ValueKind::Carry(id, place));
        let init = match from {
            Some(bound) => bound.value,
            // From outside: until the first yield it is not ours.
            None => self.named(name, ValueKind::Select(Vec::new())),
        };
        self.out.loops[id].carries.push(Carry { value, init, next: value, result: value });
        self.set(name, Some(self.either_of(name, value, [from, from])));
        Carried { place, from }
    }

    /// Says what a carried value is in the next trip, and what the loop leaves behind.
    fn leave(
        &mut self,
        id: LoopId,
        carried: Option<Carried>,
        next: Option<Bound>,
        result: Option<mlir::ValueId>,
    ) {
        let Some(Carried { place, from }) = carried else { return };
        if let Some(next) = next {
            self.out.loops[id].carries[place as usize].next = next.value;
        }
        if let Some(result) = result {
            let value = self.named(result, ValueKind::LoopResult(id, place));
            self.out.loops[id].carries[place as usize].result = value;
            self.set(result, Some(self.either_of(result, value, [from, next])));
        }
    }

    /// A name that stands for either of two memrefs.
    fn either_of(&self, name: mlir::ValueId, value: ValueId, of: [Option<Bound>; 2]) -> Bound {
        let maybe = of.iter().any(|b| b.is_none_or(|b| b.maybe));
        let dense = of.iter().all(|b| b.is_none_or(|b| b.dense));
        Bound { maybe, dense, ..Bound::whole(value, self.ir.ty(name)) }
    }

    /// The initial values of a loop's carried values.
    fn inits(&self, op: OpId) -> Vec<mlir::ValueId> {
        let ir = &self.ir.ops[op];
        let skip = if ir.name == "scf.for" {
            3
        } else {
            ir.operands.len() - ir.results.len().min(ir.operands.len())
        };
        ir.operands.iter().skip(skip).map(|o| o.value).collect()
    }

    /// What the terminator of a block yields: its last `count` operands.
    fn yields(&self, block: mlir::BlockId, count: usize) -> Vec<mlir::ValueId> {
        let last = self.ir.blocks[block].ops.last().map(|op| &self.ir.ops[*op]);
        let ends = |name: &str| {
            name.ends_with(".yield") || name.ends_with(".return") || name == "scf.condition"
        };
        let Some(last) = last.filter(|op| ends(&op.name)) else { return Vec::new() };
        let skip = last.operands.len().saturating_sub(count);
        last.operands[skip..].iter().map(|o| o.value).collect()
    }

    /// Trips of a `scf.for` with constant bounds; otherwise it may not run at all.
    fn trips(&self, op: OpId) -> Trips {
        let ir = &self.ir.ops[op];
        if ir.name != "scf.for" {
            return Trips::AtLeast(0);
        }
        let bound = |n: usize| ir.operands.get(n).and_then(|o| self.constant(o.value));
        match (bound(0), bound(1), bound(2)) {
            (Some(low), Some(high), Some(step)) if step > 0 => {
                let span = i128::from(high) - i128::from(low);
                let trips = if span <= 0 { 0 } else { (span - 1) / i128::from(step) + 1 };
                Trips::Known(u64::try_from(trips).unwrap_or(u64::MAX))
            }
            _ => Trips::AtLeast(0),
        }
    }

    /// The integer that a value is, if `arith.constant` or a cast of one defines it.
    pub(super) fn constant(&self, value: mlir::ValueId) -> Option<i64> {
        let mut next = value;
        for _ in 0..16 {
            let op = &self.ir.ops[self.ir.def_op(next)?];
            match op.name.as_str() {
                "arith.constant" => {
                    return match op.attrs.get("value")? {
                        Attr::Int(n) => Some(*n),
                        Attr::Bool(b) => Some(i64::from(*b)),
                        _ => None,
                    };
                }
                "arith.index_cast" | "arith.extsi" | "arith.extui" | "arith.trunci" => {
                    next = op.operands.first()?.value;
                }
                _ => return None,
            }
        }
        None
    }

    /// `scf.while`: its first region once, then a loop of the second and the first. What the
    /// condition passes on is what that loop carries.
    pub(super) fn while_loop(&mut self, op: OpId, nodes: &mut Vec<Node>) {
        let ir = &self.ir.ops[op];
        let &[before, after] = ir.regions.as_slice() else { return };
        let first = |region| self.ir.regions[region].blocks.first().copied();
        let (Some(head), Some(tail)) = (first(before), first(after)) else { return };
        if self.nested_while(op) > MAX_NESTED_WHILE {
            let message =
                format!("more than {MAX_NESTED_WHILE} `scf.while` in each other's first regions");
            let d = Diagnostic::error(Code::HivmNestingTooDeep, message).at(ir.loc, "");
            self.errors.push(d);
            return;
        }
        let inits: Vec<_> = ir.operands.iter().map(|o| self.get(o.value)).collect();
        let results = ir.results.clone();
        let (head_args, tail_args) =
            (self.ir.blocks[head].args.clone(), self.ir.blocks[tail].args.clone());
        for (arg, init) in head_args.iter().zip(&inits) {
            self.set(*arg, *init);
        }
        let once = self.region(before);
        nodes.extend(once.nodes);
        let passed = self.yields(head, tail_args.len().max(results.len()));
        let start: Vec<Option<Bound>> = passed.iter().map(|v| self.get(*v)).collect();
        let id = self.begin_loop(op, Trips::AtLeast(0));
        let mut carried: Vec<Option<Carried>> = Vec::new();
        for (k, from) in start.into_iter().enumerate() {
            let name = tail_args.get(k).or(results.get(k)).copied();
            let name = name.filter(|v| self.is_planned(self.ir.ty(*v)));
            carried.push(name.map(|name| self.carry(id, name, from)));
        }
        let mut body = self.region(after);
        let yielded = self.yields(tail, head_args.len());
        let again: Vec<_> = yielded.iter().map(|v| self.get(*v)).collect();
        for (arg, value) in head_args.iter().zip(again) {
            self.set(*arg, value);
        }
        body.nodes.extend(self.region(before).nodes);
        for (k, carried) in carried.into_iter().enumerate() {
            let next = self.get(passed[k]);
            self.leave(id, carried, next, results.get(k).copied());
        }
        self.end_loop(id, body, nodes);
    }

    /// How many `scf.while` hold an op in their first region, itself included.
    fn nested_while(&self, op: OpId) -> usize {
        let (mut count, mut here) = (1, op);
        while let Some(parent) = self.ir.parent(here) {
            let region = self.ir.blocks[self.ir.ops[here].block].region;
            let around = &self.ir.ops[parent];
            if around.name == "scf.while" && around.regions.first() == Some(&region) {
                count += 1;
            }
            here = parent;
        }
        count
    }

    /// `scf.if`.
    pub(super) fn branch(&mut self, op: OpId, nodes: &mut Vec<Node>) {
        let ir = &self.ir.ops[op];
        let results = ir.results.clone();
        let regions = ir.regions.clone();
        let id = self.begin_branch(op);
        let mut sides: Vec<Vec<Option<Bound>>> = Vec::new();
        let mut bodies: Vec<Region> = Vec::new();
        let mut made = [0..0, 0..0];
        for (&region, made) in regions.iter().zip(&mut made) {
            made.start = self.out.buffers.len();
            bodies.push(self.region(region));
            made.end = self.out.buffers.len();
            let last = self.ir.regions[region].blocks.last().copied();
            let yields = last.map_or_else(Vec::new, |b| self.yields(b, results.len()));
            sides.push(yields.iter().map(|v| self.get(*v)).collect());
        }
        let mut bodies = bodies.into_iter();
        self.out.branches[id].then = bodies.next().unwrap_or_default();
        self.out.branches[id].otherwise = bodies.next().unwrap_or_default();
        nodes.push(Node::Branch(id));
        let side = |n: usize, k: usize| sides.get(n).and_then(|s| s.get(k)).copied().flatten();
        for (k, &result) in results.iter().enumerate() {
            self.either(op, made.clone(), (side(0, k), side(1, k)));
            let joined = self.join(id, result, side(0, k), side(1, k));
            self.set(result, joined);
        }
    }

    pub(super) fn begin_branch(&mut self, op: OpId) -> BranchId {
        let ir = &self.ir.ops[op];
        self.out.branches.push(Branch {
            name: ir.name.clone(),
            loc: Some(ir.loc),
            results: Vec::new(),
            then: Region::default(),
            otherwise: Region::default(),
        })
    }

    /// The value that a branch leaves behind.
    pub(super) fn join(
        &mut self,
        id: BranchId,
        result: mlir::ValueId,
        then: Option<Bound>,
        otherwise: Option<Bound>,
    ) -> Option<Bound> {
        let ty = self.ir.ty(result).clone();
        match (then, otherwise) {
            (None, None) => None,
            (Some(a), Some(b)) if a == b => Some(a),
            (Some(a), Some(b)) => {
                let place = u32::try_from(self.out.branches[id].results.len()).unwrap_or(u32::MAX);
                let value: ValueId = self.named(result, ValueKind::BranchResult(id, place));
                let joined = BranchResult { value, then: a.value, otherwise: b.value };
                self.out.branches[id].results.push(joined);
                let (maybe, dense) = (a.maybe || b.maybe, a.dense && b.dense);
                Some(Bound { maybe, dense, ..Bound::whole(value, &ty) })
            }
            (Some(one), None) | (None, Some(one)) => {
                let value = self.named(result, ValueKind::Select(vec![one.value]));
                Some(Bound { maybe: true, dense: one.dense, ..Bound::whole(value, &ty) })
            }
        }
    }

    /// `scope.scope`: runs once, in place.
    pub(super) fn scope(&mut self, op: OpId, nodes: &mut Vec<Node>) {
        let ir = &self.ir.ops[op];
        let results = ir.results.clone();
        let Some(&region) = ir.regions.first() else { return };
        let body = self.region(region);
        nodes.extend(body.nodes);
        let last = self.ir.regions[region].blocks.last().copied();
        let yields = last.map_or_else(Vec::new, |b| self.yields(b, results.len()));
        for (result, value) in results.iter().zip(yields) {
            let bound = self.get(value);
            self.set(*result, bound);
        }
    }

    /// Any other op with regions: they may run any number of times, in any order.
    pub(super) fn any_regions(&mut self, op: OpId, nodes: &mut Vec<Node>) {
        let ir = &self.ir.ops[op];
        let regions = ir.regions.clone();
        let id = self.begin_loop(op, Trips::AtLeast(0));
        let mut body = Region::default();
        for region in regions {
            let inside = self.region(region);
            if inside.nodes.is_empty() {
                continue;
            }
            let branch = self.begin_branch(op);
            self.out.branches[branch].then = inside;
            body.nodes.push(Node::Branch(branch));
        }
        if body.nodes.is_empty() {
            self.loops.pop();
            // Nothing refers to it; the table keeps an empty loop.
            return;
        }
        self.end_loop(id, body, nodes);
    }
}
