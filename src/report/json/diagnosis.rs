//! The three parts of a verdict as JSON.

use crate::format::json_diagnosis as json;
use crate::model::{
    Advice, Change, Diagnosis, Fragmentation, Function, Holder, HolderKind, Moved, Ruling, Scope,
    ScopeAnswer,
};
use crate::report::words;

/// The diagnosis of a scope.
pub(super) fn body(
    function: &Function,
    scope: &Scope,
    answer: &ScopeAnswer,
    d: &Diagnosis,
) -> json::Diagnosis {
    let (excess, stalls, reuse_cost) = match d.ruling {
        Ruling::Possible { excess, stalls, reuse_cost } => {
            (Some(excess), Some(stalls as u64), Some(reuse_cost))
        }
        Ruling::Impossible | Ruling::Open => (None, None, None),
    };
    let tight = d.tight.iter().map(|t| json::Tight { kind: t.name(), text: words::tight(t) });
    json::Diagnosis {
        ruling: d.ruling.name(),
        excess,
        stalls,
        reuse_cost,
        tight: tight.collect(),
        only_if: answer.advice().iter().map(|a| advice(function, scope, a)).collect(),
        holders: d.holders.iter().map(holder).collect(),
        fragmentation: d.fragmentation.as_ref().map(fragmentation),
        tries: d.tries,
        complete: d.complete,
    }
}

fn holder(h: &Holder) -> json::Holder {
    let name = match &h.kind {
        HolderKind::Buffers | HolderKind::Temporaries => None,
        HolderKind::Owner(name) | HolderKind::Workspace(name) => Some(name.clone()),
        HolderKind::Reserved(why) => why.clone(),
    };
    json::Holder { kind: h.kind.name(), name, bytes: h.bytes, buffers: h.buffers }
}

/// Holes of a plan.
pub fn fragmentation(f: &Fragmentation) -> json::Fragmentation {
    json::Fragmentation {
        free: f.free,
        hole: f.hole,
        at: f.at.0,
        wants: f.wants.map(|id| id.0),
        blocking: f.blocking.map(|id| id.0),
        moved: f.moved.map(moved),
    }
}

fn moved(m: Moved) -> json::Moved {
    json::Moved {
        buffer: m.buffer.0,
        slot: m.slot,
        from: m.from,
        to: m.to,
        place: m.place,
        new_peak: m.new_peak,
    }
}

/// A change with what it leads to.
pub(super) fn advice(function: &Function, scope: &Scope, a: &Advice) -> json::Advice {
    let proven = match a.change {
        Change::Capacity { proven, .. } => Some(proven),
        _ => None,
    };
    json::Advice {
        change: change(scope, &a.change),
        with: a.with.iter().map(|c| change(scope, c)).collect(),
        cost: a.cost,
        peak: a.peak,
        level: a.level.map(|l| l.name()),
        stalls: a.stalls,
        reuse_cost: a.reuse_cost,
        proven,
        text: words::advice(function, &scope.name, a),
    }
}

fn change(scope: &Scope, change: &Change) -> json::Change {
    let named = |name: &str| Some(name.to_owned());
    let mut out = json::Change { change: change.kind(), ..json::Change::default() };
    match change {
        Change::Unpin { buffer } | Change::Share { buffer } => out.buffer = Some(buffer.0),
        Change::Relax { kind, first, second } => {
            (out.buffer, out.second) = (Some(first.0), Some(second.0));
            out.name = named(kind.name());
        }
        Change::Slots { buffer, from, to } => {
            out.buffer = Some(buffer.0);
            (out.from, out.to) = (Some((*from).into()), Some((*to).into()));
        }
        Change::Align { buffer, from, to } | Change::Size { buffer, from, to } => {
            out.buffer = Some(buffer.0);
            (out.from, out.to) = (Some(*from), Some(*to));
        }
        Change::Reserved { range, why } => {
            out.range = Some([range.start, range.end]);
            out.name.clone_from(why);
        }
        Change::Partition { owner, .. } => out.name = named(owner),
        Change::Level { to } => out.name = named(to.name()),
        Change::Order { to } => out.name = named(to),
        Change::Planner { to } => out.name = named(to),
        Change::Move { buffer, name, .. } => {
            (out.buffer, out.name) = (Some(buffer.0), named(name));
        }
        Change::Capacity { to, .. } => (out.from, out.to) = (scope.bytes(), Some(*to)),
    }
    out
}
