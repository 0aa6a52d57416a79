//! Reports for machines hold to their schemas: SARIF to that of OASIS, JUnit XML to that of Jenkins, our
//! JSON to our own. And whatever the format, the exit code is the same and stderr is silent.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Inputs of every kind: they fit, overflow, cannot be read, have strange names.
struct Inputs {
    folder: tempfile::TempDir,
}

const FITS: &str = "version = 1\nscope = [{ name = \"ub\", capacity = 1024 }]\n\n\
    [[buffer]]\nname = \"a\"\nsize = 512\nlive = [0, 2]\n\n\
    [[buffer]]\nname = \"b\"\nsize = 1024\nlive = [2, 4]\n";
const OVERFLOWS: &str = "version = 1\nscope = [{ name = \"ub\", capacity = 1024 }]\n\n\
    [[buffer]]\nname = \"tile\"\nsize = 1000\nslots = 2\nlive = [0, 3]\n";
const PINNED: &str = "version = 1\nscope = [{ name = \"ub\", capacity = 1024 }]\n\n\
    [[buffer]]\nname = \"a\"\nsize = 512\nlive = [0, 2]\npin = 0\n\n\
    [[buffer]]\nname = \"b|`,:\"\nsize = 512\nlive = [1, 4]\npin = 256\n";
const PLAN: &str = "version = 1\n\n[[function]]\nname = \"fits\"\n\n\
    [[buffer]]\nname = \"a\"\noffsets = [0]\n";
const BROKEN: &str =
    "version = 1\n\n[[buffer]]\nnam = \"é\\u001b[31m\"\nsize = 512\nlive = [0, 2]\n";

impl Inputs {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let inputs = Self { folder };
        inputs.write("fits.toml", FITS);
        inputs.write("overflows.toml", OVERFLOWS);
        inputs.write("pinned.toml", PINNED);
        inputs.write("brök,en: 1.toml", BROKEN);
        inputs.write("plan.toml", PLAN);
        inputs
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).expect("an input");
    }

    fn run(&self, format: &str, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memplan"));
        command.args(args).args(["--format", format]);
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        let own = std::env::vars_os().map(|(name, _)| name);
        for name in own.filter(|n| n.to_string_lossy().starts_with("MEMPLAN_")) {
            command.env_remove(name);
        }
        command.output().expect("memplan runs")
    }
}

/// The checkout, for the inputs of the project.
fn root(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path).display().to_string()
}

/// Command lines whose reports are for CI.
fn runs() -> Vec<Vec<String>> {
    let words = |line: &[&str]| line.iter().map(|w| (*w).to_owned()).collect::<Vec<String>>();
    let mut kernels: Vec<String> = words(&["solve"]);
    kernels.push(root("specs/kernels/document_overflow.mlir"));
    kernels.push(root("specs/kernels/error_read_before_write.mlir"));
    kernels.push(root("specs/examples/softmax.toml"));
    let traces = vec!["replay".to_owned(), root("specs/traces")];
    vec![
        words(&["solve", "fits.toml"]),
        words(&["solve", "./overflows.toml", "fits.toml", "brök,en: 1.toml", "gone.toml"]),
        words(&["solve", "fits.toml", "--emit", "plan"]),
        words(&["verify", "pinned.toml"]),
        words(&["verify", "pinned.toml", "fits.toml", "brök,en: 1.toml"]),
        words(&["verify", "fits.toml", "--plan", "plan.toml"]),
        words(&["verify", "fits.toml", "--plan", "gone.toml", "--deny", "warnings"]),
        kernels,
        traces,
        words(&["replay", "fits.toml"]),
        words(&["replay", "gone.toml"]),
    ]
}

fn each(format: &str, mut check: impl FnMut(&str, &str)) {
    let inputs = Inputs::new();
    for line in runs() {
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        let output = inputs.run(format, &words);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        check(&line.join(" "), &text);
    }
}

/// Complaints of a schema about a document.
fn complaints(schema: &jsonschema::Validator, document: &Value) -> Vec<String> {
    let errors = schema.iter_errors(document);
    errors.map(|e| format!("{}: {e}", e.instance_path())).collect()
}

