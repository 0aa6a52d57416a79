//! Names become ids.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::draft::{Draft, DraftAttribute, DraftComputation, Name, Said};
use super::errors::{Errors, error};
use crate::diag::{Code, Diagnostic, Loc};
use crate::ir::hlo::near::nearest;
use crate::ir::hlo::{
    Attribute, AttributeValue, Computation, ComputationId, Instruction, InstructionId, Module,
    Style,
};
use crate::model::{IdVec, Index};

/// Ids and places by name.
type Names<'t, I> = HashMap<Cow<'t, str>, (I, Loc)>;

/// The module of a draft.
pub(super) fn resolve(draft: Draft<'_>) -> Result<Module, Vec<Diagnostic>> {
    let mut errors = Errors::default();
    let entry = entry(&draft.computations, &mut errors);
    let callees = names(draft.computations.iter().map(|c| &c.name), 0, "computations", &mut errors);
    let mut computations = IdVec::new();
    let mut instructions = IdVec::new();
    for draft in draft.computations {
        let id = ComputationId::new(computations.len());
        let computation = computation(id, draft, &callees, &mut instructions, &mut errors);
        computations.push(computation);
    }
    let header = draft.header;
    errors.or(Module {
        name: header.name,
        loc: header.loc,
        style: if draft.percent { Style::Long } else { Style::Short },
        is_scheduled: header.is_scheduled,
        aliases: header.aliases,
        donors: header.donors,
        attributes: header.attributes,
        tables: draft.tables,
        computations,
        instructions,
        entry,
    })
}

/// The computation marked `ENTRY`, else the last.
fn entry(computations: &[DraftComputation<'_>], errors: &mut Errors) -> ComputationId {
    let mut marked = (0..).zip(computations).filter(|(_, c)| c.entry);
    let Some((first, entry)) = marked.next() else {
        return ComputationId::new(computations.len().saturating_sub(1));
    };
    for (_, again) in marked {
        let error = error(Code::HloSyntax, "two entry computations", again.name.loc, "another one")
            .at(entry.name.loc, "the first");
        errors.push(error.into());
    }
    ComputationId(first)
}

/// The table of some names, numbered from `first`.
fn names<'n, 't: 'n, I: Index>(
    all: impl Iterator<Item = &'n Name<'t>>,
    first: usize,
    what: &str,
    errors: &mut Errors,
) -> Names<'t, I> {
    let mut names = Names::<I>::new();
    for (id, name) in (first..).zip(all) {
        let before = names.insert(name.text.clone(), (I::new(id), name.loc));
        if let Some((_, before)) = before {
            let message = format!("two {what} are called `{}`", name.text);
            let error = error(Code::HloDuplicateName, message, name.loc, "again here")
                .at(before, "first here")
                .help("give one of them another name");
            errors.push(error.into());
        }
    }
    names
}

/// The id of a name; `what` it should be and where.
fn find<I: Copy>(
    names: &Names<'_, I>,
    name: &Name<'_>,
    what: &str,
    errors: &mut Errors,
) -> Option<I> {
    let found = names.get(&name.text).map(|(id, _)| *id);
    if found.is_none() && !errors.full() {
        let message = format!("`{}` is no {what}", name.text);
        let mut error = error(Code::HloUnknownName, message, name.loc, "not found");
        // Sorted: a table has no order of its own.
        let mut known: Vec<&str> = names.keys().map(|name| &**name).collect();
        known.sort_unstable();
        if let Some(near) = nearest(&name.text, known.into_iter()) {
            *error = error.help(format!("did you mean `{near}`?"));
        }
        errors.push(error);
    }
    found
}

