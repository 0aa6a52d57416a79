//! Which cached block a request gets, naively: all sets of complete frees are tried.

use std::rc::Rc;

use super::naive::{Entry, Naive};
use crate::model::machine::SomaPolicy;
use crate::model::trace::ReusePolicy;
use crate::runtime::clock::{ActorId, Clock};

impl Naive {
    /// Which of the candidates, which come in the order wanted.
    pub(super) fn reuse(
        &self,
        p: usize,
        from: &[(usize, usize, Rc<Entry>)],
        on: ActorId,
        request: &Clock,
        host: &Clock,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Option<(usize, ReusePolicy)> {
        let knows = |clock: &Clock, entry: &Entry| {
            entry.frees.iter().all(|m| clock.get(m.epoch.actor) >= m.epoch.n)
        };
        let find = |test: &dyn Fn(&Entry) -> bool| from.iter().position(|c| test(&c.2));
        let [event, opportunistic, internal] = self.pools[p].flags;
        match self.policy {
            SomaPolicy::Head => return None,
            SomaPolicy::Documented => {
                if let Some(n) =
                    find(&|e| e.frees.iter().all(|m| m.stream == on) && knows(request, e))
                {
                    return Some((n, ReusePolicy::Single));
                }
                if let (true, Some(n)) = (event, find(&|e| knows(request, e))) {
                    return Some((n, ReusePolicy::Event));
                }
                if opportunistic {
                    // All sets of frees that may be complete now.
                    let sure: Vec<bool> = from.iter().map(|c| knows(host, &c.2)).collect();
                    let needs = |m: usize, e: usize| {
                        from[e].2.frees.iter().all(|f| {
                            from[m].2.frees.iter().any(|g| g.clock.get(f.epoch.actor) >= f.epoch.n)
                        })
                    };
                    let mut outcomes: Vec<Option<usize>> = Vec::new();
                    for set in 0_u32..1 << from.len() {
                        let has = |n: usize| sure[n] || set >> n & 1 == 1;
                        let closed = (0..from.len())
                            .all(|m| !has(m) || (0..from.len()).all(|e| has(e) || !needs(m, e)));
                        let best = (0..from.len()).find(|&n| has(n));
                        if closed && !outcomes.contains(&best) {
                            outcomes.push(best);
                        }
                    }
                    outcomes[1..].sort();
                    let taken = if outcomes.len() > 1 { choose(outcomes.len()) } else { 0 };
                    if let Some(n) = outcomes[taken] {
                        return Some((n, ReusePolicy::Opportunistic));
                    }
                }
            }
            SomaPolicy::Source0184 => {
                if let Some(n) = find(&|e| e.source.0 == on) {
                    return Some((n, ReusePolicy::Single));
                }
                if let (true, Some(n)) = (
                    event,
                    find(&|e| self.log.known(on, e.source.0).is_some_and(|k| k >= e.source.1)),
                ) {
                    return Some((n, ReusePolicy::Event));
                }
                if opportunistic && !from.is_empty() {
                    return Some((0, ReusePolicy::Opportunistic));
                }
            }
        }
        (internal && !from.is_empty()).then_some((0, ReusePolicy::Internal))
    }
}
