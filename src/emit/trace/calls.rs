//! Lines of calls.

use serde_json::{Value, json};

use super::keys::Keys;
use crate::format::trace::words::{
    ADVICES, ALLOCS, ATTRIBUTES, COPIES, FLAGS, INFOS, PAGES, POLICIES, POOL_ATTRIBUTES, REGISTERS,
};
use crate::model::trace::{
    Call, Expect, MemoryFlags, Names, PoolAttribute, Register, ReusePolicy, Sym, TraceOp,
};

/// A number that no word of an enumeration has.
const NO_WORD: u32 = u32::MAX;

/// The line of a call.
pub(super) fn op<'a>(names: &'a Names, op: &TraceOp) -> Keys<'a> {
    let mut keys = call(names, &op.call);
    keys.put("i", json!(op.label));
    let (process, thread) = op.thread;
    keys.put("th", json!(format!("{}.{}", names.text(process), names.text(thread))));
    match &op.expect {
        None => {}
        Some(Expect::Ok) => keys.put("expect", json!("ok")),
        Some(Expect::Error(error)) => keys.put("expect", json!({ "err": error })),
        Some(Expect::Value(value)) => keys.put("expect", json!({ "value": value })),
    }
    keys
}

/// A line whose only keys are names.
fn named<'a>(names: &'a Names, op: &str, all: &[(&str, Option<Sym>)]) -> Keys<'a> {
    let mut keys = Keys::op(names, op);
    all.iter().for_each(|(key, name)| keys.name(key, *name));
    keys
}

/// A line about a pointer.
fn at<'a>(names: &'a Names, op: &str, p: Option<Sym>, off: u64) -> Keys<'a> {
    let mut keys = named(names, op, &[("p", p)]);
    keys.number("off", off);
    keys
}

