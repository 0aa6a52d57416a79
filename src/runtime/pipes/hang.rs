//! What is wrong with the flags when a launch is over, or cannot go on (5.17, 13.4).

use super::code::{Step, What, pipe_name};
use super::launch::{Ground, Launch};
use super::state::{PIPES, S};
use crate::diag::Code as Class;
use crate::runtime::clock::Epoch;
use crate::runtime::status::Remark;
use crate::runtime::watch::{At, LineId, Watch};

/// What a pipe waits for.
struct Wait {
    core: usize,
    pipe: usize,
    line: LineId,
    what: String,
    /// True when what it waits for would still come.
    comes: bool,
}

/// Whether an instruction is looked for: its pipe, what it does, the trips it was issued in if it was.
type Wanted<'a> = &'a dyn Fn(Option<usize>, &What, Option<&[u64]>) -> bool;

/// A flag that is awaited.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaited {
    Flag(usize, usize, u32),
    Cross(u32, u8),
    Drain,
}

impl<G: Ground> Launch<'_, G> {
    /// Flags that are still set.
    pub(super) fn left_over(&mut self) {
        for c in 0..self.cores.len() {
            let core = &self.cores[c];
            let left: Vec<_> =
                core.flags.all().filter_map(|(key, flag)| Some((*key, flag.left()?))).collect();
            for ((from, to, id), line) in left {
                let message = format!(
                    "flag {id} from {} to {} is still set when the kernel ends",
                    pipe_name(from),
                    pipe_name(to)
                );
                self.say(c, usize::from(from), line, Class::ReplayFlagUnmatched, message);
            }
        }
        let left: Vec<_> =
            self.counters.iter().filter_map(|(key, k)| Some((*key, k.left()?))).collect();
        let mut told = Vec::new();
        for ((flag, sender, _), line) in left {
            if !told.contains(&line) {
                told.push(line);
                let message =
                    format!("cross-core flag {flag} is still raised when the kernel ends");
                self.say(sender, S, line, Class::ReplayFlagUnmatched, message);
            }
        }
    }

    /// Pipes that wait for ever.
    pub(super) fn hung(&mut self) {
        let waits = self.waits();
        let never: Vec<&Wait> = waits.iter().filter(|w| !w.comes).collect();
        if never.is_empty() {
            let Some(first) = waits.first() else { return };
            let all: Vec<&str> = waits.iter().map(|w| w.what.as_str()).collect();
            let message = format!("pipes wait for each other: {}", all.join("; "));
            self.say(first.core, first.pipe, first.line, Class::ReplayDeadlock, message);
            return;
        }
        for wait in never {
            let message = format!("{}, which nobody sets", wait.what);
            self.say(wait.core, wait.pipe, wait.line, Class::ReplayFlagUnmatched, message);
        }
    }

    fn say(&mut self, c: usize, p: usize, line: LineId, code: Class, message: String) {
        let pipe = &self.cores[c].pipes[p];
        let at = At { line, epoch: Epoch { actor: pipe.actor, n: pipe.n }, clock: &pipe.clock };
        self.ground.watch().notice(&at, Remark { code, message }, None);
    }

    fn waits(&self) -> Vec<Wait> {
        let mut waits = Vec::new();
        for c in 0..self.cores.len() {
            for p in 0..PIPES {
                let front = self.cores[c].pipes[p].queue.front();
                let Some((step, trips)) = front.map(|f| (f.step, f.trips.to_vec())) else {
                    continue;
                };
                waits.extend(self.wait_at(c, step, &trips, waits.len()));
            }
            let core = &self.cores[c];
            if core.pc < self.code.cores[c].code.len() {
                waits.extend(self.wait_at(c, core.pc, &core.trips, waits.len()));
            }
        }
        waits
    }

    fn wait_at(&self, c: usize, step: usize, trips: &[u64], _before: usize) -> Option<Wait> {
        let Step::Issue(issue) = self.code.cores[c].code.get(step)? else { return None };
        let pipe = issue.pipe.map_or(S, usize::from);
        let name = format!("core {c} pipe {}", pipe_name(pipe as u8));
        let (awaited, what) = match &issue.what {
            What::Wait { from, ids } => {
                let id = ids.id(trips);
                let what = format!("{name} waits for flag {id} from {}", pipe_name(*from));
                (Awaited::Flag(usize::from(*from), pipe, id), what)
            }
            What::CrossWait { mode, flag } => {
                (Awaited::Cross(*flag, *mode), format!("{name} waits for cross-core flag {flag}"))
            }
            What::Barrier if issue.pipe.is_none() => {
                (Awaited::Drain, format!("core {c} waits for all its pipes"))
            }
            _ => return None,
        };
        let comes = self.comes(c, awaited);
        Some(Wait { core: c, pipe, line: issue.line, what, comes })
    }

    /// True when a set of what is awaited is queued behind something, or still to be issued.
    fn comes(&self, c: usize, awaited: Awaited) -> bool {
        match awaited {
            Awaited::Drain => true,
            Awaited::Flag(from, to, id) => {
                let sets = |what: &What, trips: Option<&[u64]>| match what {
                    What::Set { to: t, ids } if usize::from(*t) == to => match trips {
                        Some(trips) => ids.id(trips) == id,
                        None => ids.ids.contains(&id),
                    },
                    _ => false,
                };
                self.finds(c, &|pipe, what, trips| pipe == Some(from) && sets(what, trips))
            }
            Awaited::Cross(flag, mode) => (0..self.cores.len()).any(|s| {
                let meant = self.cores[s].seat.reaches(self.cores[c].seat, mode, flag);
                meant
                    && self.finds(
                        s,
                        &|_, what, _| matches!(what, What::CrossSet { flag: f, .. } if *f == flag),
                    )
            }),
        }
    }

    fn finds(&self, c: usize, wanted: Wanted<'_>) -> bool {
        let (core, code) = (&self.cores[c], &self.code.cores[c].code);
        let queued = core.pipes.iter().flat_map(|pipe| &pipe.queue).any(|pending| {
            matches!(&code[pending.step], Step::Issue(issue)
                if wanted(issue.pipe.map(usize::from), &issue.what, Some(&pending.trips)))
        });
        // A loop goes back, but what it issues again stands in front of it as well.
        let begin = code[core.pc.min(code.len())..].iter().filter_map(|step| match step {
            Step::Again { begin, .. } => Some(*begin),
            _ => None,
        });
        let from = begin.min().unwrap_or(core.pc).min(core.pc);
        let rest = code.get(from..).unwrap_or_default();
        let issued = core.pc < code.len()
            && rest.iter().any(|step| {
                matches!(step, Step::Issue(issue)
                    if wanted(issue.pipe.map(usize::from), &issue.what, None))
            });
        queued || issued
    }
}
