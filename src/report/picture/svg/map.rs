//! One map: the load over the buffers, on the same steps.

use std::cmp::Reverse;

use maud::{Markup, html};

use super::WIDTH;
use super::axis::{Scale, about, byte_ticks, short, span, step_ticks, top};
use super::parts::{COLOURS, fitting, label, line, place, rect, text};
use crate::format::picture::{Map, Steps};
use crate::report::picture::Drawn;
use crate::report::picture::load::{self, Piece};
use crate::report::picture::shares::STALLS;
use crate::report::words;

/// Rectangles of a map at most: the largest are kept.
const MOST: usize = 4_000;

const LEFT: f64 = 84.0;
const RIGHT: f64 = WIDTH - 24.0;
const LOAD: f64 = 72.0;
const REGION: f64 = 15.0;

/// Draws a map below `y`; the markup and its height.
pub(super) fn draw(drawn: &Drawn<'_>, map: &Map, y: f64) -> (Markup, f64) {
    let all = Piece::all(map);
    let both = load::overlaps(&all);
    let (from, to) = span(&drawn.sheet);
    let steps = Scale::new(from, to, LEFT, RIGHT - LEFT);
    let depth = u8::try_from(deepest(&drawn.sheet.steps)).unwrap_or(3).min(3);
    let (low, strip) = (y + LOAD, f64::from(depth) * REGION);
    let ceiling = low + 20.0 + strip;
    let height = if all.is_empty() { 0.0 } else { height(map) };
    let floor = ceiling + height;
    let load = Scale::new(0, top(map), low, -LOAD);
    let bytes = Scale::new(0, top(map), floor, -height);
    let (pieces, left_out) = largest(all);
    let body = html! {
        (curve(map, steps, load))
        (bands(&drawn.sheet.steps, depth, steps, low + 8.0))
        @if height > 0.0 {
            (grid(map, bytes))
            @for piece in &pieces { (buffer(map, piece, steps, bytes)) }
            @for (part, second) in &both { (becomes(part, second, steps, bytes)) }
            (stalls(map, steps, bytes))
            (limits(map, bytes))
        }
        (time(drawn, (from, to), steps, floor))
        (peak(map, steps, (y, floor)))
        @if left_out > 0 {
            (label("more", (LEFT, floor + 38.0), &format!(
                "{} left out, the smallest", words::count(left_out, "rectangle")
            )))
        }
    };
    (body, floor - y + if left_out > 0 { 46.0 } else { 30.0 })
}

/// Few buffers need less room.
fn height(map: &Map) -> f64 {
    match map.buffers.id.len() {
        0..=4 => 150.0,
        5..=12 => 220.0,
        _ => 300.0,
    }
}

/// How many regions lie in each other.
fn deepest(steps: &Steps) -> u32 {
    steps.regions.iter().map(|r| r.depth + 1).max().unwrap_or(0)
}

/// The rectangles to draw, in their order, and how many are left out.
fn largest(mut pieces: Vec<Piece>) -> (Vec<Piece>, usize) {
    let left_out = pieces.len().saturating_sub(MOST);
    if left_out > 0 {
        let area = |p: &Piece| u128::from(p.end - p.start) * u128::from(p.high - p.low);
        pieces.sort_by_key(|p| Reverse(area(p)));
        pieces.truncate(MOST);
        pieces.sort_by_key(|p| (p.buffer, p.slot, p.start));
    }
    (pieces, left_out)
}

/// The load with what bounds it.
fn curve(map: &Map, steps: Scale, load: Scale) -> Markup {
    let mut path = String::new();
    let mut last = load.at(0);
    for &[step, bytes] in &map.load {
        let (x, y) = (place(steps.at(step)), load.at(bytes));
        let begin = if path.is_empty() { 'M' } else { 'L' };
        path.push_str(&format!("{begin}{x} {}L{x} {}", place(last), place(y)));
        last = y;
    }
    let across = |class: &str, n: u64| line(class, (LEFT, load.at(n)), (RIGHT, load.at(n)));
    html! {
        (line("axis", (LEFT, load.at(0)), (RIGHT, load.at(0))))
        (label("tick", (LEFT - 8.0, load.at(0) + 3.5), "0 B"))
        (label("tick", (LEFT - 8.0, load.at(map.max_load) + 3.5), &about(map.max_load)))
        (label("axis-name", (16.0, load.at(0) - LOAD - 8.0), "load"))
        @if !path.is_empty() { path class="load" d=(path) {} }
        (across("bound", map.lower_bound))
        @if let Some(usable) = map.usable.filter(|u| load.holds(*u)) { (across("limit", usable)) }
    }
}

