//! Who runs.

use super::external::External;
use crate::model::ReuseLevel;
use crate::plan::Strategy;

/// Whose facts an entry plans by, on HIVM text; elsewhere there is one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Facts {
    /// Ours.
    Own,
    /// Ours, and what the compiler's pass merges where the judge accepts it.
    Merged,
    /// Those of the pass.
    Pass,
}

/// Who plans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// One of ours.
    Strategy(Strategy),
    /// A planner from outside.
    External(External),
}

/// A planner, maybe kept from going below a level of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name in rows: `auto`, `first-fit`, `auto:pipe`, ..
    pub name: String,
    /// Who plans.
    pub who: Who,
    /// The lowest level that this entry may use, where it is not that of the whole run.
    pub level: Option<ReuseLevel>,
}

impl Entry {
    /// A strategy as it is.
    pub fn of(strategy: Strategy) -> Self {
        Self { name: strategy.name().to_owned(), who: Who::Strategy(strategy), level: None }
    }

    /// `auto` with a lowest level.
    pub fn at(level: ReuseLevel) -> Self {
        let who = Who::Strategy(Strategy::Auto);
        Self { name: format!("auto:{}", level.name()), who, level: Some(level) }
    }

    /// A planner from outside.
    pub fn outside(external: External) -> Self {
        Self { name: external.name.clone(), who: Who::External(external), level: None }
    }

    /// The strategy, where it is one of ours.
    pub fn strategy(&self) -> Option<Strategy> {
        match self.who {
            Who::Strategy(strategy) => Some(strategy),
            Who::External(_) => None,
        }
    }

    /// The planner from outside, where it is one.
    pub fn external(&self) -> Option<&External> {
        match &self.who {
            Who::Strategy(_) => None,
            Who::External(external) => Some(external),
        }
    }

    /// True for the pass's own plans, which the pass's own facts are behind.
    pub fn is_hivm(&self) -> bool {
        matches!(self.strategy(), Some(Strategy::Hivm { .. }))
    }

    /// Whose facts it plans by.
    pub(super) fn facts(&self, hivm_text: bool) -> Facts {
        match self.strategy() {
            Some(Strategy::Auto) if hivm_text => Facts::Merged,
            Some(Strategy::Hivm { .. }) if hivm_text => Facts::Pass,
            _ => Facts::Own,
        }
    }

    /// True for those that nobody may beat.
    pub fn leads(&self) -> bool {
        let leader = matches!(self.strategy(), Some(Strategy::Auto | Strategy::Optimal));
        leader && self.level.is_none()
    }
}
