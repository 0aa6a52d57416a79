//! Every row of the language is read, with all of its keys; and the language has every call.

use std::collections::BTreeSet;

use memplan::format::trace::{CALLS, EVERY_CALL, EVERY_LINE, FAULTS, INSTRUCTIONS, Key, Kind, Row};
use memplan::model::trace::{Call, Instruction};
use serde_json::{Map, Value, json};

use super::{good, wrong};

/// Lines that make a name of each kind.
pub(super) const PRELUDE: &str = r#"{"trace": 1}
{"op": "alloc", "out": "a", "size": 4096}
{"op": "create", "out": "h", "size": 4096}
{"op": "export", "out": "k", "handle": "h"}
{"op": "pool_create", "out": "P"}
{"op": "section_reserve", "sections": "sections"}
{"op": "event_record", "ev": "e"}
{"op": "fork", "thread": "h1"}
{"op": "barrier", "program": "prog", "pipe": "V"}
"#;

/// Calls of the prelude: the line of a program is none.
pub(super) const PRELUDE_CALLS: usize = 7;

/// A value of each kind.
pub(super) fn sample(key: &Key) -> Value {
    match key.kind {
        Kind::Bytes => json!("4 KiB"),
        Kind::Number(_) if key.name == "mode" => json!(4),
        Kind::Number(_) => json!(3),
        Kind::Truth => json!(true),
        Kind::Text => json!("plan.toml:1"),
        Kind::Label => json!("third"),
        Kind::Name => json!(match key.name {
            "p" | "gm" => "a",
            "handle" => "h",
            "key" => "k",
            "pool" => "P",
            "ev" => "e",
            "body" => "prog",
            "thread" => "h2",
            "th" => "p0.h1",
            name => name,
        }),
        Kind::Names => json!(["p0", "p1"]),
        Kind::Location => json!("device 1"),
        Kind::Locations => json!(["host", {"numa": 1}]),
        Kind::Side => json!("host"),
        Kind::Word(names) => json!(names()[names().len() - 1]),
        Kind::Words(names) => json!(names()),
        Kind::Numbers => json!([0, 1]),
        Kind::Val => json!("x@3"),
        Kind::Span => json!({"p": "a", "off": 16, "len": 32, "val": "x@3", "voff": 16}),
        Kind::Spans => json!(["a", {"p": "a", "len": "1KiB"}]),
        Kind::Pairs => json!([["a", "a"], {"dst": "a", "src": "a"}]),
        Kind::Expect => json!({"err": "InvalidValue"}),
        Kind::Place => json!({"ub": 32, "len": 64, "stride": 64, "mod": 2, "of": "l"}),
        Kind::Places => {
            json!([{"gm": "a", "off": 8, "len": 64}, {"scope": "x", "base": 0, "len": 1}])
        }
        Kind::Pipe => json!("MTE2"),
        Kind::Ids => json!([0, 1]),
        Kind::Lines => json!([{"op": "barrier"}, {"op": "loop", "n": 2, "body": []}]),
    }
}

fn line(row: &Row, every: &[Key], keys: impl Fn(&Key) -> bool) -> Map<String, Value> {
    let all = row.keys.iter().chain(every).filter(|k| k.name != "op" && keys(k));
    let mut line: Map<String, Value> = Map::new();
    line.insert("op".to_owned(), json!(row.name));
    for key in all {
        // `reserve` has an `at` of its own.
        line.entry(key.name.to_owned()).or_insert_with(|| sample(key));
    }
    line
}

fn text(line: &Map<String, Value>) -> String {
    let join = r#"{"op": "fork", "thread": "h2"}"#;
    let before = if line["op"] == "join" { format!("{join}\n") } else { String::new() };
    format!("{PRELUDE}{before}{}\n", Value::Object(line.clone()))
}

