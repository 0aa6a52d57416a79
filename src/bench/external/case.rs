//! One scope as somebody else's planner is asked about it.

use memplan_packing::Instance;
use memplan_packing::bounds::Bounds;

use crate::bench::table::{Line, table};
use crate::model::{ReuseLevel, ScopeId};
use crate::plan::{Question, problems};

/// A scope as a packing problem that CSV can carry.
#[derive(Clone, Debug)]
pub struct Case {
    pub(super) instance: Instance,
    /// What each block is called in messages.
    pub(super) names: Vec<String>,
    /// The largest sum of bytes alive at once.
    pub max_load: u64,
    /// A proven bound on the peak.
    pub lower_bound: u64,
}

impl Case {
    /// The packing problem of a scope of a function (by its index), as the level allows.
    ///
    /// # Errors
    /// What CSV has no column for.
    pub fn of(
        question: &Question<'_>,
        index: usize,
        scope: ScopeId,
        level: ReuseLevel,
    ) -> Result<Self, String> {
        let mut built = problems(question, index, scope, level)?;
        let (Some(one), true) = (built.pop(), built.is_empty()) else {
            return Err(beyond("partitions"));
        };
        let instance = within_capacity(one.instance)?;
        let buffers = &question.problem.functions[index].buffers;
        let name = |&(id, slot)| match buffers[id].slots {
            0 | 1 => buffers[id].name.clone(),
            _ => format!("{}[{slot}]", buffers[id].name),
        };
        let names = one.items.iter().map(name).collect();
        Ok(Self::new(instance, names))
    }

    pub(super) fn new(instance: Instance, names: Vec<String>) -> Self {
        let Bounds { max_load, lower_bound, .. } = Bounds::new(&instance);
        let max_load = max_load.sum;
        Self { instance, names, max_load, lower_bound: lower_bound.max(max_load) }
    }

    /// The question as CSV.
    pub fn text(&self) -> String {
        let lines = self.instance.items.iter().map(|item| {
            let hull = item.hull();
            let gaps = item.live.windows(2).filter(|w| w[0].end < w[1].start);
            Line {
                gaps: gaps.map(|w| (w[0].end, w[1].start)).collect(),
                offset: item.pin,
                ..Line::new(hull.start, hull.end, item.size, item.align)
            }
        });
        table(&lines.collect::<Vec<_>>())
    }

    /// Bytes that may be used, where there is a limit.
    pub fn capacity(&self) -> Option<u64> {
        self.instance.capacity
    }
}

fn beyond(what: &str) -> String {
    format!("its CSV cannot carry {what}")
}

/// The instance without what is reserved at its end.
///
/// # Errors
/// What CSV has no column for.
fn within_capacity(mut instance: Instance) -> Result<Instance, String> {
    if let (Some(capacity), Some(last)) = (instance.capacity, instance.reserved.last())
        && last.end >= capacity
    {
        instance.capacity = Some(capacity.min(last.start));
        instance.reserved.pop();
    }
    let items = &instance.items;
    let all = [
        (!instance.reserved.is_empty(), "reserved ranges"),
        (!instance.separate.is_empty(), "pairs that must not share bytes"),
        (!instance.exclusive.is_empty(), "pairs that are alive in different runs"),
        (!instance.colocated.is_empty(), "colocated buffers"),
        (!instance.inplace.is_empty(), "in-place pairs"),
        (!instance.promotions.is_empty(), "promotions"),
        (items.iter().any(|i| i.alone), "buffers that share with nobody"),
        (items.iter().any(|i| i.window.is_some()), "windows"),
        (items.iter().any(|i| i.live.is_empty()), "buffers that are never alive"),
    ];
    match all.iter().find(|(has, _)| *has) {
        Some((_, what)) => Err(beyond(what)),
        None => Ok(instance),
    }
}
