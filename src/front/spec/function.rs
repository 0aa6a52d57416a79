//! One function: buffers, regions, values, ops and relations, in the order in which they depend on
//! each other, then the checks that need all of them.

use super::MAX_DEPTH;
use super::buffers;
use super::context::Context;
use super::machine::ScopeNames;
use super::names::Names;
use super::ops::{self, Extents};
use super::regions::Regions;
use super::relations;
use super::sync;
use super::visibility;
use crate::diag::{Code, Diagnostic};
use crate::format::spec::{AliasTable, BranchTable, FunctionTable, LoopTable};
use crate::model::{
    BranchResult, BufferId, Carry, Function, IdVec, LifetimeClass, OpId, Order, Problem, Value,
    ValueId, ValueKind,
};

/// Reads a function; `named` is false for the tables at the top of a spec.
pub(crate) fn lower(
    context: &mut Context,
    problem: &Problem,
    scopes: &ScopeNames,
    (table, named): (FunctionTable, bool),
) -> Function {
    let mut function = Function { name: table.name.get_ref().clone(), ..Function::default() };
    if named {
        function.loc = Some(context.place(&table.name));
    }
    let before = context.errors.len();
    let regions = Regions::declare(context, &mut function, &table.loops, &table.branch);
    let mut names = Names::default();
    buffers::lower(context, problem, scopes, &mut function, &mut names, &regions, &table.buffer);
    let aliases = declare_aliases(context, &mut function, &mut names, &table.alias);
    declare_carries(context, &mut function, &mut names, &table.loops);
    declare_results(context, &mut function, &mut names, &table.branch);
    bind_aliases(context, &mut function, &names, &table.alias, &aliases);
    bind_carries(context, &mut function, &names, &table.loops);
    bind_results(context, &mut function, &names, &table.branch);
    let order = dependency_order(context, &function);
    let places: Vec<_> =
        table.op.iter().map(|op| regions.find(context, op.within.as_ref())).collect();
    ops::lower(context, problem, &mut function, &names, &table.op);
    regions.place(context, &mut function, &places);
    sync::lower(context, problem, &mut function, &table.op);
    relations::lower(context, problem, &mut function, &names, &table.relation);
    // The checks below follow names to buffers; a broken name would only repeat its error.
    if context.errors.len() == before {
        Extents::new(&function, &order).check(context, &function);
        measure(&mut function);
        visibility::check(context, &function, &regions, &places);
        uses(context, &mut function);
        totals(context, &function);
    }
    function
}

fn declare_aliases(
    context: &mut Context,
    function: &mut Function,
    names: &mut Names,
    tables: &[AliasTable],
) -> Vec<ValueId> {
    let nothing = || ValueKind::Select(Vec::new());
    tables
        .iter()
        .map(|table| names.define(context, function, "alias", &table.name, nothing()))
        .collect()
}

fn declare_carries(
    context: &mut Context,
    function: &mut Function,
    names: &mut Names,
    tables: &[LoopTable],
) {
    let nowhere = ValueId(0);
    for (table, id) in tables.iter().zip(function.loops.ids()) {
        for (n, carry) in table.carries.iter().enumerate() {
            let n = u32::try_from(n).unwrap_or(u32::MAX);
            let kind = ValueKind::Carry(id, n);
            let value = names.define(context, function, "carry", &carry.name, kind);
            let kind = ValueKind::LoopResult(id, n);
            let result = match &carry.result {
                Some(name) => names.define(context, function, "result", name, kind),
                None => function.values.push(Value { name: String::new(), loc: None, kind }),
            };
            function.loops[id].carries.push(Carry { value, init: nowhere, next: nowhere, result });
        }
    }
}

fn declare_results(
    context: &mut Context,
    function: &mut Function,
    names: &mut Names,
    tables: &[BranchTable],
) {
    let nowhere = ValueId(0);
    for (table, id) in tables.iter().zip(function.branches.ids()) {
        for (n, result) in table.results.iter().enumerate() {
            let kind = ValueKind::BranchResult(id, u32::try_from(n).unwrap_or(u32::MAX));
            let value = names.define(context, function, "result", &result.name, kind);
            let result = BranchResult { value, then: nowhere, otherwise: nowhere };
            function.branches[id].results.push(result);
        }
    }
}

