//! Values, groups and live ranges of the HLO corpus against what XLA printed.

use std::collections::{BTreeMap, BTreeSet};

use crate::corpus::{Program, programs};
use memplan::analyze::hlo::{Analysis, ValueId, live_range_text, values_text};

/// What tells values apart: the name, and whether it is a phi.
type Key = (String, bool);

fn keys(analysis: &Analysis<'_>) -> BTreeMap<Key, ValueId> {
    let name = |id| analysis.values.name(analysis.module, id);
    let all = analysis.values.values.enumerate();
    all.map(|(id, value)| ((name(id), value.is_phi), id)).collect()
}

/// A block of `buffer-assignment-values.txt`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Block {
    positions: BTreeSet<String>,
    color: String,
    uses: BTreeSet<String>,
}

fn blocks(text: &str) -> BTreeMap<Key, Block> {
    let mut out = BTreeMap::new();
    let mut key = None;
    let mut section = "";
    for line in text.lines() {
        if let Some(head) = line.strip_prefix('<') {
            let words: Vec<_> = head.trim_end_matches('>').split(' ').collect();
            let phi = words.contains(&"(phi)");
            let name = (words[1].to_owned(), phi);
            let color = words.last().copied().unwrap_or_default().to_owned();
            out.insert(name.clone(), Block { color, ..Block::default() });
            key = Some(name);
        } else if line == " positions:" || line == " uses:" {
            section = line;
        } else if line.starts_with(" from instruction:") {
            section = "";
        } else if let (Some(item), Some(key)) = (line.strip_prefix("  "), &key) {
            let block: &mut Block = out.entry(key.clone()).or_default();
            match section {
                " positions:" => block.positions.insert(item.to_owned()),
                " uses:" if item != "(none)" => block.uses.insert(item.to_owned()),
                _ => false,
            };
        }
    }
    out
}

#[test]
fn every_value_has_xlas_positions_and_uses() {
    let mut count = 0;
    for program in programs() {
        let Program { name, folder, .. } = &program;
        let analysis = program.analysis();
        let Ok(text) = std::fs::read_to_string(folder.join("buffer-assignment-values.txt")) else {
            continue;
        };
        let ours = blocks(&values_text(&analysis));
        for (key, theirs) in blocks(&text) {
            let ours = ours.get(&key).unwrap_or_else(|| panic!("{name}: no value {key:?}"));
            assert_eq!(*ours, theirs, "{name}: {key:?}");
            count += 1;
        }
    }
    eprintln!("{count} values with XLA's positions and uses");
}

#[test]
fn values_and_sizes_are_xlas_and_no_others() {
    let mut count = 0;
    for program in programs() {
        let analysis = program.analysis();
        let trace = program.trace();
        let keys = keys(&analysis);
        assert_eq!(keys.len(), analysis.values.values.len(), "names are unique");
        let ids = program.ids(&trace, &keys);
        assert_eq!(ids.len(), analysis.values.values.len(), "{}: as many values", program.name);
        for row in trace["values"].as_array().expect("values") {
            let id = ids[&row[0].as_u64().expect("an id")];
            let size = row[4].as_u64().expect("a size");
            assert_eq!(analysis.values.values[id].size, size, "{}: size of {row}", program.name);
            count += 1;
        }
    }
    eprintln!("{count} values with XLA's sizes");
}

#[test]
fn must_alias_groups_are_xlas() {
    let mut count = 0;
    for program in programs() {
        let analysis = program.analysis();
        let trace = program.trace();
        let ids = program.ids(&trace, &keys(&analysis));
        let theirs: BTreeSet<BTreeSet<ValueId>> = trace["must_alias_groups"]
            .as_array()
            .expect("groups")
            .iter()
            .map(|group| {
                let values = group.as_array().expect("a group").iter();
                values.map(|id| ids[&id.as_u64().expect("an id")]).collect()
            })
            .collect();
        let ours = analysis.groups.groups.iter().filter(|group| group.len() > 1);
        let ours: BTreeSet<BTreeSet<ValueId>> =
            ours.map(|group| group.iter().copied().collect()).collect();
        assert_eq!(ours, theirs, "{}", program.name);
        count += ours.len();
    }
    eprintln!("{count} groups of several values as XLA's");
}

#[test]
fn the_live_range_text_is_xlas() {
    let mut count = 0;
    for program in programs() {
        let text = live_range_text(&program.analysis());
        let theirs =
            std::fs::read_to_string(program.folder.join("live-range.txt")).expect("ranges");
        let theirs = theirs.split("  Stack trace breakdown").next().expect("a text");
        // XLA prints the ranges in the order of ids that the text does not have.
        let parts = |text: &str| -> (String, BTreeSet<String>, String) {
            let (schedule, rest) = text.split_once("  BufferLiveRange:\n").expect("ranges");
            let (ranges, peak) = rest.split_once("  Live ranges at").expect("a peak");
            (schedule.into(), ranges.lines().map(str::to_owned).collect(), peak.into())
        };
        let (ours, theirs) = (parts(&text), parts(theirs));
        assert_eq!(ours.0, theirs.0, "{}: schedule", program.name);
        let missing: Vec<_> = theirs.1.symmetric_difference(&ours.1).collect();
        assert!(missing.is_empty(), "{}: ranges that differ: {missing:#?}", program.name);
        assert_eq!(ours.2, theirs.2, "{}: peak", program.name);
        count += ours.1.len();
    }
    eprintln!("{count} ranges as XLA's");
}
