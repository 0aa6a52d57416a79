//! Good plans, broken on purpose.

use memplan::analyze;
use memplan::model::{BufferId, Function, IdVec, Live, Plan, Problem, ReuseLevel};
use memplan::plan::Strategy;
use memplan_packing::Packing;

use super::bytes::Bytes;
use super::{Tally, built, faults, options, plan_of, solve};

/// Changes of one plan.
const TRIES: usize = 8;

/// The offsets of a plan, by buffer and slot.
type Offsets = IdVec<BufferId, Vec<u64>>;

fn offsets(function: &Function, plan: &Plan) -> Offsets {
    let mut out = IdVec::filled(Vec::new(), function.buffers.len());
    for placement in &plan.functions[0].placements {
        out[BufferId(placement.id.expect("ordinals"))] = placement.offsets.clone();
    }
    out
}

fn with(plan: &Plan, offsets: &Offsets) -> Plan {
    let mut plan = plan.clone();
    for placement in &mut plan.functions[0].placements {
        placement.offsets = offsets[BufferId(placement.id.expect("ordinals"))].clone();
    }
    plan
}

/// The kinds of damage.
const KINDS: [&str; 5] =
    ["onto another", "half onto another", "misaligned", "past the end", "swapped"];

/// Damages offsets in one way; the word for it.
fn damage(problem: &Problem, bytes: &mut Bytes<'_>, offsets: &mut Offsets) -> &'static str {
    let function = &problem.functions[0];
    let scope = problem.scopes.iter().next().expect("a scope");
    let ids: Vec<BufferId> = function.buffers.ids().collect();
    let (a, b) = (*bytes.pick(&ids), *bytes.pick(&ids));
    let slot = bytes.below(offsets[a].len());
    let other = offsets[b][bytes.below(offsets[b].len())];
    let buffer = &function.buffers[a];
    let kind = bytes.below(KINDS.len());
    match kind {
        0 => offsets[a][slot] = other,
        1 => offsets[a][slot] = other + buffer.alignment,
        2 => offsets[a][slot] += 1 + bytes.below(buffer.alignment as usize) as u64,
        3 => {
            let end = scope.bytes().unwrap_or(64);
            let start = end.saturating_sub(buffer.size.0) + 1;
            offsets[a][slot] = start.next_multiple_of(buffer.alignment);
        }
        _ => {
            let mine = offsets[a][slot];
            let at = bytes.below(offsets[b].len());
            offsets[a][slot] = offsets[b][at];
            offsets[b][at] = mine;
        }
    }
    KINDS[kind]
}

/// The judge against the oracle's checker: both refuse the same plans.
pub(crate) fn ranges(problem: &Problem, text: &str, bytes: &[u8], tally: &Tally) {
    let answer = solve(problem, &options(Strategy::Optimal, None));
    if !answer.verdict().is_some_and(|v| v.has_plan()) {
        return;
    }
    let good = plan_of(&answer);
    let function = &problem.functions[0];
    let built = built(problem, ReuseLevel::Lifetime);
    let mut random = Bytes::new(bytes);
    for _ in 0..TRIES {
        let mut moved = offsets(function, &good);
        let kind = damage(problem, &mut random, &mut moved);
        let plan = with(&good, &moved);
        if plan == good {
            continue;
        }
        let flat = built.items.iter().map(|(id, slot)| moved[*id][*slot as usize]);
        let packing = Packing { offsets: flat.collect(), promoted: Vec::new() };
        let right = memplan_oracle::check(&built.instance, &packing);
        let faults = faults(problem, &plan);
        tally.count("tried");
        if right {
            tally.count("still right");
            assert!(
                faults.is_empty(),
                "{kind}: a right plan is refused: {faults:#?}\n{moved:?}\n{text}"
            );
        } else {
            tally.count("broken");
            tally.count(format!("broken by {kind}"));
            assert!(!faults.is_empty(), "{kind}: a broken plan is accepted\n{moved:?}\n{text}");
            tally.count("found");
        }
    }
}

/// What is wrong whatever the program does is found; what is right by the live ranges of `analyze`
/// is right when executed.
pub(crate) fn programs(problem: &Problem, text: &str, bytes: &[u8], tally: &Tally) {
    let answer = solve(problem, &options(Strategy::Optimal, None));
    if !answer.verdict().is_some_and(|v| v.has_plan()) {
        return;
    }
    let good = plan_of(&answer);
    let function = &problem.functions[0];
    let facts = analyze::facts(problem, function);
    let built = built(problem, ReuseLevel::Lifetime);
    let mut random = Bytes::new(bytes);
    for _ in 0..TRIES {
        let mut moved = offsets(function, &good);
        let kind = damage(problem, &mut random, &mut moved);
        let plan = with(&good, &moved);
        if plan == good {
            continue;
        }
        let flat = built.items.iter().map(|(id, slot)| moved[*id][*slot as usize]);
        let packing = Packing { offsets: flat.collect(), promoted: Vec::new() };
        let right = memplan_oracle::check(&built.instance, &packing);
        let faults = faults(problem, &plan);
        tally.count("tried");
        if right {
            tally.count("still right");
            assert!(
                faults.is_empty(),
                "{kind}: a right plan is refused: {faults:#?}\n{moved:?}\n{text}"
            );
        } else if surely(problem, &facts.live, &moved) {
            tally.count("broken");
            tally.count(format!("broken by {kind}"));
            assert!(!faults.is_empty(), "{kind}: a broken plan is accepted\n{moved:?}\n{text}");
            tally.count("found");
        } else {
            // Live ranges may be longer than the truth: the executor decides.
            tally.count(if faults.is_empty() { "only too careful" } else { "found by running" });
        }
    }
}

/// True for what no program makes right: misaligned, past the end, or on a buffer that holds its
/// data through the whole function.
fn surely(problem: &Problem, live: &IdVec<BufferId, Vec<Live>>, offsets: &Offsets) -> bool {
    let function = &problem.functions[0];
    let scope = problem.scopes.iter().next().expect("a scope");
    let used = |id: BufferId| {
        let mut ops = function.ops.iter().flat_map(|op| &op.accesses);
        ops.any(|access| function.exact(access.value).is_some_and(|(b, _)| b == id))
    };
    function.buffers.enumerate().any(|(id, buffer)| {
        let size = buffer.size.0;
        let badly = |at: &u64| {
            !at.is_multiple_of(buffer.alignment)
                || (size > 0 && scope.bytes().is_some_and(|c| at + size > c))
        };
        let whole = |id: BufferId| {
            function.buffers[id].class.filled_at_entry()
                && function.buffers[id].class.wanted_at_exit()
        };
        let clash = |other: BufferId| {
            let b = &function.buffers[other];
            let meets = id != other && whole(id) && whole(other) && !live[other].is_empty();
            meets
                && used(id)
                && offsets[id].iter().any(|x| {
                    offsets[other].iter().any(|y| x.max(y) < &(x + size).min(y + b.size.0))
                })
        };
        offsets[id].iter().any(badly) || function.buffers.ids().any(clash)
    })
}
