//! A function's page: the load first, then the order, the buffers, the pairs, the peak, the reasons.

use super::super::style::{BOLD, DIM, paint};
use super::super::view::View;
use super::names::Names;
use super::{buffers, load, order, pairs, sharing};
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
        page(view, function, &mut out);
        out.push_str(&format!(
            "  {}\n",
            paint(DIM, format!("fingerprint {}", function.fingerprint))
        ));
    }
    out
}

fn page(view: View, function: &Function, out: &mut String) {
    let names = Names::new(function);
    // Who asks about some buffers does not ask about the rest.
    let all = function.selected.is_empty();
    if all {
        order::steps(view, function, out);
        order::moments(view, function, out);
    }
    buffers::table(view, function, &names, out);
    buffers::why(view, function, &names, out);
    buffers::rederived(view, function, &names, out);
    buffers::aliases(view, function, &names, out);
    pairs::together(view, function, &names, out);
    pairs::inplace(view, function, &names, out);
    pairs::near_misses(view, function, &names, out);
    if all {
        for scope in &function.scopes {
            load::curve(view, function, scope, out);
            load::peak(view, scope, out);
        }
    }
    sharing::table(view, function, &names, out);
}

fn headline(scope: &Scope) -> String {
    let name = words::name(&scope.name);
    let mut text = format!("{name}: load {}", words::bytes(scope.peak_load));
    if let Some(usable) = scope.usable {
        let percent = words::percent(scope.peak_load, usable);
        text.push_str(&format!(" of {} usable ({percent})", words::bytes(usable)));
        if let Some(capacity) = scope.capacity.filter(|c| *c != usable) {
            text.push_str(&format!(", capacity {}", words::bytes(capacity)));
        }
    }
    let step = scope.at.step;
    match &scope.at.name {
        Some(name) => text.push_str(&format!(" at `{}` (step {step})\n", words::name(name))),
        None => text.push_str(&format!(" at step {step}\n")),
    }
    text
}
