//! Machines: the file, and what a trace's header changes.

mod set;

use std::ops::Range;

use self::set::{Bad, set};
use super::errors::{Errors, shown};
use super::trace::settings::flatten;
use crate::diag::{Code, Diagnostic, FileId, Loc, Sources};
use crate::format::machine::{FILE_ONLY, ROWS, VERSION};
use crate::format::read::nearest;
use crate::format::tree::{self, Value};
use crate::model::machine::Machine;
use crate::model::trace::Setting;

/// The machine of traces that name none.
pub const DEFAULT: &str = "910B";

/// The machine that a name stands for.
///
/// # Errors
/// `memplan::replay::machine_unknown`.
pub fn named(name: &str, loc: Option<Loc>) -> Result<Machine, Diagnostic> {
    Machine::named(name).ok_or_else(|| {
        let message = format!("no machine is named `{}`", shown(name));
        let d = Diagnostic::error(Code::MachineUnknown, message).maybe_at(loc, "");
        d.help(
            "the names are those of chips, such as 910B3, 910_93 or 950, with or without `Ascend`",
        )
    })
}

/// Reads a machine file.
///
/// # Errors
/// All errors of the file (at most 20): `memplan::replay::machine_syntax`, and
/// `memplan::replay::machine_unknown` for its `base`.
pub fn read(sources: &Sources, file: FileId) -> Result<Machine, Vec<Diagnostic>> {
    let text = sources.get(file).map_or("", |s| &s.text);
    let loc = |span: &Range<usize>| {
        let at = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Loc { file, start: at(span.start), end: at(span.end) }
    };
    let wrong = |message: String, span: &Range<usize>| {
        Diagnostic::error(Code::MachineSyntax, message).at(loc(span), "")
    };
    let top = tree::toml(text).map_err(|slips| {
        let all = slips.into_iter().map(|slip| {
            let mut d = wrong(slip.message, &slip.span);
            d.help = slip.help;
            d
        });
        all.collect::<Vec<_>>()
    })?;
    let Value::Table(members) = &top.value else { return Err(Vec::new()) };
    let mut errors = Errors::default();
    let mut settings = Vec::new();
    let (mut base, mut name, mut version) = (Ok(DEFAULT), None, false);
    for member in members {
        let span = &member.node.span;
        match (member.key.as_str(), &member.node.value) {
            ("version", Value::Number(VERSION)) => version = true,
            ("version", _) => {
                version = true;
                let message = format!("`version` is not {VERSION}, which this memplan reads");
                errors.push(wrong(message, span));
            }
            ("base", Value::Text(text)) => base = Ok(text.as_str()),
            ("name", Value::Text(text)) => name = Some(text.clone()),
            ("base" | "name", value) => {
                let message = format!("`{}` is {}, not text", member.key, value.kind());
                errors.push(wrong(message, span));
                base = Err(());
            }
            _ => settings.extend(flatten(member).into_iter().map(|flat| Setting {
                key: flat.key,
                value: flat.value,
                loc: Some(loc(&flat.span)),
            })),
        }
    }
    if !version {
        let d = wrong("the machine does not say its version".to_owned(), &(0..text.len().min(1)));
        errors.push(d.help(format!("write `version = {VERSION}` at the top")));
    }
    let base_span = members.iter().find(|m| m.key == "base").map(|m| loc(&m.node.span));
    let mut machine = match base.map(|base| named(base, base_span)) {
        Ok(Ok(machine)) => machine,
        Ok(Err(error)) => {
            errors.push(error);
            Machine::of(crate::model::machine::Product::A2, DEFAULT)
        }
        Err(()) => Machine::of(crate::model::machine::Product::A2, DEFAULT),
    };
    machine.name = name.unwrap_or(machine.name);
    apply_with(&mut machine, &settings, [Code::MachineSyntax; 2], &mut errors);
    errors.finish().map(|_| machine)
}

/// Changes a machine by the header of a trace.
///
/// # Errors
/// `memplan::replay::trace_unknown_key` and `trace_invalid_value` (at most 20).
pub fn apply(machine: &mut Machine, settings: &[Setting]) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Errors::default();
    let codes = [Code::TraceUnknownKey, Code::TraceInvalidValue];
    apply_with(machine, settings, codes, &mut errors);
    errors.finish().map(|_| ())
}

/// The codes are for unknown keys and for values that make no sense.
fn apply_with(machine: &mut Machine, settings: &[Setting], codes: [Code; 2], errors: &mut Errors) {
    let [unknown, value] = codes;
    for setting in settings {
        let Err(bad) = set(machine, &setting.key, &setting.value) else { continue };
        let key = shown(&setting.key);
        let d = match bad {
            Bad::Key => {
                let d = Diagnostic::error(unknown, format!("a machine has no key `{key}`"));
                let known = ROWS.iter().chain(FILE_ONLY).map(|row| row.key);
                match nearest(&setting.key, known) {
                    Some(near) => d.help(format!("did you mean `{near}`?")),
                    None => d.help("`memplan schema machine` lists the keys"),
                }
            }
            Bad::Value(why) => Diagnostic::error(value, format!("`{key}` {why}")),
        };
        errors.push(d.maybe_at(setting.loc, ""));
        if errors.full() {
            return;
        }
    }
}