/// A computation; its instructions are appended to all.
fn computation(
    id: ComputationId,
    draft: DraftComputation<'_>,
    callees: &Names<'_, ComputationId>,
    all: &mut IdVec<InstructionId, Instruction>,
    errors: &mut Errors,
) -> Computation {
    let first = all.len();
    let what = format!("instructions of `{}`", draft.name.text);
    let names = names(draft.instructions.iter().map(|i| &i.name), first, &what, errors);
    let what = format!("instruction of `{}`", draft.name.text);
    let count = draft.instructions.len();
    let mut root = None;
    for draft in draft.instructions {
        let mut link = |name: &Name<'_>| find(&names, name, &what, errors);
        let operands = draft.operands.iter().filter_map(&mut link).collect();
        let attributes = draft.attributes.into_iter();
        let attributes = attributes.map(|a| attribute(a, &names, callees, &what, errors)).collect();
        if draft.root
            && let Some(before) = root.replace(InstructionId::new(all.len()))
        {
            let message = format!("two roots: `{}` and another one", draft.name.text);
            let error = error(Code::HloSyntax, message, draft.name.loc, "the second")
                .at(all[before].loc, "the first");
            errors.push(error.into());
        }
        all.push(Instruction {
            name: draft.name.text.into_owned(),
            loc: draft.name.loc,
            computation: id,
            shape: draft.shape,
            opcode: draft.opcode,
            operands,
            literal: draft.literal,
            parameter: draft.parameter,
            attributes,
        });
    }
    if count == 0 {
        let message = format!("the computation `{}` has no instructions", draft.name.text);
        errors.push(error(Code::HloSyntax, message, draft.name.loc, "this computation"));
    }
    let range = first..all.len();
    Computation {
        loc: draft.name.loc,
        root: root.unwrap_or(InstructionId::new(all.len().saturating_sub(1))),
        parameters: parameters(range.clone(), &draft.name, all, errors),
        name: draft.name.text.into_owned(),
        instructions: range.map(InstructionId::new).collect(),
        thread: draft.thread,
    }
}

fn attribute(
    draft: DraftAttribute<'_>,
    names: &Names<'_, InstructionId>,
    callees: &Names<'_, ComputationId>,
    what: &str,
    errors: &mut Errors,
) -> Attribute {
    let mut callee = |name: &Name<'_>| find(callees, name, "computation of the module", errors);
    let value = match draft.said {
        Said::Raw(text) => AttributeValue::Raw(text),
        Said::Computation(name) => match callee(&name) {
            Some(id) => AttributeValue::Computation(id),
            None => AttributeValue::Raw(name.text.into_owned()),
        },
        Said::Computations(names) => {
            AttributeValue::Computations(names.iter().filter_map(callee).collect())
        }
        Said::Instructions(list) => AttributeValue::Instructions(
            list.iter().filter_map(|name| find(names, name, what, errors)).collect(),
        ),
    };
    Attribute { name: draft.key.into_owned(), value, loc: draft.loc }
}

/// The parameters among some instructions by number, which must be `0..n`.
fn parameters(
    range: Range<usize>,
    computation: &Name<'_>,
    all: &IdVec<InstructionId, Instruction>,
    errors: &mut Errors,
) -> Vec<InstructionId> {
    let ids = range.map(InstructionId::new);
    let mut numbered: Vec<_> = ids.filter_map(|id| Some((all[id].parameter?, id))).collect();
    numbered.sort_unstable();
    for (expected, pair) in (0..).zip(&numbered) {
        if pair.0 == expected {
            continue;
        }
        let at = all[pair.1].loc;
        let name = &computation.text;
        let before = expected.checked_sub(1).and_then(|at| numbered.get(at as usize));
        let error = match before.filter(|before| before.0 == pair.0) {
            Some(before) => {
                let message = format!("two parameters of `{name}` have the number {}", pair.0);
                error(Code::HloBadParameter, message, at, "again here")
                    .at(all[before.1].loc, "first here")
            }
            None => {
                let message = format!("`{name}` has no parameter {expected}, but {}", pair.0);
                *error(Code::HloBadParameter, message, at, format!("number {}", pair.0))
            }
        };
        errors.push(error.help("number the parameters 0, 1, 2 and so on").into());
        break;
    }
    numbered.into_iter().map(|(_, id)| id).collect()
}
