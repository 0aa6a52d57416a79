//! What budget files may say.

use super::*;
use crate::format::budget::{Grade, LevelLimit};

fn read_text(text: &str) -> Result<Budget, Vec<Diagnostic>> {
    let mut sources = Sources::default();
    let file = sources.add("memplan-budget.toml", text);
    read(&sources, file)
}

fn messages(text: &str) -> Vec<(String, Option<String>)> {
    let errors = read_text(text).expect_err("errors");
    assert!(errors.iter().all(|e| e.code == Code::GateBudgetSyntax && e.labels.len() == 1));
    errors.into_iter().map(|e| (e.message, e.help)).collect()
}

#[test]
fn the_example_of_the_documentation_is_read() {
    let source = include_str!("../mod.rs");
    let lines = source.lines().skip_while(|l| *l != "//! ```toml").skip(1);
    let text: Vec<&str> = lines
        .take_while(|l| *l != "//! ```")
        .map(|l| l.trim_start_matches("//!").trim_start())
        .collect();
    let budget = read_text(&text.join("\n")).expect("a budget");
    let entry = &budget.entries[0];
    assert_eq!(entry.scopes["ub"].peak, Some(196_608));
    assert_eq!(entry.scopes["ub"].level, Some(LevelLimit::Loop));
    assert_eq!(
        entry.place.as_ref().map(|p| p.line),
        text.iter().position(|l| l.starts_with("input")).map(|n| n as u32 + 1)
    );
    assert_eq!(budget.unlisted, Grade::Error);
    let rules = budget.rules.under(&entry.rules);
    assert_eq!(rules.growth(Measure::Peak, 1000), 100);
    assert_eq!(budget.rules.growth(Measure::Peak, 1000), 20);
    assert_eq!(rules.grade(Measure::Level), Grade::Warning);
    let rules = budget.rules.under(&budget.baseline.rules);
    assert_eq!(rules.growth(Measure::Peak, 1000), 4096);
    assert_eq!(rules.grade(Measure::Makespan), Grade::Warning);
    assert_eq!((budget.baseline.new, budget.baseline.gone), (Grade::Ignore, Grade::Error));
}

#[test]
fn several_errors_are_told_at_once_with_what_to_write() {
    let text = "version = 2\nunlisted = \"eror\"\n[severity]\npaek = \"error\"\n";
    let found = messages(text);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(
        found[0],
        ("unknown word `eror`".to_owned(), Some("did you mean `error`?".to_owned()))
    );
    assert_eq!(
        found[1],
        ("unknown key `paek`".to_owned(), Some("did you mean `peak`?".to_owned()))
    );
    let text = "version = 2\n[allow]\npeak = \"2..5 %\"\nstalls = -1\n[[kernel]]\ninput = \"a\\\\b\"\n\
        [kernel.scope.ub]\npeak = \"12 parsecs\"\n[[kernel]]\n[kernel.scope.ub]\npeak = 3\n";
    let found: Vec<String> = messages(text).into_iter().map(|(message, _)| message).collect();
    assert_eq!(found.len(), 6, "{found:?}");
    assert_eq!(found[1], "`2..5 %` is not a share");
    assert_eq!(found[2], "an allowance below zero");
    assert_eq!(found[5], "an entry for which kernel?");
}

#[test]
fn an_entry_stands_once() {
    let text = "version = 1\n[[kernel]]\ninput = \"a\"\n[[kernel]]\ninput = \"a\"\nfunction = \"f\"\n\
        [[kernel]]\ninput = \"a\"\n";
    let line = Some("the first is in line 3".to_owned());
    assert_eq!(messages(text), [("a second entry for the same kernel".to_owned(), line)]);
}

#[test]
fn shares_are_exact() {
    assert_eq!(hundredths("2.5"), Some(250));
    assert_eq!(hundredths("0.25"), Some(25));
    assert_eq!(hundredths("100"), Some(10_000));
    assert_eq!(hundredths("1.234"), None);
    assert_eq!(hundredths(""), None);
    assert_eq!(hundredths("1."), None);
    assert_eq!(hundredths("99999999999999999999"), None);
    assert_eq!(Allowance::Share(10_000).on(u64::MAX), u64::MAX);
    assert_eq!(Allowance::Share(u64::MAX).on(u64::MAX), u64::MAX);
}

#[test]
fn no_bytes_make_it_panic() {
    for text in [
        "",
        "\u{0}",
        "version",
        "[[kernel]]\n[kernel.scope.\"\"]\nlevel = 3",
        "version = 1\nkernel = 3",
    ] {
        assert!(read_text(text).is_err(), "{text}");
    }
    assert_eq!(read_text("version = 1"), Ok(Budget::default()));
}

quickcheck::quickcheck! {
    /// Neither do pieces of budgets in any order, and what is wrong has a place inside the text.
    fn no_pieces_make_it_panic(pieces: Vec<u8>) -> bool {
        const PIECES: [&str; 16] = [
            "version = 1\n", "[[kernel]]\n", "input = \"a\"\n", "[kernel.scope.ub]\n", "peak = ", "\"2 %\"\n",
            "-1\n", "[allow]\n", "[severity]\n", "\"errr\"\n", "\u{e9}", "{ peak = 1 }\n", "allow = ", "[",
            "99999999999999999999\n", "level = \"none\"\n",
        ];
        let text: String = pieces.iter().map(|n| PIECES[usize::from(n % 16)]).collect();
        match read_text(&text) {
            Ok(_) => true,
            Err(errors) => errors.iter().flat_map(|e| &e.labels).all(|l| l.loc.end as usize <= text.len().max(1)),
        }
    }
}
