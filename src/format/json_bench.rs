//! The JSON body of `memplan bench`. Unlike other reports it has times in it.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// Strategies side by side.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Bench {
    /// What was asked for; runs with other settings cannot be compared.
    pub settings: Settings,
    /// Sums, one for each strategy in the order asked for, then one for each of `--levels`.
    pub strategies: Vec<Strategy>,
    /// One for each scope of each function of each input and strategy.
    pub rows: Vec<Row>,
    /// Scopes in which `auto` or `optimal` is behind another strategy.
    pub lost: Vec<Loss>,
    /// The comparison with `--baseline`; null without one.
    pub baseline: Option<Baseline>,
    /// What `--generate` wrote with `-o`; nothing is run then.
    pub written: Vec<Written>,
}

/// The verdict of a plan from outside that fails the check; it counts as `not-found`.
pub const WRONG: &str = "wrong";

/// An instance in a file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Written {
    /// The file, below the folder asked for.
    pub file: String,
    /// Buffers in it.
    pub buffers: usize,
    /// Bytes that are known to be enough; null where nothing is known.
    pub capacity: Option<u64>,
    /// The smallest peak, where it is known by construction.
    pub optimum: Option<u64>,
}

/// What a run was asked for, as far as answers depend on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Settings {
    /// `--nodes`; null for the default.
    pub nodes: Option<u64>,
    /// `--time` in seconds; null without.
    pub time: Option<Number>,
    /// `--seed`.
    pub seed: u64,
    /// `--level`; null without.
    pub level: Option<String>,
    /// `--liveness`: `strict` or `compat`.
    pub liveness: String,
    /// Each `--capacity`.
    pub capacity: Vec<String>,
    /// `--target`; null without.
    pub target: Option<String>,
    /// Each `--external`.
    #[serde(default)]
    pub external: Vec<String>,
}

/// Sums over the rows of one strategy.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Strategy {
    /// Its name in rows.
    pub strategy: String,
    /// Its own lowest level, for the rows of `--levels`; else null.
    pub level: Option<&'static str>,
    /// Scopes that it answered.
    pub scopes: usize,
    /// Scopes that it could not be asked about.
    pub skipped: usize,
    /// Scopes with a plan, right or wrong.
    pub fits: usize,
    /// Plans that the judge rejects.
    pub refuted: usize,
    /// Plans that are proven optimal.
    pub optimal: usize,
    /// Sum of the peaks of plans that the judge accepts.
    pub peak: u128,
    /// Sum of the lower bounds of the same scopes.
    pub lower_bound: u128,
    /// Stalling reuses in all plans; 0 for an `--external`, whose plans are not looked at for stalls.
    pub stalls: usize,
    /// Plans by level. A plan where levels do not apply is none of these.
    pub levels: Levels,
    /// The time of the planner over all scopes.
    pub seconds: Number,
    /// How far the peaks of plans that the judge accepts are above the lower bounds: the geometric mean
    /// of their ratios, less 1; null without a plan.
    pub mean_excess: Option<Number>,
    /// The largest of these ratios, less 1.
    pub worst_excess: Option<Number>,
    /// How many times faster than the first strategy: the geometric mean of the ratios of `seconds` over
    /// the scopes that both answered; null without one.
    pub speed: Option<Number>,
}

/// How many plans are at each level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Levels {
    /// Nothing shares bytes.
    pub sequential: usize,
    /// At level `pipe`.
    pub pipe: usize,
    /// At level `loop`.
    #[serde(rename = "loop")]
    pub in_loop: usize,
    /// At level `slot`.
    pub slot: usize,
    /// At level `lifetime`.
    pub lifetime: usize,
}

