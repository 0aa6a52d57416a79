//! The reader: text to drafts by recursive descent, names to ids, then what a module must keep.
//!
//! ```text
//!   cursor, balanced, shapes <- header, tables, attributes, computation -> draft
//!   draft -> sugar (asynchronous pairs) -> resolve (names) -> Module -> check
//! ```
//!
//! An error ends its instruction only; each stage starts when the one before found nothing wrong.

mod attributes;
mod balanced;
mod computation;
mod cursor;
mod draft;
mod errors;
mod header;
mod resolve;
mod shapes;
mod sugar;
mod tables;

use super::Module;
use crate::diag::{Code, Diagnostic, FileId, Loc, Sources};
use cursor::Reader;
pub(super) use errors::{Error, Errors, Read, error};

/// Bytes that a text may have: places in it are kept in 32 bits.
const MOST: usize = 1 << 31;

/// Reads HLO text in either style (spec 2). Time and memory are linear in the text.
///
/// # Errors
///
/// The first errors, at most 20, each with its place: text that cannot be read, names that nothing
/// has, instructions and computations that do not fit together.
pub fn parse(sources: &Sources, file: FileId) -> Result<Module, Vec<Diagnostic>> {
    let nowhere = Loc { file, start: 0, end: 0 };
    let mut errors = Errors::default();
    let Some(source) = sources.get(file) else {
        errors.push(error(Code::InternalBug, "no such text", nowhere, "asked for here"));
        return Err(errors.list);
    };
    if source.text.len() > MOST {
        errors.push(error(Code::HloTooLarge, "a text of more than 2 GiB", nowhere, "too large"));
        return Err(errors.list);
    }
    let draft = Reader::new(&source.text, file).module(&mut errors);
    let (Some(mut draft), true) = (draft, errors.list.is_empty()) else {
        return Err(errors.list);
    };
    sugar::write_out(&mut draft, &mut errors);
    if !errors.list.is_empty() {
        return Err(errors.list);
    }
    let module = resolve::resolve(draft)?;
    module.validate()?;
    Ok(module)
}
