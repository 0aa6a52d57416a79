//! Text as it may stand in markdown, in a table too: nothing in it is markup, HTML or a mention.

use crate::report::words;

/// A name as code.
///
/// Backticks and bars cannot stand in a code span of a table in a way that all readers agree on; such
/// names become HTML, every sign of them spelled as a number.
pub fn code(name: &str) -> String {
    let name = words::name(name);
    let plain = !name.contains(['`', '|', '\\']) && name.trim() == name && !name.is_empty();
    if plain { format!("`{name}`") } else { format!("<code>{}</code>", spelled(&name)) }
}

/// A message: what stands between backticks becomes code, the rest is words.
pub fn text(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let parts: Vec<&str> = message.split('`').collect();
    // An odd backtick at the end closes nothing.
    let paired = if parts.len().is_multiple_of(2) { parts.len() - 1 } else { parts.len() };
    for (at, part) in parts.iter().enumerate() {
        match (at < paired, at % 2) {
            (true, 1) if !part.is_empty() => out.push_str(&code(part)),
            (true, 0) => out.push_str(&spelled(&lines(part))),
            _ => out.push_str(&spelled(&format!("`{}", lines(part)))),
        }
    }
    out
}

/// Line ends become blanks, other control characters are escaped.
fn lines(text: &str) -> String {
    words::name(&text.replace("\r\n", " ").replace(['\n', '\r', '\t'], " "))
}

/// Every sign that markdown or HTML may read as its own, as a number.
fn spelled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '~' | '#' | '@' | '$'
            | '!' => out.push_str(&format!("&#{};", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    #[test]
    fn names_are_code_and_the_rest_is_words() {
        assert_eq!(text("`ub` overflows: 1 < 2"), "`ub` overflows: 1 &#60; 2");
        assert_eq!(text("a|b"), "a&#124;b");
        assert_eq!(code("a|b`"), "<code>a&#124;b&#96;</code>");
        assert_eq!(text("an odd ` one\nof two"), "an odd &#96; one of two");
        assert_eq!(code("x\u{1b}[31m"), "<code>x&#92;u{1b}&#91;31m</code>");
    }

    quickcheck! {
        fn a_text_opens_no_cell_no_line_and_no_tag(message: String) -> bool {
            let out = text(&message);
            let out = out.replace("<code>", "").replace("</code>", "");
            // Inside a code span angle brackets are signs like any other.
            let outside: String = out.split('`').step_by(2).collect();
            !out.contains(['|', '\n', '\r']) && !outside.contains(['<', '[', '*'])
        }
    }
}
