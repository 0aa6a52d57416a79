//! The reader of the public packing benchmarks: `id,lower,upper,size[,alignment][,offset]...`.

use super::Read;
use crate::diag::{Diagnostic, FileId, Sources};

/// Reads a CSV: one function named after the file, one scope `arena` without capacity.
///
/// # Errors
/// All errors of the file at once (at most 20).
pub fn read(sources: &Sources, file: FileId) -> Result<Read, Vec<Diagnostic>> {
    let _ = (sources, file);
    Err(Vec::new())
}
