//! A trace as JSON Lines: what the reader reads back as the same trace.

mod calls;
mod host;
mod keys;
mod lines;

use serde_json::{Map, Value, json};

use self::keys::Keys;
use crate::model::machine::Mode;
use crate::model::trace::{AssumeSync, Fault, Names, Trace};

/// The lines, programs before the calls.
pub fn trace(trace: &Trace) -> String {
    let mut out = format!("{}\n", Value::Object(header(trace)));
    for program in &trace.programs {
        for line in &program.lines {
            let mut keys = lines::line(&trace.names, line);
            keys.name("program", Some(program.name));
            out.push_str(&format!("{}\n", keys.value()));
        }
    }
    for op in &trace.ops {
        out.push_str(&format!("{}\n", calls::op(&trace.names, op).value()));
    }
    out
}

fn header(trace: &Trace) -> Map<String, Value> {
    let mut keys = Keys::new(&trace.names);
    keys.put("trace", json!(1));
    keys.name("machine", trace.machine);
    if let Some(mode) = trace.mode {
        keys.put("mode", json!(if mode == Mode::Spec { "spec" } else { "source" }));
    }
    keys.names("processes", &trace.processes);
    keys.put("devices", json!(trace.devices));
    if let Some(assume) = trace.assume_sync {
        let word = if assume == AssumeSync::None { "none" } else { "full" };
        keys.put("assume_sync", json!(word));
    }
    // Several keys of one table stand with their dots: each is a key of its own.
    for setting in &trace.settings {
        keys.put(&setting.key, json!(setting.value));
    }
    if let Some(expected) = &trace.expect_findings {
        let table: Map<String, Value> =
            expected.iter().map(|(name, count)| (name.clone(), json!(count))).collect();
        keys.put("expect_findings", Value::Object(table));
    }
    if !trace.outputs.is_empty() {
        let ranges = trace.outputs.iter().map(|output| {
            let mut keys = Keys::new(&trace.names);
            keys.range(output.span);
            Value::Object(keys.map())
        });
        keys.put("outputs", Value::Array(ranges.collect()));
    }
    let faults: Vec<Value> =
        trace.injections.iter().map(|i| fault(&trace.names, &i.fault)).collect();
    if !faults.is_empty() {
        keys.put("inject", Value::Array(faults));
    }
    keys.map()
}

fn fault(names: &Names, fault: &Fault) -> Value {
    let mut keys = Keys::new(names);
    let mut nth = |word: &str, n: u64| {
        keys.put("fault", json!(word));
        keys.put("n", json!(n));
    };
    match *fault {
        Fault::FailAlloc(n) => nth("fail_alloc", n),
        Fault::FailMap(n) => nth("fail_map", n),
        Fault::FailProtect(n) => nth("fail_protect", n),
        Fault::DmaError(n) => nth("dma_error", n),
        Fault::AckTimeout(n) => nth("ack_timeout", n),
        Fault::SwapRefused => keys.put("fault", json!("swap_refused")),
        Fault::ReorderBatch => keys.put("fault", json!("reorder_batch")),
        Fault::StaleAttr => keys.put("fault", json!("stale_attr")),
        Fault::HostOom(pages) => {
            keys.put("fault", json!("host_oom"));
            keys.put("pages", json!(pages));
        }
        Fault::Evict { p, off, at } => {
            keys.put("fault", json!("evict"));
            keys.name("p", Some(p));
            keys.number("off", off);
            keys.put("at", json!(at));
        }
        Fault::Slow(actor) => {
            keys.put("fault", json!("slow"));
            keys.name("actor", Some(actor));
        }
        Fault::Crash { process, at } => {
            keys.put("fault", json!("crash"));
            keys.name("process", Some(process));
            keys.put("at", json!(at));
        }
        Fault::LostEvent(event) => {
            keys.put("fault", json!("lost_event"));
            keys.name("ev", Some(event));
        }
        Fault::DropPrefetch(p) => {
            keys.put("fault", json!("drop_prefetch"));
            keys.name("p", Some(p));
        }
    }
    keys.value()
}
