//! What the naive model says to accesses: page by page.

use super::naive::{Naive, PAGE, Thing, Value, What};
use crate::diag::Code;
use crate::model::trace::{AllocKind, Register};
use crate::runtime::memory::Bank;
use crate::runtime::objects::ObjectId;
use crate::runtime::pointer::{How, Pointer, Who};

/// A byte: where it is, and what is wrong with using it.
type Byte = (Option<(ObjectId, u64)>, Option<Code>);

impl Naive {
    pub(crate) fn reach(&self, p: u32, ptr: Pointer, len: u64, who: Who, how: How) -> Value {
        let mut codes = Vec::new();
        let mut pieces: Vec<(ObjectId, u64, u64)> = Vec::new();
        let Some(at) = self.thing(p, ptr).filter(|_| len > 0) else {
            if len > 0 {
                codes.push(Code::ReplayUnmappedAccess);
            }
            return Value::Reach(pieces, codes);
        };
        let thing = &self.things[at];
        if !thing.live {
            return Value::Reach(pieces, vec![Code::ReplayUaf]);
        }
        let start = ptr.address - thing.start.address;
        let end = start + len;
        if end > thing.usable {
            codes.push(Code::ReplayOob);
        }
        let mut byte = start;
        while byte < end.min(thing.usable) {
            let next = (byte / PAGE + 1) * PAGE;
            let next = next.min(end).min(thing.usable);
            // A registration may end inside a page.
            let ends = thing.regs.iter().map(|r| r.offset + r.len).filter(|&e| e > byte);
            let next = ends.fold(next, u64::min);
            let (place, wrong) = self.byte(thing, byte, who, how);
            codes.extend(wrong);
            if let Some((object, first)) = place {
                match pieces.last_mut() {
                    Some((o, s, l)) if *o == object && *s + *l == first => *l += next - byte,
                    _ => pieces.push((object, first, next - byte)),
                }
            }
            byte = next;
        }
        codes.sort_unstable();
        codes.dedup();
        Value::Reach(pieces, codes)
    }

    fn byte(&self, thing: &Thing, byte: u64, who: Who, how: How) -> Byte {
        let perm = |good: bool| if good { None } else { Some(Code::ReplayPerm) };
        match &thing.what {
            What::Block(b) if b.kind == AllocKind::Svm => {
                let absent = !b.there.contains_key(&(byte / b.page));
                if absent && who != Who::Host {
                    (None, Some(Code::ReplayUnmappedAccess))
                } else {
                    (Some((b.object, byte)), None)
                }
            }
            What::Block(b) => {
                let good = match (b.bank, who) {
                    (Bank::Host, Who::Host) => true,
                    (Bank::Host, Who::Device(d)) => {
                        b.kind == AllocKind::HostUva
                            || thing.regs.iter().any(|r| {
                                r.window.is_none()
                                    && r.device == d
                                    && !matches!(
                                        r.kind,
                                        Register::DevSvmMapHost | Register::DevMemMapHost
                                    )
                                    && (how == How::Read || !r.ro)
                                    && (r.offset..r.offset + r.len).contains(&byte)
                            })
                    }
                    (Bank::Device(_), Who::Host) => false,
                    (Bank::Device(h), Who::Device(d)) => {
                        (h == d || self.peer) && !(b.ro && how == How::Write)
                    }
                };
                (Some((b.object, byte)), perm(good))
            }
            What::Reserve { maps, .. } => {
                let Some(m) = maps.iter().find(|m| byte >= m.at && byte < m.at + m.len) else {
                    return (None, Some(Code::ReplayUnmappedAccess));
                };
                let bank = match who {
                    Who::Host => Bank::Host,
                    Who::Device(d) => Bank::Device(d),
                };
                let object = self.stores[self.handles[m.handle].store].object;
                (Some((object, byte - m.at)), perm(m.access.contains(&bank)))
            }
            What::Import { key, device, .. } => {
                if !self.keys[*key].valid {
                    return (None, Some(Code::ReplayIpcStale));
                }
                let good = match who {
                    Who::Host => false,
                    Who::Device(d) => d == *device || self.peer,
                };
                let mut left = byte;
                for &(object, start, len) in &self.keys[*key].parts {
                    if left < len {
                        return (Some((object, start + left)), perm(good));
                    }
                    left -= len;
                }
                (None, perm(good))
            }
            What::Window { of, offset, device, for_device, ro } => {
                let good = match who {
                    Who::Host => !for_device,
                    Who::Device(d) => *for_device && d == *device,
                } && !(*ro && how == How::Write);
                // The memory itself is there while it is registered.
                let (place, _) = self.byte(&self.things[*of], offset + byte, Who::Host, How::Read);
                (place, perm(good))
            }
        }
    }
}
