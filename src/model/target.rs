//! What the silicon offers: scopes and pipes. Kept apart from what the program asks.

use super::ByteRange;
use crate::diag::Loc;

/// Where scopes and pipes came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetInfo {
    /// The name of the target file, such as `ascend910b`.
    pub name: String,
    /// The profile in force, if one was asked for.
    pub profile: Option<String>,
}

/// How many bytes a scope has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capacity {
    /// This many.
    Bytes(u64),
    /// As many as the plan needs: the answer is the size (a workspace).
    Unbounded,
    /// Nobody knows; a spec that uses the scope must say.
    Unknown,
}

/// A byte range of a scope that nobody may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// The bytes.
    pub range: ByteRange,
    /// Who holds them, where that is known.
    pub why: Option<String>,
}

/// A byte range of a scope that one owner may use, and nobody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The owner; buffers name it.
    pub owner: String,
    /// The bytes.
    pub range: ByteRange,
    /// Where it is written.
    pub loc: Option<Loc>,
}

/// A memory that buffers are placed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// `ub`, `l1`, `workspace:%arg0`, ...
    pub name: String,
    /// Physical size.
    pub capacity: Capacity,
    /// Default alignment of its buffers in bytes, at least 1.
    pub alignment: u64,
    /// True when sizes are rounded up to the alignment (all Ascend scopes).
    pub round_up: bool,
    /// Bytes that nobody may use: sorted, disjoint.
    pub reserved: Vec<Reserved>,
    /// Parts that belong to an owner: sorted, disjoint.
    pub partitions: Vec<Partition>,
    /// Where the numbers come from.
    pub source: Option<String>,
    /// Where the spec mentions it; none when only the target does.
    pub loc: Option<Loc>,
}

/// What a pipe does; decides who may share bytes at level `pipe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PipeKind {
    /// Moves data between memories; runs ahead of the others (MTE1 MTE2 MTE3 FIX).
    Dma,
    /// The vector unit (V).
    Vector,
    /// The matrix unit (M).
    Cube,
    /// The scalar unit (S).
    Scalar,
}

/// A queue of the core that runs its ops in order, beside the other queues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipe {
    /// `MTE2`, `V`, ...
    pub name: String,
    /// What it does.
    pub kind: PipeKind,
}

impl Scope {
    /// The capacity in bytes, if it is bounded and known.
    pub fn bytes(&self) -> Option<u64> {
        match self.capacity {
            Capacity::Bytes(bytes) => Some(bytes),
            Capacity::Unbounded | Capacity::Unknown => None,
        }
    }

    /// The capacity less the reserved bytes inside it.
    pub fn usable(&self) -> Option<u64> {
        let all = ByteRange::new(0, self.bytes()?);
        let taken = self.reserved.iter().filter_map(|r| r.range.overlap(all)).map(ByteRange::len);
        Some(all.len() - taken.sum::<u64>())
    }

    /// Bytes reserved at the very end: those that move with the end when the scope grows.
    pub fn reserved_at_end(&self) -> u64 {
        let Some(all) = self.bytes() else { return 0 };
        let mut end = all;
        // Sorted and disjoint: the last ones are met first.
        for reserved in self.reserved.iter().rev() {
            if reserved.range.end == end {
                end = reserved.range.start;
            }
        }
        all - end
    }

    /// Sets the capacity. In a larger memory what is reserved at the end stays at the end; in a smaller one
    /// reserved bytes stay where they are.
    pub fn resize(&mut self, bytes: u64) {
        if let Some(old) = self.bytes()
            && bytes > old
        {
            let from = old - self.reserved_at_end();
            for reserved in self.reserved.iter_mut().filter(|r| r.range.start >= from) {
                let range = reserved.range;
                reserved.range = ByteRange::new(
                    range.start.saturating_add(bytes - old),
                    range.end.saturating_add(bytes - old),
                );
            }
        }
        self.capacity = Capacity::Bytes(bytes);
    }

    /// The scope as if it had no end, without what is reserved there.
    pub fn endless(&self) -> Self {
        let mut scope = self.clone();
        if let Some(all) = self.bytes() {
            let from = all - self.reserved_at_end();
            scope.reserved.retain(|r| r.range.start < from);
        }
        scope.capacity = Capacity::Unbounded;
        scope
    }

    /// The capacity of a scope in which a plan of [`Self::endless`] with that peak fits.
    pub fn capacity_for(&self, peak: u64) -> u64 {
        let end = self.reserved_at_end();
        match self.bytes() {
            Some(all) if peak > all - end => peak.saturating_add(end),
            _ => peak,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(reserved: &[(u64, u64)]) -> Scope {
        let range = |&(start, end)| Reserved { range: ByteRange::new(start, end), why: None };
        Scope {
            name: "ub".to_owned(),
            capacity: Capacity::Bytes(100),
            alignment: 1,
            round_up: false,
            reserved: reserved.iter().map(range).collect(),
            partitions: Vec::new(),
            source: None,
            loc: None,
        }
    }

    #[test]
    fn what_is_reserved_at_the_end_moves_with_a_growing_end() {
        let mut s = scope(&[(10, 20), (80, 90), (90, 100)]);
        assert_eq!((s.reserved_at_end(), s.usable()), (20, Some(70)));
        assert_eq!((s.capacity_for(80), s.capacity_for(81)), (80, 101));
        assert_eq!(s.endless().reserved.len(), 1);
        s.resize(150);
        assert_eq!(s.reserved.iter().map(|r| r.range.start).collect::<Vec<_>>(), [10, 130, 140]);
        assert_eq!(s.usable(), Some(120));
    }

    #[test]
    fn a_smaller_scope_keeps_its_reserved_bytes_where_they_are() {
        let mut s = scope(&[(80, 100)]);
        s.resize(90);
        assert_eq!(s.usable(), Some(80));
        let mut none = scope(&[(10, 20)]);
        assert_eq!((none.reserved_at_end(), none.capacity_for(150)), (0, 150));
        none.resize(200);
        assert_eq!(none.usable(), Some(190));
    }
}
