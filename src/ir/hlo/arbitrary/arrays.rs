//! Ops on arrays that make new ones.

use super::{Scope, Value, Writer, shapes};
use crate::ir::hlo::{Array, ElementType, Layout, Shape};

impl Scope {
    /// An op on arrays.
    pub(super) fn array_step(&mut self, w: &mut Writer) -> Option<Value> {
        match w.choices.below(13) {
            0..5 => self.elementwise(w),
            5 => self.product(w),
            6 => self.reduce(w),
            7 => self.slice(w),
            8 => self.rearranged(w),
            9 => self.sort(w),
            10 => Some(self.constant(w)),
            11 => self.collective(w),
            _ => Some(self.broadcast(w)),
        }
    }

    /// One or two operands of the same dimensions.
    pub(super) fn elementwise(&mut self, w: &mut Writer) -> Option<Value> {
        let a = self.pick_array(w, |_| true)?;
        let shape = a.shape.clone();
        let element = shapes::element(&shape);
        let with = |to| match &shape {
            Shape::Array(array) => Shape::Array(Array { element: to, ..array.clone() }),
            other => other.clone(),
        };
        match w.choices.below(6) {
            0 => {
                let to = *w.choices.of(&shapes::ELEMENTS)?;
                Some(self.op(w, with(to), "convert", &[&a], ""))
            }
            1 => {
                let b = self.pick_array(w, |other| *other == shape)?;
                Some(self.op(w, with(ElementType::Pred), "compare", &[&a, &b], "direction=GE"))
            }
            2 => {
                let condition = with(ElementType::Pred);
                let condition = self.pick_array(w, |other| *other == condition)?;
                let b = self.pick_array(w, |other| *other == shape)?;
                Some(self.op(w, shape, "select", &[&condition, &a, &b], ""))
            }
            3 => {
                let word = *w.choices.of(match element {
                    ElementType::Pred => &["not", "copy"],
                    ElementType::S32 => &["negate", "abs"],
                    _ => &["tanh", "negate"],
                })?;
                Some(self.op(w, shape, word, &[&a], ""))
            }
            _ => {
                let b = self.pick_array(w, |other| *other == shape)?;
                let word = *w.choices.of(match element {
                    ElementType::Pred => &["and", "xor"],
                    _ => &["add", "maximum"],
                })?;
                Some(self.op(w, shape, word, &[&a, &b], ""))
            }
        }
    }

    /// A matrix product.
    fn product(&mut self, w: &mut Writer) -> Option<Value> {
        let a = self.pick_array(w, |shape| shapes::dims(shape).len() == 2)?;
        let (element, a_dims) = (shapes::element(&a.shape), shapes::dims(&a.shape));
        let b = self.pick_array(w, |shape| {
            let dims = shapes::dims(shape);
            shapes::element(shape) == element && dims.len() == 2 && dims.first() == a_dims.get(1)
        })?;
        let dims = [*a_dims.first()?, *shapes::dims(&b.shape).get(1)?];
        let attributes = "lhs_contracting_dims={1}, rhs_contracting_dims={0}";
        let shape = w.array(element, &dims);
        Some(self.op(w, shape, "dot", &[&a, &b], attributes))
    }

    /// The sum over the last dimension, or over all.
    pub(super) fn reduce(&mut self, w: &mut Writer) -> Option<Value> {
        let a = self.pick_array(w, |shape| !shapes::dims(shape).is_empty())?;
        let (element, mut dims) = (shapes::element(&a.shape), shapes::dims(&a.shape));
        let rank = dims.len();
        let kept = if w.choices.once_in(2) { rank - 1 } else { 0 };
        dims.truncate(kept);
        let zero = w.array(element, &[]);
        let zero = self.scalar(w, &zero);
        let attributes =
            format!("dimensions={{{}}}, {}", shapes::commas(kept..rank), w.sum(element));
        let shape = w.array(element, &dims);
        Some(self.op(w, shape, "reduce", &[&a, &zero], &attributes))
    }