fn call<'a>(names: &'a Names, call: &Call) -> Keys<'a> {
    match call {
        Call::Open { device, flag } => {
            let mut keys = Keys::op(names, "open");
            keys.number("device", (*device).into());
            keys.number("flag", (*flag).into());
            keys
        }
        Call::Close { device, fails } => {
            let mut keys = Keys::op(names, "close");
            keys.number("device", (*device).into());
            keys.truth("fails", *fails, false);
            keys
        }
        Call::Alloc { out, size, device, kind, pages, flags } => {
            let mut keys = named(names, "alloc", &[("out", *out)]);
            keys.put("size", json!(size));
            keys.number("device", (*device).into());
            keys.word("kind", ALLOCS, kind);
            keys.word("pages", PAGES, pages);
            keys.put("flags", flag_words(*flags));
            keys
        }
        Call::Free { p, off } => at(names, "free", *p, *off),
        Call::Memset { dst, dest_max, value, stream, val } => {
            let mut keys = named(names, "memset", &[("stream", *stream)]);
            keys.span("dst", *dst);
            keys.maybe("dest_max", *dest_max);
            keys.number("value", (*value).into());
            keys.val("val", *val);
            keys
        }
        Call::Memcpy { dst, src, dest_max, kind, stream } => {
            let mut keys = named(names, "memcpy", &[("stream", *stream)]);
            keys.span("dst", *dst);
            keys.span("src", *src);
            keys.maybe("dest_max", *dest_max);
            keys.word("kind", COPIES, kind);
            keys
        }
        Call::Memcpy2d { dst, src, width, height, dst_pitch, src_pitch } => {
            let mut keys = Keys::op(names, "memcpy2d");
            keys.span("dst", *dst);
            keys.span("src", *src);
            keys.put("width", json!(width));
            keys.put("height", json!(height));
            keys.put("dst_pitch", json!(dst_pitch));
            keys.put("src_pitch", json!(src_pitch));
            keys
        }
        Call::MemcpyBatch { entries, stream } => {
            let mut keys = named(names, "memcpy_batch", &[("stream", *stream)]);
            let pairs: Vec<Value> = entries
                .iter()
                .map(|(dst, src)| json!([keys.table(*dst), keys.table(*src)]))
                .collect();
            keys.put("entries", Value::Array(pairs));
            keys
        }
        Call::QueryAttr { p, off } => at(names, "query_attr", *p, *off),
        Call::AddressRange { p, off } => at(names, "address_range", *p, *off),
        Call::PointerAttr { p, off } => at(names, "pointer_attr", *p, *off),
        Call::QueryInfo { device, kind } => {
            let mut keys = Keys::op(names, "query_info");
            keys.number("device", (*device).into());
            keys.word("kind", INFOS, kind);
            keys
        }
        Call::Reserve { out, size, alignment, at, pages, shared } => {
            let mut keys = named(names, "reserve", &[("out", *out)]);
            keys.put("size", json!(size));
            keys.number("alignment", *alignment);
            keys.maybe("at", *at);
            keys.word("pages", PAGES, pages);
            keys.truth("shared", *shared, false);
            keys
        }
        Call::Unreserve { p, off } => at(names, "unreserve", *p, *off),
        Call::Create { out, size, device, pages, flag } => {
            let mut keys = named(names, "create", &[("out", *out)]);
            keys.put("size", json!(size));
            keys.side("device", *device);
            keys.word("pages", PAGES, pages);
            keys.number("flag", *flag);
            keys
        }
        Call::Release { handle } => named(names, "release", &[("handle", *handle)]),
        Call::Retain { out, p, off } => {
            let mut keys = at(names, "retain", *p, *off);
            keys.name("out", *out);
            keys
        }
        Call::Map { p, off, size, offset, handle, flag, alias } => {
            let mut keys = at(names, "map", *p, *off);
            keys.put("size", json!(size));
            keys.number("offset", *offset);
            keys.name("handle", *handle);
            keys.number("flag", *flag);
            keys.truth("alias", *alias, false);
            keys
        }
        Call::Unmap { p, off } => at(names, "unmap", *p, *off),
        Call::SetAccess { p, off, size, locations, read_write } => {
            let mut keys = at(names, "set_access", *p, *off);
            keys.put("size", json!(size));
            keys.locations("locations", locations);
            keys.truth("read_write", *read_write, true);
            keys
        }
        Call::GetAccess { p, off, location } => {
            let mut keys = at(names, "get_access", *p, *off);
            keys.location("location", *location);
            keys
        }
        Call::Granularity { device, pages, minimum } => {
            let mut keys = Keys::op(names, "granularity");
            keys.side("device", *device);
            keys.word("pages", PAGES, pages);
            keys.truth("minimum", *minimum, true);
            keys
        }
        Call::Export { out, handle } => {
            named(names, "export", &[("out", *out), ("handle", *handle)])
        }
        Call::ExportAttr { key, processes, no_pid_check } => {
            let mut keys = named(names, "export_attr", &[("key", *key)]);
            keys.names("processes", processes);
            keys.truth("no_pid_check", *no_pid_check, false);
            keys
        }
        Call::Import { out, key, device } => {
            let mut keys = named(names, "import", &[("out", *out), ("key", *key)]);
            keys.number("device", (*device).into());
            keys
        }
        Call::IpcCreate { out, p, off, len, name_len } => {
            let mut keys = at(names, "ipc_create", *p, *off);
            keys.name("out", *out);
            keys.maybe("len", *len);
            keys.put("name_len", json!(name_len));
            keys
        }
        Call::IpcSetpid { key, processes, no_whitelist } => {
            let mut keys = named(names, "ipc_setpid", &[("key", *key)]);
            keys.names("processes", processes);
            keys.truth("no_whitelist", *no_whitelist, false);
            keys
        }
        Call::IpcOpen { out, key, device } => {
            let mut keys = named(names, "ipc_open", &[("out", *out), ("key", *key)]);
            keys.number("device", (*device).into());
            keys
        }
        Call::IpcClose { p } => named(names, "ipc_close", &[("p", *p)]),
        Call::IpcDestroy { key } => named(names, "ipc_destroy", &[("key", *key)]),
        Call::Reg { out, src, kind, device, read_only } => {
            let mut keys = named(names, "reg", &[("out", *out)]);
            keys.span("src", *src);
            match kind {
                Register::Unknown(n) => keys.put("kind", json!(n)),
                kind => keys.word("kind", REGISTERS, kind),
            }
            keys.number("device", (*device).into());
            keys.truth("read_only", *read_only, false);
            keys
        }
        Call::Unreg { p, off, device } => {
            let mut keys = at(names, "unreg", *p, *off);
            keys.number("device", (*device).into());
            keys
        }
        Call::GetDevPtr { out, p, off, device, capability_asked } => {
            let mut keys = at(names, "get_dev_ptr", *p, *off);
            keys.name("out", *out);
            keys.number("device", (*device).into());
            keys.truth("capability_asked", *capability_asked, true);
            keys
        }
        managed => self::managed(names, managed),
    }
}

