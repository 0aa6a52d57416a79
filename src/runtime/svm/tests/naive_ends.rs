//! Opening, closing and the end of processes in the naive model.

use super::naive::{Bad, Naive, Reg, Value, What, no};
use crate::diag::Code;
use crate::model::trace::AllocKind;
use crate::runtime::memory::Bank;
use crate::runtime::objects::ObjectId;
use crate::runtime::status::Status;

impl Naive {
    pub(crate) fn open(&mut self, p: u32, device: u32, flag: u32) -> Result<Value, Bad> {
        if flag > 1 {
            return no(Status::NotSupport);
        }
        if device > 1 {
            return no(Status::InvalidValue);
        }
        let proc = &mut self.procs[p as usize];
        if !proc.alive {
            self.moment += 1;
            proc.alive = true;
            proc.started = self.moment;
            proc.opens = [0; 2];
            proc.broken = [false; 2];
            proc.asked = false;
        }
        if proc.broken[device as usize] {
            return no(Status::ParaError);
        }
        proc.opens[device as usize] += 1;
        Ok(Value::Nothing)
    }

    pub(crate) fn close(&mut self, p: u32, device: usize, fails: bool) -> Result<Value, Bad> {
        let proc = &mut self.procs[p as usize];
        if proc.opens[device] == 0 || proc.broken[device] {
            return no(Status::InvalidHandle);
        }
        if fails {
            proc.broken[device] = true;
            return no(Status::Inner);
        }
        proc.opens[device] -= 1;
        if proc.opens[device] > 0 {
            return Ok(Value::Gone(Vec::new()));
        }
        Ok(Value::Gone(self.take_away(p, Some(device as u32), true)))
    }

    pub(crate) fn end(&mut self, p: u32, orderly: bool) -> Value {
        if !self.procs[p as usize].alive {
            return Value::Gone(Vec::new());
        }
        let gone = self.take_away(p, None, orderly);
        self.procs[p as usize].alive = false;
        self.procs[p as usize].opens = [0; 2];
        Value::Gone(gone)
    }

    /// Everything of a process, or what it has on a device.
    fn take_away(&mut self, p: u32, device: Option<u32>, orderly: bool) -> Vec<ObjectId> {
        let mut gone = Vec::new();
        let on = |d: u32| device.is_none_or(|device| device == d);
        let of_side = |bank: Bank| match bank {
            Bank::Host => device.is_none(),
            Bank::Device(d) => on(d),
        };
        self.cache.retain(|c| !(c.p == p && of_side(c.bank)));
        let mine: Vec<usize> = (0..self.things.len())
            .filter(|&t| self.things[t].p == p && self.things[t].live)
            .collect();
        let mut leaks = 0;
        for &at in &mine {
            let What::Block(block) = self.things[at].what.clone() else { continue };
            let host = matches!(block.kind, AllocKind::User | AllocKind::Host | AllocKind::HostUva);
            if device.is_some() && (host || !on(block.device)) {
                continue;
            }
            leaks += usize::from(block.kind != AllocKind::User) + self.things[at].regs.len();
            leaks += self.keys.iter().filter(|key| key.valid && key.of == at).count();
            self.end_keys(at, 0, u64::MAX, orderly);
            self.drop_regs(at, |_| true);
            self.things[at].live = false;
            self.frees += u64::from(block.held > 0 || !block.there.is_empty());
            gone.push(block.object);
        }
        for &at in &mine {
            if let What::Import { device: d, .. } = self.things[at].what
                && on(d)
            {
                leaks += 1;
                self.things[at].live = false;
            }
        }
        for &at in &mine {
            while let What::Reserve { maps, .. } = &self.things[at].what
                && let Some(m) = maps.iter().position(|m| of_side(self.handles[m.handle].location))
            {
                let (start, end) = (maps[m].at, maps[m].at + maps[m].len);
                leaks += 1 + self.drop_regs(at, |r| r.offset < end && start < r.offset + r.len);
                gone.extend(self.drop_mapping(at, m, orderly));
            }
        }
        for at in 0..self.handles.len() {
            let h = &self.handles[at];
            if h.p == p && h.refs > 0 && of_side(h.location) {
                leaks += 1;
                gone.extend(self.drop_refs(at, h.refs, h.maps));
            }
        }
        for &at in &mine {
            if self.things[at].live {
                leaks += self.drop_regs(at, |r| on(r.device));
            }
        }
        for &at in &mine {
            if device.is_none() && self.things[at].live {
                leaks += usize::from(matches!(self.things[at].what, What::Reserve { .. }));
                self.things[at].live = false;
            }
        }
        if orderly {
            self.remarks.extend(std::iter::repeat_n(Code::ReplayLeak, leaks));
        }
        gone.sort_unstable();
        gone
    }

    /// Ends registrations of a thing; says how many.
    fn drop_regs(&mut self, at: usize, ends: impl Fn(&Reg) -> bool) -> usize {
        let (ended, stay): (Vec<Reg>, Vec<Reg>) =
            std::mem::take(&mut self.things[at].regs).into_iter().partition(ends);
        self.things[at].regs = stay;
        for window in ended.iter().filter_map(|r| r.window) {
            self.things[window].live = false;
        }
        ended.len()
    }

    /// Ends the keys of a thing that share bytes of `[start, end)`.
    pub(crate) fn end_keys(&mut self, thing: usize, start: u64, end: u64, orderly: bool) {
        for at in 0..self.keys.len() {
            let key = &self.keys[at];
            if key.valid && key.of == thing && key.offset < end && start < key.offset + key.len {
                self.end_key(at, orderly);
            }
        }
    }

    pub(crate) fn end_key(&mut self, at: usize, orderly: bool) {
        self.keys[at].valid = false;
        let open = self
            .things
            .iter()
            .any(|t| t.live && matches!(t.what, What::Import { key, .. } if key == at));
        if open && orderly {
            self.remarks.push(Code::ReplayIpcOrder);
        }
    }
}
