//! Running the command.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder that goes away.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    /// The path of a file in it.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Runs `memplan report` at the root of the project.
    pub(crate) fn report(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memplan"));
        command.arg("report").args(args).current_dir(root()).stdin(Stdio::null());
        for name in ["MEMPLAN_FORMAT", "MEMPLAN_MAX_INPUT", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        command.output().expect("memplan runs")
    }
}

/// The root of the project.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What a process has said.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Where screenshots are kept.
pub(crate) fn gallery() -> Option<PathBuf> {
    std::env::var_os("MEMPLAN_SCREENSHOTS").map(PathBuf::from)
}