/// Managed memory, the host, pools.
fn managed<'a>(names: &'a Names, call: &Call) -> Keys<'a> {
    match call {
        Call::Advise { p, off, len, advice, location } => {
            let mut keys = at(names, "advise", *p, *off);
            keys.maybe("len", *len);
            match advice {
                Some(advice) => keys.word("advice", ADVICES, advice),
                None => keys.put("advice", json!(NO_WORD)),
            }
            keys.location("location", *location);
            keys
        }
        Call::Prefetch { p, off, len, location, flags, stream } => {
            let mut keys = at(names, "prefetch", *p, *off);
            keys.maybe("len", *len);
            keys.location("location", *location);
            keys.number("flags", *flags);
            keys.name("stream", *stream);
            keys
        }
        Call::PrefetchBatch { ranges, locations, index, flags, stream } => {
            let mut keys = named(names, "prefetch_batch", &[("stream", *stream)]);
            keys.spans("ranges", ranges);
            keys.locations("locations", locations);
            keys.put("index", json!(index));
            keys.number("flags", *flags);
            keys
        }
        Call::RangeAttr { p, off, len, attribute, data_size } => {
            let mut keys = at(names, "range_attr", *p, *off);
            keys.maybe("len", *len);
            match attribute {
                Some(attribute) => keys.word("attribute", ATTRIBUTES, attribute),
                None => keys.put("attribute", json!(NO_WORD)),
            }
            keys.put("data_size", json!(data_size));
            keys
        }
        Call::HostRead { span } => {
            let mut keys = Keys::op(names, "host_read");
            keys.range(*span);
            keys
        }
        Call::HostWrite { span } => {
            let mut keys = Keys::op(names, "host_write");
            keys.range(*span);
            keys
        }
        Call::Compute { cost } => {
            let mut keys = Keys::op(names, "compute");
            keys.put("cost", json!(cost));
            keys
        }
        Call::PoolCreate { out, device, max, threshold, reuse, ipc, hal } => {
            let mut keys = named(names, "pool_create", &[("out", *out)]);
            keys.number("device", (*device).into());
            keys.number("max", *max);
            keys.number("threshold", *threshold);
            let word =
                |policy: &ReusePolicy| POLICIES.iter().find(|w| w.value == *policy).map(|w| w.name);
            let words: Vec<&str> = reuse.iter().filter_map(word).collect();
            keys.put("reuse", json!(words));
            keys.truth("ipc", *ipc, false);
            keys.truth("hal", *hal, false);
            keys
        }
        Call::PoolDestroy { pool } => named(names, "pool_destroy", &[("pool", *pool)]),
        Call::PoolSet { pool, attribute, value } => {
            let mut keys = named(names, "pool_set", &[("pool", *pool)]);
            pool_attribute(&mut keys, attribute);
            keys.put("value", json!(value));
            keys
        }
        Call::PoolGet { pool, attribute } => {
            let mut keys = named(names, "pool_get", &[("pool", *pool)]);
            pool_attribute(&mut keys, attribute);
            keys
        }
        Call::PoolAlloc { out, size, pool, stream, hal } => {
            let all = [("out", *out), ("pool", *pool), ("stream", *stream)];
            let mut keys = named(names, "pool_alloc", &all);
            keys.put("size", json!(size));
            keys.truth("hal", *hal, false);
            keys
        }
        Call::PoolFree { p, off, stream, hal } => {
            let mut keys = at(names, "pool_free", *p, *off);
            keys.name("stream", *stream);
            keys.truth("hal", *hal, false);
            keys
        }
        Call::PoolTrim { pool, keep } => {
            let mut keys = named(names, "pool_trim", &[("pool", *pool)]);
            keys.put("keep", json!(keep));
            keys
        }
        stream => streams(names, stream),
    }
}

