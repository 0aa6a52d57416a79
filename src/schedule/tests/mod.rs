//! What orders promise.

mod findings;
mod measured;
mod plain;
mod reference;
mod searched;

use crate::analyze::hlo::{Options, ValueOptions, Values};
use crate::diag::Sources;
use crate::ir::hlo::{Calls, Module, Platform, Sequences, parse};
use crate::schedule::{Inputs, Order, order};

/// XLA's CPU rules.
pub(super) const OPTIONS: Options =
    Options { platform: Platform::Cpu, async_start_extension: false };

/// The module of a text.
pub(super) fn module(text: &str) -> Module {
    let mut sources = Sources::default();
    let file = sources.add("test.hlo", text);
    parse(&sources, file).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"))
}

/// A plain order.
pub(super) fn ordered(module: &Module, wanted: Order) -> Sequences {
    let calls = Calls::of(module).expect("calls");
    let values = Values::of(module, &calls, ValueOptions::default()).expect("values");
    order(Inputs { module, calls: &calls, values: &values }, wanted).expect("an order")
}

/// The names of the entry's instructions in an order.
pub(super) fn names<'m>(module: &'m Module, order: &Sequences) -> Vec<&'m str> {
    order.0[module.entry].iter().map(|&id| module.instructions[id].name.as_str()).collect()
}

/// True when one name comes before another.
pub(super) fn before(names: &[&str], first: &str, then: &str) -> bool {
    let at = |name| names.iter().position(|n| *n == name).unwrap_or_else(|| panic!("no {name}"));
    at(first) < at(then)
}

/// How many cases a property tries: `MEMPLAN_CASES`, or its own number.
pub(super) fn cases(usual: u64) -> u64 {
    std::env::var("MEMPLAN_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Numbers that follow from a seed.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    /// A number below `sides`.
    pub(super) fn below(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % sides.max(1)
    }
}