fn validator(path: &str) -> jsonschema::Validator {
    // The published text has a bracket too many in the patterns of languages, which no regex may have.
    let text = std::fs::read_to_string(root(path)).expect("a schema");
    let text =
        text.replace("^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$", "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    let options = jsonschema::options().should_validate_formats(true);
    options.build(&schema).expect("a schema")
}

#[test]
fn every_sarif_log_is_valid_and_every_rule_helps() {
    let schema = validator("tests/ci_formats/sarif-schema-2.1.0.json");
    let mut results = 0;
    each("sarif", |line, text| {
        let log: Value =
            serde_json::from_str(text).unwrap_or_else(|e| panic!("{line}: {e}\n{text}"));
        let complaints = complaints(&schema, &log);
        assert!(complaints.is_empty(), "{line}: {complaints:#?}\n{text}");
        let rules = log.pointer("/runs/0/tool/driver/rules").and_then(Value::as_array);
        for rule in rules.expect("rules") {
            let help = rule.pointer("/help/markdown").and_then(Value::as_str).unwrap_or_default();
            assert!(help.contains("## What to do"), "{line}: {rule}");
        }
        results += log.pointer("/runs/0/results").and_then(Value::as_array).map_or(0, Vec::len);
    });
    assert!(results > 5, "{results} results");
}

#[test]
fn the_schema_of_sarif_refuses_what_is_wrong() {
    let schema = validator("tests/ci_formats/sarif-schema-2.1.0.json");
    let inputs = Inputs::new();
    let output = inputs.run("sarif", &["solve", "overflows.toml"]);
    let log: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let wrong = |pointer: &str, value: Value| {
        let mut log = log.clone();
        *log.pointer_mut(pointer).expect(pointer) = value;
        assert!(!complaints(&schema, &log).is_empty(), "{pointer}");
    };
    wrong("/version", Value::from("2.0.0"));
    wrong("/runs/0/results/0/level", Value::from("bad"));
    wrong("/runs/0/results/0/locations/0/physicalLocation/region/startLine", Value::from(0));
    wrong("/runs/0/results/0/ruleIndex", Value::from("one"));
}

#[test]
fn every_test_report_is_valid() {
    let there = Command::new("xmllint").arg("--version").output().is_ok();
    if !there {
        eprintln!(
            "SKIPPED: no xmllint; install libxml2-utils to hold JUnit XML against its schema"
        );
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut failures = 0;
    each("junit", |line, text| {
        let path: PathBuf = folder.path().join("report.xml");
        std::fs::write(&path, text).expect("a report");
        let schema = root("tests/ci_formats/junit-10.xsd");
        let lint =
            Command::new("xmllint").args(["--noout", "--schema", &schema]).arg(&path).output();
        let lint = lint.expect("xmllint runs");
        assert!(lint.status.success(), "{line}: {}\n{text}", String::from_utf8_lossy(&lint.stderr));
        failures += text.matches("<failure ").count() + text.matches("<error ").count();
    });
    assert!(failures > 5, "{failures} failures and errors");
}

/// The worst that a report for machines says, by the number of its cases that did not pass.
#[test]
fn no_report_for_ci_says_yes_where_the_exit_code_says_no() {
    let inputs = Inputs::new();
    for line in runs() {
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        let human = inputs.run("human", &words).status.code();
        // There the plan takes the place of the answer; a report has no such place.
        let emits = line.contains(&"--emit".to_owned());
        let expected = if emits { Some(2) } else { human };
        for format in ["json", "sarif", "junit", "github", "markdown"] {
            let output = inputs.run(format, &words);
            assert_eq!(output.status.code(), expected, "{line:?} {format}");
            let aside = String::from_utf8_lossy(&output.stderr);
            // What the compiler's own pass prints goes to stderr whatever the format.
            assert!(aside.is_empty(), "{line:?} {format}: {aside}");
        }
        let junit = String::from_utf8(inputs.run("junit", &words).stdout).expect("UTF-8");
        let refused = junit.contains("<failure ") || junit.contains("<error ");
        let undecided = junit.contains("<skipped ");
        match expected {
            Some(0) => assert!(!refused && !undecided, "{line:?}\n{junit}"),
            Some(3) => assert!(!refused && undecided, "{line:?}\n{junit}"),
            _ => assert!(refused, "{line:?}\n{junit}"),
        }
        let github = String::from_utf8(inputs.run("github", &words).stdout).expect("UTF-8");
        let known = |l: &str| {
            ["memplan", "::error ", "::warning ", "::notice "].iter().any(|p| l.starts_with(p))
        };
        assert!(github.lines().all(known), "{line:?}\n{github}");
        assert!(expected == Some(0) || github.contains("::error "), "{line:?}\n{github}");
    }
}

#[test]
fn reports_repeat_byte_for_byte() {
    let inputs = Inputs::new();
    let line = ["solve", "overflows.toml", "fits.toml", "pinned.toml", "brök,en: 1.toml"];
    for format in ["sarif", "junit", "github", "markdown"] {
        let first = inputs.run(format, &line).stdout;
        assert_eq!(first, inputs.run(format, &line).stdout, "{format}");
    }
}

#[test]
fn our_json_is_what_our_schema_says() {
    let schema = validator("specs/schema/report.schema.json");
    let inputs = Inputs::new();
    let (module, kernel) =
        (root("specs/hlo/offload.hlo"), root("specs/kernels/coupled_shared.mlir"));
    let budget = ["verify", "fits.toml", "--budget", "budget.toml", "--update-budget"];
    let mut lines: Vec<Vec<String>> = runs();
    let others: &[&[&str]] = &[
        &["inspect", "fits.toml"],
        &["inspect", &kernel],
        &["stats", &module],
        &["schedule", &module],
        &["convert", &module, "--pass", "all"],
        &["diff", "fits.toml", "overflows.toml"],
        &["bench", "fits.toml", "--strategies", "first-fit,best-fit"],
        &["what-if", "overflows.toml"],
        &["explain", "plan::overflow"],
        &budget,
        &["verify", "fits.toml", "--budget", "budget.toml", "--baseline", "overflows.toml"],
    ];
    lines.extend(others.iter().map(|line| line.iter().map(|w| (*w).to_owned()).collect()));
    for line in lines {
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        let output = inputs.run("json", &words);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| {
            panic!("{line:?}: {e}\n{}", String::from_utf8_lossy(&output.stderr))
        });
        let complaints = complaints(&schema, &report);
        assert!(complaints.is_empty(), "{line:?}: {complaints:#?}");
    }
}
