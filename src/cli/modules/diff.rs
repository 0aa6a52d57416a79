//! `memplan diff`.

use std::collections::BTreeMap;

use super::facts;
use super::tell::{Read, Report};
use crate::cli::args::{DiffArgs, Global};
use crate::cli::exit::Exit;
use crate::cli::input::Copies;
use crate::cli::streams::Streams;
use crate::diag::Diagnostic;
use crate::format::json_hlo::{Diff, Difference, ModuleStats, PeakValue, Side};
use crate::report::human;

/// Compares two modules.
pub(crate) fn run(args: &DiffArgs, global: &Global, streams: &mut Streams) -> Exit {
    let mut report = Report::new(streams);
    let mut body = Diff::default();
    let modules = report.read(&args.input, Copies::Added);
    match <[Read; 2]>::try_from(modules) {
        Ok([a, b]) => {
            let of = |read: &Read| -> Result<ModuleStats, Diagnostic> {
                facts::statistics(&read.name, &read.text.module, read.text.options, &read.sources)
            };
            match (of(&a), of(&b)) {
                (Ok(a), Ok(b)) => body = compare(&a, &b),
                (Err(error), _) => report.broken(&[error], &a.sources),
                (_, Err(error)) => report.broken(&[error], &b.sources),
            }
        }
        // What is wrong with one of them has been told.
        Err(_) => report.exit = report.exit.and(Exit::Broken),
    }
    report.end("diff", global, body, |streams, body| human::diff(streams.view, body))
}

fn compare(a: &ModuleStats, b: &ModuleStats) -> Diff {
    let (old, new) = (origins(&a.peak), origins(&b.peak));
    let mut values = Vec::new();
    let keys: std::collections::BTreeSet<&Origin> = old.keys().chain(new.keys()).collect();
    for key in keys {
        let (before, after) = (old.get(key), new.get(key));
        let sum = |of: Option<&Vec<&PeakValue>>| {
            of.into_iter().flatten().fold(0_u64, |sum, v| sum.saturating_add(v.size))
        };
        let (x, y) = (sum(before), sum(after));
        if x == y {
            continue;
        }
        let named = if y > x { after } else { before };
        let names = named.into_iter().flatten().map(|v| v.name.clone());
        values.push(Difference {
            name: key.0.clone(),
            loc: key.1.clone(),
            a: x,
            b: y,
            delta: difference(x, y),
            values: names.collect(),
        });
    }
    values.sort_by_key(|v| (std::cmp::Reverse(v.delta.unsigned_abs()), v.name.clone()));
    let side = |of: &ModuleStats| Side {
        input: of.input.clone(),
        peak: of.memory.peak_memory_in_bytes,
        memory: of.memory,
    };
    let delta = difference(a.memory.peak_memory_in_bytes, b.memory.peak_memory_in_bytes);
    Diff { a: side(a), b: side(b), delta, values }
}

/// The operation of the source program and its place. Names of instructions change from compilation
/// to compilation: they are the origin only where there is no other.
type Origin = (String, Option<String>);

fn origins(values: &[PeakValue]) -> BTreeMap<Origin, Vec<&PeakValue>> {
    let mut out: BTreeMap<Origin, Vec<&PeakValue>> = BTreeMap::new();
    for value in values {
        let origin = match &value.op_name {
            Some(op_name) => (op_name.clone(), value.loc.clone()),
            None => (value.name.clone(), None),
        };
        out.entry(origin).or_default().push(value);
    }
    out
}

fn difference(a: u64, b: u64) -> i64 {
    let difference = i128::from(b) - i128::from(a);
    i64::try_from(difference).unwrap_or(if difference < 0 { i64::MIN } else { i64::MAX })
}
