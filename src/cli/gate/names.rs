//! The names of inputs in files that outlive a run: relative to the file, with `/`.

use std::path::{Component, Path, PathBuf};

/// The path of `input` as seen from `folder`, with `/` between its parts. What is no path, such as
/// `<stdin>`, stays.
pub(super) fn relative(input: &str, folder: &Path) -> String {
    if input.starts_with('<') {
        return input.to_owned();
    }
    let (Ok(to), Ok(from)) = (std::path::absolute(input), std::path::absolute(folder)) else {
        return slashes(Path::new(input));
    };
    let (to, from) = (tidy(&to), tidy(&from));
    let same = to.components().zip(from.components()).take_while(|(a, b)| a == b).count();
    let mut out = PathBuf::new();
    from.components().skip(same).for_each(|_| out.push(".."));
    to.components().skip(same).for_each(|part| out.push(part));
    slashes(&out)
}

/// The path without `.` and `..`, by its letters alone.
fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

fn slashes(path: &Path) -> String {
    let parts = path.components().map(|part| match part {
        Component::RootDir => String::new(),
        other => other.as_os_str().to_string_lossy().into_owned(),
    });
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_seen_from_the_folder_of_the_file() {
        let name = |input: &str, folder: &str| relative(input, Path::new(folder));
        assert_eq!(name("/a/b/c.toml", "/a"), "b/c.toml");
        assert_eq!(name("/a/./b/../b/c.toml", "/a/b"), "c.toml");
        assert_eq!(name("/a/c.toml", "/a/b"), "../c.toml");
        assert_eq!(name("<stdin>", "/a"), "<stdin>");
        assert_eq!(name("k.toml", ""), "k.toml");
        assert_eq!(name("./k/../k/x.mlir", "."), "k/x.mlir");
    }
}
