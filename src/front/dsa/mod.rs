//! The reader of kernels that another compiler exports as packing problems: JSON with pools,
//! buffers with live intervals, constraints, and what sharing bytes costs.
//!
//! One document is one function; its pools are scopes. Times are the document's own.

mod buffers;
mod constraints;
mod document;
pub mod fuzz;
mod json;
mod objective;
mod pools;
#[cfg(test)]
mod tests;

use std::path::Path;

use self::buffers::Buffers;
use self::document::Document;
use self::json::{Object, Value};
use self::pools::Pools;
use super::Read;
use crate::diag::{Code, Diagnostic, FileId, Sources};
use crate::model::{Function, Problem};

/// The largest text read, in bytes: places are 32 bits, and so are ids.
pub const MAX_BYTES: usize = 256 << 20;

/// The version of the format.
const VERSION: u64 = 1;

/// Reads a document: one function named after its `instance` (else the file), a scope for each pool.
///
/// # Errors
/// All errors of the document at once (at most 20).
pub fn read(sources: &Sources, file: FileId) -> Result<Read, Vec<Diagnostic>> {
    let Some(source) = sources.get(file) else {
        return Err(vec![Diagnostic::error(Code::DsaSyntax, "there is no text to read")]);
    };
    read_text(&source.text, file, stem(&source.name), MAX_BYTES)
}

fn read_text(text: &str, file: FileId, stem: &str, limit: usize) -> Result<Read, Vec<Diagnostic>> {
    if text.len() > limit {
        let message = format!("{} bytes, more than the limit of {limit}", text.len());
        return Err(vec![Diagnostic::error(Code::DsaTooLarge, message)]);
    }
    let value = json::parse(text, file).map_err(|error| vec![error])?;
    let mut document = Document::default();
    let problem = top(&mut document, value, stem);
    let warnings = document.errors.finish()?;
    // Without errors there is a problem.
    let Some(problem) = problem else {
        return Err(vec![Diagnostic::error(Code::DsaSyntax, "there is no problem to read")]);
    };
    Ok(Read { problem, warnings })
}

/// `runs/case.json` is `case`.
fn stem(name: &str) -> &str {
    let stem = Path::new(name).file_stem().and_then(|s| s.to_str()).unwrap_or(name);
    match stem.trim_matches(['<', '>']) {
        "" | "-" => "stdin",
        stem => stem,
    }
}

fn top(document: &mut Document, value: Value<'_>, stem: &str) -> Option<Problem> {
    let errors = &mut document.errors;
    let object = value.object("the document", errors)?;
    let version = object.need("schema_version", "the document", errors)?;
    let number = version.number("`schema_version`", errors)?;
    if number != VERSION {
        let message = format!("`schema_version` {number}; this memplan reads {VERSION}");
        errors.push(Diagnostic::error(Code::DsaVersion, message).at(version.loc(), ""));
        return None;
    }
    // What it is called and where it comes from changes no plan, so it is taken as it is.
    let instance = object.get("instance").filter(|value| !value.is_null());
    let instance = instance.and_then(|value| value.text("`instance`", errors));
    let name = instance.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| stem.to_owned());
    let problem = object.need("problem", "the document", errors)?;
    let problem = problem.object("`problem`", errors)?;
    self::problem(document, &problem, &name)
}

fn problem(document: &mut Document, problem: &Object<'_>, name: &str) -> Option<Problem> {
    let known = ["pools", "buffers", "constraints", "cost_model", "objective", "pypto_structure"];
    document.unknown("the problem", problem, &known);
    let errors = &mut document.errors;
    let pools = problem.need("pools", "the problem", errors);
    let pools = pools.and_then(|value| value.list("`pools`", errors));
    let buffers = problem.need("buffers", "the problem", errors);
    let buffers = buffers.and_then(|value| value.list("`buffers`", errors));
    let pools = Pools::read(document, pools?);
    let constraints = problem.get("constraints").filter(|value| !value.is_null());
    let constraints = match constraints {
        Some(value) => Some(value.object("`constraints`", &mut document.errors)?),
        None => None,
    };
    let mut pins = Vec::new();
    if let Some(constraints) = &constraints {
        constraints::kinds(document, constraints);
        pins = constraints::pins(document, constraints, &pools);
    }
    // A pool that could not be read would be missed by every buffer in it.
    if !document.errors.is_empty() {
        return None;
    }
    let mut function = Function { name: name.to_owned(), ..Function::default() };
    let pinned = constraints::pinned_pools(&pins);
    let buffers = Buffers::read(document, buffers?, &pools, &pinned, &mut function);
    if !document.errors.is_empty() {
        return None;
    }
    if let Some(constraints) = &constraints {
        constraints::read(document, constraints, &pins, &pools, &buffers, &mut function);
    }
    objective::penalties(document, problem, &buffers, &mut function);
    let objective = objective::objective(document, problem, &mut function);
    Some(Problem {
        name: name.to_owned(),
        scopes: pools.scopes,
        functions: vec![function],
        objective,
        ..Problem::default()
    })
}
