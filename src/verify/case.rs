//! One function with its plan, ready to be judged.

use std::collections::BTreeSet;

use super::groups::Groups;
use crate::diag::Loc;
use crate::model::{
    Buffer, BufferId, ByteRange, Function, IdVec, LoopId, Order, Problem, Relation, RelationKind,
    Scope,
};
use crate::runtime::program::{Home, Names};

/// Where a buffer lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    /// The offset of every slot; at least one.
    pub offsets: &'a [u64],
    /// Where the plan says it.
    pub loc: Option<Loc>,
}

/// A function, its placements as far as they make sense, and what every check asks.
pub(super) struct Case<'a> {
    pub problem: &'a Problem,
    pub function: &'a Function,
    pub order: Order,
    pub names: Names,
    pub homes: IdVec<BufferId, Home>,
    /// Bytes that one slot takes: its size, rounded up where the scope says so.
    pub sizes: IdVec<BufferId, u64>,
    /// None for a buffer without a usable place, which has a finding already.
    pub places: IdVec<BufferId, Option<Place<'a>>>,
    /// The loop that the slots rotate in; only for buffers with several offsets.
    pub rotates: IdVec<BufferId, Option<LoopId>>,
    pub groups: Groups,
    /// All buffers by name, then by id.
    pub by_name: Vec<BufferId>,
    /// Buffers whose name another one has too.
    pub repeated: BTreeSet<BufferId>,
    /// Relations by their buffers, for look-up; each twice, under either order.
    relations: Vec<(BufferId, BufferId, usize)>,
}

/// A slot on its bytes. `u128`, because an end may pass 2^64 in a plan that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub buffer: BufferId,
    pub slot: u32,
    pub start: u128,
    pub end: u128,
}

impl<'a> Case<'a> {
    pub(super) fn new(problem: &'a Problem, function: &'a Function) -> Self {
        let order = Order::of(function);
        let names = Names::of(function);
        let homes = crate::runtime::program::homes(function, &order, &names);
        let sizes = function.buffers.iter().map(|b| footprint(&problem.scopes[b.scope], b));
        let both = |at: usize, r: &Relation| [(r.first, r.second, at), (r.second, r.first, at)];
        let listed = function.relations.iter().enumerate();
        let mut relations: Vec<_> = listed.flat_map(|(at, r)| both(at, r)).collect();
        relations.sort_unstable();
        let by_name = function.by_name();
        let repeated = repeated(function, &by_name);
        Self {
            problem,
            function,
            order,
            names,
            homes,
            sizes: sizes.collect(),
            places: IdVec::filled(None, function.buffers.len()),
            rotates: IdVec::filled(None, function.buffers.len()),
            groups: Groups::of(function),
            by_name,
            repeated,
            relations,
        }
    }

    pub(super) fn buffer(&self, id: BufferId) -> &'a Buffer {
        &self.function.buffers[id]
    }

    pub(super) fn scope(&self, id: BufferId) -> &'a Scope {
        &self.problem.scopes[self.buffer(id).scope]
    }

    /// The offsets of a buffer; none when it has no usable place.
    pub(super) fn offsets(&self, id: BufferId) -> &'a [u64] {
        self.places[id].map_or(&[], |place| place.offsets)
    }

    /// The slots of a buffer on their bytes; none for a zero-sized one, which takes no bytes.
    pub(super) fn slots(&self, id: BufferId) -> impl Iterator<Item = Slot> + use<'a> {
        let size = u128::from(self.sizes[id]);
        let offsets = if size == 0 { &[] } else { self.offsets(id) };
        offsets.iter().zip(0..).map(move |(&offset, slot)| {
            let start = u128::from(offset);
            Slot { buffer: id, slot, start, end: start + size }
        })
    }

    /// True when the buffer, if there is one, is the only one of this name.
    pub(super) fn alone_named(&self, id: BufferId, name: &str) -> bool {
        let buffer = self.function.buffers.get(id);
        buffer.is_some_and(|b| b.name == name) && !self.repeated.contains(&id)
    }

    /// The buffers of this name, by id.
    pub(super) fn named(&self, name: &str) -> &[BufferId] {
        let of = |id: &BufferId| self.function.buffers[*id].name.as_str();
        let from = self.by_name.partition_point(|id| of(id) < name);
        let to = from + self.by_name[from..].partition_point(|id| of(id) == name);
        &self.by_name[from..to]
    }

    /// The relations between two buffers, in the order written.
    pub(super) fn relations(
        &self,
        a: BufferId,
        b: BufferId,
    ) -> impl Iterator<Item = &'a Relation> + use<'a, '_> {
        let from = self.relations.partition_point(|&(x, y, _)| (x, y) < (a, b));
        let rest = self.relations.get(from..).unwrap_or_default();
        let own = rest.iter().take_while(move |&&(x, y, _)| (x, y) == (a, b));
        own.map(|&(_, _, at)| &self.function.relations[at])
    }

    /// True when `second` may take the bytes of `first` by an explicit relation.
    pub(super) fn inplace(&self, first: BufferId, second: BufferId) -> bool {
        let mut all = self.relations(first, second);
        all.any(|r| r.kind == RelationKind::Inplace && r.first == first)
    }

    /// True when `second` takes over the bytes of `first`.
    pub(super) fn handover(&self, first: BufferId, second: BufferId) -> bool {
        let mut all = self.relations(first, second);
        all.any(|r| r.kind == RelationKind::Handover && r.first == first)
    }

    /// True when the two are said never to be alive together.
    pub(super) fn exclusive(&self, a: BufferId, b: BufferId) -> bool {
        self.relations(a, b).any(|r| r.kind == RelationKind::Exclusive)
    }
}

impl Slot {
    /// The bytes that both slots hold.
    pub(super) fn overlap(self, other: Self) -> Option<ByteRange> {
        let both = bytes(self.start.max(other.start), self.end.min(other.end));
        (!both.is_empty()).then_some(both)
    }

    pub(super) fn bytes(self) -> ByteRange {
        bytes(self.start, self.end)
    }
}

fn repeated(function: &Function, by_name: &[BufferId]) -> BTreeSet<BufferId> {
    let name = |id: &BufferId| function.buffers[*id].name.as_str();
    let several = by_name.chunk_by(|a, b| name(a) == name(b)).filter(|ids| ids.len() > 1);
    several.flatten().copied().collect()
}

/// A byte range for a finding; what lies past 2^64 is cut.
pub(super) fn bytes(start: u128, end: u128) -> ByteRange {
    let cut = |n: u128| u64::try_from(n).unwrap_or(u64::MAX);
    ByteRange::new(cut(start), cut(end))
}

/// Bytes of one slot. A size that cannot be rounded up fits no memory; the largest number says so.
fn footprint(scope: &Scope, buffer: &Buffer) -> u64 {
    let size = buffer.size.0;
    if scope.round_up {
        size.checked_next_multiple_of(buffer.alignment.max(1)).unwrap_or(u64::MAX)
    } else {
        size
    }
}
