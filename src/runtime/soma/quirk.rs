//! Whether the other mode would have handed out something else.

use super::reuse::{Pick, Search};
use crate::model::machine::{Machine, Mode, SomaPolicy};
use crate::model::trace::ReusePolicy;
use crate::runtime::quirks::Quirk;

/// The policy of the mode that does not count here; `None` when it is the same.
pub(super) fn other_policy(machine: &Machine, mode: Mode) -> Option<SomaPolicy> {
    let other = match mode {
        Mode::Spec => Mode::Source,
        Mode::Source => Mode::Spec,
    };
    Some(machine.soma(other)).filter(|&policy| policy != machine.soma(mode))
}

/// The quirk by which the two modes part at this request, from the segments as they are now.
pub(super) fn parting(
    search: &Search<'_>,
    here: Option<&Pick>,
    other: SomaPolicy,
    len: u64,
) -> Option<Quirk> {
    let there = search.pick(other, len, &mut |_| 0);
    let what = |pick: Option<&Pick>| pick.map(|p| (p.at, p.after.is_empty()));
    if what(here) == what(there.as_ref()) {
        return None;
    }
    let picks = [here, there.as_ref()];
    // Where their bookkeeping has parted before, this request says nothing about the next.
    let freed = |pick: &Pick| search.pool.segments[pick.at].cached();
    if picks.iter().flatten().any(|pick| freed(pick).is_some_and(|f| f.mixed)) {
        return None;
    }
    let first = picks.into_iter().flatten().min_by_key(|pick| pick.by)?;
    Some(match first.by {
        ReusePolicy::Single | ReusePolicy::Event if freed(first).is_some_and(|f| f.rest) => {
            Quirk::Soma4
        }
        ReusePolicy::Single | ReusePolicy::Event => Quirk::Soma3,
        ReusePolicy::Opportunistic | ReusePolicy::Internal => Quirk::Soma5,
    })
}
