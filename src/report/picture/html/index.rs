//! The functions of a page, one line each.

use maud::{Markup, html};

use super::chip;
use crate::report::picture::{Drawn, Picture};
use crate::report::words;

/// Rows at most.
const MOST: usize = 5_000;

/// All functions; those from `linked` on have no section.
pub(super) fn index(pictures: &[Picture<'_>], linked: usize) -> Markup {
    let functions = || pictures.iter().flat_map(|p| p.functions.iter().map(move |f| (p, f)));
    let all = functions().count();
    html! {
        nav.index aria-label="Functions" {
            h2 { (words::count(all, "function")) }
            div.scroll { table {
                thead { tr {
                    th scope="col" { "function" } th scope="col" { "verdict" }
                    th scope="col" { "memory" } th scope="col" { "input" }
                } }
                tbody {
                    @for (at, (picture, drawn)) in functions().take(MOST).enumerate() {
                        tr {
                            th scope="row" {
                                @if at < linked {
                                    a href=(format!("#f{at}")) { bdi { (words::name(&drawn.answer.name)) } }
                                } @else { bdi { (words::name(&drawn.answer.name)) } }
                            }
                            td { (chip(drawn.word(drawn.answer.verdict))) }
                            td { (memory(drawn)) }
                            td.file { bdi { (words::name(picture.input.name)) } }
                        }
                    }
                }
            } }
            @if all > MOST { p.note { (words::number((all - MOST) as u64)) " more are left out" } }
        }
    }
}

/// A bar and a number for each scope.
fn memory(drawn: &Drawn<'_>) -> Markup {
    html! {
        @for map in &drawn.sheet.maps {
            span.mini {
                (bar(map.peak.unwrap_or(map.max_load), map.usable, map.peak.is_none()))
                bdi { (map.name) } " " (words::bytes(map.peak.unwrap_or(map.max_load)))
                @if let Some(usable) = map.usable {
                    " (" (words::percent(map.peak.unwrap_or(map.max_load), usable)) ")"
                }
            }
        }
    }
}

/// How much of what may be used is used.
pub(super) fn bar(used: u64, usable: Option<u64>, over: bool) -> Markup {
    let Some(usable) = usable.filter(|u| *u > 0) else { return Markup::default() };
    // Tenths of a percent, no more than all of it.
    let part = (u128::from(used) * 1000 / u128::from(usable)).min(1000);
    let width = format!("width:{}.{}%", part / 10, part % 10);
    html! { span.bar aria-hidden="true" { span class=[over.then_some("over")] style=(width) {} } }
}
