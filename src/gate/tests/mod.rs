//! What the gate promises.

mod budgets;
mod edits;
mod pages;
mod reasons;

use crate::diag::Sources;
use crate::format::budget;
use crate::gate::{Base, Limits};
use crate::model::{Kernel, KernelBuffer, KernelScope, Verdict};

/// A buffer at an offset.
fn buffer(name: &str, size: u64, live: [u64; 2], offset: u64) -> KernelBuffer {
    KernelBuffer {
        name: name.to_owned(),
        size: Some(size),
        slots: Some(1),
        live: Some(vec![live]),
        offsets: vec![offset],
        place: None,
    }
}

/// A kernel with one scope; peak and load follow from its buffers.
fn kernel(name: &str, buffers: Vec<KernelBuffer>) -> Kernel {
    let end = |b: &KernelBuffer| b.offsets.iter().map(|o| o + b.size.unwrap_or(0)).max();
    let alive = |step: u64| {
        let here =
            buffers.iter().filter(|b| b.live.iter().flatten().any(|l| l[0] <= step && step < l[1]));
        here.map(|b| b.size.unwrap_or(0) * u64::from(b.slots.unwrap_or(1))).sum::<u64>()
    };
    let load = (0..100).map(alive).max();
    let scope = KernelScope {
        name: "ub".to_owned(),
        usable: Some(1 << 20),
        peak: buffers.iter().filter_map(end).max(),
        max_load: load,
        lower_bound: load,
        verdict: Some(Verdict::Feasible),
        level: None,
        stalls: Some(0),
        reuse_cost: Some(0),
        owed: Some(0),
        buffers,
    };
    Kernel {
        input: format!("kernels/{name}.toml"),
        name: name.to_owned(),
        verdict: Some(Verdict::Feasible),
        scopes: vec![scope],
        ..Kernel::default()
    }
}

/// The limits of a budget text that stands in the working folder.
fn limits(text: &str) -> Limits {
    let mut sources = Sources::default();
    let file = sources.add("memplan-budget.toml", text);
    let budget = budget::read(&sources, file).expect("a budget");
    Limits { budget, base: Base::default(), ..Limits::default() }
}
