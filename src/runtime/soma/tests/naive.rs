//! Pools once more, as simply as can be: a pool is a list of granules, everything is recounted, and
//! what happened to events is read off a log from its beginning. Slow, and written from the text alone.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::naive_events::Log;
use crate::diag::Code;
use crate::model::machine::SomaPolicy;
use crate::model::trace::ReusePolicy;
use crate::runtime::clock::{ActorId, Clock};
use crate::runtime::soma::FreeMark;
use crate::runtime::status::Status;

pub(super) type No = (Status, Option<Code>);

/// A block, or what is left of it.
pub(super) struct Entry {
    /// Handed out: which hand-out, and by whom asked for.
    generation: u32,
    asked_by: ActorId,
    /// Given back: by what.
    pub(super) frees: Vec<FreeMark>,
    /// Records on the freeing stream until then.
    free_seq: usize,
    /// Stream and number that the source looks at.
    pub(super) source: (ActorId, usize),
}

#[derive(Clone)]
enum What {
    Free,
    Cached(Rc<Entry>),
    Busy(Rc<Entry>),
}

#[derive(Clone)]
struct Granule {
    what: What,
    memory: bool,
    /// Complete frees after which its memory was given up.
    gone_after: Vec<FreeMark>,
}

pub(super) struct NaivePool {
    pub(super) device: u32,
    base: u64,
    pub(super) alive: bool,
    pub(super) ipc: bool,
    /// Event, opportunistic, internal.
    pub(super) flags: [bool; 3],
    pub(super) threshold: u64,
    granules: Vec<Granule>,
    pub(super) used_high: u64,
    pub(super) reserved_high: u64,
}

pub(super) struct Naive {
    pub(super) page: u64,
    pub(super) device_bytes: u64,
    pub(super) policy: SomaPolicy,
    /// Mode `spec`.
    pub(super) spec: bool,
    pub(super) pools: Vec<NaivePool>,
    pub(super) log: Log,
    pub(super) handed_out: u32,
    /// Generation, pool and address.
    gone: Vec<(u32, usize, u64)>,
}

#[derive(Debug, PartialEq)]
pub(super) struct Answer {
    pub(super) address: u64,
    pub(super) generation: u32,
    pub(super) len: u64,
    pub(super) policy: Option<ReusePolicy>,
    /// Sorted.
    pub(super) after: Vec<FreeMark>,
    pub(super) fresh: u64,
    pub(super) failed: bool,
}

impl Naive {
    pub(super) fn new(policy: SomaPolicy, spec: bool, page: u64, device_bytes: u64) -> Self {
        let (pools, log, gone) = (Vec::new(), Log(Vec::new()), Vec::new());
        Self { page, device_bytes, policy, spec, pools, log, handed_out: 0, gone }
    }

    pub(super) fn create(
        &mut self,
        device: u32,
        max: u64,
        plain: bool,
        ipc: bool,
        threshold: u64,
    ) -> Result<usize, No> {
        if device > 1 {
            return Err((Status::InvalidDevice, None));
        }
        let granules =
            if max == 0 { self.device_bytes / self.page } else { max.div_ceil(self.page) };
        if granules == 0 || granules > self.device_bytes / self.page {
            return Err((Status::InvalidValue, None));
        }
        if ipc && !(plain && threshold == 0) {
            return Err((Status::PoolUnsupported, None));
        }
        if threshold > granules * self.page {
            return Err((Status::PoolPropInvalid, None));
        }
        let mut base = 12 << 40;
        let len = granules * self.page;
        while self
            .pools
            .iter()
            .any(|p| p.alive && p.base < base + len && base < p.base + p.max(self.page))
        {
            base += self.page;
        }
        let empty = Granule { what: What::Free, memory: false, gone_after: Vec::new() };
        let granules = vec![empty; granules as usize];
        let (used_high, reserved_high) = (0, 0);
        self.pools.push(NaivePool {
            device,
            base,
            alive: true,
            ipc,
            flags: [false; 3],
            threshold,
            granules,
            used_high,
            reserved_high,
        });
        Ok(self.pools.len() - 1)
    }

