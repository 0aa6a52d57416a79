//! What a module computes, by values and by bytes. Contents are numbers made from what computed them,
//! so any opcode runs; loops run twice, branches by their predicate.
//!
//! By bytes there is one cell for every must-alias group: results overwrite what was there. Where a
//! value is still needed when another one of its group is made, the results differ.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::analyze::hlo::{Groups, ValueOptions, Values};
use crate::ir::hlo::{
    AttributeValue, Calls, ComputationId, InstructionId, Module, Opcode, ShapeIndex, Source,
};
use crate::model::IdVec;

const TRIPS: usize = 2;

/// Attributes that do not say what is computed.
const SILENT: [&str; 7] = [
    "metadata",
    "frontend_attributes",
    "sharding",
    "backend_config",
    "control-predecessors",
    "output_to_operand_aliasing",
    "custom_call_has_side_effect",
];

/// The results of the entry, leaf by leaf, computed by values.
pub(crate) fn by_values(module: &Module) -> Vec<u64> {
    let calls = Calls::of(module).unwrap();
    let mut machine = Machine::new(module, &calls, None);
    machine.enter();
    machine.results()
}

/// The same computed by bytes; `None` where a node may be one of several groups, nothing when a
/// parameter that no output lies on is overwritten.
pub(crate) fn by_bytes(module: &Module) -> Option<Vec<u64>> {
    let calls = Calls::of(module).unwrap();
    let values = Values::of(module, &calls, ValueOptions::default()).unwrap();
    let groups = Groups::of(module, &values).unwrap();
    for id in module.instructions.ids() {
        for (index, _) in values.nodes(id) {
            if groups.at(&values, id, index).len() != 1 {
                return None;
            }
        }
    }
    let memory = vec![0; groups.groups.len()];
    let mut machine = Machine::new(module, &calls, Some(Bytes { values, groups, memory }));
    machine.enter();
    Some(if machine.keeps_parameters() { machine.results() } else { Vec::new() })
}

struct Bytes {
    values: Values,
    groups: Groups,
    memory: Vec<u64>,
}

struct Machine<'m> {
    module: &'m Module,
    calls: &'m Calls,
    /// Contents of every node in pre-order, when by values.
    nodes: IdVec<InstructionId, Vec<u64>>,
    indices: IdVec<InstructionId, Vec<ShapeIndex>>,
    /// The cell of every node.
    cells: IdVec<InstructionId, Vec<usize>>,
    bytes: Option<Bytes>,
    taken: Option<ComputationId>,
}

