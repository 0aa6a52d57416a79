//! Workspaces: allocs keep their op and get their offsets.

use super::Rewrite;
use super::edits::Edits;
use super::names::Constants;
use super::statement::{last_type, location};
use crate::ir::mlir::OpId;

impl Rewrite<'_> {
    pub(super) fn workspace(&self, edits: &mut Edits) {
        let mut constants = Constants::new(self.function, "index");
        for (op, ir) in self.function.ops.enumerate() {
            let Some(offsets) = self.offsets.get(&op) else { continue };
            let [sizes, from, given] = segments(self.function, op);
            if given > 0 {
                continue;
            }
            let names: Vec<String> = offsets.iter().map(|o| constants.name(*o)).collect();
            let loc = ir.loc;
            let statement = &self.text[loc.start as usize..loc.end as usize];
            let name = |n: usize| {
                ir.operands
                    .get(n)
                    .map_or(String::new(), |o| format!("%{}", self.function.values[o.value].name))
            };
            let dynamic: Vec<String> = (0..sizes).map(name).collect();
            let argument = if from > 0 { format!(" from {}", name(sizes)) } else { String::new() };
            let types = types(statement, self.function, op);
            let result = ir.results.first().map_or("", |v| &self.function.values[*v].name);
            let new = format!(
                "%{result} = memref_ext.alloc_workspace({}){argument} offset = [{}] : {types}{}",
                dynamic.join(", "),
                names.join(", "),
                location(statement),
            );
            edits.replace(loc.start as usize, loc.end as usize, new);
        }
        self.constants(edits, &constants);
    }
}

/// Operands of the three groups: sizes, the argument, offsets.
fn segments(function: &crate::ir::mlir::Function, op: OpId) -> [usize; 3] {
    let ir = &function.ops[op];
    let given = ir.attrs.get("segments").and_then(|a| a.ints()).unwrap_or_default();
    let at = |n: usize| given.get(n).and_then(|c| usize::try_from(*c).ok());
    match (at(0), at(1), at(2)) {
        (Some(a), Some(b), Some(c)) => [a, b, c],
        _ => [0, ir.operands.len().min(1), 0],
    }
}

/// `from T to M` as written, or put together from the generic form.
fn types<'a>(
    statement: &'a str,
    function: &crate::ir::mlir::Function,
    op: OpId,
) -> std::borrow::Cow<'a, str> {
    if let Some(at) = statement.rfind(": from ") {
        let rest = statement[at + 2..].trim_end();
        let end = rest.len() - location(statement).trim_end().len().min(rest.len());
        return rest[..end].trim_end().into();
    }
    // `: (A, ..) -> M`: the argument's type is the one of its group.
    let [sizes, ..] = segments(function, op);
    let to = last_type(statement).unwrap_or_default();
    let from = statement.rfind("->").and_then(|end| {
        let start = statement[..end].rfind(": (")? + 3;
        let inside = statement[start..end].trim_end().trim_end_matches(')');
        Some(split(inside).into_iter().nth(sizes)?.trim().to_owned())
    });
    format!("from {} to {to}", from.unwrap_or_default()).into()
}

/// A list of types at its top-level commas.
fn split(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut out) = (0usize, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(&list[start..]);
    out
}
