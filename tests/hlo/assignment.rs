//! Buffer assignment of the shared HLO corpus from its text alone, compared with what XLA did: every
//! event, every allocation, the text of the assignment and the statistics.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use memplan::analyze::hlo::{Analysis, EventKind, Metric, Options, ValueId, minimum_memory};
use memplan::diag::Sources;
use memplan::ir::hlo::{Module, Platform, Sharing, parse, platform_of};
use memplan::plan::xla::heap::choose_best;
use memplan::plan::xla::{
    Assignment, MemoryStats, assign, assignment_text_with_ids, peak_values, stats,
};
use serde_json::Value as Json;

use crate::corpus;

fn json(path: &Path) -> Json {
    let text = fs::read_to_string(path).expect("a file of the corpus");
    serde_json::from_str(&text).expect("JSON")
}

fn module(folder: &Path) -> Module {
    let path = folder.join("after_optimizations.hlo.txt");
    let text = fs::read_to_string(path).expect("a text of the corpus");
    let mut sources = Sources::default();
    let file = sources.add("m.hlo", text.as_str());
    parse(&sources, file).expect("HLO that XLA wrote")
}

/// What XLA did, and what we do.
struct Case {
    name: String,
    trace: Json,
    /// XLA's ids of our values.
    ids: BTreeMap<ValueId, u64>,
    assignment: Assignment,
    text: String,
    stats: MemoryStats,
}

fn cases(mut check: impl FnMut(&Path, &Case, &Analysis<'_>, &Sharing<'_>)) {
    for folder in corpus::folders() {
        let module = module(&folder);
        let platform = platform_of(&module);
        let analysis = Analysis::text(&module, Options { platform, async_start_extension: false });
        let analysis = analysis.expect("a consistent module");
        let sharing = Sharing::new(&module, platform);
        let mut pack = |_, events: &[_]| choose_best(events, platform.alignment());
        let assignment = assign(&analysis, &sharing, &mut pack).expect("an assignment");
        let trace = json(&folder.join("heap_trace.json"));
        let ids = ids(&analysis, &trace);
        let id = |value| ids.get(&value).copied().unwrap_or(u64::MAX);
        let text = assignment_text_with_ids(&analysis, &assignment, &id);
        let stats = stats(&assignment);
        let name = folder.display().to_string();
        let case = Case { name, trace, ids, assignment, text, stats };
        check(&folder, &case, &analysis, &sharing);
    }
}

/// XLA's ids are not in the text; values are matched by computation, instruction and node.
fn ids(analysis: &Analysis<'_>, trace: &Json) -> BTreeMap<ValueId, u64> {
    let mut theirs = BTreeMap::new();
    for row in trace["values"].as_array().expect("values") {
        let name = row[1].as_str().expect("a name");
        let name = if name.ends_with('}') { name.to_owned() } else { format!("{name}{{}}") };
        let computation = row[3].as_str().expect("a computation").to_owned();
        let id = row[0].as_u64().expect("an id");
        assert_eq!(theirs.insert((computation, name), id), None, "a value twice");
    }
    let ours = analysis.values.values.enumerate().filter_map(|(id, value)| {
        let born = &value.definition;
        let instruction = &analysis.module.instructions[born.instruction];
        let computation = &analysis.module.computations[instruction.computation].name;
        let name = format!("{}{}", instruction.name, born.index);
        Some((id, *theirs.get(&(computation.clone(), name))?))
    });
    ours.collect()
}

fn number(json: &Json, key: &str) -> u64 {
    json.get(key).map_or(0, |value| value.as_u64().expect("a number"))
}

#[test]
fn events_are_those_of_xla() {
    let (mut traces, mut events) = (0, 0);
    cases(|_, case, _, _| {
        let theirs = case.trace["heap_traces"].as_array().expect("traces");
        assert_eq!(case.assignment.heaps.len(), theirs.len(), "{}", case.name);
        for (ours, theirs) in case.assignment.heaps.iter().zip(theirs) {
            let ours: Vec<Json> = ours
                .events
                .iter()
                .map(|event| {
                    let id = case.ids[&event.value];
                    match event.kind {
                        EventKind::Alloc => serde_json::json!(["A", id]),
                        EventKind::Free => serde_json::json!(["F", id]),
                        EventKind::Share(with) => serde_json::json!(["S", id, case.ids[&with]]),
                    }
                })
                .collect();
            assert_eq!(Json::from(ours.clone()), theirs["events"], "{}", case.name);
            (traces, events) = (traces + 1, events + ours.len());
        }
    });
    println!("{traces} traces, {events} events, 0 different");
}

#[test]
fn allocations_are_those_of_xla() {
    let (mut allocations, mut values) = (0, 0);
    cases(|_, case, _, _| {
        let theirs = case.trace["allocations"].as_array().expect("allocations");
        assert_eq!(case.assignment.allocations.len(), theirs.len(), "{}", case.name);
        for (ours, theirs) in case.assignment.allocations.iter().zip(theirs) {
            let flag = |key| theirs.get(key).is_some_and(|flag| flag == true);
            let at = format!("{}: {theirs}", case.name);
            assert_eq!(ours.size, number(theirs, "size"), "{at}");
            assert_eq!(u64::from(ours.memory_space), number(theirs, "color"), "{at}");
            assert_eq!(ours.parameter.is_some(), flag("entry_param"), "{at}");
            let parameter = ours.parameter.as_ref().map_or(0, |(number, _)| u64::from(*number));
            assert_eq!(parameter, number(theirs, "param"), "{at}");
            assert_eq!(ours.aliased, flag("aliased_with_output"), "{at}");
            assert_eq!(ours.constant, flag("constant"), "{at}");
            assert_eq!(ours.live_out, flag("live_out"), "{at}");
            assert_eq!(ours.thread_local, flag("thread_local"), "{at}");
            assert_eq!(ours.tuple, flag("tuple"), "{at}");
            let mut placed: Vec<(u64, u64, u64)> = ours
                .values
                .iter()
                .map(|placed| (case.ids[&placed.value], placed.offset, placed.size))
                .collect();
            placed.sort_unstable();
            let mut wanted: Vec<(u64, u64, u64)> = theirs["assigned"]
                .as_array()
                .expect("values")
                .iter()
                .map(|row| (number(row, "id"), number(row, "offset"), number(row, "size")))
                .collect();
            wanted.sort_unstable();
            assert_eq!(placed, wanted, "{at}");
            (allocations, values) = (allocations + 1, values + placed.len());
        }
    });
    println!("{allocations} allocations, {values} values, 0 different");
}

