//! Who keeps whom from sharing bytes, and by which rule. Quadratic, and therefore bounded.

use std::collections::{BTreeMap, BTreeSet};

use super::ask::Ask;
use super::scene::{Scene, range};
use crate::analyze::explain::{Between, Bond};
use crate::format::json_inspect::{Conflict, Rule, Scope, Sharing, With};
use crate::model::{BufferId, ReuseLevel};

/// Buffers at the peaks that are told about when nothing is asked for.
const MAX_AT_PEAKS: usize = 40;

/// Pairs of buffers looked at, at most.
const MAX_LOOKED: usize = 4_000_000;

/// Pairs listed, at most.
const MAX_LISTED: usize = 20_000;

/// Buffers named in a row, at most.
const MAX_NAMED: usize = 8;

/// What is told.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) sharing: Vec<Sharing>,
    pub(super) conflicts: Vec<Conflict>,
    /// Buffers asked about and not told about.
    pub(super) untold: u64,
    /// Pairs not listed.
    pub(super) unlisted: u64,
}

/// The buffers to tell about: those asked for, all, or the largest at the peaks of the scopes.
pub(super) fn subjects(scene: Scene<'_>, ask: &Ask<'_>, scopes: &[Scope]) -> Vec<BufferId> {
    if !ask.buffers.is_empty() {
        return ask.named(scene.function);
    }
    if ask.all {
        return scene.function.buffers.ids().collect();
    }
    // As many from each scope.
    let mut ids = Vec::new();
    let longest = scopes.iter().map(|s| s.contributors.len()).max().unwrap_or(0);
    for at in 0..longest {
        ids.extend(scopes.iter().filter_map(|s| s.contributors.get(at)).map(|c| BufferId(c.id)));
    }
    ids.truncate(MAX_AT_PEAKS);
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Rows of one rule at one level.
struct Group {
    count: u64,
    bytes: u64,
    /// The largest, and the ordinal to tell ties apart.
    largest: BTreeSet<(std::cmp::Reverse<u64>, BufferId)>,
}

/// Tells what stands between the subjects and all other buffers.
pub(super) fn tell(scene: Scene<'_>, subjects: &[BufferId], ask: &Ask<'_>) -> Told {
    let mut told = Told::default();
    let among: BTreeSet<BufferId> = subjects.iter().copied().collect();
    let buffers = scene.function.buffers.len();
    let bytes: Vec<u64> = scene.function.buffers.ids().map(|id| scene.bytes(id)).collect();
    let mut looked = 0usize;
    for &a in subjects {
        looked = looked.saturating_add(buffers);
        if looked > MAX_LOOKED {
            told.untold += 1;
            continue;
        }
        let mut groups: BTreeMap<(Option<ReuseLevel>, &'static str), Group> = BTreeMap::new();
        for b in scene.function.buffers.ids().filter(|b| *b != a) {
            let between = scene.reasons.between(a, b);
            let key = (between.level, between.bond.name());
            let group = groups.entry(key).or_insert_with(|| Group {
                count: 0,
                bytes: 0,
                largest: BTreeSet::new(),
            });
            let size = bytes.get(b.0 as usize).copied().unwrap_or(0);
            group.count += 1;
            group.bytes = group.bytes.saturating_add(size);
            group.largest.insert((std::cmp::Reverse(size), b));
            if group.largest.len() > MAX_NAMED {
                group.largest.pop_last();
            }
            // Each pair once; of two scopes only where both are asked for.
            let free = matches!(between.bond, Bond::Nothing);
            let far = matches!(between.bond, Bond::Scope);
            let both = among.contains(&b);
            let wanted = !ask.buffers.is_empty() && both;
            if (both && b < a)
                || (free && between.exclusive.is_none() && !wanted)
                || (far && !wanted)
            {
                continue;
            }
            if told.conflicts.len() < MAX_LISTED {
                told.conflicts.push(conflict(scene, a, b, &between));
            } else {
                told.unlisted += 1;
            }
        }
        told.sharing.push(Sharing { id: a.0, rules: rules(scene, a, groups) });
    }
    told
}

/// From what keeps most to what keeps least.
fn rules(
    scene: Scene<'_>,
    a: BufferId,
    groups: BTreeMap<(Option<ReuseLevel>, &'static str), Group>,
) -> Vec<Rule> {
    let with =
        |id: BufferId| With { id: id.0, note: note(scene, a, id, &scene.reasons.between(a, id)) };
    let row = |((level, rule), group): ((Option<ReuseLevel>, &'static str), Group)| Rule {
        rule,
        level: level.map(ReuseLevel::name),
        count: group.count,
        bytes: group.bytes,
        with: group.largest.iter().map(|(_, id)| with(*id)).collect(),
    };
    let mut groups: Vec<_> = groups.into_iter().collect();
    let order = |level: Option<ReuseLevel>| {
        let at = level.and_then(|l| ReuseLevel::ALL.iter().position(|x| *x == l));
        std::cmp::Reverse(at.unwrap_or(ReuseLevel::ALL.len()))
    };
    // Buffers elsewhere say least.
    groups.sort_by_key(|((level, name), _)| (*name == "scope", order(*level)));
    groups.into_iter().map(row).collect()
}

fn conflict(scene: Scene<'_>, a: BufferId, b: BufferId, between: &Between<'_>) -> Conflict {
    let (steps, loc) = match between.bond {
        Bond::Alive(live) => (Some(range(&live)), None),
        Bond::One(relation) => (None, relation.and_then(|r| r.loc)),
        Bond::Separate(relation) => (None, relation.loc),
        _ => (None, between.exclusive.and_then(|r| r.loc)),
    };
    Conflict {
        first: a.0,
        second: b.0,
        rule: between.bond.name(),
        level: between.level.map(ReuseLevel::name),
        message: message(scene, a, b, between),
        steps,
        loc: scene.place(loc),
    }
}

fn message(scene: Scene<'_>, a: BufferId, b: BufferId, between: &Between<'_>) -> String {
    let note = note(scene, a, b, between);
    let name = |id: BufferId| format!("`{}`", scene.name(id));
    let mut text = match between.bond {
        Bond::Scope => {
            format!("different scopes: {} and {}", scene.scope(a).name, scene.scope(b).name)
        }
        Bond::Partition => format!("partitions of different owners: {} is {note}", name(b)),
        Bond::Unique(id) => format!("{} shares bytes with nobody", name(id)),
        Bond::One(_) => format!("must lie together, `{}`: {note}", between.bond.name()),
        Bond::Separate(_) => format!("kept apart: {note}"),
        Bond::Alive(live) if live.end.0 == live.start.0 + 1 => {
            format!("alive together at {}", scene.moment(live.start))
        }
        Bond::Alive(_) => format!("alive together at {note}"),
        Bond::Through(mate) => format!(
            "one lies on the bytes of {}, which is alive together with the other",
            name(mate)
        ),
        Bond::Inplace => format!("only from the identical start on: {note}"),
        Bond::Pins => format!("pinned to different bytes: {note}"),
        Bond::Pipes => format!("sharing ties pipes together: {note}"),
        Bond::Slot(single, _) => format!(
            "sharing ties pipes together in a loop, unless {} takes all slots: {note}",
            name(single)
        ),
        Bond::Loop(_) => format!("sharing ties pipes together in a loop: {note}"),
        Bond::Nothing => "nothing keeps them from sharing".to_owned(),
    };
    if let Some(relation) = between.exclusive {
        let why = relation.why.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
        text.push_str(&format!("; never alive together{}{why}", scene.line(relation.loc)));
    }
    text
}

/// The particulars of a rule.
fn note(scene: Scene<'_>, a: BufferId, b: BufferId, between: &Between<'_>) -> String {
    let asked = |relation: &crate::model::Relation| {
        let why = relation.why.as_deref().unwrap_or("asked for");
        let line = scene.input.line(relation.loc);
        if line.is_empty() { why.to_owned() } else { format!("{why}, line {line}") }
    };
    let pipes = || {
        let class = |id: BufferId| {
            let pipes = scene.pipes(id);
            if pipes.is_empty() { "no pipe".to_owned() } else { pipes }
        };
        let (x, y) = (class(a), class(b));
        if x == y { x } else { format!("{x} | {y}") }
    };
    let looped = || {
        let l = scene.common_loop(a, b).map(|l| &scene.function.loops[l].name);
        l.map(|l| format!(", loop `{l}`")).unwrap_or_default()
    };
    match between.bond {
        Bond::Scope => format!("in {}", scene.scope(b).name),
        Bond::Partition => match scene.function.buffers[b].owner.as_deref() {
            Some(owner) => format!("of owner `{owner}`"),
            None => "of no owner".to_owned(),
        },
        Bond::Unique(id) if id == a => String::new(),
        Bond::Unique(_) => "it is unique".to_owned(),
        Bond::One(None) => "through others that lie there".to_owned(),
        Bond::One(Some(relation)) | Bond::Separate(relation) => asked(relation),
        Bond::Through(mate) => format!("lies with `{}`", scene.name(mate)),
        Bond::Alive(live) if live.end.0 == live.start.0 + 1 => format!("step {}", live.start.0),
        Bond::Alive(live) => format!("steps {} to {}", live.start.0, live.end.0 - 1),
        Bond::Inplace => {
            let op = scene.reasons.pair(a, b).and_then(|p| p.op);
            match op.and_then(|op| scene.function.ops.get(op)) {
                Some(op) => format!("at `{}`", op.name),
                None => "the input names the pair".to_owned(),
            }
        }
        Bond::Pins => {
            let pins = |id: BufferId| {
                let pin = scene.function.buffers[id].pin.as_deref().unwrap_or_default();
                let pin: Vec<String> = pin.iter().take(4).map(u64::to_string).collect();
                pin.join(", ")
            };
            format!("at {} and at {}", pins(a), pins(b))
        }
        Bond::Pipes => pipes(),
        Bond::Slot(..) | Bond::Loop(_) => format!("{}{}", pipes(), looped()),
        Bond::Nothing => String::new(),
    }
}
