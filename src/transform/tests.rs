//! What holds for all passes on any module.

use std::path::PathBuf;

use quickcheck::{QuickCheck, TestResult};

use super::testing::meaning::{by_bytes, by_values};
use super::testing::{check, read};
use super::*;
use crate::diag::Sources;
use crate::ir::hlo::{arbitrary::random_module, parse, platform_of, print};

fn cases() -> u64 {
    let cases = std::env::var("MEMPLAN_CASES").ok().and_then(|cases| cases.parse().ok());
    cases.unwrap_or(16)
}

fn assert_prints(module: &Module) {
    let text = print(module);
    let mut sources = Sources::default();
    let file = sources.add("printed.hlo", text.as_str());
    match parse(&sources, file) {
        Ok(again) => assert!(again.same_as(module), "another module is read:\n{text}"),
        Err(errors) => panic!("{}\n{text}", errors[0].message),
    }
}

/// Runs a pass and checks that the module is a module and computes what it computed.
fn assert_keeps(module: &mut Module, pass: Pass, options: &Options) -> bool {
    let (before, wanted) = (module.clone(), by_values(module));
    let clean = by_bytes(module).is_some_and(|found| found == wanted);
    let report = run(module, pass, options).unwrap();
    assert_eq!(report.changed, !before.same_as(module), "{} says it changed", pass.name());
    check(module);
    assert_prints(module);
    assert_eq!(by_values(module), wanted, "{}:\n{}", pass.name(), print(module));
    // A module whose values lie in each other's way before is not repaired by most passes.
    let must_be_clean = match pass {
        Pass::AddCopies => true,
        Pass::Copies => clean,
        Pass::Propagate | Pass::Annotate | Pass::Alias => false,
    };
    if must_be_clean && let Some(found) = by_bytes(module) {
        assert_eq!(found, wanted, "bytes after {}:\n{}", pass.name(), print(module));
    }
    report.changed
}

#[test]
fn every_pass_keeps_what_a_module_computes() {
    fn holds(seed: u64, size: u8) -> TestResult {
        let mut module = read(&random_module(seed, usize::from(size % 60)));
        let options = Options { donors: aliases::Donors::All, ..Options::default() };
        for pass in Pass::ALL {
            assert_keeps(&mut module, pass, &options);
        }
        TestResult::passed()
    }
    QuickCheck::new().tests(cases()).quickcheck(holds as fn(u64, u8) -> TestResult);
}

#[test]
fn added_copies_make_any_module_right_and_removal_keeps_it_so() {
    fn holds(seed: u64, size: u8) -> TestResult {
        let mut module = read(&random_module(seed, usize::from(size % 60)));
        let options = Options::default();
        assert_keeps(&mut module, Pass::AddCopies, &options);
        assert_keeps(&mut module, Pass::Copies, &options);
        assert!(!run(&mut module, Pass::Copies, &options).unwrap().changed, "a fixpoint");
        TestResult::passed()
    }
    QuickCheck::new().tests(cases()).quickcheck(holds as fn(u64, u8) -> TestResult);
}

/// All texts of the corpus of that name.
fn corpus(name: &str) -> Vec<(PathBuf, String)> {
    let shared = std::env::var_os("MEMPLAN_SHARED").map(PathBuf::from);
    let near = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared"));
    let folder = shared.unwrap_or_else(near).join("corpus/hlo");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
        for path in [entry.path().join(name), entry.path().join("sched_mem").join(name)] {
            if let Ok(text) = std::fs::read_to_string(&path) {
                found.push((path, text));
            }
        }
    }
    found.sort();
    if found.is_empty() {
        eprintln!("SKIPPED for want of {}", folder.display());
    }
    found
}

#[test]
fn every_pass_keeps_what_the_corpus_computes() {
    for (path, text) in corpus("after_optimizations.hlo.txt") {
        let mut module = read(&text);
        let options = Options { platform: platform_of(&module), ..Options::default() };
        let before = Measures::of(&module);
        println!("{}: {before:?}", path.display());
        for pass in Pass::ALL {
            let changed = assert_keeps(&mut module, pass, &options);
            println!("  {} changed: {changed}", pass.name());
        }
        println!("  {:?}", Measures::of(&module));
    }
}

#[test]
fn copies_can_be_added_to_unscheduled_programs_and_removed_again() {
    for (path, text) in corpus("before_optimizations.hlo.txt") {
        let mut module = read(&text);
        let options = Options::default();
        println!("{}: {:?}", path.display(), Measures::of(&module));
        for pass in [Pass::Annotate, Pass::Alias, Pass::AddCopies, Pass::Copies] {
            assert_keeps(&mut module, pass, &options);
            println!("  {}: {:?}", pass.name(), Measures::of(&module));
        }
    }
}
