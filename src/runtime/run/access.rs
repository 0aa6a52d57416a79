//! From names to bytes, and what an access to them does.

use super::bindings::Binding;
use super::engine::Engine;
use crate::diag::Code;
use crate::model::trace::{Span, Sym, Val};
use crate::runtime::memory::Bank;
use crate::runtime::objects::{ObjectId, ObjectKind, Piece};
use crate::runtime::pointer::{How, Pointer, Reach, Who};
use crate::runtime::status::{Notes, Refused};
use crate::runtime::svm::{Made, Zone};
use crate::runtime::uvm::{Done, Uvm};
use crate::runtime::watch::{At, Touched, Watch};

/// Bytes that were allocated under a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owned {
    pub object: ObjectId,
    /// The first byte of the object that is its.
    pub start: u64,
    /// How many were asked for.
    pub len: u64,
    /// The address of the first.
    pub address: u64,
    /// False once it is freed.
    pub alive: bool,
}

/// Which books an allocation is in: each counts its generations on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ledger {
    /// Allocations and mappings of a process.
    Space,
    /// Managed memory.
    Managed,
    /// Blocks of pools.
    Pools,
}

/// Whether permissions of the one who asks count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// A load or store.
    Touch(Who),
    /// A transfer that the runtime makes for somebody.
    Transfer(Who),
}

impl By {
    fn who(self) -> Who {
        match self {
            Self::Touch(who) | Self::Transfer(who) => who,
        }
    }
}

impl<W: Watch> Engine<'_, '_, W> {
    /// In which books an address stands.
    pub(super) fn ledger(&self, pointer: Pointer) -> Ledger {
        if Uvm::owns(pointer.address) {
            Ledger::Managed
        } else if Zone::Soma.contains(pointer.address) {
            Ledger::Pools
        } else {
            Ledger::Space
        }
    }

    /// The address that a span names, and how many bytes of it.
    pub(super) fn span(&mut self, at: &At<'_>, span: &Span) -> (Pointer, u64) {
        let (pointer, len) = match self.bindings.get(&span.p) {
            Some(Binding::Address(pointer, len)) => (*pointer, *len),
            _ => self.outside(at, span.p),
        };
        let rest = len.saturating_sub(span.off);
        (pointer.offset(span.off), span.len.unwrap_or(rest))
    }

    /// A name that no call has made stands for something that was there before.
    fn outside(&mut self, at: &At<'_>, name: Sym) -> (Pointer, u64) {
        let text = self.setup.trace.text(name).to_owned();
        let object = self.objects.make(text, u64::MAX, ObjectKind::User);
        self.watch.begin(object, true);
        let _ = at;
        let generation = self.foreign.len() as u32;
        self.foreign.push(object);
        // Far above everything that is allocated (2.1).
        let pointer = Pointer { process: u32::MAX, address: 1 << 62, generation };
        self.bindings.insert(name, Binding::Address(pointer, u64::MAX));
        (pointer, u64::MAX)
    }

    /// Remembers an allocation, and tells the watcher.
    pub(super) fn born(&mut self, at: &At<'_>, ledger: Ledger, made: &Made) {
        let owned = Owned {
            object: made.object,
            start: 0,
            len: made.len,
            address: made.pointer.address,
            alive: true,
        };
        self.owned.insert((ledger, made.pointer.generation), owned);
        self.watch.begin(made.object, false);
        let piece = Piece { object: made.object, start: 0, len: made.len };
        self.watch.alloc(at, piece, made.pointer.generation);
    }

    /// An allocation ends.
    pub(super) fn died(&mut self, at: &At<'_>, ledger: Ledger, generation: u32) {
        if let Some(owned) = self.owned.get_mut(&(ledger, generation)).filter(|o| o.alive) {
            owned.alive = false;
            let piece = Piece { object: owned.object, start: owned.start, len: owned.len };
            self.watch.free(at, piece, generation);
        }
    }

