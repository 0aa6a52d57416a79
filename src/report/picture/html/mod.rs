//! One page that stands by itself: no network, works from a file.

mod diagnosis;
mod function;
mod graph;
mod index;
mod numbers;
mod scope;
mod table;
mod time;

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub(super) use numbers::numbers;

use super::Picture;
use crate::format::picture::Page;
use crate::report::words;

/// How the page looks.
const STYLE: &str =
    concat!(include_str!("../assets/page.css"), include_str!("../assets/print.css"));

/// What it does, in the order in which its parts use each other.
const SCRIPT: [&str; 9] = [
    include_str!("../assets/data.js"),
    include_str!("../assets/chart.js"),
    include_str!("../assets/marks.js"),
    include_str!("../assets/map.js"),
    include_str!("../assets/pipes.js"),
    include_str!("../assets/details.js"),
    include_str!("../assets/table.js"),
    include_str!("../assets/scope.js"),
    include_str!("../assets/page.js"),
];

/// Decides between light and dark before anything is seen.
const EARLY: &str = include_str!("../assets/early.js");

/// Functions with a section of their own at most; the others stand in the index alone.
const MOST_FUNCTIONS: usize = 500;

/// The page.
///
/// # Errors
/// Never: the keys are strings.
pub fn page(pictures: &[Picture<'_>]) -> serde_json::Result<String> {
    let functions = || pictures.iter().flat_map(|p| p.functions.iter().map(move |f| (p, f)));
    let sheets: Vec<_> = functions().take(MOST_FUNCTIONS).map(|(_, f)| &f.sheet).collect();
    let data = data(&Page { sheets })?;
    let several = functions().nth(1).is_some();
    let names: Vec<String> = pictures.iter().map(|p| words::name(p.input.name)).collect();
    let title = match names.as_slice() {
        [one] => one.clone(),
        all => words::count(all.len(), "input"),
    };
    let worst =
        functions().max_by_key(|(_, f)| (f.extra.accepted == Some(false), f.answer.verdict));
    let verdict = worst.map(|(_, f)| f.word(f.answer.verdict));
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content=(concat!("memplan ", env!("CARGO_PKG_VERSION")));
                title { (title) " \u{b7} memory" }
                style { (PreEscaped(STYLE)) }
                script { (PreEscaped(EARLY)) }
            }
            body {
                (top(&title, verdict, several))
                main id="main" {
                    noscript {
                        p.note {
                            "Scripts are off: maps are drawings without search, tables are in the order "
                            "of the input."
                        }
                    }
                    @if several { (index::index(pictures, MOST_FUNCTIONS)) }
                    @for (at, (picture, drawn)) in functions().take(MOST_FUNCTIONS).enumerate() {
                        (function::section(picture, drawn, at, several))
                    }
                }
                (foot())
                script id="data" type="application/json" { (PreEscaped(data)) }
                script { (PreEscaped(script())) }
            }
        }
    };
    Ok(markup.into_string())
}

/// The data as it may stand in a script element: `<` occurs in strings alone, and is written otherwise.
fn data(page: &Page<'_>) -> serde_json::Result<String> {
    Ok(serde_json::to_string(page)?.replace('<', "\\u003c"))
}

/// All parts in a scope of their own.
fn script() -> String {
    format!("(() => {{\n\"use strict\";\n{}}})();", SCRIPT.concat())
}

/// The chip of a verdict: a sign and a word, so that nothing hangs on colour.
fn chip(word: &str) -> Markup {
    let sign = match word {
        "optimal" => "\u{2713}\u{2713}",
        "feasible" | "accepted" => "\u{2713}",
        "undecided" => "?",
        _ => "\u{2715}",
    };
    html! {
        span class=(format!("chip {word}")) {
            span aria-hidden="true" { (sign) } " " (word)
        }
    }
}

fn top(title: &str, verdict: Option<&str>, several: bool) -> Markup {
    html! {
        a.skip href="#main" { "to the content" }
        header.top {
            div.brand { (logo()) span { "memplan" } }
            div.what {
                h1 { bdi { (title) } }
                @if let Some(verdict) = verdict.filter(|_| several) { (chip(verdict)) }
            }
            div.find role="search" {
                label.unseen for="search" { "Search buffers by name" }
                input id="search" type="search" placeholder="Search buffers" autocomplete="off"
                    spellcheck="false" aria-describedby="found";
                kbd aria-hidden="true" { "/" }
                output id="found" for="search" aria-live="polite" {}
            }
            button id="theme" type="button" aria-label="Light or dark" title="Light or dark" {
                span aria-hidden="true" { "\u{25d0}" }
            }
        }
    }
}

/// Buttons that bring a drawing closer.
fn zoom() -> Markup {
    let buttons = [
        ("in", "Closer", "Closer (+)", "+"),
        ("out", "Farther", "Farther (-)", "\u{2212}"),
        ("all", "All", "All (0)", "all"),
    ];
    html! {
        div.zoom role="group" aria-label="Zoom" {
            @for (how, label, title, sign) in buttons {
                button type="button" data-zoom=(how) aria-label=(label) title=(title) { (sign) }
            }
        }
    }
}

/// Three buffers on two addresses.
fn logo() -> Markup {
    html! {
        svg.logo viewBox="0 0 24 24" aria-hidden="true" {
            rect x="2" y="13" width="9" height="8" rx="1.5" {}
            rect.second x="13" y="13" width="9" height="8" rx="1.5" {}
            rect.third x="5" y="3" width="14" height="8" rx="1.5" {}
        }
    }
}

fn foot() -> Markup {
    let keys = [
        ("/", "search"),
        ("Esc", "let go"),
        ("\u{2190} \u{2192}", "next buffer in time"),
        ("\u{2191} \u{2193}", "next buffer by address"),
        ("+ \u{2212} 0", "closer, farther, all"),
    ];
    html! {
        footer {
            p.keys {
                "On a map: "
                @for (key, what) in keys { span { kbd { (key) } " " (what) } " " }
            }
            p {
                "Made by memplan " (env!("CARGO_PKG_VERSION"))
                ". Bytes are exact; nothing was loaded from a network."
            }
        }
    }
}
