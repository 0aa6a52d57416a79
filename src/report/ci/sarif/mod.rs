//! SARIF 2.1.0 (OASIS), for code scanning.

mod results;
mod rules;
mod uri;

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::Code;
use crate::format::sarif::{
    Artifact, AutomationDetails, Base, Descriptor, Driver, Invocation, Log, Notification, Run,
    SCHEMA, Text, Tool,
};
use crate::model::Remark;
use crate::report::{ci, words};

/// What relative addresses are relative to.
const ROOT: &str = "%SRCROOT%";

/// The log.
pub(super) fn sarif(run: &ci::Run) -> String {
    let log = log(run);
    // Every key is a string, so this does not fail.
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn log(run: &ci::Run) -> Log {
    let (results, others): (Vec<&Remark>, Vec<&Remark>) =
        run.remarks().partition(|r| r.place.is_some() || !r.input.is_empty());
    let codes: BTreeSet<Code> = run.remarks().map(|r| r.code).collect();
    let codes: Vec<Code> = codes.into_iter().collect();
    let repository = env!("CARGO_PKG_REPOSITORY");
    let driver = Driver {
        name: env!("CARGO_PKG_NAME"),
        semantic_version: env!("CARGO_PKG_VERSION"),
        information_uri: Some(repository).filter(|r| !r.is_empty()),
        rules: codes.iter().map(|code| rules::rule(*code)).collect(),
    };
    let run = Run {
        tool: Tool { driver },
        automation_details: AutomationDetails { id: format!("memplan/{}/", run.command) },
        invocations: vec![invocation(run.exit, &others, &codes)],
        original_uri_base_ids: BTreeMap::from([(
            ROOT,
            Base { description: plain("the folder in which memplan was run") },
        )]),
        column_kind: "unicodeCodePoints",
        artifacts: artifacts(run),
        results: results::results(&results, &codes),
    };
    Log { schema: SCHEMA, version: "2.1.0", runs: vec![run] }
}

fn invocation(exit: u8, others: &[&Remark], codes: &[Code]) -> Invocation {
    let notification = |remark: &&Remark| Notification {
        descriptor: Descriptor { id: remark.code.name(), index: index(remark.code, codes) },
        level: words::severity(remark.severity),
        message: plain(&results::message(remark)),
    };
    Invocation {
        execution_successful: exit != 2,
        exit_code: exit,
        exit_code_description: match exit {
            0 => "yes",
            1 => "no",
            3 => "undecided",
            _ => "the question is broken",
        },
        tool_execution_notifications: others.iter().map(notification).collect(),
    }
}

/// The inputs, each once.
fn artifacts(run: &ci::Run) -> Vec<Artifact> {
    let cases = run.cases.iter().map(file);
    let general = run.general.iter().map(|r| r.input.as_str());
    let names: BTreeSet<&str> = cases.chain(general).filter(|name| !name.is_empty()).collect();
    let artifact =
        |name: &str| Artifact { location: uri::location(name), roles: vec!["analysisTarget"] };
    names.into_iter().map(artifact).collect()
}

/// Where a case stands: `diff` knows inputs by their names below two folders.
fn file(case: &ci::Case) -> &str {
    case.place.as_ref().map_or(&case.input, |place| &place.file)
}

/// The place of a code in the rules.
fn index(code: Code, codes: &[Code]) -> usize {
    codes.binary_search(&code).unwrap_or_default()
}

fn plain(text: &str) -> Text {
    Text { text: text.to_owned(), markdown: None }
}
