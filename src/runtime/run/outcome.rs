//! What calls answer, what the trace expects of them, and what a run leaves behind.

use super::access::By;
use super::actors::Actors;
use super::engine::Engine;
use super::path::Path;
use crate::diag::Code;
use crate::model::machine::Mode;
use crate::model::trace::Expect;
use crate::runtime::clock::{ActorId, Clock, Epoch};
use crate::runtime::counters::Counters;
use crate::runtime::memory::Memory;
use crate::runtime::objects::Objects;
use crate::runtime::pipes::launch::Bar;
use crate::runtime::pointer::{How, Who};
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Class, Refused, Status};
use crate::runtime::watch::{At, LineId, Watch};

/// What a run leaves behind.
#[derive(Debug)]
pub struct Ran {
    /// Everybody who acted.
    pub actors: Actors,
    /// Everything that has bytes.
    pub objects: Objects,
    /// Counters.
    pub counters: Counters,
    /// What calls answered, by label.
    pub answers: Vec<(String, String)>,
    /// Bars of the timeline.
    pub bars: Vec<Bar>,
    /// Lines at which the two modes part.
    pub quirks: Vec<(LineId, Quirk)>,
    /// The end of the last action.
    pub makespan: u64,
    /// For each pool: its name, the most that it handed out, the most that it held.
    pub high: Vec<(String, u64, u64)>,
    /// Physical memory at the end.
    pub memory: Memory,
    /// The sides of branches that were taken.
    pub path: Path,
    /// True when threads that nothing orders used one stream or pool: who is faster decides what
    /// is run, so that this run is one of several.
    pub open: bool,
}

/// What a call answers: nothing, or a value as it is printed.
pub(super) type Reply = Result<Option<String>, Refused>;

impl<W: Watch> Engine<'_, '_, W> {
    /// A call is over: compares with what is expected.
    pub(super) fn outcome(&mut self, at: &At<'_>, line: usize, reply: Reply) {
        let op = &self.setup.trace.ops[line];
        match &reply {
            Ok(Some(answer)) => self.answers.push((op.label.clone(), answer.clone())),
            Ok(None) => {}
            Err(refused) => self.answers.push((op.label.clone(), refused.status.name().to_owned())),
        }
        match (&op.expect, reply) {
            (None | Some(Expect::Ok), Ok(_)) => {}
            (Some(Expect::Value(wanted)), Ok(answer)) => {
                let answer = answer.unwrap_or_default();
                if answer != *wanted {
                    let words =
                        format!("the trace expects `{wanted}`, the call answers `{answer}`");
                    self.notice(at, Code::ReplayExpectation, words);
                }
            }
            (Some(Expect::Error(wanted)), Ok(_)) => {
                let words = format!("the trace expects {wanted}, the call succeeds");
                self.notice(at, Code::ReplayExpectation, words);
            }
            (Some(Expect::Error(wanted)), Err(refused)) => {
                if !answers(&refused, wanted, self.setup.mode) {
                    let words = format!("the trace expects {wanted}, the call answers {refused}");
                    self.notice(at, Code::ReplayExpectation, words);
                }
                if let Some(code) = refused.finding {
                    self.notice(at, code, refused.why);
                }
            }
            (None | Some(Expect::Ok | Expect::Value(_)), Err(refused)) => {
                let code = refused.finding.unwrap_or(Code::ReplayRefused);
                self.notice(at, code, refused.to_string());
                // That room is torn is a remark; that the call has failed is not.
                if code == Code::ReplayFragmentation {
                    self.notice(at, Code::ReplayRefused, refused.to_string());
                }
            }
        }
    }

    /// What has to be where in the end is looked for there.
    pub(super) fn outputs(&mut self) {
        let clock = Clock::default();
        for output in &self.setup.trace.outputs {
            let span = &output.span;
            let last = self.setup.trace.ops.len().saturating_sub(1);
            let epoch = Epoch { actor: ActorId(0), n: 0 };
            let at = At { line: super::engine::id(last), epoch, clock: &clock };
            let (pointer, len) = self.span(&at, span);
            let by = By::Transfer(Who::Host);
            let process = pointer.process;
            let (val, voff) = (span.val, span.voff);
            for bytes in self.touched(&at, process, pointer, len, by, How::Read, val, voff) {
                self.watch.output(&at, &bytes);
            }
        }
    }

    /// The model looks at itself: page states that must not exist, counters that do not add up.
    pub(super) fn check_model(&mut self) {
        let mut defects: Vec<(Code, String)> = Vec::new();
        let all = [self.space.check(&self.memory), self.pools.check(&self.memory)];
        defects
            .extend(all.into_iter().filter_map(Result::err).map(|e| (Code::ReplayAccounting, e)));
        for uvm in &self.uvm {
            defects.extend(uvm.check(&self.memory).err().map(|e| (Code::ReplayCoherence, e)));
        }
        let clock = Clock::default();
        for (code, words) in defects {
            let epoch = Epoch { actor: ActorId(0), n: 0 };
            self.notice(&At { line: LineId(0), epoch, clock: &clock }, code, words);
        }
    }

    /// A task of a stream has failed: its call has long succeeded, so nobody is told (5.12).
    pub(super) fn task_failed(&mut self, at: &At<'_>, line: usize, refused: &Refused) {
        let code = refused.finding.unwrap_or(Code::ReplayRefused);
        let label = &self.setup.trace.ops[line].label;
        let words = format!("`{label}` had succeeded, its task fails: {refused}");
        self.notice(at, code, words);
    }
}

/// True when a refusal is the one that is expected: by class in mode `spec`, by code in `source`.
fn answers(refused: &Refused, wanted: &str, mode: Mode) -> bool {
    let plain = |text: &str| text.replace(['_', '-', ' '], "").to_ascii_lowercase();
    let wanted = plain(wanted);
    let class = Class::ALL.into_iter().find(|class| plain(class.name()) == wanted);
    if let Some(class) = class
        && !(mode == Mode::Source && Status::ALL.iter().any(|s| plain(s.name()) == wanted))
    {
        return refused.status.class() == class;
    }
    let status = Status::ALL.iter().copied().find(|s| plain(s.name()) == wanted);
    match (status, mode) {
        (Some(status), Mode::Spec) => status.class() == refused.status.class(),
        (Some(status), Mode::Source) => status == refused.status,
        (None, _) => wanted == refused.status.number().to_string(),
    }
}
