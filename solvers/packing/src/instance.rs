//! What has to be packed.

use std::ops::Range;

/// The index of an item in [`Instance::items`].
pub type ItemId = u32;

/// Half-open time range `[start, end)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First step at which the item holds its bytes.
    pub start: u64,
    /// First step at which it no longer does.
    pub end: u64,
}

impl Span {
    /// The span `[start, end)`.
    pub const fn new(start: u64, end: u64) -> Self {
        Self { start, end }
    }

    /// True when there is no step in it.
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// True when the two spans share a step.
    pub const fn meets(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

/// One thing that takes bytes: a buffer, or one slot of a multi-buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Bytes taken; zero-sized items take no bytes and conflict with nobody.
    pub size: u64,
    /// The offset is a multiple of this; at least 1, any positive number.
    pub align: u64,
    /// When the item holds its bytes: sorted, disjoint, non-empty spans.
    pub live: Vec<Span>,
    /// The only offset allowed.
    pub pin: Option<u64>,
    /// All bytes of the item lie inside this byte range.
    pub window: Option<Range<u64>>,
    /// True when the item shares bytes with nobody, at any time, but what it is colocated with.
    pub alone: bool,
}

impl Item {
    /// An item with one span and no further demands.
    pub fn new(size: u64, align: u64, start: u64, end: u64) -> Self {
        Self {
            size,
            align,
            live: vec![Span::new(start, end)],
            pin: None,
            window: None,
            alone: false,
        }
    }

    /// True when both items are alive at some common step.
    pub fn meets(&self, other: &Self) -> bool {
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (self.live.get(i), other.live.get(j)) {
            if a.meets(*b) {
                return true;
            }
            if a.end <= b.end { i += 1 } else { j += 1 }
        }
        false
    }

    /// First and last step of the life (`[start, end)` hull); `[0, 0)` for an item without spans.
    pub fn hull(&self) -> Span {
        match (self.live.first(), self.live.last()) {
            (Some(a), Some(b)) => Span::new(a.start, b.end),
            _ => Span::new(0, 0),
        }
    }
}

/// `offset(second) == offset(first) + delta`: both names stand for the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colocation {
    /// The item that lies at the lower offset.
    pub first: ItemId,
    /// The item that lies `delta` bytes above it.
    pub second: ItemId,
    /// Bytes from `first` to `second`.
    pub delta: u64,
}

/// `into` may take the bytes of `from` although they meet, if both start at the same offset.
///
/// `size(into) <= size(from)` always ([`Instance::validate`] checks it). At any other offset the
/// two are an ordinary pair: bytes disjoint while both live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inplace {
    /// The item that dies.
    pub from: ItemId,
    /// The item that may take its place.
    pub into: ItemId,
}

/// `single` may take the place of a multi-buffer by becoming multi-buffered itself.
///
/// When the promotion is in force ([`crate::Packing::promoted`]), `offset(single)` equals the
/// offset of one of `slots`, and `single` holds `[offset(s), offset(s) + size(single))` for *every*
/// `s` of `slots`, over all its life and with all its relations. Pairs of `single` with `slots`
/// are then exempt from `separate` and pay no cost. `size(single) <= size(s)` for every slot, no
/// slot meets `single`, and `single` has no pin and is in no colocation, in-place pair or window
/// of its own ([`Instance::validate`] checks it). Promotions do not chain: a slot is not itself the
/// single of a promotion in force, and copies of two singles on one slot obey their own relations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promotion {
    /// The item that may become multi-buffered.
    pub single: ItemId,
    /// All slots of the multi-buffer whose place it takes.
    pub slots: Vec<ItemId>,
}

/// `cost` is paid once when the bytes of the two items overlap, however little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairCost {
    /// One item.
    pub first: ItemId,
    /// The other item.
    pub second: ItemId,
    /// What sharing bytes costs; any unit, summed over pairs.
    pub cost: u64,
}

/// A packing problem in one memory.
///
/// Two items *conflict* (their bytes must be disjoint) when they meet in time, are listed as
/// `separate`, or one is `alone`; unless they are colocated or `exclusive`, or an in-place pair at
/// the same offset. `separate` and `alone` win over `exclusive` and in-place; colocation wins over
/// all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instance {
    /// The items; their index is their [`ItemId`].
    pub items: Vec<Item>,
    /// Bytes available from offset 0; `None` when the answer is the size.
    pub capacity: Option<u64>,
    /// Byte ranges that nobody may use: sorted, disjoint, non-empty.
    pub reserved: Vec<Range<u64>>,
    /// Pairs that never share bytes, whenever they live.
    pub separate: Vec<(ItemId, ItemId)>,
    /// Pairs that are never alive together although their spans say so.
    pub exclusive: Vec<(ItemId, ItemId)>,
    /// Pairs that must share.
    pub colocated: Vec<Colocation>,
    /// Pairs that may share at one offset.
    pub inplace: Vec<Inplace>,
    /// Singles that may become multi-buffered.
    pub promotions: Vec<Promotion>,
    /// What sharing costs.
    pub costs: Vec<PairCost>,
}

/// Why an instance makes no sense; nothing below was solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// An id past the end of `items`.
    NoSuchItem(ItemId),
    /// Alignment 0.
    ZeroAlign(ItemId),
    /// Spans empty, reversed, unsorted or touching out of order.
    BadLife(ItemId),
    /// Reserved ranges empty, unsorted or overlapping.
    BadReserved,
    /// A pair of an item with itself.
    SelfPair(ItemId),
    /// An in-place result that is larger than its operand.
    InplaceLarger(Inplace),
    /// A promotion that breaks the conditions of [`Promotion`]; the index in `promotions`.
    BadPromotion(usize),
    /// Sizes, offsets or deltas that do not fit 64 bits.
    Overflow,
    /// Colocations that contradict each other.
    Contradiction(Colocation),
}

