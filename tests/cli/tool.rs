//! Running the command.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The command in a folder, apart from the environment of whoever tests.
pub(crate) fn memplan(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memplan"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    let ours = std::env::vars_os().map(|(name, _)| name);
    for name in ours.filter(|name| name.to_string_lossy().starts_with("MEMPLAN_")) {
        command.env_remove(name);
    }
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

/// Runs it to its end.
pub(crate) fn run(folder: &Path, args: &[&str]) -> Output {
    memplan(folder, args).output().expect("memplan runs")
}

/// Runs it with a text on standard input.
pub(crate) fn run_with(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut command = memplan(folder, args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("memplan runs");
    // memplan may stop reading early; that is for the test to judge.
    let _ = child.stdin.take().expect("stdin").write_all(input);
    child.wait_with_output().expect("memplan ends")
}

/// What it said on stdout.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What it said on stderr.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
