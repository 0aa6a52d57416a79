//! The corpus beside the repository, or in `MEMPLAN_SHARED`; it may not be copied into it.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The shared folder. `None` where there is none, which `MEMPLAN_REQUIRE_SHARED` makes a failure.
pub(crate) fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let given = std::env::var_os("MEMPLAN_SHARED").map(PathBuf::from);
    let near =
        || root.ancestors().map(|dir| dir.join("shared")).find(|dir| dir.join("corpus").is_dir());
    let found = given.or_else(near);
    let required = std::env::var_os("MEMPLAN_REQUIRE_SHARED").is_some();
    assert!(found.is_some() || !required, "no shared corpus: set MEMPLAN_SHARED");
    if found.is_none() {
        // Past the test runner's capture: a skip is meant to be seen.
        let _ = writeln!(std::io::stderr(), "SKIPPED for want of the shared corpus");
    }
    found
}
