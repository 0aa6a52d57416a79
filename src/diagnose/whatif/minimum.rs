//! The smallest capacity of a scope.

use crate::model::{Placement, Problem, ReuseLevel, ScopeId};
use crate::plan::{self, Options};

/// What is known about the smallest capacity of a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimum {
    /// The level that was asked about.
    pub level: ReuseLevel,
    /// The smallest capacity in bytes for which there is a plan.
    pub found: Option<u64>,
    /// No capacity below this works: a proof.
    pub bound: u64,
    /// The plan for [`Self::found`].
    pub placements: Vec<Placement>,
}

impl Minimum {
    /// True when no capacity below the one found works.
    pub fn proven(&self) -> bool {
        self.found == Some(self.bound)
    }
}

/// The smallest capacity of a scope of a function (by its index) at the level of the options.
///
/// # Errors
/// Why there is no such number, as a fragment.
pub fn min_capacity(
    problem: &Problem,
    index: usize,
    scope: ScopeId,
    options: &Options,
) -> Result<Minimum, String> {
    let smallest = plan::smallest(problem, index, scope, options)?;
    let plan::Smallest { found, placements, bound, .. } = smallest;
    let level = options.level.unwrap_or(ReuseLevel::Lifetime);
    Ok(Minimum { level, found, bound, placements })
}
