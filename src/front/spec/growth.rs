//! With which dimensions a buffer grows: the key `scales`.

use super::context::{Context, count};
use crate::diag::{Code, Diagnostic};
use crate::format::spec::BufferTable;
use crate::model::{BufferId, Growth};

/// The word for a dimension of a shape that stays as it is.
const STAYS: &str = "_";

/// Adds what a buffer grows with.
pub(super) fn lower(
    context: &mut Context,
    table: &BufferTable,
    buffer: BufferId,
    growth: &mut Vec<Growth>,
) {
    let Some(key) = &table.scales else { return };
    let loc = context.place(key);
    let names = &key.get_ref().0;
    let mut wrong = |message: String, help: &str| {
        context.error(Diagnostic::error(Code::SpecInvalidValue, message).at(loc, "").help(help));
    };
    let shape = table.shape.as_ref().map(|shape| shape.get_ref().len());
    if let Some(dims) = shape.filter(|dims| *dims != names.len()) {
        let (names, dims) =
            (count(names.len() as u64, "name"), count(dims as u64, "dimension of the shape"));
        wrong(
            format!("{names} in `scales` for {dims}"),
            "name every dimension of the shape, `_` where it stays",
        );
        return;
    }
    for (at, name) in names.iter().enumerate() {
        if name == STAYS && shape.is_some() {
            continue;
        }
        // Numbers are sizes of dimensions on the command line, and `=` and `,` end a name there.
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name == STAYS || !name.chars().all(word) || !name.starts_with(char::is_alphabetic) {
            wrong(
                format!("`{name}` is no name of a dimension"),
                "a name is a letter, then letters, digits, `_`, `-` and `.`",
            );
            continue;
        }
        let axis = shape.and_then(|_| u32::try_from(at).ok());
        growth.push(Growth { buffer, dimension: name.clone(), axis });
    }
}
