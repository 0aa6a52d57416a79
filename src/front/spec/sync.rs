//! Ops that synchronise: flags, barriers, flags between cores.

use toml::Spanned;

use super::context::Context;
use super::ops::pipe;
use crate::diag::{Code, Diagnostic, Loc};
use crate::format::spec::OpTable;
use crate::format::spec_sync::{CrossFlagTable, FlagIds, FlagTable};
use crate::model::{FlagId, Function, LoopId, OpId, Order, PipeId, Problem, Sync};

/// Reads what ops order, now that they are in their loops.
pub(crate) fn lower(
    context: &mut Context,
    problem: &Problem,
    function: &mut Function,
    tables: &[OpTable],
) {
    let says = |t: &OpTable| words(t) > 0;
    if !tables.iter().any(says) {
        return;
    }
    let order = Order::of(function);
    let ids: Vec<OpId> = function.ops.ids().collect();
    for (table, id) in tables.iter().zip(ids).filter(|(table, _)| says(table)) {
        let loc = function.ops[id].loc;
        if words(table) > 1 || !function.ops[id].accesses.is_empty() {
            let message = format!("op `{}` does several things", function.ops[id].name);
            let d = Diagnostic::error(Code::SpecInvalidValue, message);
            let d = d.maybe_at(loc, "").help("an op touches bytes, or it synchronises once");
            context.error(d);
            continue;
        }
        let within = order.loops_of_op[id].last().copied();
        function.ops[id].sync = sync(context, problem, table, within);
    }
}

/// How many ways of synchronising an op has.
fn words(table: &OpTable) -> usize {
    [
        table.set.is_some(),
        table.wait.is_some(),
        table.barrier.is_some(),
        table.cross_set.is_some(),
        table.cross_wait.is_some(),
    ]
    .into_iter()
    .filter(|&says| says)
    .count()
}

fn sync(
    context: &mut Context,
    problem: &Problem,
    table: &OpTable,
    within: Option<LoopId>,
) -> Option<Sync> {
    if let Some(flag) = &table.set {
        let (from, to, id) = pair(context, problem, flag, within)?;
        return Some(Sync::Set { from, to, id });
    }
    if let Some(flag) = &table.wait {
        let (from, to, id) = pair(context, problem, flag, within)?;
        return Some(Sync::Wait { from, to, id });
    }
    if let Some(name) = &table.barrier {
        if name.get_ref().eq_ignore_ascii_case("all") {
            return Some(Sync::Barrier(None));
        }
        return Some(Sync::Barrier(Some(pipe(context, problem, name)?)));
    }
    if let Some(flag) = &table.cross_set {
        let (pipe, id) = cross(context, problem, flag, within)?;
        return Some(Sync::CrossSet { pipe, id });
    }
    let (pipe, id) = cross(context, problem, table.cross_wait.as_ref()?, within)?;
    Some(Sync::CrossWait { pipe, id })
}

fn pair(
    context: &mut Context,
    problem: &Problem,
    table: &FlagTable,
    within: Option<LoopId>,
) -> Option<(PipeId, PipeId, FlagId)> {
    let from = pipe(context, problem, &table.from);
    let to = pipe(context, problem, &table.to);
    let id = flag(context, table.id.as_ref(), within)?;
    if from == to && from.is_some() {
        let message = "a flag from a pipe to itself".to_owned();
        return refuse(context, message, context.place(&table.to), "write `barrier`");
    }
    Some((from?, to?, id))
}

fn cross(
    context: &mut Context,
    problem: &Problem,
    table: &CrossFlagTable,
    within: Option<LoopId>,
) -> Option<(Option<PipeId>, FlagId)> {
    let who = match &table.pipe {
        Some(name) => Some(pipe(context, problem, name)?),
        None => None,
    };
    Some((who, flag(context, table.id.as_ref(), within)?))
}

fn flag(
    context: &mut Context,
    ids: Option<&Spanned<FlagIds>>,
    within: Option<LoopId>,
) -> Option<FlagId> {
    let Some(ids) = ids else { return Some(FlagId::Unknown) };
    let loc = context.place(ids);
    let numbers = ids.get_ref().0.iter();
    let numbers: Option<Vec<u64>> =
        numbers.map(|&n| context.number_at("the number of a flag", n, loc)).collect();
    match (numbers?.as_slice(), within) {
        ([], _) => refuse(context, "no flag".to_owned(), loc, "write its number"),
        ([id], _) => Some(FlagId::Constant(*id)),
        (ids, Some(within)) => Some(FlagId::Rotating { within, ids: ids.to_vec() }),
        (_, None) => {
            let message = "several flags, and no loop in which they take turns".to_owned();
            refuse(context, message, loc, "write one number")
        }
    }
}

fn refuse<T>(context: &mut Context, message: String, loc: Loc, help: &str) -> Option<T> {
    let d = Diagnostic::error(Code::SpecInvalidValue, message);
    context.error(d.at(loc, "").help(help));
    None
}
