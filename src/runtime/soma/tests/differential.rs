//! The pools against the naive ones, call by call.

use std::collections::BTreeMap;

use quickcheck::{Gen, QuickCheck, TestResult};

use super::calls::{Op, PAGE};
use super::naive::{Answer, Naive, No};
use super::naive_events::Line;
use super::world::{World, stream};
use crate::model::machine::{Mode, SomaPolicy};
use crate::model::trace::{PoolAttribute, ReusePolicy};
use crate::runtime::clock::ActorId;
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::soma::{FreeMark, Given, PoolId, Wanted};
use crate::runtime::status::{Refused, Status};

const DEVICE: u64 = 20 * PAGE + 7;

/// Both, side by side.
struct Pair {
    world: World,
    naive: Naive,
    pools: Vec<PoolId>,
    blocks: Vec<Given>,
    /// Who gave a granule back last: device memory is one thing, whoever gets it.
    last_free: BTreeMap<(PoolId, u64), FreeMark>,
    /// Blocks handed out whose earlier free neither the request nor an edge orders before.
    unordered: Vec<(Option<ReusePolicy>, u64)>,
    reused: usize,
    choices: usize,
}

fn no(refused: Refused) -> No {
    (refused.status, refused.finding)
}

impl Pair {
    fn new(policy: SomaPolicy, mode: Mode) -> Self {
        let mut world = World::new(mode, DEVICE);
        world.machine.soma_page = PAGE;
        world.machine.soma_policy = Some(policy);
        Self {
            world,
            naive: Naive::new(policy, mode == Mode::Spec, PAGE, DEVICE),
            pools: Vec::new(),
            blocks: Vec::new(),
            last_free: BTreeMap::new(),
            unordered: Vec::new(),
            reused: 0,
            choices: 0,
        }
    }

    fn block(&self, n: usize) -> Option<&Given> {
        self.blocks.iter().rev().nth(n % self.blocks.len().max(1))
    }

    /// Does a call on both; what they answer, where that differs.
    fn step(&mut self, op: &Op) -> Result<(), String> {
        let at = |n: usize, len: usize| (len > 0).then(|| n % len);
        let host = self.world.clock(self.world.thread).clone();
        match op {
            Op::Create { device, max, reuse, threshold, ipc } => {
                let wanted = Wanted {
                    name: "P",
                    device: *device,
                    max: *max,
                    threshold: *threshold,
                    reuse,
                    ipc: *ipc,
                    hal: false,
                };
                let ours = self.world.with(|pools, cx| pools.create(cx, &wanted)).map_err(no);
                let plain = reuse.is_empty();
                let theirs = self.naive.create(*device, *max, plain, *ipc, *threshold);
                if let (Ok(id), Ok(p)) = (&ours, &theirs) {
                    use ReusePolicy::{Event, Internal, Opportunistic};
                    let flags = [Event, Opportunistic, Internal].map(|r| reuse.contains(&r));
                    self.naive.pools[*p].flags = flags;
                    self.pools.push(*id);
                }
                same(&ours.map(|id| id.0 as usize), &theirs)
            }
            Op::Destroy(n) => {
                let Some(p) = at(*n, self.pools.len()) else { return Ok(()) };
                let ours = self.world.destroy(self.pools[p]).map_err(no);
                let ours = ours.map(|live| live.iter().map(|b| b.address).collect::<Vec<_>>());
                same(&ours, &self.naive.destroy(p))
            }
            Op::Close(device) => {
                let ours = self.world.with(|pools, cx| pools.close(cx, Some(*device)));
                let mut theirs = Vec::new();
                for p in 0..self.pools.len() {
                    if self.naive.pools[p].device == *device {
                        theirs.extend(self.naive.destroy(p).unwrap_or_default());
                    }
                }
                same(&ours.iter().map(|b| b.address).collect::<Vec<_>>(), &theirs)
            }
            Op::Alloc { pool, size, stream: on, other_device, choice } => {
                let Some(p) = at(*pool, self.pools.len()) else { return Ok(()) };
                self.alloc(p, *size, stream(*on), *other_device, *choice)
            }
            Op::Free { block, off, stream: on } => {
                let Some(given) = self.block(*block) else { return Ok(()) };
                let (address, generation) = (given.block.address + off, given.block.generation);
                let mark = self.world.mark(stream(*on));
                self.free(address, generation, Some(mark))
            }
            Op::FreeNow { block, off } => {
                let Some(given) = self.block(*block) else { return Ok(()) };
                let (address, generation) = (given.block.address + off, given.block.generation);
                self.free(address, generation, None)
            }
            Op::FreeWild { address, stream: on } => {
                let mark = self.world.mark(stream(*on));
                self.free(*address, 0, Some(mark))
            }
            Op::PopulateFailed(block) => {
                let Some(given) = self.block(*block) else { return Ok(()) };
                let (p, generation) = (given.block.address, given.block.generation);
                let ours = self.world.with(|pools, cx| pools.populate_failed(cx, p, generation));
                same(&ours.is_some(), &self.naive.populate_failed(p, generation))
            }
            Op::Record { event, stream: on } => {
                self.world.record(*event, stream(*on));
                self.naive.log.0.push(Line::Record(stream(*on), *event));
                Ok(())
            }
            Op::Wait { event, stream: on } => {
                self.world.wait(*event, stream(*on));
                self.naive.log.0.push(Line::Wait(stream(*on), *event));
                Ok(())
            }
            Op::EventGone(event) => {
                self.world.event_destroy(*event);
                self.naive.log.0.push(Line::EventGone(*event));
                Ok(())
            }
            Op::StreamGone(on) => {
                self.world.pools.stream_destroyed(stream(*on));
                self.naive.log.0.push(Line::StreamGone(stream(*on)));
                Ok(())
            }
            Op::Sync(on) => {
                let ours = self.world.stream_sync(stream(*on));
                let host = self.world.clock(self.world.thread).clone();
                same(&ours, &self.naive.everywhere(None, &host))
            }
            Op::Learn(on) => {
                self.world.learn(stream(*on));
                Ok(())
            }
            Op::Trim { pool, keep } => {
                let Some(p) = at(*pool, self.pools.len()) else { return Ok(()) };
                let ours = self.world.trim(self.pools[p], *keep).map_err(no);
                same(&ours, &self.naive.trim(p, *keep, &host))
            }
            Op::Pressure(device) => {
                let ours = self.world.pressure(*device);
                same(&ours, &self.naive.everywhere(Some(*device), &host))
            }
            Op::Set { pool, attribute, value } => {
                let Some(p) = at(*pool, self.pools.len()) else { return Ok(()) };
                let ours = self.world.set(self.pools[p], *attribute, *value).map_err(no);
                same(&ours, &set(&mut self.naive, p, *attribute, *value))
            }
            Op::Thread(n) => {
                self.world.thread = ActorId(*n);
                Ok(())
            }
        }
    }

