//! Names of inputs that do not depend on where memplan is run, and patterns for them.

use std::path::{Component, Path, PathBuf};

/// Where a budget file stands: names in it are relative to its folder.
#[derive(Clone, Debug, Default)]
pub struct Base {
    here: PathBuf,
    folder: PathBuf,
}

impl Base {
    /// For a budget file in `folder`, seen from the working folder `here`. Nothing is looked up.
    pub fn new(here: &Path, folder: &Path) -> Self {
        Self { here: here.to_owned(), folder: here.join(folder) }
    }

    /// The name of an input of the command line: relative to the folder, with `/`, without `.` and, where
    /// it can be, without `..`. What is no path (`-`) is kept.
    pub fn name(&self, input: &str) -> String {
        if input == "-" || input.starts_with('<') {
            return input.to_owned();
        }
        let (input, folder) = (parts(&self.here.join(input)), parts(&self.folder));
        let common = input.iter().zip(&folder).take_while(|(a, b)| a == b).count();
        let absolute = |parts: &[String]| parts.first().is_some_and(|p| p.ends_with('/'));
        // On two drives.
        if common == 0 && absolute(&input) && absolute(&folder) {
            return input.join("/").replace("//", "/");
        }
        let up = folder[common..].iter().map(|_| "..".to_owned());
        let name: Vec<String> = up.chain(input[common..].iter().cloned()).collect();
        name.join("/")
    }
}

/// The parts of a path without `.` and, where it can be, without `..`; a root ends in `/`.
fn parts(path: &Path) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for component in path.components() {
        match component {
            Component::Prefix(prefix) => {
                parts.push(prefix.as_os_str().to_string_lossy().into_owned())
            }
            Component::RootDir => match parts.last_mut() {
                Some(drive) => drive.push('/'),
                None => parts.push("/".to_owned()),
            },
            Component::CurDir => {}
            Component::ParentDir => match parts.last().map(String::as_str) {
                None | Some("..") => parts.push("..".to_owned()),
                Some(root) if root.ends_with('/') => {}
                Some(_) => {
                    parts.pop();
                }
            },
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
        }
    }
    parts
}

/// True when a name is of a pattern: `*` is anything without `/`, `**` anything, `**/` also nothing, `?`
/// one character that is not `/`.
pub(super) fn is_like(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    // `row[j]`: the pattern up to here is like the first `j` characters.
    let mut row = vec![false; name.len() + 1];
    row[0] = true;
    let mut at = 0;
    while at < pattern.len() {
        let rest = &pattern[at..];
        let (step, next) = match rest {
            ['*', '*', '/', ..] => (3, stretch(&row, |j| j == 0 || name[j - 1] == '/', |_| true)),
            ['*', '*', ..] => (2, stretch(&row, |_| true, |_| true)),
            ['*', ..] => (1, stretch(&row, |_| true, |j| name[j] != '/')),
            [one, ..] => {
                let like = |c: char| *one == c || *one == '?' && c != '/';
                let mut next = vec![false; row.len()];
                for (j, c) in name.iter().enumerate() {
                    next[j + 1] = row[j] && like(*c);
                }
                (1, next)
            }
            [] => break,
        };
        row = next;
        at += step;
    }
    row[name.len()]
}

/// Positions reached from those of `row` over characters that `over` lets pass, as far as `lands` says
/// that one may stop; those of `row` itself stay.
fn stretch(row: &[bool], lands: impl Fn(usize) -> bool, over: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut open = false;
    let mut next = row.to_vec();
    for j in 0..row.len() {
        open = open && over(j - 1) || row[j];
        next[j] = row[j] || open && lands(j);
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_depend_on_the_working_folder() {
        let name = |here: &str, folder: &str, input: &str| {
            Base::new(Path::new(here), Path::new(folder)).name(input)
        };
        assert_eq!(name("/w", "", "kernels/a.toml"), "kernels/a.toml");
        assert_eq!(name("/w", "", "./kernels//a.toml"), "kernels/a.toml");
        assert_eq!(name("/w/kernels", "..", "a.toml"), "kernels/a.toml");
        assert_eq!(name("/w", "ci", "kernels/a.toml"), "../kernels/a.toml");
        assert_eq!(name("/w", "/w/ci", "/w/kernels/a.toml"), "../kernels/a.toml");
        assert_eq!(name("/w", "/w", "x/../a.toml"), "a.toml");
        assert_eq!(name("/", "", "../../a.toml"), "a.toml");
        assert_eq!(name("", "ci", "a.toml"), "../a.toml");
        assert_eq!(name("/w", "ci", "-"), "-");
    }

    #[test]
    fn patterns_match_as_in_gitignore_files() {
        let like = ["**", "*.toml", "a?c.toml", "**/abc.toml", "a**", "abc.toml", "**.toml", "***"];
        for pattern in like {
            assert!(is_like(pattern, "abc.toml"), "{pattern}");
        }
        for pattern in ["k/**", "k/*/b.toml", "**/b.toml", "k/**/b.toml", "k/x/?.toml", "**/x/**"] {
            assert!(is_like(pattern, "k/x/b.toml"), "{pattern}");
        }
        for pattern in ["*", "k/*", "*.toml", "k?x/b.toml", "**/c.toml", "", "x/**", "**/.toml"] {
            assert!(!is_like(pattern, "k/x/b.toml"), "{pattern}");
        }
        assert!(!is_like("**/b.toml", "k/ab.toml"));
        assert!(is_like("é?", "éü"));
    }
}