fn hashed(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

impl<'m> Machine<'m> {
    fn new(module: &'m Module, calls: &'m Calls, bytes: Option<Bytes>) -> Self {
        let indices: IdVec<InstructionId, Vec<ShapeIndex>> = module
            .instructions
            .iter()
            .map(|i| i.shape.nodes().into_iter().map(|(index, _)| index).collect())
            .collect();
        let nodes = indices.iter().map(|indices| vec![0; indices.len()]).collect();
        let cells = indices.enumerate().map(|(id, indices)| match &bytes {
            Some(bytes) => {
                indices.iter().filter_map(|index| Self::cell(bytes, id, index)).collect()
            }
            None => Vec::new(),
        });
        let cells = cells.collect();
        Self { module, calls, nodes, indices, cells, bytes, taken: None }
    }

    fn enter(&mut self) {
        for (number, &parameter) in (0_u32..).zip(&self.module.entry().parameters) {
            for (index, shape) in self.module.instructions[parameter].shape.nodes() {
                let content = if shape.is_tuple() { 0 } else { hashed((number, &index)) };
                self.write(parameter, &index, content);
            }
        }
        self.computation(self.module.entry);
    }

    fn results(&self) -> Vec<u64> {
        let root = self.module.entry().root;
        let leaves = self.module.instructions[root].shape.leaves();
        leaves.iter().map(|(index, _)| self.read(root, index)).collect()
    }

    fn keeps_parameters(&self) -> bool {
        for (number, &parameter) in (0_u32..).zip(&self.module.entry().parameters) {
            for (index, _) in self.module.instructions[parameter].shape.leaves() {
                let mut aliases = self.module.aliases.iter();
                if !aliases.any(|alias| alias.parameter == number && alias.index == index) {
                    let now = self.read(parameter, &index);
                    let names = self.group_names(parameter, &index);
                    let kept = now == hashed((number, &index));
                    if !kept {
                        println!("parameter {number}{index} is lost among {names:?}");
                        return false;
                    }
                }
            }
        }
        true
    }

    fn group_names(&self, id: InstructionId, index: &ShapeIndex) -> Vec<String> {
        let Some(Bytes { values, groups, .. }) = &self.bytes else { return Vec::new() };
        let of = groups.at(values, id, index).into_iter().flat_map(|group| &groups.groups[group]);
        of.map(|&value| values.name(self.module, value)).collect()
    }

    fn node(&self, id: InstructionId, index: &ShapeIndex) -> usize {
        self.indices[id].binary_search(index).expect("a node")
    }

    fn cell(bytes: &Bytes, id: InstructionId, index: &ShapeIndex) -> Option<usize> {
        bytes.groups.at(&bytes.values, id, index).first().map(|group| group.0 as usize)
    }

    fn read(&self, id: InstructionId, index: &ShapeIndex) -> u64 {
        match &self.bytes {
            Some(bytes) => {
                let cell = self.cells[id].get(self.node(id, index));
                cell.map_or(0, |&cell| bytes.memory[cell])
            }
            None => self.nodes[id][self.node(id, index)],
        }
    }

    fn write(&mut self, id: InstructionId, index: &ShapeIndex, content: u64) {
        let node = self.node(id, index);
        self.nodes[id][node] = content;
        if let Some(bytes) = &mut self.bytes
            && let Some(&cell) = self.cells[id].get(node)
        {
            bytes.memory[cell] = content;
        }
    }

    /// All contents of an instruction.
    fn all(&self, id: InstructionId) -> Vec<u64> {
        match &self.bytes {
            Some(bytes) => self.cells[id].iter().map(|&cell| bytes.memory[cell]).collect(),
            None => self.nodes[id].clone(),
        }
    }

    fn pass(&mut self, contents: Vec<u64>, parameter: InstructionId) {
        self.nodes[parameter] = contents;
    }

    fn computation(&mut self, id: ComputationId) {
        for &at in &self.module.computations[id].instructions {
            self.step(at);
        }
    }

    fn step(&mut self, id: InstructionId) {
        let instruction = &self.module.instructions[id];
        match instruction.opcode {
            Opcode::Parameter => return,
            Opcode::While => return self.loops(id),
            Opcode::Conditional => {
                let branches = instruction.branches();
                let predicate = self.read(instruction.operands[0], &ShapeIndex::TOP);
                let at = predicate as usize % branches.len();
                let parameter = self.module.computations[branches[at]].parameters[0];
                self.pass(self.all(instruction.operands[at + 1]), parameter);
                self.computation(branches[at]);
                self.taken = Some(branches[at]);
            }
            Opcode::Call | Opcode::AsyncStart => {
                for callee in instruction.called() {
                    let parameters = &self.module.computations[callee].parameters;
                    for (&parameter, &operand) in parameters.iter().zip(&instruction.operands) {
                        self.pass(self.all(operand), parameter);
                    }
                    self.computation(callee);
                }
            }
            _ => (),
        }
        let taken = self.taken.take();
        let contents: Vec<(ShapeIndex, u64, bool)> = instruction
            .shape
            .nodes()
            .into_iter()
            .map(|(index, shape)| {
                let source = self.module.source(self.calls, id, &index);
                let is_new = source == Source::Defined;
                let content = match source {
                    _ if shape.is_tuple() => 0,
                    Source::Defined => self.compute(id, &index),
                    Source::Operand { operand, index } => {
                        self.read(instruction.operands[operand as usize], &index)
                    }
                    Source::Root { computation, index } => {
                        self.read(self.module.root(computation), &index)
                    }
                    Source::Conditional => self.read(self.module.root(taken.unwrap()), &index),
                    Source::While { .. } | Source::Parameter => unreachable!(),
                };
                (index, content, is_new)
            })
            .collect();
        for (index, content, is_new) in contents {
            if is_new || self.bytes.is_none() {
                self.write(id, &index, content);
            }
        }
    }

    fn loops(&mut self, id: InstructionId) {
        let instruction = &self.module.instructions[id];
        let condition = instruction.computations("condition")[0];
        let body = instruction.computations("body")[0];
        let parameter = |of: ComputationId| self.module.computations[of].parameters[0];
        let (to_condition, to_body) = (parameter(condition), parameter(body));
        let mut state = self.all(instruction.operands[0]);
        for trip in 0..=TRIPS {
            self.pass(state.clone(), to_condition);
            self.computation(condition);
            if trip < TRIPS {
                self.pass(state, to_body);
                self.computation(body);
                state = self.all(self.module.root(body));
            }
        }
        self.nodes[id] = state;
    }

    /// What an instruction computes at a node.
    fn compute(&self, id: InstructionId, index: &ShapeIndex) -> u64 {
        let instruction = &self.module.instructions[id];
        let target = instruction.custom_call_target().unwrap_or_default();
        let moves = target.starts_with("MoveTo") || target.starts_with("PinTo");
        let same = moves || target == "annotate_device_placement";
        if same || matches!(instruction.opcode, Opcode::Copy | Opcode::CopyStart) {
            return self.read(instruction.operands[0], &ShapeIndex::TOP);
        }
        let operands: Vec<Vec<u64>> = instruction.operands.iter().map(|&o| self.all(o)).collect();
        let said: Vec<String> = instruction
            .attributes
            .iter()
            .filter(|attribute| !SILENT.contains(&attribute.name.as_str()))
            .map(|attribute| match &attribute.value {
                AttributeValue::Raw(text) => format!("{}={text}", attribute.name),
                _ => attribute.name.clone(),
            })
            .collect();
        let called: Vec<&str> =
            instruction.called().map(|c| self.module.computations[c].name.as_str()).collect();
        hashed((instruction.opcode.name(), &instruction.literal, said, called, operands, index))
    }
}
