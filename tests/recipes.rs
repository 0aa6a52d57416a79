//! The recipes of docs/CI.md do what they say: their steps are run as the CI system would run them, in checkouts
//! of a small repository. What belongs to the CI system itself (`uses:`, installing) is left out.
#![cfg(unix)]

#[path = "recipes/bash.rs"]
mod bash;
#[path = "recipes/repository.rs"]
mod repository;
#[path = "recipes/workflow.rs"]
mod workflow;

use std::fs;
use std::path::Path;

use bash::bash;
use repository::Repository;
use saphyr::{LoadableYamlNode, Yaml};
use workflow::{Event, Job};

const WORKFLOW: &str = include_str!("../docs/ci/memplan.yml");
const GITLAB: &str = include_str!("../docs/ci/memplan.gitlab-ci.yml");
const HOOKS: &str = include_str!("../.pre-commit-hooks.yaml");

fn yaml(text: &'static str) -> Yaml<'static> {
    Yaml::load_from_str(text).expect("YAML").remove(0)
}

fn text<'a>(node: &'a Yaml<'_>, key: &str) -> Option<&'a str> {
    node.as_mapping_get(key).and_then(Yaml::as_str)
}

fn list<'a>(node: &'a Yaml<'_>, key: &str) -> &'a [Yaml<'a>] {
    let items = node.as_mapping_get(key).and_then(Yaml::as_sequence);
    items.unwrap_or_else(|| panic!("no list `{key}`"))
}

/// The four jobs of the workflow on one state of the repository.
fn jobs(repository: &Repository, event: Event) -> Vec<Job> {
    let workflow = yaml(WORKFLOW);
    let job = workflow.as_mapping_get("jobs").and_then(|jobs| jobs.as_mapping_get("memplan"));
    let job = job.expect("a job");
    let matrix = job.as_mapping_get("strategy").and_then(|s| s.as_mapping_get("matrix"));
    let shards = list(matrix.expect("a matrix"), "shard").iter().filter_map(Yaml::as_integer);
    shards.map(|shard| workflow::run(list(job, "steps"), repository, event, shard)).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn a_pull_request_that_changes_no_kernel_is_green() {
    let repository = Repository::new();
    repository.commit("README.md", "about\n");
    let jobs = jobs(&repository, Event::PullRequest);
    assert_eq!(jobs.len(), 4);
    for job in jobs {
        assert!(job.is_green(), "{job}");
        assert_eq!(
            job.ran(),
            ["Check out what kernels were", "Verify", "Summary", "Code scanning"]
        );
        assert!(!job.said("Verify").contains("::error"), "{job}");
    }
}

#[test]
fn a_push_needs_no_baseline() {
    let repository = Repository::new();
    for job in jobs(&repository, Event::Push) {
        assert!(job.is_green(), "{job}");
        assert_eq!(job.ran(), ["Verify", "Summary", "Code scanning"]);
    }
}

#[test]
fn a_kernel_that_grows_is_an_annotation_a_summary_and_an_alert_of_its_part() {
    let repository = Repository::new();
    repository.commit("kernels/b.toml", &repository::kernel("b", 2048));
    for (at, job) in jobs(&repository, Event::PullRequest).iter().enumerate() {
        // `b` is the second of the kernels.
        let its_part = at == 1;
        assert_eq!(!job.is_green(), its_part, "{job}");
        assert_eq!(job.ran().last(), Some(&"Code scanning"), "{job}");
        let annotated = job.said("Verify").contains("::error file=kernels/b.toml");
        assert_eq!(annotated, its_part, "{job}");
        assert_eq!(read(&job.summary).contains("kernels/b.toml"), its_part, "{job}");
        let sarif: serde_json::Value =
            serde_json::from_str(&read(&job.folder.path().join("memplan.sarif"))).expect("JSON");
        assert_eq!(sarif["version"], "2.1.0");
        let results = sarif["runs"][0]["results"].as_array().expect("results");
        let over = results.iter().any(|r| r["ruleId"] == "memplan::gate::over_budget");
        assert_eq!(over, its_part, "{job}");
    }
}

#[test]
fn a_change_that_is_meant_comes_with_its_budget() {
    let repository = Repository::new();
    repository.commit("kernels/b.toml", &repository::kernel("b", 2048));
    repository.update_budget();
    for job in jobs(&repository, Event::Push) {
        assert!(job.is_green(), "{job}");
    }
}

#[test]
fn a_kernel_that_cannot_be_read_fails_every_step_of_its_part() {
    let repository = Repository::new();
    repository.commit("kernels/b.toml", "version = 1\n[[bufer]]\n");
    let jobs = jobs(&repository, Event::Push);
    assert_eq!(jobs[1].codes(), [2, 1, 1], "{}", jobs[1]);
    assert!(jobs[0].is_green(), "{}", jobs[0]);
}

#[test]
fn the_job_of_gitlab_writes_a_report_of_tests() {
    let config = yaml(GITLAB);
    let job = config.as_mapping_get("memplan").expect("a job");
    let parts = job.as_mapping_get("parallel").and_then(Yaml::as_integer).expect("a number");
    let repository = Repository::new();
    repository.commit("kernels/b.toml", &repository::kernel("b", 2048));
    for part in 1..=parts {
        let folder = repository.checkout();
        let (part, parts) = (part.to_string(), parts.to_string());
        let variables = [("CI_NODE_INDEX", part.as_str()), ("CI_NODE_TOTAL", parts.as_str())];
        for line in list(job, "script") {
            let done = bash(folder.path(), line.as_str().expect("a line"), &variables);
            assert_eq!(done.code, i32::from(part == "2"), "part {part}: {done:?}");
        }
        let report = read(&folder.path().join("memplan.xml"));
        assert!(report.contains("<testsuite"), "{report}");
        assert_eq!(report.contains("<failure"), part == "2", "{report}");
    }
}

#[test]
fn the_hooks_of_pre_commit_pass_and_fail_with_the_kernels() {
    let hooks = yaml(HOOKS);
    for hook in hooks.as_sequence().expect("hooks") {
        for key in ["id", "name", "description", "language", "entry", "files"] {
            assert!(text(hook, key).is_some(), "no `{key}`");
        }
        let arguments: Vec<&str> = list(hook, "args").iter().filter_map(Yaml::as_str).collect();
        // pre-commit hands entry and arguments over without a shell; none of these words needs one.
        let command = format!("{} {}", text(hook, "entry").expect("an entry"), arguments.join(" "));
        let repository = Repository::new();
        let folder = repository.checkout();
        for run in ["the first time", "from the cache"] {
            let done = bash(folder.path(), &command, &[]);
            assert_eq!(done.code, 0, "{run}: {done:?}");
        }
        fs::write(folder.path().join("kernels/b.toml"), repository::kernel("b", 2048))
            .expect("written");
        let done = bash(folder.path(), &command, &[]);
        assert_eq!(done.code, 1, "{done:?}");
        assert!(done.out.contains("kernels/b.toml"), "{done:?}");
        // The cache is nothing to commit.
        let status = bash(folder.path(), "git status --porcelain", &[]);
        assert_eq!(status.out, " M kernels/b.toml\n");
    }
}
