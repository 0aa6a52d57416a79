//! The buffers: what they are, why they live so long, what else they are called.

use super::super::buffers::{list, more};
use super::super::table::{Side, Table};
use super::super::view::View;
use super::names::{Names, cell, line, ranges};
use crate::format::json_inspect::{Buffer, Function};
use crate::report::words;

/// The table of buffers.
pub(super) fn table(view: View, function: &Function, names: &Names<'_>, out: &mut String) {
    let all: Vec<&Buffer> = function.buffers.iter().filter(|b| names.wanted(b.id)).collect();
    if all.is_empty() {
        return;
    }
    let xla = function.buffers.iter().any(|b| b.xla_live.is_some());
    let mut columns = vec![
        ("buffer", Side::Left),
        ("scope", Side::Left),
        ("bytes", Side::Right),
        ("slots", Side::Right),
        ("live", Side::Left),
        ("pipes", Side::Left),
        ("class", Side::Left),
        ("home", Side::Left),
        ("marks", Side::Left),
        ("line", Side::Right),
    ];
    if xla {
        columns.insert(5, ("in XLA's time", Side::Left));
    }
    let mut table = Table::new(&columns);
    let shown = view.rows(all.len());
    for buffer in &all[..shown] {
        let mut row = vec![
            names.of(buffer.id),
            words::name(&buffer.scope),
            words::bytes(buffer.bytes),
            buffer.slots.to_string(),
            ranges(&buffer.live),
            cell(&buffer.pipes),
            words::name(&buffer.class),
            buffer.home.as_deref().map(words::name).unwrap_or_default(),
            marks(buffer),
            line(function, buffer.loc.as_ref()),
        ];
        if xla {
            row.insert(5, buffer.xla_live.map(|l| ranges(&[l])).unwrap_or_default());
        }
        table.row(row);
    }
    out.push_str("  buffers\n");
    table.print(4, out);
    more(all.len() - shown, "buffer", out);
}

/// What is special about a buffer.
fn marks(buffer: &Buffer) -> String {
    let mut marks = Vec::new();
    if buffer.lifetime != "local" {
        marks.push(buffer.lifetime.to_owned());
    }
    if buffer.temporary {
        marks.push("temporary".to_owned());
    }
    if buffer.unique {
        marks.push("unique".to_owned());
    }
    if let Some(owner) = &buffer.owner {
        marks.push(format!("owner {}", words::name(owner)));
    }
    if let Some(pin) = &buffer.pin {
        marks.push(format!("pinned at {}", list(pin, |o| words::number(*o))));
    }
    if let Some(rotates) = buffer.rotates_in.as_ref().filter(|_| buffer.slots > 1) {
        marks.push(format!("rotates in {}", words::name(rotates)));
    }
    marks.join(", ")
}

/// Why each live range is as it is; nothing where ranges are given.
pub(super) fn why(view: View, function: &Function, names: &Names<'_>, out: &mut String) {
    let derived = |b: &&Buffer| names.wanted(b.id) && b.why.iter().any(|w| w.start != "given");
    let all: Vec<&Buffer> = function.buffers.iter().filter(derived).collect();
    if all.is_empty() {
        return;
    }
    let mut table =
        Table::new(&[("buffer", Side::Left), ("live", Side::Left), ("why", Side::Left)]);
    let shown = view.rows(all.len());
    for buffer in &all[..shown] {
        let ranges_shown = if view.verbose { buffer.why.len() } else { 4 };
        for (at, why) in buffer.why.iter().take(ranges_shown).enumerate() {
            let name = if at == 0 { names.of(buffer.id) } else { String::new() };
            table.row(vec![name, ranges(&[why.live]), words::name(&why.message)]);
        }
        let left = buffer.why.len().saturating_sub(ranges_shown);
        if left > 0 {
            table.row(vec![String::new(), format!(".. and {left} more"), String::new()]);
        }
    }
    out.push_str("  why they live so long\n");
    table.print(4, out);
    more(all.len() - shown, "buffer", out);
}

/// Buffers whose given ranges are not those of the ops.
pub(super) fn rederived(view: View, function: &Function, names: &Names<'_>, out: &mut String) {
    let all: Vec<_> = function.rederived.iter().filter(|r| names.wanted(r.id)).collect();
    if all.is_empty() {
        return;
    }
    out.push_str("  live ranges that are given, and what follows from the ops\n");
    let shown = view.rows(all.len());
    for r in &all[..shown] {
        out.push_str(&format!(
            "    `{}`: given {}, the ops say {}\n",
            names.of(r.id),
            ranges(&r.given),
            ranges(&r.derived)
        ));
    }
    more(all.len() - shown, "buffer", out);
}

/// Names for bytes of buffers.
pub(super) fn aliases(view: View, function: &Function, names: &Names<'_>, out: &mut String) {
    let wanted = |a: &&crate::format::json_inspect::Alias| {
        a.buffers.iter().any(|id| names.wanted(*id)) || function.selected.is_empty()
    };
    let all: Vec<_> = function.aliases.iter().filter(wanted).collect();
    if all.is_empty() {
        return;
    }
    let mut table = Table::new(&[
        ("alias", Side::Left),
        ("is", Side::Left),
        ("buffer", Side::Left),
        ("bytes", Side::Left),
        ("line", Side::Right),
    ]);
    let shown = view.rows(all.len());
    for alias in &all[..shown] {
        let of = list(&alias.of, |n| words::name(n));
        let is = match alias.kind {
            "view" => match alias.delta {
                Some(delta) => format!("view of {of} from {}", words::bytes(delta)),
                None => format!("view of {of}, nobody knows from where"),
            },
            "buffer" => "another name".to_owned(),
            "carry" => format!("carried: {of}"),
            "loop_result" => format!("after the loop: {of}"),
            "branch_result" => format!("after the branch: {of}"),
            _ => format!("one of {of}"),
        };
        table.row(vec![
            words::name(&alias.value),
            is,
            list(&alias.buffers, |id| names.of(*id)),
            alias.range.map(|r| ranges(&[r])).unwrap_or_default(),
            line(function, alias.loc.as_ref()),
        ]);
    }
    out.push_str("  aliases\n");
    table.print(4, out);
    more(all.len() - shown, "alias", out);
}