/// Loops and branches, from the outside in.
fn bands(steps: &Steps, depth: u8, scale: Scale, y: f64) -> Markup {
    let shown = steps.regions.iter().filter(|r| r.depth < u32::from(depth)).take(400);
    html! {
        @for region in shown {
            @let top = y + f64::from(u8::try_from(region.depth).unwrap_or(0)) * REGION;
            @let (left, right) = (scale.at(region.start), scale.at(region.end));
            g {
                title { (text(&region.name)) }
                (rect("region", (left + 0.5, top), (right - 0.5, top + REGION - 3.0)))
                @if let Some(name) = fitting(&text(&region.name), right - left) {
                    (label("region-name", (left + 5.0, top + REGION - 6.0), &name))
                }
            }
        }
    }
}

fn grid(map: &Map, bytes: Scale) -> Markup {
    html! {
        @let what = if map.stack.is_some() { "in all" } else { "address" };
        (label("axis-name", (16.0, bytes.at(top(map)) - 10.0), what))
        @for tick in byte_ticks(top(map), 6) {
            (line("grid", (LEFT, bytes.at(tick)), (RIGHT, bytes.at(tick))))
            (label("tick", (LEFT - 8.0, bytes.at(tick) + 3.5), &about(tick)))
        }
    }
}

/// One rectangle, with all about it in its title.
fn buffer(map: &Map, piece: &Piece, steps: Scale, bytes: Scale) -> Markup {
    let b = &map.buffers;
    let name = b.name.get(piece.buffer).map_or_else(String::new, |name| text(name));
    let (left, right) = (steps.at(piece.start), steps.at(piece.end));
    let (upper, lower) = (bytes.at(piece.high), bytes.at(piece.low));
    let several = b.offsets.get(piece.buffer).is_some_and(|o| o.len() > 1);
    let slot = if several { format!(" slot {}", piece.slot) } else { String::new() };
    let place = match map.stack {
        Some(_) => "no place".to_owned(),
        None => format!("[{}, {})", words::number(piece.low), words::number(piece.high)),
    };
    let size = words::bytes(b.size.get(piece.buffer).copied().unwrap_or(0));
    let title = format!("{name}{slot}: {size}, {place}, steps [{}, {})", piece.start, piece.end);
    let class = format!("b b{}", piece.buffer % COLOURS);
    let shown = (lower - upper >= 11.0).then(|| fitting(&format!("{name}{slot}"), right - left));
    html! {
        g {
            title { (title) }
            (rect(&class, (left, upper), (right, lower)))
            @if let Some(Some(name)) = shown {
                (label("name", (left + 5.0, f64::midpoint(upper, lower) + 3.5), &name))
            }
        }
    }
}

/// Where two hold the same bytes at once (in place, exclusive), each has a corner: the first that of the
/// past.
fn becomes(part: &Piece, second: &Piece, steps: Scale, bytes: Scale) -> Markup {
    let (left, right) = (place(steps.at(part.start)), place(steps.at(part.end)));
    let (upper, lower) = (place(bytes.at(part.high)), place(bytes.at(part.low)));
    let corner = |piece: &Piece, points: String| {
        html! { polygon class=(format!("b b{}", piece.buffer % COLOURS)) points=(points) {} }
    };
    html! {
        (corner(part, format!("{left},{upper} {left},{lower} {right},{lower}")))
        (corner(second, format!("{left},{upper} {right},{upper} {right},{lower}")))
    }
}