    fn alloc(
        &mut self,
        p: usize,
        size: u64,
        on: ActorId,
        other: bool,
        choice: usize,
    ) -> Result<(), String> {
        let request = self.world.request(on);
        let host = self.world.clock(self.world.thread).clone();
        let device = self.naive.pools[p].device ^ u32::from(other);
        let (mut asked, mut asked_too) = (Vec::new(), Vec::new());
        let ours = self.world.alloc_choosing(self.pools[p], size, on, device, &mut |n| {
            asked.push(n);
            choice % n
        });
        let theirs = self.naive.alloc(p, size, on, device, &request, &host, &mut |n| {
            asked_too.push(n);
            choice % n
        });
        same(&asked, &asked_too)?;
        self.choices += asked.len();
        let Ok(given) = ours else {
            return same(&ours.map(|_| ()).map_err(no), &theirs.map(|_| ()));
        };
        let mut after = given.after.clone();
        after.sort_by_key(|m| m.epoch);
        let block = &given.block;
        let answer = Answer {
            address: block.address,
            generation: block.generation,
            len: block.len,
            policy: given.policy,
            after,
            fresh: given.fresh,
            failed: given.failed.is_some(),
        };
        same(&Ok(answer), &theirs)?;
        self.reused += usize::from(given.policy.is_some());
        for granule in block.offset / PAGE..(block.offset + block.len) / PAGE {
            let Some(mark) = self.last_free.get(&(block.pool, granule)) else { continue };
            let ordered = request.has(mark.epoch)
                || given.after.iter().any(|edge| edge.clock.has(mark.epoch));
            if !ordered {
                self.unordered.push((given.policy, block.address));
            }
        }
        self.blocks.push(given);
        Ok(())
    }

    fn free(&mut self, p: u64, generation: u32, mark: Option<FreeMark>) -> Result<(), String> {
        let now = mark.is_none();
        let mark = mark.unwrap_or_else(|| self.world.mark(self.world.thread));
        let own = mark.clone();
        let ours = self.world.with(|pools, cx| {
            if now {
                pools.free_sync(cx, p, generation, Some(own))
            } else {
                pools.free_async(cx, p, generation, own)
            }
        });
        if let Ok(block) = &ours {
            for granule in block.offset / PAGE..(block.offset + block.len) / PAGE {
                self.last_free.insert((block.pool, granule), mark.clone());
            }
        }
        same(&ours.map(|_| ()).map_err(no), &self.naive.free(p, generation, now, &mark))
    }

    /// All that can be read, from both.
    fn compare(&mut self) -> Result<(), String> {
        for p in 0..self.pools.len() {
            use PoolAttribute::{ReservedCurrent, ReservedHigh, Threshold, UsedCurrent, UsedHigh};
            let pool = &self.naive.pools[p];
            let shown = pool.alive && !pool.ipc;
            let (high, limit) = ((pool.used_high, pool.reserved_high), pool.threshold);
            for (attribute, expected) in [
                (UsedCurrent, self.naive.used(p)),
                (ReservedCurrent, self.naive.reserved(p)),
                (UsedHigh, high.0),
                (ReservedHigh, high.1),
                (Threshold, limit),
            ] {
                let got = self.world.get(self.pools[p], attribute);
                if shown {
                    same(&got, &Ok(expected)).map_err(|e| format!("{attribute:?}: {e}"))?;
                } else {
                    same(&got.is_err(), &true)?;
                }
            }
        }
        for device in 0..2 {
            let used = self.world.memory.used_for(Bank::Device(device), Purpose::Soma);
            same(&used, &self.naive.memory(device))?;
        }
        Ok(())
    }
}