/// Streams, events, kernels, threads.
fn streams<'a>(names: &'a Names, call: &Call) -> Keys<'a> {
    let both = |op: &str, event: &Option<Sym>, stream: &Option<Sym>| {
        named(names, op, &[("ev", *event), ("stream", *stream)])
    };
    match call {
        Call::StreamCreate { out, device } => {
            let mut keys = named(names, "stream_create", &[("out", Some(*out))]);
            keys.number("device", (*device).into());
            keys
        }
        Call::StreamDestroy { stream, force } => {
            let mut keys = named(names, "stream_destroy", &[("stream", *stream)]);
            keys.truth("force", *force, false);
            keys
        }
        Call::EventCreate { out, device, sync, external } => {
            let mut keys = named(names, "event_create", &[("out", Some(*out))]);
            keys.number("device", (*device).into());
            keys.truth("sync", *sync, false);
            keys.truth("external", *external, false);
            keys
        }
        Call::EventRecord { event, stream } => both("event_record", event, stream),
        Call::EventWait { event, stream } => both("event_wait", event, stream),
        Call::EventReset { event, stream } => both("event_reset", event, stream),
        Call::EventQuery { event } => named(names, "event_query", &[("ev", *event)]),
        Call::EventDestroy { event } => named(names, "event_destroy", &[("ev", *event)]),
        Call::IpcEventExport { out, event } => {
            named(names, "ipc_event_export", &[("out", *out), ("ev", *event)])
        }
        Call::IpcEventImport { out, key } => {
            named(names, "ipc_event_import", &[("out", *out), ("key", *key)])
        }
        Call::NotifyRecord { notify, stream } => {
            named(names, "notify_record", &[("notify", Some(*notify)), ("stream", *stream)])
        }
        Call::NotifyWait { notify, stream } => {
            named(names, "notify_wait", &[("notify", Some(*notify)), ("stream", *stream)])
        }
        Call::StreamSync { stream } => named(names, "stream_sync", &[("stream", *stream)]),
        Call::EventSync { event } => named(names, "event_sync", &[("ev", *event)]),
        Call::DeviceSync { device } => {
            let mut keys = Keys::op(names, "device_sync");
            keys.number("device", (*device).into());
            keys
        }
        Call::ValueWrite { p, value, stream } | Call::ValueWait { p, value, stream } => {
            let write = matches!(call, Call::ValueWrite { .. });
            let op = if write { "value_write" } else { "value_wait" };
            let mut keys = named(names, op, &[("stream", *stream)]);
            keys.span("p", Some(*p));
            keys.put("value", json!(value));
            keys
        }
        Call::HostFunc { stream, r, w, name } => {
            let mut keys = named(names, "host_func", &[("stream", *stream), ("name", *name)]);
            keys.spans("r", r);
            keys.spans("w", w);
            keys
        }
        Call::Kernel { stream, name, r, w, rw, cost, body, device } => {
            let all = [("stream", *stream), ("name", *name), ("body", *body)];
            let mut keys = named(names, "kernel", &all);
            keys.spans("r", r);
            keys.spans("w", w);
            keys.spans("rw", rw);
            keys.maybe("cost", *cost);
            keys.maybe("device", device.map(u64::from));
            keys
        }
        Call::Fork { thread } => named(names, "fork", &[("thread", Some(*thread))]),
        Call::Join { thread } => named(names, "join", &[("thread", Some(*thread))]),
        Call::Barrier { threads } => {
            let mut keys = Keys::op(names, "barrier");
            keys.names("threads", threads);
            keys
        }
        // The others are told above.
        call => super::host::call(names, call).unwrap_or_else(|| Keys::op(names, "exit")),
    }
}

fn pool_attribute(keys: &mut Keys<'_>, attribute: &PoolAttribute) {
    match attribute {
        PoolAttribute::Unknown(n) => keys.put("attribute", json!(n)),
        attribute => keys.word("attribute", POOL_ATTRIBUTES, attribute),
    }
}

/// The words whose bits are set.
fn flag_words(flags: MemoryFlags) -> Value {
    let set = |set: &fn(&mut MemoryFlags)| {
        let mut with = flags;
        set(&mut with);
        with == flags
    };
    let words: Vec<&str> = FLAGS.iter().filter(|w| set(&w.value)).map(|w| w.name).collect();
    json!(words)
}
