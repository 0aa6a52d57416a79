//! The spec's scenarios as HLO text.

mod asynchronous;
mod events;
mod flow;
mod forwarding;
mod groups;
mod memory;
mod phis;
mod ranges;
mod speed;
mod text;

use super::{Analysis, GroupId, Options, Position, Range, ValueId, ValueOptions, Values};
use crate::diag::{Diagnostic, Sources};
use crate::ir::hlo::{Calls, InstructionId, Module, Platform, ShapeIndex, parse};

pub(super) const OPTIONS: Options =
    Options { platform: Platform::Cpu, async_start_extension: false };

/// A module of a test.
pub(super) fn read(text: &str) -> Module {
    let mut sources = Sources::default();
    let file = sources.add("test.hlo", text);
    parse(&sources, file).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// What follows from it.
pub(super) fn analyse(module: &Module) -> Analysis<'_> {
    Analysis::text(module, OPTIONS).unwrap_or_else(|error| panic!("{error:#?}"))
}

/// Its values by other options.
pub(super) fn values_by(module: &Module, options: ValueOptions) -> Values {
    let calls = Calls::of(module).expect("a call graph");
    Values::of(module, &calls, options).expect("values")
}

/// What is wrong with it.
pub(super) fn refused(text: &str) -> Diagnostic {
    let module = read(text);
    Analysis::text(&module, OPTIONS).map(|_| ()).expect_err("an error")
}

/// A node by its name: `x`, `x{0,1}`.
pub(super) fn node(module: &Module, name: &str) -> (InstructionId, ShapeIndex) {
    let (name, index) = match name.split_once('{') {
        Some((name, index)) => (name, index.trim_end_matches('}')),
        None => (name, ""),
    };
    let index = index.split(',').filter(|s| !s.is_empty()).map(|s| s.parse().expect("a number"));
    let found = module.instructions.enumerate().find(|(_, i)| i.name == name);
    (found.unwrap_or_else(|| panic!("no {name}")).0, ShapeIndex(index.collect()))
}

pub(super) fn name(module: &Module, position: &Position) -> String {
    let Position { instruction, index } = position;
    let instruction = &module.instructions[*instruction];
    let array = index.is_top() && !instruction.shape.is_tuple();
    if array { instruction.name.clone() } else { format!("{}{index}", instruction.name) }
}

impl Analysis<'_> {
    /// The values at a node, by name.
    pub(super) fn names_at(&self, at: &str) -> Vec<String> {
        let (id, index) = node(self.module, at);
        self.values.at(id, &index).iter().map(|&v| self.values.name(self.module, v)).collect()
    }

    /// The value born at a node.
    pub(super) fn born(&self, at: &str) -> ValueId {
        let (instruction, index) = node(self.module, at);
        let definition = Position { instruction, index };
        let found = self.values.values.enumerate().find(|(_, v)| v.definition == definition);
        found.unwrap_or_else(|| panic!("nothing is born at {at}")).0
    }

    /// Where it stands, sorted by name.
    pub(super) fn positions(&self, at: &str) -> Vec<String> {
        let positions = &self.values.values[self.born(at)].positions;
        let mut out: Vec<_> = positions.iter().map(|p| name(self.module, p)).collect();
        out.sort();
        out
    }

    /// Its uses: `user 0`, `user 1{2}`.
    pub(super) fn uses(&self, at: &str) -> Vec<String> {
        let uses = self.values.values[self.born(at)].uses.iter();
        let text = uses.map(|u| {
            let user = &self.module.instructions[u.user].name;
            let index = if u.index.is_top() { String::new() } else { u.index.to_string() };
            format!("{user} {}{index}", u.operand)
        });
        text.collect()
    }

    /// The names of all values that are born at a meeting.
    pub(super) fn phis(&self) -> Vec<String> {
        let phis = self.values.values.enumerate().filter(|(_, v)| v.is_phi);
        phis.map(|(id, _)| self.values.name(self.module, id)).collect()
    }

    /// The groups at a node.
    pub(super) fn groups_at(&self, at: &str) -> Vec<GroupId> {
        let (id, index) = node(self.module, at);
        self.groups.at(&self.values, id, &index)
    }

    /// The values in the group of what is born at a node, by name, sorted.
    pub(super) fn group(&self, at: &str) -> Vec<String> {
        let [group] = self.groups_at(at)[..] else { panic!("{at} is ambiguous") };
        let values = self.groups.groups[group].iter();
        let mut out: Vec<_> = values.map(|&v| self.values.name(self.module, v)).collect();
        out.sort();
        out
    }

    /// The range of the value born at a node.
    pub(super) fn range(&self, at: &str) -> (u32, u32) {
        let Range { start, end } = self.ranges.live[self.born(at)].expect("a range");
        (start, end)
    }

    /// The time of an instruction.
    pub(super) fn time(&self, at: &str) -> u32 {
        self.ranges.time[node(self.module, at).0].expect("a time")
    }
}
