//! The plan file (`format::plan` describes it).

use std::fmt::Write;

use crate::format::plan::VERSION;
use crate::model::{FunctionPlan, Placement, Plan};

/// A plan as TOML: the same plan gives the same text. `header` are the lines of a comment at the
/// top, without their `#`.
pub fn plan(plan: &Plan, header: &[String]) -> String {
    let mut out = String::new();
    for line in header {
        // A line end or a control character (in a path, say) would end the comment or be no TOML.
        let line: String = line.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
        let _ = writeln!(out, "# {line}");
    }
    let _ = writeln!(out, "version = {VERSION}");
    for function in &plan.functions {
        let _ = write!(out, "\n[[function]]\nname = {}\n", quoted(&function.name));
        if let Some(fingerprint) = &function.fingerprint {
            let _ = writeln!(out, "fingerprint = {}", quoted(fingerprint));
        }
    }
    let several = plan.functions.len() > 1;
    for function in &plan.functions {
        for placement in &function.placements {
            buffer(function, placement, several, &mut out);
        }
    }
    out
}

fn buffer(function: &FunctionPlan, placement: &Placement, several: bool, out: &mut String) {
    out.push_str("\n[[buffer]]\n");
    if several {
        let _ = writeln!(out, "function = {}", quoted(&function.name));
    }
    let _ = writeln!(out, "name = {}", quoted(&placement.name));
    if let Some(id) = placement.id {
        let _ = writeln!(out, "id = {id}");
    }
    if let Some(scope) = &placement.scope {
        let _ = writeln!(out, "scope = {}", quoted(scope));
    }
    let offsets: Vec<String> = placement.offsets.iter().map(u64::to_string).collect();
    let _ = writeln!(out, "offsets = [{}]", offsets.join(", "));
}

/// A TOML basic string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
