//! Pages of kind SVM appear when they are touched (13.5).

use super::Space;
use super::pages::Run;
use super::process::Found;
use super::zones::round_up;
use crate::diag::Code;
use crate::model::trace::AllocKind;
use crate::runtime::context::Context;
use crate::runtime::memory::{Bank, Purpose};
use crate::runtime::pointer::{Pointer, Who};
use crate::runtime::status::Remark;

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
        let bank = match who {
            Who::Host => Bank::Host,
            Who::Device(device) => Bank::Device(device),
        };
        let Found::Live(range) = self.find(process, pointer) else { return };
        let Some(block) = range.block().filter(|b| b.kind == AllocKind::Svm) else { return };
        let offset = pointer.address - range.start;
        let end = offset.saturating_add(len).min(range.usable);
        if offset >= end {
            return;
        }
        let (first, last) = (offset / block.page * block.page, round_up(end, block.page));
        let runs = block.pages.runs(first, last);
        for run in runs {
            let moves = match run.bank {
                Some(now) => now != bank,
                None => who == Who::Host,
            };
            if moves && !self.move_run(cx, process, pointer.generation, run, bank) {
                return;
            }
        }
    }

    fn move_run(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        generation: u32,
        run: Run,
        bank: Bank,
    ) -> bool {
        let bytes = run.end - run.start;
        if let Err(refused) = self.take(cx, bank, Purpose::Svm, bytes) {
            let code = match bank {
                Bank::Host => Code::ReplayOomHost,
                Bank::Device(_) => Code::ReplayOomDevice,
            };
            cx.notes.remarks.push(Remark { code, message: refused.why });
            return false;
        }
        if let Some(from) = run.bank {
            self.give(cx, from, Purpose::Svm, bytes);
            cx.counters.bytes_moved = cx.counters.bytes_moved.saturating_add(bytes);
        }
        let process = self.processes.get_mut(process as usize);
        if let Some(range) = process.and_then(|p| p.range_mut(generation))
            && let super::range::Body::Block(block) = &mut range.body
        {
            block.pages.put(run.start, run.end, bank);
        }
        true
    }
}
