//! Lines of a recipe, as a CI system runs them.

use std::path::Path;
use std::process::Command;

/// What came of them.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs lines in a folder: with `memplan` on the path, and without what the tester's environment says to it
/// or to git.
pub(crate) fn bash(folder: &Path, lines: &str, variables: &[(&str, &str)]) -> Done {
    let memplan = Path::new(env!("CARGO_BIN_EXE_memplan"));
    let mut path = memplan.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut command = Command::new("bash");
    // As GitHub's runner calls it.
    command.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", lines]);
    let names = std::env::vars_os().map(|(name, _)| name);
    for name in names.filter(|n| {
        let name = n.to_string_lossy();
        name.starts_with("MEMPLAN_") || name.starts_with("GIT_")
    }) {
        command.env_remove(name);
    }
    command.current_dir(folder).env("PATH", path).env("NO_COLOR", "1");
    for (name, value) in [
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_SYSTEM", "/dev/null"),
        ("GIT_AUTHOR_NAME", "a"),
        ("GIT_AUTHOR_EMAIL", "a@example.com"),
        ("GIT_COMMITTER_NAME", "a"),
        ("GIT_COMMITTER_EMAIL", "a@example.com"),
    ] {
        command.env(name, value);
    }
    let output = command.envs(variables.iter().copied()).output().expect("bash runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Done {
        code: output.status.code().unwrap_or(-1),
        out: text(&output.stdout),
        err: text(&output.stderr),
    }
}
