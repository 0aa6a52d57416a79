//! How to plan, from the command line.

use std::sync::Arc;

use super::args::PlanArgs;
use super::jobs;
use crate::diag::{Code, Diagnostic};
use crate::format::read::nearest;
use crate::plan::{Options, Strategy};

/// The options of the planner.
///
/// # Errors
/// A strategy that there is not; `option` is the name of the option that asked for it.
pub(super) fn options(args: &PlanArgs, option: &str, name: &str) -> Result<Options, Diagnostic> {
    Ok(Options {
        strategy: strategy(option, name)?,
        liveness: args.liveness.into(),
        level: args.level.map(Into::into),
        nodes: args.nodes,
        time: args.time,
        seed: args.seed,
        jobs: jobs::threads(args.jobs),
        cancel: Arc::default(),
        deadline: None,
        stopwatch: None,
        // A fault to see the fallback with: see `docs/DESIGN.md`.
        break_milp: std::env::var_os("MEMPLAN_FAULT").is_some_and(|f| f == "milp"),
    })
}

fn strategy(option: &str, name: &str) -> Result<Strategy, Diagnostic> {
    if let Some(strategy) = Strategy::find(name) {
        return Ok(strategy);
    }
    let names = Strategy::names();
    let error =
        |why: &str| Diagnostic::error(Code::ConfigBadOption, format!("`--{option} {name}` {why}"));
    let help = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the strategies are {}", names.join(", ")),
    };
    Err(error("is not a strategy").help(help))
}
