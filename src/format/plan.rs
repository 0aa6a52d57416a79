//! The plan file: where everything lies, in TOML that is easy to write by hand.
//!
//! ```toml
//! version = 1
//!
//! [[function]]                  # optional; says what the plan was made for
//! name = "matmul"
//! fingerprint = "0f3c..."       # optional; without it `verify` warns
//!
//! [[buffer]]
//! function = "matmul"           # may be left out when the plan or the input has one function
//! name = "tile"
//! id = 3                        # only where names repeat: the buffer's ordinal in its function
//! scope = "ub"                  # optional; checked when given
//! offsets = [0, 65536]          # bytes, one a slot; more than the buffer has slots: promoted
//!
//! [[buffer]]
//! name = "acc"
//! offset = 131072               # the same as `offsets = [131072]`
//! ```
//!
//! Keys are strict: an unknown one is an error with a suggestion. memplan writes functions and
//! buffers in the order of the input, `offsets` always as a list, and the same plan always as the
//! same bytes. Offsets above 2^63 - 1 are written as plain integers too; memplan reads them, other
//! TOML readers may not.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::read;
use super::values::Number;
use crate::diag::{Code, Diagnostic, FileId, Loc, Sources};
use crate::model::{FunctionPlan, Placement, Plan};

/// The version of plan files that this memplan reads and writes.
pub const VERSION: u64 = 1;

/// A plan file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "memplan plan")]
pub struct PlanFile {
    /// Version of the format; this is 1.
    #[schemars(with = "u64", range(min = 1, max = 1))]
    pub version: Spanned<Number>,
    /// What the plan was made for.
    #[serde(default)]
    pub function: Vec<FunctionTable>,
    /// Where each buffer lies.
    #[serde(default)]
    pub buffer: Vec<BufferTable>,
}

/// A function that the plan is for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FunctionTable {
    /// Its name.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// The fingerprint of the function the plan was made for.
    pub fingerprint: Option<String>,
}

/// Where one buffer lies. One of `offset` and `offsets` must be there.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BufferTable {
    /// Its function; may be left out when the plan or the input has only one.
    pub function: Option<String>,
    /// Its name.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// Its ordinal in its function, from 0; only where names repeat.
    #[schemars(with = "Option<u32>")]
    pub id: Option<Spanned<Number>>,
    /// Its scope; checked when given.
    pub scope: Option<String>,
    /// The offset of each slot in bytes.
    #[schemars(with = "Option<Vec<u64>>")]
    pub offsets: Option<Spanned<Vec<Number>>>,
    /// The offset of its only slot in bytes.
    #[schemars(with = "Option<u64>")]
    pub offset: Option<Spanned<Number>>,
}

/// Words of other tools.
const SYNONYMS: &[(&str, &str)] = &[
    ("address", "say `offset`"),
    ("addr", "say `offset`"),
    ("pin", "say `offset`; `pin` belongs into the spec"),
    ("size", "sizes stand in the spec; a plan says where, not how large"),
    ("functions", "write `[[function]]`"),
    ("buffers", "write `[[buffer]]`"),
];

/// Reads a plan file. `functions` are the names of the input's functions.
///
/// # Errors
/// All errors of the file at once, as `memplan::verify::plan_syntax`.
pub fn read(sources: &Sources, file: FileId, functions: &[&str]) -> Result<Plan, Vec<Diagnostic>> {
    let text = sources.get(file).map_or("", |s| &s.text);
    let mut reader = Reader { file, errors: Vec::new() };
    let parsed = match read::read::<PlanFile>(text, SYNONYMS) {
        Ok(parsed) => parsed,
        Err(errors) => {
            for error in errors {
                reader.error(error.message, error.span, error.help);
            }
            return Err(reader.errors);
        }
    };
    let plan = reader.plan(parsed, functions);
    if reader.errors.is_empty() { Ok(plan) } else { Err(reader.errors) }
}

struct Reader {
    file: FileId,
    errors: Vec<Diagnostic>,
}

