//! Ops that work in the bytes of an operand.

use super::{Scope, Value, Writer, shapes};
use crate::ir::hlo::{ElementType, Shape};

impl Scope {
    /// Some array is updated.
    pub(super) fn update_step(&mut self, w: &mut Writer) -> Option<Value> {
        let old = self.pick_array(w, |shape| !shapes::dims(shape).is_empty())?;
        let old = self.own(w, &old);
        Some(self.updated(w, &old))
    }

    /// The array, which may be overwritten, after an update in place.
    pub(super) fn updated(&mut self, w: &mut Writer, old: &Value) -> Value {
        match w.choices.below(6) {
            0 => self.library_call(w, old),
            1 => self.scattered(w, old),
            _ => self.sliced_into(w, old),
        }
    }

    fn sliced_into(&mut self, w: &mut Writer, old: &Value) -> Value {
        let window = w.window(&old.shape);
        let update = self.some(w, &window);
        let index = self.index(w);
        let starts = vec![&index; shapes::dims(&old.shape).len()];
        self.in_place(w, old, "dynamic-update-slice", &[&[&update], &starts[..]].concat(), "")
    }

    fn library_call(&mut self, w: &mut Writer, old: &Value) -> Value {
        let attributes = "custom_call_target=\"update\", output_to_operand_aliasing={{}: (0, {})}";
        self.in_place(w, old, "custom-call", &[], attributes)
    }

    /// Rows of the array are replaced by those that indices name.
    fn scattered(&mut self, w: &mut Writer, old: &Value) -> Value {
        let dims = shapes::dims(&old.shape);
        let rows = w.array(ElementType::S32, &[2, 1]);
        let rows = self.some(w, &rows);
        let mut window = dims.clone();
        if let Some(first) = window.first_mut() {
            *first = 2;
        }
        let updates = w.array(shapes::element(&old.shape), &window);
        let updates = self.some(w, &updates);
        let sum = w.sum(shapes::element(&old.shape));
        let attributes = format!(
            "update_window_dims={{{}}}, inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, {sum}",
            shapes::commas(1..dims.len())
        );
        self.in_place(w, old, "scatter", &[&rows, &updates], &attributes)
    }

    /// An array of that shape to read: one that is there, or a new one.
    pub(super) fn some(&mut self, w: &mut Writer, shape: &Shape) -> Value {
        self.pick(w, |value| value.shape == *shape).unwrap_or_else(|| self.filled(w, shape))
    }
}

impl Writer<'_> {
    /// The shape of one row of an array.
    pub(super) fn window(&self, shape: &Shape) -> Shape {
        let mut dims = shapes::dims(shape);
        if let Some(first) = dims.first_mut() {
            *first = 1;
        }
        self.array(shapes::element(shape), &dims)
    }
}
