//! Where everything lies.

use crate::diag::Loc;

/// A plan: ours, or anybody's, to be verified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Plans of functions, in any order.
    pub functions: Vec<FunctionPlan>,
}

/// The plan of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionPlan {
    /// The function's name.
    pub name: String,
    /// The fingerprint of the function the plan was made for; none in plans written by hand.
    pub fingerprint: Option<String>,
    /// One for each buffer.
    pub placements: Vec<Placement>,
}

/// Where one buffer lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The buffer's name.
    pub name: String,
    /// The buffer's ordinal, where names repeat.
    pub id: Option<u32>,
    /// The scope, where the plan says it.
    pub scope: Option<String>,
    /// The offset of each slot in bytes. More offsets than the buffer has slots: it was promoted
    /// to a multi-buffer (level `slot`).
    pub offsets: Vec<u64>,
    /// Where the plan file says it.
    pub loc: Option<Loc>,
}
