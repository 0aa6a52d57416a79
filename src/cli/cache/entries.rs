//! Entries by their keys.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use super::{build, folder};
use crate::cli::output;

/// The number of the format of keys and entries; another one finds nothing of before.
const FORMAT: u8 = 1;

/// The largest entry that is read back, in bytes.
const LARGEST: u64 = 64 << 20;

/// What an entry is about: a hash of all that its text follows from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(String);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The key of a text that follows from these parts, in this order, and from this memplan.
pub(crate) fn key(parts: &[&[u8]]) -> Key {
    static BUILD: OnceLock<Vec<u8>> = OnceLock::new();
    key_for(BUILD.get_or_init(build::identity), parts)
}

fn key_for(build: &[u8], parts: &[&[u8]]) -> Key {
    let mut hash = Sha256::new();
    let fixed: [&[u8]; 3] = [&[FORMAT], env!("CARGO_PKG_VERSION").as_bytes(), build];
    for part in fixed.iter().chain(parts) {
        // With its length before it, no two lists of parts are the same bytes.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    Key(hex(&hash.finalize()))
}

/// A folder of texts by key. Whatever goes wrong with it, the answer is only made again.
#[derive(Debug)]
pub(crate) struct Cache {
    /// The folder, or why it cannot be used.
    folder: Result<PathBuf, String>,
    found: AtomicUsize,
    missed: AtomicUsize,
}

impl Cache {
    /// Opens a cache, made if it is not there, and drops what has not been used for long.
    pub(crate) fn open(path: &Path) -> Self {
        let folder = folder::prepare(path).map(|()| path.to_owned());
        if let Ok(path) = &folder {
            folder::sweep(path, SystemTime::now(), folder::LIMITS);
        }
        Self { folder, found: AtomicUsize::new(0), missed: AtomicUsize::new(0) }
    }

    /// What was found so far, or why nothing is remembered; for `-v`.
    pub(crate) fn told(&self) -> String {
        let count = |n: &AtomicUsize| n.load(Ordering::Relaxed);
        let (found, missed) = (count(&self.found), count(&self.missed));
        match &self.folder {
            Ok(path) => {
                let of = found + missed;
                format!("cache `{}`: {found} of {of} found", path.display())
            }
            Err(why) => format!("no cache: {why}"),
        }
    }

    /// The text of a key, if it is there and whole.
    pub(crate) fn get(&self, key: &Key) -> Option<String> {
        let text = self.read(key);
        let count = if text.is_some() { &self.found } else { &self.missed };
        count.fetch_add(1, Ordering::Relaxed);
        text
    }

    fn read(&self, key: &Key) -> Option<String> {
        let mut file = File::open(self.folder.as_ref().ok()?.join(&key.0)).ok()?;
        let mut entry = String::new();
        (&mut file).take(LARGEST).read_to_string(&mut entry).ok()?;
        let (head, text) = entry.split_once('\n')?;
        if head != self::head(key, text) {
            return None;
        }
        // Whoever is used is not dropped. A folder that is only read stays as it is.
        let _ = file.set_modified(SystemTime::now());
        Some(text.to_owned())
    }

    /// Remembers a text. What cannot be written is not remembered.
    pub(crate) fn put(&self, key: &Key, text: &str) {
        let Ok(folder) = &self.folder else { return };
        let entry = format!("{}\n{text}", head(key, text));
        let _ = output::write(&folder.join(&key.0), &entry);
    }
}

/// The first line of an entry: it holds for this key and this text only.
fn head(key: &Key, text: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(key.0.as_bytes());
    hash.update(text.as_bytes());
    format!("memplan-cache {FORMAT} {}", hex(&hash.finalize()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use quickcheck::quickcheck;

    use super::*;

    fn cache(folder: &Path) -> Cache {
        Cache::open(&folder.join("cache"))
    }

    fn of(build: &[u8], parts: &[Vec<u8>]) -> Key {
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        key_for(build, &parts)
    }

    quickcheck! {
        fn what_was_put_is_what_one_gets(parts: Vec<Vec<u8>>, text: String, later: String) -> bool {
            let folder = tempfile::tempdir().expect("a folder");
            let cache = cache(folder.path());
            let key = of(b"", &parts);
            let before = cache.get(&key);
            cache.put(&key, &text);
            let first = cache.get(&key);
            cache.put(&key, &later);
            (before, first, cache.get(&key)) == (None, Some(text), Some(later))
        }

        fn parts_do_not_run_into_each_other(a: Vec<Vec<u8>>, b: Vec<Vec<u8>>) -> bool {
            (a == b) == (of(b"", &a) == of(b"", &b))
        }

        fn a_border_between_parts_counts(part: Vec<u8>, at: usize) -> bool {
            let (left, right) = part.split_at(at % (part.len() + 1));
            let whole = of(b"", std::slice::from_ref(&part));
            whole != of(b"", &[left.to_owned(), right.to_owned()])
        }

        fn another_build_has_other_keys(parts: Vec<Vec<u8>>, a: Vec<u8>, b: Vec<u8>) -> bool {
            (a == b) == (of(&a, &parts) == of(&b, &parts))
        }
    }

    #[test]
    fn what_is_cut_off_or_changed_is_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = cache(folder.path());
        let key = key(&[b"kernel", b"target"]);
        let text = "accept\n{\"kernels\": []}\n";
        cache.put(&key, text);
        let path = folder.path().join("cache").join(key.to_string());
        let whole = fs::read(&path).expect("an entry");
        for len in 0..whole.len() {
            fs::write(&path, &whole[..len]).expect("written");
            assert_eq!(cache.get(&key), None, "cut off after {len} bytes");
        }
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x41;
            fs::write(&path, &bytes).expect("written");
            assert_eq!(cache.get(&key), None, "another byte at {at}");
        }
        cache.put(&key, text);
        assert_eq!(cache.get(&key).as_deref(), Some(text), "it is replaced");
    }

    #[test]
    fn an_entry_does_not_answer_for_another_key() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = cache(folder.path());
        let (one, two) = (key(&[b"1"]), key(&[b"2"]));
        cache.put(&one, "text");
        let at = |key: &Key| folder.path().join("cache").join(key.to_string());
        fs::copy(at(&one), at(&two)).expect("copied");
        assert_eq!(cache.get(&two), None);
    }

    #[test]
    fn it_may_be_deleted_while_it_is_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = cache(folder.path());
        let key = key(&[b"x"]);
        cache.put(&key, "text");
        fs::remove_dir_all(folder.path().join("cache")).expect("deleted");
        assert_eq!(cache.get(&key), None);
        cache.put(&key, "text");
        assert_eq!(cache.get(&key), None, "nobody makes the folder again within a run");
        assert!(cache.told().ends_with("0 of 2 found"), "{}", cache.told());
    }

    #[test]
    fn runs_side_by_side_see_whole_entries_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let texts: Vec<String> = (0..4).map(|n| n.to_string().repeat(20_000)).collect();
        std::thread::scope(|scope| {
            for text in &texts {
                let (folder, texts) = (folder.path(), &texts);
                scope.spawn(move || {
                    let cache = cache(folder);
                    let key = key(&[b"shared"]);
                    for _ in 0..50 {
                        cache.put(&key, text);
                        let got = cache.get(&key).expect("an entry");
                        assert!(texts.contains(&got), "torn: {} bytes", got.len());
                    }
                });
            }
        });
    }
}
