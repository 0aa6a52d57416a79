//! The order, step by step.

use std::collections::BTreeMap;

use super::scene::Scene;
use crate::format::json_inspect::{Moment, Step};
use crate::model::{AccessMode, BufferId, Function, Node, Op, Order, PipeId};

/// What is born and what dies at each step at which something does.
type Events = BTreeMap<u64, (Vec<BufferId>, Vec<BufferId>)>;

fn events(scene: Scene<'_>) -> Events {
    let mut events = Events::new();
    for id in scene.function.buffers.ids() {
        for live in scene.live(id) {
            events.entry(live.start.0).or_default().0.push(id);
            events.entry(live.end.0.saturating_sub(1)).or_default().1.push(id);
        }
    }
    events
}

fn names(scene: Scene<'_>, ids: Option<&Vec<BufferId>>) -> Vec<String> {
    ids.into_iter().flatten().map(|id| scene.name(*id).to_owned()).collect()
}

/// For functions without an order: the steps at which something begins or ends.
pub(super) fn moments(scene: Scene<'_>) -> Vec<Moment> {
    if scene.has_order() {
        return Vec::new();
    }
    let row = |(step, (born, dies)): (u64, (Vec<BufferId>, Vec<BufferId>))| Moment {
        step,
        born: names(scene, Some(&born)),
        dies: names(scene, Some(&dies)),
    };
    events(scene).into_iter().map(row).collect()
}

/// The steps of a function with ops.
pub(super) fn steps(scene: Scene<'_>) -> Vec<Step> {
    let (function, order) = (scene.function, &scene.facts.order);
    let events = if scene.has_order() { events(scene) } else { Events::new() };
    let mut depth: u64 = 0;
    let steps = order.at.iter().enumerate().map(|(at, node)| {
        let step = crate::model::Step(at as u64);
        let (begins, ends) = ends(order, *node, step);
        depth = depth.saturating_sub(u64::from(ends));
        let here = depth;
        depth += u64::from(begins);
        let event = events.get(&step.0);
        let mut row = Step {
            step: step.0,
            name: order.describe(function, step).unwrap_or_default(),
            depth: here,
            pipe: None,
            pipes: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            temporaries: Vec::new(),
            born: names(scene, event.map(|e| &e.0)),
            dies: names(scene, event.map(|e| &e.1)),
            loc: None,
        };
        match *node {
            Node::Op(id) => {
                let op = &function.ops[id];
                row.pipe = op.pipe.map(|p| scene.pipe(p));
                row.pipes = pipes(op).into_iter().map(|p| scene.pipe(p)).collect();
                row.reads = operands(function, op, AccessMode::Read);
                row.writes = operands(function, op, AccessMode::Write);
                row.temporaries = operands(function, op, AccessMode::Temporary);
                row.writes.extend(row.temporaries.iter().cloned());
                row.loc = scene.place(op.loc);
            }
            Node::Loop(id) => row.loc = scene.place(function.loops[id].loc),
            Node::Branch(id) => row.loc = scene.place(function.branches[id].loc),
        }
        row
    });
    steps.collect()
}

/// Whether a step opens a region, and whether it closes one.
fn ends(order: &Order, node: Node, step: crate::model::Step) -> (bool, bool) {
    match node {
        Node::Op(_) => (false, false),
        Node::Loop(id) => {
            let begins = order.loops[id].begin == step;
            (begins, !begins)
        }
        Node::Branch(id) => {
            let steps = order.branches[id];
            (step != steps.end, step != steps.begin)
        }
    }
}

fn operands(function: &Function, op: &Op, mode: AccessMode) -> Vec<String> {
    let these = op.accesses.iter().filter(|a| a.mode == mode);
    these.filter_map(|a| function.values.get(a.value)).map(|v| v.name.clone()).collect()
}

/// The pipes of an op, its own first.
fn pipes(op: &Op) -> Vec<PipeId> {
    let mut pipes = Vec::new();
    for pipe in op.pipe.into_iter().chain(op.accesses.iter().filter_map(|a| a.pipe)) {
        if !pipes.contains(&pipe) {
            pipes.push(pipe);
        }
    }
    pipes
}
