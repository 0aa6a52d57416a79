//! The text with its addresses: read again, judged again, written again.

use std::collections::BTreeMap;

use memplan::diag::{Code, Diagnostic};
use memplan::emit;
use memplan::model::{Buffer, FunctionAnswer, FunctionPlan, Placement};

use crate::planned::{Planned, read, refuted};

/// Everything that is promised about the written text; what is wrong with it.
pub(crate) fn check(planned: &Planned, functions: &[FunctionAnswer]) -> Vec<String> {
    let kernel = &planned.kernel;
    let plans: Vec<&FunctionPlan> = functions.iter().map(|f| &f.plan).collect();
    let written = emit::mlir(&kernel.text, &planned.read.kernels, &plans);
    let mut wrong = changed(&kernel.text, &written, &plans);
    let again = match read(kernel, &written) {
        Ok(again) => again,
        Err(errors) => {
            wrong.push(format!("is not read again: {}", errors[0].message));
            return wrong;
        }
    };
    // What is wrong with the program stays wrong.
    let old: Vec<Code> = planned.read.defects.iter().map(|d| d.code).collect();
    let new = |d: &&Diagnostic| !old.contains(&d.code);
    if let Some(defect) = again.defects.iter().find(new) {
        wrong.push(format!("has a defect when read again: {}", defect.message));
    }
    let problem = &again.read.problem;
    if problem.functions.len() != plans.len() {
        wrong.push("has other functions".to_owned());
        return wrong;
    }
    let mut pinned = Vec::new();
    for (index, (function, plan)) in problem.functions.iter().zip(&plans).enumerate() {
        let stands = as_it_stands(&function.name, function.buffers.iter());
        wrong.extend(addresses(plan, &stands));
        let before = refuted(planned.problem(), index, plan);
        let after = refuted(problem, index, &stands);
        if before.is_empty() && !after.is_empty() {
            wrong.push(format!("is refuted as it stands: {}", after[0]));
        }
        pinned.push(stands);
    }
    let pinned: Vec<&FunctionPlan> = pinned.iter().collect();
    if emit::mlir(&written, &again.kernels, &pinned) != written {
        wrong.push("changes when written again".to_owned());
    }
    wrong
}

/// The plan that the pins of a text are.
fn as_it_stands<'a>(name: &str, buffers: impl Iterator<Item = &'a Buffer>) -> FunctionPlan {
    let placement = |(id, buffer): (u32, &Buffer)| Placement {
        name: buffer.name.clone(),
        id: Some(id),
        scope: None,
        offsets: buffer.pin.clone().unwrap_or_default(),
        loc: None,
    };
    let placements = (0..).zip(buffers).map(placement).collect();
    FunctionPlan { name: name.to_owned(), fingerprint: None, placements }
}

/// Names and addresses, without order: hoisted casts stand elsewhere.
fn addresses(plan: &FunctionPlan, stands: &FunctionPlan) -> Option<String> {
    let list = |plan: &FunctionPlan| {
        let mut all: Vec<(String, Vec<u64>)> =
            plan.placements.iter().map(|p| (p.name.clone(), p.offsets.clone())).collect();
        all.sort();
        all
    };
    let (wanted, found) = (list(plan), list(stands));
    (wanted != found).then(|| format!("has other addresses: {found:?} for {wanted:?}"))
}

/// Lines that are neither allocs nor marks nor constants stay as they are, but for names of casts
/// that became one (HIVM spec 6, 5): those lie at the same addresses.
fn changed(old: &str, new: &str, plans: &[&FunctionPlan]) -> Vec<String> {
    let mut wrong = Vec::new();
    let marks = |text: &str| {
        let mut all: Vec<String> = text
            .lines()
            .filter(|l| l.contains("annotation.mark"))
            .map(|l| l.trim().into())
            .collect();
        all.sort();
        all
    };
    if marks(old) != marks(new) {
        wrong.push("has other marks".to_owned());
    }
    let constant = |l: &&str| l.contains("arith.constant");
    let mut all = new.lines().filter(constant);
    if !old.lines().filter(constant).all(|l| all.any(|m| m == l)) {
        wrong.push("loses a constant".to_owned());
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (kept(old), kept(new));
    if old.len() != new.len() {
        wrong.push(format!("has {} other lines for {}", new.len(), old.len()));
    }
    let places = places(plans);
    for (old, new) in old.iter().zip(&new).filter(|(old, new)| !same(old, new, &places)) {
        wrong.push(format!("changes a line: {old}\n      to {new}"));
    }
    wrong
}

fn kept(text: &str) -> Vec<&str> {
    let known = [
        "memref.alloc\"",
        "memref.alloc(",
        "memref_ext.alloc_workspace",
        "hivm.hir.pointer_cast",
        "annotation.mark",
        "arith.constant",
    ];
    text.lines().filter(|l| l.starts_with("//") || !known.iter().any(|k| l.contains(k))).collect()
}

/// All addresses that a name stands for in some function.
fn places<'a>(plans: &[&'a FunctionPlan]) -> BTreeMap<&'a str, Vec<&'a [u64]>> {
    let mut places: BTreeMap<&str, Vec<&[u64]>> = BTreeMap::new();
    for placement in plans.iter().flat_map(|p| &p.placements) {
        places.entry(&placement.name).or_default().push(&placement.offsets);
    }
    places
}

fn same(old: &str, new: &str, places: &BTreeMap<&str, Vec<&[u64]>>) -> bool {
    let words = |line: &str| -> Vec<String> {
        line.split_inclusive([' ', ',', '(', ')']).map(str::to_owned).collect()
    };
    let (old, new) = (words(old), words(new));
    let renamed = |old: &str, new: &str| {
        let of = |word: &str| {
            let name = word.trim_start_matches('%').trim_end_matches([' ', ',', '(', ')']);
            places.get(name).cloned().unwrap_or_default()
        };
        of(old).iter().any(|place| of(new).contains(place))
    };
    old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| old == new || renamed(old, new))
}