/// What one strategy made of one scope. A strategy that cannot be asked about an input has rows
/// too: without a verdict, and with the reason as `note`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Row {
    /// The input, as given on the command line.
    pub input: String,
    /// The function.
    pub function: String,
    /// The scope.
    pub scope: String,
    /// Its physical size in bytes; null where unbounded.
    pub capacity: Option<u64>,
    /// The smallest peak, where `--generate` knows it by construction; else null.
    pub optimum: Option<u64>,
    /// Buffers in it.
    pub buffers: usize,
    /// Largest sum of bytes alive at once.
    pub max_load: Option<u64>,
    /// The best bound on the peak at level `lifetime` that any strategy of this run has proven about the
    /// same question: with the same `max_load` and, on HIVM text, by the same facts (`auto` and
    /// `auto:LEVEL`, the strategies of the compiler's pass, and all others are apart there).
    pub lower_bound: Option<u64>,
    /// The strategy; `auto:LEVEL` for `auto` with that lowest level; the name of an `--external`.
    pub strategy: String,
    /// Largest end of a placed buffer; null without a plan.
    pub peak: Option<u64>,
    /// `peak - lower_bound`; null without a plan.
    pub excess: Option<u64>,
    /// Sum of the costs of stalling reuses; null without a plan.
    pub reuse_cost: Option<u64>,
    /// A proven bound on that sum at the level of the plan; null where nobody looks for one.
    pub reuse_cost_bound: Option<u64>,
    /// `optimal` (the peak meets `lower_bound`, whoever has proven it), `feasible`, `undecided`,
    /// `not-found`, `infeasible` or, from an `--external`, `wrong`: a plan that fails the check; null
    /// where the strategy cannot be asked about the input.
    pub verdict: Option<&'static str>,
    /// Search nodes opened; null where nobody tells.
    pub nodes: Option<u64>,
    /// The time of the planner alone: for this scope, and an equal share of the work that belongs to
    /// no scope. Of an `--external` the wall time of its process, start and files included.
    pub seconds: Option<Number>,
    /// `sequential` or `reuse`; null without a plan.
    pub mode: Option<&'static str>,
    /// `pipe`, `loop`, `slot` or `lifetime`; null where levels do not apply.
    pub level: Option<&'static str>,
    /// How many reuses stall; null without a plan.
    pub stalls: Option<usize>,
    /// True when there is a plan within the capacity, right or wrong.
    pub fits: bool,
    /// True when the judge, who replays every plan, rejects it.
    pub refuted: bool,
    /// `nodes`, `time` or `interrupt` when the search was ended early.
    pub limited_by: Option<&'static str>,
    /// The time to read the input, all of it.
    pub read_seconds: Number,
    /// The time from the start of the command to its first input: options, baseline.
    pub startup_seconds: Number,
    /// The time of the judge on all plans of the input; of an `--external`, of the checker.
    pub replay_seconds: Option<Number>,
    /// What the judge has against the plan, why there is none, or why nobody asked.
    pub note: Option<String>,
}

/// A scope in which `auto` or `optimal` is behind another strategy.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Loss {
    /// The input.
    pub input: String,
    /// The function.
    pub function: String,
    /// The scope.
    pub scope: String,
    /// Who lost.
    pub strategy: String,
    /// To whom.
    pub to: String,
    /// The loser's peak; null when it has no plan that the judge accepts.
    pub peak: Option<u64>,
    /// The winner's.
    pub their_peak: u64,
}

/// The comparison with an earlier run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Baseline {
    /// The file of the earlier run.
    pub file: String,
    /// Rows that both runs have.
    pub rows: usize,
    /// The settings that differ; unless there are none, nothing counts as worse.
    pub differ: Vec<&'static str>,
    /// The rows that changed.
    pub changes: Vec<Change>,
}

/// A row that changed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Change {
    /// The input.
    pub input: String,
    /// The function.
    pub function: String,
    /// The scope.
    pub scope: String,
    /// The strategy.
    pub strategy: String,
    /// What it said.
    pub before: Standing,
    /// What it says.
    pub after: Standing,
    /// `better`, `same` or `worse`.
    pub verdict: &'static str,
    /// `down`, `same` or `up`.
    pub peak: &'static str,
    /// `down`, `same` or `up`: the reuse cost.
    pub cost: &'static str,
    /// True when the verdict is worse, or one of peak and cost is up and the other not down.
    pub worse: bool,
}

/// What a row says, as far as it can get better or worse.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Standing {
    /// The verdict.
    pub verdict: Option<&'static str>,
    /// The peak.
    pub peak: Option<u64>,
    /// The reuse cost.
    pub reuse_cost: Option<u64>,
    /// True when the judge rejects the plan.
    pub refuted: bool,
}

/// An earlier report of `memplan bench`, as far as it is compared; other keys may stand beside.
#[derive(Debug, Deserialize)]
pub struct Earlier {
    /// `MAJOR.MINOR`.
    pub format_version: String,
    /// `bench`.
    pub command: String,
    /// What it was asked for.
    #[serde(default)]
    pub settings: Settings,
    /// Its rows.
    pub rows: Vec<EarlierRow>,
}

/// A row of an earlier report.
#[derive(Debug, Deserialize)]
pub struct EarlierRow {
    /// The input.
    pub input: String,
    /// The function.
    pub function: String,
    /// The scope.
    pub scope: String,
    /// The strategy.
    pub strategy: String,
    /// The verdict.
    pub verdict: Option<String>,
    /// The peak.
    pub peak: Option<u64>,
    /// The reuse cost.
    #[serde(default)]
    pub reuse_cost: Option<u64>,
    /// True when the judge rejects the plan.
    #[serde(default)]
    pub refuted: bool,
}

/// A time in seconds, to the microsecond.
pub fn seconds(time: Duration) -> Number {
    let text = format!("{}.{:06}", time.as_secs(), time.subsec_micros());
    text.parse().unwrap_or_else(|_| Number::from(time.as_secs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_numbers() {
        let text = |micros| seconds(Duration::from_micros(micros)).to_string();
        assert_eq!(text(1_250_000), "1.25");
        assert_eq!(text(42), "0.000042");
        assert_eq!(text(0), "0.0");
    }
}
