//! What holds for every module: an independent judge of assignments.

use quickcheck::{QuickCheck, TestResult};

use super::{analyse, assigned, attempt, read};
use crate::analyze::hlo::{
    Analysis, EventKind, Metric, Options, ValueId, exact_peak, minimum_memory, no_fragmentation,
};
use crate::diag::Sources;
use crate::ir::hlo::arbitrary::random_module;
use crate::ir::hlo::{Opcode, Platform, Sharing, parse};
use crate::plan::xla::sample::scaled;
use crate::plan::xla::{Assignment, peak_values, stats};

/// Where a value is: allocation, offset, and its bytes.
type Place = (usize, u64, u64);

/// Every value is in one place, its allocation is large enough, and its group has one offset.
fn places(analysis: &Analysis<'_>, all: &Assignment) -> Vec<Place> {
    let mut places = vec![None; analysis.values.values.len()];
    for (number, allocation) in all.allocations.iter().enumerate() {
        for placed in &allocation.values {
            let place = (number, placed.offset, placed.size);
            assert!(placed.offset + placed.size <= allocation.size);
            assert_eq!(placed.offset % analysis.options.platform.alignment(), 0);
            let before = places[placed.value.0 as usize].replace(place);
            assert_eq!(before, None, "in two places");
        }
    }
    let places: Vec<Place> = places.into_iter().map(|place| place.expect("a place")).collect();
    for group in analysis.groups.groups.iter() {
        let at = |value: &ValueId| (places[value.0 as usize].0, places[value.0 as usize].1);
        assert!(group.windows(2).all(|pair| at(&pair[0]) == at(&pair[1])), "a group is torn");
    }
    places
}

/// Values of different groups with common bytes are not alive at one time; where one ends and the other
/// begins, the younger may take the bytes of the other.
fn judge(analysis: &Analysis<'_>, all: &Assignment) {
    let module = analysis.module;
    let sharing = Sharing::new(module, analysis.options.platform);
    let places = places(analysis, all);
    let takes = |old: ValueId, young: ValueId| {
        let born = &analysis.values.values[young].definition;
        let instruction = &module.instructions[born.instruction];
        instruction.opcode != Opcode::Copy
            && analysis.values.values[old].positions.iter().any(|from| {
                instruction.operands.contains(&from.instruction)
                    && sharing.may_share(
                        from.instruction,
                        &from.index,
                        born.instruction,
                        &born.index,
                    )
            })
    };
    let values: Vec<ValueId> = analysis.values.values.ids().collect();
    for (at, &a) in values.iter().enumerate() {
        for &b in &values[at + 1..] {
            let (pa, pb) = (places[a.0 as usize], places[b.0 as usize]);
            let common = pa.0 == pb.0 && pa.1 < pb.1 + pb.2 && pb.1 < pa.1 + pa.2;
            let one_buffer = analysis.groups.of[a] == analysis.groups.of[b];
            let (Some(x), Some(y)) = (analysis.ranges.live[a], analysis.ranges.live[b]) else {
                assert!(one_buffer || !common, "not executed in time, but shared");
                continue;
            };
            if !common || one_buffer || x.end < y.start || y.end < x.start {
                continue;
            }
            let name = |value| analysis.values.name(module, value);
            let follows = (x.end == y.start && takes(a, b)) || (y.end == x.start && takes(b, a));
            assert!(follows, "{} {x:?} and {} {y:?} have common bytes", name(a), name(b));
        }
    }
}

fn check(seed: u64, size: u8, platform: Platform) {
    let module = read(&random_module(seed, usize::from(size) + 2));
    let analysis = analyse(&module, platform);
    let all = assigned(&analysis);
    judge(&analysis, &all);

    let sharing = Sharing::new(&module, platform);
    let (exact, xla) = (
        minimum_memory(&analysis, &sharing, Metric::Exact),
        minimum_memory(&analysis, &sharing, Metric::Xla),
    );
    assert!(exact <= xla);
    let peak = peak_values(&analysis, &all);
    let stats = stats(&all);
    assert_eq!(peak.bytes, stats.peak_memory_in_bytes);
    assert_eq!(peak.values.iter().map(|value| value.bytes).sum::<u64>(), peak.bytes);
    assert!(stats.alias_size_in_bytes <= stats.argument_size_in_bytes);
    for heap in &all.heaps {
        let alive = exact_peak(&heap.events);
        assert!(alive.bytes <= heap.heap.size && alive.bytes <= no_fragmentation(&heap.events));
        let frees = heap.events.iter().filter(|event| event.kind == EventKind::Free).count();
        assert_eq!(frees * 2, heap.events.len(), "all that gets bytes gives them back");
        let whole = &all.allocations[heap.allocation];
        assert!(whole.is_temp() && heap.base + heap.heap.size <= whole.size);
        for (value, chunk) in &heap.heap.chunks {
            let placed = whole.values.iter().find(|placed| placed.value == *value);
            assert_eq!(placed.map(|placed| placed.offset), Some(heap.base + chunk.offset));
        }
    }
}

#[test]
fn values_with_common_bytes_are_never_needed_at_once() {
    fn property(seed: u64, size: u8, gpu: bool) -> TestResult {
        check(seed, size % 40, if gpu { Platform::Gpu } else { Platform::Cpu });
        TestResult::passed()
    }
    QuickCheck::new().tests(scaled(60)).quickcheck(property as fn(u64, u8, bool) -> TestResult);
}

#[test]
fn an_assignment_is_the_same_every_time() {
    for seed in 0..scaled(10) {
        let module = read(&random_module(seed, 30));
        let analysis = analyse(&module, Platform::Cpu);
        assert_eq!(assigned(&analysis), assigned(&analysis));
    }
}

/// A text with a line taken out, or a word in the place of another.
fn mutant(text: &str, at: usize, what: u8) -> String {
    let words = [
        ("negate(", "copy("),
        ("f32", "bf16"),
        ("copy(", "bitcast("),
        ("parameter(1)", "parameter(0)"),
        ("is_scheduled=true", "is_scheduled=false"),
        ("kind=kLoop", "kind=kInput"),
        ("ROOT ", ""),
        ("index=0", "index=1"),
        ("{0}: (0", "{1}: (0"),
    ];
    let lines: Vec<&str> = text.lines().collect();
    let at = at % lines.len().max(1);
    let line = |(number, line): (usize, &&str)| match usize::from(what).checked_sub(1) {
        _ if number != at && what.is_multiple_of(2) => (*line).to_owned(),
        None => String::new(),
        Some(rule) => {
            let (from, to) = words[rule % words.len()];
            line.replacen(from, to, 1)
        }
    };
    lines.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_can_be_read_is_assigned_or_refused() {
    fn property(seed: u64, at: usize, what: u8) -> TestResult {
        let text = mutant(&random_module(seed, 12), at, what);
        let mut sources = Sources::default();
        let file = sources.add("test.hlo", text.as_str());
        let Ok(module) = parse(&sources, file) else { return TestResult::discard() };
        for platform in [Platform::Cpu, Platform::Gpu] {
            let options = Options { platform, async_start_extension: at.is_multiple_of(2) };
            let Ok(analysis) = Analysis::text(&module, options) else { continue };
            let Ok(all) = attempt(&analysis) else { continue };
            places(&analysis, &all);
            peak_values(&analysis, &all);
        }
        TestResult::passed()
    }
    QuickCheck::new().tests(scaled(60)).quickcheck(property as fn(u64, usize, u8) -> TestResult);
}
