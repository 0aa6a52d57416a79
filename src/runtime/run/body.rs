//! The body of a kernel: its cores run while its task does.

use super::access::By;
use super::actors::Kind;
use super::engine::Engine;
use super::streams::Task;
use super::tasks::Gain;
use crate::diag::Code;
use crate::model::trace::{Call, Span, Sym};
use crate::runtime::clock::ActorId;
use crate::runtime::objects::{ObjectId, ObjectKind, Piece};
use crate::runtime::pipes::code::{PipeId, pipe_name};
use crate::runtime::pipes::launch::{Ground, run};
use crate::runtime::pointer::{How, Who};
use crate::runtime::schedule::{Driver, Order};
use crate::runtime::status::Remark;
use crate::runtime::watch::{At, Watch};

/// The world around the cores of one kernel.
struct Around<'e, 't, 'w, W> {
    engine: &'e mut Engine<'t, 'w, W>,
    process: u32,
    device: u32,
    line: usize,
    /// True when the kernel says what it touches.
    declares: bool,
}

impl<W: Watch> Engine<'_, '_, W> {
    pub(super) fn body(
        &mut self,
        process: u32,
        device: u32,
        task: &Task,
        body: Sym,
        at: &At<'_>,
        gain: &mut Gain,
    ) {
        let setup = self.setup;
        let Some(code) = setup
            .trace
            .programs
            .iter()
            .position(|p| p.name == body)
            .and_then(|n| setup.codes.get(n))
        else {
            let name = setup.trace.text(body);
            self.notice(at, Code::ReplayRefused, format!("there is no program `{name}`"));
            return;
        };
        let declares = match &setup.trace.ops[task.line].call {
            Call::Kernel { r, w, rw, .. } => !(r.is_empty() && w.is_empty() && rw.is_empty()),
            _ => false,
        };
        let mut clock = at.clock.clone();
        clock.raise(at.epoch.actor, at.epoch.n);
        let start = self.now;
        let mut roster = std::mem::take(&mut self.roster);
        let mut bars = std::mem::take(&mut self.bars);
        let prices = self.prices.clone();
        // The driver and the watcher are lent to the cores while they run.
        let mut driver = std::mem::replace(self.driver, Driver::new(Order::Canonical, 0));
        let names: Vec<String> = self.actors.all().iter().map(|a| a.name.clone()).collect();
        let texts = &setup.trace.names;
        let core_names = |sym: Sym| texts.text(sym).to_owned();
        let cores: Vec<Sym> = code.cores.iter().map(|c| c.name).collect();
        for &core in &cores {
            for p in 0..crate::runtime::pipes::PIPES {
                let key = (core.0, p as PipeId);
                // A pipe whose last launch is not known to be over is somebody else in this one:
                // what it orders in one launch says nothing of the other.
                let through = |&(actor, n): &(ActorId, u32)| clock.get(actor) >= n;
                if !roster.pipes.get(&key).is_some_and(through) {
                    let name = format!("{}.{}", texts.text(core), pipe_name(p as PipeId));
                    roster
                        .pipes
                        .insert(key, (self.actors.add(name, Kind::Pipe { core }, process), 0));
                }
            }
        }
        let names = if names.len() == self.actors.all().len() {
            names
        } else {
            self.actors.all().iter().map(|a| a.name.clone()).collect()
        };
        let actor_name =
            |a: ActorId| names.get(a.0 as usize).cloned().unwrap_or_else(|| "?".to_owned());
        let ended = {
            let mut around = Around { engine: self, process, device, line: task.line, declares };
            run(
                code,
                setup.machine,
                &prices,
                &core_names,
                &mut roster,
                &mut bars,
                &clock,
                start,
                &mut driver,
                &actor_name,
                &mut around,
            )
        };
        *self.driver = driver;
        self.roster = roster;
        self.bars = bars;
        self.counters.instructions = self.counters.instructions.saturating_add(ended.ran);
        gain.learns.join(&ended.clock);
        gain.until = gain.until.max(ended.time);
    }
}

impl<W: Watch> Ground for Around<'_, '_, '_, W> {
    type Watch = W;

    fn watch(&mut self) -> &mut W {
        self.engine.watch
    }

    fn global(
        &mut self,
        at: &At<'_>,
        p: Sym,
        offset: u64,
        len: u64,
        how: How,
        out: &mut Vec<(Piece, u32)>,
    ) {
        if self.declares {
            self.audit(at, p, offset, len, how);
        }
        let by = By::Touch(Who::Device(self.device));
        let span = Span { p, off: offset, len: Some(len), val: None, voff: 0 };
        let (pointer, len) = self.engine.span(at, &span);
        if pointer.process != u32::MAX && self.engine.pages_matter(pointer) {
            match self.engine.fault(at, self.process, pointer, len, by, how) {
                Ok(_) => {}
                Err(refused) => {
                    let code = refused.finding.unwrap_or(Code::ReplayRefused);
                    self.engine.notice(at, code, refused.why);
                    return;
                }
            }
        }
        self.engine.reach(at, self.process, pointer, len, by, how, out);
    }

    fn side(&mut self, cond: Sym, trips: Vec<u64>) -> bool {
        let key = (cond, trips);
        if let Some(&side) = self.engine.sides.get(&key) {
            return side;
        }
        let side = self.engine.path.choose();
        self.engine.sides.insert(key, side);
        side
    }

    fn enters(&mut self, _core: usize, _at: usize) -> bool {
        self.engine.path.choose()
    }

    fn memory(&mut self, core: Sym, scope: Sym) -> ObjectId {
        let texts = &self.engine.setup.trace.names;
        let name = format!("{}.{}", texts.text(core), texts.text(scope));
        let bytes = self.engine.setup.machine.scopes.iter().find(|s| s.name == texts.text(scope));
        let len = bytes.and_then(|s| s.capacity).unwrap_or(u64::MAX);
        self.engine.objects.make(name, len, ObjectKind::Core)
    }

    fn actor(&mut self, core: Sym, pipe: PipeId) -> ActorId {
        let name = format!("{}.{}", self.engine.setup.trace.text(core), pipe_name(pipe));
        self.engine.actors.add(name, Kind::Pipe { core }, self.process)
    }
}

impl<W: Watch> Around<'_, '_, '_, W> {
    /// Compares an access of the body with what its kernel declares.
    fn audit(&mut self, at: &At<'_>, p: Sym, offset: u64, len: u64, how: How) {
        let Call::Kernel { r, w, rw, .. } = &self.engine.setup.trace.ops[self.line].call else {
            return;
        };
        let declared = |span: &Span| {
            let end = span.len.map_or(u64::MAX, |len| span.off.saturating_add(len));
            span.p == p && span.off <= offset && offset.saturating_add(len) <= end
        };
        let list = if how == How::Read { r } else { w };
        if !list.iter().chain(rw).any(declared) {
            let name = self.engine.setup.trace.text(p);
            let verb = if how == How::Read { "reads" } else { "writes" };
            let end = offset.saturating_add(len);
            let message =
                format!("the kernel {verb} `{name}` [{offset}, {end}) and does not say so");
            let remark = Remark { code: Code::VerifyUndeclaredAccess, message };
            let line = super::engine::id(self.line);
            self.engine.watch.notice(at, remark, Some(line));
        }
    }
}
