//! What changed of a kernel, told once and with names.

use super::effects::weight;
use super::pairs::{At, Pairs};
use super::schedule::{Fate, Schedule};
use super::words::{few, number};
use crate::model::{Cause, CauseKind, Kernel, KernelBuffer};

/// Fragments that one cause joins at most.
const FRAGMENTS: usize = 3;

/// A buffer, what to say of it, and how much it matters.
type Told = (String, String, u128);

/// All changes, in a fixed order of kinds.
pub(super) fn causes(
    old: &Kernel,
    new: &Kernel,
    pairs: &Pairs,
    schedule: Option<&Schedule>,
) -> Vec<Cause> {
    let changes = Changes { old, new, pairs, schedule };
    let mut causes = changes.capacities();
    causes.extend(cause(CauseKind::Sizes, changes.sizes()));
    causes.extend(cause(CauseKind::Slots, changes.slots()));
    causes.extend(cause(CauseKind::Live, changes.live(Fate::Own)));
    causes.extend(changes.schedule());
    causes.extend(cause(CauseKind::Added, changes.lone(new, &pairs.new, "new")));
    causes.extend(cause(CauseKind::Removed, changes.lone(old, &pairs.gone, "gone")));
    causes.extend(cause(CauseKind::Renamed, changes.renamed()));
    causes.extend(cause(CauseKind::Scope, changes.scopes()));
    if causes.is_empty() {
        let placement = cause(CauseKind::Placement, changes.offsets());
        // Placements that are given, not found, change the fingerprint where they are pins. Where they are
        // found, who lies elsewhere is a trace of what changed out of sight.
        let given = old.verdict.is_none() && new.verdict.is_none();
        if !(given && placement.is_some()) {
            causes.extend(changes.problem());
        }
        causes.extend(placement);
    }
    causes
}

fn cause(kind: CauseKind, mut told: Vec<Told>) -> Option<Cause> {
    if told.is_empty() {
        return None;
    }
    told.sort_by_key(|(_, _, matters)| std::cmp::Reverse(*matters));
    let texts: Vec<String> = told.iter().map(|(_, text, _)| text.clone()).collect();
    let buffers: Vec<String> = told.into_iter().map(|(name, _, _)| name).collect();
    Some(named(kind, buffers, few(&texts, FRAGMENTS)))
}

fn named(kind: CauseKind, mut buffers: Vec<String>, text: String) -> Cause {
    let more = buffers.len().saturating_sub(Cause::LIMIT);
    buffers.truncate(Cause::LIMIT);
    Cause { kind, buffers, more, text }
}

struct Changes<'a> {
    old: &'a Kernel,
    new: &'a Kernel,
    pairs: &'a Pairs,
    schedule: Option<&'a Schedule>,
}

impl<'a> Changes<'a> {
    /// The buffers that both sides have.
    fn both(&self) -> impl Iterator<Item = (&'a KernelBuffer, &'a KernelBuffer, At, At)> {
        let (old, new) = (self.old, self.new);
        self.pairs.both.iter().map(move |&(a, b)| (get(old, a), get(new, b), a, b))
    }

    fn capacities(&self) -> Vec<Cause> {
        let word = |n: Option<u64>| n.map_or_else(|| "unbounded".to_owned(), number);
        let mut causes = Vec::new();
        for scope in &self.new.scopes {
            let Some(before) = self.old.scopes.iter().find(|s| s.name == scope.name) else {
                continue;
            };
            // A source that tells no load tells no capacity either.
            let told = before.max_load.is_some() && scope.max_load.is_some();
            let differs = before.usable != scope.usable;
            if differs && (told || before.usable.is_some() && scope.usable.is_some()) {
                let (from, to) = (word(before.usable), word(scope.usable));
                let unit = if scope.usable.is_some() { " B" } else { "" };
                let text = format!("usable bytes of `{}` {from} -> {to}{unit}", scope.name);
                causes.push(named(CauseKind::Capacity, Vec::new(), text));
            }
        }
        causes
    }

    fn sizes(&self) -> Vec<Told> {
        let changed = self.both().filter_map(|(a, b, ..)| {
            let (from, to) = (a.size?, b.size?);
            let verb = match from.cmp(&to) {
                std::cmp::Ordering::Less => "grew",
                std::cmp::Ordering::Greater => "shrank",
                std::cmp::Ordering::Equal => return None,
            };
            let text = format!("`{}` {verb} {} -> {}", b.name, number(from), number(to));
            let matters = u128::from(from.abs_diff(to)) * u128::from(b.slots.unwrap_or(1));
            Some((b.name.clone(), text, matters))
        });
        changed.collect()
    }

    fn slots(&self) -> Vec<Told> {
        let changed = self.both().filter_map(|(a, b, ..)| {
            let (from, to) = (a.slots?, b.slots?);
            let text = format!("slots of `{}` {from} -> {to}", b.name);
            let matters = u128::from(from.abs_diff(to)) * u128::from(b.size.unwrap_or(1));
            (from != to).then(|| (b.name.clone(), text, matters))
        });
        changed.collect()
    }

    /// Live ranges that changed for this reason.
    fn live(&self, reason: Fate) -> Vec<Told> {
        let changed = self.both().filter_map(|(a, b, _, at)| {
            let (old, new) = (a.live.as_ref()?, b.live.as_ref()?);
            let fate = match self.schedule {
                Some(schedule) => schedule.fate(old, new),
                None if old == new => Fate::Same,
                None => Fate::Own,
            };
            if fate != reason {
                return None;
            }
            let length = |live: &[[u64; 2]]| -> u64 {
                live.iter().fold(0, |sum, [s, e]| sum.saturating_add(e.saturating_sub(*s)))
            };
            let longer = u128::from(length(old).abs_diff(length(new))).max(1);
            let matters = u128::from(weight(self.new, at)).saturating_mul(longer);
            Some((b.name.clone(), self.live_text(b, old, new), matters))
        });
        changed.collect()
    }

