//! The module around the computations.

use std::collections::BTreeMap;

use super::{Choices, Scope, Storage, Value, shapes};
use crate::ir::hlo::{ElementType, Shape};

/// A module that is being written.
pub(super) struct Writer<'b> {
    pub(super) choices: Choices<'b>,
    pub(super) is_scheduled: bool,
    pub(super) has_layouts: bool,
    /// `%` in front of names, and signatures.
    is_long: bool,
    /// Names that were given.
    names: usize,
    /// Computations that are written, callees first.
    computations: String,
    /// Computations that combine or compare two scalars, by what they do.
    scalars: BTreeMap<String, String>,
}

impl<'b> Writer<'b> {
    pub(super) fn new(mut choices: Choices<'b>) -> Self {
        Self {
            is_scheduled: !choices.once_in(3),
            has_layouts: !choices.once_in(4),
            is_long: !choices.once_in(3),
            choices,
            names: 0,
            computations: String::new(),
            scalars: BTreeMap::new(),
        }
    }

    /// A name of its own. Words are kept as XLA keeps them, `add.7`.
    pub(super) fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}.{}", self.names)
    }

    /// A name as it stands in text.
    pub(super) fn at(&self, name: &str) -> String {
        let sigil = if self.is_long { "%" } else { "" };
        format!("{sigil}{name}")
    }

    /// `opcode(operands), attributes`.
    pub(super) fn call(&self, opcode: &str, operands: &[&Value], attributes: &str) -> String {
        let operands = shapes::list(operands.iter().map(|operand| self.at(&operand.name)));
        let comma = if attributes.is_empty() { "" } else { ", " };
        format!("{opcode}({operands}){comma}{attributes}")
    }

    /// Writes a computation and gives back its name.
    pub(super) fn computation(&mut self, stem: &str, scope: &Scope, root: &Value) -> String {
        let name = self.name(stem);
        let text = self.body(&name, scope, root);
        self.computations.push_str(&text);
        name
    }

    fn body(&self, name: &str, scope: &Scope, root: &Value) -> String {
        let parameters = scope.parameters.iter();
        let parameters = parameters.map(|p| format!("{}: {}", p.name, shapes::text(&p.shape)));
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        let signature = match self.is_long {
            true => format!(" ({parameters}) -> {}", shapes::text(&root.shape)),
            false => String::new(),
        };
        let lines = scope.lines.iter().map(|(line, rest)| {
            let mark = if *line == root.name { "ROOT " } else { "" };
            format!("  {mark}{} = {rest}\n", self.at(line))
        });
        format!("{}{signature} {{\n{}}}\n\n", self.at(name), lines.collect::<String>())
    }

    /// The computation of two scalars that `opcode` combines into one, or compares.
    pub(super) fn scalar(&mut self, element: ElementType, opcode: &str) -> String {
        let key = format!("{opcode}_{}", element.name());
        if let Some(name) = self.scalars.get(&key) {
            return name.clone();
        }
        let mut scope = Scope::default();
        let shape = self.array(element, &[]);
        let a = scope.parameter(self, shape.clone(), &Storage::default());
        let b = scope.parameter(self, shape.clone(), &Storage::default());
        let (shape, direction) = match opcode {
            "compare" => (self.array(ElementType::Pred, &[]), "direction=LT"),
            _ => (shape, ""),
        };
        let root = scope.op(self, shape, opcode, &[&a, &b], direction);
        let name = self.computation(&key, &scope, &root);
        self.scalars.insert(key, name.clone());
        name
    }

    /// `to_apply` of a sum, or what comes near it.
    pub(super) fn sum(&mut self, element: ElementType) -> String {
        let opcode = if element == ElementType::Pred { "or" } else { "add" };
        let name = self.scalar(element, opcode);
        format!("to_apply={}", self.at(&name))
    }

    /// The whole text.
    pub(super) fn module(mut self, size: usize) -> String {
        let mut scope = Scope::default();
        let parameters = self.entry_parameters(&mut scope);
        scope.steps(&mut self, size);
        let (root, outputs) = scope.entry_root(&mut self, &parameters.donated);
        if self.choices.once_in(4) {
            // Legal, and of no use: what stands after the root.
            let constant = self.array(ElementType::F32, &[]);
            let value = scope.op(&mut self, constant.clone(), "constant", &[], "");
            scope.fix_constant(&value);
            scope.op(&mut self, constant, "negate", &[&value], "");
        }
        let name = self.name("main");
        let entry = self.body(&name, &scope, &root);
        let scheduled = if self.is_scheduled { ", is_scheduled=true" } else { "" };
        let layout = self.entry_layout(&scope, &root.shape);
        let donations = self.donations(&parameters, &outputs, root.shape.is_tuple());
        format!(
            "HloModule generated{scheduled}{donations}{layout}\n\n{}ENTRY {entry}",
            self.computations
        )
    }

    fn entry_layout(&mut self, scope: &Scope, root: &Shape) -> String {
        if self.choices.once_in(2) {
            return String::new();
        }
        let parameters = shapes::list(scope.parameters.iter().map(|p| shapes::text(&p.shape)));
        format!(", entry_computation_layout={{({parameters})->{}}}", shapes::text(root))
    }
}
