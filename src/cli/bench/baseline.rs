//! `--baseline`: an earlier report, read and compared.

use std::cmp::Ordering;
use std::path::Path;

use crate::bench::{self, Change, Key, Standing};
use crate::cli::input::{self, Codes};
use crate::diag::{Code, Diagnostic, Sources};
use crate::format::json_bench::{self as json, Baseline, Settings, WRONG};
use crate::model::Verdict;

/// An earlier report.
pub(super) struct Earlier {
    file: String,
    settings: Settings,
    rows: Vec<(Key, Standing)>,
}

/// Reads an earlier report.
///
/// # Errors
/// A file that cannot be read, or is something else.
pub(super) fn read(path: &Path, limit: u64) -> Result<Earlier, Diagnostic> {
    let file = path.display().to_string();
    let mut sources = Sources::default();
    let text = input::read_file(path, limit, Codes::PLAN, &mut sources)?;
    let text = sources.get(text).map_or("", |s| &s.text);
    let error = |why: String| {
        let message = format!("`{file}` is no report of `memplan bench`: {why}");
        Diagnostic::error(Code::ConfigBadOption, message)
            .help("make one with `memplan bench PATH --format json > FILE`")
    };
    let read: json::Earlier = serde_json::from_str(text).map_err(|e| error(e.to_string()))?;
    if read.command != "bench" {
        return Err(error(format!("it is one of `memplan {}`", read.command)));
    }
    if read.format_version.split('.').next() != Some("1") {
        return Err(error(format!("its format version is {}", read.format_version)));
    }
    let rows: Result<Vec<_>, _> = read.rows.into_iter().map(row).collect();
    Ok(Earlier { rows: rows.map_err(error)?, settings: read.settings, file })
}

fn row(row: json::EarlierRow) -> Result<(Key, Standing), String> {
    let verdict = match &row.verdict {
        // A planner from outside has no plan then.
        Some(word) if word == WRONG => Some(Verdict::NotFound),
        Some(word) => {
            let found = Verdict::find(word);
            Some(found.ok_or_else(|| format!("there is no verdict `{word}`"))?)
        }
        None => None,
    };
    let (peak, cost, refuted) = (row.peak, row.reuse_cost, row.refuted);
    let standing = Standing { verdict, peak, cost, refuted };
    let (input, function, scope) = (row.input, row.function, row.scope);
    Ok((Key { input, function, scope, entry: row.strategy }, standing))
}

/// What changed since; the flag says whether anything counts as worse.
pub(super) fn compare(
    earlier: Earlier,
    settings: &Settings,
    rows: &[(Key, Standing)],
) -> (Baseline, bool) {
    let differ = differ(&earlier.settings, settings);
    let (both, changes) = bench::compare(&earlier.rows, rows);
    let worse = differ.is_empty() && changes.iter().any(Change::is_worse);
    let changes = changes.into_iter().map(change).collect();
    (Baseline { file: earlier.file, rows: both, differ, changes }, worse)
}

/// The options by which two runs differ.
fn differ(a: &Settings, b: &Settings) -> Vec<&'static str> {
    // A planner of one name must be one planner; others may come and go.
    let name = |text: &'_ str| text.split('=').next().map(str::to_owned);
    let other = |x: &String| b.external.iter().any(|y| x != y && name(x) == name(y));
    let all = [
        ("--external", !a.external.iter().any(other)),
        ("--nodes", a.nodes == b.nodes),
        ("--time", a.time == b.time),
        ("--seed", a.seed == b.seed),
        ("--level", a.level == b.level),
        ("--liveness", a.liveness == b.liveness),
        ("--capacity", a.capacity == b.capacity),
        ("--target", a.target == b.target),
    ];
    all.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect()
}

fn change(change: Change) -> json::Change {
    let verdict = match change.verdict() {
        Ordering::Less => "better",
        Ordering::Equal => "same",
        Ordering::Greater => "worse",
    };
    let way = |change: Ordering| match change {
        Ordering::Less => "down",
        Ordering::Equal => "same",
        Ordering::Greater => "up",
    };
    let (peak, cost, worse) = (way(change.peak()), way(change.cost()), change.is_worse());
    let word = |s: &Standing, verdict: Verdict| match (s.refuted, verdict.has_plan()) {
        (true, false) => WRONG,
        _ => verdict.name(),
    };
    let standing = |s: Standing| json::Standing {
        verdict: s.verdict.map(|verdict| word(&s, verdict)),
        peak: s.peak,
        reuse_cost: s.cost,
        refuted: s.refuted,
    };
    let (before, after) = (standing(change.before), standing(change.after));
    let Key { input, function, scope, entry } = change.key;
    json::Change {
        input,
        function,
        scope,
        strategy: entry,
        before,
        after,
        verdict,
        peak,
        cost,
        worse,
    }
}
