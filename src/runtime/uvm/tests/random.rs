//! Random calls, right ones and wrong ones, on the machine and on the naive one: the same answers, the
//! same pages, the same counters after every call.

use super::super::{BASE, Bytes, Done};
use super::naive::{HOST, Lost, Naive};
use super::world::World;
use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::{Advice, Attribute, Fault, Location};
use crate::runtime::memory::{Bank, Memory};
use crate::runtime::pointer::{How, Who};
use crate::runtime::status::{Refused, Status};

/// Small pages, so that odd addresses are as likely as even ones.
const PAGE: u64 = 64;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.roll(all.len() as u64) as usize]
    }

    fn location(&mut self) -> Location {
        match self.roll(24) {
            0 => Location::Invalid,
            1 => Location::Device(64),
            2 => Location::Device(65),
            3 => Location::Device(7),
            4 => Location::HostNuma(9),
            5 | 6 => Location::HostNuma(1),
            7..=11 => Location::Host,
            n => Location::Device((n % 2) as u32),
        }
    }

    /// Bytes in or near an allocation.
    fn range(&mut self, live: &[(u64, u64)]) -> (u64, u64) {
        if live.is_empty() || self.roll(40) == 0 {
            return (self.of(&[0, BASE - 8, BASE, BASE + 90 * PAGE]), self.of(&[0, 8, 3 * PAGE]));
        }
        let (start, pages) = self.of(live);
        let off = self.roll(pages);
        let left = pages - off + u64::from(self.roll(25) == 0);
        let n = 1 + self.roll(left);
        match self.roll(4) {
            0 => (start + off * PAGE + self.roll(PAGE), 1 + self.roll(n * PAGE - PAGE + 1)),
            1 => (start, pages * PAGE),
            _ => (start + off * PAGE, n * PAGE),
        }
    }
}

fn lost(result: Result<Done, Refused>) -> Result<Lost, (Status, Option<Code>)> {
    let plain = |list: Vec<Bytes>| list.into_iter().map(|bytes| (bytes.start, bytes.len)).collect();
    match result {
        Ok(done) => Ok(Lost {
            poison: merged(plain(done.poison)),
            stale: merged(plain(done.stale)),
            missing: merged(plain(done.missing)),
        }),
        Err(refused) => Err((refused.status, refused.finding)),
    }
}

fn merged(mut list: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    list.sort_unstable();
    let mut out: Vec<(u64, u64)> = Vec::new();
    for (start, len) in list {
        match out.last_mut() {
            Some((from, n)) if *from + *n >= start => *n = (*n).max(start + len - *from),
            _ => out.push((start, len)),
        }
    }
    out
}

fn flat(lost: Result<Lost, (Status, Option<Code>)>) -> Result<Lost, (Status, Option<Code>)> {
    lost.map(|lost| Lost {
        poison: merged(lost.poison),
        stale: merged(lost.stale),
        missing: merged(lost.missing),
    })
}

fn compare(world: &World, naive: &Naive, story: &[String]) {
    let tail = || {
        let last = &story[story.len().saturating_sub(12)..];
        format!("{}\n..\n{}\n{:?}", story[0], last.join("\n"), world.machine.oversub)
    };
    assert_eq!(world.counters, naive.counters, "counters differ after\n{}", tail());
    let mut seen = 0;
    for (from, to, page) in world.uvm.runs.all() {
        for p in from..to {
            seen += 1;
            let other = naive.pages.get(&p).unwrap_or_else(|| panic!("page {p}\n{}", tail()));
            let replicas = page.replicas();
            let owner = match page.owner() {
                None => None,
                Some(Bank::Host) => Some(HOST),
                Some(Bank::Device(d)) => Some(d),
            };
            let ids: Vec<u32> = replicas.iter().map(|one| one.device).collect();
            let bad: Vec<u32> = replicas.iter().filter(|r| r.stale).map(|r| r.device).collect();
            let mut by: Vec<u32> =
                (0..64).filter(|d| page.access_by.devices >> d & 1 == 1).collect();
            by.extend(page.access_by.host.then_some(HOST));
            let mut unused: Vec<u32> =
                (0..64).filter(|d| page.unused.devices >> d & 1 == 1).collect();
            unused.extend(page.unused.host.then_some(HOST));
            let ours = (
                (page.alloc, page.on_host(), owner, ids, page.read_mostly(), page.area),
                (page.preferred, by, page.last_prefetch, bad, page.swapped_at, page.holds),
                unused,
            );
            let theirs = (
                (
                    other.alloc,
                    other.host_mapped,
                    other.owner,
                    other.devices.iter().copied().collect(),
                    other.read_mostly,
                    other.in_area,
                ),
                (
                    other.preferred,
                    other.access_by.iter().copied().collect(),
                    other.last_prefetch,
                    other.bad.iter().copied().collect(),
                    other.swapped_at,
                    other.held,
                ),
                other.fetched_in_vain.iter().copied().collect(),
            );
            assert_eq!(ours, theirs, "page {p} differs after\n{}", tail());
            assert_eq!(other.device_mapped, !other.devices.is_empty());
            for one in replicas {
                let scans = world.uvm.scanners[&one.device].scans;
                let age = scans.saturating_sub(one.seen + 1);
                let young = one.seen == scans;
                assert_eq!(young, other.young[&one.device], "young of {p} after\n{}", tail());
                if !young {
                    assert_eq!(age, other.age[&one.device], "age of {p} after\n{}", tail());
                }
            }
        }
    }
    assert_eq!(seen, naive.pages.len(), "pages after\n{}", tail());
}

