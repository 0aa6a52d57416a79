//! `memplan schedule`.

use crate::format::json_hlo::{Schedule, Scheduled};
use crate::report::human::style::{BOLD, paint};
use crate::report::human::table::{Side, Table};
use crate::report::human::view::View;
use crate::report::words;

/// The orders of every module and the one taken.
pub fn schedule(view: View, body: &Schedule) -> String {
    let mut out = String::new();
    for (at, module) in body.functions.iter().enumerate() {
        if at > 0 && !view.quiet {
            out.push('\n');
        }
        one(view, module, &mut out);
    }
    out
}

fn one(view: View, module: &Scheduled, out: &mut String) {
    let name = paint(BOLD, words::name(&module.input));
    let (before, after) = (module.peak_before, module.peak_after);
    let change = match before.checked_sub(after) {
        Some(0) => "as given".to_owned(),
        Some(saved) => {
            format!("{} less ({})", words::bytes(saved), words::percent(saved, before))
        }
        None => format!("{} more", words::bytes(after - before)),
    };
    let proven = if module.proven { ", no order needs less" } else { "" };
    out.push_str(&format!(
        "{name}: `{}`: order {}, peak {} of {}: {change}{proven}\n",
        words::name(&module.name),
        module.chosen,
        words::number(after),
        words::bytes(before),
    ));
    if view.quiet {
        return;
    }
    let mut table = Table::new(&[
        ("order", Side::Left),
        ("peak", Side::Right),
        ("of given", Side::Right),
        ("by XLA's count", Side::Right),
    ]);
    for order in &module.orders {
        let mark = if order.order == module.chosen { " *" } else { "" };
        table.row(vec![
            format!("{}{mark}", order.order),
            words::number(order.peak),
            words::percent(order.peak, before),
            words::number(order.peak_xla),
        ]);
    }
    table.print(2, out);
}
