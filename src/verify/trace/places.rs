//! What can be said of a core program without running it: addresses, alignments, paths of pipes,
//! flag ids (2.4, 5.17).

use super::found::Found;
use crate::diag::Code as Class;
use crate::model::machine::{CoreScope, Machine};
use crate::model::trace::{CoreLine, Instruction, PipeName, Place, Rotation, Sym, Trace, Whole};
use crate::runtime::clock::{ActorId, Clock, Epoch};
use crate::runtime::lines::Lines;
use crate::runtime::watch::{At, LineId};

/// How an instruction uses a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Read,
    Write,
}

struct Look<'a> {
    trace: &'a Trace,
    machine: &'a Machine,
    /// The pairs of pipes and the ids that the program uses.
    found: Vec<Found>,
}

/// Everything that is wrong with the lines of all programs.
pub(super) fn check(trace: &Trace, lines: &Lines<'_>, machine: &Machine) -> Vec<Found> {
    let mut look = Look { trace, machine, found: Vec::new() };
    for number in trace.ops.len()..lines.len() {
        let id = LineId(u32::try_from(number).unwrap_or(u32::MAX));
        if let Some(line) = lines.core_line(id) {
            look.line(id, line);
        }
    }
    look.found
}

impl Look<'_> {
    fn line(&mut self, id: LineId, line: &CoreLine) {
        match &line.instruction {
            Instruction::Copy { pipe, src, dst, .. } => {
                self.place(id, *pipe, src, Use::Read, true);
                self.place(id, *pipe, dst, Use::Write, true);
            }
            Instruction::Exec { pipe, r, w, .. } => {
                for place in r {
                    self.place(id, *pipe, place, Use::Read, false);
                }
                for place in w {
                    self.place(id, *pipe, place, Use::Write, false);
                }
            }
            Instruction::Set { pipe, peer, id: ids }
            | Instruction::Wait { pipe, peer, id: ids } => {
                self.flag(id, *pipe, *peer, ids);
            }
            Instruction::XSet { flag, mode, .. } | Instruction::XWait { flag, mode, .. } => {
                let ids = self.machine.cross_flags;
                // Mode 4 names the second vector core by ids of 16 and more.
                let flag_of_core = if *mode == 4 { flag % 16 } else { *flag };
                if flag_of_core >= ids {
                    let words = format!(
                        "cross-core flag {flag}: the hardware has 0 to {}",
                        ids.saturating_sub(1)
                    );
                    self.say(id, Class::ReplayFlagIdRange, words);
                } else if matches!(flag_of_core, 14 | 15) && *mode != 0 {
                    let words = format!(
                        "cross-core flag {flag} is kept by the compiler for barriers of all cores"
                    );
                    self.say(id, Class::ReplayFlagReserved, words);
                }
            }
            Instruction::Barrier { .. } | Instruction::Loop { .. } | Instruction::If { .. } => {}
        }
    }

    fn say(&mut self, line: LineId, code: Class, words: String) {
        let clock = Clock::default();
        let at = At { line, epoch: Epoch { actor: ActorId(u32::MAX), n: 0 }, clock: &clock };
        let mut found = Found::new(code, &at);
        found.words = Some(words);
        self.found.push(found);
    }

    fn scope(&self, name: Sym) -> Option<&CoreScope> {
        let name = self.trace.text(name);
        let name = match name {
            "cbuf" => "l1",
            "ca" => "l0a",
            "cb" => "l0b",
            "cc" => "l0c",
            "fp" => "fb",
            other => other,
        };
        self.machine.scopes.iter().find(|scope| scope.name == name)
    }

    fn place(&mut self, line: LineId, pipe: PipeName, place: &Place, usage: Use, moves: bool) {
        let Whole::Scope(name) = place.at else { return };
        let Some(scope) = self.scope(name).cloned() else { return };
        let text = self.trace.text(name).to_owned();
        let turns = place.modulo.max(1) - 1;
        let last = place.base.saturating_add(place.stride.saturating_mul(turns));
        let end = last.saturating_add(place.len);
        if let Some(capacity) = scope.capacity.filter(|&capacity| end > capacity) {
            let words = format!(
                "needs {end} bytes ({} bits) of {text}, {capacity} bytes ({} bits) available",
                u128::from(end) * 8,
                u128::from(capacity) * 8
            );
            self.say(line, Class::ReplayOutOfScope, words);
        }
        let list = match usage {
            Use::Read => &scope.drained_by,
            Use::Write => &scope.filled_by,
        };
        if !list.iter().any(|p| p.eq_ignore_ascii_case(pipe.name())) {
            let verb = if usage == Use::Read { "read" } else { "write" };
            let words =
                format!("{} cannot {verb} {text}: only {} can", pipe.name(), list.join(", "));
            self.say(line, Class::ReplayPipeScope, words);
        }
        let aligned = place.base.is_multiple_of(scope.alignment)
            && place.stride.is_multiple_of(scope.alignment);
        if moves && !aligned {
            let words = format!(
                "a transfer at {text} {} does not start on a multiple of {} bytes",
                place.base, scope.alignment
            );
            self.say(line, Class::ReplayMisaligned, words);
        } else if moves && !place.len.is_multiple_of(BURST) {
            let words = format!(
                "a transfer of {} bytes is no whole number of bursts of {BURST}",
                place.len
            );
            self.say(line, Class::ReplayMisaligned, words);
        }
    }

    fn flag(&mut self, line: LineId, from: PipeName, to: PipeName, ids: &Rotation) {
        let count = self.machine.flag_ids;
        if let Some(id) = ids.ids.iter().find(|&&id| id >= count) {
            let words = format!("flag {id}: the hardware has 0 to {}", count.saturating_sub(1));
            self.say(line, Class::ReplayFlagIdRange, words);
            return;
        }
        let (from, to) = (from.name(), to.name());
        let kept =
            |(a, b): &(String, String)| a.eq_ignore_ascii_case(from) && b.eq_ignore_ascii_case(to);
        let last = count.saturating_sub(1);
        if ids.ids.contains(&last) && self.machine.reserved_flags.iter().any(kept) {
            let words =
                format!("flag {last} from {from} to {to} is kept by the compiler for itself");
            self.say(line, Class::ReplayFlagReserved, words);
        }
    }
}

/// Bytes of a burst of a transfer (5.17).
const BURST: u64 = 32;
