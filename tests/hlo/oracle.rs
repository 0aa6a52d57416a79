//! Values, groups and live ranges of random HLO modules against two oracles that share no code with
//! them: sets that are passed around until nothing changes, and a machine that runs the module with a
//! cell of memory per must-alias group.
//!
//! `MEMPLAN_CASES=N` makes each property run N cases instead of its own number.

#[path = "oracle/machine.rs"]
mod machine;
#[path = "oracle/naive.rs"]
mod naive;

use std::collections::BTreeSet;

use memplan::analyze::hlo::{
    Analysis, Options, ValueId, ValueOptions, Values, live_range_text, values_text,
};
use memplan::diag::Sources;
use memplan::ir::hlo::arbitrary::random_module;
use memplan::ir::hlo::{Calls, Module, Platform, parse};
use naive::Birth;

const OPTIONS: Options = Options { platform: Platform::Cpu, async_start_extension: false };

fn cases(own: u64) -> u64 {
    std::env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(own)
}

/// Modules of growing size.
fn modules(own: u64) -> impl Iterator<Item = (u64, Module)> {
    (0..cases(own)).map(|seed| {
        let text = random_module(seed, 4 + (seed as usize * 7) % 40);
        let mut sources = Sources::default();
        let file = sources.add("random.hlo", text.as_str());
        let module =
            parse(&sources, file).unwrap_or_else(|e| panic!("seed {seed}: {e:#?}\n{text}"));
        (seed, module)
    })
}

/// One letter or line of a text changed, most often so that it is still a module.
fn spoiled(text: &str, seed: u64) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = |salt: u64| (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (16 + salt % 8)) as usize;
    let mut lines: Vec<&str> = text.lines().collect();
    let (a, b) = (at(1) % lines.len(), at(2) % lines.len());
    match seed % 4 {
        0 => lines.swap(a, b),
        1 => lines[a] = lines[b],
        2 => drop(lines.remove(a)),
        _ => {
            let digits: Vec<_> =
                (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
            bytes[digits[at(3) % digits.len()]] = b'0' + (at(4) % 10) as u8;
            return String::from_utf8(bytes).expect("ASCII");
        }
    }
    lines.join("\n")
}

#[test]
fn whatever_the_reader_takes_is_analysed() {
    let (mut read, all) = (0, cases(200));
    for seed in 0..all {
        let text = spoiled(&random_module(seed % 40, 12), seed);
        let mut sources = Sources::default();
        let file = sources.add("spoiled.hlo", text.as_str());
        let Ok(module) = parse(&sources, file) else { continue };
        read += 1;
        for async_start_extension in [false, true] {
            let options = Options { async_start_extension, ..OPTIONS };
            if let Ok(analysis) = Analysis::text(&module, options) {
                assert!(live_range_text(&analysis).len() + values_text(&analysis).len() > 0);
            }
        }
        let calls = Calls::of(&module).expect("a call graph");
        let options = ValueOptions { phis: false, bitcast_defines: true, include_fused: true };
        assert!(Values::of(&module, &calls, options).is_ok(), "seed {seed}");
    }
    assert!(read * 20 > all, "{read} of {all} are still modules");
}

fn births(values: &Values, ids: &[ValueId]) -> BTreeSet<Birth> {
    let definition = |id: &ValueId| &values.values[*id].definition;
    ids.iter().map(|id| (definition(id).instruction, definition(id).index.clone())).collect()
}

#[test]
fn values_are_those_of_sets_passed_around_until_nothing_changes() {
    let mut phis = 0;
    for (seed, module) in modules(25) {
        let calls = Calls::of(&module).expect("a call graph");
        for options in [
            ValueOptions::default(),
            ValueOptions { phis: false, ..ValueOptions::default() },
            ValueOptions { phis: false, bitcast_defines: true, include_fused: true },
        ] {
            let values = Values::of(&module, &calls, options).expect("values");
            let naive = naive::sets(&module, options);
            for id in module.instructions.ids() {
                let name = &module.instructions[id].name;
                for (index, at) in values.nodes(id) {
                    let theirs = &naive[&(id, index.clone())];
                    let ours = births(&values, at);
                    assert_eq!(&ours, theirs, "seed {seed}, {options:?}: {name}{index}");
                }
            }
            phis += values.values.iter().filter(|value| value.is_phi).count();
        }
    }
    assert!(phis > 0, "the modules have loops");
}

#[test]
fn groups_and_ranges_hold_when_the_module_runs() {
    let mut reads = 0;
    for (seed, module) in modules(25) {
        let analysis = Analysis::text(&module, OPTIONS).expect("an analysis");
        for run in 0..3 {
            match machine::run(&analysis, seed * 3 + run) {
                Ok(count) => reads += count,
                Err(broken) => panic!("seed {seed}, run {run}: {broken}"),
            }
        }
    }
    assert!(reads > 0, "the modules read what they write");
}

#[test]
fn ranges_lie_in_the_schedule_and_those_of_a_group_touch_at_most() {
    for (seed, module) in modules(25) {
        let all = Analysis::text(&module, OPTIONS).expect("an analysis");
        for group in all.groups.groups.iter() {
            let live = group.iter().filter_map(|&value| all.ranges.live[value]);
            let mut live: Vec<_> = live.collect();
            live.sort();
            assert!(
                live.iter().all(|r| r.start <= r.end && r.end <= all.ranges.end),
                "seed {seed}"
            );
            assert!(live.windows(2).all(|pair| pair[0].end <= pair[1].start), "seed {seed}");
        }
        let times: BTreeSet<_> = all.ranges.time.iter().flatten().collect();
        assert_eq!(times.len(), all.ranges.flat.len(), "seed {seed}: a time for each");
    }
}
