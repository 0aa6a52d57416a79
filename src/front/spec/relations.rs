//! Rules about pairs of buffers.

use super::colocated::Colocated;
use super::context::{Context, count};
use super::names::Names;
use crate::diag::{Code, Diagnostic};
use crate::format::spec::{RelationTable, RelationWord};
use crate::model::{BufferId, Function, Problem, Relation, RelationKind, ValueKind};

/// Adds the relations of a function.
pub(crate) fn lower(
    context: &mut Context,
    problem: &Problem,
    function: &mut Function,
    names: &Names,
    tables: &[RelationTable],
) {
    for table in tables {
        let first = buffer(context, function, names, &table.a);
        let second = buffer(context, function, names, &table.b);
        let (Some(first), Some(second)) = (first, second) else { continue };
        let delta = table.delta.as_ref().map(|d| context.size("the delta", d).unwrap_or(0));
        let kind = match table.kind {
            RelationWord::Colocate => RelationKind::Colocate { delta: delta.unwrap_or(0) },
            RelationWord::Inplace => RelationKind::Inplace,
            RelationWord::Separate => RelationKind::Separate,
            RelationWord::Exclusive => RelationKind::Exclusive,
        };
        let loc = context.place(&table.a);
        let relation = Relation { kind, first, second, why: table.why.clone(), loc: Some(loc) };
        let wrong = problem_with(problem, function, &relation, delta);
        match wrong {
            None => function.relations.push(relation),
            Some((code, message)) => {
                let second = context.place(&table.b);
                context.error(Diagnostic::error(code, message).at(loc, "").at(second, ""));
            }
        }
    }
    together(context, function);
}

/// What several relations say together: the same bytes at two distances, or the same bytes and
/// never the same.
fn together(context: &mut Context, function: &Function) {
    let mut groups = Colocated::new(function);
    let name = |id: BufferId| &function.buffers[id].name;
    for relation in &function.relations {
        let RelationKind::Colocate { delta } = relation.kind else { continue };
        if !groups.join(relation.first, relation.second, delta) {
            let (a, b) = (name(relation.first), name(relation.second));
            let message = format!("`{a}` and `{b}` already are the same bytes at another distance");
            let d = Diagnostic::error(Code::SpecBadRelation, message);
            context.error(d.maybe_at(relation.loc, ""));
        }
    }
    for relation in function.relations.iter().filter(|r| r.kind == RelationKind::Separate) {
        let Some(distance) = groups.distance(relation.first, relation.second) else { continue };
        let (a, b) = (&function.buffers[relation.first], &function.buffers[relation.second]);
        if distance < i128::from(a.size.0) && -distance < i128::from(b.size.0) {
            let message = format!("`{}` and `{}` must share bytes and must not", a.name, b.name);
            let d = Diagnostic::error(Code::SpecBadRelation, message);
            let d = d.maybe_at(relation.loc, "must not by this");
            context.error(d.help("`colocate` makes them the same bytes, perhaps through others"));
        }
    }
}

fn buffer(
    context: &mut Context,
    function: &Function,
    names: &Names,
    name: &toml::Spanned<String>,
) -> Option<BufferId> {
    let value = names.find(context, name)?;
    if let ValueKind::Buffer(id) = function.values[value].kind {
        return Some(id);
    }
    let d =
        Diagnostic::error(Code::SpecBadRelation, format!("`{}` is not a buffer", name.get_ref()));
    let d = d.at(context.place(name), "").help("relations are between buffers");
    context.error(d);
    None
}

fn problem_with(
    problem: &Problem,
    function: &Function,
    relation: &Relation,
    delta: Option<u64>,
) -> Option<(Code, String)> {
    let (a, b) = (&function.buffers[relation.first], &function.buffers[relation.second]);
    let kind = relation.kind.name();
    let scope = |id| problem.scopes.get(id).map_or("", |s| s.name.as_str());
    if relation.first == relation.second {
        let message = format!("`{}` is in a `{kind}` relation with itself", a.name);
        return Some((Code::SpecBadRelation, message));
    }
    if delta.is_some() && !matches!(relation.kind, RelationKind::Colocate { .. }) {
        let message = format!("`delta` is for `colocate`, not for `{kind}`");
        return Some((Code::SpecBadRelation, message));
    }
    match relation.kind {
        RelationKind::Inplace if a.scope != b.scope => Some((
            Code::SpecInplaceAcrossScopes,
            format!(
                "`{}` is in {} and `{}` in {}: they cannot share bytes",
                a.name,
                scope(a.scope),
                b.name,
                scope(b.scope)
            ),
        )),
        RelationKind::Inplace if b.size > a.size => Some((
            Code::SpecInplaceLarger,
            format!(
                "`{}` has {} bytes and cannot take the {} bytes of `{}`",
                b.name, b.size.0, a.size.0, a.name
            ),
        )),
        RelationKind::Colocate { .. } if a.scope != b.scope => Some((
            Code::SpecBadRelation,
            format!(
                "`{}` is in {} and `{}` in {}: they cannot be the same bytes",
                a.name,
                scope(a.scope),
                b.name,
                scope(b.scope)
            ),
        )),
        RelationKind::Colocate { .. } if a.slots != b.slots => Some((
            Code::SpecBadRelation,
            format!(
                "`{}` has {} and `{}` has {}: they cannot be the same bytes",
                a.name,
                count(a.slots.into(), "slot"),
                b.name,
                b.slots
            ),
        )),
        RelationKind::Colocate { .. } if a.unique || b.unique => Some((
            Code::SpecBadRelation,
            format!(
                "`{}` is `unique` and shares with nobody",
                if a.unique { &a.name } else { &b.name }
            ),
        )),
        _ => None,
    }
}
