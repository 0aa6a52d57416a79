//! 5.12 with 13.5.

use super::{Answer, HOST, Lost, Naive};
use crate::model::trace::Location;
use crate::runtime::status::Status;

type Failed = (Status, Option<crate::diag::Code>);

/// The run that the source collects.
#[derive(Default)]
struct Collected {
    pages: Vec<u64>,
    key: Option<(u32, bool)>,
}

impl Naive {
    pub(in super::super) fn prefetch(
        &mut self,
        address: u64,
        len: u64,
        location: Location,
        flags: u64,
    ) -> Answer {
        if flags != 0 {
            return Err((Status::NotSupport, None));
        }
        let range = self.rounded(address, len)?;
        let target = self.location(location)?;
        self.tick();
        self.prefetch_range(range, target)
    }

    fn prefetch_range(&mut self, range: std::ops::Range<u64>, target: Location) -> Answer {
        let mut lost = Lost::default();
        let first = range.start;
        let (reached, result) = if self.spec() {
            if range.clone().any(|p| !self.pages.contains_key(&p)) {
                return Err(self.einval());
            }
            self.prefetch_spec(range.clone(), target)
        } else {
            self.prefetch_source(range.clone(), target, &mut lost)
        };
        for p in first..reached {
            self.pages.get_mut(&p).expect("a page").last_prefetch = Some(target);
        }
        result.map(|()| lost)
    }

    fn prefetch_spec(
        &mut self,
        range: std::ops::Range<u64>,
        target: Location,
    ) -> (u64, Result<(), Failed>) {
        for p in range.clone() {
            let page = self.pages[&p].clone();
            let moved = match (page.owner, target) {
                (None, _) => Ok(false),
                (Some(HOST), Location::Host) => Ok(false),
                (Some(HOST), Location::HostNuma(_)) => Ok(true),
                (Some(e), Location::Device(d)) if e == d => Ok(false),
                (Some(e), Location::Host | Location::HostNuma(_)) => self.fetch_home(p, e, true),
                (Some(_), Location::Device(d)) => self.send_out(p, d, &range, true),
                (Some(_), Location::Invalid) => unreachable!("refused before"),
            };
            match moved {
                Ok(moved) => self.count_move(p, target, moved),
                Err(Some(failed)) => return (p, Err(failed)),
                Err(None) => self.counters.prefetch_failed += 1,
            }
        }
        (range.end, Ok(()))
    }

    fn count_move(&mut self, p: u64, target: Location, moved: bool) {
        if moved {
            self.counters.prefetched += 1;
            let place = match target {
                Location::Device(d) => d,
                _ => HOST,
            };
            self.pages.get_mut(&p).expect("a page").fetched_in_vain.insert(place);
        }
    }

    /// Device to host. `Err(None)`: no room.
    fn fetch_home(&mut self, p: u64, e: u32, checked: bool) -> Result<bool, Option<Failed>> {
        if !self.take(HOST) {
            return Err(None);
        }
        if checked && !self.dma() {
            self.give(HOST);
            return Err(Some((Status::IoctlFail, None)));
        }
        if !checked {
            self.move_bytes();
        }
        self.drop_device(p, e);
        let page = self.pages.get_mut(&p).expect("a page");
        page.host_mapped = true;
        page.owner = Some(HOST);
        self.counters.migrations_d2h += 1;
        Ok(true)
    }

    /// To a device: a move, or a replica of a read-mostly page.
    fn send_out(
        &mut self,
        p: u64,
        d: u32,
        range: &std::ops::Range<u64>,
        checked: bool,
    ) -> Result<bool, Option<Failed>> {
        let page = self.pages[&p].clone();
        let has = page.devices.contains(&d);
        if !has && !self.take_device(d, range.clone(), false) {
            return Err(None);
        }
        let mut failed = None;
        if checked && !self.dma() {
            failed = Some((Status::IoctlFail, None));
        } else if checked && page.read_mostly && self.injected.ack_fails() {
            failed = Some((Status::WaitTimeout, None));
        } else if !checked {
            self.move_bytes();
        }
        if failed.is_some() {
            if !has {
                self.give(d);
            }
            return Err(failed);
        }
        if page.read_mostly {
            self.put_device(p, d);
            self.counters.replicas += u64::from(!has);
            return Ok(!has);
        }
        match page.owner {
            Some(HOST) => self.counters.migrations_h2d += 1,
            _ => self.counters.migrations_d2d += 1,
        }
        self.only_device(p, d);
        Ok(true)
    }