/// The word of a call: a call that the language cannot say does not compile here.
fn word(call: &Call) -> &'static str {
    match call {
        Call::Open { .. } => "open",
        Call::Close { .. } => "close",
        Call::Alloc { .. } => "alloc",
        Call::Free { .. } => "free",
        Call::Memset { .. } => "memset",
        Call::Memcpy { .. } => "memcpy",
        Call::Memcpy2d { .. } => "memcpy2d",
        Call::MemcpyBatch { .. } => "memcpy_batch",
        Call::QueryAttr { .. } => "query_attr",
        Call::QueryInfo { .. } => "query_info",
        Call::AddressRange { .. } => "address_range",
        Call::PointerAttr { .. } => "pointer_attr",
        Call::Reserve { .. } => "reserve",
        Call::Unreserve { .. } => "unreserve",
        Call::Create { .. } => "create",
        Call::Release { .. } => "release",
        Call::Retain { .. } => "retain",
        Call::Map { .. } => "map",
        Call::Unmap { .. } => "unmap",
        Call::SetAccess { .. } => "set_access",
        Call::GetAccess { .. } => "get_access",
        Call::Granularity { .. } => "granularity",
        Call::Export { .. } => "export",
        Call::ExportAttr { .. } => "export_attr",
        Call::Import { .. } => "import",
        Call::IpcCreate { .. } => "ipc_create",
        Call::IpcSetpid { .. } => "ipc_setpid",
        Call::IpcOpen { .. } => "ipc_open",
        Call::IpcClose { .. } => "ipc_close",
        Call::IpcDestroy { .. } => "ipc_destroy",
        Call::Reg { .. } => "reg",
        Call::Unreg { .. } => "unreg",
        Call::GetDevPtr { .. } => "get_dev_ptr",
        Call::Advise { .. } => "advise",
        Call::Prefetch { .. } => "prefetch",
        Call::PrefetchBatch { .. } => "prefetch_batch",
        Call::RangeAttr { .. } => "range_attr",
        Call::HostRead { .. } => "host_read",
        Call::HostWrite { .. } => "host_write",
        Call::Compute { .. } => "compute",
        Call::PoolCreate { .. } => "pool_create",
        Call::PoolDestroy { .. } => "pool_destroy",
        Call::PoolSet { .. } => "pool_set",
        Call::PoolGet { .. } => "pool_get",
        Call::PoolAlloc { .. } => "pool_alloc",
        Call::PoolFree { .. } => "pool_free",
        Call::PoolTrim { .. } => "pool_trim",
        Call::StreamCreate { .. } => "stream_create",
        Call::StreamDestroy { .. } => "stream_destroy",
        Call::EventCreate { .. } => "event_create",
        Call::EventRecord { .. } => "event_record",
        Call::EventWait { .. } => "event_wait",
        Call::EventReset { .. } => "event_reset",
        Call::EventQuery { .. } => "event_query",
        Call::EventDestroy { .. } => "event_destroy",
        Call::IpcEventExport { .. } => "ipc_event_export",
        Call::IpcEventImport { .. } => "ipc_event_import",
        Call::NotifyRecord { .. } => "notify_record",
        Call::NotifyWait { .. } => "notify_wait",
        Call::StreamSync { .. } => "stream_sync",
        Call::EventSync { .. } => "event_sync",
        Call::DeviceSync { .. } => "device_sync",
        Call::ValueWrite { .. } => "value_write",
        Call::ValueWait { .. } => "value_wait",
        Call::HostFunc { .. } => "host_func",
        Call::Kernel { .. } => "kernel",
        Call::SectionReserve { .. } => "section_reserve",
        Call::SectionAllocate { .. } => "section_allocate",
        Call::SectionFinalize { .. } => "section_finalize",
        Call::SectionDestroy { .. } => "section_destroy",
        Call::HostPoolCreate { .. } => "host_pool_create",
        Call::HostPoolAcquire { .. } => "host_pool_acquire",
        Call::HostPoolGet { .. } => "host_pool_get",
        Call::HostPoolMove { .. } => "host_pool_move",
        Call::HostPoolRelease { .. } => "host_pool_release",
        Call::HostPoolDestroy { .. } => "host_pool_destroy",
        Call::Fork { .. } => "fork",
        Call::Join { .. } => "join",
        Call::Barrier { .. } => "barrier",
        Call::Exit => "exit",
    }
}

fn core_word(instruction: &Instruction) -> &'static str {
    match instruction {
        Instruction::Copy { .. } => "copy",
        Instruction::Exec { .. } => "exec",
        Instruction::Set { .. } => "set",
        Instruction::Wait { .. } => "wait",
        Instruction::Barrier { .. } => "barrier",
        Instruction::XSet { .. } => "xset",
        Instruction::XWait { .. } => "xwait",
        Instruction::Loop { .. } => "loop",
        Instruction::If { .. } => "if",
    }
}

