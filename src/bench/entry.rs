//! Who runs.

use crate::model::ReuseLevel;
use crate::plan::Strategy;

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

    /// True for those that nobody may beat.
    pub fn leads(&self) -> bool {
        self.level.is_none() && matches!(self.strategy, Strategy::Auto | Strategy::Optimal)
    }
}
