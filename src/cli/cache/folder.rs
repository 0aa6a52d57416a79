//! The folder: whose it is, and what is dropped from it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The name that tools for backups look for (<https://bford.info/cachedir/>).
const TAG: &str = "CACHEDIR.TAG";

/// What they look for in it, and what we do.
const SIGNATURE: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# This is a cache of memplan.\n";

const README: &str = "\
This folder is a cache of `memplan verify --cache`: verdicts about inputs that have not changed since.
It may be deleted at any time; then they are judged again. It is of no use in a repository.
";

/// How much is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// What nobody has asked for in so long is dropped.
    unused: Duration,
    /// Bytes of all entries; the ones unused for longest are dropped first.
    bytes: u64,
    /// The folder is looked through at most once in so long.
    every: Duration,
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The limits of every cache.
pub(super) const LIMITS: Limits = Limits {
    unused: Duration::from_secs(30 * 24 * 60 * 60),
    bytes: 256 << 20,
    every: Duration::from_secs(60 * 60),
};

/// Makes the folder, or finds that it is ours.
///
/// # Errors
/// Why it cannot be used: not writable, or somebody else's. A fragment for a message.
pub(super) fn prepare(path: &Path) -> Result<(), String> {
    let failed = |error: io::Error| format!("`{}`: {error}", path.display());
    fs::create_dir_all(path).map_err(failed)?;
    match fs::read_to_string(path.join(TAG)) {
        Ok(text) if text == SIGNATURE => return Ok(()),
        Ok(text) if SIGNATURE.starts_with(&text) => {} // Another run is writing it, or was cut off.
        Ok(_) => return Err(format!("`{}` is the cache of another tool", path.display())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // What is in a folder that is not ours would be among our entries, and dropped like them.
            if fs::read_dir(path).map_err(failed)?.next().is_some() {
                return Err(format!("`{}` holds files that are no cache", path.display()));
            }
        }
        Err(error) => return Err(failed(error)),
    }
    fs::write(path.join(TAG), SIGNATURE).map_err(failed)?;
    // So that the cache is not committed.
    let ignored = write_new(&path.join(".gitignore"), "*\n");
    ignored.and_then(|()| write_new(&path.join("README"), README)).map_err(failed)
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    match File::create_new(path) {
        Ok(mut file) => file.write_all(text.as_bytes()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// An entry, or the rest of one that was being written.
#[derive(Debug)]
struct Old {
    used: SystemTime,
    bytes: u64,
    path: PathBuf,
    rest: bool,
}

/// Drops what is over the limits. Failures do no harm: the next run tries again.
pub(super) fn sweep(folder: &Path, now: SystemTime, limits: Limits) {
    let tag = folder.join(TAG);
    let age = |then: SystemTime| now.duration_since(then).unwrap_or_default();
    let swept = fs::metadata(&tag).and_then(|meta| meta.modified());
    let entries = match fs::read_dir(folder) {
        // A time that lies ahead is a clock that was wrong: look, so that it does not stay so.
        Ok(entries) if swept.is_ok_and(|then| then > now || age(then) >= limits.every) => entries,
        _ => return,
    };
    let mut all: Vec<Old> = entries.flatten().filter_map(|entry| old(&entry)).collect();
    // The newest first; names decide where times are the same.
    all.sort_by(|a, b| b.used.cmp(&a.used).then_with(|| a.path.cmp(&b.path)));
    let mut kept = 0u64;
    for one in all {
        let most = if one.rest { DAY } else { limits.unused };
        let fits = kept.saturating_add(one.bytes) <= limits.bytes;
        if age(one.used) <= most && fits {
            kept += one.bytes;
        } else {
            let _ = fs::remove_file(&one.path);
        }
    }
    let _ = File::options().write(true).open(&tag).and_then(|file| file.set_modified(now));
}

/// Nothing but what this memplan writes is ever dropped.
fn old(entry: &fs::DirEntry) -> Option<Old> {
    let name = entry.file_name().into_string().ok()?;
    let rest = name.starts_with(".memplan-");
    let key = name.len() == 64 && name.bytes().all(|b| b.is_ascii_hexdigit());
    let meta = entry.metadata().ok().filter(|meta| meta.is_file() && (key || rest))?;
    Some(Old { used: meta.modified().ok()?, bytes: meta.len(), path: entry.path(), rest })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(60 * 60);

    fn name(n: u8) -> String {
        format!("{n:02x}").repeat(32)
    }

    /// A cache with entries of 10 bytes, the n-th unused for n days.
    fn aged(days: u8) -> (tempfile::TempDir, SystemTime) {
        let folder = tempfile::tempdir().expect("a folder");
        let now = SystemTime::now() + 2 * HOUR;
        assert_eq!(prepare(folder.path()), Ok(()));
        for n in 0..days {
            let path = folder.path().join(name(n));
            fs::write(&path, "0123456789").expect("written");
            let file = File::options().write(true).open(&path).expect("opened");
            file.set_modified(now - DAY * u32::from(n)).expect("set");
        }
        (folder, now)
    }

    fn left(folder: &Path) -> Vec<u8> {
        (0..100).filter(|n| folder.join(name(*n)).exists()).collect()
    }

    #[test]
    fn what_is_unused_for_long_is_dropped() {
        let (folder, now) = aged(40);
        sweep(folder.path(), now, LIMITS);
        assert_eq!(left(folder.path()), (0..=30).collect::<Vec<_>>());
    }

    #[test]
    fn over_its_size_the_oldest_go_first() {
        let (folder, now) = aged(20);
        sweep(folder.path(), now, Limits { bytes: 55, ..LIMITS });
        assert_eq!(left(folder.path()), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn it_is_not_looked_through_all_the_time() {
        let (folder, now) = aged(40);
        sweep(folder.path(), now - HOUR - HOUR / 2, LIMITS);
        assert_eq!(left(folder.path()).len(), 40);
        sweep(folder.path(), now, LIMITS);
        sweep(folder.path(), now + HOUR / 2, Limits { bytes: 0, ..LIMITS });
        assert_eq!(left(folder.path()).len(), 31);
    }

    #[test]
    fn what_is_not_ours_stays() {
        let (folder, now) = aged(1);
        let others = ["notes.txt", "ABC", "README", ".gitignore"];
        for name in &others[..2] {
            fs::write(folder.path().join(name), "mine").expect("written");
        }
        fs::create_dir(folder.path().join(name(99))).expect("a folder");
        sweep(folder.path(), now + 400 * DAY, Limits { bytes: 0, ..LIMITS });
        assert_eq!(left(folder.path()), [99]);
        assert!(others.iter().all(|name| folder.path().join(name).exists()));
    }

    #[test]
    fn a_folder_of_something_else_is_not_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("kernel.toml"), "version = 1\n").expect("written");
        assert!(prepare(folder.path()).is_err());
        let tag = folder.path().join(TAG);
        fs::write(&tag, "Signature: 8a477f597d28d172789f06886806bc55\n# of cargo\n")
            .expect("written");
        assert!(prepare(folder.path()).is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("entries").count(), 2);
    }

    #[test]
    fn a_cache_that_was_cut_off_while_it_was_made_is_made_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(TAG), "").expect("written");
        assert_eq!(prepare(folder.path()), Ok(()));
        assert_eq!(fs::read_to_string(folder.path().join(TAG)).expect("text"), SIGNATURE);
    }
}
