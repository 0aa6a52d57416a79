//! A computation that is being written.

use super::{Writer, shapes};
use crate::ir::hlo::Shape;

/// Bytes that one value after another may lie in: what becomes a must-alias group.
#[derive(Clone, Debug, Default)]
pub(super) struct Storage {
    /// True for what must not be overwritten: constants, and what came from outside.
    pub(super) read_only: bool,
    /// True when the result must end in these bytes: loop state that changes, donated parameters.
    pub(super) promised: bool,
    /// How often they were overwritten.
    pub(super) version: u32,
    /// Asynchronous ops that still read them.
    pub(super) readers: u32,
    /// Names of the instructions that read this version.
    pub(super) users: Vec<String>,
}

/// A value that instructions may use.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) name: String,
    pub(super) shape: Shape,
    /// The storage of every leaf.
    pub(super) leaves: Vec<usize>,
}

/// The second half of an asynchronous op, to be written later.
pub(super) struct Pending {
    pub(super) start: String,
    pub(super) done: &'static str,
    pub(super) value: Value,
    pub(super) reads: Vec<usize>,
}

/// A computation that is being written.
#[derive(Default)]
pub(super) struct Scope {
    /// Names and the rest of the lines.
    pub(super) lines: Vec<(String, String)>,
    pub(super) parameters: Vec<Value>,
    /// What instructions may use.
    pub(super) pool: Vec<Value>,
    pub(super) storages: Vec<Storage>,
    pub(super) pending: Vec<Pending>,
    /// How many computations are around it.
    pub(super) depth: usize,
}

impl Value {
    /// Element `at` of a tuple, under another name.
    pub(super) fn element(&self, at: usize, name: String) -> Option<Self> {
        let shape = shapes::parts(&self.shape).get(at)?.clone();
        let skipped = shapes::leaves_before(&self.shape, at);
        let leaves = self.leaves.iter().copied().skip(skipped).take(shape.leaves().len()).collect();
        Some(Self { name, shape, leaves })
    }
}

impl Scope {
    pub(super) fn storage(&mut self, storage: Storage) -> usize {
        self.storages.push(storage);
        self.storages.len() - 1
    }

    /// Notes that `name` reads these values.
    pub(super) fn read(&mut self, name: &str, values: &[&Value]) {
        for leaf in values.iter().flat_map(|value| &value.leaves) {
            self.storages[*leaf].users.push(name.to_owned());
        }
    }

    /// Writes a line; `call` is what follows the shape.
    pub(super) fn line(&mut self, w: &mut Writer, stem: &str, shape: &Shape, call: &str) -> String {
        let name = w.name(stem);
        self.lines.push((name.clone(), format!("{} {call}", shapes::text(shape))));
        name
    }

    /// Writes an instruction whose result has bytes of its own.
    pub(super) fn op(
        &mut self,
        w: &mut Writer,
        shape: Shape,
        opcode: &str,
        operands: &[&Value],
        attributes: &str,
    ) -> Value {
        let call = w.call(opcode, operands, attributes);
        let name = self.line(w, opcode, &shape, &call);
        self.read(&name, operands);
        let read_only = opcode == "constant";
        let leaves = shape.leaves().len();
        let leaves = (0..leaves).map(|_| self.storage(Storage { read_only, ..Storage::default() }));
        let leaves = leaves.collect();
        Value { name, shape, leaves }
    }

    /// Writes an instruction that only forwards the leaves of its operands.
    pub(super) fn forward(
        &mut self,
        w: &mut Writer,
        shape: Shape,
        opcode: &str,
        operands: &[&Value],
    ) -> Value {
        let call = w.call(opcode, operands, "");
        let name = self.line(w, opcode, &shape, &call);
        self.read(&name, operands);
        let leaves = operands.iter().flat_map(|operand| operand.leaves.iter().copied()).collect();
        Value { name, shape, leaves }
    }

    /// Writes the next parameter; its leaves are all like `storage`.
    pub(super) fn parameter(&mut self, w: &mut Writer, shape: Shape, storage: &Storage) -> Value {
        let number = self.parameters.len();
        self.numbered_parameter(w, shape, storage, number)
    }

    /// Writes the parameter of that number. Who numbers them otherwise than they stand puts
    /// `parameters` into order.
    pub(super) fn numbered_parameter(
        &mut self,
        w: &mut Writer,
        shape: Shape,
        storage: &Storage,
        number: usize,
    ) -> Value {
        let name = self.line(w, "param", &shape, &format!("parameter({number})"));
        let leaves = (0..shape.leaves().len()).map(|_| self.storage(storage.clone())).collect();
        let value = Value { name, shape, leaves };
        self.parameters.push(value.clone());
        value
    }

    /// Writes the elements of a tuple that has just been made. They count as readers only of bytes that
    /// others read already: what is new is first read through them.
    pub(super) fn elements(&mut self, w: &mut Writer, tuple: &Value) -> Vec<Value> {
        let mut values = Vec::new();
        for (at, part) in shapes::parts(&tuple.shape).iter().enumerate() {
            let call = w.call("get-tuple-element", &[tuple], &format!("index={at}"));
            let name = self.line(w, "gte", part, &call);
            let value = tuple.element(at, name);
            for leaf in value.iter().flat_map(|value| &value.leaves) {
                let users = &mut self.storages[*leaf].users;
                if !users.is_empty() {
                    users.extend(value.iter().map(|value| value.name.clone()));
                }
            }
            values.extend(value);
        }
        values
    }

    /// A value of the pool for which `holds` is true.
    pub(super) fn pick(&self, w: &mut Writer, holds: impl Fn(&Value) -> bool) -> Option<Value> {
        let fitting = self.pool.iter().filter(|value| holds(value)).collect::<Vec<_>>();
        w.choices.of(&fitting).map(|value| (*value).clone())
    }

    /// An array of the pool in the default memory space for whose shape `holds` is true.
    pub(super) fn pick_array(
        &self,
        w: &mut Writer,
        holds: impl Fn(&Shape) -> bool,
    ) -> Option<Value> {
        self.pick(w, |value| shapes::is_near(&value.shape) && holds(&value.shape))
    }

    /// Makes the bytes of an array free to be overwritten by the instruction that comes next: as XLA
    /// does, by a copy if anybody else may need them. Who reads them afterwards must read the result.
    pub(super) fn own(&mut self, w: &mut Writer, value: &Value) -> Value {
        let free = |at: usize| {
            let storage = &self.storages[at];
            let order_is_known = w.is_scheduled || storage.users.is_empty();
            !storage.read_only && storage.readers == 0 && order_is_known
        };
        let &[leaf] = &value.leaves[..] else { return value.clone() };
        if !free(leaf) || w.choices.once_in(3) {
            return self.op(w, value.shape.clone(), "copy", &[value], "");
        }
        self.pool.retain(|other| !other.leaves.contains(&leaf));
        self.storages[leaf].version += 1;
        self.storages[leaf].users.clear();
        value.clone()
    }

    /// Writes an instruction that works in the bytes of its operand `owned`.
    pub(super) fn in_place(
        &mut self,
        w: &mut Writer,
        owned: &Value,
        opcode: &str,
        others: &[&Value],
        attributes: &str,
    ) -> Value {
        let operands = [&[owned], others].concat();
        let call = w.call(opcode, &operands, attributes);
        let name = self.line(w, opcode, &owned.shape, &call);
        self.read(&name, others);
        Value { name, ..owned.clone() }
    }
}