/// Where the second of a stalling pair begins, on the bytes that it has from the first.
fn stalls(map: &Map, steps: Scale, bytes: Scale) -> Markup {
    let at = |b: u32| usize::try_from(b).unwrap_or(usize::MAX);
    let (b, s) = (&map.buffers, &map.shares);
    let places = |buffer: usize| b.offsets.get(buffer).map_or(&[][..], Vec::as_slice);
    let mut marks = Vec::new();
    // Stalling pairs stand first.
    let pairs = s.first.iter().zip(&s.second).zip(&s.kind);
    for ((first, second), _) in pairs.take_while(|pair| *pair.1 == STALLS).take(MOST) {
        let (first, second) = (at(*first), at(*second));
        let Some(start) = b.live.get(second).and_then(|live| live.first()) else { continue };
        for o in places(second) {
            for f in places(first) {
                let end = |from: u64, of: usize| from.saturating_add(load::taken(b, of));
                let (low, high) = ((*o).max(*f), end(*o, second).min(end(*f, first)));
                if low < high {
                    let x = steps.at(*start);
                    marks.push(rect("stall", (x, bytes.at(high)), (x + 4.0, bytes.at(low))));
                }
            }
        }
    }
    html! { @for mark in &marks { (mark) } }
}

/// What bounds a plan: capacity, reserved bytes, its peak.
fn limits(map: &Map, bytes: Scale) -> Markup {
    let across = |class: &str, n: u64| line(class, (LEFT, bytes.at(n)), (RIGHT, bytes.at(n)));
    let above = |n: u64| (RIGHT - 4.0, bytes.at(n) - 4.0);
    let reserved = map.reserved.iter().filter(|r| bytes.holds(r[0]));
    html! {
        @for range in reserved {
            g {
                title { "reserved: [" (range[0]) ", " (range[1]) ")" }
                (rect("reserved", (LEFT, bytes.at(range[1])), (RIGHT, bytes.at(range[0]))))
            }
        }
        @if let Some(capacity) = map.capacity {
            @if bytes.holds(capacity) {
                (across("limit", capacity))
                (label("limit-name", (RIGHT - 4.0, bytes.at(capacity) + 12.0),
                    &format!("capacity {}", short(capacity))))
            }
        }
        @if let Some(peak) = map.peak {
            (across("peak", peak))
            @if map.capacity.is_none_or(|c| bytes.at(peak) - bytes.at(c) > 26.0 || !bytes.holds(c)) {
                (label("peak-name", above(peak), &format!("peak {}", words::bytes(peak))))
            }
        }
    }
}

/// The steps below the map.
fn time(drawn: &Drawn<'_>, (from, to): (u64, u64), steps: Scale, floor: f64) -> Markup {
    let named = &drawn.sheet.steps;
    let wide = (RIGHT - LEFT) / 46.0;
    let few = u64::try_from(named.at.len())
        .is_ok_and(|n| n > 0 && u32::try_from(n).is_ok_and(|n| f64::from(n) <= wide));
    let name = |step: u64| {
        let at = named.at.get(usize::try_from(step).unwrap_or(usize::MAX))?;
        named.words.get(usize::try_from(*at).unwrap_or(usize::MAX))
    };
    html! {
        (line("axis", (LEFT, floor), (RIGHT, floor)))
        (label("axis-name", (16.0, floor + 15.0), "step"))
        @if few {
            @for step in from..to {
                @let (left, right) = (steps.at(step), steps.at(step + 1));
                (line("axis", (left, floor), (left, floor + 4.0)))
                @if let Some(name) = name(step).and_then(|n| fitting(&text(n), right - left + 4.0)) {
                    (label("step", (f64::midpoint(left, right), floor + 15.0), &name))
                }
            }
        } @else {
            @for step in step_ticks(from, to, 12) {
                (line("axis", (steps.at(step), floor), (steps.at(step), floor + 4.0)))
                (label("step", (steps.at(step).min(RIGHT - 14.0), floor + 15.0), &words::number(step)))
            }
        }
    }
}

/// The step of the largest load.
fn peak(map: &Map, steps: Scale, (upper, floor): (f64, f64)) -> Markup {
    let at = map.max_load_at;
    let (left, right) = (steps.at(at), steps.at(at.saturating_add(1)));
    html! {
        @if map.max_load > 0 && steps.holds(at) {
            g {
                title { "largest load: " (words::bytes(map.max_load)) " at step " (at) }
                (rect("moment", (left, upper), (right, floor)))
            }
        }
    }
}
