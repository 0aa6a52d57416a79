//! Tests of the executor: what it tells a shadow that writes everything down.

use super::*;
use crate::model::*;

/// Writes down every op with what it touches; equal when the last trip looked the same.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tape {
    /// What lies in the first slot seen of each buffer, as the op that wrote last.
    last: Vec<(BufferId, u32, OpId)>,
}

impl Shadow for Tape {
    type Log = Vec<String>;

    fn op(&mut self, log: &mut Vec<String>, at: &At, touches: &[Touch]) {
        let refs = |t: &Touch| {
            let of = t.refs.iter().map(|r| {
                let exact = if r.exact { "" } else { "~" };
                format!("{exact}{}.{}[{}..{}]", r.buffer.0, r.slot, r.bytes.start, r.bytes.end)
            });
            of.collect::<Vec<_>>().join("|")
        };
        let words: Vec<String> = touches.iter().map(refs).collect();
        log.push(format!("{} {}", at.op.0, words.join(" ")));
        for r in touches.iter().filter(|t| t.mode == AccessMode::Write).flat_map(|t| &t.refs) {
            self.last.retain(|l| (l.0, l.1) != (r.buffer, r.slot));
            self.last.push((r.buffer, r.slot, at.op));
            self.last.sort_unstable();
        }
    }

    fn join(&mut self, other: &Self) {
        self.last.extend(&other.last);
        self.last.sort_unstable();
        self.last.dedup();
    }
}

struct Program {
    f: Function,
    slots: Vec<u32>,
    rotates: Option<LoopId>,
}

impl Program {
    /// Buffers of 16 bytes; values of the same number.
    fn new(buffers: u32) -> Self {
        let mut f = Function::default();
        for at in 0..buffers {
            let value = f.values.push(Value {
                name: format!("b{at}"),
                loc: None,
                kind: ValueKind::Buffer(BufferId(at)),
            });
            f.buffers.push(Buffer {
                name: format!("b{at}"),
                loc: None,
                scope: ScopeId(0),
                size: Bytes(16),
                shape: None,
                alignment: 1,
                slots: 1,
                spare_slots: false,
                rotates_in: None,
                pin: None,
                unique: false,
                owner: None,
                class: LifetimeClass::Local,
                temporary: false,
                preload: false,
                coupling: None,
                live: None,
                lives_in: None,
                pipes: Vec::new(),
                value,
            });
        }
        Self { f, slots: vec![1; buffers as usize], rotates: None }
    }

    fn value(&mut self, kind: ValueKind) -> ValueId {
        self.f.values.push(Value { name: String::new(), loc: None, kind })
    }

    fn op(&mut self, values: &[ValueId]) -> Node {
        let access = |&value: &ValueId| Access {
            value,
            range: None,
            mode: AccessMode::Write,
            partial: false,
            pipe: None,
            loc: None,
        };
        Node::Op(self.f.ops.push(Op {
            name: String::new(),
            loc: None,
            pipe: None,
            inplace: InplaceRule::Never,
            accesses: values.iter().map(access).collect(),
            sync: None,
            cost: None,
        }))
    }

    fn repeat(&mut self, trips: Trips, carries: Vec<Carry>, nodes: Vec<Node>) -> Node {
        Node::Loop(self.f.loops.push(Loop {
            name: String::new(),
            loc: None,
            trips,
            carries,
            body: Region { nodes },
            parent: None,
        }))
    }

    fn run(&mut self, nodes: Vec<Node>) -> Vec<String> {
        self.f.body = Region { nodes };
        let (order, names) = (Order::of(&self.f), Names::of(&self.f));
        let slots = Slots {
            count: self.slots.iter().copied().collect(),
            rotates: self.slots.iter().map(|&n| self.rotates.filter(|_| n > 1)).collect(),
        };
        let mut log = Vec::new();
        let limits = Limits::default();
        let done = run(&self.f, &order, &names, &slots, limits, Tape::default(), &mut log);
        assert!(done.doubts.is_empty(), "{:?}", done.doubts);
        log
    }
}

#[test]
fn a_loop_runs_until_a_state_repeats() {
    for (trips, times) in [
        (Trips::Known(0), 0),
        (Trips::Known(1), 1),
        (Trips::Known(2), 2),
        (Trips::Known(u64::MAX), 2),
        (Trips::AtLeast(0), 2),
        (Trips::AtLeast(7), 2),
    ] {
        let mut p = Program::new(1);
        let op = p.op(&[ValueId(0)]);
        let l = p.repeat(trips, Vec::new(), vec![op]);
        assert_eq!(p.run(vec![l]), vec!["0 0.0[0..16]"; times], "{trips:?}");
    }
}

