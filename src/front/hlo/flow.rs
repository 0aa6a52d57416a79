//! Loops and branches.

use super::Lowering;
use super::lower::Here;
use super::names::Nodes;
use crate::diag::Diagnostic;
use crate::ir::hlo::{Instruction, InstructionId};
use crate::model::{Branch, BranchResult, Carry, Loop, Node, Region, Trips, ValueId, ValueKind};

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
        self.computation(condition, &[init.to_vec()], here)?;
        let around = self.function.loops.push(Loop {
            name: made.name.clone(),
            loc: Some(made.loc),
            trips: trips(made),
            carries: Vec::new(),
            body: Region::default(),
            parent: here.inside,
        });
        let slots = 0..u32::try_from(init.len()).unwrap_or(0);
        let inside: Nodes =
            slots.clone().map(|n| self.name(id, ValueKind::Carry(around, n))).collect();
        let after: Nodes = slots.map(|n| self.name(id, ValueKind::LoopResult(around, n))).collect();
        let mut region = Region::default();
        let mut within = Here { region: &mut region, inside: Some(around) };
        let next = self.computation(body, &[inside.clone()], &mut within)?;
        self.computation(condition, &[next.clone()], &mut within)?;
        let carries = init.iter().zip(&inside).zip(&next).zip(&after);
        let carry = |(((&init, &value), &next), &result)| Carry { value, init, next, result };
        self.function.loops[around].carries = carries.map(carry).collect();
        self.function.loops[around].body = region;
        here.region.nodes.push(Node::Loop(around));
        for ((&init, &value), &next) in init.iter().zip(&inside).zip(&next) {
            if next != value {
                self.meet(&[init, next]);
            }
        }
        Ok(after)
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
        let (mut regions, mut roots) = (Vec::new(), Vec::new());
        for (callee, arguments) in callees.into_iter().zip(arguments) {
            let mut region = Region::default();
            let mut within = Here { region: &mut region, inside: here.inside };
            roots.push(self.computation(callee, &[arguments.to_vec()], &mut within)?);
            regions.push(region);
        }
        let (Some(mut rest), Some(mut result)) = (regions.pop(), roots.last().cloned()) else {
            return Ok(Nodes::new());
        };
        let alone = regions.is_empty();
        for (then, root) in regions.into_iter().zip(&roots).rev() {
            let made = &self.module.instructions[id];
            let branch = self.function.branches.push(Branch {
                name: made.name.clone(),
                loc: Some(made.loc),
                results: Vec::new(),
                then,
                otherwise: rest,
            });
            let mut results = Vec::new();
            for (n, (&then, &otherwise)) in (0..).zip(root.iter().zip(&result)) {
                let value = self.name(id, ValueKind::BranchResult(branch, n));
                results.push(BranchResult { value, then, otherwise });
            }
            result = results.iter().map(|r| r.value).collect();
            self.function.branches[branch].results = results;
            rest = Region { nodes: vec![Node::Branch(branch)] };
        }
        here.region.nodes.extend(rest.nodes);
        if !alone {
            for node in 0..result.len() {
                let sides: Vec<ValueId> =
                    roots.iter().filter_map(|root| root.get(node)).copied().collect();
                self.meet(&sides);
            }
        }
        Ok(result)
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
