//! How many bytes a stream of events needs when nothing is lost between buffers (spec/xla-memory.md 8.2).

use super::{Analysis, Event, EventKind, EventOptions, Ranges, Simulator, ValueId};
use crate::ir::hlo::{ComputationId, Sharing};

/// How bytes are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// As XLA counts: a value that takes the bytes of another counts as new, so both count where one
    /// follows the other.
    Xla,
    /// Bytes that several values share count once.
    #[default]
    Exact,
}

/// The moment at which most bytes are alive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Peak {
    /// Bytes alive, those shared counted once.
    pub bytes: u64,
    /// The first event after which they are; `None` when nothing is ever alive.
    pub at: Option<usize>,
    /// What is alive then: of values that share bytes the one that they started with; by id.
    pub live: Vec<ValueId>,
}

/// The bytes of a heap without gaps, as XLA counts them: a share counts as an allocation.
/// Saturates at 64 bits.
pub fn no_fragmentation(events: &[Event]) -> u64 {
    let (mut now, mut most) = (0_u64, 0);
    for event in events {
        match event.kind {
            EventKind::Alloc | EventKind::Share(_) => now = now.saturating_add(event.size),
            EventKind::Free => now = now.saturating_sub(event.size),
        }
        most = most.max(now);
    }
    most
}

/// The first moment of most bytes alive; values that share bytes count once, with the size of the
/// largest. Saturates at 64 bits.
pub fn exact_peak(events: &[Event]) -> Peak {
    let mut count = Counts::new(events);
    let (mut bytes, mut at) = (0, None);
    for (index, event) in events.iter().enumerate() {
        count.take(event);
        if count.now > bytes {
            (bytes, at) = (count.now, Some(index));
        }
    }
    let Some(last) = at else { return Peak::default() };
    let mut replay = Counts::new(events);
    events.iter().take(last + 1).for_each(|event| replay.take(event));
    let roots = (0..).map(ValueId).zip(&replay.users);
    let live = roots.filter(|(_, users)| **users > 0).map(|(root, _)| root).collect();
    Peak { bytes, at, live }
}

/// Reference counts of bytes by the value that they started with.
struct Counts {
    root: Vec<ValueId>,
    size: Vec<u64>,
    users: Vec<u32>,
    now: u64,
}

impl Counts {
    /// Finds out who shares with whom, and the bytes that they share.
    fn new(events: &[Event]) -> Self {
        let len = events.iter().map(|event| event.value.0 as usize + 1).max().unwrap_or(0);
        let mut root: Vec<ValueId> = (0..).map(ValueId).take(len).collect();
        let mut size = vec![0; len];
        for event in events {
            let value = event.value.0 as usize;
            if let EventKind::Share(with) = event.kind {
                root[value] = root.get(with.0 as usize).copied().unwrap_or(event.value);
            }
            let largest: &mut u64 = &mut size[root[value].0 as usize];
            *largest = event.size.max(*largest);
        }
        Self { root, size, users: vec![0; len], now: 0 }
    }

    fn take(&mut self, event: &Event) {
        let root = self.root[event.value.0 as usize].0 as usize;
        let users = &mut self.users[root];
        match event.kind {
            EventKind::Alloc | EventKind::Share(_) => {
                *users += 1;
                if *users == 1 {
                    self.now = self.now.saturating_add(self.size[root]);
                }
            }
            EventKind::Free if *users > 0 => {
                *users -= 1;
                if *users == 0 {
                    self.now = self.now.saturating_sub(self.size[root]);
                }
            }
            EventKind::Free => {}
        }
    }
}

/// The bytes that a module needs at least in the order of its analysis: all values of all
/// computations that are executed in time, parameters and results included, constants not.
pub fn minimum_memory(analysis: &Analysis<'_>, sharing: &Sharing<'_>, metric: Metric) -> u64 {
    Simulator::new(analysis.module, &analysis.values, &analysis.groups, sharing)
        .minimum_memory(&analysis.ranges, metric)
}

/// The bytes that one computation needs at least in the order of the analysis, as if it called nothing:
/// all its values, parameters and results included, constants not. 0 for one without instructions.
pub fn minimum_memory_within(
    analysis: &Analysis<'_>,
    sharing: &Sharing<'_>,
    computation: ComputationId,
    metric: Metric,
) -> u64 {
    let Analysis { module, calls, order, options, values, groups, .. } = analysis;
    let order = order.0.get(computation).map_or(&[][..], Vec::as_slice);
    let ranges = Ranges::within(module, calls, order, values, groups, options);
    Simulator::new(module, values, groups, sharing).minimum_memory(&ranges, metric)
}

impl Simulator<'_> {
    /// The same for another order, whose ranges are given: values, groups and who may share are not
    /// found again.
    pub fn minimum_memory(&self, ranges: &Ranges, metric: Metric) -> u64 {
        let events = self.events(ranges, EventOptions::default());
        match metric {
            Metric::Xla => no_fragmentation(&events),
            Metric::Exact => most_alive(&events),
        }
    }
}

/// [`exact_peak`]'s bytes alone.
fn most_alive(events: &[Event]) -> u64 {
    let mut count = Counts::new(events);
    let mut most = 0;
    for event in events {
        count.take(event);
        most = most.max(count.now);
    }
    most
}
