//! What holds for all passes on any module.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use quickcheck::{QuickCheck, TestResult};

use super::testing::meaning::{by_bytes, by_values};
use super::testing::{check, read};
use super::*;
use crate::diag::{Code, Sources};
use crate::ir::hlo::{InstructionId, arbitrary::random_module, parse, platform_of, print};

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
    println!("{} changed: {}, bytes are known: {clean}", pass.name(), report.changed);
    assert_eq!(report.changed, !before.same_as(module), "{} says it changed", pass.name());
    check(module);
    assert_prints(module);
    assert_eq!(by_values(module), wanted, "{}:\n{}", pass.name(), print(module));
    // A module whose values lie in each other's way before is not repaired by most passes.
    let must_be_clean = match pass {
        Pass::AddCopies => true,
        Pass::Copies | Pass::Propagate | Pass::Annotate => clean,
        Pass::Alias => clean && module.is_scheduled,
    };
    if must_be_clean && let Some(found) = by_bytes(module) {
        assert_eq!(found, wanted, "bytes after {}:\n{}", pass.name(), print(module));
    }
    report.changed
}

#[test]
fn every_pass_keeps_what_a_module_computes() {
    fn holds(seed: u64, size: u8) -> TestResult {
        let mut module = read(&random_module(seed, usize::from(size % 40)));
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
        let mut module = read(&random_module(seed, usize::from(size % 40)));
        let options = Options::default();
        assert_keeps(&mut module, Pass::AddCopies, &options);
        assert_keeps(&mut module, Pass::Copies, &options);
        assert!(!run(&mut module, Pass::Copies, &options).unwrap().changed, "a fixpoint");
        TestResult::passed()
    }
    QuickCheck::new().tests(cases()).quickcheck(holds as fn(u64, u8) -> TestResult);
}

/// Some order of a module's instructions that its operands and control predecessors allow.
fn any_order(module: &Module, seed: u64) -> Module {
    let mut state = seed | 1;
    let mut order = module.sequences();
    for sequence in order.0.iter_mut() {
        let mut waits: BTreeMap<InstructionId, BTreeSet<InstructionId>> = BTreeMap::new();
        let mut next: BTreeMap<InstructionId, Vec<InstructionId>> = BTreeMap::new();
        for &id in &*sequence {
            let instruction = &module.instructions[id];
            let before = instruction.operands.iter().chain(instruction.control_predecessors());
            let before: BTreeSet<InstructionId> = before.copied().collect();
            before.iter().for_each(|&first| next.entry(first).or_default().push(id));
            waits.insert(id, before);
        }
        let mut ready: Vec<InstructionId> =
            sequence.iter().copied().filter(|id| waits[id].is_empty()).collect();
        sequence.clear();
        while !ready.is_empty() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let id = ready.swap_remove((state >> 33) as usize % ready.len());
            sequence.push(id);
            for &user in next.get(&id).into_iter().flatten() {
                let waits = waits.get_mut(&user).unwrap();
                waits.remove(&id);
                if waits.is_empty() {
                    ready.push(user);
                }
            }
        }
    }
    module.in_order(&order)
}

#[test]
fn unscheduled_modules_are_right_in_every_order() {
    fn holds(seed: u64, size: u8) -> TestResult {
        let mut module = read(&random_module(seed, usize::from(size % 40)));
        module.is_scheduled = false;
        for pass in [Pass::AddCopies, Pass::Copies] {
            run(&mut module, pass, &Options::default()).unwrap();
            let wanted = by_values(&module);
            for other in 0..4 {
                let found = by_bytes(&any_order(&module, seed.wrapping_add(other)));
                if found.is_some_and(|found| found != wanted) {
                    panic!("after {}:\n{}", pass.name(), print(&any_order(&module, seed + other)));
                }
            }
        }
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
    let required = std::env::var_os("MEMPLAN_REQUIRE_SHARED").is_some();
    assert!(!found.is_empty() || !required, "no shared corpus: set MEMPLAN_SHARED");
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

#[test]
fn examples_of_the_pages_raise_their_codes() {
    for code in [Code::HloSpaceMismatch, Code::HloDonorUnused, Code::HloBadPlacement] {
        let example =
            code.page().split("```").nth(1).and_then(|e| e.strip_prefix("hlo\n")).unwrap();
        let codes: Vec<Code> = findings(&read(example)).iter().map(|found| found.code).collect();
        assert_eq!(codes, [code]);
    }
}

#[test]
fn the_example_of_offloading_shows_every_pass() {
    let mut module = read(include_str!("../../specs/hlo/offload.hlo"));
    let (before, options) = (Measures::of(&module), Options::default());
    assert_eq!((before.copies, before.annotations, before.donors), (2, 2, 1));
    for pass in Pass::ALL {
        assert!(assert_keeps(&mut module, pass, &options), "{} changes nothing", pass.name());
    }
    let after = Measures::of(&module);
    assert_eq!((after.copies, after.copy_bytes), (1, 65_536), "{}", print(&module));
    assert_eq!((after.annotations, after.placements), (0, 2));
    assert_eq!((after.donors, after.aliases, after.alias_bytes), (0, 1, 65_536));
    assert_eq!((before.spaced, after.spaced), (1, 2));
    assert_eq!(findings(&module), []);
}

/// A text in which some words stand where others stood.
fn mixed(text: &str, seed: u64) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_.-%".contains(c);
    let mut words: Vec<String> = Vec::new();
    for c in text.chars() {
        match words.last_mut() {
            Some(last) if is_word(c) && last.chars().all(is_word) => last.push(c),
            _ => words.push(c.to_string()),
        }
    }
    let mut state = seed | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % words.len().max(1)
    };
    let swaps: Vec<(usize, usize)> = (0..1 + seed % 4).map(|_| (next(), next())).collect();
    for (at, from) in swaps {
        if let Some(word) = words.get(from).cloned()
            && let Some(place) = words.get_mut(at)
        {
            *place = word;
        }
    }
    words.concat()
}

#[test]
fn whatever_reads_as_a_module_is_survived() {
    fn holds(seed: u64, size: u8) -> TestResult {
        let text = random_module(seed, usize::from(size % 20));
        for other in 0..8 {
            let text = mixed(&text, seed.wrapping_mul(31).wrapping_add(other));
            let mut sources = Sources::default();
            let file = sources.add("mixed.hlo", text.as_str());
            let Ok(module) = parse(&sources, file) else { continue };
            findings(&module);
            let options = Options { donors: aliases::Donors::All, ..Options::default() };
            let mut changed = module.clone();
            for pass in Pass::EACH {
                if run(&mut changed, pass, &options).is_ok() {
                    assert_prints(&changed);
                }
            }
        }
        TestResult::passed()
    }
    QuickCheck::new().tests(cases()).quickcheck(holds as fn(u64, u8) -> TestResult);
}