fn bind_aliases(
    context: &mut Context,
    function: &mut Function,
    names: &Names,
    tables: &[AliasTable],
    ids: &[ValueId],
) {
    for (table, &id) in tables.iter().zip(ids) {
        let of = table.of.get_ref();
        let found = of.0.iter().filter_map(|name| names.find(context, name));
        let found: Vec<ValueId> = found.collect();
        let range = table.range.as_ref().map(|r| context.range("the view", r));
        let place = context.place(&table.of);
        let selection = of.0.len() > 1;
        if of.0.is_empty() {
            let d = Diagnostic::error(Code::SpecInvalidValue, "an alias of nothing");
            context.error(d.at(place, "").help("name one value, or several to select from"));
        }
        if (range.is_some() && (selection || table.unknown)) || (selection && table.unknown) {
            let d = Diagnostic::error(
                Code::SpecInvalidValue,
                "`range` and `unknown` exclude each other and are for views of one value",
            );
            context.error(d.at(place, "").help("select among aliases that are views"));
        }
        function.values[id].kind = match (&found[..], range.flatten()) {
            ([one], Some(range)) => {
                ValueKind::View { base: *one, delta: Some(range.start), length: Some(range.len()) }
            }
            ([one], None) if table.unknown => {
                ValueKind::View { base: *one, delta: None, length: None }
            }
            ([one], None) => ValueKind::View { base: *one, delta: Some(0), length: None },
            _ => ValueKind::Select(found),
        };
    }
}

fn bind_carries(
    context: &mut Context,
    function: &mut Function,
    names: &Names,
    tables: &[LoopTable],
) {
    for (table, id) in tables.iter().zip(function.loops.ids()) {
        for (n, carry) in table.carries.iter().enumerate() {
            let init = names.find(context, &carry.init);
            let next = names.find(context, &carry.next);
            if let (Some(init), Some(next)) = (init, next) {
                let bound = &mut function.loops[id].carries[n];
                (bound.init, bound.next) = (init, next);
            }
        }
    }
}

fn bind_results(
    context: &mut Context,
    function: &mut Function,
    names: &Names,
    tables: &[BranchTable],
) {
    for (table, id) in tables.iter().zip(function.branches.ids()) {
        for (n, result) in table.results.iter().enumerate() {
            let then = names.find(context, &result.then);
            let otherwise = names.find(context, &result.otherwise);
            if let (Some(then), Some(otherwise)) = (then, otherwise) {
                let bound = &mut function.branches[id].results[n];
                (bound.then, bound.otherwise) = (then, otherwise);
            }
        }
    }
}

/// The values so that bases stand before their views and selections. Cycles, and chains of more
/// than [`MAX_DEPTH`] views, are errors.
fn dependency_order(context: &mut Context, function: &Function) -> Vec<ValueId> {
    let mut waiting: IdVec<ValueId, usize> = IdVec::filled(0, function.values.len());
    let mut users: IdVec<ValueId, Vec<ValueId>> = IdVec::filled(Vec::new(), function.values.len());
    for (id, value) in function.values.enumerate() {
        let bases = match &value.kind {
            ValueKind::View { base, .. } => std::slice::from_ref(base),
            ValueKind::Select(of) => of,
            _ => &[],
        };
        waiting[id] = bases.len();
        for &base in bases {
            users[base].push(id);
        }
    }
    let mut depth: IdVec<ValueId, usize> = IdVec::filled(0, function.values.len());
    let mut order: Vec<ValueId> = function.values.ids().filter(|&id| waiting[id] == 0).collect();
    let mut next = 0;
    while next < order.len() {
        let id = order[next];
        next += 1;
        for &user in &users[id] {
            depth[user] = depth[user].max(depth[id] + 1);
            waiting[user] -= 1;
            if waiting[user] == 0 {
                order.push(user);
            }
        }
    }
    if let Some(id) = function.values.ids().find(|&id| waiting[id] > 0) {
        let value = &function.values[id];
        let d = Diagnostic::error(
            Code::SpecAliasCycle,
            format!("alias `{}` is defined in terms of itself", value.name),
        );
        context.error(d.maybe_at(value.loc, ""));
    }
    if let Some(id) = order.iter().copied().find(|&id| depth[id] > MAX_DEPTH) {
        let value = &function.values[id];
        let d = Diagnostic::error(
            Code::SpecNestingTooDeep,
            format!("alias `{}` is a view of a view, more than {MAX_DEPTH} deep", value.name),
        );
        context.error(d.maybe_at(value.loc, ""));
    }
    order
}