    fn prefetch_source(
        &mut self,
        range: std::ops::Range<u64>,
        target: Location,
        lost: &mut Lost,
    ) -> (u64, Result<(), Failed>) {
        let most = usize::try_from(self.machine.costs.prefetch_batch).expect("small");
        let mut run = Collected::default();
        for p in range.clone() {
            let Some(page) = self.pages.get(&p) else {
                return (run.pages.first().copied().unwrap_or(p), Err(self.einval()));
            };
            let Some(owner) = page.owner else {
                run = Collected::default();
                continue;
            };
            let key = Some((owner, page.read_mostly));
            if run.key != key {
                if let Err(failed) = self.flush(&run, target, &range, lost) {
                    return (run.pages[0], Err(failed));
                }
                run = Collected { pages: Vec::new(), key };
            }
            run.pages.push(p);
            if run.pages.len() == most {
                if let Err(failed) = self.flush(&run, target, &range, lost) {
                    return (run.pages[0], Err(failed));
                }
                run = Collected::default();
            }
        }
        if let Err(failed) = self.flush(&run, target, &range, lost) {
            return (run.pages[0], Err(failed));
        }
        (range.end, Ok(()))
    }

    fn flush(
        &mut self,
        run: &Collected,
        target: Location,
        range: &std::ops::Range<u64>,
        lost: &mut Lost,
    ) -> Result<(), Failed> {
        let Some((owner, read_mostly)) = run.key else { return Ok(()) };
        match (owner, target) {
            (HOST, Location::Host) => return Err((Status::NotSupport, None)),
            (HOST, Location::Device(_)) => {}
            (HOST, _) => {
                // To another node; nothing that this model counts as between memories.
                for &p in &run.pages {
                    self.count_move(p, target, true);
                }
                let failed = self.injected.transfer_fails();
                if failed {
                    lost.poison.extend(run.pages.iter().map(|&p| self.span(p)));
                }
                return Ok(());
            }
            (_, Location::Device(_)) => return Ok(()),
            _ => {}
        }
        let mut sent = Vec::new();
        for &p in &run.pages {
            let moved = match target {
                Location::Device(d) => self.send_out(p, d, range, false),
                _ => self.fetch_home(p, owner, false),
            };
            match moved {
                Ok(moved) => {
                    self.count_move(p, target, moved);
                    sent.push(p);
                }
                Err(_) => self.counters.prefetch_failed += 1,
            }
        }
        if sent.is_empty() {
            return Ok(());
        }
        let failed = self.injected.transfer_fails();
        let silent = match target {
            Location::Device(_) if read_mostly => self.injected.ack_fails(),
            _ => false,
        };
        if failed || silent {
            for p in sent {
                match target {
                    Location::Device(d) if read_mostly => {
                        self.pages.get_mut(&p).expect("a page").bad.insert(d);
                    }
                    _ => lost.poison.push(self.span(p)),
                }
            }
        }
        Ok(())
    }

    pub(in super::super) fn prefetch_batch(
        &mut self,
        ranges: &[(u64, u64)],
        locations: &[Location],
        index: &[u64],
        asynchronous: bool,
    ) -> Answer {
        let increases = index.windows(2).all(|two| two[0] < two[1]);
        let fits = index.first() == Some(&0) && increases && index.len() == locations.len();
        if !fits || index[index.len() - 1] >= ranges.len() as u64 {
            return Err((Status::InvalidValue, None));
        }
        if asynchronous && !self.spec() {
            return Err((Status::NotSupport, None));
        }
        let mut entries = Vec::new();
        for k in 0..index.len() {
            let end = index.get(k + 1).copied().unwrap_or(ranges.len() as u64);
            for at in index[k]..end {
                entries.push((ranges[at as usize], locations[k]));
            }
        }
        if self.spec() {
            for &((address, len), location) in &entries {
                let range = self.rounded(address, len)?;
                self.location(location)?;
                if range.clone().any(|p| !self.pages.contains_key(&p)) {
                    return Err(self.einval());
                }
            }
        }
        self.tick();
        let mut lost = Lost::default();
        for ((address, len), location) in entries {
            let range = self.rounded(address, len)?;
            let target = self.location(location)?;
            let one = self.prefetch_range(range, target)?;
            lost.poison.extend(one.poison);
        }
        Ok(lost)
    }
}
