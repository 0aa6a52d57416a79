//! A kernel in one line.

use crate::model::{Kernel, KernelScope};
use crate::report::words;

/// Scopes named in one line.
const SCOPES: usize = 8;

/// `ub 182,272 of 196,608 B, optimal, level slot, 2 stalls; l1 4,096 B, optimal`.
pub fn summary(kernel: &Kernel) -> String {
    let mut parts: Vec<String> = kernel.scopes.iter().take(SCOPES).map(scope).collect();
    if kernel.scopes.len() > SCOPES {
        parts.push(format!("and {}", words::count(kernel.scopes.len() - SCOPES, "more scope")));
    }
    parts.join("; ")
}

fn scope(scope: &KernelScope) -> String {
    let mut parts = vec![format!("{} {}", words::name(&scope.name), peak(scope))];
    parts.extend(scope.verdict.map(|v| v.name().to_owned()));
    parts.extend(scope.level.map(|l| format!("level {}", l.name())));
    let counted = |n: Option<u64>, one: &str| {
        let n = n.filter(|n| *n > 0)?;
        Some(words::count(usize::try_from(n).unwrap_or(usize::MAX), one))
    };
    parts.extend(counted(scope.stalls, "stall"));
    parts.extend(counted(scope.owed, "owed edge"));
    parts.join(", ")
}

/// `182,272 of 196,608 B`; what is not known is left out.
pub(super) fn peak(scope: &KernelScope) -> String {
    match (scope.peak, scope.usable) {
        (Some(peak), Some(usable)) => {
            format!("{} of {}", words::number(peak), words::bytes(usable))
        }
        (Some(peak), None) => words::bytes(peak),
        (None, Some(usable)) => match scope.lower_bound.or(scope.max_load) {
            Some(bound) => {
                format!("at least {} of {}", words::number(bound), words::bytes(usable))
            }
            None => format!("no plan in {}", words::bytes(usable)),
        },
        (None, None) => "no plan".to_owned(),
    }
}
