//! What changed between two states of a kernel, and what that did.

use super::{ReuseLevel, Verdict};
use crate::diag::Place;

/// Two states of one kernel, compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The input now, as given on the command line.
    pub input: String,
    /// The function now.
    pub function: String,
    /// The input and the function then, where one of them was called otherwise.
    pub was: Option<(String, String)>,
    /// Where the function is written now.
    pub place: Option<Place>,
    /// What changed.
    pub causes: Vec<Cause>,
    /// What that did: only what is not the same.
    pub effects: Vec<Effect>,
    /// Which buffers make the difference of the largest load, for each scope where it is another one and
    /// the numbers of both sides add up.
    pub shifts: Vec<LoadShift>,
    /// What could not be compared, and why; sentences without an end.
    pub unknown: Vec<String>,
    /// The reason in one line: `` `ub` peak 182,272 -> 196,608 B (+14,336): `acc` grew 32,768 -> 47,104 ``;
    /// empty where nothing changed.
    pub text: String,
}

/// A kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CauseKind {
    /// The bytes that may be used of a scope.
    Capacity,
    /// Sizes of buffers.
    Sizes,
    /// Numbers of slots.
    Slots,
    /// Live ranges, for another reason than the schedule.
    Live,
    /// What runs, or in which order; with the buffers whose live ranges follow.
    Schedule,
    /// Buffers that are new.
    Added,
    /// Buffers that are gone.
    Removed,
    /// Buffers that have another name and nothing else.
    Renamed,
    /// Buffers that lie in another scope.
    Scope,
    /// The fingerprint says that the problem changed, and none of the above did: alignment, pins,
    /// relations, accesses, pipes, the target.
    Problem,
    /// Where the buffers lie: told where nothing else changed, or nothing but the problem.
    Placement,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Its kind.
    pub kind: CauseKind,
    /// The buffers, largest effect first; at most [`Cause::LIMIT`].
    pub buffers: Vec<String>,
    /// How many more there are.
    pub more: usize,
    /// What changed, with numbers; a lower-case fragment.
    pub text: String,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// The verdict.
    Verdict,
    /// Largest end of a placed buffer.
    Peak,
    /// Peak less the best proven bound.
    Excess,
    /// The lowest level that a pair which shares bytes needs.
    Level,
    /// Pairs whose sharing makes one pipe wait for another.
    Stalls,
    /// The sum of their costs.
    ReuseCost,
    /// Sync edges that the placement makes necessary.
    Owed,
    /// The largest sum of bytes alive at once.
    MaxLoad,
    /// The best proven bound on the peak.
    LowerBound,
    /// The end of the last op.
    Makespan,
}

/// A value of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// There is none: no plan, so no peak.
    None,
    /// Bytes, ticks, a count.
    Number(u64),
    /// No two buffers share a byte: the strictest of levels.
    NothingShared,
    /// A level.
    Level(ReuseLevel),
    /// A verdict.
    Verdict(Verdict),
}

/// What a change did to one measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The scope; none for what is of the whole kernel.
    pub scope: Option<String>,
    /// The measure.
    pub measure: Measure,
    /// Its value then.
    pub old: Amount,
    /// Its value now.
    pub new: Amount,
}

/// Who makes the difference between two largest loads of a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadShift {
    /// The scope.
    pub scope: String,
    /// The largest load then.
    pub old: u64,
    /// The largest load now.
    pub new: u64,
    /// Where it occurs now: the name of the step, or its number.
    pub at: String,
    /// Buffers and what each takes more (or less) at that step than at the step of the old load,
    /// largest first; they add up to the difference.
    pub shares: Vec<(String, i128)>,
}

impl Cause {
    /// Buffers that one cause names at most.
    pub const LIMIT: usize = 8;
}

impl CauseKind {
    /// The word of reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Capacity => "capacity",
            Self::Sizes => "sizes",
            Self::Slots => "slots",
            Self::Live => "live-ranges",
            Self::Schedule => "schedule",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Renamed => "renamed",
            Self::Scope => "scope",
            Self::Problem => "problem",
            Self::Placement => "placement",
        }
    }
}

impl Measure {
    /// All measures in the order of reports.
    pub const ALL: [Self; 10] = [
        Self::Verdict,
        Self::Peak,
        Self::Excess,
        Self::Level,
        Self::Stalls,
        Self::ReuseCost,
        Self::Owed,
        Self::MaxLoad,
        Self::LowerBound,
        Self::Makespan,
    ];

    /// The word of reports and budgets.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verdict => "verdict",
            Self::Peak => "peak",
            Self::Excess => "excess",
            Self::Level => "level",
            Self::Stalls => "stalls",
            Self::ReuseCost => "reuse_cost",
            Self::Owed => "owed",
            Self::MaxLoad => "max_load",
            Self::LowerBound => "lower_bound",
            Self::Makespan => "makespan",
        }
    }

    /// True for measures in bytes.
    pub fn is_bytes(self) -> bool {
        matches!(self, Self::Peak | Self::Excess | Self::MaxLoad | Self::LowerBound)
    }
}

impl Amount {
    /// How bad it is among the values of its measure: greater is worse. No plan, so no number, is worse
    /// than any number.
    pub fn rank(self) -> u128 {
        match self {
            Self::NothingShared => 0,
            Self::Level(level) => 1 + level as u128,
            Self::Number(n) => n.into(),
            Self::Verdict(Verdict::Optimal | Verdict::Feasible) => 0,
            Self::Verdict(verdict) => 1 + verdict as u128,
            Self::None => u128::MAX,
        }
    }

    /// The value in a sentence: `196,608`, `pipe`, `nothing shared`, `none`.
    pub fn word(self) -> String {
        match self {
            Self::None => "none".to_owned(),
            Self::Number(n) => super::grouped(n.into()),
            Self::NothingShared => "nothing shared".to_owned(),
            Self::Level(level) => level.name().to_owned(),
            Self::Verdict(verdict) => verdict.name().to_owned(),
        }
    }
}

impl Effect {
    /// True when it got worse. Excess, load and bound are neither good nor bad by themselves.
    pub fn is_worse(&self) -> bool {
        let judged =
            !matches!(self.measure, Measure::Excess | Measure::MaxLoad | Measure::LowerBound);
        judged && self.new.rank() > self.old.rank()
    }

    /// The difference of two numbers.
    pub fn delta(&self) -> Option<i128> {
        match (self.old, self.new) {
            (Amount::Number(old), Amount::Number(new)) => Some(i128::from(new) - i128::from(old)),
            _ => None,
        }
    }
}

impl Comparison {
    /// True when nothing is to be told.
    pub fn is_silent(&self) -> bool {
        self.causes.is_empty() && self.effects.is_empty()
    }
}
