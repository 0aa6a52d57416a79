//! Stream-ordered pools (5.15).

use super::super::line::{Found, Line};
use super::super::reader::Space;
use crate::diag::Code;
use crate::format::trace::words::{POLICIES, POOL_ATTRIBUTES};
use crate::model::trace::{Call, PoolAttribute, ReusePolicy};

pub(super) fn call(line: &mut Line<'_, '_>) -> Option<Call> {
    let pool = |line: &mut Line<'_, '_>| line.name("pool", Space::Pool);
    Some(match line.row.name {
        "pool_create" => Call::PoolCreate {
            device: line.small("device"),
            max: line.bytes("max"),
            threshold: line.bytes("threshold"),
            reuse: policies(line),
            ipc: line.truth("ipc", false),
            hal: line.truth("hal", false),
            out: line.out("out", Space::Pool),
        },
        "pool_destroy" => Call::PoolDestroy { pool: pool(line) },
        "pool_set" => Call::PoolSet {
            pool: pool(line),
            attribute: attribute(line)?,
            value: line.bytes("value"),
        },
        "pool_get" => Call::PoolGet { pool: pool(line), attribute: attribute(line)? },
        "pool_alloc" => Call::PoolAlloc {
            size: line.bytes("size"),
            pool: pool(line),
            stream: line.stream(),
            hal: line.truth("hal", false),
            out: line.out("out", Space::Pointer),
        },
        "pool_free" => {
            let (p, off) = line.place();
            Call::PoolFree { p, off, stream: line.stream(), hal: line.truth("hal", false) }
        }
        "pool_trim" => Call::PoolTrim { pool: pool(line), keep: line.bytes("keep") },
        _ => return None,
    })
}

fn attribute(line: &mut Line<'_, '_>) -> Option<PoolAttribute> {
    Some(match line.word("attribute", POOL_ATTRIBUTES)? {
        Found::Known(attribute) => attribute,
        Found::Number(n) => PoolAttribute::Unknown(n),
    })
}

/// Reuse in one stream is on where nothing is said.
fn policies(line: &mut Line<'_, '_>) -> Vec<ReusePolicy> {
    if !line.has("reuse") {
        return vec![ReusePolicy::Single];
    }
    let mut all = Vec::new();
    for node in line.list("reuse") {
        match line.reader.word("reuse", node, POLICIES) {
            Some(Found::Known(policy)) => all.push(policy),
            Some(Found::Number(n)) => {
                let message = format!("`reuse` has no word of the number {n}");
                line.reader.error(Code::TraceInvalidValue, message, &node.span);
            }
            None => {}
        }
    }
    all
}
