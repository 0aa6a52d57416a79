//! `constraints`: what every plan must keep. A rule that is not understood is an error: a plan that
//! breaks it would be believed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::buffers::Buffers;
use super::document::Document;
use super::json::{Object, Value};
use super::pools::Pools;
use crate::diag::{Code, Diagnostic, Loc};
use crate::front::errors::shown;
use crate::model::{BufferId, ByteRange, Function, Relation, RelationKind};

const KINDS: [&str; 4] =
    ["colocations", "separations", "temporal_exclusions", "pinned_allocations"];

/// A pin as the document has it.
pub(super) struct Pin {
    buffer: u64,
    pool: u64,
    offset: u64,
    exclusive: bool,
    loc: Loc,
}

/// Refuses kinds of constraints that nobody here knows; a kind without any constraint is harmless.
pub(super) fn kinds(document: &mut Document, constraints: &Object<'_>) {
    for (kind, loc, value) in constraints.others(&KINDS) {
        if value.is_nothing() {
            let message =
                format!("`{}` are constraints of an unknown kind; there are none", shown(kind));
            document.warn(Code::DsaUnknownConstraint, message, Some(loc));
            continue;
        }
        let message = format!("`{}` are constraints that memplan does not know", shown(kind));
        let error = Diagnostic::error(Code::DsaUnknownConstraint, message).at(loc, "");
        let help = format!("a plan could break them; known are {}", KINDS.join(", "));
        document.errors.push(error.help(help));
    }
}

/// The pins; before the buffers are read, because they may decide between pools.
pub(super) fn pins(document: &mut Document, constraints: &Object<'_>, pools: &Pools) -> Vec<Pin> {
    let list = constraints.list("pinned_allocations", &mut document.errors);
    list.into_iter().filter_map(|value| pin(document, value, pools)).collect()
}

fn pin(document: &mut Document, value: Value<'_>, pools: &Pools) -> Option<Pin> {
    let what = "a pinned allocation";
    let object = value.object(what, &mut document.errors)?;
    let known = ["buffer", "pool", "offset", "exclusive_for_all_time"];
    document.unknown(what, &object, &known);
    let errors = &mut document.errors;
    let [buffer, pool, offset, exclusive] = known.map(|key| object.need(key, what, errors));
    let at = buffer?.loc();
    let buffer = buffer?.number("the id of a buffer", errors);
    let place = pool?.loc();
    let pool = pool?.number("the id of a pool", errors);
    let offset = offset?.number("the offset", errors);
    let exclusive = exclusive?.truth("`exclusive_for_all_time`", errors);
    let pool = pool?;
    if pools.get(pool).is_none() {
        let error = Diagnostic::error(Code::DsaUnknownId, format!("there is no pool {pool}"));
        errors.push(error.at(place, ""));
        return None;
    }
    Some(Pin { buffer: buffer?, pool, offset: offset?, exclusive: exclusive?, loc: at })
}

/// The pool of each pinned buffer.
pub(super) fn pinned_pools(pins: &[Pin]) -> HashMap<u64, u64> {
    pins.iter().map(|pin| (pin.buffer, pin.pool)).collect()
}

/// Reads the constraints into the function; its buffers are known and without errors.
pub(super) fn read(
    document: &mut Document,
    constraints: &Object<'_>,
    pins: &[Pin],
    pools: &Pools,
    buffers: &Buffers,
    function: &mut Function,
) {
    for pin in pins {
        fix(document, pin, pools, buffers, function);
    }
    let mut near = Colocated::default();
    for value in constraints.list("colocations", &mut document.errors) {
        let what = "a colocation";
        let Some((pair, loc, why)) = pair(document, value, what, buffers) else { continue };
        colocate(document, pair, loc, function);
        near.join(pair);
        let kind = RelationKind::Colocate { delta: 0 };
        function.relations.push(relation(kind, pair, loc, why));
    }
    let mut seen: BTreeSet<(RelationKind, BufferId, BufferId)> = BTreeSet::new();
    for (key, what, kind) in [
        ("separations", "a separation", RelationKind::Separate),
        ("temporal_exclusions", "a temporal exclusion", RelationKind::Exclusive),
    ] {
        for value in constraints.list(key, &mut document.errors) {
            let Some((pair, loc, why)) = pair(document, value, what, buffers) else { continue };
            if kind == RelationKind::Separate && near.same(pair) {
                let message = format!("{} are colocated and separated", names(function, pair));
                document
                    .errors
                    .push(Diagnostic::error(Code::DsaBadConstraint, message).at(loc, ""));
            }
            // Said twice is said once.
            if seen.insert((kind, pair.0.min(pair.1), pair.0.max(pair.1))) {
                function.relations.push(relation(kind, pair, loc, why));
            }
        }
    }
    tell_colocated(document, function);
}

pub(super) fn relation(
    kind: RelationKind,
    (first, second): (BufferId, BufferId),
    loc: Loc,
    why: Option<String>,
) -> Relation {
    Relation { kind, first, second, why, loc: Some(loc) }
}

