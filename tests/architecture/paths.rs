//! The paths that a file names: in `use`, in groups, and in the middle of code.

use super::tokens::Token;

/// A path from the root of its crate.
pub(crate) struct Named {
    /// `["crate", "plan", "solve"]`, `["std", "fs"]` or `["memplan_exact", ..]`.
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
}

impl Named {
    /// The floor or solver that is seen; the name of the root itself is `crate`, which no floor
    /// may see: it would see everything.
    pub(crate) fn floor(&self) -> Option<&str> {
        let first = self.path.first()?.as_str();
        match first {
            "crate" | "memplan" => Some(self.path.get(1).map_or("crate", String::as_str)),
            _ => first.starts_with("memplan_").then_some(first),
        }
    }
}

/// `src/front/csv/row.rs` is the module `["front", "csv", "row"]`.
pub(crate) fn module_of(path: &str) -> Vec<String> {
    let inside = path.split_once("src/").map_or(path, |(_, inside)| inside);
    let inside = inside.strip_suffix(".rs").unwrap_or(inside);
    let mut parts: Vec<String> = inside.split('/').map(str::to_owned).collect();
    let last = parts.last().map(String::as_str);
    // Elsewhere a file may be called `lib` or `main` like any other.
    if last == Some("mod") || (parts.len() == 1 && matches!(last, Some("lib" | "main"))) {
        parts.pop();
    }
    parts
}

/// All paths that start at a root: `crate`, `self`, `super`, `std`, `memplan_*`.
pub(crate) fn paths(module: &[String], tokens: &[Token]) -> Vec<Named> {
    let mut found = Vec::new();
    // Inline modules around the place: name and depth of braces.
    let mut inline: Vec<(String, usize)> = Vec::new();
    let (mut at, mut depth) = (0, 0);
    while at < tokens.len() {
        let token = &tokens[at];
        match token.text.as_str() {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                inline.retain(|(_, around)| *around <= depth);
            }
            "mod" if tokens.get(at + 2).is_some_and(|t| t.is("{")) => {
                inline.push((tokens[at + 1].text.clone(), depth + 1));
            }
            word if starts_path(word, tokens, at) => {
                let inside = inline.iter().map(|(name, _)| name.clone());
                let root = std::iter::once("crate".to_owned()).chain(module.iter().cloned());
                let here: Vec<String> = root.chain(inside).collect();
                at = tree(&here, tokens, at, &mut found);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn starts_path(word: &str, tokens: &[Token], at: usize) -> bool {
    let follows = |n: usize, text: &str| tokens.get(at + n).is_some_and(|t| t.is(text));
    let goes_on = follows(1, ":") && follows(2, ":");
    match word {
        // `use crate as house` would hide what is seen; `pub(crate)` is no path.
        "crate" => goes_on || follows(1, "as"),
        "self" | "super" | "std" | "memplan" => goes_on,
        _ => word.starts_with("memplan_"),
    }
}

/// One path or use tree from `at`, relative to `base`; returns where it ends.
fn tree(base: &[String], tokens: &[Token], mut at: usize, found: &mut Vec<Named>) -> usize {
    let mut path = base.to_vec();
    let mut first = true;
    while let Some(token) = tokens.get(at) {
        let line = token.line;
        match token.text.as_str() {
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|t| !t.is("}")) {
                    at = tree(&path, tokens, at, found);
                    // Past `as name` and the comma.
                    while tokens.get(at).is_some_and(|t| !t.is("}") && !t.is(",")) {
                        at += 1;
                    }
                    if tokens.get(at).is_some_and(|t| t.is(",")) {
                        at += 1;
                    }
                }
                return at + 1;
            }
            "crate" => path = vec!["crate".to_owned()],
            "super" => {
                // The root has nothing above it.
                path.truncate((path.len() - 1).max(1));
            }
            "self" => {}
            // A word at the start of a path that is not inside a group starts at its own root.
            word if first && matches!(word, "std" | "memplan") || word.starts_with("memplan_") => {
                path = vec![word.to_owned()];
            }
            word => path.push(word.to_owned()),
        }
        first = false;
        at += 1;
        let goes_on = tokens.get(at).is_some_and(|t| t.is(":"))
            && tokens.get(at + 1).is_some_and(|t| t.is(":"));
        if !goes_on {
            found.push(Named { path, line });
            return at;
        }
        at += 2;
    }
    at
}