    pub(super) fn destroy(&mut self, p: usize) -> Result<Vec<u64>, No> {
        self.alive(p)?;
        let mut live = Vec::new();
        for (start, _) in self.pools[p].runs() {
            if let What::Busy(entry) = &self.pools[p].granules[start].what {
                let address = self.pools[p].base + start as u64 * self.page;
                self.gone.push((entry.generation, p, address));
                live.push(address);
            }
        }
        self.pools[p].alive = false;
        self.pools[p].granules.clear();
        Ok(live)
    }

    pub(super) fn alive(&self, p: usize) -> Result<(), No> {
        if self.pools[p].alive {
            Ok(())
        } else {
            Err((Status::PoolNull, Some(Code::ReplayStaleHandle)))
        }
    }

    pub(super) fn used(&self, p: usize) -> u64 {
        self.pools[p].count(|g| matches!(g.what, What::Busy(_))) * self.page
    }

    pub(super) fn reserved(&self, p: usize) -> u64 {
        self.pools[p].count(|g| !matches!(g.what, What::Free)) * self.page
    }

    pub(super) fn memory(&self, device: u32) -> u64 {
        self.pools.iter().filter(|p| p.device == device).map(|p| p.count(|g| g.memory)).sum::<u64>()
            * self.page
    }

    #[expect(clippy::too_many_arguments, reason = "as the call")]
    pub(super) fn alloc(
        &mut self,
        p: usize,
        size: u64,
        on: ActorId,
        device: u32,
        request: &Clock,
        host: &Clock,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<Answer, No> {
        if self.pools[p].device != device {
            return Err((Status::StreamContext, None));
        }
        if size == 0 && self.spec
            || u128::from(size.div_ceil(self.page)) * u128::from(self.page) > u128::from(u64::MAX)
        {
            return Err((Status::InvalidValue, None));
        }
        self.alive(p)?;
        let want = (size.div_ceil(self.page) as usize).max(1);
        let mut all = Vec::new();
        let mut holes = Vec::new();
        for (start, len) in self.pools[p].runs() {
            match &self.pools[p].granules[start].what {
                What::Cached(entry) => all.push((len, start, entry.clone())),
                What::Free => holes.push((len, start)),
                What::Busy(_) => {}
            }
        }
        all.sort_by_key(|(len, start, _)| (*len, *start));
        let fitting: Vec<_> = all.iter().filter(|c| c.0 >= want).cloned().collect();
        let (start, policy, mut after) = match self.reuse(p, &fitting, on, request, host, choose) {
            Some((n, by)) => {
                let mut after = Vec::new();
                if by == ReusePolicy::Internal
                    || by == ReusePolicy::Opportunistic && self.policy == SomaPolicy::Documented
                {
                    after = fitting[n].2.frees.clone();
                }
                (fitting[n].1, Some(by), after)
            }
            None => match holes.iter().filter(|h| h.0 >= want).min() {
                Some(hole) => (hole.1, None, Vec::new()),
                None => {
                    for one in &all {
                        if self
                            .reuse(p, std::slice::from_ref(one), on, request, host, &mut |_| 0)
                            .is_some()
                        {
                            holes.push((one.0, one.1));
                        }
                    }
                    let sum: usize = holes.iter().map(|h| h.0).sum();
                    let code =
                        if sum >= want { Code::ReplayFragmentation } else { Code::ReplayOomPool };
                    return Err((Status::PoolAlloc, Some(code)));
                }
            },
        };
        self.handed_out += 1;
        let old = self.pools[p].granules[start].clone();
        if let (What::Cached(entry), Some(_)) = (&old.what, policy) {
            // What is left over: the frees stay; the source puts the new stream in.
            let rest = Rc::new(Entry {
                generation: 0,
                asked_by: entry.asked_by,
                frees: entry.frees.clone(),
                free_seq: entry.free_seq,
                source: (on, entry.source.1),
            });
            for granule in &mut self.pools[p].granules[start + want..] {
                match &granule.what {
                    What::Cached(e) if Rc::ptr_eq(e, entry) => {
                        granule.what = What::Cached(rest.clone())
                    }
                    _ => break,
                }
            }
        }
        let bytes = want as u64 * self.page;
        let failed = !old.memory && self.memory(device) + bytes > self.device_bytes;
        let entry = Rc::new(Entry {
            generation: self.handed_out,
            asked_by: on,
            frees: Vec::new(),
            free_seq: 0,
            source: (on, 0),
        });
        for granule in &mut self.pools[p].granules[start..start + want] {
            after.append(&mut granule.gone_after);
            *granule = Granule {
                what: What::Busy(entry.clone()),
                memory: !failed,
                gone_after: Vec::new(),
            };
        }
        self.settle(p);
        // The marks rise when a block is handed out.
        let (used, reserved) = (self.used(p), self.reserved(p));
        let pool = &mut self.pools[p];
        pool.used_high = pool.used_high.max(used);
        pool.reserved_high = pool.reserved_high.max(reserved);
        let missing = after.into_iter().filter(|m| m.epoch.n > request.get(m.epoch.actor));
        let after = last_of_each(missing);
        let address = self.pools[p].base + start as u64 * self.page;
        let fresh = if old.memory { 0 } else { bytes };
        Ok(Answer {
            address,
            generation: self.handed_out,
            len: bytes,
            policy,
            after,
            fresh,
            failed,
        })
    }

    /// The pool and granules of the block that an address is the start of.
    fn block(&self, address: u64, generation: u32) -> Result<(usize, usize, usize), No> {
        for (p, pool) in self.pools.iter().enumerate().filter(|(_, pool)| pool.alive) {
            for (start, len) in pool.runs() {
                if let What::Busy(entry) = &pool.granules[start].what
                    && entry.generation == generation
                    && pool.base + start as u64 * self.page == address
                {
                    return Ok((p, start, len));
                }
            }
        }
        let code = match self.gone.iter().find(|g| g.0 == generation && g.2 == address) {
            Some((_, p, _)) if self.pools[*p].alive => Code::ReplayDoubleFree,
            Some(_) => Code::ReplayStaleHandle,
            None => Code::ReplayBadFree,
        };
        Err((Status::InvalidValue, Some(code)))
    }

    pub(super) fn free(
        &mut self,
        address: u64,
        generation: u32,
        now: bool,
        mark: &FreeMark,
    ) -> Result<(), No> {
        let (p, start, len) = self.block(address, generation)?;
        let What::Busy(entry) = self.pools[p].granules[start].what.clone() else { unreachable!() };
        let back = Rc::new(Entry {
            generation,
            asked_by: entry.asked_by,
            frees: vec![mark.clone()],
            free_seq: self.log.records(mark.stream),
            source: (entry.asked_by, self.log.records(entry.asked_by)),
        });
        for granule in &mut self.pools[p].granules[start..start + len] {
            if now {
                *granule =
                    Granule { what: What::Free, memory: false, gone_after: vec![mark.clone()] };
            } else {
                granule.what = What::Cached(back.clone());
            }
        }
        self.gone.push((generation, p, address));
        self.settle(p);
        Ok(())
    }

    pub(super) fn populate_failed(&mut self, address: u64, generation: u32) -> bool {
        let Ok((p, start, len)) = self.block(address, generation) else { return false };
        self.pools[p].granules[start..start + len].iter_mut().for_each(|g| g.memory = false);
        true
    }

    /// Gives memory up, granule by granule from the end of the smallest block, while more than `keep`
    /// is reserved.
    pub(super) fn release(&mut self, p: usize, keep: u64, host: &Clock) -> u64 {
        let mut able = Vec::new();
        for (start, len) in self.pools[p].runs() {
            if let What::Cached(entry) = &self.pools[p].granules[start].what {
                let complete = entry.frees.iter().all(|m| host.get(m.epoch.actor) >= m.epoch.n);
                if complete || self.policy != SomaPolicy::Documented {
                    able.push((len, start, entry.clone()));
                }
            }
        }
        able.sort_by_key(|(len, start, _)| (*len, *start));
        let before = self.reserved(p);
        for (len, start, entry) in able {
            for n in (start..start + len).rev() {
                if self.reserved(p) >= keep.saturating_add(self.page) {
                    let gone_after = entry
                        .frees
                        .iter()
                        .filter(|m| host.get(m.epoch.actor) >= m.epoch.n)
                        .cloned()
                        .collect();
                    self.pools[p].granules[n] =
                        Granule { what: What::Free, memory: false, gone_after };
                }
            }
        }
        before - self.reserved(p)
    }

    pub(super) fn trim(&mut self, p: usize, keep: u64, host: &Clock) -> Result<u64, No> {
        self.alive(p)?;
        if keep > self.pools[p].max(self.page) || keep < self.used(p) {
            return Err((Status::PoolOpInvalid, None));
        }
        Ok(self.release(p, keep, host))
    }

    pub(super) fn everywhere(&mut self, device: Option<u32>, host: &Clock) -> u64 {
        if self.policy == SomaPolicy::Head {
            return 0;
        }
        let mut sum = 0;
        for p in 0..self.pools.len() {
            if self.pools[p].alive && device.is_none_or(|d| d == self.pools[p].device) {
                let keep = if device.is_some() { 0 } else { self.pools[p].threshold };
                sum += self.release(p, keep, host);
            }
        }
        sum
    }

    /// Joins cached neighbours that are alike.
    fn settle(&mut self, p: usize) {
        let policy = self.policy;
        let pool = &mut self.pools[p];
        for n in 1..pool.granules.len() {
            let (What::Cached(a), What::Cached(b)) =
                (&pool.granules[n - 1].what, &pool.granules[n].what)
            else {
                continue;
            };
            let one_stream = a.frees.iter().chain(&b.frees).all(|m| m.stream == a.frees[0].stream);
            let alike = match policy {
                SomaPolicy::Documented => one_stream && a.free_seq == b.free_seq,
                _ => a.source == b.source,
            };
            if Rc::ptr_eq(a, b) || !alike || pool.granules[n - 1].memory != pool.granules[n].memory
            {
                continue;
            }
            let (a, b) = (a.clone(), b.clone());
            let frees = last_of_each(a.frees.iter().chain(&b.frees).cloned());
            let one = Rc::new(Entry {
                generation: 0,
                asked_by: a.asked_by,
                frees,
                free_seq: a.free_seq,
                source: a.source,
            });
            for granule in &mut pool.granules {
                if let What::Cached(e) = &granule.what
                    && (Rc::ptr_eq(e, &a) || Rc::ptr_eq(e, &b))
                {
                    granule.what = What::Cached(one.clone());
                }
            }
        }
    }
}

/// Joined: of each actor the last, by actor.
fn last_of_each(marks: impl Iterator<Item = FreeMark>) -> Vec<FreeMark> {
    let mut last = BTreeMap::new();
    for mark in marks {
        let known = last.entry(mark.epoch.actor).or_insert_with(|| mark.clone());
        if known.epoch.n < mark.epoch.n {
            *known = mark;
        }
    }
    last.into_values().collect()
}

impl NaivePool {
    pub(super) fn max(&self, page: u64) -> u64 {
        self.granules.len() as u64 * page
    }

    fn count(&self, which: impl Fn(&Granule) -> bool) -> u64 {
        self.granules.iter().filter(|g| which(g)).count() as u64
    }

    /// First granules and lengths of what belongs together.
    fn runs(&self) -> Vec<(usize, usize)> {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for (n, granule) in self.granules.iter().enumerate() {
            let same = n > 0
                && match (&self.granules[n - 1].what, &granule.what) {
                    (What::Free, What::Free) => true,
                    (What::Cached(a), What::Cached(b)) | (What::Busy(a), What::Busy(b)) => {
                        Rc::ptr_eq(a, b)
                    }
                    _ => false,
                };
            match runs.last_mut() {
                Some(run) if same => run.1 += 1,
                _ => runs.push((n, 1)),
            }
        }
        runs
    }
}
