//! The buffers of a scope as a table.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::format::picture::{Columns, Map};
use crate::report::words;

/// Rows that stand in the page; the script makes the others when they are asked for.
pub(crate) const ROWS: usize = 100;

/// The columns: a key for the script, a head, whether numbers stand in it.
const HEADS: [(&str, &str, bool); 7] = [
    ("name", "buffer", false),
    ("size", "size", true),
    ("slots", "slots", true),
    ("offset", "offset", true),
    ("live", "live steps", true),
    ("pipes", "pipes", false),
    ("line", "line", true),
];

/// The table of a scope.
pub(super) fn buffers(map: &Map, id: &str) -> Markup {
    let columns = &map.buffers;
    let has = |key: &str| match key {
        "pipes" => !columns.pipe_words.is_empty(),
        "line" => !columns.line.is_empty(),
        "offset" => map.peak.is_some(),
        _ => true,
    };
    let count = columns.id.len();
    let names = names(columns);
    let caption = format!("{id}-buffers");
    html! {
        details.buffers open {
            summary { h4 id=(caption) { "Buffers" } span.count { (words::number(count as u64)) } }
            div.scroll { table aria-labelledby=(caption) {
                thead { tr { @for (key, head, number) in HEADS.into_iter().filter(|h| has(h.0)) {
                    th scope="col" class=[number.then_some("n")] aria-sort="none" data-key=(key) {
                        button type="button" { (head) span.arrow aria-hidden="true" {} }
                    }
                } } }
                tbody { @for at in 0..count.min(ROWS) {
                    tr data-b=(at) {
                        @for (key, _, number) in HEADS.into_iter().filter(|h| has(h.0)) {
                            @if key == "name" {
                                th scope="row" {
                                    span class=(format!("dot b{}", at % 8)) {} bdi { (names[at]) }
                                }
                            } @else {
                                td class=[number.then_some("n")] { (cell(columns, at, key)) }
                            }
                        }
                    }
                } }
            } }
            p.more hidden[count <= ROWS] {
                button type="button" { "more" } " "
                span { (words::number(count.saturating_sub(ROWS) as u64)) " more" }
            }
        }
    }
}

/// Names; with their ordinals where several are the same.
pub(super) fn names(columns: &Columns) -> Vec<String> {
    let mut times: BTreeMap<&str, u32> = BTreeMap::new();
    columns.name.iter().for_each(|name| *times.entry(name).or_default() += 1);
    let repeats = |name: &str| times.get(name).is_some_and(|times| *times > 1);
    let both = columns.name.iter().zip(&columns.id);
    both.map(|(name, id)| if repeats(name) { format!("{name}#{id}") } else { name.clone() })
        .collect()
}

fn cell(columns: &Columns, at: usize, key: &str) -> String {
    let list = |all: &[u64]| all.iter().map(|n| words::number(*n)).collect::<Vec<_>>().join(", ");
    match key {
        "size" => columns.size.get(at).map_or_else(String::new, |n| words::number(*n)),
        "slots" => columns.slots.get(at).map_or_else(String::new, u32::to_string),
        "offset" => columns.offsets.get(at).map_or_else(String::new, |all| list(all)),
        "live" => {
            let live = columns.live.get(at).map_or(&[][..], Vec::as_slice);
            let ranges = live.as_chunks::<2>().0.iter().map(|[s, e]| format!("[{s}, {e})"));
            ranges.collect::<Vec<_>>().join(" ")
        }
        "pipes" => {
            let word = columns.pipes.get(at).and_then(|w| usize::try_from(*w).ok());
            word.and_then(|w| columns.pipe_words.get(w)).cloned().unwrap_or_default()
        }
        _ => columns.line.get(at).cloned().unwrap_or_default(),
    }
}
