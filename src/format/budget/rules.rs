//! What a budget file says, as values.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::diag::{Place, Severity};
use crate::model::{Amount, Measure, ReuseLevel};

/// How bad too much is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Exit code 1.
    Error,
    /// Exit code 0 without `--deny warnings`.
    Warning,
    /// Told.
    Note,
    /// Not told.
    Ignore,
}

/// The lowest reuse level that a kernel may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LevelLimit {
    /// No two buffers share bytes.
    None,
    /// No pair that ties two pipes together.
    Pipe,
    /// And any pair that does not live in one common loop.
    Loop,
    /// And singles on the slots of multi-buffers.
    Slot,
    /// Live ranges disjoint: any.
    Lifetime,
}

/// Growth that is let pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// So many bytes, ticks, pairs or edges.
    Number(u64),
    /// So many hundredths of a percent of the number that it is added to.
    Share(u64),
}

/// A value for each measure that may have one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table<T>(BTreeMap<Measure, T>);

/// How each measure is judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// What too much is.
    pub severity: Table<Grade>,
    /// What is let pass.
    pub allow: Table<Allowance>,
}

/// What one kernel may take in one scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// The largest peak, in bytes.
    pub peak: Option<u64>,
    /// The lowest level.
    pub level: Option<LevelLimit>,
    /// The most stalling pairs.
    pub stalls: Option<u64>,
    /// The most owed edges.
    pub owed: Option<u64>,
}

/// What one kernel, or several of one pattern, may take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The input or a pattern; none for any.
    pub input: Option<String>,
    /// The function; none for any.
    pub function: Option<String>,
    /// What is otherwise for it.
    pub rules: Rules,
    /// Limits by scope.
    pub scopes: BTreeMap<String, Limit>,
    /// Where it is written.
    pub place: Option<Place>,
}

/// What is otherwise for baselines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Baseline {
    /// How measures are judged.
    pub rules: Rules,
    /// What a new kernel is.
    pub new: Grade,
    /// What a kernel is that is gone.
    pub gone: Grade,
}

/// A budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// What a kernel without an entry is.
    pub unlisted: Grade,
    /// What an entry without a kernel is.
    pub unused: Grade,
    /// How measures are judged.
    pub rules: Rules,
    /// What is otherwise for baselines.
    pub baseline: Baseline,
    /// What kernels may take, in the order of the file.
    pub entries: Vec<Entry>,
}

impl Grade {
    /// The severity; none for what is not told.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Note => Some(Severity::Note),
            Self::Ignore => None,
        }
    }
}

impl LevelLimit {
    /// The level as a value of its measure.
    pub fn amount(self) -> Amount {
        match self {
            Self::None => Amount::NothingShared,
            Self::Pipe => Amount::Level(ReuseLevel::Pipe),
            Self::Loop => Amount::Level(ReuseLevel::Loop),
            Self::Slot => Amount::Level(ReuseLevel::Slot),
            Self::Lifetime => Amount::Level(ReuseLevel::Lifetime),
        }
    }
}

impl Allowance {
    /// What is let pass on top of `of`, rounded down.
    pub fn on(self, of: u64) -> u64 {
        match self {
            Self::Number(n) => n,
            Self::Share(share) => {
                let growth = u128::from(of) * u128::from(share) / 10_000;
                u64::try_from(growth).unwrap_or(u64::MAX)
            }
        }
    }
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Copy> Table<T> {
    /// A table of what is there.
    pub fn new(rows: impl IntoIterator<Item = (Measure, Option<T>)>) -> Self {
        Self(rows.into_iter().filter_map(|(m, value)| Some((m, value?))).collect())
    }

    /// The value of a measure.
    pub fn get(&self, measure: Measure) -> Option<T> {
        self.0.get(&measure).copied()
    }
}

impl Rules {
    /// What too much of a measure is: an error where nobody says otherwise, but for those measures that
    /// are only shown.
    pub fn grade(&self, measure: Measure) -> Grade {
        let default = match measure {
            Measure::Verdict | Measure::Peak | Measure::Level | Measure::Stalls | Measure::Owed => {
                Grade::Error
            }
            _ => Grade::Ignore,
        };
        self.severity.get(measure).unwrap_or(default)
    }

    /// What is let pass on top of `of`.
    pub fn growth(&self, measure: Measure, of: u64) -> u64 {
        self.allow.get(measure).map_or(0, |allowance| allowance.on(of))
    }

    /// These rules, and where they say something those of `over`.
    #[must_use]
    pub fn under(&self, over: &Self) -> Self {
        let mut rules = self.clone();
        rules.severity.0.extend(&over.severity.0);
        rules.allow.0.extend(&over.allow.0);
        rules
    }
}

impl Default for Baseline {
    fn default() -> Self {
        Self { rules: Rules::default(), new: Grade::Note, gone: Grade::Warning }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            unlisted: Grade::Ignore,
            unused: Grade::Warning,
            rules: Rules::default(),
            baseline: Baseline::default(),
            entries: Vec::new(),
        }
    }
}

impl Entry {
    /// True when it may be for several inputs.
    pub fn is_pattern(&self) -> bool {
        self.input.as_deref().is_none_or(|input| input.contains(['*', '?']))
    }
}