/// A pair of buffers, its place, and its reasons.
pub(super) fn pair(
    document: &mut Document,
    value: Value<'_>,
    what: &'static str,
    buffers: &Buffers,
) -> Option<((BufferId, BufferId), Loc, Option<String>)> {
    let object = value.object(what, &mut document.errors)?;
    document.unknown(what, &object, &["first", "second", "reasons", "reason", "cost"]);
    let [first, second] =
        ["first", "second"].map(|key| object.need(key, what, &mut document.errors));
    let (first, second) = (first?, second?);
    let loc = first.loc();
    let [a, b] = [first, second].map(|value| buffer(document, value, buffers));
    let (a, b) = (a?, b?);
    if a == b {
        let message = format!("{what} of a buffer with itself");
        document.errors.push(Diagnostic::error(Code::DsaBadConstraint, message).at(loc, ""));
        return None;
    }
    let mut reasons: Vec<String> = Vec::new();
    for reason in object.list("reasons", &mut document.errors) {
        reasons.extend(reason.text("a reason", &mut document.errors));
    }
    let reason = object.get("reason").filter(|value| !value.is_null());
    reasons.extend(reason.and_then(|value| value.text("the reason", &mut document.errors)));
    let why = (!reasons.is_empty()).then(|| reasons.join(", "));
    Some(((a, b), loc, why))
}

fn buffer(document: &mut Document, value: Value<'_>, buffers: &Buffers) -> Option<BufferId> {
    let id = value.number("the id of a buffer", &mut document.errors)?;
    let found = buffers.get(id);
    if found.is_none() {
        document.no_buffer(id, value.loc());
    }
    found
}

impl Document {
    fn no_buffer(&mut self, id: u64, loc: Loc) {
        let error = Diagnostic::error(Code::DsaUnknownId, format!("there is no buffer {id}"));
        self.errors.push(error.at(loc, ""));
    }
}

fn fix(
    document: &mut Document,
    pin: &Pin,
    pools: &Pools,
    buffers: &Buffers,
    function: &mut Function,
) {
    let Some(id) = buffers.get(pin.buffer) else {
        return document.no_buffer(pin.buffer, pin.loc);
    };
    let buffer = &mut function.buffers[id];
    let name = shown(&buffer.name);
    let mut error = |code, message| {
        document.errors.push(Diagnostic::error(code, message).at(pin.loc, ""));
    };
    if buffer.pin.as_ref().is_some_and(|before| before != &[pin.offset]) {
        error(Code::DsaBadConstraint, format!("`{name}` is pinned at two offsets"));
    }
    let Some(end) = pin.offset.checked_add(buffer.size.0) else {
        return error(Code::DsaSizeOverflow, format!("`{name}` ends past 64 bits"));
    };
    // What no capacity could mend is no question of planning.
    if !pin.offset.is_multiple_of(buffer.alignment) {
        let message =
            format!("`{name}` is pinned at {}, its alignment is {}", pin.offset, buffer.alignment);
        error(Code::DsaBadConstraint, message);
    }
    let bytes = ByteRange::new(pin.offset, end);
    let taken = pools.scopes[buffer.scope].reserved.iter().find_map(|r| r.range.overlap(bytes));
    if let Some(taken) = taken {
        let message = format!("`{name}` is pinned at {}, on reserved bytes {taken}", pin.offset);
        error(Code::DsaBadConstraint, message);
    }
    buffer.pin = Some(vec![pin.offset]);
    buffer.unique |= pin.exclusive;
}

fn colocate(document: &mut Document, pair: (BufferId, BufferId), loc: Loc, function: &Function) {
    let [a, b] = [pair.0, pair.1].map(|id| &function.buffers[id]);
    if a.scope != b.scope {
        let message = format!("{} are colocated and lie in two pools", names(function, pair));
        document.errors.push(Diagnostic::error(Code::DsaBadConstraint, message).at(loc, ""));
    }
}

/// Colocated buffers are two names of the same bytes. Where both are alive at once and nothing says
/// that they are not, that is worth a word.
fn tell_colocated(document: &mut Document, function: &Function) {
    let exclusive: BTreeSet<(BufferId, BufferId)> = function
        .relations
        .iter()
        .filter(|r| r.kind == RelationKind::Exclusive)
        .map(|r| (r.first.min(r.second), r.first.max(r.second)))
        .collect();
    for relation in &function.relations {
        let pair = (relation.first.min(relation.second), relation.first.max(relation.second));
        let RelationKind::Colocate { .. } = relation.kind else { continue };
        let [a, b] =
            [pair.0, pair.1].map(|id| function.buffers[id].live.as_deref().unwrap_or_default());
        let together = a.iter().any(|x| b.iter().any(|y| x.meets(*y)));
        if together && !exclusive.contains(&pair) {
            let message = format!(
                "{} are colocated and alive at once: taken as two names of the same bytes",
                names(function, pair)
            );
            document.warn(Code::DsaBadConstraint, message, relation.loc);
            return;
        }
    }
}

fn names(function: &Function, pair: (BufferId, BufferId)) -> String {
    let name = |id: BufferId| shown(&function.buffers[id].name);
    format!("`{}` and `{}`", name(pair.0), name(pair.1))
}

/// Who lies with whom, also over others.
#[derive(Default)]
struct Colocated(BTreeMap<BufferId, BufferId>);

impl Colocated {
    fn head(&mut self, mut id: BufferId) -> BufferId {
        while let Some(&next) = self.0.get(&id) {
            // Every other step is shortened, so that chains stay short.
            if let Some(&over) = self.0.get(&next) {
                self.0.insert(id, over);
            }
            id = next;
        }
        id
    }

    /// The head of a joined group is the smaller one, so chains end.
    fn join(&mut self, (a, b): (BufferId, BufferId)) {
        let (a, b) = (self.head(a), self.head(b));
        if a != b {
            self.0.insert(a.max(b), a.min(b));
        }
    }

    fn same(&mut self, (a, b): (BufferId, BufferId)) -> bool {
        self.head(a) == self.head(b)
    }
}
