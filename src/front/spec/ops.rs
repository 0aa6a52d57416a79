//! Ops: pipes, operands, in-place rules.

use toml::Spanned;

use super::context::Context;
use super::names::Names;
use crate::diag::{Code, Diagnostic, Loc};
use crate::format::spec::{InplaceWord, OpTable};
use crate::format::values::Operand;
use crate::model::{
    Access, AccessMode, Function, IdVec, InplaceRule, Op, PipeId, Problem, ValueId, ValueKind,
};

/// Adds the ops of a function.
pub(crate) fn lower(
    context: &mut Context,
    problem: &Problem,
    function: &mut Function,
    names: &Names,
    tables: &[OpTable],
) {
    for (at, table) in tables.iter().enumerate() {
        let pipe = table.pipe.as_ref().and_then(|name| pipe(context, problem, name));
        let mut accesses = Vec::new();
        let lists = [
            (&table.reads, AccessMode::Read),
            (&table.writes, AccessMode::Write),
            (&table.temps, AccessMode::Temporary),
        ];
        for (operands, mode) in lists {
            for operand in operands {
                accesses.extend(access(context, problem, names, operand, mode));
            }
        }
        let first = [&table.reads, &table.writes, &table.temps].into_iter().flatten().next();
        let place = table.name.as_ref().map(|n| context.place(n));
        let place = place.or_else(|| first.map(|o| context.place(o)));
        function.ops.push(Op {
            name: table.name.as_ref().map_or_else(|| format!("op {at}"), |n| n.get_ref().clone()),
            loc: place,
            pipe,
            inplace: match table.inplace {
                None | Some(InplaceWord::Never) => InplaceRule::Never,
                Some(InplaceWord::Isa) => InplaceRule::Isa,
                Some(InplaceWord::Any) => InplaceRule::Any,
            },
            accesses,
            // Which flag it is can depend on the loop, which is not known yet.
            sync: None,
            cost: table.cost.as_ref().and_then(|n| context.number("the cost", n)),
        });
    }
}

/// The pipe of a name, or an error.
pub(super) fn pipe(
    context: &mut Context,
    problem: &Problem,
    name: &Spanned<String>,
) -> Option<PipeId> {
    let found = problem.pipe(name.get_ref());
    if found.is_none() {
        context.unknown("pipe", name, problem.pipes.iter().map(|p| p.name.as_str()));
    }
    found
}

fn access(
    context: &mut Context,
    problem: &Problem,
    names: &Names,
    operand: &Spanned<Operand>,
    mode: AccessMode,
) -> Option<Access> {
    let table = &operand.get_ref().0;
    let name = Spanned::new(operand.span(), table.value.clone());
    let value = names.find(context, &name)?;
    let loc = context.place(operand);
    let mut range = None;
    if let Some(bytes) = &table.bytes {
        let ranges = context.ranges_at("the byte range", bytes, loc)?;
        let [one] = ranges[..] else {
            let d = Diagnostic::error(Code::SpecInvalidValue, "an access touches one byte range");
            context.error(d.at(loc, ""));
            return None;
        };
        range = Some(one);
    }
    let own = table.pipe.as_ref().map(|p| Spanned::new(operand.span(), p.clone()));
    let pipe = own.and_then(|name| pipe(context, problem, &name));
    Some(Access { value, range, mode, partial: table.partial, pipe, loc: Some(loc) })
}

/// The bytes of every value, where they are known: what views and accesses must stay inside.
pub(crate) struct Extents(IdVec<ValueId, Option<u64>>);

impl Extents {
    /// Computes the extents; `order` lists the values so that bases stand before views.
    pub(crate) fn new(function: &Function, order: &[ValueId]) -> Self {
        let mut out = Self(IdVec::filled(None, function.values.len()));
        for &id in order {
            out.0[id] = match &function.values[id].kind {
                ValueKind::Buffer(b) => Some(function.buffers[*b].size.0),
                ValueKind::View { base, delta: Some(delta), length } => {
                    length.or_else(|| out.0[*base].map(|all| all.saturating_sub(*delta)))
                }
                ValueKind::View { delta: None, length, .. } => *length,
                ValueKind::Select(of) => of.iter().filter_map(|v| out.0[*v]).min(),
                // What they stand for changes from trip to trip; the executor checks them.
                ValueKind::Carry(..) | ValueKind::LoopResult(..) | ValueKind::BranchResult(..) => {
                    None
                }
            };
        }
        out
    }

    /// Bytes of a value.
    pub(crate) fn of(&self, value: ValueId) -> Option<u64> {
        self.0[value]
    }

    /// Views and accesses that reach past the end of what they touch are errors.
    pub(crate) fn check(&self, context: &mut Context, function: &Function) {
        for value in function.values.iter() {
            if let ValueKind::View { base, delta, length } = value.kind
                && let Some(all) = self.of(base)
            {
                let end = delta.unwrap_or(0).checked_add(length.unwrap_or(0));
                if end.is_none_or(|end| end > all) {
                    let name = &function.values[base].name;
                    past_the_end(context, &value.name, name, end, all, value.loc);
                }
            }
        }
        for op in function.ops.iter() {
            for access in &op.accesses {
                if let (Some(range), Some(all)) = (access.range, self.of(access.value))
                    && range.end > all
                {
                    let name = &function.values[access.value].name;
                    past_the_end(context, &op.name, name, Some(range.end), all, access.loc);
                }
            }
        }
    }
}

fn past_the_end(
    context: &mut Context,
    who: &str,
    what: &str,
    end: Option<u64>,
    all: u64,
    loc: Option<Loc>,
) {
    let end = end.map_or("past 64 bits".to_owned(), |end| format!("byte {end}"));
    let d = Diagnostic::error(
        Code::SpecOutOfBounds,
        format!("`{who}` reaches {end} of `{what}`, which has {all} bytes"),
    );
    context.error(d.maybe_at(loc, ""));
}
