//! Small valid instances out of any bytes.
//!
//! quickcheck generates and shrinks the bytes, libFuzzer mutates the same bytes. Sizes are small
//! and capacities tight, so that a good part of the instances has no packing.

use memplan_packing::{Colocation, Inplace, Instance, Item, ItemId, PairCost, Promotion, Span};

/// Which features of [`Instance`] a generated instance may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features(pub u16);

impl Features {
    /// Nothing but sizes, one span each and a capacity.
    pub const PLAIN: Self = Self(0);
    /// Every feature by its name.
    pub const EACH: [(&'static str, Self); 14] = [
        ("align", Self(1)),
        ("pins", Self(2)),
        ("windows", Self(4)),
        ("gaps", Self(8)),
        ("reserved", Self(16)),
        ("separate", Self(32)),
        ("alone", Self(64)),
        ("exclusive", Self(128)),
        ("colocated", Self(256)),
        ("inplace", Self(512)),
        ("promotions", Self(1024)),
        ("costs", Self(2048)),
        ("zero", Self(4096)),
        ("unbounded", Self(8192)),
    ];

    /// The features of one name; none for a name that is not in [`Features::EACH`].
    pub fn named(name: &str) -> Self {
        let found = Self::EACH.iter().find(|(each, _)| *each == name);
        found.map_or(Self::PLAIN, |f| f.1)
    }

    fn has(self, name: &str) -> bool {
        self.0 & Self::named(name).0 != 0
    }
}

/// An instance of at most seven items; the first bytes choose its features.
///
/// A quarter of the instances is plain but for one feature, the rest mixes features at random.
pub fn generate(bytes: &[u8]) -> Instance {
    let mut bytes = Bytes(bytes);
    let (kind, one, two) = (bytes.next(), bytes.next(), bytes.next());
    let features = match kind % 4 {
        0 => Features::EACH[one as usize % Features::EACH.len()].1,
        1 => Features(u16::from(one) | u16::from(two) << 8),
        _ => Features(1 << (one % 14) | 1 << (one / 14 % 14) | 1 << (two % 14)),
    };
    generate_with(bytes.0, features, 7)
}

/// An instance of at most `most` items that uses no other feature than `features`.
pub fn generate_with(bytes: &[u8], features: Features, most: usize) -> Instance {
    let bytes = &mut Bytes(bytes);
    let n = 1 + bytes.below(most);
    let mut instance = Instance::default();
    for _ in 0..n {
        instance.items.push(item(bytes, features));
    }
    if features.has("reserved") {
        let mut at = 0;
        for _ in 0..bytes.below(3) {
            let start = at + bytes.below(5) as u64;
            at = start + 1 + bytes.below(3) as u64;
            instance.reserved.push(start..at);
        }
    }
    pairs(bytes, features, &mut instance);
    promotions(bytes, features, &mut instance);
    let load = (0..10).map(|t| load(&instance, t)).max().unwrap_or(0);
    let room = (load + bytes.below(6) as u64).saturating_sub(1);
    instance.capacity = (!features.has("unbounded")).then_some(room);
    instance
}

/// 96 bytes for a generator: they look random and are the same on every machine.
pub fn noise(seed: u64) -> Vec<u8> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1;
    let step = |_| {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 32) as u8
    };
    (0..96).map(step).collect()
}

fn item(bytes: &mut Bytes, features: Features) -> Item {
    let least = usize::from(!features.has("zero"));
    let size = (least + bytes.below(5 - least)) as u64;
    let start = bytes.below(7) as u64;
    let mut item = Item::new(size, 1, start, start + 1 + bytes.below(4) as u64);
    if features.has("align") {
        item.align = [1, 2, 3, 4, 1, 2][bytes.below(6)];
    }
    if features.has("gaps") && bytes.below(2) == 0 {
        let again = item.live[0].end + bytes.below(3) as u64;
        item.live.push(Span::new(again, again + 1 + bytes.below(2) as u64));
    }
    if features.has("zero") && bytes.below(8) == 0 {
        item.live.clear();
    }
    if features.has("pins") && bytes.below(3) == 0 {
        item.pin = Some(bytes.below(7) as u64);
    }
    if features.has("windows") && bytes.below(3) == 0 {
        let from = bytes.below(5) as u64;
        item.window = Some(from..from + bytes.below(9) as u64);
    }
    item.alone = features.has("alone") && bytes.below(5) == 0;
    item
}

fn pairs(bytes: &mut Bytes, features: Features, instance: &mut Instance) {
    let n = instance.items.len();
    if n < 2 {
        return;
    }
    let pair = |bytes: &mut Bytes| {
        let first = bytes.below(n);
        (first as ItemId, ((first + 1 + bytes.below(n - 1)) % n) as ItemId)
    };
    if features.has("separate") {
        instance.separate = (0..bytes.below(4)).map(|_| pair(bytes)).collect();
    }
    if features.has("exclusive") {
        instance.exclusive = (0..bytes.below(6)).map(|_| pair(bytes)).collect();
    }
    if features.has("costs") {
        for _ in 0..bytes.below(5) {
            let (first, second) = pair(bytes);
            instance.costs.push(PairCost { first, second, cost: bytes.below(4) as u64 });
        }
    }
    if features.has("colocated") {
        for _ in 0..bytes.below(4) {
            let (first, second) = pair(bytes);
            let delta = [0, 0, 1, 2, 3, 4][bytes.below(6)];
            instance.colocated.push(Colocation { first, second, delta });
            if instance.groups().is_err() {
                instance.colocated.pop();
            }
        }
    }
    if features.has("inplace") {
        for _ in 0..bytes.below(6) {
            let (a, b) = pair(bytes);
            let size = |id: ItemId| instance.items[id as usize].size;
            let (from, into) = if size(a) >= size(b) { (a, b) } else { (b, a) };
            instance.inplace.push(Inplace { from, into });
        }
    }
}

/// Promotions that [`Instance::validate`] takes, usually with the separations they lift.
fn promotions(bytes: &mut Bytes, features: Features, instance: &mut Instance) {
    let n = instance.items.len();
    if !features.has("promotions") || n < 3 {
        return;
    }
    for _ in 0..1 + bytes.below(3) {
        let single = bytes.below(n);
        let fits = |&s: &usize| {
            let (small, slot) = (&instance.items[single], &instance.items[s]);
            s != single && small.size <= slot.size && !small.meets(slot)
        };
        let mut slots: Vec<usize> = (0..n).filter(fits).collect();
        while slots.len() > 2 && bytes.below(2) == 0 {
            slots.remove(bytes.below(slots.len()));
        }
        let slots: Vec<ItemId> = slots.into_iter().map(|s| s as ItemId).collect();
        let kept = instance.clone();
        if bytes.below(4) > 0 {
            instance.separate.extend(slots.iter().map(|&s| (single as ItemId, s)));
        }
        instance.promotions.push(Promotion { single: single as ItemId, slots });
        if instance.validate().is_err() {
            *instance = kept;
        }
    }
}

fn load(instance: &Instance, at: u64) -> u64 {
    let now = Span::new(at, at + 1);
    let alive = instance.items.iter().filter(|item| item.live.iter().any(|s| s.meets(now)));
    alive.map(|item| item.size).sum()
}

/// Reads bytes one by one; past the end they are zero.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    fn below(&mut self, end: usize) -> usize {
        self.next() as usize % end.max(1)
    }
}
