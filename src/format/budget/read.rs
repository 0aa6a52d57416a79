//! Budget files in, all errors at once.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;

use super::file::{AllowTable, BudgetFile, KernelTable, LimitTable, SeverityTable, VERSION};
use super::rules::{Allowance, Baseline, Budget, Entry, Grade, Limit, Rules, Table};
use crate::diag::{Code, Diagnostic, FileId, Loc, Place, Sources};
use crate::format::read::{self, MAX_ERRORS};
use crate::format::sizes::{self, BadSize};
use crate::format::values::{Number, Size};
use crate::model::Measure;

/// Words of other tools.
const SYNONYMS: &[(&str, &str)] = &[
    ("kernels", "write `[[kernel]]`"),
    ("scopes", "write `[kernel.scope.NAME]`"),
    ("tolerance", "say `allow`"),
    ("max", "say `peak`"),
    ("file", "say `input`"),
    ("name", "say `function`"),
];

/// Reads a budget file.
///
/// # Errors
/// All errors of the file at once, as `memplan::gate::budget_syntax`.
pub fn read(sources: &Sources, file: FileId) -> Result<Budget, Vec<Diagnostic>> {
    let text = sources.get(file).map_or("", |s| &s.text);
    let mut reader = Reader { sources, file, errors: Vec::new() };
    match read::read::<BudgetFile>(text, SYNONYMS) {
        Ok(parsed) => {
            let budget = reader.budget(parsed);
            if reader.errors.is_empty() { Ok(budget) } else { Err(reader.errors) }
        }
        Err(errors) => {
            for error in errors {
                reader.error(error.message, error.span, error.help);
            }
            Err(reader.errors)
        }
    }
}