    /// Which bytes an access means; what is wrong with it goes to the watcher.
    #[expect(clippy::too_many_arguments, reason = "one access, in full")]
    pub(super) fn reach(
        &mut self,
        at: &At<'_>,
        process: u32,
        pointer: Pointer,
        len: u64,
        by: By,
        how: How,
        out: &mut Vec<(Piece, u32)>,
    ) {
        if len == 0 {
            return;
        }
        if pointer.process == u32::MAX {
            let object = self.foreign.get(pointer.generation as usize).copied();
            let start = pointer.address - (1 << 62);
            out.extend(object.map(|object| (Piece { object, start, len }, 0)));
            return;
        }
        let ledger = self.ledger(pointer);
        if ledger == Ledger::Space {
            let len = self.within_part(at, pointer, len, how);
            let reach = self.space.reach(process, pointer, len, by.who(), how);
            self.found(at, pointer, len, by, reach, out);
            return;
        }
        let key = (ledger, pointer.generation);
        let Some(owned) = self.owned.get(&key).copied() else {
            self.notice(
                at,
                Code::ReplayUnmappedAccess,
                format!("nothing is at {:#x}", pointer.address),
            );
            return;
        };
        if self.denied(at, process, pointer, ledger, by) {
            return;
        }
        let off = pointer.address.saturating_sub(owned.address);
        let end = off.saturating_add(len);
        if end > owned.len {
            let name = self.objects.get(owned.object).map_or("?", |o| &o.name).to_owned();
            let words = format!("bytes [{off}, {end}) of `{name}`, which has {}", owned.len);
            self.notice(at, Code::ReplayOob, words);
        }
        let end = end.min(owned.len);
        if off < end {
            let piece = Piece {
                object: owned.object,
                start: owned.start.saturating_add(off),
                len: end - off,
            };
            out.push((piece, pointer.generation));
        }
    }

    /// Pools and managed memory have no access by everybody.
    fn denied(
        &mut self,
        at: &At<'_>,
        process: u32,
        pointer: Pointer,
        ledger: Ledger,
        by: By,
    ) -> bool {
        let host = matches!(by, By::Touch(Who::Host));
        if ledger == Ledger::Pools && host {
            let words = "the host cannot touch memory of a pool (EACCES)";
            self.notice(at, Code::ReplayPerm, words);
            return true;
        }
        if ledger == Ledger::Pools && self.unmapped.contains(&pointer.generation) {
            let words = "the block has no memory: its task has failed";
            self.notice(at, Code::ReplayUnmappedAccess, words);
            return true;
        }
        if pointer.process != process {
            self.notice(at, Code::ReplayUnmappedAccess, "the address belongs to another process");
            return true;
        }
        false
    }

    /// What the address space answered.
    fn found(
        &mut self,
        at: &At<'_>,
        pointer: Pointer,
        len: u64,
        by: By,
        reach: Reach,
        out: &mut Vec<(Piece, u32)>,
    ) {
        let owned = self.owned.get(&(Ledger::Space, pointer.generation)).copied();
        for remark in reach.wrong {
            match (remark.code, owned) {
                // The watcher knows who freed it.
                (Code::ReplayUaf, Some(owned)) => {
                    let off = pointer.address.saturating_sub(owned.address);
                    let len = len.min(owned.len.saturating_sub(off));
                    let start = owned.start.saturating_add(off);
                    let piece = Piece { object: owned.object, start, len };
                    let generation = pointer.generation;
                    let touched = Touched { piece, generation, val: None, adds: false };
                    self.watch.touch(at, &touched);
                }
                (Code::ReplayPerm, _) if matches!(by, By::Transfer(_)) => {}
                _ => self.watch.notice(at, remark, None),
            }
        }
        let generation = |piece: &Piece| {
            let own = owned.is_some_and(|owned| owned.object == piece.object);
            if own { pointer.generation } else { 0 }
        };
        out.extend(reach.pieces.into_iter().map(|piece| (piece, generation(&piece))));
    }

    /// Pages come, go and move before bytes are touched; ticks.
    pub(super) fn fault(
        &mut self,
        at: &At<'_>,
        process: u32,
        pointer: Pointer,
        len: u64,
        by: By,
        how: How,
    ) -> Result<u64, Refused> {
        let who = by.who();
        let mut notes = Notes::default();
        let (mut cx, space, uvm, _) = self.parts().with(&mut notes);
        let done = match Uvm::owns(pointer.address).then(|| uvm.get_mut(pointer.process as usize)) {
            Some(Some(uvm)) => uvm.touch(&mut cx, who, pointer.address, len, how),
            _ => {
                space.touch(&mut cx, process, pointer, len, who);
                Ok(Done::default())
            }
        };
        let ticks = self.tell(at, notes);
        self.contents(at, &done?, pointer);
        Ok(ticks)
    }