impl Reader {
    fn loc(&self, span: Range<usize>) -> Loc {
        let byte = |at| u32::try_from(at).unwrap_or(u32::MAX);
        Loc { file: self.file, start: byte(span.start), end: byte(span.end) }
    }

    fn error(&mut self, message: impl Into<String>, span: Range<usize>, help: Option<String>) {
        if self.errors.len() < read::MAX_ERRORS {
            let mut error = Diagnostic::error(Code::VerifyPlanSyntax, message);
            error.help = help;
            self.errors.push(error.at(self.loc(span), ""));
        }
    }

    fn plan(&mut self, file: PlanFile, functions: &[&str]) -> Plan {
        if file.version.get_ref().0 != i128::from(VERSION) {
            let message =
                format!("version {} is not one that this memplan reads", file.version.get_ref().0);
            self.error(message, file.version.span(), Some(format!("write `version = {VERSION}`")));
        }
        let mut plan = Plan::default();
        for function in file.function {
            let name = function.name.get_ref().clone();
            if plan.functions.iter().any(|f| f.name == name) {
                self.error(format!("a second function `{name}`"), function.name.span(), None);
                continue;
            }
            let fingerprint = function.fingerprint;
            plan.functions.push(FunctionPlan { name, fingerprint, placements: Vec::new() });
        }
        let only = match (plan.functions.as_slice(), functions) {
            ([one], _) => Some(one.name.clone()),
            ([], [one]) => Some((*one).to_owned()),
            _ => None,
        };
        for buffer in file.buffer {
            self.buffer(buffer, only.as_deref(), functions, &mut plan);
        }
        plan
    }

    fn buffer(
        &mut self,
        table: BufferTable,
        only: Option<&str>,
        functions: &[&str],
        plan: &mut Plan,
    ) {
        let span = table.name.span();
        let name = table.name.into_inner();
        let offsets = match (table.offsets, table.offset) {
            (Some(offsets), None) => {
                let span = offsets.span();
                if offsets.get_ref().is_empty() {
                    self.error("no offset: give one for each slot", span.clone(), None);
                }
                let all = offsets.into_inner().into_iter();
                all.map(|n| self.number(n, &span, u64::MAX)).collect()
            }
            (None, Some(offset)) => {
                let span = offset.span();
                vec![self.number(offset.into_inner(), &span, u64::MAX)]
            }
            (Some(_), Some(offset)) => {
                let message = format!("`{name}` has both `offset` and `offsets`");
                self.error(message, offset.span(), Some("keep one of them".to_owned()));
                return;
            }
            (None, None) => {
                let help = "write `offset = N`, or `offsets = [N, ..]` with one for each slot";
                self.error(format!("`{name}` has no offset"), span, Some(help.to_owned()));
                return;
            }
        };
        let id = table.id.map(|id| {
            let span = id.span();
            let id = self.number(id.into_inner(), &span, u32::MAX.into());
            u32::try_from(id).unwrap_or(u32::MAX)
        });
        let Some(function) = table.function.as_deref().or(only) else {
            let names: Vec<String> = functions.iter().map(|f| format!("`{f}`")).collect();
            let help = format!("add `function`; the input has {}", names.join(", "));
            self.error(format!("which function does `{name}` belong to?"), span, Some(help));
            return;
        };
        let loc = Some(self.loc(span));
        let placement = Placement { name, id, scope: table.scope, offsets, loc };
        match plan.functions.iter_mut().find(|f| f.name == function) {
            Some(f) => f.placements.push(placement),
            None => plan.functions.push(FunctionPlan {
                name: function.to_owned(),
                fingerprint: None,
                placements: vec![placement],
            }),
        }
    }

    fn number(&mut self, number: Number, span: &Range<usize>, most: u64) -> u64 {
        match u64::try_from(number.0) {
            Ok(n) if n <= most => n,
            Ok(_) | Err(_) if number.0 >= 0 => {
                self.error(format!("{} is larger than {most}", number.0), span.clone(), None);
                0
            }
            Ok(_) | Err(_) => {
                self.error(format!("{} is below zero", number.0), span.clone(), None);
                0
            }
        }
    }
}
