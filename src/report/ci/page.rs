//! The explain pages, as reports link and quote them.

use crate::diag::Code;

/// `plan::overflow`.
pub(super) fn short(code: Code) -> &'static str {
    code.name().strip_prefix("memplan::").unwrap_or(code.name())
}

/// `plan`.
pub(super) fn area(code: Code) -> &'static str {
    short(code).split("::").next().unwrap_or_default()
}

/// The page in the repository; none as long as the manifest names no repository.
pub(super) fn uri(code: Code) -> Option<String> {
    let (repository, version) = (env!("CARGO_PKG_REPOSITORY"), env!("CARGO_PKG_VERSION"));
    let file = short(code).replace("::", "_");
    (!repository.is_empty())
        .then(|| format!("{repository}/blob/v{version}/src/diag/pages/{file}.md"))
}

/// What the code means: the first part of its page in one paragraph; its title where there is no page.
pub(super) fn meaning(code: Code) -> String {
    let mut parts = code.page().split("\n## ").skip(1);
    let part = parts.find_map(|part| part.strip_prefix("What it means\n")).unwrap_or_default();
    let text = part.split_whitespace().collect::<Vec<&str>>().join(" ");
    if text.is_empty() { code.title().to_owned() } else { text }
}

/// The page without its title, with a word about how to see it again.
pub(super) fn help(code: Code) -> String {
    let page = code.page().trim();
    let body = page.split_once('\n').map_or(page, |(_, body)| body).trim();
    format!("{body}\n\n`memplan explain {}` shows this page.\n", short(code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::ALL;

    #[test]
    fn every_code_has_a_meaning_and_help() {
        for code in ALL {
            assert!(code.page().contains("## What it means\n"), "{}", code.name());
            assert!(meaning(*code).len() > 10, "{}", code.name());
            assert!(help(*code).contains("## What to do\n"), "{}", code.name());
        }
    }
}