    fn live_text(&self, buffer: &KernelBuffer, old: &[[u64; 2]], new: &[[u64; 2]]) -> String {
        let words = |live: &[[u64; 2]]| {
            let all: Vec<String> = live.iter().map(|[s, e]| format!("[{s}, {e})")).collect();
            few(&all, 2)
        };
        let text = format!("`{}` lives {} -> {}", buffer.name, words(old), words(new));
        let step = |kernel: &'a Kernel, at: u64| {
            kernel.steps.as_ref().and_then(|steps| steps.get(usize::try_from(at).ok()?))
        };
        match (old, new) {
            ([[s, a]], [[t, b]]) => {
                let last =
                    (step(self.old, a.saturating_sub(1)), step(self.new, b.saturating_sub(1)));
                match (last, (step(self.old, *s), step(self.new, *t))) {
                    ((Some(was), Some(now)), _) if was != now => {
                        format!("{text}, until `{now}` instead of `{was}`")
                    }
                    (_, (Some(was), Some(now))) if was != now => {
                        format!("{text}, from `{now}` instead of `{was}`")
                    }
                    _ => text,
                }
            }
            _ => text,
        }
    }

    fn schedule(&self) -> Option<Cause> {
        let schedule = self.schedule.filter(|s| !s.is_same())?;
        let names = |kernel: &Kernel, at: &[usize]| {
            let name = |at: &usize| kernel.steps.as_ref().and_then(|steps| steps.get(*at));
            at.iter().filter_map(name).map(|n| format!("`{n}`")).collect::<Vec<_>>()
        };
        let kinds = [
            ("added", names(self.new, &schedule.added)),
            ("removed", names(self.old, &schedule.removed)),
            ("moved", names(self.new, &schedule.moved)),
        ];
        let told = kinds.iter().filter(|(_, names)| !names.is_empty());
        let told: Vec<String> =
            told.map(|(verb, names)| format!("{} {verb}", few(names, FRAGMENTS))).collect();
        let mut follow = self.live(Fate::Follows);
        follow.sort_by_key(|(_, _, matters)| std::cmp::Reverse(*matters));
        let buffers: Vec<String> = follow.into_iter().map(|(name, _, _)| name).collect();
        let quoted: Vec<String> = buffers.iter().map(|b| format!("`{b}`")).collect();
        let mut text = told.join(", ");
        if !quoted.is_empty() {
            text.push_str(&format!(", and with that the life of {}", few(&quoted, FRAGMENTS)));
        }
        Some(named(CauseKind::Schedule, buffers, text))
    }

    /// Buffers that only one side has.
    fn lone(&self, kernel: &Kernel, which: &[At], verb: &str) -> Vec<Told> {
        let told = which.iter().map(|&at| {
            let buffer = get(kernel, at);
            let size = match (buffer.size, buffer.slots) {
                (Some(size), Some(slots)) if slots > 1 => {
                    format!(" ({slots} x {} B)", number(size))
                }
                (Some(size), _) => format!(" ({} B)", number(size)),
                (None, _) => String::new(),
            };
            let text = format!("`{}`{size} is {verb}", buffer.name);
            (buffer.name.clone(), text, weight(kernel, at).into())
        });
        told.collect()
    }

    fn renamed(&self) -> Vec<Told> {
        let renamed = self.both().filter(|(a, b, ..)| a.name != b.name);
        renamed
            .map(|(a, b, _, at)| {
                let text = format!("`{}` is now `{}`", a.name, b.name);
                (b.name.clone(), text, weight(self.new, at).into())
            })
            .collect()
    }

    fn scopes(&self) -> Vec<Told> {
        let told = self.both().filter_map(|(_, b, then, now)| {
            let (from, to) = (&self.old.scopes[then.0].name, &self.new.scopes[now.0].name);
            let text = format!("`{}` lies in `{to}` instead of `{from}`", b.name);
            // A plan written by hand need not say where.
            let told = !from.is_empty() && !to.is_empty();
            (told && from != to).then(|| (b.name.clone(), text, weight(self.new, now).into()))
        });
        told.collect()
    }

    fn problem(&self) -> Option<Cause> {
        let (then, now) = (self.old.fingerprint.as_ref()?, self.new.fingerprint.as_ref()?);
        if then == now {
            return None;
        }
        // Pairs stand in the order of now.
        let text = match self.pairs.both.is_sorted_by_key(|(then, _)| *then) {
            true => {
                "the problem is another one (alignment, pins, relations, accesses, pipes or target)"
            }
            false => "buffers or scopes stand in another order",
        };
        Some(named(CauseKind::Problem, Vec::new(), text.to_owned()))
    }

    fn offsets(&self) -> Vec<Told> {
        let words = |offsets: &[u64]| {
            let all: Vec<String> = offsets.iter().map(|&n| number(n)).collect();
            all.join("/")
        };
        let moved = self.both().filter_map(|(a, b, _, at)| {
            if a.offsets == b.offsets || a.offsets.is_empty() || b.offsets.is_empty() {
                return None;
            }
            let text = format!("`{}` at {} -> {}", b.name, words(&a.offsets), words(&b.offsets));
            Some((b.name.clone(), text, weight(self.new, at).into()))
        });
        moved.collect()
    }
}

fn get(kernel: &Kernel, (scope, buffer): At) -> &KernelBuffer {
    &kernel.scopes[scope].buffers[buffer]
}