#[test]
fn every_call_is_read_with_all_of_its_keys_and_with_none_that_it_can_do_without() {
    let mut words = BTreeSet::new();
    for row in CALLS {
        for keys in [(|_: &Key| true) as fn(&Key) -> bool, |key| key.need] {
            let mut line = line(row, EVERY_CALL, keys);
            // Either of two ways to say what is touched.
            if ["host_read", "host_write"].contains(&row.name) {
                line.insert("p".to_owned(), json!("a"));
            }
            let trace = good(&text(&line));
            let last = trace.ops.last().expect("a call");
            assert!(trace.ops.len() > PRELUDE_CALLS, "{line:?}");
            assert_eq!(word(&last.call), row.name);
        }
        assert!(words.insert(row.name), "`{}` twice", row.name);
    }
    assert_eq!(words.len(), 80);
}

#[test]
fn every_instruction_is_read_with_all_of_its_keys_and_with_none_that_it_can_do_without() {
    for row in INSTRUCTIONS {
        for keys in [(|_: &Key| true) as fn(&Key) -> bool, |key| key.need] {
            let line = line(row, EVERY_LINE, |key| keys(key) && key.name != "program");
            let trace = good(&text(&line));
            let program = trace.programs.last().expect("a program");
            assert_eq!(core_word(&program.lines[0].instruction), row.name);
        }
    }
}

#[test]
fn a_key_that_is_needed_is_missed_and_a_key_too_many_is_told() {
    let rows = CALLS.iter().map(|row| (row, EVERY_CALL));
    for (row, every) in rows.chain(INSTRUCTIONS.iter().map(|row| (row, EVERY_LINE))) {
        let whole = line(row, every, |key| key.name != "program");
        for key in row.keys.iter().filter(|k| k.need) {
            let mut line = whole.clone();
            line.remove(key.name);
            let errors = wrong(&text(&line));
            let message = format!("`{}` has no `{}`", row.name, key.name);
            // A host's barrier without threads is a core's.
            let told = errors.iter().any(|e| e.contains(&message)) || row.name == "barrier";
            assert!(told, "{line:?}: {errors:?}");
        }
        let mut line = whole.clone();
        line.insert("quux".to_owned(), json!(1));
        let errors = wrong(&text(&line));
        let message = format!("`{}` has no key `quux`", row.name);
        assert!(errors.iter().any(|e| e.contains(&message)), "{line:?}: {errors:?}");
    }
}

#[test]
fn every_fault_is_read() {
    for row in FAULTS {
        let mut fault: Map<String, Value> = Map::new();
        fault.insert("fault".to_owned(), json!(row.name));
        for key in row.keys {
            let value = if key.name == "at" { json!(0) } else { sample(key) };
            fault.insert(key.name.to_owned(), value);
        }
        let text = format!("{}\n", json!({"trace": 1, "inject": [fault]}));
        assert_eq!(good(&text).injections.len(), 1, "{text}");
    }
}

/// The rows of the tables of docs/FORMATS.md: op, keys, example.
fn documented() -> Vec<(String, String, String)> {
    let text = std::fs::read_to_string("docs/FORMATS.md").expect("the document");
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        let op = cells.next()?.trim_end_matches('`').to_owned();
        let (keys, rest) = (cells.next()?.to_owned(), cells.next()?);
        let example = &rest[rest.find("`{")? + 1..rest.rfind('`')?];
        Some((op, keys, example.to_owned()))
    };
    text.lines().filter_map(row).collect()
}

#[test]
fn the_document_has_every_op_with_its_keys_and_an_example_that_is_read() {
    let documented = documented();
    for row in CALLS.iter().chain(INSTRUCTIONS) {
        let keys = |keys: &str| row.keys.iter().all(|k| keys.contains(&format!("`{}`", k.name)));
        let mut found = documented.iter().filter(|(op, words, _)| op == row.name && keys(words));
        let Some((_, _, example)) = found.next() else { panic!("no row for `{}`", row.name) };
        let text = format!("{{\"trace\": 1}}\n{example}\n");
        // Examples speak of names that other lines make.
        if let Err(errors) = super::read(&text) {
            let strange = errors.iter().find(|e| !e.code.name().ends_with("unknown_name"));
            assert!(strange.is_none(), "{example}: {strange:?}");
        }
    }
}
