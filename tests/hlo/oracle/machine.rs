//! A machine that runs a module: a cell of memory per must-alias group, loops of a few rounds,
//! branches by chance. Ops that compute check that their operands are still in memory, and alive.

use std::collections::BTreeMap;

use memplan::analyze::hlo::{Analysis, GroupId, Range};
use memplan::ir::hlo::{ComputationId, InstructionId, ShapeIndex};

/// What one execution of an instruction leaves at its nodes.
type Tree = BTreeMap<ShapeIndex, u64>;

/// Runs it; the number of reads that were checked, or what was found broken.
pub(crate) fn run(analysis: &Analysis<'_>, seed: u64) -> Result<usize, String> {
    let mut machine =
        Machine { analysis, memory: BTreeMap::new(), next: 0, reads: 0, seed: seed | 1 };
    let entry = analysis.module.entry();
    let mut arguments = Vec::new();
    for &parameter in &entry.parameters {
        arguments.push(machine.write_all(parameter));
    }
    let out = machine.execute(analysis.module.entry, &arguments)?;
    machine.check_all(entry.root, &out, "the output")?;
    for (&parameter, tree) in entry.parameters.iter().zip(&arguments) {
        let number = analysis.module.instructions[parameter].parameter.expect("a number");
        for (index, &token) in tree {
            let donated = analysis.module.aliases.iter();
            let donated = donated.clone().any(|a| a.parameter == number && &a.index == index);
            if !donated {
                machine.check(parameter, index, token, "a parameter that is kept")?;
            }
        }
    }
    Ok(machine.reads)
}

struct Machine<'a> {
    analysis: &'a Analysis<'a>,
    memory: BTreeMap<GroupId, u64>,
    next: u64,
    reads: usize,
    seed: u64,
}

