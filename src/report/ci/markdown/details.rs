//! What helps with the worst remarks: other places, how to see it, what to do.

use super::{code, link, more, text};
use crate::diag::Severity;
use crate::model::Remark;
use crate::report::ci::Run;

/// Remarks told in full.
const BLOCKS: usize = 20;
/// Other places of one remark.
const RELATED: usize = 10;

/// A block to open for each error and warning that has more to say, the worst first.
pub(super) fn details(run: &Run, out: &mut String) {
    let told = |r: &&Remark| {
        let more = r.help.is_some() || r.witness.is_some() || !r.related.is_empty();
        more && r.severity > Severity::Note
    };
    let all: Vec<&Remark> = run.by_severity().into_iter().filter(told).collect();
    for remark in all.iter().take(BLOCKS) {
        block(remark, out);
    }
    more(all.len().saturating_sub(BLOCKS), "remark with details", out);
}

fn block(remark: &Remark, out: &mut String) {
    let message = html(&text(&remark.message));
    out.push_str(&format!("\n<details><summary>{message}</summary>\n\n"));
    let mut item = |line: String| out.push_str(&format!("- {line}\n"));
    item(link(remark.code));
    if let Some(place) = &remark.place {
        item(format!("at {}", code(&place.to_string())));
    }
    for (place, word) in remark.related.iter().take(RELATED) {
        let word = if word.is_empty() { String::new() } else { format!(": {}", text(word)) };
        item(format!("see {}{word}", code(&place.to_string())));
    }
    let left = remark.related.len().saturating_sub(RELATED);
    if left > 0 {
        item(format!("and {left} more places"));
    }
    if let Some(witness) = &remark.witness {
        item(format!("see it: {}", text(witness)));
    }
    if let Some(help) = &remark.help {
        item(format!("help: {}", text(help)));
    }
    out.push_str("\n</details>\n");
}

/// Code spans are not read on the line of a summary, which is HTML.
fn html(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    for (at, part) in markdown.split('`').enumerate() {
        if at % 2 == 1 {
            let part = part.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            out.push_str(&format!("<code>{part}</code>"));
        } else {
            out.push_str(part);
        }
    }
    out
}
