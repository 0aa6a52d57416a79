//! A job of a GitHub workflow: as much of the runner as the recipe needs. What it does not know, it refuses.

use std::fmt;
use std::path::{Path, PathBuf};

use saphyr::Yaml;
use tempfile::TempDir;

use crate::bash::{Done, bash};
use crate::repository::Repository;
use crate::{read, text};

/// Why a workflow is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    PullRequest,
    Push,
}

/// A job after its last step.
pub(crate) struct Job {
    /// The checkout.
    pub(crate) folder: TempDir,
    /// The file of the summary.
    pub(crate) summary: PathBuf,
    steps: Vec<(String, Done)>,
    #[expect(dead_code, reason = "kept until the job has been looked at")]
    runner: TempDir,
}

impl Job {
    /// True when no step has failed.
    pub(crate) fn is_green(&self) -> bool {
        self.steps.iter().all(|(_, done)| done.code == 0)
    }

    /// The names of the steps that were run.
    pub(crate) fn ran(&self) -> Vec<&str> {
        self.steps.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Their exit codes.
    pub(crate) fn codes(&self) -> Vec<i32> {
        self.steps.iter().map(|(_, done)| done.code).collect()
    }

    /// What a step wrote to the log.
    pub(crate) fn said(&self, step: &str) -> &str {
        let found = self.steps.iter().find(|(name, _)| name == step);
        &found.unwrap_or_else(|| panic!("no step `{step}`")).1.out
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, done) in &self.steps {
            write!(f, "\n== {name}: {}\n{}{}", done.code, done.out, done.err)?;
        }
        Ok(())
    }
}

/// Runs the steps that are ours.
pub(crate) fn run(steps: &[Yaml<'_>], repository: &Repository, event: Event, shard: i64) -> Job {
    let (folder, runner) = (repository.checkout(), tempfile::tempdir().expect("a folder"));
    let at = |name: &str| runner.path().join(name);
    let (environment, summary) = (at("env"), at("summary"));
    let known = |expression: &str| match expression {
        "matrix.shard" => shard.to_string(),
        "github.event.pull_request.base.sha" => repository.base.clone(),
        other => panic!("what is `{other}`?"),
    };
    let mut job = Job { folder, summary: summary.clone(), steps: Vec::new(), runner };
    for step in steps {
        let Some(lines) = text(step, "run") else {
            assert!(text(step, "uses").is_some(), "a step that does nothing");
            continue;
        };
        let name = text(step, "name").expect("a name");
        if name == "Install memplan" || !wanted(text(step, "if"), event, job.is_green()) {
            continue;
        }
        let mut variables = vec![
            ("GITHUB_ENV".to_owned(), environment.display().to_string()),
            ("GITHUB_STEP_SUMMARY".to_owned(), summary.display().to_string()),
            ("RUNNER_TEMP".to_owned(), environment.parent().map(shown).unwrap_or_default()),
        ];
        let said = read(&environment);
        let said = said.lines().filter_map(|line| line.split_once('='));
        variables.extend(said.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let own = step.as_mapping_get("env").and_then(Yaml::as_mapping);
        for (name, value) in own.into_iter().flatten() {
            let (name, value) = (name.as_str().expect("a name"), value.as_str().expect("text"));
            variables.push((name.to_owned(), filled(value, &known)));
        }
        let variables: Vec<(&str, &str)> =
            variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let done = bash(job.folder.path(), &filled(lines, &known), &variables);
        job.steps.push((name.to_owned(), done));
    }
    job
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Whether a step is run.
fn wanted(condition: Option<&str>, event: Event, green: bool) -> bool {
    match condition {
        None => green,
        Some("always()") => true,
        Some("github.event_name == 'pull_request'") => green && event == Event::PullRequest,
        Some(other) => panic!("what is `{other}`?"),
    }
}

/// A text with its expressions filled in.
fn filled(text: &str, known: &dyn Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${{") {
        let (expression, after) = after.split_once("}}").expect("an expression");
        out.push_str(before);
        out.push_str(&known(expression.trim()));
        rest = after;
    }
    out + rest
}
