//! The errors of the compiler's pass on stderr, as the compiler prints them:
//! `loc("kernel.mlir":2:3): error: ub overflow, requires ..`.

use crate::diag::{Loc, Sources};
use crate::ir::hivm::{PassKind, PassOptions};
use crate::model::{Answer, Bytes, PassError, Problem};

/// One line for each error of an answer; empty for answers that are not the pass's.
pub(super) fn lines(answer: &Answer, sources: &Sources) -> String {
    let errors = answer.functions.iter().flat_map(|f| &f.errors).filter(|e| !e.text.is_empty());
    errors.map(|error| line(error, sources)).collect()
}

/// What `enable-print-memory-allocated-size` of the regbase pass prints for each planned function.
pub(super) fn sizes(answer: &Answer, problem: &Problem, options: &PassOptions) -> String {
    if !options.print_size || options.pass != PassKind::Regbase {
        return String::new();
    }
    let ub = answer
        .functions
        .iter()
        .flat_map(|f| &f.scopes)
        .filter(|s| s.strategy.starts_with("hivm") && problem.scopes[s.scope].name == "ub");
    let lines = ub.filter_map(|s| {
        let bits = Bytes(s.peak?).bits();
        Some(format!("[AscendNPU IR] Allocated UB size = {bits} bits \n"))
    });
    lines.collect()
}

fn line(error: &PassError, sources: &Sources) -> String {
    let place = match (&error.printed_loc, error.loc) {
        (Some(printed), _) => format!("loc({printed}): "),
        (None, Some(loc)) => {
            place(loc, sources).map_or_else(String::new, |p| format!("loc({p}): "))
        }
        (None, None) => String::new(),
    };
    format!("{place}error: {}\n", error.text)
}

/// `"file":line:column` of the name of the op, as MLIR gives it.
fn place(loc: Loc, sources: &Sources) -> Option<String> {
    let source = sources.get(loc.file)?;
    let (start, end) = (loc.start as usize, loc.end as usize);
    let statement = source.text.get(start..end)?;
    let at = if statement.starts_with('%') {
        // `%0 = memref.alloc()`: the op stands behind the sign.
        let sign = statement.find('=').map_or(0, |at| at + 1);
        let blanks = statement[sign..].len() - statement[sign..].trim_start().len();
        start + sign + blanks
    } else if statement.starts_with('@') {
        // A function is known by its symbol; the op begins before it.
        let line = source.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let before = &source.text[line..start];
        before.find("func").map_or(start, |at| line + at)
    } else {
        start
    };
    let (line, column) = source.line_column(u32::try_from(at).unwrap_or(u32::MAX));
    Some(format!("{:?}:{line}:{column}", source.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::FileId;

    #[test]
    fn places_are_those_of_the_ops() {
        let mut sources = Sources::default();
        let text = "module {\n  func.func @f() {\n    %0 = memref.alloc()\n";
        let file: FileId = sources.add("k.mlir", text);
        let of = |what: &str| {
            let start = text.find(what).unwrap_or(0);
            let range = |n: usize| u32::try_from(n).unwrap_or(0);
            Loc { file, start: range(start), end: range(start + what.len()) }
        };
        assert_eq!(place(of("@f"), &sources).as_deref(), Some("\"k.mlir\":2:3"));
        assert_eq!(place(of("%0 = memref.alloc()"), &sources).as_deref(), Some("\"k.mlir\":3:10"));
    }
}
