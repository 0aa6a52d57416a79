//! Who runs.

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

/// A strategy, maybe kept from going below a level of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name in rows: `auto`, `first-fit`, `auto:pipe`, ..
    pub name: String,
    /// The strategy.
    pub strategy: Strategy,
    /// The lowest level that this entry may use, where it is not that of the whole run.
    pub level: Option<ReuseLevel>,
}

impl Entry {
    /// A strategy as it is.
    pub fn of(strategy: Strategy) -> Self {
        Self { name: strategy.name().to_owned(), strategy, level: None }
    }

    /// `auto` with a lowest level.
    pub fn at(level: ReuseLevel) -> Self {
        let strategy = Strategy::Auto;
        Self { name: format!("auto:{}", level.name()), strategy, level: Some(level) }
    }

    /// True for the pass's own plans, which the pass's own facts are behind.
    pub fn is_hivm(&self) -> bool {
        matches!(self.strategy, Strategy::Hivm { .. })
    }

    /// Whose facts it plans by.
    pub(super) fn facts(&self, hivm_text: bool) -> Facts {
        match self.strategy {
            _ if !hivm_text => Facts::Own,
            Strategy::Auto => Facts::Merged,
            Strategy::Hivm { .. } => Facts::Pass,
            Strategy::Optimal | Strategy::Milp | Strategy::Heuristic(_) => Facts::Own,
        }
    }

    /// True for those that nobody may beat.
    pub fn leads(&self) -> bool {
        self.level.is_none() && matches!(self.strategy, Strategy::Auto | Strategy::Optimal)
    }
}
