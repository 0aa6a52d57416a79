//! Which memplan this is: a verdict of another build is not taken over.

use std::path::Path;
use std::{fs, io};

use sha2::{Digest, Sha256};

/// Bytes that differ from build to build: a hash of this executable. Builds for developers are large and
/// slow to hash; there, its size and the time it was made.
pub(super) fn identity() -> Vec<u8> {
    let here = std::env::current_exe();
    let read =
        here.and_then(|path| if cfg!(debug_assertions) { stamp(&path) } else { hash(&path) });
    // Where the executable cannot be read, the version alone tells builds apart.
    read.unwrap_or_default()
}

fn stamp(path: &Path) -> io::Result<Vec<u8>> {
    let meta = fs::metadata(path)?;
    let made = meta.modified()?.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Ok([meta.len().to_le_bytes().as_slice(), &made.as_nanos().to_le_bytes()].concat())
}

fn hash(path: &Path) -> io::Result<Vec<u8>> {
    Ok(Sha256::digest(fs::read(path)?).to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_build_is_itself() {
        assert!(!identity().is_empty());
        assert_eq!(identity(), identity());
    }
}
