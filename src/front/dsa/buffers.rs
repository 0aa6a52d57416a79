//! `buffers[]`.

use std::collections::HashMap;

use super::document::Document;
use super::json::{Object, Value};
use super::pools::Pools;
use crate::diag::{Code, Diagnostic, Loc};
use crate::front::errors::shown;
use crate::model::{Buffer, BufferId, Bytes, Function, Live, ScopeId, Value as Name, ValueKind};

/// The buffers by their ids in the document.
#[derive(Default)]
pub(super) struct Buffers {
    by_id: HashMap<u64, BufferId>,
}

impl Buffers {
    /// Reads all buffers into the function, as far as they can be read. `pinned` has the pools of
    /// pinned buffers: a pin decides between several.
    pub(super) fn read(
        document: &mut Document,
        list: Vec<Value<'_>>,
        pools: &Pools,
        pinned: &HashMap<u64, u64>,
        function: &mut Function,
    ) -> Self {
        let mut buffers = Self::default();
        let mut places: HashMap<u64, Loc> = HashMap::new();
        let mut room = 0u64;
        for value in list {
            if document.errors.full() {
                break;
            }
            let Some(object) = value.object("a buffer", &mut document.errors) else { continue };
            document.unknown("a buffer", &object, &KEYS);
            let Some((id, at)) = id(document, &object) else { continue };
            let read = buffer(document, &object, id, pools, pinned.get(&id).copied());
            if let Some(before) = places.insert(id, at) {
                document.twice("buffer", id, at, before);
                continue;
            }
            let Some(buffer) = read else { continue };
            let need = buffer.size.0.checked_add(buffer.alignment);
            match need.and_then(|need| room.checked_add(need)) {
                Some(sum) => room = sum,
                None => {
                    let message = "with this buffer the sizes add up to more than 64 bits";
                    let error = Diagnostic::error(Code::DsaSizeOverflow, message);
                    document.errors.push(error.at(object.loc(), ""));
                    continue;
                }
            }
            buffers.by_id.insert(id, add(function, buffer));
        }
        buffers
    }

    /// The buffer of that id.
    pub(super) fn get(&self, id: u64) -> Option<BufferId> {
        self.by_id.get(&id).copied()
    }
}

const KEYS: [&str; 6] = ["id", "name", "size", "alignment", "live_intervals", "allowed_pools"];

fn add(function: &mut Function, buffer: Buffer) -> BufferId {
    let (name, loc) = (buffer.name.clone(), buffer.loc);
    let id = function.buffers.push(buffer);
    let value = function.values.push(Name { name, loc, kind: ValueKind::Buffer(id) });
    function.buffers[id].value = value;
    id
}

fn id(document: &mut Document, object: &Object<'_>) -> Option<(u64, Loc)> {
    let id = object.need("id", "a buffer", &mut document.errors)?;
    Some((id.number("the id of a buffer", &mut document.errors)?, id.loc()))
}

fn buffer(
    document: &mut Document,
    object: &Object<'_>,
    id: u64,
    pools: &Pools,
    pinned: Option<u64>,
) -> Option<Buffer> {
    let what = format!("buffer {id}");
    let errors = &mut document.errors;
    let name =
        object.need("name", &what, errors).and_then(|v| v.text("the name of a buffer", errors));
    let size = object.need("size", &what, errors).and_then(|v| v.number("the size", errors));
    let alignment = object.need("alignment", &what, errors);
    let alignment = alignment.and_then(|v| match v.number("the alignment", errors)? {
        0 => {
            let error = Diagnostic::error(Code::DsaInvalidValue, "an alignment of 0");
            errors.push(error.at(v.loc(), "").help("write 1 for none"));
            None
        }
        n => Some(n),
    });
    let live = live(document, object, &what);
    let scope = pool(document, object, &what, pools, pinned);
    let name = match name? {
        name if name.trim().is_empty() => format!("buffer {id}"),
        name => name,
    };
    let given = Buffer::given(name, scope?, Bytes(size?), alignment?, live?);
    Some(Buffer { loc: Some(object.loc()), ..given })
}

/// Sorted; what overlaps or touches is one range.
fn live(document: &mut Document, object: &Object<'_>, what: &str) -> Option<Vec<Live>> {
    let list = object.need("live_intervals", what, &mut document.errors)?;
    let at = list.loc();
    let list = list.list("`live_intervals`", &mut document.errors)?;
    if list.is_empty() {
        let message = format!("{what} is never alive");
        document.errors.push(Diagnostic::error(Code::DsaBadInterval, message).at(at, ""));
        return None;
    }
    let mut ranges = Vec::with_capacity(list.len());
    for value in list {
        let (lower, upper) = document.range(value, "a live interval", "lower", "upper")?;
        ranges.push(Live::new(lower, upper));
    }
    ranges.sort_unstable();
    let mut out: Vec<Live> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    Some(out)
}

/// The pool of a buffer: the one that it may lie in, or that of its pin among several.
fn pool(
    document: &mut Document,
    object: &Object<'_>,
    what: &str,
    pools: &Pools,
    pinned: Option<u64>,
) -> Option<ScopeId> {
    let errors = &mut document.errors;
    let list = object.need("allowed_pools", what, errors)?;
    let at = list.loc();
    let mut allowed: Vec<(u64, ScopeId)> = Vec::new();
    for value in list.list("`allowed_pools`", errors)? {
        let id = value.number("the id of a pool", errors)?;
        let Some(scope) = pools.get(id) else {
            let error = Diagnostic::error(Code::DsaUnknownId, format!("there is no pool {id}"));
            errors.push(error.at(value.loc(), ""));
            return None;
        };
        if !allowed.contains(&(id, scope)) {
            allowed.push((id, scope));
        }
    }
    if let Some(pool) = pinned {
        allowed.retain(|(id, _)| *id == pool);
        if allowed.is_empty() {
            let message = format!("{what} is pinned in pool {pool}, where it may not lie");
            errors.push(Diagnostic::error(Code::DsaBadConstraint, message).at(at, ""));
            return None;
        }
    }
    match allowed.as_slice() {
        [(_, one)] => Some(*one),
        [] => {
            let message = format!("{what} may lie in no pool");
            errors.push(Diagnostic::error(Code::DsaInvalidValue, message).at(at, ""));
            None
        }
        several => {
            let all: Vec<String> = several.iter().map(|(id, _)| id.to_string()).collect();
            let message = format!("{what} may lie in several pools: {}", shown(&all.join(", ")));
            let error = Diagnostic::error(Code::DsaSeveralPools, message).at(at, "");
            errors.push(error.help("each pool is planned on its own: say which one it is"));
            None
        }
    }
}
