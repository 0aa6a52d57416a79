//! What ends with a device or a process (5.1, 13.5).

use super::Space;
use super::range::{Body, Range, Registration};
use crate::diag::Code;
use crate::model::trace::AllocKind;
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::objects::Piece;
use crate::runtime::share::Key;
use crate::runtime::vmm::HandleId;

/// How much ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Everything of a process.
    Process,
    /// What it has on one device.
    Device(u32),
}

/// How it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// By a call: what is still there is a leak.
    Orderly,
    /// Without a word.
    Crash,
}

impl Space {
    /// The process ends: what it still has is reported as leaks and taken away, in the order of 5.1;
    /// whoever has its memory open is left with stale addresses. Answers with the objects that are
    /// gone. Does nothing for a process that has ended.
    pub fn exit(&mut self, cx: &mut Context<'_>, process: u32) -> Vec<Piece> {
        self.end(cx, process, Way::Orderly)
    }

    /// Like [`Space::exit`], but nobody is to blame for what was still there.
    pub fn crash(&mut self, cx: &mut Context<'_>, process: u32) -> Vec<Piece> {
        self.end(cx, process, Way::Crash)
    }

    fn end(&mut self, cx: &mut Context<'_>, process: u32, way: Way) -> Vec<Piece> {
        if !self.is_alive(process) {
            return Vec::new();
        }
        let gone = self.tear_down(cx, process, Scope::Process, way);
        if let Some(process) = self.processes.get_mut(process as usize) {
            process.alive = false;
            for device in &mut process.devices {
                device.opens = 0;
            }
        }
        gone
    }

    /// Takes away allocations, imports, mappings and handles, registrations, reserved addresses.
    pub(super) fn tear_down(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        scope: Scope,
        way: Way,
    ) -> Vec<Piece> {
        let mut gone = Vec::new();
        let bank = match scope {
            Scope::Process => None,
            Scope::Device(device) => Some(Bank::Device(device)),
        };
        self.drop_kept(cx, process, bank);
        let this = self.processes.get(process as usize);
        let mut all: Vec<Range> = this.map_or(Vec::new(), |p| p.ranges.values().cloned().collect());
        // In the order made, whatever their addresses.
        all.sort_by_key(|range| range.generation);
        let on_device = |device: u32| bank.is_none_or(|bank| bank == Bank::Device(device));
        let blocks = all.iter().filter(|r| match &r.body {
            Body::Block(block) => match (scope, block.kind) {
                (Scope::Process, _) => true,
                (_, AllocKind::User | AllocKind::Host | AllocKind::HostUva) => false,
                _ => on_device(block.device),
            },
            _ => false,
        });
        for range in blocks {
            if range.block().is_some_and(|b| b.kind != AllocKind::User) {
                leak(cx, way, range, "was not freed");
            }
            gone.extend(self.tear_block(cx, process, range, way));
        }
        for range in &all {
            if let Body::Import(import) = &range.body
                && on_device(import.device)
            {
                leak(cx, way, range, "was not closed");
                self.remove_range(process, range.start);
                if let Some(key) = self.keys.get_mut(import.key.0 as usize) {
                    key.openers.remove(&(process, import.device));
                }
            }
        }
        gone.extend(self.tear_handles(cx, process, bank, &all, way));
        for range in &all {
            let ends = |r: &Registration| on_device(r.device);
            self.end_registrations(cx, process, range, way, ends);
        }
        for range in all.iter().filter(|r| r.reserve().is_some() && scope == Scope::Process) {
            leak(cx, way, range, "was not unreserved");
            self.remove_range(process, range.start);
        }
        gone
    }

    fn tear_block(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        range: &Range,
        way: Way,
    ) -> Option<Piece> {
        for &key in &range.keys {
            let open = |key: &&Key| way == Way::Orderly && key.valid;
            if let Some(key) = self.keys.get(key.0 as usize).filter(open) {
                let message = format!("share `{}` was not destroyed", key.name);
                cx.notes.remark(Code::ReplayLeak, message);
            }
            self.end_key(cx, key, "ended with its owner", way == Way::Orderly);
        }
        self.end_registrations(cx, process, range, way, |_| true);
        let freed = self.free_block(cx, process, range.start, false)?;
        Some(Piece { object: freed.object, start: 0, len: freed.len })
    }

    /// Ends mappings and handles of a side; `None`: of all sides.
    fn tear_handles(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        bank: Option<Bank>,
        all: &[Range],
        way: Way,
    ) -> Vec<Piece> {
        let mut gone = Vec::new();
        let of_side = |location: Bank| bank.is_none_or(|bank| bank == location);
        let mut mapped = Vec::new();
        for range in all {
            let mappings = range.reserve().into_iter().flat_map(|r| &r.mappings);
            for (&offset, mapping) in mappings {
                if self.handle_location(mapping.handle).is_some_and(of_side) {
                    mapped.push((range, offset, offset.saturating_add(mapping.len)));
                }
            }
        }
        for (range, offset, end) in mapped {
            // Without the memory nothing is registered, for whatever device.
            let meets =
                |r: &Registration| r.offset < end && offset < r.offset.saturating_add(r.len);
            self.end_registrations(cx, process, range, way, meets);
            leak(cx, way, range, "was not unmapped");
            let orderly = way == Way::Orderly;
            let unmapped = self.drop_mapping(cx, process, range.start, offset, orderly);
            gone.extend(unmapped.and_then(|u| u.freed));
        }
        for at in 0..self.handles.len() {
            let Some(handle) = self.handles.get(at).copied() else { break };
            if handle.process != process || handle.refs == 0 || !of_side(handle.location) {
                continue;
            }
            if way == Way::Orderly {
                let store = self.stores.get(handle.store.0 as usize);
                let name = store.map_or("?", |s| s.name.as_str());
                let message = format!("handle `{name}` was not released");
                cx.notes.remark(Code::ReplayLeak, message);
            }
            let id = HandleId(u32::try_from(at).unwrap_or(u32::MAX));
            gone.extend(self.drop_refs(cx, id, handle.refs, handle.maps));
        }
        gone
    }

    /// Ends registrations of a range.
    fn end_registrations(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        range: &Range,
        way: Way,
        ends: impl Fn(&Registration) -> bool,
    ) {
        let Some(this) = self.processes.get_mut(process as usize) else { return };
        let Some(live) = this.range_mut(range.generation) else { return };
        let all = std::mem::take(&mut live.registrations);
        let (ended, stay): (Vec<_>, Vec<_>) = all.into_iter().partition(ends);
        live.registrations = stay;
        for registration in ended {
            leak(cx, way, range, "was not unregistered");
            if registration.own_address {
                self.remove_range(process, registration.dst.address);
            }
        }
    }

    fn remove_range(&mut self, process: u32, start: u64) {
        if let Some(process) = self.processes.get_mut(process as usize) {
            process.remove(start, false);
        }
    }
}

fn leak(cx: &mut Context<'_>, way: Way, range: &Range, what: &str) {
    if way == Way::Orderly {
        let message = format!("`{}` of {} bytes {what}", range.name, range.usable);
        cx.notes.remark(Code::ReplayLeak, message);
    }
}