fn set(naive: &mut Naive, p: usize, attribute: PoolAttribute, value: u64) -> Result<(), No> {
    use PoolAttribute as A;
    naive.alive(p)?;
    let page = naive.page;
    let pool = &mut naive.pools[p];
    if pool.ipc {
        return Err((Status::PoolUnsupported, None));
    }
    match (attribute, value) {
        (A::FollowEvent, _) => pool.flags[0] = value > 0,
        (A::Opportunistic, _) => pool.flags[1] = value > 0,
        (A::Internal, _) => pool.flags[2] = value > 0,
        (A::Threshold, _) if value <= pool.max(page) => pool.threshold = value,
        (A::ReservedHigh, 0) => pool.reserved_high = 0,
        (A::UsedHigh, 0) => pool.used_high = 0,
        _ => return Err((Status::PoolPropInvalid, None)),
    }
    Ok(())
}

fn same<T: PartialEq + std::fmt::Debug>(ours: &T, theirs: &T) -> Result<(), String> {
    if ours == theirs { Ok(()) } else { Err(format!("{ours:?}, naively {theirs:?}")) }
}

fn play(policy: SomaPolicy, mode: Mode, ops: &[Op]) -> Result<Pair, String> {
    let mut pair = Pair::new(policy, mode);
    // Most calls need a pool.
    let reuse = vec![ReusePolicy::Event];
    let first = Op::Create { device: 0, max: 12 * PAGE, reuse, threshold: 6 * PAGE, ipc: false };
    for (n, op) in std::iter::once(&first).chain(ops).enumerate() {
        let outcome = pair.step(op).and_then(|()| pair.compare());
        outcome.map_err(|what| format!("call {n}, {op:?}: {what}"))?;
    }
    Ok(pair)
}

fn cases() -> u64 {
    std::env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000)
}

fn check(property: fn(Vec<Op>) -> TestResult) {
    QuickCheck::new().rng(Gen::new(80)).tests(cases()).max_tests(cases()).quickcheck(property);
}

fn agrees(policy: SomaPolicy, mode: Mode, ops: &[Op]) -> TestResult {
    match play(policy, mode, ops) {
        Ok(_) => TestResult::passed(),
        Err(what) => TestResult::error(what),
    }
}

#[test]
fn documented_pools_do_what_the_naive_ones_do() {
    check(|ops| agrees(SomaPolicy::Documented, Mode::Spec, &ops));
}

#[test]
fn pools_of_the_source_do_what_the_naive_ones_do() {
    check(|ops| agrees(SomaPolicy::Source0184, Mode::Source, &ops));
}

#[test]
fn pools_of_the_head_do_what_the_naive_ones_do() {
    check(|ops| agrees(SomaPolicy::Head, Mode::Source, &ops));
}

#[test]
fn a_documented_pool_never_hands_out_a_block_whose_free_is_not_before() {
    check(|ops| match play(SomaPolicy::Documented, Mode::Spec, &ops) {
        Ok(pair) if pair.unordered.is_empty() => TestResult::passed(),
        Ok(pair) => TestResult::error(format!("{:?}", pair.unordered)),
        Err(what) => TestResult::error(what),
    });
}

#[test]
fn random_calls_find_the_source_handing_out_blocks_too_early() {
    let mut g = Gen::from_size_and_seed(80, 1);
    let mut found = BTreeMap::new();
    for _ in 0..2_000 {
        let ops: Vec<Op> = quickcheck::Arbitrary::arbitrary(&mut g);
        let pair =
            play(SomaPolicy::Source0184, Mode::Source, &ops).unwrap_or_else(|e| panic!("{e}"));
        for (policy, _) in pair.unordered {
            *found.entry(policy).or_insert(0) += 1;
        }
    }
    for policy in [ReusePolicy::Single, ReusePolicy::Event, ReusePolicy::Opportunistic] {
        assert!(found.contains_key(&Some(policy)), "{policy:?}: {found:?}");
    }
    assert!(!found.contains_key(&Some(ReusePolicy::Internal)), "it comes with an edge: {found:?}");
}

#[test]
fn the_random_calls_are_not_all_in_vain() {
    let mut g = Gen::from_size_and_seed(80, 1);
    let (mut blocks, mut reused, mut choices) = (0, 0, 0);
    for _ in 0..500 {
        let ops: Vec<Op> = quickcheck::Arbitrary::arbitrary(&mut g);
        let pair = play(SomaPolicy::Documented, Mode::Spec, &ops).unwrap_or_else(|e| panic!("{e}"));
        (blocks, reused) = (blocks + pair.blocks.len(), reused + pair.reused);
        choices += pair.choices;
    }
    assert!(blocks > 1_000 && reused > 300 && choices > 30, "{blocks} {reused} {choices}");
}
