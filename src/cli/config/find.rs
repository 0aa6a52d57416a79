//! Which file holds for which input.

use std::fs;
use std::path::{Path, PathBuf};

use crate::format::config::NAME;

/// Folders below an argument are looked through as deeply as its inputs are looked for.
const DEEPEST: usize = 64;

/// From this folder down, as it is written in the arguments, this file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) folder: PathBuf,
    /// The path of the file, as it is shown; none: no file.
    pub(super) file: Option<PathBuf>,
}

/// Where files begin to hold: for each argument, and below folders wherever it is another one.
pub(super) fn points(arguments: &[String]) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    for argument in arguments {
        let path = Path::new(argument);
        let (folder, deep) = match argument.as_str() {
            "-" => (PathBuf::new(), false),
            _ if path.is_dir() => (path.to_owned(), true),
            _ => (path.parent().map(Path::to_owned).unwrap_or_default(), false),
        };
        if points.iter().all(|point| point.folder != folder) {
            points.push(Point { file: upward(&folder), folder: folder.clone() });
        }
        if deep {
            below(&folder, 0, &mut points);
        }
    }
    points
}

/// The nearest file at or above a folder; a folder with `.git` is the last one that is looked at.
fn upward(folder: &Path) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // Of a folder that is not there, the input itself is complained about.
    let real = fs::canonicalize(folder).or_else(|_| std::path::absolute(folder)).ok()?;
    for folder in real.ancestors() {
        let file = folder.join(NAME);
        if file.is_file() {
            return Some(shown(&file));
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}

/// A path below the working folder is shown from there, so that messages are the same everywhere.
fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(fs::canonicalize);
    let inside = here.ok().and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    inside.unwrap_or_else(|| path.to_owned())
}

/// Folders below one in which another file holds, or none: those with a file or a repository of their own.
/// They are found as inputs are.
fn below(folder: &Path, depth: usize, points: &mut Vec<Point>) {
    if depth >= DEEPEST {
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    let inner = entries.flatten().filter(|entry| {
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        !hidden && entry.file_type().is_ok_and(|kind| kind.is_dir())
    });
    let mut inner: Vec<PathBuf> = inner.map(|entry| entry.path()).collect();
    inner.sort();
    for folder in inner {
        let turns = folder.join(NAME).is_file() || folder.join(".git").exists();
        if turns && points.iter().all(|point| point.folder != folder) {
            points.push(Point { file: upward(&folder), folder: folder.clone() });
        }
        below(&folder, depth + 1, points);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str], folders: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for folder in folders {
            fs::create_dir_all(root.path().join(folder)).expect("a folder");
        }
        for file in files {
            let file = root.path().join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, "").expect("a file");
        }
        root
    }

    fn found(root: &Path, arguments: &[&str]) -> Vec<(String, Option<String>)> {
        let real = fs::canonicalize(root).expect("a folder");
        let arguments: Vec<String> =
            arguments.iter().map(|a| root.join(a).display().to_string()).collect();
        let inside = |path: &Path| {
            let path = path.strip_prefix(root).or_else(|_| path.strip_prefix(&real));
            path.expect("inside").display().to_string()
        };
        let points = points(&arguments);
        points.iter().map(|p| (inside(&p.folder), p.file.as_deref().map(inside))).collect()
    }

    fn row(folder: &str, file: Option<&str>) -> (String, Option<String>) {
        (folder.to_owned(), file.map(str::to_owned))
    }

    #[test]
    fn the_nearest_file_holds_and_a_repository_is_the_end() {
        let root = tree(
            &[
                "memplan.toml",
                "r/.git/HEAD",
                "r/a/memplan.toml",
                "r/a/b/k.toml",
                "r/c/k.toml",
                "d/k.toml",
            ],
            &[],
        );
        let root = root.path();
        assert_eq!(found(root, &["r/a/b/k.toml"]), [row("r/a/b", Some("r/a/memplan.toml"))]);
        assert_eq!(found(root, &["r/c/k.toml"]), [row("r/c", None)]);
        assert_eq!(found(root, &["d/k.toml", "d"]), [row("d", Some("memplan.toml"))]);
        fs::write(root.join("r/memplan.toml"), "").expect("a file");
        assert_eq!(found(root, &["r/c/k.toml"]), [row("r/c", Some("r/memplan.toml"))]);
    }

    #[test]
    fn below_a_folder_files_and_repositories_turn_the_page() {
        let root = tree(
            &[
                "memplan.toml",
                "k/memplan.toml",
                "k/a/b/memplan.toml",
                "k/.h/memplan.toml",
                "k/sub/.git",
            ],
            &["k/c/d"],
        );
        let expected = [
            row("k", Some("k/memplan.toml")),
            row("k/a/b", Some("k/a/b/memplan.toml")),
            row("k/sub", None),
        ];
        assert_eq!(found(root.path(), &["k"]), expected);
    }

    #[test]
    fn paths_with_dots_are_walked_up_as_they_really_lie() {
        let root = tree(&["a/memplan.toml", "b/k.toml"], &[]);
        let (_, file) = &found(root.path(), &["a/../b/k.toml"])[0];
        assert_eq!(*file, None, "`a` is on the way, but not above");
    }

    #[test]
    fn an_input_that_is_not_there_has_the_file_above_all_the_same() {
        let root = tree(&["a/memplan.toml"], &[]);
        let found = found(root.path(), &["a/none.toml"]);
        assert_eq!(found, [row("a", Some("a/memplan.toml"))]);
    }
}
