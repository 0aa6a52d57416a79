//! Reports of earlier runs, read as baselines: `--format json` of `solve`, or of `verify`, which has the
//! kernels as they are.
//!
//! Unknown keys are skipped, an unknown major version is refused. What a report does not tell stays
//! unknown: a report of `solve` does not have the order of ops.

use serde::Deserialize;

use super::json_kernel::{self, level};
use crate::diag::{Code, Diagnostic, FileId, Loc, Sources};
use crate::model::{Kernel, KernelBuffer, KernelScope, Verdict};

/// The major version of reports that this memplan reads.
const MAJOR: &str = "1";

#[derive(Deserialize)]
struct Report {
    #[serde(default)]
    functions: Vec<Function>,
    kernels: Option<Vec<json_kernel::Kernel>>,
    #[serde(default)]
    owed: Vec<Owed>,
    #[serde(default)]
    timelines: Vec<Timeline>,
}

#[derive(Deserialize)]
struct Head {
    format_version: Option<String>,
    command: Option<String>,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    input: String,
    fingerprint: Option<String>,
    verdict: Option<String>,
    #[serde(default)]
    scopes: Vec<Scope>,
}

#[derive(Deserialize)]
struct Scope {
    name: String,
    usable: Option<u64>,
    peak: Option<u64>,
    max_load: Option<u64>,
    lower_bound: Option<u64>,
    verdict: Option<String>,
    reuse_cost: Option<u64>,
    #[serde(default)]
    buffers: Vec<json_kernel::Buffer>,
    reuse: Option<Vec<Reuse>>,
}

#[derive(Deserialize)]
struct Reuse {
    level: Option<String>,
    #[serde(default)]
    stall: bool,
}

#[derive(Deserialize)]
struct Owed {
    #[serde(default)]
    input: String,
    function: String,
    scope: String,
}

#[derive(Deserialize)]
struct Timeline {
    #[serde(default)]
    input: String,
    function: String,
    makespan: u64,
}

/// True for a text that is a report of memplan, of whatever version and command: other JSON is an input.
pub fn is_report(text: &str) -> bool {
    serde_json::from_str::<Head>(text)
        .is_ok_and(|head| head.format_version.is_some() && head.command.is_some())
}

/// The kernels of a report, in its order. Their `input` is what the command line of that run said.
///
/// # Errors
/// `memplan::gate::baseline_syntax`: not JSON, not a report, a version or command that has no kernels.
pub fn read(sources: &Sources, file: FileId) -> Result<Vec<Kernel>, Diagnostic> {
    let text = sources.get(file).map_or("", |s| &s.text);
    let broken = |error: &serde_json::Error| {
        let at = offset(text, error.line(), error.column());
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        refuse(message).at(Loc { file, start: at, end: at.saturating_add(1) }, "")
    };
    let head: Head = serde_json::from_str(text).map_err(|e| broken(&e))?;
    let (Some(version), Some(command)) = (head.format_version, head.command) else {
        return Err(refuse("not a report of memplan: it has no `format_version` and `command`")
            .help("make one with `memplan verify INPUT... --format json`"));
    };
    if version.split('.').next() != Some(MAJOR) {
        return Err(refuse(format!("format version {version} is not one that this memplan reads"))
            .help(format!(
                "make the report again with this memplan, or read it with one that writes {MAJOR}.x"
            )));
    }
    let report: Report = serde_json::from_str(text).map_err(|e| broken(&e))?;
    match (command.as_str(), report.kernels) {
        (_, Some(kernels)) => Ok(kernels.into_iter().map(Into::into).collect()),
        ("solve", None) => {
            let (owed, timelines) = (report.owed, report.timelines);
            Ok(report.functions.into_iter().map(|f| kernel(f, &owed, &timelines)).collect())
        }
        (_, None) => Err(refuse(format!("a report of `memplan {command}` has no kernels"))
            .help("make one with `memplan verify INPUT... --format json`")),
    }
}

fn refuse(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::GateBaselineSyntax, message)
}

