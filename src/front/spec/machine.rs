//! The machine of a spec: the target's scopes and pipes, and what the spec overrides.

use std::collections::BTreeMap;

use super::Targets;
use super::context::Context;
use super::targets::{self, Target};
use crate::diag::{Code, Diagnostic, Loc, Sources};
use crate::format::spec::{PartitionTable, PipeWord, ScopeTable, Spec};
use crate::format::values::Size;
use crate::model::{
    ByteRange, Capacity, IdVec, Partition, Pipe, PipeId, PipeKind, Reserved, Scope, ScopeId,
    TargetInfo,
};

/// Scopes by name and alias.
#[derive(Default)]
pub(crate) struct ScopeNames {
    by_name: BTreeMap<String, ScopeId>,
    /// Scopes that the spec itself declares, in order, with the places of their names.
    own: Vec<(ScopeId, Loc)>,
    /// True when scopes are missing because of an error that is told elsewhere.
    broken: bool,
}

impl ScopeNames {
    pub(crate) fn find(&self, name: &str) -> Option<ScopeId> {
        let exact = self.by_name.get(name);
        exact.or_else(|| self.by_name.get(&name.to_ascii_lowercase())).copied()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// The scope of buffers that name none: the only one that the spec declares.
    pub(crate) fn only(&self) -> Option<ScopeId> {
        match self.own[..] {
            [(one, _)] => Some(one),
            _ => None,
        }
    }

    /// True when a name may be unknown because of an error that is told elsewhere.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken
    }
}

/// The machine of a spec.
pub(crate) struct Machine {
    pub(crate) info: Option<TargetInfo>,
    pub(crate) scopes: IdVec<ScopeId, Scope>,
    pub(crate) pipes: IdVec<PipeId, Pipe>,
    pub(crate) names: ScopeNames,
}

/// Reads the target, then applies `[[scope]]`, `[[pipe]]` and `[[partition]]`.
pub(crate) fn machine(
    context: &mut Context,
    sources: &mut Sources,
    spec: &Spec,
    asked: Option<&str>,
    loader: &mut dyn Targets,
) -> Machine {
    let before = context.errors.len();
    let target = target(context, sources, spec, asked, loader);
    let broken = context.errors.len() > before;
    let mut machine = match target {
        Some(target) => from_target(target),
        None => Machine {
            info: None,
            scopes: IdVec::new(),
            pipes: usual_pipes(),
            names: ScopeNames::default(),
        },
    };
    machine.names.broken = broken;
    for table in &spec.scope {
        scope(context, &mut machine, table);
    }
    for table in &spec.pipe {
        let kind = match table.kind {
            PipeWord::Dma => PipeKind::Dma,
            PipeWord::Vector => PipeKind::Vector,
            PipeWord::Cube => PipeKind::Cube,
            PipeWord::Scalar => PipeKind::Scalar,
        };
        let name = table.name.get_ref();
        match machine.pipes.iter_mut().find(|p| p.name.eq_ignore_ascii_case(name)) {
            Some(pipe) => pipe.kind = kind,
            None => {
                machine.pipes.push(Pipe { name: name.clone(), kind });
            }
        }
    }
    for table in &spec.partition {
        partition(context, &mut machine, table);
    }
    for scope in machine.scopes.iter_mut() {
        scope.partitions.sort_by_key(|p| p.range);
        let clash = scope.partitions.windows(2).find(|w| w[0].range.overlap(w[1].range).is_some());
        if let Some(pair) = clash {
            let d = Diagnostic::error(
                Code::SpecBadScope,
                format!("partitions {} and {} overlap", pair[0].range, pair[1].range),
            );
            let d = d.maybe_at(pair[1].loc, "").maybe_at(pair[0].loc, "");
            context.error(d);
        }
    }
    if machine.scopes.is_empty() && !broken {
        machine.names.broken = true;
        let d = Diagnostic::error(Code::SpecMissingKey, "the spec has no scope");
        let d = d.at(context.place(&spec.version), "");
        context.error(d.help("write `target = \"ascend910b\"`, or `[[scope]] name = \"ub\"`"));
    }
    machine
}

fn target(
    context: &mut Context,
    sources: &mut Sources,
    spec: &Spec,
    asked: Option<&str>,
    loader: &mut dyn Targets,
) -> Option<Target> {
    let profile = spec.profile.as_ref().filter(|_| loader.profile().is_none());
    let name =
        asked.map(str::to_owned).or_else(|| spec.target.as_ref().map(|t| t.get_ref().clone()));
    let Some(name) = name else {
        if let Some(profile) = profile {
            let d = Diagnostic::error(Code::SpecMissingKey, "a `profile` without a `target`");
            let d = d.at(context.place(profile), "");
            context.error(d);
        }
        return None;
    };
    let own = spec.target.as_ref().filter(|_| asked.is_none());
    let place = own.map(|t| context.place(t));
    let file = match loader.load(sources, &name) {
        Ok(file) => file,
        Err(d) => {
            context.error(if d.labels.is_empty() { d.maybe_at(place, "") } else { d });
            return None;
        }
    };
    let word = loader.profile().or_else(|| profile.map(|p| p.get_ref().as_str()));
    match targets::read(sources, file, word) {
        Ok(target) => Some(target),
        Err(errors) => {
            let here = profile.map(|p| context.place(p)).or(place);
            for d in errors {
                context.error(if d.labels.is_empty() { d.maybe_at(here, "") } else { d });
            }
            None
        }
    }
}

