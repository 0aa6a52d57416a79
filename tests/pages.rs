//! The explain pages of the readers: each example raises the code that it explains.

use memplan::analyze;
use memplan::diag::{ALL, Code, Sources};
use memplan::front::spec::{self, targets::Embedded};
use memplan::front::{Read, csv, dsa, machine, trace};

/// Codes that no example raises: whoever loads the file does.
const ELSEWHERE: [Code; 8] = [
    Code::SpecInvalidUtf8,
    Code::SpecTooLarge,
    Code::CsvInvalidUtf8,
    Code::CsvTooLarge,
    Code::DsaInvalidUtf8,
    Code::DsaTooLarge,
    Code::TraceInvalidUtf8,
    Code::TraceTooLarge,
];

/// The codes that a text raises, warnings and those of the analysis included.
fn codes(of: Code, language: &str, text: &str) -> Vec<Code> {
    let mut sources = Sources::default();
    let file = sources.add("example", text);
    let errors = match of {
        Code::MachineSyntax => Some(machine::read(&sources, file).err()),
        _ if of.name().starts_with("memplan::replay") => Some(trace::read(&sources, file).err()),
        _ => None,
    };
    if let Some(errors) = errors {
        return errors.into_iter().flatten().map(|diagnostic| diagnostic.code).collect();
    }
    let read = match language {
        "toml" => spec::read(&mut sources, file, None, &mut Embedded),
        "json" => dsa::read(&sources, file),
        _ => csv::read(&sources, file),
    };
    let all = match read {
        Ok(Read { problem, mut warnings }) => {
            for function in &problem.functions {
                warnings.extend(analyze::facts(&problem, function).warnings);
            }
            warnings
        }
        Err(errors) => errors,
    };
    all.into_iter().map(|diagnostic| diagnostic.code).collect()
}

fn of_the_readers() -> impl Iterator<Item = Code> {
    let readers = [
        "memplan::spec",
        "memplan::csv",
        "memplan::dsa",
        "memplan::replay::trace_",
        "memplan::replay::machine_",
    ];
    let reader = move |code: &Code| readers.iter().any(|name| code.name().starts_with(name));
    ALL.iter().copied().filter(reader)
}

#[test]
fn every_page_has_its_parts() {
    for code in of_the_readers() {
        let page = code.page();
        let heads: Vec<&str> = page.lines().filter(|line| line.starts_with('#')).collect();
        let title = format!("# {}", code.name());
        let expected = [&title, "## What it means", "## Smallest example", "## What to do"];
        assert_eq!(heads, expected);
        let long = page.lines().find(|line| line.chars().count() > 100);
        assert_eq!(long, None, "{title}");
    }
}

#[test]
fn every_example_raises_its_code_and_no_other() {
    let mut wrong = Vec::new();
    for code in of_the_readers().filter(|code| !ELSEWHERE.contains(code)) {
        let mut fences = code.page().split("```");
        let example = fences.nth(1).unwrap_or_default();
        let (language, text) = example.split_once('\n').unwrap_or_default();
        assert!(["toml", "csv", "json"].contains(&language), "{}: no example", code.name());
        let mut found = codes(code, language, text);
        found.dedup();
        if found != [code] {
            wrong.push(format!("{}: {found:?}\n{text}", code.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
