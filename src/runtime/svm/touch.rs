//! Pages of kind SVM appear when they are touched (13.5).

use super::Space;
use super::pages::Run;
use super::process::Found;
use super::range::Body;
use super::zones::round_up;
use crate::diag::Code;
use crate::model::trace::AllocKind;
use crate::runtime::context::Context;
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::pointer::{Pointer, Who};
use crate::runtime::status::{Refused, Remark};

impl Space {
    /// Before an access: puts the pages of an allocation of kind SVM where the access needs them. The
    /// host brings absent pages into being, and so do a memset and the destination of a copy (`who`
    /// is the host for these); a device moves pages that are there, absent ones it cannot use. Does
    /// nothing for other memory. A page for which there is no room stays as it was, with a remark.
    pub fn touch(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        pointer: Pointer,
        len: u64,
        who: Who,
    ) {
        if let Err(refused) = self.populate(cx, process, pointer, len, who) {
            let code = refused.finding.unwrap_or(match who {
                Who::Host => Code::ReplayOomHost,
                Who::Device(_) => Code::ReplayOomDevice,
            });
            cx.notes.remarks.push(Remark { code, message: refused.why });
        }
    }

    /// Puts pages where an access needs them; stops at the first for which there is no room.
    pub(in crate::runtime) fn populate(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        pointer: Pointer,
        len: u64,
        who: Who,
    ) -> Result<(), Refused> {
        let bank = match who {
            Who::Host => Bank::Host,
            Who::Device(device) => Bank::Device(device),
        };
        let Found::Live(range) = self.find(process, pointer) else { return Ok(()) };
        let Some(block) = range.block().filter(|b| b.kind == AllocKind::Svm) else {
            return Ok(());
        };
        let offset = pointer.address - range.start;
        let end = offset.saturating_add(len).min(range.usable);
        if offset >= end {
            return Ok(());
        }
        let (first, last) = (offset / block.page * block.page, round_up(end, block.page));
        let runs = block.pages.runs(first, last);
        for run in runs {
            let moves = match run.bank {
                Some(now) => now != bank,
                None => who == Who::Host,
            };
            if moves {
                self.move_run(cx, process, pointer.generation, run, bank)?;
            }
        }
        Ok(())
    }

    fn move_run(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        generation: u32,
        run: Run,
        bank: Bank,
    ) -> Result<(), Refused> {
        let bytes = run.end - run.start;
        self.take(cx, bank, Purpose::Svm, bytes)?;
        if let Some(from) = run.bank {
            self.give(cx, from, Purpose::Svm, bytes);
            cx.counters.bytes_moved = cx.counters.bytes_moved.saturating_add(bytes);
        }
        let process = self.processes.get_mut(process as usize);
        if let Some(range) = process.and_then(|p| p.range_mut(generation))
            && let Body::Block(block) = &mut range.body
        {
            block.pages.put(run.start, run.end, bank);
        }
        Ok(())
    }
}
