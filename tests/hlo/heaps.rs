//! The heaps of the HLO corpus: from the events that XLA wrote to the offsets that it chose, and to the
//! smallest heap there is.

use std::collections::BTreeMap;
use std::path::Path;

use memplan::analyze::hlo::{Event, EventKind, ValueId};
use memplan::plan::Options;
use memplan::plan::xla::heap::{Chunk, choose_best};
use memplan::plan::xla::pack::{Packed, pack};
use serde_json::Value;

use crate::corpus;

/// One heap of one compilation.
struct Trace {
    dump: String,
    alignment: u64,
    events: Vec<Event>,
    /// Where XLA put each value, in an allocation in which this heap may start anywhere.
    offsets: BTreeMap<ValueId, u64>,
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn id(value: &Value) -> ValueId {
    ValueId(number(value) as u32)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).expect("a file of the corpus");
    serde_json::from_str(&text).expect("JSON")
}

/// The heaps of a dump.
fn traces(dump: &str, path: &Path) -> Vec<Trace> {
    let json = read(path);
    let mut sizes: BTreeMap<ValueId, u64> =
        list(&json["values"]).iter().map(|v| (id(&v[0]), number(&v[4]))).collect();
    for group in list(&json["must_alias_groups"]) {
        let most = list(group).iter().map(|v| sizes[&id(v)]).max().expect("a value");
        for value in list(group) {
            sizes.insert(id(value), most);
        }
    }
    let mut offsets = BTreeMap::new();
    for allocation in list(&json["allocations"]) {
        for value in list(&allocation["assigned"]) {
            offsets.insert(id(&value["id"]), number(&value["offset"]));
        }
    }
    let event = |event: &Value| {
        let value = id(&event[1]);
        let kind = match event[0].as_str() {
            Some("A") => EventKind::Alloc,
            Some("F") => EventKind::Free,
            _ => EventKind::Share(id(&event[2])),
        };
        Event { kind, value, size: sizes[&value] }
    };
    let trace = |trace: &Value| {
        let events: Vec<Event> = list(&trace["events"]).iter().map(event).collect();
        let alignment = if dump.starts_with("gpu_") { 256 } else { 64 };
        Trace { dump: dump.to_owned(), alignment, events, offsets: offsets.clone() }
    };
    list(&json["heap_traces"]).iter().map(trace).collect()
}

/// All heaps of the corpus, by dump.
fn all_heaps() -> Vec<Trace> {
    let root = corpus::root();
    let mut all = Vec::new();
    for folder in corpus::folders() {
        let name = folder.strip_prefix(&root).expect("inside").display().to_string();
        all.extend(traces(&name, &folder.join("heap_trace.json")));
    }
    all
}

#[test]
fn every_value_of_every_heap_lies_where_xla_put_it() {
    let mut values = 0;
    for trace in all_heaps() {
        let heap = choose_best(&trace.events, trace.alignment);
        let mut base = None;
        for (value, chunk) in &heap.chunks {
            let theirs = trace.offsets[value];
            let start = theirs.checked_sub(chunk.offset);
            assert!(start.is_some(), "{}: value {}", trace.dump, value.0);
            assert_eq!(start, *base.get_or_insert(start), "{}: value {}", trace.dump, value.0);
            values += 1;
        }
    }
    println!("{values} values");
}

/// No two blocks alive at once overlap, and every member of a block lies in the same place.
fn check(trace: &Trace, packed: &Packed) {
    let chunks = &packed.heap.chunks;
    let mut alive: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
    let mut end = 0;
    for event in &trace.events {
        let Chunk { offset, size } = chunks[&event.value];
        assert!(offset.is_multiple_of(trace.alignment) && size >= event.size, "{}", trace.dump);
        end = end.max(offset + size);
        if size == 0 {
            continue;
        }
        match event.kind {
            EventKind::Alloc => {
                let below = alive.range(..offset + size).next_back();
                let free = below.is_none_or(|(_, &(end, _))| end <= offset);
                assert!(free, "{}: value {}", trace.dump, event.value.0);
                alive.insert(offset, (offset + size, 1));
            }
            EventKind::Share(with) => {
                assert_eq!(chunks[&with], chunks[&event.value], "{}", trace.dump);
                let below = alive.range(..offset + size).next_back();
                match below.map(|(&at, &(end, _))| (at, end)) {
                    Some((at, end)) if end > offset => {
                        assert_eq!((at, end), (offset, offset + size), "{}", trace.dump);
                    }
                    _ => (),
                }
                alive.entry(offset).or_insert((offset + size, 0)).1 += 1;
            }
            EventKind::Free => {
                let held = alive.get_mut(&offset).expect("it is alive");
                held.1 -= 1;
                if held.1 == 0 {
                    alive.remove(&offset);
                }
            }
        }
    }
    assert_eq!(end, packed.heap.size, "{}", trace.dump);
}

#[test]
fn every_heap_of_the_corpus_is_packed_as_small_as_any_solver_could() {
    let rows = read(&corpus::root().join("optimal.json"));
    let mut best: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for row in list(&rows) {
        best.entry(row["dump"].as_str().expect("a name").to_owned()).or_default().push(row);
    }
    for trace in all_heaps() {
        let packed = pack(&trace.events, trace.alignment, &Options::default());
        check(&trace, &packed);
        let aligned = packed.heap.size.next_multiple_of(trace.alignment);
        let xla = choose_best(&trace.events, trace.alignment).size;
        println!(
            "{}: {} of {xla}, bound {}, load {}, {} nodes, optimal {}",
            trace.dump,
            packed.heap.size,
            packed.lower_bound,
            packed.max_load,
            packed.nodes,
            packed.optimal
        );
        let rows = best.get(&trace.dump).map_or(&[][..], Vec::as_slice);
        let same = |row: &&&Value| number(&row["xla_heap"]) == xla;
        let row = rows.iter().find(same).expect("a row of optimal.json");
        assert_eq!(aligned, number(&row["best_aligned"]), "{}", trace.dump);
        assert_eq!(packed.max_load, number(&row["lb_unpadded"]), "{}", trace.dump);
        assert!(packed.heap.size <= xla, "{}", trace.dump);
        assert!(packed.optimal, "{}", trace.dump);
    }
}
