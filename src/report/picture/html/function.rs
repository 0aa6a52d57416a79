//! The section of one function.

use maud::{Markup, html};

use super::{chip, diagnosis, scope, time};
use crate::model::Allocation;
use crate::report::picture::{Drawn, Picture};
use crate::report::words;

/// Rows of allocations and warnings at most.
const MOST: usize = 200;

/// Number `at` on the page.
pub(super) fn section(
    picture: &Picture<'_>,
    drawn: &Drawn<'_>,
    at: usize,
    several: bool,
) -> Markup {
    let answer = drawn.answer;
    let id = format!("f{at}");
    let title = format!("{id}-title");
    html! {
        section.function id=(id) aria-labelledby=(title) {
            div.head {
                h2 id=(title) { bdi { (words::name(&answer.name)) } }
                (chip(drawn.word(answer.verdict)))
                @if several { span.file { bdi { (words::name(picture.input.name)) } } }
            }
            @if let Some(message) = &answer.message { p.message { (words::name(message)) } }
            (diagnosis::of_function(drawn))
            @if !answer.warnings.is_empty() {
                details.warnings {
                    summary { (words::count(answer.warnings.len(), "warning")) }
                    ul { @for warning in answer.warnings.iter().take(MOST) {
                        li { (words::name(&warning.message)) " " code { (warning.code.name()) } }
                    } }
                }
            }
            @for index in 0..answer.scopes.len() { (scope::article(picture, drawn, (at, index))) }
            (time::figure(drawn, at))
            @if !answer.allocations.is_empty() { (allocations(&answer.allocations)) }
        }
    }
}

/// What a module takes beside its heaps.
fn allocations(all: &[Allocation]) -> Markup {
    let sum = all.iter().fold(0, |sum: u64, a| sum.saturating_add(a.size));
    html! {
        details.allocations {
            summary {
                (words::count(all.len(), "allocation")) " beside the heaps, " (words::bytes(sum))
            }
            div.scroll { table {
                thead { tr {
                    th scope="col" { "for" } th.n scope="col" { "size" } th scope="col" { "values" }
                } }
                tbody { @for a in all.iter().take(MOST) {
                    tr {
                        td { (a.kind.name()) @if a.aliased { ", an output lies on it" } }
                        td.n { (words::bytes(a.size)) }
                        td.values { bdi { (values(a)) } }
                    }
                } }
            } }
            @if all.len() > MOST { p.note { (all.len() - MOST) " more are left out" } }
        }
    }
}

fn values(a: &Allocation) -> String {
    let mut names: Vec<String> = a.values.iter().take(8).map(|v| words::name(v)).collect();
    if a.values.len() > 8 {
        names.push(format!("and {} more", a.values.len() - 8));
    }
    names.join(", ")
}
