//! The budget file with what kernels take now.
//!
//! The text is edited, not made anew: comments, order, settings, allowances and entries of other kernels
//! stay as they are, and so do numbers that are right however they are written.

use std::borrow::Cow;

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, TableLike, Value};

use super::effects::amount;
use super::limits::Limits;
use crate::format::budget::{Entry, LevelLimit, Limit, VERSION};
use crate::model::{Amount, Kernel, KernelScope, Measure};

/// What a new budget file begins with.
const HEAD: &str = "\
# What each kernel may take. `memplan verify INPUT... --budget FILE` holds kernels to it, and with
# `--update-budget` writes what they take. Settings and patterns: docs/GATE.md.
";

/// A budget file with the measured numbers of `kernels`. `text` is the file as it is, of which `limits` was
/// read; none where there is no file yet.
///
/// An entry keeps its measures: one that somebody took out is not put back. What a pattern says is not
/// repeated, and patterns are never changed. Scopes without a plan are left as they are.
///
/// # Errors
/// A sentence without an end when the text is not what `limits` was read from.
pub fn updated(text: Option<&str>, limits: &Limits, kernels: &[Kernel]) -> Result<String, String> {
    let text = text.map_or_else(|| format!("{HEAD}version = {VERSION}\n"), str::to_owned);
    let mut document: DocumentMut =
        text.parse().map_err(|e: toml_edit::TomlError| e.message().to_owned())?;
    let mut tables = match document.remove("kernel") {
        None => ArrayOfTables::new(),
        Some(item) if item.as_array().is_some_and(toml_edit::Array::is_empty) => {
            ArrayOfTables::new()
        }
        Some(item) => {
            item.into_array_of_tables().map_err(|_| "`kernel` is not `[[kernel]]`".to_owned())?
        }
    };
    if tables.len() != limits.budget.entries.len() {
        return Err("the budget file changed meanwhile".to_owned());
    }
    let mut entries: Vec<Option<Entry>> = limits.budget.entries.iter().cloned().map(Some).collect();
    let mut moved = limits.moved(kernels, true);
    let key = |k: &Kernel| (limits.base.name(&k.input), k.name.clone());
    let keys: Vec<(String, String)> = kernels.iter().map(key).collect();
    let mut order: Vec<usize> = (0..kernels.len()).collect();
    order.sort_by_key(|&at| &keys[at]);
    // Functions of one name in one input have one entry: it holds the most that any of them takes.
    for same in order.chunk_by(|&a, &b| keys[a] == keys[b]) {
        let kernel = same[0];
        let (name, function) = &keys[kernel];
        let moved = moved[kernel].take();
        let held = limits.of(&kernels[kernel], false, moved);
        let own = |e: &Entry| !e.is_pattern() && e.function.is_some();
        let index = held.entries.iter().rev().find(|&&at| own(&limits.budget.entries[at])).copied();
        let policy = limits.laid(&kernels[kernel], false, moved, index);
        // Entries that were put in shift those of the file.
        let at = index.and_then(|index| place_of(&entries, index, limits));
        let fresh = at.is_none();
        let at = at.unwrap_or_else(|| {
            let at = place_for(&tables, name, function);
            let mut table = Table::new();
            table.insert("input", name.as_str().into());
            table.insert("function", function.as_str().into());
            tables.insert(at, table);
            entries.insert(at, None);
            at
        });
        let Some(table) = tables.get_mut(at) else { continue };
        if moved.is_some() {
            set(table, "input", name.as_str().into());
        }
        for scope in &most(same.iter().map(|&at| &kernels[at])) {
            let known = entries[at].as_ref().and_then(|e| e.scopes.get(&scope.name));
            let above = policy.scopes.get(scope.name.as_str());
            write_scope(table, scope, known, above);
        }
        // Patterns say it all, or there is no plan.
        if fresh && !table.contains_key("scope") {
            tables.remove(at);
            entries.remove(at);
        }
    }
    finish(document, tables)
}

/// What the largest of several kernels takes in each scope that has a plan.
fn most<'a>(kernels: impl Iterator<Item = &'a Kernel>) -> Vec<Cow<'a, KernelScope>> {
    let mut scopes: Vec<Cow<'a, KernelScope>> = Vec::new();
    for scope in kernels.flat_map(|k| &k.scopes).filter(|s| s.peak.is_some()) {
        let Some(most) = scopes.iter_mut().find(|most| most.name == scope.name) else {
            scopes.push(Cow::Borrowed(scope));
            continue;
        };
        let most = most.to_mut();
        most.peak = most.peak.max(scope.peak);
        most.stalls = most.stalls.max(scope.stalls);
        most.owed = most.owed.max(scope.owed);
        // Where one shares bytes at no level, the level of both is not known.
        if amount(scope, Measure::Level).is_none() {
            most.buffers.clone_from(&scope.buffers);
        }
        most.level = most.level.max(scope.level);
    }
    scopes
}

/// Where the entry of the file with this number stands by now.
fn place_of(entries: &[Option<Entry>], index: usize, limits: &Limits) -> Option<usize> {
    let wanted = &limits.budget.entries[index];
    entries.iter().position(|e| e.as_ref() == Some(wanted))
}

