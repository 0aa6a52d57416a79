//! What follows from an input.

use super::buffers::{list, more};
use super::style::{BOLD, DIM, paint};
use super::table::{Side, Table};
use super::view::View;
use crate::format::json_inspect::{Function, Inspect, Scope};
use crate::report::words;

/// The facts of all functions.
pub fn inspect(view: View, facts: &Inspect) -> String {
    let mut out = String::new();
    for (at, function) in facts.functions.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        let name =
            format!("{}: function `{}`", words::name(&function.input), words::name(&function.name));
        out.push_str(&format!("{}\n", paint(BOLD, name)));
        for scope in &function.scopes {
            out.push_str(&headline(scope));
        }
        if view.quiet {
            continue;
        }
        steps(view, function, &mut out);
        buffers(view, function, &mut out);
        inplace(view, function, &mut out);
        for scope in &function.scopes {
            load(view, scope, &mut out);
        }
        out.push_str(&format!(
            "  {}\n",
            paint(DIM, format!("fingerprint {}", function.fingerprint))
        ));
    }
    out
}

fn headline(scope: &Scope) -> String {
    let name = words::name(&scope.name);
    let mut text = format!("{name}: load {}", words::bytes(scope.peak_load));
    if let Some(usable) = scope.usable {
        let percent = words::percent(scope.peak_load, usable);
        text.push_str(&format!(" of {} usable ({percent})", words::bytes(usable)));
    }
    let step = scope.at.step;
    match &scope.at.name {
        Some(name) => text.push_str(&format!(" at `{}` (step {step})\n", words::name(name))),
        None => text.push_str(&format!(" at step {step}\n")),
    }
    text
}

fn steps(view: View, function: &Function, out: &mut String) {
    if function.steps.is_empty() {
        return;
    }
    let mut table = Table::new(&[
        ("step", Side::Right),
        ("what", Side::Left),
        ("pipe", Side::Left),
        ("reads", Side::Left),
        ("writes", Side::Left),
    ]);
    let shown = view.rows(function.steps.len());
    for step in &function.steps[..shown] {
        let indent = usize::try_from(step.depth).unwrap_or(0).min(20) * 2;
        table.row(vec![
            step.step.to_string(),
            format!("{:indent$}{}", "", words::name(&step.name)),
            step.pipe.clone().unwrap_or_default(),
            names(&step.reads),
            names(&step.writes),
        ]);
    }
    out.push_str("  order\n");
    table.print(4, out);
    more(function.steps.len() - shown, "step", out);
}

fn names(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { list(names, |n| words::name(n)) }
}

fn buffers(view: View, function: &Function, out: &mut String) {
    if function.buffers.is_empty() {
        return;
    }
    let mut table = Table::new(&[
        ("buffer", Side::Left),
        ("scope", Side::Left),
        ("bytes", Side::Right),
        ("slots", Side::Right),
        ("live", Side::Left),
        ("pipes", Side::Left),
        ("class", Side::Left),
        ("home", Side::Left),
    ]);
    let shown = view.rows(function.buffers.len());
    for buffer in &function.buffers[..shown] {
        table.row(vec![
            words::name(&buffer.name),
            words::name(&buffer.scope),
            words::bytes(buffer.bytes),
            buffer.slots.to_string(),
            list(&buffer.live, |[start, end]| format!("[{start}, {end})")),
            names(&buffer.pipes),
            buffer.class.clone(),
            buffer.home.as_deref().map(words::name).unwrap_or_default(),
        ]);
    }
    out.push_str("  buffers\n");
    table.print(4, out);
    more(function.buffers.len() - shown, "buffer", out);
}

fn inplace(view: View, function: &Function, out: &mut String) {
    if function.inplace.is_empty() {
        return;
    }
    out.push_str("  may share in place\n");
    let name = |id: u32| {
        let buffer = function.buffers.iter().find(|b| b.id == id);
        buffer.map_or_else(|| format!("#{id}"), |b| words::name(&b.name))
    };
    let shown = view.rows(function.inplace.len());
    for pair in &function.inplace[..shown] {
        let why = match &pair.op {
            Some(op) => format!("at op `{}`", words::name(op)),
            None => "given".to_owned(),
        };
        out.push_str(&format!("    `{}` on `{}`, {why}\n", name(pair.into), name(pair.from)));
    }
    more(function.inplace.len() - shown, "pair", out);
}

/// One line for each step at which the load changes.
fn load(view: View, scope: &Scope, out: &mut String) {
    const CELLS: u64 = 40;
    if scope.load.is_empty() || scope.peak_load == 0 {
        return;
    }
    out.push_str(&format!("  load of {}\n", words::name(&scope.name)));
    let full = u128::from(scope.usable.unwrap_or(0).max(scope.peak_load));
    let digits = words::number(scope.peak_load).len();
    let shown = view.rows(scope.load.len());
    for [step, bytes] in &scope.load[..shown] {
        let cells = (u128::from(*bytes) * u128::from(CELLS)).div_ceil(full);
        let bar = "█".repeat(usize::try_from(cells).unwrap_or(0));
        let mark = if *bytes == scope.peak_load { " <- peak" } else { "" };
        let number = words::number(*bytes);
        out.push_str(&format!("    {step:>6}  {number:>digits$} B  {bar}{mark}\n"));
    }
    more(scope.load.len() - shown, "step", out);
}
