//! Streams, events, kernels, threads (5.16).

use super::super::line::Line;
use super::super::reader::Space;
use crate::model::trace::{Call, Sym};

pub(super) fn call(line: &mut Line<'_, '_>) -> Option<Call> {
    let event = |line: &mut Line<'_, '_>| line.name("ev", Space::Event);
    Some(match line.row.name {
        "stream_create" => {
            Call::StreamCreate { out: made(line, Space::Stream)?, device: line.small("device") }
        }
        "stream_destroy" => {
            let stream = line.stream();
            stream.into_iter().for_each(|name| line.reader.end(Space::Stream, name));
            Call::StreamDestroy { stream, force: line.truth("force", false) }
        }
        "event_create" => Call::EventCreate {
            out: made(line, Space::Event)?,
            device: line.small("device"),
            sync: line.truth("sync", false),
            external: line.truth("external", false),
        },
        // An event is there as soon as it is recorded.
        "event_record" => {
            Call::EventRecord { event: line.out("ev", Space::Event), stream: line.stream() }
        }
        "event_wait" => Call::EventWait { event: event(line), stream: line.stream() },
        "event_reset" => Call::EventReset { event: event(line), stream: line.stream() },
        "event_query" => Call::EventQuery { event: event(line) },
        "event_destroy" => {
            let event = event(line);
            event.into_iter().for_each(|name| line.reader.end(Space::Event, name));
            Call::EventDestroy { event }
        }
        "ipc_event_export" => {
            Call::IpcEventExport { event: event(line), out: line.out("out", Space::Key) }
        }
        "ipc_event_import" => Call::IpcEventImport {
            key: line.name("key", Space::Key),
            out: line.out("out", Space::Event),
        },
        "notify_record" => {
            Call::NotifyRecord { notify: line.needed_name("notify")?, stream: line.stream() }
        }
        "notify_wait" => {
            Call::NotifyWait { notify: line.needed_name("notify")?, stream: line.stream() }
        }
        "stream_sync" => Call::StreamSync { stream: line.stream() },
        "event_sync" => Call::EventSync { event: event(line) },
        "device_sync" => Call::DeviceSync { device: line.small("device") },
        "value_write" => Call::ValueWrite {
            p: line.needed_span("p")?,
            value: line.number("value"),
            stream: line.stream(),
        },
        "value_wait" => Call::ValueWait {
            p: line.needed_span("p")?,
            value: line.number("value"),
            stream: line.stream(),
        },
        "host_func" => Call::HostFunc {
            stream: line.stream(),
            r: line.spans("r"),
            w: line.spans("w"),
            name: line.free_name("name"),
        },
        "kernel" => Call::Kernel {
            stream: line.stream(),
            name: line.free_name("name"),
            r: line.spans("r"),
            w: line.spans("w"),
            rw: line.spans("rw"),
            cost: line.maybe_number("cost"),
            body: line.name("body", Space::Program),
            device: line.maybe_small("device"),
        },
        "fork" => Call::Fork { thread: line.fork("thread")? },
        "join" => Call::Join { thread: line.join("thread")? },
        "barrier" => Call::Barrier { threads: line.threads("threads") },
        "exit" => Call::Exit,
        _ => return None,
    })
}

/// The name of what may be made once only, until it is destroyed.
fn made(line: &mut Line<'_, '_>, space: Space) -> Option<Sym> {
    let out = line.needed_name("out")?;
    let span = line.get("out").map_or(0..0, |node| node.span.clone());
    line.reader.make_once(space, out, &span);
    Some(out)
}