/// Where a new entry belongs: before the first of a later name; patterns stay where they are.
fn place_for(tables: &ArrayOfTables, name: &str, function: &str) -> usize {
    let word =
        |table: &Table, key| table.get(key).and_then(Item::as_str).unwrap_or_default().to_owned();
    let later = |table: &Table| {
        let input = word(table, "input");
        let pattern = input.is_empty() || input.contains(['*', '?']);
        !pattern && (input.as_str(), word(table, "function").as_str()) > (name, function)
    };
    tables.iter().position(later).unwrap_or(tables.len())
}

/// Writes what a scope takes. `known` is what the entry says, `above` what patterns say.
fn write_scope(
    table: &mut Table,
    scope: &KernelScope,
    known: Option<&Limit>,
    above: Option<&Limit>,
) {
    let writes = |old: Option<Option<()>>, above: Option<()>| match old {
        // The entry has the scope: it keeps its measures.
        Some(measure) => measure.is_some(),
        None => above.is_none(),
    };
    let unit = |some: bool| some.then_some(());
    let plan = |is: &dyn Fn(&Limit) -> bool| {
        writes(known.map(|k| unit(is(k))), above.and_then(|a| unit(is(a))))
    };
    let number = |n: Option<u64>| n.map(|n| Value::from(i64::try_from(n).unwrap_or(i64::MAX)));
    let (same_level, level) = level(scope, known);
    let rows: [(&str, bool, bool, Option<Value>); 4] = [
        (
            "peak",
            plan(&|l| l.peak.is_some()),
            known.is_some_and(|k| k.peak == scope.peak),
            number(scope.peak),
        ),
        ("level", plan(&|l| l.level.is_some()), same_level, level),
        (
            "stalls",
            plan(&|l| l.stalls.is_some()),
            known.is_some_and(|k| k.stalls == scope.stalls),
            number(scope.stalls),
        ),
        (
            "owed",
            plan(&|l| l.owed.is_some()),
            known.is_some_and(|k| k.owed == scope.owed),
            number(scope.owed),
        ),
    ];
    if rows.iter().all(|(_, writes, same, value)| !writes || *same || value.is_none()) {
        return;
    }
    let scopes = table.entry("scope").or_insert_with(|| {
        let mut scopes = Table::new();
        scopes.set_implicit(true);
        Item::Table(scopes)
    });
    let Some(scopes) = scopes.as_table_like_mut() else { return };
    if !scopes.contains_key(&scope.name) {
        scopes.insert(&scope.name, Item::Table(Table::new()));
    }
    let limits = scopes.get_mut(&scope.name).and_then(Item::as_table_like_mut);
    let Some(limits) = limits else { return };
    for (key, _, _, value) in rows.into_iter().filter(|(_, writes, same, _)| *writes && !same) {
        if let Some(value) = value {
            set(limits, key, value);
        }
    }
}

/// Whether the entry says the level already, and the word for it; none where levels do not apply.
fn level(scope: &KernelScope, known: Option<&Limit>) -> (bool, Option<Value>) {
    let now = amount(scope, Measure::Level);
    let same = known.is_some_and(|k| k.level.map(LevelLimit::amount) == now);
    let word = match now {
        Some(Amount::Level(level)) => Some(level.name()),
        Some(Amount::NothingShared) => Some("none"),
        _ => None,
    };
    (same, word.map(Value::from))
}

/// Sets a value and keeps the comment behind it.
fn set(table: &mut dyn TableLike, key: &str, mut value: Value) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        None => {
            table.insert(key, Item::Value(value));
        }
    }
}

/// Puts the kernels behind everything else, in their order.
fn finish(mut document: DocumentMut, mut tables: ArrayOfTables) -> Result<String, String> {
    let mut next = 0;
    for (_, item) in document.as_table_mut().iter_mut() {
        number(item, &mut next);
    }
    for table in tables.iter_mut() {
        number_table(table, &mut next);
    }
    let count = tables.len();
    if count > 0 {
        document.insert("kernel", Item::ArrayOfTables(tables));
    }
    let text = document.to_string();
    // What is written is read again before anybody relies on it.
    let again: DocumentMut =
        text.parse().map_err(|e: toml_edit::TomlError| e.message().to_owned())?;
    let written =
        again.get("kernel").and_then(Item::as_array_of_tables).map_or(0, ArrayOfTables::len);
    if written == count { Ok(text) } else { Err("the budget file cannot be edited".to_owned()) }
}

fn number(item: &mut Item, next: &mut isize) {
    match item {
        Item::Table(table) => number_table(table, next),
        Item::ArrayOfTables(tables) => tables.iter_mut().for_each(|t| number_table(t, next)),
        Item::None | Item::Value(_) => {}
    }
}

fn number_table(table: &mut Table, next: &mut isize) {
    *next += 1;
    table.set_position(Some(*next));
    for (_, item) in table.iter_mut() {
        number(item, next);
    }
}
