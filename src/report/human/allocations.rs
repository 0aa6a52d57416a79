//! What an HLO module holds outside of its heaps.

use super::style::{DIM, paint};
use super::table::{Side, Table};
use super::view::View;
use crate::model::{Allocation, AllocationKind};
use crate::report::words;

const KINDS: [AllocationKind; 6] = [
    AllocationKind::Parameter,
    AllocationKind::Output,
    AllocationKind::Constant,
    AllocationKind::Tuple,
    AllocationKind::ThreadLocal,
    AllocationKind::Temporary,
];

/// One line of sums; with `-v` every allocation.
pub(super) fn print(view: View, allocations: &[Allocation], out: &mut String) {
    if allocations.is_empty() {
        return;
    }
    let part = |kind: AllocationKind| {
        let of: Vec<u64> = allocations.iter().filter(|a| a.kind == kind).map(|a| a.size).collect();
        let bytes = of.iter().fold(0_u64, |sum, size| sum.saturating_add(*size));
        (!of.is_empty()).then(|| format!("{} {} {}", of.len(), kind.name(), words::bytes(bytes)))
    };
    let parts: Vec<String> = KINDS.into_iter().filter_map(part).collect();
    let line = format!("outside of the heaps: {}", parts.join(", "));
    out.push_str(&format!("{}\n", paint(DIM, line)));
    if !view.verbose {
        return;
    }
    let mut table = Table::new(&[
        ("kind", Side::Left),
        ("bytes", Side::Right),
        ("space", Side::Right),
        ("parameter", Side::Left),
        ("values", Side::Left),
    ]);
    for a in allocations {
        let parameter = a.parameter.as_ref().map(|(number, index)| {
            let aliased = if a.aliased { " aliased" } else { "" };
            format!("{number}{index}{aliased}")
        });
        table.row(vec![
            a.kind.name().to_owned(),
            words::number(a.size),
            a.memory_space.to_string(),
            parameter.unwrap_or_default(),
            words::name(&a.values.join(" ")).to_string(),
        ]);
    }
    table.print(2, out);
}
