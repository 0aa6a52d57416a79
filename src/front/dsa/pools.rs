//! `pools[]`: the memories. Each is planned on its own.

use std::collections::HashMap;

use super::document::Document;
use super::json::{Object, Value};
use crate::diag::{Code, Diagnostic, Loc};
use crate::model::{ByteRange, Capacity, IdVec, Reserved, Scope, ScopeId};

/// The pools by their ids in the document.
#[derive(Default)]
pub(super) struct Pools {
    pub(super) scopes: IdVec<ScopeId, Scope>,
    by_id: HashMap<u64, ScopeId>,
}

impl Pools {
    /// Reads all pools, as far as they can be read.
    pub(super) fn read(document: &mut Document, list: Vec<Value<'_>>) -> Self {
        let mut pools = Self::default();
        let mut places: HashMap<u64, Loc> = HashMap::new();
        for value in list {
            if document.errors.full() {
                break;
            }
            let Some(pool) = value.object("a pool", &mut document.errors) else { continue };
            let known = ["id", "name", "capacity", "reserved_ranges", "bank_geometry"];
            document.unknown("a pool", &pool, &known);
            let Some((id, at, scope)) = scope(document, &pool) else { continue };
            if let Some(before) = places.insert(id, at) {
                document.twice("pool", id, at, before);
                continue;
            }
            pools.by_id.insert(id, pools.scopes.push(scope));
        }
        pools.tell_apart();
        pools
    }

    /// The pool of that id.
    pub(super) fn get(&self, id: u64) -> Option<ScopeId> {
        self.by_id.get(&id).copied()
    }

    /// Plans name scopes, so pools of one name get their ordinal: `Vec`, `Vec#1`.
    fn tell_apart(&mut self) {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let names: Vec<String> = self.scopes.iter().map(|s| s.name.clone()).collect();
        for scope in self.scopes.iter_mut() {
            let n = seen.entry(scope.name.clone()).or_default();
            *n += 1;
            if *n > 1 {
                let mut ordinal = *n - 1;
                while names.contains(&format!("{}#{ordinal}", scope.name)) {
                    ordinal += names.len();
                }
                scope.name = format!("{}#{ordinal}", scope.name);
            }
        }
    }
}

fn scope(document: &mut Document, pool: &Object<'_>) -> Option<(u64, Loc, Scope)> {
    let errors = &mut document.errors;
    let id = pool.need("id", "a pool", errors)?;
    let at = id.loc();
    let id = id.number("the id of a pool", errors)?;
    let what = format!("pool {id}");
    let name = pool.need("name", &what, errors).and_then(|v| v.text("the name of a pool", errors));
    let capacity = pool.need("capacity", &what, errors).and_then(|value| {
        if value.is_null() {
            return Some(Capacity::Unbounded);
        }
        value.number("the capacity", errors).map(Capacity::Bytes)
    });
    let reserved = reserved(document, pool);
    let name = match name? {
        name if name.trim().is_empty() => format!("pool {id}"),
        name => name,
    };
    let scope = Scope {
        name,
        capacity: capacity?,
        alignment: 1,
        round_up: false,
        reserved,
        partitions: Vec::new(),
        source: None,
        loc: Some(pool.loc()),
    };
    Some((id, at, scope))
}

/// Sorted; what overlaps or touches is joined.
fn reserved(document: &mut Document, pool: &Object<'_>) -> Vec<Reserved> {
    let mut ranges: Vec<ByteRange> = Vec::new();
    for value in pool.list("reserved_ranges", &mut document.errors) {
        let Some(range) = document.range(value, "a reserved range", "begin", "end") else {
            continue;
        };
        ranges.push(ByteRange::new(range.0, range.1));
    }
    ranges.sort_unstable();
    let mut out: Vec<Reserved> = Vec::new();
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.start <= last.range.end => {
                last.range.end = last.range.end.max(range.end);
            }
            _ => out.push(Reserved { range, why: None }),
        }
    }
    out
}

impl Document {
    /// An id that something before it has.
    pub(super) fn twice(&mut self, kind: &str, id: u64, at: Loc, before: Loc) {
        let error =
            Diagnostic::error(Code::DsaDuplicateId, format!("a second {kind} with id {id}"));
        self.errors.push(error.at(at, "").at(before, "one before it"));
    }
}
