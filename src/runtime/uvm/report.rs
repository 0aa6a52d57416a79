//! What is said of an allocation when it ends (6.4): thrashing, prefetches for nothing, turns taken
//! on one page.

use super::Uvm;
use crate::diag::Code;
use crate::runtime::context::Context;

/// A page that goes to and fro so often is worth a word.
const TURNS: u32 = 2;

impl Uvm {
    /// Says it.
    pub(super) fn report(&mut self, cx: &mut Context<'_>, start: u64) {
        let Some(range) = self.range(start) else { return };
        let Some(known) = self.space.get_mut(start).copied() else { return };
        if known.refaults > 0 {
            let (back, out) = (known.refaults, known.swapped);
            let percent = back.saturating_mul(100) / out.max(1);
            let window = cx.machine.oversub.thrash_window;
            let message = format!(
                "{back} of {out} pages swapped out of {start:#x} came back within {window} ticks \
                 ({percent} %)"
            );
            cx.notes.remark(Code::ReplayUvmThrash, message);
        }
        let first = self.page_of(start);
        let end = first.saturating_add(range.rounded / self.page);
        let (mut unused, mut shared): (u64, Vec<(u64, u64, u32)>) = (0, Vec::new());
        for (from, to, page) in self.runs.within(first, end) {
            unused = unused.saturating_add((to - from).saturating_mul(page.unused.count()));
            let turns = page.turns.falsely();
            match shared.last_mut() {
                _ if turns < TURNS => {}
                Some((_, last, count)) if *last == from => {
                    *last = to;
                    *count = (*count).max(turns);
                }
                _ => shared.push((from, to, turns)),
            }
        }
        if unused > 0 {
            let moved = known.prefetched;
            let message = format!(
                "{unused} pages of {start:#x} were prefetched and not touched there after that \
                 ({moved} were prefetched)"
            );
            cx.notes.remark(Code::ReplayPrefetchUseless, message);
        }
        for (from, to, turns) in shared {
            let bytes = self.bytes(from, to);
            let message = format!(
                "the pages [{:#x}, {:#x}) changed places {turns} times between users of different \
                 bytes",
                bytes.start,
                bytes.start.saturating_add(bytes.len)
            );
            cx.notes.remark(Code::ReplayUvmFalseSharing, message);
        }
    }
}
