//! Must-alias groups: values that must be the same bytes (spec/xla-memory.md 6).

use super::ValueId;
use crate::model::{IdVec, index};

index! {
    /// A must-alias group (XLA calls it a buffer); ids in the order of their smallest values.
    GroupId
}

/// The must-alias groups of a module: every value is in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    /// The values of each, by id.
    pub groups: IdVec<GroupId, Vec<ValueId>>,
    /// The group of each value.
    pub of: IdVec<ValueId, GroupId>,
    /// The largest size of its values.
    pub size: IdVec<GroupId, u64>,
    /// True when one of its values stands at the root of the entry, at any node.
    pub live_out: IdVec<GroupId, bool>,
}