#[test]
fn the_text_is_that_of_xla() {
    let mut bytes = 0;
    cases(|folder, case, _, _| {
        let theirs = fs::read_to_string(folder.join("buffer-assignment.txt")).expect("a text");
        let ours = case.text.trim_end();
        // Behind the assignment XLA appends other sections.
        for (ours, theirs) in ours.lines().zip(theirs.lines()) {
            assert_eq!(ours, theirs, "{}", case.name);
        }
        assert_eq!(ours, theirs.trim_end(), "{}", case.name);
        bytes += ours.len();
    });
    println!("{bytes} bytes, 0 different");
}

#[test]
fn statistics_are_those_of_xla() {
    let mut numbers = 0;
    cases(|folder, case, analysis, _| {
        let theirs = &json(&folder.join("memory_analysis.json"))["memory_analysis"];
        let s = &case.stats;
        let peak = match analysis.options.platform {
            Platform::Cpu => s.xla_cpu_peak_in_bytes,
            Platform::Gpu => s.peak_memory_in_bytes,
        };
        let ours = [
            ("generated_code_size_in_bytes", s.generated_code_size_in_bytes),
            ("argument_size_in_bytes", s.argument_size_in_bytes),
            ("output_size_in_bytes", s.output_size_in_bytes),
            ("alias_size_in_bytes", s.alias_size_in_bytes),
            ("temp_size_in_bytes", s.temp_size_in_bytes),
            ("host_generated_code_size_in_bytes", s.host_generated_code_size_in_bytes),
            ("host_argument_size_in_bytes", s.host_argument_size_in_bytes),
            ("host_output_size_in_bytes", s.host_output_size_in_bytes),
            ("host_alias_size_in_bytes", s.host_alias_size_in_bytes),
            ("host_temp_size_in_bytes", s.host_temp_size_in_bytes),
            ("peak_memory_in_bytes", peak),
        ];
        for (name, wanted) in theirs.as_object().expect("numbers") {
            let (_, ours) = ours.iter().find(|(ours, _)| ours == name).expect("a field of ours");
            assert_eq!(Some(*ours), wanted.as_u64(), "{} {name}", case.name);
            numbers += 1;
        }
    });
    println!("{numbers} numbers, 0 different");
}

#[test]
fn the_total_is_that_of_the_usage_report() {
    cases(|folder, case, _, _| {
        // Not every compilation has one.
        let report = fs::read_to_string(folder.join("memory-usage-report.txt"));
        let Ok(report) = report else { return };
        let mut space = 0;
        for line in report.lines() {
            if let Some(rest) = line.strip_prefix("Memory Space:") {
                let number = rest.split("color=").nth(1).and_then(|rest| rest.strip_suffix(')'));
                space = number.and_then(|number| number.parse().ok()).expect("a colour");
            }
            if let Some(rest) = line.strip_prefix("Total bytes:") {
                let total = rest.split_whitespace().next().and_then(|number| number.parse().ok());
                assert_eq!(total, Some(case.stats.spaces[&space].total), "{}", case.name);
            }
        }
    });
}

#[test]
fn the_peak_is_the_sum_of_what_holds_bytes_then() {
    cases(|_, case, analysis, sharing| {
        let peak = peak_values(analysis, &case.assignment);
        assert_eq!(peak.values.iter().map(|value| value.bytes).sum::<u64>(), peak.bytes);
        assert_eq!(peak.bytes, case.stats.peak_memory_in_bytes, "{}", case.name);
        assert!(peak.values.is_sorted_by(|a, b| a.bytes >= b.bytes));
        let exact = minimum_memory(analysis, sharing, Metric::Exact);
        assert!(exact <= minimum_memory(analysis, sharing, Metric::Xla), "{}", case.name);
    });
}

#[test]
fn modules_that_are_not_scheduled_are_assigned_in_the_order_of_their_text() {
    for folder in corpus::folders() {
        let Ok(text) = fs::read_to_string(folder.join("before_optimizations.hlo.txt")) else {
            continue;
        };
        let mut sources = Sources::default();
        let file = sources.add("m.hlo", text.as_str());
        let module = parse(&sources, file).expect("HLO that XLA wrote");
        for platform in [Platform::Cpu, Platform::Gpu] {
            let options = Options { platform, async_start_extension: false };
            let analysis = Analysis::text(&module, options).expect("a consistent module");
            let sharing = Sharing::new(&module, platform);
            let mut pack = |_, events: &[_]| choose_best(events, platform.alignment());
            let assignment = assign(&analysis, &sharing, &mut pack).expect("an assignment");
            let placed = assignment.allocations.iter().map(|of| of.values.len()).sum::<usize>();
            assert_eq!(placed, analysis.values.values.len(), "{}", folder.display());
        }
    }
}