    /// Half of an array, from the front or from where a number says.
    fn slice(&mut self, w: &mut Writer) -> Option<Value> {
        let halves = |shape: &Shape| shapes::dims(shape).first().is_some_and(|size| size % 2 == 0);
        let a = self.pick_array(w, halves)?;
        let whole = shapes::dims(&a.shape);
        let mut part = whole.clone();
        *part.first_mut()? /= 2;
        let shape = w.array(shapes::element(&a.shape), &part);
        if w.choices.once_in(2) {
            let ranges = part.iter().map(|size| format!("[0:{size}]")).collect::<Vec<_>>();
            let attributes = format!("slice={{{}}}", ranges.join(", "));
            return Some(self.op(w, shape, "slice", &[&a], &attributes));
        }
        let index = self.index(w);
        let starts = vec![&index; whole.len()];
        let operands = [&[&a], &starts[..]].concat();
        let attributes = format!("dynamic_slice_sizes={{{}}}", shapes::commas(part.iter()));
        Some(self.op(w, shape, "dynamic-slice", &operands, &attributes))
    }

    /// The same elements in another order, or twice.
    fn rearranged(&mut self, w: &mut Writer) -> Option<Value> {
        let a = self.pick_array(w, |shape| shapes::dims(shape).len() == 2)?;
        let dims = shapes::dims(&a.shape);
        let [rows, columns] = dims[..] else { return None };
        let element = shapes::element(&a.shape);
        match w.choices.below(3) {
            0 => {
                let shape = w.array(element, &[columns, rows]);
                Some(self.op(w, shape, "transpose", &[&a], "dimensions={1,0}"))
            }
            1 => {
                let mut shape = a.shape.clone();
                if let Shape::Array(Array { layout: Some(layout), .. }) = &mut shape {
                    *layout = Layout { minor_to_major: vec![0, 1], ..Layout::default() };
                }
                Some(self.op(w, shape, "copy", &[&a], ""))
            }
            _ => {
                let shape = w.array(element, &[rows * 2, columns]);
                Some(self.op(w, shape, "concatenate", &[&a, &a], "dimensions={0}"))
            }
        }
    }

    /// One array sorted, or one by another.
    fn sort(&mut self, w: &mut Writer) -> Option<Value> {
        let keys = self.pick_array(w, |shape| !shapes::dims(shape).is_empty())?;
        let order = w.scalar(shapes::element(&keys.shape), "compare");
        let attributes = format!("dimensions={{0}}, to_apply={}", w.at(&order));
        Some(self.op(w, keys.shape.clone(), "sort", &[&keys], &attributes))
    }

    /// The sum over all devices.
    fn collective(&mut self, w: &mut Writer) -> Option<Value> {
        let a = self.pick_array(w, |_| true)?;
        let sum = w.sum(shapes::element(&a.shape));
        let attributes = format!("replica_groups={{}}, {sum}");
        Some(self.op(w, a.shape.clone(), "all-reduce", &[&a], &attributes))
    }

    /// A constant of some shape.
    pub(super) fn constant(&mut self, w: &mut Writer) -> Value {
        let shape = w.any_array();
        let value = self.op(w, shape, "constant", &[], "");
        self.fix_constant(&value);
        value
    }

    /// Puts the number into a constant that has just been written.
    pub(super) fn fix_constant(&mut self, value: &Value) {
        let literal = match shapes::element(&value.shape) {
            _ if !shapes::dims(&value.shape).is_empty() => "{...}",
            ElementType::Pred => "true",
            _ => "1",
        };
        if let Some((_, line)) = self.lines.iter_mut().rev().find(|(name, _)| *name == value.name) {
            *line = line.replace("constant()", &format!("constant({literal})"));
        }
    }

    /// A scalar of that shape: one that is there, or a constant.
    pub(super) fn scalar(&mut self, w: &mut Writer, shape: &Shape) -> Value {
        self.pick(w, |value| value.shape == *shape).unwrap_or_else(|| {
            let value = self.op(w, shape.clone(), "constant", &[], "");
            self.fix_constant(&value);
            value
        })
    }

    /// A number to index with.
    pub(super) fn index(&mut self, w: &mut Writer) -> Value {
        let shape = w.array(ElementType::S32, &[]);
        self.scalar(w, &shape)
    }

    /// A scalar everywhere in an array.
    fn broadcast(&mut self, w: &mut Writer) -> Value {
        let shape = w.any_array();
        self.filled(w, &shape)
    }

    /// An array of that shape in fresh bytes.
    pub(super) fn filled(&mut self, w: &mut Writer, shape: &Shape) -> Value {
        let scalar = w.array(shapes::element(shape), &[]);
        let scalar = self.scalar(w, &scalar);
        self.op(w, shape.clone(), "broadcast", &[&scalar], "dimensions={}")
    }
}
