//! First writes and deaths (HIVM spec, sections 2.4, 2.5, 2.7).

use super::Fatal;
use super::liveness::Sweep;
use super::nest::ancestors;
use super::walk::{State, Walk};
use crate::ir::hivm::PassKind;
use crate::ir::mlir::{Def, OpId, ValueId};
use crate::plan::hivm::BufferNo;

const RELEASED: &str = "The buffer memory has been released and cannot be used again! ";

impl Walk<'_> {
    /// Everything that a value may name is written by `op` at that time.
    pub(super) fn generate(&mut self, value: ValueId, op: OpId, at: usize) -> Result<(), Fatal> {
        if self.is_foreign(value) {
            return Ok(());
        }
        let mut n = 0;
        while let Some(named) = self.aliases.class(value, n) {
            n += 1;
            match self.state[named] {
                State::Untracked | State::Alias | State::Gened => {}
                State::Defined => {
                    if !self.is_preload(named) {
                        self.begin(named, at);
                    }
                }
                State::Killed => return Err(Fatal::new(RELEASED, op)),
            }
        }
        Ok(())
    }

    /// Regbase: the other core's buffer is not written as an operand itself.
    fn is_foreign(&self, value: ValueId) -> bool {
        self.facts.options.pass == PassKind::Regbase
            && self.facts.buffers.number(value).is_some_and(|b| self.mark[b as usize].consumer)
    }

    /// True when a value or an alias of it is a preload buffer.
    fn is_preload(&self, value: ValueId) -> bool {
        let preload = |value: ValueId| {
            let number = self.facts.buffers.number(value);
            number.is_some_and(|b| self.mark[b as usize].preload)
        };
        !self.preload.is_empty()
            && (preload(value) || self.aliases.of(value).iter().any(|&(v, _)| preload(v)))
    }

    fn begin(&mut self, value: ValueId, at: usize) {
        self.state[value] = State::Gened;
        if let Some(buffer) = self.facts.buffers.number(value) {
            self.starts[buffer as usize] = Some(at);
            self.entries[at].gens.push(buffer);
        }
    }

    fn end(&mut self, value: ValueId, at: usize) {
        self.state[value] = State::Killed;
        if let Some(buffer) = self.facts.buffers.number(value) {
            self.ends[buffer as usize] = Some(at);
            self.entries[at].kills.push(buffer);
        }
    }

    /// At the begin of a loop: all that lives into it counts as written there.
    pub(super) fn gen_live(&mut self, op: OpId, at: usize, sweep: &Sweep) -> Result<(), Fatal> {
        let live = self.shuffled_live(sweep);
        let before = self.entries[at].gens.len();
        for &value in &live {
            self.generate(value, op, at)?;
        }
        self.shuffled |= self.entries[at].gens.len() > before + 1;
        self.scratch = live;
        Ok(())
    }

    /// Of the values live at an op, in shuffled order, kills those that nothing needs after it.
    pub(super) fn kill_check(&mut self, op: OpId, at: usize, sweep: &Sweep) {
        let live = self.shuffled_live(sweep);
        let before = self.entries[at].kills.len();
        for &value in &live {
            self.kill(value, op, at);
        }
        self.shuffled |= self.entries[at].kills.len() > before + 1;
        self.scratch = live;
    }

    fn shuffled_live(&mut self, sweep: &Sweep) -> Vec<ValueId> {
        let mut live = std::mem::take(&mut self.scratch);
        live.clear();
        live.extend(sweep.values());
        self.random.shuffle(&mut live);
        live
    }

    /// The kill rule of 2.7 for one value. An alias that nobody registered hides those behind it.
    pub(super) fn kill(&mut self, value: ValueId, op: OpId, at: usize) {
        if self.state[value] == State::Untracked && self.aliases.of(value).is_empty() {
            return;
        }
        let mut dead = None;
        let mut n = 0;
        while let Some(named) = self.aliases.class(value, n) {
            n += 1;
            match self.state[named] {
                State::Untracked => return,
                State::Gened
                    if self.may_die_at(named, op)
                        && *dead.get_or_insert_with(|| self.all_dead(value, op)) =>
                {
                    self.end(named, at);
                }
                _ => {}
            }
        }
    }

    /// A buffer dies at its own nesting level or further out.
    fn may_die_at(&self, alloc: ValueId, op: OpId) -> bool {
        let function = self.facts.function;
        let Some(def) = function.def_op(alloc) else { return true };
        self.facts.nest.holds(function.parent(op), function.parent(def))
    }

    fn all_dead(&self, value: ValueId, op: OpId) -> bool {
        let aliases = self.aliases.of(value).iter().map(|&(v, _)| v);
        // The value itself is what most often still lives.
        std::iter::once(value).chain(aliases).all(|v| self.dead_after(v, op))
    }

    /// `ssaDeadAfter` and `orderDeadAfter` of 2.6.
    fn dead_after(&self, value: ValueId, op: OpId) -> bool {
        let facts = self.facts;
        facts.nest.no_user_after(value, op)
            && !facts.liveness.is_live_out(facts.function.ops[op].block, value)
            && !(facts.options.pass == PassKind::Regbase && self.in_other_region(value, op))
    }

    /// Regbase (section 7, rule 1): a value of one region of an `scf.while` is not dead in the
    /// other region.
    fn in_other_region(&self, value: ValueId, op: OpId) -> bool {
        let function = self.facts.function;
        let block = match function.values[value].def {
            Def::Argument(block, _) => block,
            Def::Result(def, _) => function.ops[def].block,
            Def::Nothing => return false,
        };
        let home = function.blocks[block].region;
        let around = |op: OpId| function.blocks[function.ops[op].block].region;
        let Some(owner) = function.regions[home].op else { return false };
        function.ops[owner].name == "scf.while"
            && std::iter::once(op)
                .chain(ancestors(function, op))
                .map(around)
                .any(|region| region != home && function.regions[region].op == Some(owner))
    }

    /// After the walk: preload buffers live from the first entry of their loop to its second (2.9).
    ///
    /// # Errors
    /// As for any first write: another name of the buffer is already dead.
    pub(super) fn live_through_loops(&mut self) -> Result<(), Fatal> {
        for (inside, buffers) in std::mem::take(&mut self.preload) {
            let own = self.entries.iter().enumerate();
            let own = own.filter(|(_, entry)| entry.op == inside && !entry.implicit);
            let times: Vec<usize> = own.map(|(at, _)| at).take(2).collect();
            if let Some(&first) = times.first() {
                for &buffer in &buffers {
                    if self.state[self.facts.buffers.value(buffer)] == State::Defined {
                        self.preloaded(buffer, inside, first)?;
                    }
                }
            }
            if let Some(&second) = times.get(1) {
                self.for_all_names(&buffers, |walk, value| {
                    if walk.state[value] == State::Gened {
                        walk.end(value, second);
                    }
                });
            }
        }
        Ok(())
    }

    fn preloaded(&mut self, buffer: BufferNo, inside: OpId, at: usize) -> Result<(), Fatal> {
        let value = self.facts.buffers.value(buffer);
        let mut n = 0;
        while let Some(named) = self.aliases.class(value, n) {
            n += 1;
            match self.state[named] {
                State::Defined => self.begin(named, at),
                State::Killed => return Err(Fatal::new(RELEASED, inside)),
                State::Untracked | State::Alias | State::Gened => {}
            }
        }
        Ok(())
    }

    fn for_all_names(&mut self, buffers: &[BufferNo], mut act: impl FnMut(&mut Self, ValueId)) {
        for &buffer in buffers {
            let value = self.facts.buffers.value(buffer);
            let mut n = 0;
            while let Some(named) = self.aliases.class(value, n) {
                n += 1;
                act(self, named);
            }
        }
    }
}
