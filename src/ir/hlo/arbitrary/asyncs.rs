//! Asynchronous ops: a start, and a done some time later.

use super::{Pending, Scope, Storage, Value, Writer, shapes};
use crate::ir::hlo::{ElementType, Shape};

impl Scope {
    /// The start of an op; its result comes with the done.
    pub(super) fn async_step(&mut self, w: &mut Writer) -> Option<Value> {
        match w.choices.below(4) {
            0 => self.start_computation(w),
            1 => self.start_sum(w),
            _ => self.start_copy(w),
        }
        None
    }

    /// A copy to the host or back, or to other bytes where the text says no memory spaces.
    fn start_copy(&mut self, w: &mut Writer) {
        let Some(from) = self.pick(w, |value| value.shape.array().is_some()) else { return };
        let space = if from.shape.memory_space() == 0 { shapes::HOST } else { 0 };
        let to = Writer::in_space(&from.shape, space);
        let context = w.array(ElementType::U32, &[]);
        let shape = Shape::Tuple(vec![to.clone(), from.shape.clone(), context]);
        self.start(w, shape, to, ("copy-start", "copy-done"), &from, "");
    }

    /// A computation that runs beside the others.
    fn start_computation(&mut self, w: &mut Writer) {
        let Some(from) = self.pick_array(w, |_| true) else { return };
        let mut inner = Scope { depth: super::DEPTH, ..Scope::default() };
        let read_only = Storage { read_only: true, ..Storage::default() };
        let parameter = inner.parameter(w, from.shape.clone(), &read_only);
        let root = inner.op(w, from.shape.clone(), "copy", &[&parameter], "");
        let name = w.computation("async_computation", &inner, &root);
        let mut parts = vec![Shape::Tuple(vec![from.shape.clone()]), from.shape.clone()];
        if w.choices.once_in(2) {
            parts.push(w.array(ElementType::U32, &[]));
        }
        let calls = format!("calls={}", w.at(&name));
        let to = from.shape.clone();
        self.start(w, Shape::Tuple(parts), to, ("async-start", "async-done"), &from, &calls);
    }

    /// A sum over devices, in place.
    fn start_sum(&mut self, w: &mut Writer) {
        let Some(old) = self.pick_array(w, |_| true) else { return };
        let old = self.own(w, &old);
        let attributes = format!("replica_groups={{}}, {}", w.sum(shapes::element(&old.shape)));
        let value = self.in_place(w, &old, "all-reduce-start", &[], &attributes);
        let (start, done) = (value.name.clone(), "all-reduce-done");
        self.pending.push(Pending { start, done, value, reads: Vec::new() });
    }

    fn start(
        &mut self,
        w: &mut Writer,
        shape: Shape,
        to: Shape,
        (start, done): (&str, &'static str),
        from: &Value,
        attributes: &str,
    ) {
        let call = w.call(start, &[from], attributes);
        let name = self.line(w, start, &shape, &call);
        self.read(&name, &[from]);
        from.leaves.iter().for_each(|leaf| self.storages[*leaf].readers += 1);
        let leaves = vec![self.storage(Storage::default())];
        let value = Value { name: name.clone(), shape: to, leaves };
        self.pending.push(Pending { start: name, done, value, reads: from.leaves.clone() });
    }

    /// The done of some op that was started.
    pub(super) fn finish_pending(&mut self, w: &mut Writer) -> Option<Value> {
        if self.pending.is_empty() {
            return None;
        }
        let at = w.choices.below(self.pending.len());
        let Pending { start, done, value, reads } = self.pending.remove(at);
        let operand = Value { name: start, ..value.clone() };
        let call = w.call(done, &[&operand], "");
        let name = self.line(w, done, &value.shape, &call);
        for leaf in reads {
            self.storages[leaf].readers -= 1;
            self.storages[leaf].users.push(name.clone());
        }
        Some(Value { name, ..value })
    }

    /// The dones of all ops that were started.
    pub(super) fn finish_all(&mut self, w: &mut Writer) {
        while let Some(value) = self.finish_pending(w) {
            self.pool.push(value);
        }
    }
}