    /// What became of the contents of managed memory.
    pub(super) fn contents(&mut self, at: &At<'_>, done: &Done, pointer: Pointer) {
        for bytes in &done.poison {
            for piece in self.managed(pointer.process, bytes.start, bytes.len) {
                self.watch.poison(at, piece);
            }
        }
        if let Some(bytes) = done.stale.first() {
            let words = format!(
                "{} bytes are read from a copy that was never filled: its transfer had failed",
                bytes.len
            );
            self.notice(at, Code::ReplayWrongValue, words);
        }
    }

    /// The bytes of managed objects in a range of addresses of a process.
    fn managed(&self, process: u32, start: u64, len: u64) -> Vec<Piece> {
        let end = start.saturating_add(len);
        let mut pieces = Vec::new();
        for (key, owned) in &self.owned {
            let mine = key.0 == Ledger::Managed
                && owned.alive
                && self.managed_of.get(&key.1) == Some(&process);
            let (from, to) =
                (owned.address.max(start), owned.address.saturating_add(owned.len).min(end));
            if mine && from < to {
                let start = from - owned.address;
                pieces.push(Piece { object: owned.object, start, len: to - from });
            }
        }
        pieces
    }

    /// Touches the bytes of a span and tells the watcher; ticks.
    pub(super) fn access(
        &mut self,
        at: &At<'_>,
        process: u32,
        span: &Span,
        by: By,
        how: How,
    ) -> u64 {
        let (pointer, len) = self.span(at, span);
        let mut ticks = 0;
        if pointer.process != u32::MAX && self.pages_matter(pointer) {
            match self.fault(at, process, pointer, len, by, how) {
                Ok(spent) => ticks = spent,
                Err(refused) => {
                    let code = refused.finding.unwrap_or(Code::ReplayRefused);
                    let gone = matches!(code, Code::ReplayUvmWildAccess | Code::ReplayUaf);
                    if code != Code::ReplayUaf {
                        self.notice(at, code, refused.why);
                    }
                    if gone && code != Code::ReplayUaf {
                        return ticks;
                    }
                }
            }
        }
        for touched in self.touched(at, process, pointer, len, by, how, span.val, span.voff) {
            match how {
                How::Read => self.watch.read(at, &touched),
                How::Write => self.watch.write(at, &touched),
            }
        }
        ticks
    }

    /// True when a touch may move pages.
    pub(super) fn pages_matter(&self, pointer: Pointer) -> bool {
        match self.ledger(pointer) {
            Ledger::Managed => true,
            Ledger::Pools => false,
            Ledger::Space => self.lazy.contains(&pointer.generation),
        }
    }

    /// The bytes of an access with the values that belong to them.
    #[expect(clippy::too_many_arguments, reason = "one access, in full")]
    pub(super) fn touched(
        &mut self,
        at: &At<'_>,
        process: u32,
        pointer: Pointer,
        len: u64,
        by: By,
        how: How,
        val: Option<Val>,
        voff: u64,
    ) -> Vec<Touched> {
        let mut pieces = std::mem::take(&mut self.scratch);
        pieces.clear();
        self.reach(at, process, pointer, len, by, how, &mut pieces);
        let mut voff = voff;
        let touched = |&(piece, generation): &(Piece, u32)| {
            let val = val.map(|val| (val, voff));
            voff = voff.saturating_add(piece.len);
            Touched { piece, generation, val, adds: false }
        };
        let all = pieces.iter().map(touched).collect();
        self.scratch = pieces;
        all
    }

    /// The bank that holds an address, for costs.
    pub(super) fn bank(&self, pointer: Pointer) -> Bank {
        let object = self.owned.get(&(self.ledger(pointer), pointer.generation)).map(|o| o.object);
        match object.and_then(|object| self.objects.get(object)).map(|object| object.kind) {
            Some(ObjectKind::Allocation(bank) | ObjectKind::Handle(bank)) => bank,
            Some(ObjectKind::Pool(device)) => Bank::Device(device),
            _ => Bank::Host,
        }
    }
}