fn faults(dice: &mut Dice) -> Vec<Fault> {
    match dice.roll(3) {
        0 => {}
        _ => return Vec::new(),
    }
    let mut all = Vec::new();
    for _ in 0..1 + dice.roll(3) {
        all.push(match dice.roll(5) {
            0 => Fault::FailAlloc(1 + dice.roll(20)),
            1 => Fault::DmaError(1 + dice.roll(12)),
            2 => Fault::AckTimeout(1 + dice.roll(4)),
            3 => Fault::SwapRefused,
            _ => Fault::HostOom(dice.roll(12)),
        });
    }
    all
}

fn machines(dice: &mut Dice) -> (World, Naive) {
    let mode = dice.of(&[Mode::Spec, Mode::Source]);
    let mut world = World::new(mode);
    world.machine.uvm_page = PAGE;
    world.machine.costs.prefetch_batch = dice.of(&[16, 2, 3]);
    let over = &mut world.machine.oversub;
    over.enabled = dice.roll(8) > 0;
    over.direct_reclaim = dice.roll(8) > 0;
    over.batch = dice.of(&[64, 1, 2]);
    over.target_free = dice.of(&[25, 50, 0]);
    over.thrash_window = dice.of(&[1000, 100]);
    if dice.roll(2) == 0 {
        for level in &mut over.levels {
            level.free_below *= 3;
        }
    }
    over.host_swap_pages = dice.of(&[None, None, Some(2), Some(5), Some(90)]);
    let (device, host) = (2 + dice.roll(6), dice.of(&[40, 12, 5, 3]));
    world.memory = Memory::new(2, device * PAGE, host * PAGE);
    let all = faults(dice);
    world.inject(&all);
    let rooms = [(0, device), (1, device), (HOST, host)];
    let naive = Naive::new(world.machine.clone(), mode, world.injected.clone(), &rooms);
    (world, naive)
}

const ADVICES: [Option<Advice>; 7] = [
    Some(Advice::ReadMostly),
    Some(Advice::UnsetReadMostly),
    Some(Advice::PreferLocation),
    Some(Advice::UnsetPreferLocation),
    Some(Advice::AccessBy),
    Some(Advice::UnsetAccessBy),
    None,
];

const ATTRIBUTES: [Option<Attribute>; 9] = [
    Some(Attribute::ReadMostly),
    Some(Attribute::PreferredLoc),
    Some(Attribute::AccessBy),
    Some(Attribute::PreferredLocType),
    Some(Attribute::PreferredLocId),
    Some(Attribute::LastPrefetchLoc),
    Some(Attribute::LastPrefetchLocType),
    Some(Attribute::LastPrefetchLocId),
    None,
];