/// Views of the rest of a buffer get the length that follows from it.
fn measure(function: &mut Function) {
    for id in function.values.ids() {
        let known = function.exact(id).map(|(_, range)| range.len());
        if let ValueKind::View { delta: Some(_), length: length @ None, .. } =
            &mut function.values[id].kind
        {
            *length = known;
        }
    }
}

/// What the ops say about buffers: who touches them, in which loop their slots rotate.
fn uses(context: &mut Context, function: &mut Function) {
    let order = Order::of(function);
    let mut touched: IdVec<BufferId, Vec<OpId>> = IdVec::filled(Vec::new(), function.buffers.len());
    let mut direct = touched.clone();
    for (id, op) in function.ops.enumerate() {
        for access in &op.accesses {
            // A carry or result is a reference that was made elsewhere and keeps its slot.
            for buffer in function.direct_roots(access.value) {
                direct[buffer].push(id);
            }
            for buffer in function.roots(access.value) {
                if touched[buffer].last() != Some(&id) {
                    touched[buffer].push(id);
                }
            }
        }
    }
    for id in function.buffers.ids() {
        let buffer = &function.buffers[id];
        let ops = &touched[id];
        if buffer.live.is_some() {
            if let Some(&op) = ops.first() {
                let d = Diagnostic::error(
                    Code::SpecTwoForms,
                    format!(
                        "buffer `{}` has `live`, and op `{}` touches it",
                        buffer.name, function.ops[op].name
                    ),
                );
                let d = d.maybe_at(buffer.loc, "").maybe_at(function.ops[op].loc, "touched here");
                context.error(d.help("leave `live` out: it is derived from the ops"));
            }
            continue;
        }
        if ops.is_empty() && buffer.class == LifetimeClass::Local {
            let message = format!("no op touches buffer `{}` and it has no `live`", buffer.name);
            if function.ops.is_empty() {
                let d = Diagnostic::error(Code::SpecNoLiveRange, message);
                let d = d.maybe_at(buffer.loc, "");
                context.error(d.help("write `live = [START, END]`, or ops that use it"));
            } else {
                let d = Diagnostic::warning(Code::SpecNoLiveRange, message);
                context.warnings.push(d.maybe_at(buffer.loc, "takes no bytes"));
            }
            continue;
        }
        rotation(context, function, &order, id, &direct[id]);
    }
}

fn rotation(
    context: &mut Context,
    function: &mut Function,
    order: &Order,
    id: BufferId,
    ops: &[OpId],
) {
    let buffer = &function.buffers[id];
    if buffer.slots == 1 || ops.is_empty() {
        return;
    }
    let around = order.common_loops(ops.iter().copied()).last().copied();
    let chain = Order::chain(function, around);
    match buffer.rotates_in {
        None if around.is_some() => function.buffers[id].rotates_in = around,
        Some(l) if chain.contains(&l) => {}
        given => {
            let why = match given {
                Some(l) => format!("is not used in loop `{}` alone", function.loops[l].name),
                None => "no loop holds all its ops".to_owned(),
            };
            let outside = ops.iter().copied().find(|&op| match given {
                Some(l) => !order.loops_of_op[op].contains(&l),
                None => order.loops_of_op[op].is_empty(),
            });
            let d = Diagnostic::error(
                Code::SpecSlotsWithoutLoop,
                format!("buffer `{}` has {} slots but {why}", buffer.name, buffer.slots),
            );
            let d = d.maybe_at(buffer.loc, "");
            let op = outside.and_then(|op| function.ops[op].loc);
            let d = d.maybe_at(op, "used outside here");
            context.error(d.help("trip `t` of the loop uses slot `t mod slots`"));
        }
    }
}

/// All buffers of a function together, every slot rounded up, fit 64 bits.
fn totals(context: &mut Context, function: &Function) {
    let mut total = 0u64;
    for buffer in function.buffers.iter() {
        let slot = buffer.size.0.checked_add(buffer.alignment);
        let pins = buffer.pin.iter().flatten().copied().max().unwrap_or(0);
        let all = slot
            .and_then(|s| s.checked_mul(u64::from(buffer.slots)))
            .and_then(|all| all.checked_add(pins));
        match all.and_then(|all| total.checked_add(all)) {
            Some(sum) => total = sum,
            None => {
                let d = Diagnostic::error(
                    Code::SpecSizeOverflow,
                    format!("with buffer `{}` the sum of sizes passes 64 bits", buffer.name),
                );
                context.error(d.maybe_at(buffer.loc, ""));
                return;
            }
        }
    }
}
