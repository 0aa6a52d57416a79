//! The reader: tokens, then statements by recursive descent. An error ends its statement only.
//!
//! In reading order: `lexer` and `brackets` make tokens, `aliases` collects what stands for what,
//! `module` and `function` find the bodies, `region` and `statement` walk them, and one file per
//! family of forms reads what stands behind the name of an op.

mod aliases;
mod allocs;
mod arrange;
mod attrs;
mod brackets;
mod build;
mod cursor;
mod custom;
mod errors;
mod extent;
mod fallback;
mod function;
mod generic;
mod lexer;
mod locs;
mod module;
mod names;
mod nests;
mod plain;
mod region;
mod statement;
mod structured;
mod token;
mod typed;
mod types;
mod uniform;
mod values;
mod views;

use std::collections::HashMap;

use super::{Chunk, Tree};
use crate::diag::{Diagnostic, FileId, Loc};
use aliases::Aliases;
use build::Build;
use cursor::Reader;
use errors::Errors;

/// A text as a tree, and what is wrong with it.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// What could be read.
    pub file: Tree,
    /// The first errors, at most 20; the tree is whole only without any.
    pub errors: Vec<Diagnostic>,
}

/// Reads MLIR text: the custom form of the ops of the HIVM spec (section 8), the generic form of
/// any op. Never panics; time and memory are linear in the text.
pub fn parse(file: FileId, text: &str) -> Parsed {
    let mut parsed = Parsed::default();
    if u32::try_from(text.len()).is_err() {
        let loc = Loc { file, start: 0, end: 0 };
        let error = errors::syntax(loc, "a text of 4 GiB or more", "too large");
        parsed.errors.push(error.help("split it at a `// -----` line"));
        return parsed;
    }
    let mut reader = Reader {
        text,
        file,
        tokens: Vec::new(),
        at: 0,
        end: 0,
        aliases: Aliases::default(),
        types: HashMap::new(),
        errors: Errors::default(),
        depth: 0,
        unclosed: None,
        f: Build::new(file),
    };
    let mut at = 0;
    while at < text.len() {
        at = lexer::chunk(text, at, &mut reader.tokens);
        brackets::link(&mut reader.tokens);
        reader.aliases = Aliases::of(text, &reader.tokens);
        reader.types.clear();
        (reader.at, reader.end, reader.unclosed) = (0, reader.tokens.len(), None);
        let mut chunk = Chunk::default();
        reader.items(&mut chunk, 0, None);
        if !reader.tokens.is_empty() {
            parsed.file.chunks.push(chunk);
        }
    }
    parsed.errors = reader.errors.list;
    // Undefined values are known at the end of their function only.
    parsed.errors.sort_by_key(|error| error.labels.first().map(|label| label.loc.start));
    parsed
}
