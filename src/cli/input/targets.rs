//! Targets: those that memplan brings along, and files.

use std::path::PathBuf;

use super::bytes::{self, Codes};
use crate::cli::capacity;
use crate::diag::{Diagnostic, FileId, Sources};
use crate::front::spec::{Targets, targets};

/// Loads targets for one spec.
#[derive(Default)]
pub(super) struct Files<'a> {
    /// The folder that paths are relative to: the spec's, or the working one for `--target`.
    pub(super) folder: PathBuf,
    /// The limit of a file.
    pub(super) limit: u64,
    /// The values of `--capacity`, which are applied when the spec is read.
    pub(super) capacities: &'a [String],
    /// The profile asked for, instead of the input's.
    pub(super) profile: Option<String>,
}

impl Targets for Files<'_> {
    fn load(&mut self, sources: &mut Sources, name: &str) -> Result<FileId, Diagnostic> {
        if let Some(text) = targets::find(name) {
            return Ok(sources.add(format!("<target {name}>"), text));
        }
        let path = self.folder.join(name);
        let looks_like_a_path = name.contains(['/', '\\']) || name.ends_with(".toml");
        if !looks_like_a_path && !path.is_file() {
            return Err(targets::unknown(name));
        }
        bytes::read_file(&path, self.limit, Codes::SPEC, sources)
    }

    fn sets(&self, scope: &str) -> bool {
        capacity::sets(self.capacities, scope)
    }

    fn profile(&self) -> Option<&str> {
        self.profile.as_deref()
    }
}
