//! Rows for tests.

use std::time::Duration;

use super::row::{Answered, Outcome, Row};
use crate::model::{Mode, ReuseLevel, Verdict};

/// A row of scope `ub`, as changed.
pub(super) fn row(entry: &str, change: impl FnOnce(&mut Answered)) -> Row {
    let mut answered = Answered {
        verdict: Verdict::Feasible,
        peak: Some(10),
        max_load: 8,
        lower_bound: 8,
        reuse_cost: 0,
        reuse_cost_bound: Some(0),
        stalls: Some(0),
        mode: Mode::Reuse,
        level: Some(ReuseLevel::Pipe),
        nodes: Some(1),
        limited_by: None,
        message: None,
        refuted: None,
        planning: Duration::from_millis(2),
        replay: Duration::from_millis(1),
    };
    change(&mut answered);
    Row {
        function: "f".to_owned(),
        scope: "ub".to_owned(),
        capacity: Some(16),
        buffers: 3,
        entry: entry.to_owned(),
        outcome: Outcome::Answered(Box::new(answered)),
    }
}

/// A change that takes the plan away.
pub(super) fn without_plan(answered: &mut Answered) {
    (answered.verdict, answered.peak) = (Verdict::NotFound, None);
}
