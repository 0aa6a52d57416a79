//! Frees (5.2).

use super::Space;
use super::cache::{Class, Kept};
use super::process::Found;
use super::range::{Body, Range};
use super::refusals::{invalid, invalid_in_kernel};
use crate::diag::Code;
use crate::model::trace::AllocKind;
use crate::runtime::context::Context;
use crate::runtime::memory::Purpose;
use crate::runtime::objects::ObjectId;
use crate::runtime::pointer::Pointer;
use crate::runtime::status::{Refused, Status};

/// What a free has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freed {
    /// Its bytes.
    pub object: ObjectId,
    /// How many could be used.
    pub len: u64,
}

impl Space {
    /// Frees an allocation; plain memory of the process too. Waits for nothing.
    ///
    /// # Errors
    /// `InvalidValue` for what is not the start of a live allocation (finding: a double or bad free),
    /// `Busy` while it is registered (5.2).
    pub fn free(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        pointer: Option<Pointer>,
    ) -> Result<Freed, Refused> {
        self.process(process)?;
        self.settle(cx);
        let Some(pointer) = pointer else { return Err(invalid("NULL is freed")) };
        let range = match self.find(process, pointer) {
            Found::Unknown => {
                return Err(invalid("nothing was allocated there").finding(Code::ReplayBadFree));
            }
            Found::Dead(dead) => {
                let why = format!("`{}` was freed before", dead.name);
                return Err(invalid(why).finding(Code::ReplayDoubleFree));
            }
            Found::Live(range) => range,
        };
        freeable(cx, range, pointer)?;
        let (start, keys) = (range.start, range.keys.clone());
        for key in keys {
            self.end_key(cx, key, "was freed by its owner", true);
        }
        Ok(self
            .free_block(cx, process, start, true)
            .unwrap_or(Freed { object: ObjectId(0), len: 0 }))
    }

    /// Gives the pages and addresses of an allocation back; some stay with the library if it `may_keep`.
    pub(super) fn free_block(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        start: u64,
        may_keep: bool,
    ) -> Option<Freed> {
        let range = self.processes.get(process as usize)?.ranges.get(&start)?;
        let block = range.block()?;
        let freed = Freed { object: block.object, len: range.usable };
        let (bank, held) = (block.bank, block.held);
        let runs: Vec<_> = block.pages.present().collect();
        let class = Class::of(block.flags, block.page);
        let kept = Kept {
            process,
            bank,
            class,
            start,
            len: range.len,
            page: block.page,
            zone: range.zone,
        };
        let keep = may_keep && block.kind == AllocKind::Dev && self.keep(cx, kept);
        if held > 0 && !(keep && cx.source()) {
            cx.memory.give(bank, Purpose::Svm, held);
        }
        cx.counters.frees += u64::from(held > 0 || !runs.is_empty());
        for run in runs {
            if let Some(bank) = run.bank {
                cx.memory.give(bank, Purpose::Svm, run.end - run.start);
            }
        }
        let process = self.processes.get_mut(process as usize)?;
        process.remove(start, keep && cx.source());
        Some(freed)
    }
}

/// Why a live range cannot be freed with this pointer.
fn freeable(cx: &mut Context<'_>, range: &Range, pointer: Pointer) -> Result<(), Refused> {
    let name = &range.name;
    let wrong =
        |what: &str| Err(invalid(format!("`{name}` is {what}")).finding(Code::ReplayBadFree));
    match &range.body {
        Body::Reserve(_) => return wrong("a reserved range, which is freed by AddressFree"),
        Body::Import(_) => {
            // Q-IPC-4: samples do it and ignore the answer.
            return wrong("memory of another process, which is closed");
        }
        Body::Window(_) => return wrong("a view of registered memory, which is unregistered"),
        Body::Block(_) => {}
    }
    if pointer.address != range.start {
        let inner = pointer.address - range.start;
        let why = format!("the address is {inner} bytes behind the start of `{name}`");
        return Err(invalid_in_kernel(cx, why).finding(Code::ReplayBadFree));
    }
    if !range.registrations.is_empty() {
        let why = format!("`{name}` is registered for another side");
        return Err(Refused::new(Status::Busy, why).finding(Code::ReplayRegFree));
    }
    Ok(())
}