struct Reader<'a> {
    sources: &'a Sources,
    file: FileId,
    errors: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn loc(&self, span: Range<usize>) -> Loc {
        let byte = |at| u32::try_from(at).unwrap_or(u32::MAX);
        Loc { file: self.file, start: byte(span.start), end: byte(span.end) }
    }

    fn error(&mut self, message: impl Into<String>, span: Range<usize>, help: Option<String>) {
        if self.errors.len() < MAX_ERRORS {
            let mut error = Diagnostic::error(Code::GateBudgetSyntax, message);
            error.help = help;
            self.errors.push(error.at(self.loc(span), ""));
        }
    }

    fn budget(&mut self, file: BudgetFile) -> Budget {
        let (version, span) = read::split(file.version);
        if version.0 != i128::from(VERSION) {
            let message = format!("version {} is not one that this memplan reads", version.0);
            self.error(message, span, Some(format!("write `version = {VERSION}`")));
        }
        let plain = Budget::default();
        let rules = self.rules(&file.severity, file.allow);
        let baseline = Baseline {
            rules: self.rules(&file.baseline.severity, file.baseline.allow),
            new: file.baseline.new.unwrap_or(plain.baseline.new),
            gone: file.baseline.gone.unwrap_or(plain.baseline.gone),
        };
        let mut entries = Vec::new();
        let mut known: BTreeMap<(Option<String>, Option<String>), Option<Place>> = BTreeMap::new();
        for table in file.kernel {
            let Some((entry, span)) = self.entry(table) else { continue };
            let key = (entry.input.clone(), entry.function.clone());
            match known.get(&key) {
                Some(first) => {
                    let line = first.as_ref().map(|p| format!("the first is in line {}", p.line));
                    self.error("a second entry for the same kernel", span, line);
                }
                None => {
                    known.insert(key, entry.place.clone());
                    entries.push(entry);
                }
            }
        }
        // A file without entries is one of settings.
        let held = if entries.is_empty() { plain.unlisted } else { Grade::Warning };
        let unlisted = file.unlisted.unwrap_or(held);
        let unused = file.unused.unwrap_or(plain.unused);
        Budget { unlisted, unused, rules, baseline, entries }
    }

    fn entry(&mut self, table: KernelTable) -> Option<(Entry, Range<usize>)> {
        let span = table.input.as_ref().or(table.function.as_ref()).map(Spanned::span);
        let Some(span) = span else {
            let help = "add `input = \"FILE\"`, or `input = \"**\"` for every kernel";
            let at = table.scope.values().find_map(LimitTable::span).unwrap_or(0..1);
            self.error("an entry for which kernel?", at, Some(help.to_owned()));
            return None;
        };
        if let Some(input) = table.input.as_ref().filter(|i| i.get_ref().contains('\\')) {
            let help = format!("write `{}`", input.get_ref().replace('\\', "/"));
            self.error("a path with `\\`", input.span(), Some(help));
        }
        let rules = self.rules(&table.severity, table.allow);
        let scopes = table.scope.into_iter().map(|(name, limit)| (name, self.limit(limit)));
        let scopes = scopes.collect();
        let place = self.sources.span(self.loc(span.clone()));
        let input = table.input.map(Spanned::into_inner);
        let function = table.function.map(Spanned::into_inner);
        Some((Entry { input, function, rules, scopes, place }, span))
    }

    fn limit(&mut self, table: LimitTable) -> Limit {
        Limit {
            peak: table.peak.and_then(|peak| self.size("a peak", peak)),
            level: table.level,
            stalls: table.stalls.and_then(|n| self.count("a number of stalls", n)),
            owed: table.owed.and_then(|n| self.count("a number of owed edges", n)),
        }
    }

    fn rules(&mut self, severity: &SeverityTable, allow: AllowTable) -> Rules {
        let severity = Table::new([
            (Measure::Peak, severity.peak),
            (Measure::Level, severity.level),
            (Measure::Stalls, severity.stalls),
            (Measure::Owed, severity.owed),
            (Measure::ReuseCost, severity.reuse_cost),
            (Measure::Makespan, severity.makespan),
        ]);
        let allow = [
            (Measure::Peak, allow.peak),
            (Measure::Stalls, allow.stalls),
            (Measure::Owed, allow.owed),
            (Measure::ReuseCost, allow.reuse_cost),
            (Measure::Makespan, allow.makespan),
        ];
        let allow = allow.map(|(m, value)| (m, value.and_then(|value| self.allowance(value))));
        Rules { severity, allow: Table::new(allow) }
    }

    fn allowance(&mut self, value: Spanned<Size>) -> Option<Allowance> {
        let share = match value.get_ref() {
            Size::Text(text) => text.trim().strip_suffix('%').map(str::trim),
            Size::Number(_) => None,
        };
        let Some(share) = share else {
            return self.size("an allowance", value).map(Allowance::Number);
        };
        let hundredths = hundredths(share);
        if hundredths.is_none() {
            let message = format!("`{share} %` is not a share");
            let help = "write percent with at most two decimals, such as \"2.5 %\"";
            self.error(message, value.span(), Some(help.to_owned()));
        }
        hundredths.map(Allowance::Share)
    }

    fn size(&mut self, what: &str, value: Spanned<Size>) -> Option<u64> {
        let (value, span) = read::split(value);
        let bad = match sizes::size(&value) {
            Ok(size) => return Some(size),
            Err(bad) => bad,
        };
        let message = match bad {
            BadSize::Negative => format!("{what} below zero"),
            BadSize::TooLarge => format!("{what} that does not fit 64 bits"),
            BadSize::Malformed(message) => message,
        };
        self.error(message, span, None);
        None
    }

    fn count(&mut self, what: &str, value: Spanned<Number>) -> Option<u64> {
        let span = value.span();
        self.size(what, Spanned::new(span, Size::Number(value.into_inner())))
    }
}

impl LimitTable {
    fn span(&self) -> Option<Range<usize>> {
        let numbers = [&self.stalls, &self.owed].into_iter().flatten().map(Spanned::span);
        self.peak.iter().map(Spanned::span).chain(numbers).next()
    }
}

/// `2`, `2.5`, `0.25` in hundredths.
fn hundredths(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > 2 {
        return None;
    }
    let scale = if part.len() == 1 { 10 } else { 1 };
    let part = part.parse::<u64>().ok()? * scale;
    whole.parse::<u64>().ok()?.checked_mul(100)?.checked_add(part)
}

#[cfg(test)]
mod tests;
