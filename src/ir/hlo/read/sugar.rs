//! `X-start`, `X-update`, `X-done` of any op: an asynchronous chain around a computation that holds the
//! op alone (spec 2.3.13).

use std::collections::{BTreeSet, HashSet};

use super::draft::{Draft, DraftAttribute, DraftComputation, DraftInstruction, Name, Said};
use super::errors::{Errors, error};
use crate::diag::{Code, Loc};
use crate::ir::hlo::{Opcode, Shape};

/// Attributes that stay at the start; the others belong to the op inside.
const OUTSIDE: [&str; 4] =
    ["async_execution_thread", "control-predecessors", "metadata", "frontend_attributes"];

/// Writes out the chains of a module. Ops with an asynchronous form of their own stay.
pub(super) fn write_out(draft: &mut Draft<'_>, errors: &mut Errors) {
    let taken = draft.computations.iter().map(|c| c.name.text.to_string()).collect();
    let mut fresh = Fresh { taken, count: 0 };
    let mut chained = BTreeSet::new();
    let mut computations = Vec::with_capacity(draft.computations.len());
    for mut computation in std::mem::take(&mut draft.computations) {
        for start in &mut computation.instructions {
            let Some(op) = base(&start.opcode, "-start") else { continue };
            match wrap(start, &op, &mut fresh) {
                Some(wrapped) => {
                    chained.insert(op.name().to_owned());
                    computations.push(wrapped);
                }
                None if matches!(op, Opcode::Other(_)) => {}
                None => errors.push(misshapen(start, &op)),
            }
        }
        computations.push(computation);
    }
    for link in computations.iter_mut().flat_map(|c| &mut c.instructions) {
        for (suffix, to) in [("-update", Opcode::AsyncUpdate), ("-done", Opcode::AsyncDone)] {
            let Some(op) = base(&link.opcode, suffix) else { continue };
            if chained.contains(op.name()) || !matches!(op, Opcode::Other(_)) {
                link.opcode = to;
                break;
            }
        }
    }
    draft.computations = computations;
}

/// The op of which an opcode is a part.
fn base(opcode: &Opcode, suffix: &str) -> Option<Opcode> {
    let Opcode::Other(word) = opcode else { return None };
    word.strip_suffix(suffix).filter(|op| !op.is_empty()).map(Opcode::of)
}

fn misshapen(start: &DraftInstruction<'_>, op: &Opcode) -> super::errors::Error {
    let message = format!(
        "the shape of `{}` is not that of `{op}-start`: `((shapes of the operands), result, ..)`",
        start.name.text
    );
    error(Code::HloBadShape, message, start.name.loc, format!("{} operands", start.operands.len()))
}

/// Makes an instruction the start of a chain; gives the computation around its op.
fn wrap<'t>(
    start: &mut DraftInstruction<'t>,
    op: &Opcode,
    fresh: &mut Fresh,
) -> Option<DraftComputation<'t>> {
    let Shape::Tuple(parts) = &start.shape else { return None };
    let [Shape::Tuple(operands), result, ..] = &parts[..] else { return None };
    if operands.len() != start.operands.len() {
        return None;
    }
    let loc = start.name.loc;
    let name = fresh.name();
    let mut instructions = Vec::with_capacity(operands.len() + 1);
    for (number, shape) in (0..).zip(operands) {
        let mut parameter = plain(format!("{name}.param_{number}"), loc, shape, Opcode::Parameter);
        parameter.parameter = Some(number);
        instructions.push(parameter);
    }
    let mut inner = plain(format!("{name}.{op}"), loc, result, op.clone());
    inner.root = true;
    inner.operands = instructions.iter().map(|parameter| parameter.name.clone()).collect();
    let (outside, inside) = std::mem::take(&mut start.attributes)
        .into_iter()
        .partition(|attribute| OUTSIDE.contains(&&*attribute.key));
    inner.attributes = inside;
    inner.attributes.extend(metadata(&outside));
    instructions.push(inner);
    let thread = outside.iter().find_map(|attribute| match &attribute.said {
        Said::Raw(text) if attribute.key == "async_execution_thread" => {
            Some(text.trim_matches('"').to_owned())
        }
        _ => None,
    });
    let name = Name { text: name.into(), loc };
    let said = Said::Computation(name.clone());
    start.attributes = outside;
    start.attributes.insert(0, DraftAttribute { key: "calls".into(), said, loc });
    start.opcode = Opcode::AsyncStart;
    Some(DraftComputation { name, entry: false, instructions, thread })
}

/// Where an op comes from is true of the op inside as well.
fn metadata<'t>(attributes: &[DraftAttribute<'t>]) -> Option<DraftAttribute<'t>> {
    attributes.iter().find(|attribute| attribute.key == "metadata").cloned()
}

/// Names for new computations that no other has.
struct Fresh {
    taken: HashSet<String>,
    count: u32,
}

impl Fresh {
    fn name(&mut self) -> String {
        loop {
            let name = match self.count {
                0 => "async_computation".to_owned(),
                count => format!("async_computation.{count}"),
            };
            self.count += 1;
            if !self.taken.contains(&name) {
                return name;
            }
        }
    }
}

fn plain<'t>(name: String, loc: Loc, shape: &Shape, opcode: Opcode) -> DraftInstruction<'t> {
    DraftInstruction {
        name: Name { text: name.into(), loc },
        root: false,
        shape: shape.clone(),
        opcode,
        operands: Vec::new(),
        literal: None,
        parameter: None,
        attributes: Vec::new(),
    }
}
