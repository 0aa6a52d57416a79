//! When two modules are the same.

use super::{Attribute, AttributeValue, Computation, Instruction, InstructionId, Module};

impl Module {
    /// True when both are the same but for places in texts and for the ids of instructions: after
    /// [`Module::in_order`] those do not follow the text, and count up again when it is read.
    pub fn same_as(&self, other: &Self) -> bool {
        let pair = Pair(self, other);
        (&self.name, self.style, self.is_scheduled, self.entry)
            == (&other.name, other.style, other.is_scheduled, other.entry)
            && (&self.donors, &self.tables) == (&other.donors, &other.tables)
            && all(&self.aliases, &other.aliases, |a, b| {
                (&a.output, a.parameter, &a.index, a.kind)
                    == (&b.output, b.parameter, &b.index, b.kind)
            })
            && pair.attributes(&self.attributes, &other.attributes)
            && self.computations.len() == other.computations.len()
            && self.computations.iter().zip(other.computations.iter()).all(|(a, b)| {
                (&a.name, &a.thread) == (&b.name, &b.thread)
                    && pair.name(a.root, b.root)
                    && pair.names(&a.parameters, &b.parameters)
                    && pair.body(a, b)
            })
    }
}

/// Two modules whose parts are compared.
struct Pair<'m>(&'m Module, &'m Module);

fn all<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

impl Pair<'_> {
    fn body(&self, a: &Computation, b: &Computation) -> bool {
        all(&a.instructions, &b.instructions, |a, b| {
            self.instruction(&self.0.instructions[*a], &self.1.instructions[*b])
        })
    }

    fn instruction(&self, a: &Instruction, b: &Instruction) -> bool {
        (&a.name, a.computation, &a.shape) == (&b.name, b.computation, &b.shape)
            && (&a.opcode, &a.literal, a.parameter) == (&b.opcode, &b.literal, b.parameter)
            && self.names(&a.operands, &b.operands)
            && self.attributes(&a.attributes, &b.attributes)
    }

    /// Names are unique in a computation, so that they tell instructions apart.
    fn name(&self, a: InstructionId, b: InstructionId) -> bool {
        let (a, b) = (&self.0.instructions[a], &self.1.instructions[b]);
        (&a.name, a.computation) == (&b.name, b.computation)
    }

    fn names(&self, a: &[InstructionId], b: &[InstructionId]) -> bool {
        all(a, b, |a, b| self.name(*a, *b))
    }

    fn attributes(&self, a: &[Attribute], b: &[Attribute]) -> bool {
        all(a, b, |a, b| {
            a.name == b.name
                && match (&a.value, &b.value) {
                    (AttributeValue::Instructions(a), AttributeValue::Instructions(b)) => {
                        self.names(a, b)
                    }
                    (a, b) => a == b,
                }
        })
    }
}