impl Instance {
    /// Checks every condition that the types do not express.
    ///
    /// # Errors
    /// The first broken condition.
    pub fn validate(&self) -> Result<(), Invalid> {
        let n = self.items.len();
        let known = |id: ItemId| {
            if (id as usize) < n { Ok(()) } else { Err(Invalid::NoSuchItem(id)) }
        };
        let pair = |a: ItemId, b: ItemId| {
            known(a)?;
            known(b)?;
            if a == b { Err(Invalid::SelfPair(a)) } else { Ok(()) }
        };
        let mut total = 0u64;
        for (id, item) in self.items.iter().enumerate() {
            let id = id as ItemId;
            if item.align == 0 {
                return Err(Invalid::ZeroAlign(id));
            }
            let room = item.size.checked_add(item.align).and_then(|room| total.checked_add(room));
            total = room.ok_or(Invalid::Overflow)?;
            let end = item.pin.unwrap_or(0).checked_add(item.size);
            end.ok_or(Invalid::Overflow)?;
            let sorted = item.live.windows(2).all(|w| w[0].end <= w[1].start);
            if !sorted || item.live.iter().any(|s| s.start >= s.end) {
                return Err(Invalid::BadLife(id));
            }
        }
        let sorted = self.reserved.windows(2).all(|w| w[0].end <= w[1].start);
        if !sorted || self.reserved.iter().any(|r| r.start >= r.end) {
            return Err(Invalid::BadReserved);
        }
        for &(a, b) in self.separate.iter().chain(&self.exclusive) {
            pair(a, b)?;
        }
        for c in &self.costs {
            pair(c.first, c.second)?;
        }
        for i in &self.inplace {
            pair(i.from, i.into)?;
            if self.items[i.into as usize].size > self.items[i.from as usize].size {
                return Err(Invalid::InplaceLarger(*i));
            }
        }
        for c in &self.colocated {
            pair(c.first, c.second)?;
            total = total.checked_add(c.delta).ok_or(Invalid::Overflow)?;
        }
        self.groups()?;
        for (index, p) in self.promotions.iter().enumerate() {
            known(p.single)?;
            for &s in &p.slots {
                pair(p.single, s)?;
            }
            let single = &self.items[p.single as usize];
            let tied = self.colocated.iter().any(|c| c.first == p.single || c.second == p.single)
                || self.inplace.iter().any(|i| i.from == p.single || i.into == p.single);
            let fits = p.slots.iter().all(|&s| {
                let slot = &self.items[s as usize];
                single.size <= slot.size && !single.meets(slot)
            });
            if p.slots.len() < 2 || tied || !fits || single.pin.is_some() || single.window.is_some()
            {
                return Err(Invalid::BadPromotion(index));
            }
        }
        Ok(())
    }

    /// Groups of colocated items: for each item its group and its distance from the group's base.
    ///
    /// The base of a group is its lowest member (distance 0). Items without colocation are groups
    /// of one. Groups are numbered by their first member.
    ///
    /// # Errors
    /// [`Invalid::Contradiction`] for two deltas that cannot both hold, [`Invalid::Overflow`].
    pub fn groups(&self) -> Result<Vec<(u32, u64)>, Invalid> {
        let n = self.items.len();
        let mut near: Vec<Vec<(usize, i128)>> = Vec::new();
        if !self.colocated.is_empty() {
            near.resize(n, Vec::new());
            for c in &self.colocated {
                near[c.first as usize].push((c.second as usize, i128::from(c.delta)));
                near[c.second as usize].push((c.first as usize, -i128::from(c.delta)));
            }
        }
        let mut at: Vec<Option<(u32, i128)>> = vec![None; n];
        let mut groups = 0;
        for root in 0..n {
            if at[root].is_some() {
                continue;
            }
            at[root] = Some((groups, 0));
            let mut members = vec![root];
            let mut next = 0;
            while !near.is_empty() && next < members.len() {
                let here = members[next];
                next += 1;
                let base = at[here].map_or(0, |(_, d)| d);
                for &(there, delta) in &near[here] {
                    match at[there] {
                        None => {
                            at[there] = Some((groups, base + delta));
                            members.push(there);
                        }
                        Some((_, d)) if d != base + delta => {
                            return Err(Invalid::Contradiction(self.link(here, there)));
                        }
                        Some(_) => {}
                    }
                }
            }
            let low = members.iter().filter_map(|&m| at[m]).map(|(_, d)| d).min().unwrap_or(0);
            for m in members {
                if let Some((_, d)) = &mut at[m] {
                    *d -= low;
                }
            }
            groups += 1;
        }
        at.into_iter()
            .map(|place| {
                let (group, d) = place.unwrap_or((0, 0));
                u64::try_from(d).map(|d| (group, d)).map_err(|_| Invalid::Overflow)
            })
            .collect()
    }

    fn link(&self, a: usize, b: usize) -> Colocation {
        let is = |c: &&Colocation| {
            let ends = (c.first as usize, c.second as usize);
            ends == (a, b) || ends == (b, a)
        };
        let found = self.colocated.iter().find(is);
        found.copied().unwrap_or(Colocation { first: a as ItemId, second: b as ItemId, delta: 0 })
    }

    /// Bytes that may be used: the capacity less the reserved ranges inside it.
    pub fn usable(&self) -> Option<u64> {
        let capacity = self.capacity?;
        let taken = |r: &Range<u64>| r.end.min(capacity).saturating_sub(r.start);
        Some(capacity - self.reserved.iter().map(taken).sum::<u64>())
    }
}