#[test]
fn slots_rotate_and_all_phases_are_seen() {
    let mut p = Program::new(2);
    p.slots = vec![2, 3];
    p.rotates = Some(LoopId(0));
    let op = p.op(&[ValueId(0), ValueId(1)]);
    let l = p.repeat(Trips::AtLeast(0), Vec::new(), vec![op]);
    let log = p.run(vec![l]);
    assert_eq!(
        log[..3],
        ["0 0.0[0..16] 1.0[0..16]", "0 0.1[0..16] 1.1[0..16]", "0 0.0[0..16] 1.2[0..16]"]
    );
    // All slots are written after three trips; from then on the six phases repeat.
    assert_eq!(log.len(), 3 + 6);
}

#[test]
fn carries_step_at_once_and_results_are_the_last() {
    let mut p = Program::new(2);
    let (a, b) = (p.value(ValueKind::Carry(LoopId(0), 0)), p.value(ValueKind::Carry(LoopId(0), 1)));
    let (x, y) = (
        p.value(ValueKind::LoopResult(LoopId(0), 0)),
        p.value(ValueKind::LoopResult(LoopId(0), 1)),
    );
    let carries = vec![
        Carry { value: a, init: ValueId(0), next: b, result: x },
        Carry { value: b, init: ValueId(1), next: a, result: y },
    ];
    let (op, after) = (p.op(&[a]), p.op(&[x, y]));
    let l = p.repeat(Trips::Known(1_000_001), carries, vec![op]);
    let log = p.run(vec![l, after]);
    assert_eq!(log.last().map(String::as_str), Some("1 1.0[0..16] 0.0[0..16]"));
    assert_eq!(log[..2], ["0 0.0[0..16]", "0 1.0[0..16]"]);
}

#[test]
fn a_loop_that_may_be_left_at_any_time_leaves_each_result_apart() {
    let mut p = Program::new(2);
    let a = p.value(ValueKind::Carry(LoopId(0), 0));
    let x = p.value(ValueKind::LoopResult(LoopId(0), 0));
    let carries = vec![Carry { value: a, init: ValueId(0), next: ValueId(1), result: x }];
    let (op, after) = (p.op(&[a]), p.op(&[x]));
    let l = p.repeat(Trips::AtLeast(0), carries, vec![op]);
    let log = p.run(vec![l, after]);
    let last: Vec<&str> = log.iter().rev().take(2).map(String::as_str).collect();
    assert_eq!(last, ["1 1.0[0..16]", "1 0.0[0..16]"]);
}

#[test]
fn views_selects_and_unknown_places() {
    let mut p = Program::new(2);
    let view = |base, delta, length| ValueKind::View { base, delta, length };
    let v = p.value(view(ValueId(0), Some(4), Some(8)));
    let inner = p.value(view(v, Some(6), Some(8)));
    let rest = p.value(view(v, Some(2), None));
    let somewhere = p.value(view(ValueId(1), None, Some(4)));
    let either = p.value(ValueKind::Select(vec![v, somewhere, v]));
    let op = p.op(&[v, inner, rest, somewhere, either]);
    assert_eq!(
        p.run(vec![op]),
        ["0 0.0[4..12] 0.0[10..12] ~0.0[6..12] ~1.0[0..16] 0.0[4..12]|~1.0[0..16]"]
    );
}

#[test]
fn values_made_of_themselves_are_anything_they_reach() {
    let mut p = Program::new(2);
    let cycle = ValueId(p.f.values.len() as u32);
    p.value(ValueKind::Select(vec![cycle, ValueId(1)]));
    let op = p.op(&[cycle]);
    assert_eq!(p.run(vec![op]), ["0 ~1.0[0..16]"]);
}

#[test]
fn chains_of_views_need_no_stack() {
    let mut p = Program::new(1);
    let mut last = ValueId(0);
    for _ in 0..200_000 {
        last = p.value(ValueKind::View { base: last, delta: Some(0), length: Some(16) });
    }
    let op = p.op(&[last]);
    assert_eq!(p.run(vec![op]), ["0 0.0[0..16]"]);
}
