//! Where the time goes: ops on pipes, and what the placement makes wait.

use maud::{Markup, html};

use super::zoom;
use crate::format::picture::Pipes;
use crate::model::OwedEdge;
use crate::report::picture::Drawn;
use crate::report::words;

/// Edges listed at most.
const MOST: usize = 40;

/// The timeline of function number `at` of the page.
pub(super) fn figure(drawn: &Drawn<'_>, at: usize) -> Markup {
    let (Some(pipes), Some(timeline)) = (&drawn.sheet.pipes, drawn.extra.timeline) else {
        return Markup::default();
    };
    let owed = drawn.extra.owed;
    let stalls = owed.iter().filter(|e| e.stall).count();
    let lost = timeline.makespan.saturating_sub(timeline.without_reuse);
    html! {
        article.pipes data-f=(at) {
            div.head {
                h3 { "Pipes" }
                p.numbers {
                    (words::number(timeline.makespan)) " ticks"
                    @if timeline.prefix { " (loops were cut: the time of a prefix)" }
                    @if lost > 0 {
                        ", " strong { (words::number(lost)) " of them because buffers share bytes" }
                        " (" (words::percent(lost, timeline.makespan)) ")"
                    } @else { ", none of them because buffers share bytes" }
                }
            }
            figure.time {
                div.tools {
                    ul.legend {
                        @if !pipes.waits.is_empty() {
                            li { span.key.stall {} "waits because of shared bytes" }
                        }
                    }
                    (zoom())
                }
                canvas style=(tall(pipes)) tabindex="0" role="application"
                    aria-roledescription="timeline" aria-label=(aloud(pipes)) {}
                @if pipes.left_out > 0 {
                    figcaption { (words::number(pipes.left_out as u64)) " later slices are left out" }
                }
            }
            @if !owed.is_empty() {
                details.owed open[!timeline.delays.is_empty()] {
                    summary {
                        h4 { "Waits that the placement needs and the program does not have" }
                        span.count { (words::count(owed.len(), "edge")) ", " (stalls) " between pipes" }
                    }
                    ol {
                        @for (edge, ticks) in listed(drawn) {
                            li {
                                code { (words::name(&edge.edge)) }
                                " \u{b7} " (words::name(&edge.scope)) ": "
                                bdi { (words::name(&edge.first_buffer)) } " and "
                                bdi { (words::name(&edge.second_buffer)) } " share bytes"
                                @if ticks > 0 { ", " strong { (words::number(ticks)) " ticks" } }
                            }
                        }
                    }
                    @if owed.len() > MOST { p.note { (owed.len() - MOST) " more" } }
                }
            }
        }
    }
}

/// The height of a timeline: set before it is drawn, so that nothing moves when it is.
fn tall(pipes: &Pipes) -> String {
    format!("height:{}px", pipes.tracks.len().min(200) * 30 + 32)
}

/// The timeline in a sentence, for those who do not see it.
fn aloud(pipes: &Pipes) -> String {
    format!(
        "Timeline of {} on {}, {} ticks",
        words::count(pipes.start.len(), "slice"),
        words::and(&pipes.tracks),
        words::number(pipes.makespan)
    )
}

/// The edges with the ticks that each alone costs, dearest first.
fn listed<'a>(drawn: &Drawn<'a>) -> Vec<(&'a OwedEdge, u64)> {
    let delays = drawn.extra.timeline.map_or(&[][..], |t| t.delays.as_slice());
    let ticks = |at: usize| delays.iter().find(|(edge, _)| *edge == at).map_or(0, |(_, t)| *t);
    let mut all: Vec<_> =
        drawn.extra.owed.iter().enumerate().map(|(at, edge)| (edge, ticks(at))).collect();
    all.sort_by_key(|(edge, ticks)| (std::cmp::Reverse(*ticks), std::cmp::Reverse(edge.stall)));
    all.truncate(MOST);
    all
}
