//! In which order buffers are placed (spec/xla-memory.md 8.4).

use super::groups::Group;
use crate::analyze::hlo::ValueId;

/// Who is placed first. The ids of the values decide between equals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SortOrder {
    /// The largest, then the longest alive.
    #[default]
    Spatial,
    /// The one whose group is alive longest from first to last, then the largest.
    Temporal,
    /// The one with the largest product of the group's size and the steps that it is alive.
    Area,
    /// The one whose group starts first, then the largest.
    PhaseWindow,
    /// The one whose group ends first, then the largest.
    PhaseWindowEnd,
}

/// What groups are compared by: the least goes first.
type Key = (i128, i128, ValueId);

impl SortOrder {
    /// The order's key of a group.
    fn key(self, group: &Group) -> Key {
        let root = group.root();
        let (start, end) = group.hull();
        let (start, end) = (i128::from(start), i128::from(end));
        let size = i128::from(group.own);
        let (first, second) = match self {
            Self::Spatial => (-size, -i128::from(root.end.saturating_sub(root.start))),
            Self::Temporal => (start - end, -size),
            Self::Area => {
                let alive: u64 = group.spans().iter().map(|(start, end)| end - start).sum();
                // Steps are indices of a list in memory: the product has room.
                (-i128::from(group.size) * i128::from(alive), 0)
            }
            Self::PhaseWindow => (start, -size),
            Self::PhaseWindowEnd => (end, -size),
        };
        (first, second, root.value)
    }

    /// The indices of the groups, who is placed first comes first.
    pub(super) fn sorted(self, groups: &[Group]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..groups.len()).collect();
        order.sort_by_cached_key(|&at| self.key(&groups[at]));
        order
    }
}