fn from_target(target: Target) -> Machine {
    let mut names = ScopeNames::default();
    for (id, scope) in target.scopes.enumerate() {
        names.by_name.insert(scope.name.clone(), id);
    }
    for (alias, id) in &target.aliases {
        names.by_name.entry(alias.clone()).or_insert(*id);
    }
    Machine { info: Some(target.info), scopes: target.scopes, pipes: target.pipes, names }
}

/// The pipes of an Ascend core; a spec without a target may name them.
fn usual_pipes() -> IdVec<PipeId, Pipe> {
    let kinds = [
        ("MTE1", PipeKind::Dma),
        ("MTE2", PipeKind::Dma),
        ("MTE3", PipeKind::Dma),
        ("V", PipeKind::Vector),
        ("M", PipeKind::Cube),
        ("FIX", PipeKind::Dma),
        ("S", PipeKind::Scalar),
    ];
    kinds.into_iter().map(|(name, kind)| Pipe { name: name.to_owned(), kind }).collect()
}

fn scope(context: &mut Context, machine: &mut Machine, table: &ScopeTable) {
    let name = table.name.get_ref();
    let known = machine.names.find(name);
    let id = match known {
        Some(id) => id,
        None => {
            let id = machine.scopes.push(Scope {
                name: name.clone(),
                capacity: Capacity::Unbounded,
                alignment: 1,
                round_up: false,
                reserved: Vec::new(),
                partitions: Vec::new(),
                source: None,
                loc: None,
            });
            machine.names.by_name.insert(name.clone(), id);
            id
        }
    };
    if let Some((_, first)) = machine.names.own.iter().find(|(own, _)| *own == id) {
        let d =
            Diagnostic::error(Code::SpecDuplicateName, format!("scope `{name}` is defined twice"));
        let d = d.at(context.place(&table.name), "again here").at(*first, "first here");
        context.error(d);
        return;
    }
    machine.names.own.push((id, context.place(&table.name)));
    let scope = &mut machine.scopes[id];
    scope.loc = Some(context.place(&table.name));
    if let Some(key) = &table.capacity {
        let unbounded = matches!(key.get_ref(), Size::Text(text) if text == "unbounded");
        let capacity = if unbounded {
            Some(Capacity::Unbounded)
        } else {
            context.size("the capacity", key).map(Capacity::Bytes)
        };
        scope.capacity = capacity.unwrap_or(Capacity::Unbounded);
        scope.loc = Some(context.place(key));
    }
    if let Some(key) = &table.alignment {
        scope.alignment = context.positive("the alignment", key).unwrap_or(1);
    }
    if let Some(key) = &table.round_up {
        scope.round_up = *key.get_ref();
    }
    if let Some(key) = &table.reserved {
        let ranges = context.ranges("the reserved range", key).unwrap_or_default();
        let past = |r: &&ByteRange| scope.bytes().is_some_and(|bytes| r.end > bytes);
        if let Some(range) = ranges.iter().find(past) {
            let d = Diagnostic::error(
                Code::SpecBadScope,
                format!("the reserved range {range} ends past the capacity of `{}`", scope.name),
            );
            context.error(d.at(context.place(key), ""));
        }
        scope.reserved = ranges.into_iter().map(|range| Reserved { range, why: None }).collect();
    }
    if let Some(key) = &table.usable {
        usable(context, scope, key);
    }
    merge_reserved(scope);
}

fn usable(context: &mut Context, scope: &mut Scope, key: &toml::Spanned<Size>) {
    let Some(usable) = context.size("the usable capacity", key) else { return };
    let Some(capacity) = scope.bytes() else {
        scope.capacity = Capacity::Bytes(usable);
        return;
    };
    if usable > capacity {
        let d = Diagnostic::error(
            Code::SpecBadScope,
            format!("{usable} bytes are usable but the capacity is {capacity}"),
        );
        let d = d.at(context.place(key), "");
        context.error(d);
    } else if usable < capacity {
        let range = ByteRange::new(usable, capacity);
        scope.reserved.push(Reserved { range, why: Some("not usable".to_owned()) });
    }
}

/// Sorts, and joins ranges that overlap or touch.
fn merge_reserved(scope: &mut Scope) {
    scope.reserved.sort_by_key(|r| r.range);
    let mut out: Vec<Reserved> = Vec::with_capacity(scope.reserved.len());
    for reserved in std::mem::take(&mut scope.reserved) {
        match out.last_mut() {
            Some(last) if reserved.range.start <= last.range.end => {
                last.range.end = last.range.end.max(reserved.range.end);
            }
            _ => out.push(reserved),
        }
    }
    scope.reserved = out;
}

fn partition(context: &mut Context, machine: &mut Machine, table: &PartitionTable) {
    let Some(id) = machine.names.find(table.scope.get_ref()) else {
        let known: Vec<String> = machine.names.names().map(str::to_owned).collect();
        if !machine.names.broken {
            context.unknown("scope", &table.scope, known.iter().map(String::as_str));
        }
        return;
    };
    // A part that makes no sense is told once; its owner is known all the same.
    let range = context.range("the partition", &table.range).unwrap_or(ByteRange::new(0, 0));
    let scope = &mut machine.scopes[id];
    if let Some(capacity) = scope.bytes()
        && range.end > capacity
    {
        let d = Diagnostic::error(
            Code::SpecBadScope,
            format!("partition {range} ends past the capacity {capacity}"),
        );
        let d = d.at(context.place(&table.range), "");
        context.error(d);
    }
    let loc = Some(context.place(&table.range));
    scope.partitions.push(Partition { owner: table.owner.get_ref().clone(), range, loc });
}
