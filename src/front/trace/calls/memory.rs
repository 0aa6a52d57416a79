//! Devices, allocations, copies, queries, and what the host does itself (5.1 to 5.4).

use super::super::line::{Found, Line};
use super::super::reader::Space;
use crate::diag::Code;
use crate::format::trace::words::{ALLOCS, COPIES, FLAGS, INFOS, PAGES};
use crate::format::tree::{Node, Value};
use crate::model::trace::{AllocKind, Call, CopyKind, InfoKind, MemoryFlags, PageClass, Span};

pub(super) fn call(line: &mut Line<'_, '_>) -> Option<Call> {
    Some(match line.row.name {
        "open" => Call::Open { device: line.small("device"), flag: line.small("flag") },
        "close" => Call::Close { device: line.small("device"), fails: line.truth("fails", false) },
        "alloc" => Call::Alloc {
            size: line.bytes("size"),
            device: line.small("device"),
            kind: line.known("kind", ALLOCS, AllocKind::Dev),
            pages: line.known("pages", PAGES, PageClass::Normal),
            flags: flags(line),
            out: line.out("out", Space::Pointer),
        },
        "free" => {
            let (p, off) = line.place();
            Call::Free { p, off }
        }
        "memset" => {
            let dst = line.wide_span("dst");
            let val = dst.and_then(|span| span.val);
            Call::Memset {
                dst,
                dest_max: line.maybe_bytes("dest_max"),
                value: line.byte("value").unwrap_or(0),
                stream: line.stream(),
                val,
            }
        }
        "memcpy" => memcpy(line),
        "memcpy2d" => Call::Memcpy2d {
            dst: line.span("dst"),
            src: line.span("src"),
            width: line.bytes("width"),
            height: line.number("height"),
            dst_pitch: line.bytes("dst_pitch"),
            src_pitch: line.bytes("src_pitch"),
        },
        "memcpy_batch" => Call::MemcpyBatch { entries: pairs(line), stream: line.stream() },
        "query_attr" => {
            let (p, off) = line.place();
            Call::QueryAttr { p, off }
        }
        "address_range" => {
            let (p, off) = line.place();
            Call::AddressRange { p, off }
        }
        "pointer_attr" => {
            let (p, off) = line.place();
            Call::PointerAttr { p, off }
        }
        "query_info" => Call::QueryInfo {
            device: line.small("device"),
            kind: line.known("kind", INFOS, InfoKind::Ddr),
        },
        "host_read" => Call::HostRead { span: touched(line)? },
        "host_write" => Call::HostWrite { span: touched(line)? },
        "compute" => Call::Compute { cost: line.number("cost") },
        _ => return None,
    })
}

fn flags(line: &mut Line<'_, '_>) -> MemoryFlags {
    let mut flags = MemoryFlags::default();
    for node in line.list("flags") {
        let Value::Text(_) = node.value else {
            line.reader.wrong("flags", node, "a list of words");
            continue;
        };
        if let Some(Found::Known(set)) = line.reader.word("flags", node, FLAGS) {
            set(&mut flags);
        }
    }
    flags
}

/// Both sides of a copy are equally long, and hold the same value: who is silent takes it from the
/// other, or from the line.
fn memcpy(line: &mut Line<'_, '_>) -> Call {
    let (mut dst, mut src) = (line.wide_span("dst"), line.wide_span("src"));
    if let (Some(dst), Some(src)) = (&mut dst, &mut src) {
        dst.len = dst.len.or(src.len);
        src.len = src.len.or(dst.len);
        dst.val = dst.val.or(src.val);
        src.val = src.val.or(dst.val);
    }
    Call::Memcpy {
        dst,
        src,
        dest_max: line.maybe_bytes("dest_max"),
        kind: line.known("kind", COPIES, CopyKind::Default),
        stream: line.stream(),
    }
}

fn pairs(line: &mut Line<'_, '_>) -> Vec<(Span, Span)> {
    let mut all = Vec::new();
    for node in line.list("entries") {
        let sides: Option<(&Node, &Node)> = match &node.value {
            Value::List(items) => match items.as_slice() {
                [dst, src] => Some((dst, src)),
                _ => None,
            },
            Value::Table(members) if members.len() == 2 => node.get("dst").zip(node.get("src")),
            _ => None,
        };
        let Some((dst, src)) = sides else {
            let message = "an entry is a pair `[dst, src]`";
            line.reader.error(Code::TraceInvalidValue, message, &node.span);
            continue;
        };
        let dst = line.reader.real_span("dst", dst);
        if let Some((dst, src)) = dst.zip(line.reader.real_span("src", src)) {
            let len = dst.len.or(src.len);
            all.push((Span { len, ..dst }, Span { len: src.len.or(len), ..src }));
        }
    }
    all
}

/// What the host touches: `p`, `off`, `len`, `val` on the line, or one `span`.
fn touched(line: &mut Line<'_, '_>) -> Option<Span> {
    if line.has("span") {
        return line.wide_span("span");
    }
    let Some(p) = line.name("p", Space::Pointer) else {
        line.missing("p", "what is touched");
        return None;
    };
    let mut span = Span { p, off: 0, len: None, val: None, voff: 0 };
    line.complete(&mut span);
    Some(span)
}
