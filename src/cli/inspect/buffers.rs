//! The buffers of a function, and why they live so long.

use std::collections::BTreeMap;

use super::scene::{Scene, lifetime, range};
use crate::analyze::PipeClass;
use crate::analyze::explain::{Cause, Span};
use crate::diag::Loc;
use crate::format::json_inspect::{Alias, Buffer, Why};
use crate::model::{self, BufferId, LifetimeClass};

/// The rows of all buffers.
pub(super) fn buffers(scene: Scene<'_>, aliases: &[Alias]) -> Vec<Buffer> {
    let mut names: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for alias in aliases {
        if let [one] = alias.buffers[..] {
            names.entry(one).or_default().push(alias.value.clone());
        }
    }
    let facts = scene.facts;
    let row = |(id, buffer): (BufferId, &model::Buffer)| {
        let class = facts.class.get(id).copied().unwrap_or_default();
        let home = facts.home.get(id).copied().flatten();
        let looped = |l: Option<model::LoopId>| {
            l.and_then(|id| scene.function.loops.get(id)).map(|l| l.name.clone())
        };
        Buffer {
            id: id.0,
            name: buffer.name.clone(),
            scope: scene.scope(id).name.clone(),
            size: buffer.size.0,
            slots: buffer.slots,
            bytes: scene.bytes(id),
            alignment: buffer.alignment,
            live: scene.live(id).iter().map(range).collect(),
            why: scene.reasons.spans(id).iter().map(|s| why(scene, id, s)).collect(),
            xla_live: None,
            pipes: facts.pipes.get(id).into_iter().flatten().map(|p| scene.pipe(*p)).collect(),
            class: match class {
                PipeClass::Unknown => "unknown".to_owned(),
                PipeClass::Single(id) => scene.pipe(id),
                PipeClass::Dma => "dma".to_owned(),
                PipeClass::Mixed => "mixed".to_owned(),
            },
            home: looped(home),
            lifetime: lifetime(buffer),
            temporary: scene.temporary(id),
            unique: buffer.unique,
            owner: buffer.owner.clone(),
            pin: buffer.pin.clone(),
            rotates_in: looped(buffer.rotates_in),
            aliases: names.remove(&id.0).unwrap_or_default(),
            loc: scene.place(buffer.loc),
        }
    };
    scene.function.buffers.enumerate().map(row).collect()
}

/// A live range in words: ``from `load` (line 3) to `add` (line 9), which reads it last``.
fn why(scene: Scene<'_>, id: BufferId, span: &Span) -> Why {
    let message = match (span.start, span.end) {
        (Cause::Given, _) => "given by the input".to_owned(),
        (Cause::Class(_), Cause::Class(class)) => {
            format!("{}: lives through the whole function", class_word(class))
        }
        (Cause::Write(a), Cause::Write(b)) if a == b => {
            format!("at {} alone: nobody reads what it writes", scene.op(a))
        }
        (Cause::Temporary(a), Cause::Temporary(b)) if a == b => {
            format!("at {} alone, which uses it as scratch", scene.op(a))
        }
        (start, end) => format!("{} {}", begins(scene, start), ends(scene, id, end)),
    };
    Why {
        live: range(&span.live),
        start: span.start.name(),
        end: span.end.name(),
        message,
        loc: scene.place(loc(scene, span.end)),
    }
}

fn begins(scene: Scene<'_>, cause: Cause) -> String {
    match cause {
        Cause::Read(op) => format!("from {}, which reads it,", scene.op(op)),
        Cause::Write(op) | Cause::Temporary(op) => format!("from {}", scene.op(op)),
        Cause::Fresh(op) => format!("from {}, where it is made anew,", scene.op(op)),
        Cause::Class(class) => format!("from the start ({})", class_word(class)),
        Cause::Carried(l, _) | Cause::Preload(l) | Cause::ZeroTrips(l) => {
            format!("from the begin of {}", scene.looped(l))
        }
        Cause::Branch(b) => format!("from {}", branch(scene, b)),
        Cause::Unwritten => "from the start, before anything is written to it,".to_owned(),
        Cause::Given | Cause::Flow => "from there".to_owned(),
    }
}

fn ends(scene: Scene<'_>, id: BufferId, cause: Cause) -> String {
    match cause {
        Cause::Read(op) if scene.reasons.last_reader(id) == Some(op) => {
            format!("to {}, its last reader", scene.op(op))
        }
        Cause::Read(op) => format!("to {}, which reads it before it is written anew", scene.op(op)),
        Cause::Write(op) => format!("to {}, which nobody reads after", scene.op(op)),
        Cause::Temporary(op) => format!("to {}, which uses it as scratch", scene.op(op)),
        Cause::Fresh(op) => format!("to {}, where it is made anew", scene.op(op)),
        Cause::Class(class) => format!("to the end ({})", class_word(class)),
        Cause::Carried(l, Some(op)) => format!(
            "to the end of {}: {} reads what was there before its trip",
            scene.looped(l),
            scene.op(op)
        ),
        Cause::Carried(l, None) => format!("to the end of {}: carried by it", scene.looped(l)),
        Cause::Preload(l) => format!("to the end of {}: preloaded", scene.looped(l)),
        Cause::ZeroTrips(l) => {
            format!("to the begin of {}: needed after it if it does not run", scene.looped(l))
        }
        Cause::Branch(b) => format!("to {}: needed on one way through it", branch(scene, b)),
        Cause::Given | Cause::Unwritten | Cause::Flow => "to there".to_owned(),
    }
}

fn branch(scene: Scene<'_>, id: model::BranchId) -> String {
    let branch = &scene.function.branches[id];
    format!("branch `{}`{}", branch.name, scene.line(branch.loc))
}

fn loc(scene: Scene<'_>, cause: Cause) -> Option<Loc> {
    let function = scene.function;
    match cause {
        Cause::Read(op) | Cause::Write(op) | Cause::Temporary(op) | Cause::Fresh(op) => {
            function.ops[op].loc
        }
        Cause::Carried(l, _) | Cause::Preload(l) | Cause::ZeroTrips(l) => function.loops[l].loc,
        Cause::Branch(b) => function.branches[b].loc,
        Cause::Given | Cause::Class(_) | Cause::Unwritten | Cause::Flow => None,
    }
}

fn class_word(class: LifetimeClass) -> &'static str {
    match class {
        LifetimeClass::Local => "local",
        LifetimeClass::Parameter => "a parameter",
        LifetimeClass::Output => "an output",
        LifetimeClass::Constant => "a constant",
        LifetimeClass::Donated => "donated",
        LifetimeClass::Persistent => "persistent",
        LifetimeClass::ThreadLocal => "thread-local",
    }
}
