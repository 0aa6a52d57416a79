//! Constants for addresses, under names that are free.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::mlir::Function;

/// The constants that one function needs, in the order of first need.
#[derive(Debug)]
pub(super) struct Constants {
    /// Names that the function uses.
    taken: BTreeSet<String>,
    /// `i64` for addresses, `index` for workspaces.
    ty: &'static str,
    by_value: BTreeMap<u64, String>,
    needed: Vec<u64>,
}

impl Constants {
    pub(super) fn new(function: &Function, ty: &'static str) -> Self {
        let taken = function.values.iter().map(|v| v.name.clone()).collect();
        Self { taken, ty, by_value: BTreeMap::new(), needed: Vec::new() }
    }

    /// The name of the constant with this value, with its `%`.
    pub(super) fn name(&mut self, value: u64) -> String {
        if let Some(name) = self.by_value.get(&value) {
            return format!("%{name}");
        }
        // As MLIR names them: `%c8192_i64`, `%c0`.
        let base =
            if self.ty == "index" { format!("c{value}") } else { format!("c{value}_{}", self.ty) };
        let mut name = base.clone();
        let mut n = 0u32;
        while self.taken.contains(&name) {
            name = format!("{base}_{n}");
            n += 1;
        }
        self.taken.insert(name.clone());
        self.by_value.insert(value, name.clone());
        self.needed.push(value);
        format!("%{name}")
    }

    /// The statements: each was put at the very start when it was first needed, so the last one
    /// comes first.
    pub(super) fn statements(&self) -> Vec<String> {
        let one = |value: &u64| {
            format!("%{} = arith.constant {value} : {}", self.by_value[value], self.ty)
        };
        self.needed.iter().rev().map(one).collect()
    }
}
