//! The map alone, as a drawing that stands by itself.

mod axis;
mod map;
mod parts;

use maud::{Markup, PreEscaped, html};

use super::{Drawn, Picture};
use crate::report::words;

/// How the drawing looks; light and dark as the reader's system has it.
const STYLE: &str = include_str!("style.css");

/// Width of a drawing.
const WIDTH: f64 = 960.0;

/// Maps on one drawing at most.
const MOST_MAPS: usize = 200;

/// A map that a page shows where no script runs; none for one with many buffers.
pub(super) fn inline(drawn: &Drawn<'_>, at: usize) -> Option<Markup> {
    const SMALL: usize = 400;
    let map = drawn.sheet.maps.get(at).filter(|map| map.buffers.id.len() <= SMALL)?;
    let (body, height) = map::draw(drawn, map, 14.0);
    let view = format!("0 0 {WIDTH} {:.0}", height + 14.0);
    Some(html! { svg class="drawing" viewBox=(view) role="img" { (body) } })
}

/// All maps of all pictures, one below the other.
pub fn drawing(pictures: &[Picture<'_>]) -> String {
    let (mut parts, mut y) = (Vec::new(), 12.0);
    let mut left_out = 0;
    let functions = pictures.iter().flat_map(|p| p.functions.iter().map(move |f| (p, f)));
    for (picture, drawn) in functions {
        for (at, map) in drawn.sheet.maps.iter().enumerate() {
            if parts.len() >= MOST_MAPS {
                left_out += 1;
                continue;
            }
            let (body, height) = map::draw(drawn, map, y + 56.0);
            parts.push(html! { g { (heading(picture, drawn, at, y)) (body) } });
            y += height + 70.0;
        }
    }
    if left_out > 0 {
        let what = format!("{} left out", words::count(left_out, "map"));
        parts.push(html! { text class="more" x="16" y=(format!("{:.1}", y + 10.0)) { (what) } });
        y += 24.0;
    }
    let names: Vec<String> = pictures.iter().map(|p| parts::text(p.input.name)).collect();
    let title = format!("Memory of {}", words::and(&names));
    let view = format!("0 0 {WIDTH} {y:.0}");
    let document = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(view) width=(format!("{WIDTH}"))
            height=(format!("{y:.0}")) role="img" aria-labelledby="t" {
            title id="t" { (title) }
            style { (PreEscaped(STYLE)) }
            rect class="paper" width="100%" height="100%" {}
            @for part in &parts { (part) }
        }
    };
    format!("{}\n", document.into_string())
}

/// Function, scope and the numbers of the verdict.
fn heading(picture: &Picture<'_>, drawn: &Drawn<'_>, at: usize, y: f64) -> Markup {
    let Some(answer) = drawn.answer.scopes.get(at) else { return Markup::default() };
    let Some(map) = drawn.sheet.maps.get(at) else { return Markup::default() };
    let name = format!("{} \u{b7} {}", parts::text(&drawn.answer.name), parts::text(&map.name));
    let numbers = super::html::numbers(map, answer);
    let (file, word) = (parts::text(picture.input.name), drawn.word(answer.verdict));
    html! {
        text class="head" x="16" y=(format!("{:.1}", y + 16.0)) { (name) }
        text class="file" x=(format!("{}", WIDTH - 16.0)) y=(format!("{:.1}", y + 16.0)) { (file) }
        text class="line" x="16" y=(format!("{:.1}", y + 34.0)) {
            tspan class=(format!("verdict {word}")) { (word) }
            tspan dx="8" { (numbers) }
        }
    }
}
