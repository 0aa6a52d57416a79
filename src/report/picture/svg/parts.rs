//! Small things of drawings.

use maud::{Markup, html};

/// Colours of buffers; `style.css` and `page.css` have them by number.
pub(super) const COLOURS: usize = 8;

/// A text as XML may hold it.
pub(super) fn text(text: &str) -> String {
    let fine = |c: char| if matches!(c, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { c };
    crate::report::words::name(text).chars().map(fine).collect()
}

/// A place on paper.
pub(super) fn place(n: f64) -> String {
    let text = format!("{n:.1}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

/// A line.
pub(super) fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> Markup {
    html! {
        line class=(class) x1=(place(from.0)) y1=(place(from.1)) x2=(place(to.0)) y2=(place(to.1)) {}
    }
}

/// A rectangle between two corners.
pub(super) fn rect(class: &str, low: (f64, f64), high: (f64, f64)) -> Markup {
    let (width, height) = ((high.0 - low.0).max(0.5), (high.1 - low.1).max(0.5));
    html! {
        rect class=(class) x=(place(low.0)) y=(place(low.1)) width=(place(width))
            height=(place(height)) {}
    }
}

/// A text at a place.
pub(super) fn label(class: &str, at: (f64, f64), words: &str) -> Markup {
    html! { text class=(class) x=(place(at.0)) y=(place(at.1)) { (words) } }
}

/// As much of a name as fits; none where too little would.
pub(super) fn fitting(name: &str, width: f64) -> Option<String> {
    const LETTER: f64 = 6.3;
    let mut room = width - 8.0;
    let mut kept = String::new();
    let all = name.chars().count();
    for (at, c) in name.chars().enumerate() {
        // One letter less, where the sign that more follows has to stand.
        let needed = if at + 1 < all { 2.0 * LETTER } else { LETTER };
        if room < needed {
            return (at >= 3).then(|| kept + "\u{2026}");
        }
        room -= LETTER;
        kept.push(c);
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_where_they_do_not_fit() {
        assert_eq!(fitting("acc", 60.0).as_deref(), Some("acc"));
        assert_eq!(fitting("accumulator", 60.0).as_deref(), Some("accumul\u{2026}"));
        assert_eq!(fitting("accumulator", 20.0), None);
    }

    #[test]
    fn what_xml_cannot_hold_is_replaced() {
        assert_eq!(text("a\u{0}b\u{ffff}"), "a\\u{0}b\u{fffd}");
    }
}
