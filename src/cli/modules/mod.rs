//! The commands about HLO modules: `schedule`, `stats`, `convert`, `diff`.

mod convert;
mod diff;
mod facts;
mod schedule;
mod stats;
mod tell;

pub(super) use convert::run as convert;
pub(super) use diff::run as diff;
pub(super) use schedule::run as schedule;
pub(super) use stats::run as stats;
