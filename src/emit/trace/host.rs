//! Lines about sections and host memory pools.

use serde_json::json;

use super::keys::Keys;
use crate::format::trace::words::{PRIMITIVES, SECTIONS};
use crate::model::trace::{Call, Names, SectionSize};

/// The line of a call; none where it is no such call.
pub(super) fn call<'a>(names: &'a Names, call: &Call) -> Option<Keys<'a>> {
    let op = |op: &str| Keys::op(names, op);
    Some(match call {
        Call::SectionReserve { sections, code, ro, rw } => {
            let mut keys = op("section_reserve");
            keys.name("sections", Some(*sections));
            size(&mut keys, "code", "code_align", *code);
            size(&mut keys, "ro", "ro_align", *ro);
            size(&mut keys, "rw", "rw_align", *rw);
            keys
        }
        Call::SectionAllocate { out, sections, section, size, align } => {
            let mut keys = op("section_allocate");
            keys.name("out", *out);
            keys.name("sections", Some(*sections));
            keys.word("section", SECTIONS, section);
            keys.put("size", json!(size));
            keys.put("align", json!(align));
            keys
        }
        Call::SectionFinalize { sections } => {
            let mut keys = op("section_finalize");
            keys.name("sections", Some(*sections));
            keys
        }
        Call::SectionDestroy { sections } => {
            let mut keys = op("section_destroy");
            keys.name("sections", Some(*sections));
            keys
        }
        Call::HostPoolCreate { out, primitive, device } => {
            let mut keys = op("host_pool_create");
            keys.name("out", *out);
            keys.word("type", PRIMITIVES, primitive);
            keys.number("device", (*device).into());
            keys
        }
        Call::HostPoolAcquire { out, pool, count } => {
            let mut keys = op("host_pool_acquire");
            keys.name("out", *out);
            keys.name("pool", *pool);
            keys.put("count", json!(count));
            keys
        }
        Call::HostPoolGet { out, handle, primitive } => {
            let mut keys = op("host_pool_get");
            keys.name("out", *out);
            keys.name("handle", *handle);
            keys.word("type", PRIMITIVES, primitive);
            keys
        }
        Call::HostPoolMove { out, handle } => {
            let mut keys = op("host_pool_move");
            keys.name("out", Some(*out));
            keys.name("handle", *handle);
            keys
        }
        Call::HostPoolRelease { handle } => {
            let mut keys = op("host_pool_release");
            keys.name("handle", *handle);
            keys
        }
        Call::HostPoolDestroy { pool } => {
            let mut keys = op("host_pool_destroy");
            keys.name("pool", *pool);
            keys
        }
        _ => return None,
    })
}

fn size(keys: &mut Keys<'_>, bytes: &str, align: &str, wanted: SectionSize) {
    keys.number(bytes, wanted.bytes);
    keys.put(align, json!(wanted.align));
}
