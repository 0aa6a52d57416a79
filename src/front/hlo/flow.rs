//! Loops and branches.
//!
//! The state of a loop and the result of a branch are buffers of their own: what enters, what a trip
//! leaves, what a branch leaves is handed over to them. What only passes through keeps its name.

use super::Lowering;
use super::lower::Here;
use super::names::Nodes;
use crate::diag::Diagnostic;
use crate::ir::hlo::{Instruction, InstructionId};
use crate::model::{Branch, LifetimeClass, Loop, Node, Region, Trips, ValueId};

impl Lowering<'_> {
    /// The condition, then body and condition in turn.
    pub(super) fn repeat(
        &mut self,
        id: InstructionId,
        init: &[ValueId],
        here: &mut Here<'_>,
    ) -> Result<Nodes, Diagnostic> {
        let made = &self.module.instructions[id];
        let (condition, body) = (made.computations("condition"), made.computations("body"));
        let (Some(&condition), Some(&body)) = (condition.first(), body.first()) else {
            return Ok(init.to_vec());
        };
        let state = self.joined(id, init)?;
        self.hand_over(id, init, &state, here);
        self.computation(condition, std::slice::from_ref(&state), here)?;
        let around = self.function.loops.push(Loop {
            name: made.name.clone(),
            loc: Some(made.loc),
            trips: trips(made),
            carries: Vec::new(),
            body: Region::default(),
            parent: here.inside,
        });
        let mut region = Region::default();
        let mut within = Here { region: &mut region, inside: Some(around) };
        let next = self.computation(body, std::slice::from_ref(&state), &mut within)?;
        self.hand_over(id, &next, &state, &mut within);
        self.computation(condition, std::slice::from_ref(&state), &mut within)?;
        self.function.loops[around].body = region;
        here.region.nodes.push(Node::Loop(around));
        Ok(state)
    }

    /// One of several computations. Branches of the model have two sides: more become a chain.
    pub(super) fn choose(
        &mut self,
        id: InstructionId,
        operands: &[&[ValueId]],
        here: &mut Here<'_>,
    ) -> Result<Nodes, Diagnostic> {
        let (selector, arguments) = match operands {
            [selector, arguments @ ..] => (*selector, arguments),
            [] => return Ok(Nodes::new()),
        };
        self.op(id, selector, &[], here);
        let callees = self.module.instructions[id].branches();
        let mut result: Option<Nodes> = None;
        let mut regions = Vec::new();
        for (callee, arguments) in callees.into_iter().zip(arguments) {
            let mut region = Region::default();
            let mut within = Here { region: &mut region, inside: here.inside };
            let root = self.computation(callee, &[arguments.to_vec()], &mut within)?;
            let joined = match result.take() {
                Some(joined) => joined,
                None => self.joined(id, &root)?,
            };
            self.hand_over(id, &root, &joined, &mut within);
            result = Some(joined);
            regions.push(region);
        }
        let Some(mut rest) = regions.pop() else { return Ok(Nodes::new()) };
        for then in regions.into_iter().rev() {
            let made = &self.module.instructions[id];
            let branch = self.function.branches.push(Branch {
                name: made.name.clone(),
                loc: Some(made.loc),
                results: Vec::new(),
                then,
                otherwise: rest,
            });
            rest = Region { nodes: vec![Node::Branch(branch)] };
        }
        here.region.nodes.extend(rest.nodes);
        Ok(result.unwrap_or_default())
    }

    /// The nodes of a loop's state or a branch's result: a buffer, or the name of what passes through.
    fn joined(&mut self, id: InstructionId, passing: &[ValueId]) -> Result<Nodes, Diagnostic> {
        let module = self.module;
        let nodes = (0..).zip(module.instructions[id].shape.nodes());
        let mut joined = Nodes::new();
        for ((node, (index, shape)), &passing) in nodes.zip(passing) {
            joined.push(match self.origins.passes(id, &index) {
                true => passing,
                false => self.buffer(id, (node, &index, shape), LifetimeClass::Local)?,
            });
        }
        Ok(joined)
    }

    /// Hands what `from` names over to what `into` names, all at once.
    fn hand_over(
        &mut self,
        id: InstructionId,
        from: &[ValueId],
        into: &[ValueId],
        here: &mut Here<'_>,
    ) {
        let moves = || from.iter().zip(into).filter(|(from, into)| from != into);
        let read: Vec<ValueId> = moves().map(|(from, _)| *from).collect();
        let written: Vec<ValueId> = moves().map(|(_, into)| *into).collect();
        self.op(id, &read, &written, here);
        for (&from, &into) in moves() {
            self.relations.hand_over(from, into, "the state of a loop, or the result of a branch");
        }
    }
}

/// Trips as the compiler knows them: `backend_config={"known_trip_count":{"n":"8"}}`.
fn trips(made: &Instruction) -> Trips {
    let text = made.raw("backend_config").unwrap_or_default();
    let known = || {
        let (_, rest) = text.split_once("known_trip_count")?;
        let digits = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse().ok()
    };
    known().map_or(Trips::AtLeast(0), Trips::Known)
}