impl Machine<'_> {
    fn chance(&mut self, below: u64) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 33) % below
    }

    fn group(&self, id: InstructionId, index: &ShapeIndex) -> Option<GroupId> {
        match self.analysis.groups.at(&self.analysis.values, id, index)[..] {
            [group] => Some(group),
            _ => None,
        }
    }

    fn name(&self, id: InstructionId, index: &ShapeIndex) -> String {
        format!("{}{index}", self.analysis.module.instructions[id].name)
    }

    fn write(&mut self, id: InstructionId, index: &ShapeIndex) -> u64 {
        self.next += 1;
        if let Some(group) = self.group(id, index) {
            self.memory.insert(group, self.next);
        }
        self.next
    }

    fn write_all(&mut self, id: InstructionId) -> Tree {
        let nodes = self.analysis.module.instructions[id].shape.nodes();
        nodes.into_iter().map(|(index, _)| (index.clone(), self.write(id, &index))).collect()
    }

    fn check(
        &mut self,
        id: InstructionId,
        index: &ShapeIndex,
        token: u64,
        why: &str,
    ) -> Result<(), String> {
        let Some(group) = self.group(id, index) else { return Ok(()) };
        self.reads += 1;
        match self.memory.get(&group) {
            Some(&found) if found == token => Ok(()),
            found => Err(format!(
                "{why}: {} is overwritten: {found:?} instead of {token}",
                self.name(id, index)
            )),
        }
    }

    fn check_all(&mut self, id: InstructionId, tree: &Tree, why: &str) -> Result<(), String> {
        tree.iter().try_for_each(|(index, &token)| self.check(id, index, token, why))
    }

    /// A read at the time of the reader: in memory, and alive.
    fn read(
        &mut self,
        reader: InstructionId,
        id: InstructionId,
        index: &ShapeIndex,
        token: u64,
    ) -> Result<(), String> {
        let why = format!("read by {}", self.analysis.module.instructions[reader].name);
        self.check(id, index, token, &why)?;
        let (Some(group), Some(time)) = (self.group(id, index), self.analysis.ranges.time[reader])
        else {
            return Ok(());
        };
        let alive = self.analysis.groups.groups[group].iter().any(|&value| {
            let range = self.analysis.ranges.live[value];
            range.is_some_and(|Range { start, end }| start <= time && time <= end)
        });
        match alive {
            true => Ok(()),
            false => Err(format!("{why} at {time}: {} is dead", self.name(id, index))),
        }
    }

    fn execute(&mut self, computation: ComputationId, arguments: &[Tree]) -> Result<Tree, String> {
        let module = self.analysis.module;
        let mut frame: BTreeMap<InstructionId, Tree> = BTreeMap::new();
        for &id in &module.computations[computation].instructions {
            let i = &module.instructions[id];
            let operand = |slot: usize| frame[&i.operands[slot]].clone();
            let below = |tree: &Tree, prefix: &[u32]| -> Tree {
                let prefix = ShapeIndex(prefix.to_vec());
                let rest = |(index, &token): (&ShapeIndex, &u64)| {
                    index.below(&prefix).map(|rest| (rest, token))
                };
                tree.iter().filter_map(rest).collect()
            };
            let under = |tree: Tree, prefix: &[u32]| {
                let prefix = ShapeIndex(prefix.to_vec());
                tree.into_iter().map(move |(index, token)| (prefix.join(&index), token))
            };
            let top = ShapeIndex::TOP;
            let tree = match i.opcode.name() {
                "parameter" => arguments[i.parameter.expect("a number") as usize].clone(),
                "tuple" => {
                    let mut tree = Tree::from([(top.clone(), self.write(id, &top))]);
                    for slot in 0..i.operands.len() {
                        tree.extend(under(operand(slot), &[slot as u32]));
                    }
                    tree
                }
                "get-tuple-element" => {
                    let all = operand(0);
                    self.read(id, i.operands[0], &top, all[&top])?;
                    below(&all, &[i.raw("index").expect("an index").parse().expect("a number")])
                }
                "bitcast" | "opt-barrier" | "domain" | "add-dependency" | "all-reduce-done" => {
                    operand(0)
                }
                "copy" => {
                    let mut tree = operand(0);
                    self.read(id, i.operands[0], &top, tree[&top])?;
                    tree.insert(top.clone(), self.write(id, &top));
                    tree
                }
                "copy-start" => {
                    let source = operand(0);
                    self.read(id, i.operands[0], &top, source[&top])?;
                    self.own_tables(id, Tree::from([(ShapeIndex::one(1), source[&top])]))
                }
                "copy-done" => {
                    let start = operand(0);
                    let source = ShapeIndex::one(1);
                    self.read(id, i.operands[0], &source, start[&source])?;
                    below(&start, &[0])
                }
                "call" => {
                    let passed: Vec<_> = (0..i.operands.len()).map(operand).collect();
                    self.execute(i.called().next().expect("a callee"), &passed)?
                }
                "async-start" => {
                    let passed: Vec<_> = (0..i.operands.len()).map(operand).collect();
                    let result = self.execute(i.called().next().expect("a callee"), &passed)?;
                    let mut tree = Tree::new();
                    for (at, passed) in (0..).zip(passed) {
                        tree.extend(under(passed, &[0, at]));
                    }
                    tree.extend(under(result, &[1]));
                    self.own_tables(id, tree)
                }
                "async-update" => {
                    let tree = operand(0);
                    self.own_tables(id, tree)
                }
                "async-done" => {
                    let start = operand(0);
                    for (index, &token) in start.iter().filter(|(index, _)| index.0.len() > 1) {
                        self.read(id, i.operands[0], index, token)?;
                    }
                    let tree = below(&start, &[1]);
                    self.own_tables(id, tree)
                }
                "while" => {
                    let mut state = operand(0);
                    let condition = i.computations("condition")[0];
                    for _ in 0..self.chance(4) {
                        self.execute(condition, std::slice::from_ref(&state))?;
                        state = self.execute(i.computations("body")[0], &[state])?;
                    }
                    self.execute(condition, std::slice::from_ref(&state))?;
                    state
                }
                "conditional" => {
                    let branches: Vec<_> = i.called().collect();
                    let taken = self.chance(branches.len() as u64) as usize;
                    self.execute(branches[taken], &[operand(taken + 1)])?
                }
                _ => {
                    for &of in &i.operands {
                        for (index, &token) in &frame[&of] {
                            self.read(id, of, index, token)?;
                        }
                    }
                    self.write_all(id)
                }
            };
            frame.insert(id, tree);
        }
        Ok(frame[&module.root(computation)].clone())
    }

    /// Tables of pointers, and what nobody passes on, belong to the link of a chain.
    fn own_tables(&mut self, id: InstructionId, passed: Tree) -> Tree {
        let nodes = self.analysis.module.instructions[id].shape.nodes();
        let nodes = nodes.into_iter().map(|(index, shape)| {
            let token = passed.get(&index).filter(|_| !shape.is_tuple()).copied();
            let token = token.unwrap_or_else(|| self.write(id, &index));
            (index, token)
        });
        nodes.collect()
    }
}
