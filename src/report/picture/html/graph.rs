//! Who shares bytes with whom, as arcs between names.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::table::names;
use crate::format::picture::{Map, Shares};
use crate::model::ScopeAnswer;
use crate::report::picture::shares::{FREE, IN_PLACE, STALLS};
use crate::report::words;

/// Buffers and pairs that the picture holds at most.
const MOST_BUFFERS: usize = 40;
const MOST_PAIRS: usize = 160;

/// Rows of the table at most.
const MOST_ROWS: usize = 60;

const ROW: usize = 20;
const LEFT: usize = 200;
const WIDTH: usize = 560;
const WIDEST: usize = WIDTH - LEFT - 120;

/// The pairs of a scope: nothing where there is none.
pub(super) fn section(map: &Map, answer: &ScopeAnswer) -> Markup {
    let shares = &map.shares;
    if shares.first.is_empty() {
        return Markup::default();
    }
    let all = answer.reuse.len();
    let stalls = answer.reuse.iter().filter(|r| r.stall).count();
    let names = names(&map.buffers);
    html! {
        details.shares open[all <= 60 || stalls > 0] {
            summary {
                h4 { "Who shares bytes with whom" }
                span.count { (words::count(all, "pair")) ", " (stalls) " stalling" }
            }
            div.pairs {
                (arcs(map, &names))
                (rows(shares, &names, all))
            }
        }
    }
}

/// The first pairs whose buffers fit, by their positions in the list.
fn shown(shares: &Shares) -> (Vec<usize>, BTreeSet<u32>) {
    let (mut pairs, mut buffers) = (Vec::new(), BTreeSet::new());
    for at in 0..shares.first.len() {
        let ends = [shares.first[at], shares.second[at]];
        let new = ends.iter().filter(|b| !buffers.contains(*b)).count();
        if pairs.len() >= MOST_PAIRS || buffers.len() + new > MOST_BUFFERS {
            continue;
        }
        buffers.extend(ends);
        pairs.push(at);
    }
    (pairs, buffers)
}

/// Names from the first alive down, an arc for each pair; those that stall are dashed and say what they
/// cost.
fn arcs(map: &Map, names: &[String]) -> Markup {
    let shares = &map.shares;
    let (pairs, buffers) = shown(shares);
    let at = |b: u32| usize::try_from(b).unwrap_or(usize::MAX);
    let begins = |b: u32| map.buffers.live.get(at(b)).and_then(|l| l.first()).copied();
    let mut order: Vec<u32> = buffers.into_iter().collect();
    order.sort_by_key(|b| (begins(*b), *b));
    let middle = |row: usize| 14 + row * ROW;
    let row: BTreeMap<u32, usize> = order.iter().copied().zip(0..).collect();
    let height = middle(order.len());
    // Rows at which a price stands already.
    let mut said = BTreeSet::new();
    let free = pairs.iter().filter(|p| shares.kind[**p] != STALLS);
    let stalls = pairs.iter().filter(|p| shares.kind[**p] == STALLS);
    let left_out = shares.first.len() - pairs.len() + shares.left_out;
    html! {
        figure.arcs {
            div.scroll {
                svg viewBox=(format!("0 0 {WIDTH} {height}")) width=(WIDTH) height=(height) role="img"
                    aria-label="An arc for each pair that shares bytes; the table has the same pairs." {
                    @for pair in free.chain(stalls) { (arc(shares, *pair, &row, &mut said)) }
                    @for b in &order {
                        g.node data-b=(b) {
                            title { (names[at(*b)]) }
                            text x=(LEFT - 12) y=(middle(row[b]) + 4) { (cut(&names[at(*b)])) }
                            circle class=(format!("b{}", at(*b) % 8)) cx=(LEFT) cy=(middle(row[b])) r="5" {}
                        }
                    }
                }
            }
            figcaption {
                span.key.stall {} "one pipe waits for another " span.key.free {} "free "
                span.key.inplace {} "in place"
                @if left_out > 0 {
                    " \u{b7} " (words::number(left_out as u64))
                    " pairs are not drawn; those of one buffer stand beside the map"
                }
            }
        }
    }
}

/// An arc; its price stands at its lower end, right of all arcs.
fn arc(
    shares: &Shares,
    pair: usize,
    row: &BTreeMap<u32, usize>,
    said: &mut BTreeSet<usize>,
) -> Markup {
    let ends = [shares.first[pair], shares.second[pair]];
    let middle = |b: u32| 14 + row.get(&b).copied().unwrap_or(0) * ROW;
    let (y, z) = (middle(ends[0]).min(middle(ends[1])), middle(ends[0]).max(middle(ends[1])));
    let tall = (z - y).max(1) / 2;
    let wide = tall.min(WIDEST);
    let path = format!("M{LEFT} {y}A{wide} {tall} 0 0 1 {LEFT} {z}");
    let kind = match shares.kind[pair] {
        STALLS => "stall",
        IN_PLACE => "inplace",
        FREE => "free",
        _ => "",
    };
    let cost = format!("stall, cost {}", words::number(shares.cost[pair]));
    html! {
        g class=(format!("arc {kind}")) data-first=(ends[0]) data-second=(ends[1]) {
            path d=(path) {}
            @if kind == "stall" && said.insert(z) {
                text x=(LEFT + widest(row.len()) + 12) y=(z - 2) { (cost) }
            }
        }
    }
}

/// How far arcs between so many rows reach.
fn widest(rows: usize) -> usize {
    (rows.saturating_sub(1) * ROW / 2).min(WIDEST)
}

fn cut(name: &str) -> String {
    const LETTERS: usize = 26;
    if name.chars().count() <= LETTERS {
        return name.to_owned();
    }
    name.chars().take(LETTERS - 1).chain(['\u{2026}']).collect()
}

/// The same in rows, stalling ones first.
fn rows(shares: &Shares, names: &[String], all: usize) -> Markup {
    let name = |b: u32| usize::try_from(b).ok().and_then(|b| names.get(b)).map_or("", |n| n);
    let why = |at: usize| usize::try_from(shares.why[at]).ok().and_then(|w| shares.words.get(w));
    html! {
        div.scroll { table {
            thead { tr {
                th scope="col" { "first" } th scope="col" { "then" } th scope="col" { "how" }
                th.n scope="col" { "cost" } th scope="col" { "ties, level" }
            } }
            tbody { @for at in 0..shares.first.len().min(MOST_ROWS) {
                tr class=[(shares.kind[at] == STALLS).then_some("stall")] {
                    th scope="row" { span.name data-b=(shares.first[at]) { bdi { (name(shares.first[at])) } } }
                    td { span.name data-b=(shares.second[at]) { bdi { (name(shares.second[at])) } } }
                    td { @match shares.kind[at] {
                        STALLS => strong { "stalls" }, IN_PLACE => "in place", _ => "free"
                    } }
                    td.n { (words::number(shares.cost[at])) }
                    td { (why(at).map_or("", |w| w)) }
                }
            } }
        } }
        @if all > MOST_ROWS { p.note { (words::number((all - MOST_ROWS) as u64)) " more pairs" } }
    }
}
