//! The examples of the pages.

use crate::diag::{ALL, Code, Sources};
use crate::format::{baseline, budget};

#[test]
fn the_examples_are_what_the_pages_say() {
    for code in ALL.iter().filter(|code| code.name().starts_with("memplan::gate::")) {
        let page = code.page();
        let heads: Vec<&str> =
            page.lines().filter(|line| line.starts_with("# ") || line.starts_with("## ")).collect();
        let title = format!("# {}", code.name());
        assert_eq!(heads, [&title, "## What it means", "## Smallest example", "## What to do"]);
        assert!(page.lines().all(|line| line.chars().count() <= 100), "{title}");
        let example = page.split("```").nth(1).unwrap_or_default();
        let (language, text) = example.split_once('\n').unwrap_or_default();
        let mut sources = Sources::default();
        let file = sources.add("example", text);
        let found = match (language, code) {
            ("json", _) => baseline::read(&sources, file).err().map(|e| e.code),
            // Examples of inputs: the pairs of `tests/gate` run such.
            ("toml", Code::GateRegression | Code::GateChanged) => continue,
            ("toml", _) => budget::read(&sources, file).err().map(|e| e[0].code),
            _ => panic!("{title}: no example"),
        };
        let wrong = [Code::GateBudgetSyntax, Code::GateBaselineSyntax].contains(code);
        assert_eq!(found, wrong.then_some(*code), "{title}");
    }
}
