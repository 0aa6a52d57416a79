//! What a computation returns, and what of it must end in bytes that were promised.

use super::entry::Donated;
use super::{Scope, Value, Writer, shapes};
use crate::ir::hlo::{ElementType, Shape};

impl Scope {
    /// An array that is nobody else's: of the pool where there is one that nobody took yet.
    pub(super) fn fresh_result(
        &mut self,
        w: &mut Writer,
        shape: &Shape,
        taken: &mut Vec<usize>,
    ) -> Value {
        let is_free = |value: &Value| {
            let mut leaves = value.leaves.iter();
            leaves.all(|at| {
                let storage = &self.storages[*at];
                !storage.read_only && !storage.promised && !taken.contains(at)
            })
        };
        let found = self.pick(w, |value| value.shape == *shape && is_free(value));
        let value = found.unwrap_or_else(|| {
            let same = self.pick(w, |value| value.shape == *shape);
            match same {
                Some(value) => self.op(w, shape.clone(), "copy", &[&value], ""),
                None => self.filled(w, shape),
            }
        });
        taken.extend(&value.leaves);
        value
    }

    /// The last value of each of these leaves, in its bytes if they were promised. Whatever else reads
    /// a leaf has done so before.
    pub(super) fn final_values(&mut self, w: &mut Writer, leaves: &[Value]) -> Vec<Value> {
        let sources = leaves.iter().map(|leaf| self.source(w, leaf)).collect::<Vec<_>>();
        let finals = leaves.iter().zip(sources);
        let finals = finals.map(|(leaf, source)| self.final_value(w, leaf, source)).collect();
        // Their bytes are spoken for.
        let is_promised = |at: &usize| self.storages[*at].promised;
        self.pool.retain(|value| !value.leaves.iter().any(is_promised));
        finals
    }

    /// For a leaf that is not overwritten yet: the value that the result is made of, in bytes that no
    /// result overwrites.
    fn source(&mut self, w: &mut Writer, leaf: &Value) -> Option<Value> {
        let is_open = self.is_open(leaf);
        let value = self.pick(w, |value| is_open && value.shape == leaf.shape)?;
        let is_promised = value.leaves.iter().any(|at| self.storages[*at].promised);
        Some(match is_promised {
            true => self.op(w, value.shape.clone(), "copy", &[&value], ""),
            false => value,
        })
    }

    /// True for promised bytes that are as they were at first.
    fn is_open(&self, leaf: &Value) -> bool {
        let mut storages = leaf.leaves.iter().map(|at| &self.storages[*at]);
        storages.all(|storage| storage.promised && storage.version == 0)
    }

    fn final_value(&mut self, w: &mut Writer, leaf: &Value, source: Option<Value>) -> Value {
        let promised = leaf.leaves.iter().all(|at| self.storages[*at].promised);
        if !promised {
            return leaf.clone();
        }
        if !self.is_open(leaf) {
            return self.latest(w, leaf);
        }
        let before = self.readers(leaf);
        let lines = self.lines.len();
        let value = self.overwritten(w, leaf, source);
        // Scheduled text has its order; other orders need to be told.
        if !w.is_scheduled {
            let name = value.name.clone();
            let own =
                self.lines.iter().skip(lines).map(|(name, _)| name.clone()).collect::<Vec<_>>();
            let before = before.iter().filter(|reader| !own.contains(reader));
            let before = before.map(|reader| w.at(reader)).collect::<Vec<_>>().join(", ");
            if let Some((_, line)) = self.lines.iter_mut().find(|(line, _)| *line == name) {
                line.push_str(&format!(", control-predecessors={{{before}}}"));
            }
        }
        value
    }

    /// The instructions that read a leaf, and the one that brings it.
    fn readers(&self, leaf: &Value) -> Vec<String> {
        let users = leaf.leaves.iter().flat_map(|at| &self.storages[*at].users);
        let mut readers = users.chain([&leaf.name]).cloned().collect::<Vec<_>>();
        readers.sort();
        readers.dedup();
        readers
    }

    /// The value that lies in the bytes of a leaf by now, in its shape.
    fn latest(&mut self, w: &mut Writer, leaf: &Value) -> Value {
        let here = |value: &&Value| value.leaves == leaf.leaves && value.shape.array().is_some();
        let exact = self.pool.iter().filter(here).find(|value| value.shape == leaf.shape);
        match exact.or_else(|| self.pool.iter().find(here)).cloned() {
            Some(value) if value.shape == leaf.shape => value,
            Some(value) => self.forward(w, leaf.shape.clone(), "bitcast", &[&value]),
            None => leaf.clone(),
        }
    }

    /// A result in the bytes of a leaf, made of it, of the source, or of nothing but constants.
    fn overwritten(&mut self, w: &mut Writer, leaf: &Value, source: Option<Value>) -> Value {
        let shape = leaf.shape.clone();
        let has_rows = !shapes::dims(&shape).is_empty();
        let word = match shapes::element(&shape) {
            ElementType::Pred => "xor",
            _ => "add",
        };
        let fresh = |scope: &mut Self, w: &mut Writer, opcode: &str, operands: &[&Value]| Value {
            leaves: leaf.leaves.clone(),
            ..scope.op(w, shape.clone(), opcode, operands, "")
        };
        // From here on only what is written below may be read.
        let pool = std::mem::take(&mut self.pool);
        let value = match (w.choices.below(6), source) {
            (0 | 1, Some(source)) => fresh(self, w, word, &[leaf, &source]),
            (2 | 3, Some(source)) => fresh(self, w, "copy", &[&source]),
            (4, _) if has_rows => self.updated(w, leaf),
            (5, _) if has_rows => self.updated_by_fusion(w, leaf),
            _ => fresh(self, w, word, &[leaf, leaf]),
        };
        self.pool = pool;
        value
    }

    /// The root of the entry: the outputs in donated bytes and some of its own, in any order. Gives
    /// back where each donated leaf ends, in the order of `donated`.
    pub(super) fn entry_root(
        &mut self,
        w: &mut Writer,
        donated: &[Donated],
    ) -> (Value, Vec<usize>) {
        self.finish_all(w);
        let leaves = donated.iter().map(|donated| donated.value.clone()).collect::<Vec<_>>();
        let mut parts = self.final_values(w, &leaves);
        let mut taken = Vec::new();
        for _ in 0..w.choices.below(4) {
            let shape =
                self.pick(w, |value| value.shape.array().is_some()).map(|value| value.shape);
            let shape = shape.unwrap_or_else(|| w.any_array());
            parts.push(self.fresh_result(w, &shape, &mut taken));
        }
        let shift = w.choices.below(parts.len());
        parts.rotate_left(shift);
        let outputs = (0..leaves.len()).map(|at| (at + parts.len() - shift) % parts.len().max(1));
        let outputs = outputs.collect();
        match &parts[..] {
            [one] if w.choices.once_in(2) => (one.clone(), outputs),
            _ => (self.tuple(w, &parts), outputs),
        }
    }
}
