//! The article of one scope: numbers, map, table, pairs.

use maud::{Markup, html};

use super::index::bar;
use super::{chip, diagnosis, graph, numbers, table, zoom};
use crate::format::picture::{Map, Sheet};
use crate::report::picture::shares::STALLS;
use crate::report::picture::{Drawn, Picture, svg};
use crate::report::words;

/// Scope number `at.1` of function number `at.0` of the page.
pub(super) fn article(picture: &Picture<'_>, drawn: &Drawn<'_>, at: (usize, usize)) -> Markup {
    let (Some(answer), Some(map)) = (drawn.answer.scopes.get(at.1), drawn.sheet.maps.get(at.1))
    else {
        return Markup::default();
    };
    let id = format!("f{}s{}", at.0, at.1);
    let title = format!("{id}-title");
    let over = map.peak.is_none();
    html! {
        article.scope id=(id) aria-labelledby=(title) data-f=(at.0) data-s=(at.1) {
            div.head {
                h3 id=(title) { bdi { (map.name) } }
                (chip(drawn.word(answer.verdict)))
                p.numbers { (numbers(map, answer)) }
                (bar(map.peak.unwrap_or(map.max_load), map.usable, over))
            }
            (diagnosis::of_scope(picture.input, drawn, answer))
            div.stage {
                figure.map {
                    div.tools {
                        (legend(map))
                        (zoom())
                    }
                    canvas style=(tall(map, &drawn.sheet)) tabindex="0" role="application"
                        aria-roledescription="memory map"
                        aria-label=(aloud(map, answer.max_load.step_name.as_deref()))
                        aria-describedby=(format!("{id}-details")) {}
                    @if map.peak.is_none() && map.stack.is_none() && !map.buffers.id.is_empty() {
                        figcaption { "Too many buffers to draw one on another: the load alone is drawn." }
                    }
                    noscript {
                        @match svg::inline(drawn, at.1) {
                            Some(drawing) => (drawing),
                            None => p.note {
                                "Too many buffers for a page without scripts: see memplan report -o x.svg."
                            }
                        }
                    }
                }
                aside.details id=(format!("{id}-details")) aria-live="polite" {
                    p.note { "Point at a buffer, or go there with the arrow keys." }
                }
            }
            (table::buffers(map, &id))
            (graph::section(map, answer))
        }
    }
}

/// The height of a map: set before it is drawn, so that nothing moves when it is.
fn tall(map: &Map, sheet: &Sheet) -> String {
    let regions = sheet.steps.regions.iter().map(|r| r.depth + 1).max().unwrap_or(0).min(3) * 16;
    let height = match map.buffers.id.len() {
        0..=3 => 300,
        4..=8 => 350,
        9..=20 => 420,
        _ => 500,
    };
    format!("height:{}px", height + regions)
}

/// What the lines of a map mean.
fn legend(map: &Map) -> Markup {
    html! {
        ul.legend {
            @if map.capacity.is_some() { li { span.key.limit {} "usable, capacity" } }
            @if map.peak.is_some() { li { span.key.peak {} "peak" } }
            li { span.key.bound {} "lower bound" }
            li { span.key.moment {} "largest load" }
            @if map.shares.kind.first() == Some(&STALLS) {
                li { span.key.wait {} "waits for another pipe" }
            }
            @if !map.reserved.is_empty() { li { span.key.reserved {} "reserved" } }
            @if map.peak.is_none() { li { span.key.over {} "too many" } }
        }
    }
}

/// The map in a sentence, for those who do not see it.
fn aloud(map: &Map, moment: Option<&str>) -> String {
    let buffers = words::count(map.buffers.id.len(), "buffer");
    let at = moment.map_or_else(String::new, |name| format!(", {}", words::name(name)));
    let peak = match map.peak {
        Some(peak) => format!("peak {}", words::bytes(peak)),
        None => "no plan".to_owned(),
    };
    let load = words::bytes(map.max_load);
    format!(
        "Memory map of {}: {buffers}, {peak}; the largest load is {load} at step {}{at}. The table below \
         has the same buffers.",
        map.name, map.max_load_at
    )
}