/// The byte of a line and column as serde counts them: both from 1, columns in bytes.
fn offset(text: &str, line: usize, column: usize) -> u32 {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let mut at = (before + column.saturating_sub(1)).min(text.len().saturating_sub(1));
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn kernel(function: Function, owed: &[Owed], timelines: &[Timeline]) -> Kernel {
    let here = |input: &str, name: &str| input == function.input && name == function.name;
    let mut all = timelines.iter().filter(|t| here(&t.input, &t.function));
    // Where functions of one name were replayed, whose edges are whose is not told.
    let timeline = all.next().filter(|_| all.next().is_none());
    let is_told = timeline.is_some() || !timelines.iter().any(|t| here(&t.input, &t.function));
    let scopes = function.scopes.into_iter().map(|s| {
        let of = |o: &&Owed| here(&o.input, &o.function) && o.scope == s.name;
        let edges = owed.iter().filter(of).count();
        scope(s, is_told.then_some(edges as u64))
    });
    Kernel {
        scopes: scopes.collect(),
        place: None,
        fingerprint: function.fingerprint,
        verdict: function.verdict.as_deref().and_then(Verdict::find),
        steps: None,
        makespan: timeline.map(|t| t.makespan),
        input: function.input.clone(),
        name: function.name.clone(),
    }
}

fn scope(scope: Scope, owed: Option<u64>) -> KernelScope {
    let verdict = scope.verdict.as_deref().and_then(Verdict::find);
    // Without a plan nothing is shared and nothing owed.
    let reuse = scope.reuse.filter(|_| scope.peak.is_some());
    let levels = reuse.iter().flatten().filter_map(|r| r.level.as_deref().and_then(level));
    KernelScope {
        usable: scope.usable,
        peak: scope.peak,
        max_load: scope.max_load,
        lower_bound: scope.lower_bound,
        verdict,
        level: levels.max(),
        stalls: reuse.as_ref().map(|all| all.iter().filter(|r| r.stall).count() as u64),
        reuse_cost: scope.reuse_cost.filter(|_| scope.peak.is_some()),
        owed: owed.filter(|_| scope.peak.is_some()),
        buffers: scope.buffers.into_iter().map(KernelBuffer::from).collect(),
        name: scope.name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ReuseLevel;

    fn read_text(text: &str) -> Result<Vec<Kernel>, Diagnostic> {
        let mut sources = Sources::default();
        let file = sources.add("old.json", text);
        read(&sources, file)
    }

    #[test]
    fn a_report_of_solve_is_a_baseline() {
        let text = r#"{"format_version": "1.9", "command": "solve", "verdict": "optimal", "new": [1],
            "functions": [{"name": "k", "input": "a.toml", "fingerprint": "ab", "verdict": "optimal",
              "scopes": [{"name": "ub", "usable": 64, "peak": 32, "max_load": 32, "lower_bound": 32,
                "verdict": "optimal", "reuse_cost": 5, "level": "slot",
                "buffers": [{"id": 0, "name": "x", "size": 32, "slots": 1, "offsets": [0],
                             "live": [[0, 2]], "loc": "a.toml:1:1"}],
                "reuse": [{"level": "pipe", "stall": false}, {"level": "loop", "stall": true}]}]}],
            "owed": [{"input": "a.toml", "function": "k", "scope": "ub"},
                     {"input": "a.toml", "function": "other", "scope": "ub"}],
            "timelines": [{"input": "a.toml", "function": "k", "makespan": 99}]}"#;
        let kernels = read_text(text).expect("a baseline");
        let [kernel] = &kernels[..] else { panic!("{kernels:?}") };
        let scope = &kernel.scopes[0];
        assert_eq!(kernel.makespan, Some(99));
        assert_eq!(scope.level, Some(ReuseLevel::Loop));
        assert_eq!((scope.stalls, scope.owed, scope.reuse_cost), (Some(1), Some(1), Some(5)));
        assert_eq!(scope.buffers[0].live, Some(vec![[0, 2]]));
    }

    #[test]
    fn kernels_come_back_as_they_were() {
        let kernel = Kernel {
            input: "a.mlir".to_owned(),
            name: "k".to_owned(),
            verdict: Some(Verdict::Feasible),
            steps: Some(vec!["load".to_owned()]),
            scopes: vec![KernelScope {
                name: "ub".to_owned(),
                level: Some(ReuseLevel::Slot),
                buffers: vec![KernelBuffer { size: Some(u64::MAX), ..KernelBuffer::default() }],
                ..KernelScope::default()
            }],
            ..Kernel::default()
        };
        let json = serde_json::to_string(&json_kernel::Kernel::from(&kernel)).expect("JSON");
        let text = format!(
            r#"{{"format_version": "1.3", "command": "verify", "kernels": [{json}], "findings": []}}"#
        );
        assert!(is_report(&text));
        assert_eq!(read_text(&text), Ok(vec![kernel]));
    }

    #[test]
    fn what_is_no_report_is_refused_with_a_reason() {
        let refused = |text| read_text(text).expect_err("refused").message;
        assert!(refused("{").contains("EOF"));
        assert!(refused("{}").contains("not a report"));
        assert!(!is_report("{\"buffers\": []}"));
        let major = r#"{"format_version": "2.0", "command": "verify", "kernels": "changed"}"#;
        assert!(refused(major).contains("format version 2.0"));
        let other = r#"{"format_version": "1.0", "command": "explain"}"#;
        assert!(refused(other).contains("`memplan explain` has no kernels"));
    }

    quickcheck::quickcheck! {
        fn no_pieces_of_reports_make_it_panic(pieces: Vec<u8>) -> bool {
            const PIECES: [&str; 14] = [
                "{", "}", "[", "]", ",", "\"format_version\": \"1.0\"", "\"command\": \"solve\"",
                "\"functions\": ", "\"kernels\": ", "\"name\": \"\u{e9}\"", "\"scopes\": ", "-1", "\n", "\"peak\": 1e99",
            ];
            let text: String = pieces.iter().map(|n| PIECES[usize::from(n % 14)]).collect();
            let head = format!("{{\"format_version\": \"1.0\", \"command\": \"solve\", {text}");
            for text in [&text, &head] {
                let message = read_text(text).err().map(|error| error.message);
                assert_ne!(message.as_deref(), Some(""), "{text}");
            }
            true
        }
    }
}