/// One call on both; adds a line to the story.
fn step(dice: &mut Dice, world: &mut World, naive: &mut Naive, story: &mut Vec<String>) {
    let live: Vec<(u64, u64)> = naive.allocs.iter().map(|(&start, &(_, n))| (start, n)).collect();
    let (address, len) = dice.range(&live);
    let who = dice.of(&[Who::Host, Who::Device(0), Who::Device(1)]);
    let how = dice.of(&[How::Read, How::Write]);
    let location = dice.location();
    world.now += dice.of(&[0, 1, 30, 200]);
    naive.now = world.now;
    macro_rules! same {
        ($text:expr, $ours:expr, $theirs:expr) => {{
            story.push(format!("{} {}", world.now, $text));
            let (ours, theirs) = ($ours, $theirs);
            assert_eq!(ours, theirs, "the answer of\n{}", story.join("\n"));
        }};
    }
    let plain = |refused: Refused| (refused.status, refused.finding);
    match dice.roll(20) {
        0 | 1 if live.len() < 5 => {
            let size = dice.roll(7 * PAGE);
            same!(
                format!("alloc {size}"),
                world.call(|uvm, cx| uvm.alloc(cx, size)).map_err(plain),
                naive.alloc(size)
            );
        }
        0 | 1 => {
            let p = if dice.roll(3) == 0 { address } else { dice.of(&live).0 };
            let ours = world.call(|uvm, cx| uvm.free(cx, p)).map_err(plain);
            same!(format!("free {p:#x}"), ours.map(|_| ()), naive.free(p));
        }
        2..=7 => same!(
            format!("touch {who:?} {how:?} {address:#x} {len}"),
            lost(world.touch(who, address, len, how)),
            flat(naive.touch(who, address, len, how))
        ),
        8..=10 => {
            let advice = ADVICES[dice.roll(20).min(13) as usize % 7];
            same!(
                format!("{advice:?} {location:?} {address:#x} {len}"),
                lost(world.call(|uvm, cx| uvm.advise(cx, address, len, advice, location))),
                flat(naive.advise(address, len, advice, location))
            );
        }
        11..=13 => {
            let flags = u64::from(dice.roll(30) == 0);
            same!(
                format!("prefetch {location:?} {address:#x} {len}"),
                lost(world.call(|uvm, cx| uvm.prefetch(cx, address, len, location, flags))),
                flat(naive.prefetch(address, len, location, flags))
            );
        }
        14 => {
            let ranges = [(address, len), dice.range(&live), dice.range(&live)];
            let locations = [location, dice.location()];
            let index = [dice.roll(8) / 7, 1 + dice.roll(3)];
            let later = dice.roll(6) == 0;
            same!(
                format!("batch {ranges:x?} {locations:?} {index:?}"),
                lost(world.call(|uvm, cx| {
                    uvm.prefetch_batch(cx, &ranges, &locations, &index, 0, later)
                })),
                flat(naive.prefetch_batch(&ranges, &locations, &index, later))
            );
        }
        15 => {
            let attribute = dice.of(&ATTRIBUTES);
            let size = dice.of(&[4, 4, 12, 7, 0]);
            same!(
                format!("{attribute:?} {address:#x} {len} {size}"),
                world
                    .call(|uvm, cx| uvm.attribute(cx, address, len, attribute, size))
                    .map_err(plain),
                naive.attribute(address, len, attribute, size)
            );
        }
        16 => same!(
            format!("memset {address:#x} {len}"),
            lost(world.call(|uvm, cx| uvm.memset(cx, address, len))),
            flat(naive.memset(address, len))
        ),
        17 => {
            let (src, other) = dice.range(&live);
            let n = if dice.roll(2) == 0 { len.min(other) } else { len };
            same!(
                format!("copy {address:#x} from {src:#x} {n}"),
                lost(world.call(|uvm, cx| uvm.copy(cx, address, src, n))),
                flat(naive.copy(address, src, n))
            );
        }
        18 => {
            if dice.roll(2) == 0 {
                same!(
                    format!("copy in {address:#x} {len}"),
                    lost(world.call(|uvm, cx| uvm.copy_in(cx, address, len))),
                    flat(naive.copy_in(address, len))
                );
            } else {
                same!(
                    format!("copy out {address:#x} {len}"),
                    lost(world.call(|uvm, cx| uvm.copy_out(cx, address, len))),
                    flat(naive.copy_out(address, len))
                );
            }
        }
        _ => rare(dice, world, naive, story, (address, len)),
    }
}

fn rare(
    dice: &mut Dice,
    world: &mut World,
    naive: &mut Naive,
    story: &mut Vec<String>,
    (address, len): (u64, u64),
) {
    let pages = if address >= BASE && len > 0 { naive.touched(address, len) } else { 0..0 };
    match dice.roll(8) {
        0 => {
            story.push("crash".to_owned());
            let ours = lost(Ok(world.call(|uvm, cx| uvm.crash_device(cx, 0))));
            assert_eq!(ours, flat(Ok(naive.crash())), "{}", story.join("\n"));
        }
        1 | 2 => {
            story.push(format!("evict {address:#x}"));
            world.call(|uvm, cx| uvm.evict(cx, address));
            let p = if address >= BASE { naive.number(address) } else { u64::MAX };
            if let Some(page) = naive.pages.get(&p).filter(|page| page.held == 0) {
                for d in page.devices.clone() {
                    naive.evict(p, d);
                }
            }
        }
        3 | 4 => {
            story.push("tick".to_owned());
            world.call(|uvm, cx| uvm.tick(cx));
            naive.tick();
        }
        n => {
            let on = n < 7;
            story.push(format!("hold {on} {address:#x} {len}"));
            let uvm = &mut world.uvm;
            if on {
                uvm.hold(address, len)
            } else {
                uvm.unhold(address, len)
            }
            for p in pages {
                if let Some(page) = naive.pages.get_mut(&p) {
                    page.held = if on { page.held + 1 } else { page.held.saturating_sub(1) };
                }
            }
        }
    }
}

#[test]
fn random_calls_do_what_the_tables_say() {
    let cases = std::env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2000);
    for case in 0..cases {
        let mut dice =
            Dice(0x9e37_79b9_7f4a_7c15 ^ (case + 1u64).wrapping_mul(0xd134_2543_de82_ef95));
        let (mut world, mut naive) = machines(&mut dice);
        let mut story = vec![format!("case {case} {:?} {:?}", world.mode, world.injected)];
        for _ in 0..40 {
            step(&mut dice, &mut world, &mut naive, &mut story);
            compare(&world, &naive, &story);
        }
    }
}
