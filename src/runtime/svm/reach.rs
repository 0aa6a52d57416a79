//! Which bytes an access meets, and what is wrong with it.

use super::Space;
use super::process::Found;
use super::range::{Block, Body, Range, Registration, Reserve, Window, cut};
use crate::diag::Code;
use crate::model::trace::{AllocKind, Register};
use crate::runtime::memory::Bank;
use crate::runtime::objects::Piece;
use crate::runtime::pointer::{How, Pointer, Reach, Who};
use crate::runtime::status::Remark;

/// An access to bytes of a range, counted from its start.
#[derive(Clone, Copy)]
struct Access {
    start: u64,
    end: u64,
    who: Who,
    how: How,
}

impl Space {
    /// Which bytes `[pointer, pointer + len)` are for a process, and what is wrong with using them
    /// like this. Pages of kind SVM are to be touched before.
    pub fn reach(&self, process: u32, pointer: Pointer, len: u64, who: Who, how: How) -> Reach {
        let mut reach = Reach::default();
        if len == 0 {
            return reach;
        }
        let range = match self.find(process, pointer) {
            Found::Live(range) => range,
            Found::Dead(dead) => {
                let message = format!("{len} bytes of `{}`, which is no longer there", dead.name);
                reach.wrong.push(Remark { code: Code::ReplayUaf, message });
                return reach;
            }
            Found::Unknown => {
                let message =
                    format!("{len} bytes at an address that process {process} does not have");
                reach.wrong.push(Remark { code: Code::ReplayUnmappedAccess, message });
                return reach;
            }
        };
        let start = pointer.address - range.start;
        let end = start.saturating_add(len);
        if end > range.usable {
            let message =
                format!("bytes [{start}, {end}) of `{}`, which has {}", range.name, range.usable);
            reach.wrong.push(Remark { code: Code::ReplayOob, message });
        }
        let end = end.min(range.usable);
        if start >= end {
            return reach;
        }
        let access = Access { start, end, who, how };
        match &range.body {
            Body::Block(block) => of_block(&mut reach, range, block, access),
            Body::Reserve(reserve) => of_reserve(&mut reach, range, reserve, access),
            Body::Import(import) => {
                if let Some(why) = import.stale {
                    let message = format!("`{}` {why}", range.name);
                    reach.wrong.push(Remark { code: Code::ReplayIpcStale, message });
                    return reach;
                }
                let allowed = match who {
                    Who::Host => false,
                    Who::Device(device) => device == import.device || import.peers,
                };
                permit(&mut reach, range, access, allowed);
                reach.pieces = cut(&import.pieces, start, end - start);
            }
            Body::Window(window) => of_window(&mut reach, range, window, access),
        }
        reach
    }
}

fn of_block(reach: &mut Reach, range: &Range, block: &Block, access: Access) {
    let piece = |start: u64, end: u64| Piece { object: block.object, start, len: end - start };
    if block.kind == AllocKind::Svm {
        for run in block.pages.runs(access.start, access.end) {
            if run.bank.is_some() || access.who == Who::Host {
                reach.pieces.push(piece(run.start, run.end));
            } else {
                unmapped(reach, range, run.start, run.end, "has no page");
            }
        }
        return;
    }
    let flags = block.flags;
    let allowed = match (block.bank, access.who) {
        (Bank::Host, Who::Host) => true,
        (Bank::Host, Who::Device(device)) => {
            block.kind == AllocKind::HostUva || registered(range, device, access)
        }
        (Bank::Device(_), Who::Host) => flags.bar || flags.host_rw_dev_ro,
        (Bank::Device(home), Who::Device(device)) => {
            let writes = access.how == How::Write;
            let may_write = !(flags.read_only || flags.host_rw_dev_ro);
            (device == home || block.peers) && (may_write || !writes)
        }
    };
    permit(reach, range, access, allowed);
    reach.pieces.push(piece(access.start, access.end));
}

/// True when registrations let a device use these bytes under the host's address.
fn registered(range: &Range, device: u32, access: Access) -> bool {
    let lets = |r: &&Registration| {
        let for_device = !matches!(r.kind, Register::DevSvmMapHost | Register::DevMemMapHost);
        let may = access.how == How::Read || !r.read_only;
        !r.own_address && for_device && r.device == device && may
    };
    let mut parts: Vec<(u64, u64)> = range
        .registrations
        .iter()
        .filter(lets)
        .map(|r| (r.offset, r.offset.saturating_add(r.len)))
        .collect();
    parts.sort_unstable();
    // One registration may go on where another ends.
    let mut at = access.start;
    for (first, behind) in parts {
        if first > at {
            break;
        }
        at = at.max(behind);
    }
    at >= access.end
}

fn of_reserve(reach: &mut Reach, range: &Range, reserve: &Reserve, access: Access) {
    let bank = match access.who {
        Who::Host => Bank::Host,
        Who::Device(device) => Bank::Device(device),
    };
    let mut at = access.start;
    let mut allowed = true;
    for (first, mapping) in reserve.within(access.start, access.end) {
        let (from, to) = (first.max(at), first.saturating_add(mapping.len).min(access.end));
        if from >= to {
            continue;
        }
        if at < from {
            unmapped(reach, range, at, from, "has nothing mapped");
        }
        allowed &= mapping.access.contains(&bank);
        reach.pieces.push(Piece { object: mapping.object, start: from - first, len: to - from });
        at = to;
    }
    if at < access.end {
        unmapped(reach, range, at, access.end, "has nothing mapped");
    }
    permit(reach, range, access, allowed);
}

fn of_window(reach: &mut Reach, range: &Range, window: &Window, access: Access) {
    let right_side = match access.who {
        Who::Host => !window.for_device,
        Who::Device(device) => window.for_device && device == window.device,
    };
    let may_write = !window.read_only || access.how == How::Read;
    permit(reach, range, access, right_side && may_write);
    reach.pieces = cut(&window.pieces, access.start, access.end - access.start);
}

fn permit(reach: &mut Reach, range: &Range, access: Access, allowed: bool) {
    if allowed {
        return;
    }
    let who = match access.who {
        Who::Host => "the host".to_owned(),
        Who::Device(device) => format!("device {device}"),
    };
    let how = match access.how {
        How::Read => "read",
        How::Write => "write",
    };
    let Access { start, end, .. } = access;
    let message = format!("{who} may not {how} bytes [{start}, {end}) of `{}`", range.name);
    reach.wrong.push(Remark { code: Code::ReplayPerm, message });
}

fn unmapped(reach: &mut Reach, range: &Range, start: u64, end: u64, why: &str) {
    let message = format!("bytes [{start}, {end}) of `{}`, which {why} there", range.name);
    reach.wrong.push(Remark { code: Code::ReplayUnmappedAccess, message });
}
