//! Entries by their keys.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
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

/// A folder of texts by key. Whatever goes wrong with it, the answer is only made again.
#[derive(Debug)]
pub(crate) struct Cache {
    /// The folder; none where it cannot be used.
    folder: Option<PathBuf>,
    trouble: Option<String>,
    build: Vec<u8>,
}

impl Cache {
    /// Opens a cache, made if it is not there, and drops what has not been used for long.
    pub(crate) fn open(path: &Path) -> Self {
        Self::of_build(path, build::identity())
    }

    fn of_build(path: &Path, build: Vec<u8>) -> Self {
        match folder::prepare(path) {
            Ok(()) => {
                folder::sweep(path, SystemTime::now(), folder::LIMITS);
                Self { folder: Some(path.to_owned()), trouble: None, build }
            }
            Err(why) => Self { folder: None, trouble: Some(why), build },
        }
    }

    /// Why nothing is remembered, for `-v`.
    pub(crate) fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The key of a text that follows from these parts, in this order, and from this memplan.
    pub(crate) fn key(&self, parts: &[&[u8]]) -> Key {
        let mut hash = Sha256::new();
        let fixed: [&[u8]; 3] = [&[FORMAT], env!("CARGO_PKG_VERSION").as_bytes(), &self.build];
        for part in fixed.iter().chain(parts) {
            // With its length before it, no two lists of parts are the same bytes.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Key(hex(&hash.finalize()))
    }

    /// The text of a key, if it is there and whole.
    pub(crate) fn get(&self, key: &Key) -> Option<String> {
        let mut file = File::open(self.folder.as_ref()?.join(&key.0)).ok()?;
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
        let Some(folder) = &self.folder else { return };
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
        Cache::of_build(&folder.join("cache"), vec![1, 2, 3])
    }

    fn nowhere(build: &[u8]) -> Cache {
        Cache { folder: None, trouble: None, build: build.to_owned() }
    }

    fn key_of(cache: &Cache, parts: &[Vec<u8>]) -> Key {
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        cache.key(&parts)
    }

    quickcheck! {
        fn what_was_put_is_what_one_gets(parts: Vec<Vec<u8>>, text: String, later: String) -> bool {
            let folder = tempfile::tempdir().expect("a folder");
            let cache = cache(folder.path());
            let key = key_of(&cache, &parts);
            let before = cache.get(&key);
            cache.put(&key, &text);
            let first = cache.get(&key);
            cache.put(&key, &later);
            (before, first, cache.get(&key)) == (None, Some(text), Some(later))
        }

        fn parts_do_not_run_into_each_other(a: Vec<Vec<u8>>, b: Vec<Vec<u8>>) -> bool {
            let cache = nowhere(b"");
            (a == b) == (key_of(&cache, &a) == key_of(&cache, &b))
        }

        fn a_border_between_parts_counts(part: Vec<u8>, at: usize) -> bool {
            let cache = nowhere(b"");
            let (left, right) = part.split_at(at % (part.len() + 1));
            let whole = key_of(&cache, std::slice::from_ref(&part));
            whole != key_of(&cache, &[left.to_owned(), right.to_owned()])
        }

        fn another_build_has_other_keys(parts: Vec<Vec<u8>>, a: Vec<u8>, b: Vec<u8>) -> bool {
            (a == b) == (key_of(&nowhere(&a), &parts) == key_of(&nowhere(&b), &parts))
        }
    }

    #[test]
    fn what_is_cut_off_or_changed_is_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = cache(folder.path());
        let key = cache.key(&[b"kernel", b"target"]);
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
        let (one, two) = (cache.key(&[b"1"]), cache.key(&[b"2"]));
        cache.put(&one, "text");
        let at = |key: &Key| folder.path().join("cache").join(key.to_string());
        fs::copy(at(&one), at(&two)).expect("copied");
        assert_eq!(cache.get(&two), None);
    }

    #[test]
    fn it_may_be_deleted_while_it_is_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = cache(folder.path());
        let key = cache.key(&[b"x"]);
        cache.put(&key, "text");
        fs::remove_dir_all(folder.path().join("cache")).expect("deleted");
        assert_eq!(cache.get(&key), None);
        cache.put(&key, "text");
        assert_eq!(cache.get(&key), None, "nobody makes the folder again within a run");
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
                    let key = cache.key(&[b"shared"]);
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
