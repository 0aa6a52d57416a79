//! The reader of TOML specs (`docs/FORMATS.md`).

pub mod targets;

use super::Read;
use crate::diag::{Diagnostic, FileId, Sources};

/// Where targets come from: the embedded ones, and files beside the spec. Loading files is the
/// caller's work, so that this reader does no I/O.
pub trait Targets {
    /// The text of a target by name or path; `Err` says why there is none.
    fn load(&mut self, sources: &mut Sources, name: &str) -> Result<FileId, Diagnostic>;
}

/// Reads a spec. `target` overrides the spec's own `target` key.
///
/// # Errors
/// All errors of the spec at once.
pub fn read(
    sources: &mut Sources,
    file: FileId,
    target: Option<&str>,
    targets: &mut dyn Targets,
) -> Result<Read, Vec<Diagnostic>> {
    let _ = (sources, file, target, targets);
    Err(Vec::new())
}
