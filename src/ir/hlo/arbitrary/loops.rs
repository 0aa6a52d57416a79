//! While loops.

use super::{Scope, Storage, Value, Writer, shapes};
use crate::ir::hlo::{ElementType, Shape};

/// A leaf of the state before the loop, and whether the loop changes it.
struct Leaf {
    init: Value,
    changes: bool,
}

impl Scope {
    /// A loop whose state is a counter, leaves that change, leaves that do not, and perhaps a tuple
    /// of such leaves.
    pub(super) fn while_loop(&mut self, w: &mut Writer, size: usize) -> Option<Value> {
        // Leaves by the element of the state that they are in.
        let mut state = vec![vec![self.counter(w)]];
        for _ in 0..w.choices.below(4) {
            state.push((0..self.leaves_of_element(w)).filter_map(|_| self.changed(w)).collect());
        }
        // What is only read is chosen last: owning an array takes it from the pool.
        for _ in 0..w.choices.below(3) {
            let read = self.pick(w, |value| value.shape.array().is_some());
            state.push(read.map(|init| Leaf { init, changes: false }).into_iter().collect());
        }
        state.retain(|element| !element.is_empty());
        let init = state.iter().map(|element| self.element_of(w, element)).collect::<Vec<_>>();
        let init = self.tuple(w, &init);
        let body = body(w, &init.shape, &state, self.depth + 1, size);
        let condition = condition(w, &init.shape, self.depth + 1);
        let trips = match w.choices.once_in(2) {
            true => ", backend_config={\"known_trip_count\":{\"n\":\"8\"}}",
            false => "",
        };
        let attributes = format!("condition={}, body={}{trips}", w.at(&condition), w.at(&body));
        let result = self.forward(w, init.shape.clone(), "while", &[&init]);
        if let Some((_, line)) = self.lines.last_mut() {
            line.push_str(&format!(", {attributes}"));
        }
        // What the loop has changed is new; the tuple before it is nobody's business any more.
        for leaf in state.iter().flatten().filter(|leaf| leaf.changes) {
            leaf.init.leaves.iter().for_each(|at| self.storages[*at].users.clear());
        }
        for element in self.elements(w, &result) {
            match element.shape.is_tuple() {
                true => {
                    let inner = self.elements(w, &element);
                    self.pool.extend(inner);
                }
                false => self.pool.push(element),
            }
        }
        None
    }

    fn leaves_of_element(&mut self, w: &mut Writer) -> usize {
        if w.choices.once_in(5) { 2 } else { 1 }
    }

    fn counter(&mut self, w: &mut Writer) -> Leaf {
        let zero = self.index(w);
        Leaf { init: self.own(w, &zero), changes: true }
    }

    fn changed(&mut self, w: &mut Writer) -> Option<Leaf> {
        let value = self.pick_array(w, |_| true)?;
        Some(Leaf { init: self.own(w, &value), changes: true })
    }

    fn element_of(&mut self, w: &mut Writer, leaves: &[Leaf]) -> Value {
        let values = leaves.iter().map(|leaf| leaf.init.clone()).collect::<Vec<_>>();
        match &values[..] {
            [one] => one.clone(),
            several => self.tuple(w, several),
        }
    }
}

/// Writes the body and gives back its name.
fn body(w: &mut Writer, shape: &Shape, state: &[Vec<Leaf>], depth: usize, size: usize) -> String {
    let mut scope = Scope { depth, ..Scope::default() };
    let parameter = scope.parameter(w, shape.clone(), &Storage::default());
    let mut elements = Vec::new();
    for (value, leaves) in scope.elements(w, &parameter).into_iter().zip(state) {
        let values = match value.shape.is_tuple() {
            true => scope.elements(w, &value),
            false => vec![value],
        };
        for (value, leaf) in values.iter().zip(leaves) {
            for at in &value.leaves {
                let storage = &mut scope.storages[*at];
                (storage.promised, storage.read_only) = (leaf.changes, !leaf.changes);
            }
        }
        scope.pool.extend(values.iter().cloned());
        elements.push(values);
    }
    scope.steps(w, size);
    scope.finish_all(w);
    let leaves = elements.iter().flatten().cloned().collect::<Vec<_>>();
    let mut results = scope.final_values(w, &leaves).into_iter();
    let elements = elements.iter().map(|element| {
        let parts = results.by_ref().take(element.len()).collect::<Vec<_>>();
        match &parts[..] {
            [one] => one.clone(),
            several => scope.tuple(w, several),
        }
    });
    let elements = elements.collect::<Vec<_>>();
    let root = scope.tuple(w, &elements);
    w.computation("body", &scope, &root)
}

/// Writes the condition and gives back its name.
fn condition(w: &mut Writer, shape: &Shape, depth: usize) -> String {
    let mut scope = Scope { depth, ..Scope::default() };
    let parameter = scope.parameter(w, shape.clone(), &Storage::default());
    let elements = scope.elements(w, &parameter);
    let predicate = w.array(ElementType::Pred, &[]);
    let counter = w.array(ElementType::S32, &[]);
    let limit = scope.op(w, counter, "constant", &[], "");
    scope.fix_constant(&limit);
    let counted = elements.first().filter(|first| shapes::is_scalar(&first.shape));
    let root = match counted {
        Some(count) => scope.op(w, predicate, "compare", &[count, &limit], "direction=LT"),
        None => scope.op(w, predicate, "compare", &[&limit, &limit], "direction=LT"),
    };
    w.computation("condition", &scope, &root)
}
