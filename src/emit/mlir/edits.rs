//! A text with changes: what is not named stays byte for byte.

/// Replacements and insertions in one text.
#[derive(Debug, Default)]
pub(super) struct Edits {
    /// Range, order among edits at one place, new text.
    list: Vec<(usize, usize, usize, String)>,
}

impl Edits {
    /// Puts `with` in the place of the bytes `[start, end)`.
    pub(super) fn replace(&mut self, start: usize, end: usize, with: impl Into<String>) {
        self.list.push((start, end.max(start), self.list.len(), with.into()));
    }

    /// Puts `text` before the byte `at`, behind what was put there before.
    pub(super) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at, at, text);
    }

    /// Takes a statement out, with its line where it stands alone on it.
    pub(super) fn remove(&mut self, text: &str, start: usize, end: usize) {
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let alone = text[line..start].chars().all(char::is_whitespace);
        let rest = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
        let ends = text[end..rest].trim().is_empty();
        if alone && ends {
            self.replace(line, rest, "");
        } else {
            self.replace(start, end, "");
        }
    }

    /// The changed text. Of edits that overlap the first counts.
    pub(super) fn apply(mut self, text: &str) -> String {
        self.list.sort_by_key(|(start, end, order, _)| (*start, *end, *order));
        let mut out = String::with_capacity(text.len() + text.len() / 8);
        let mut at = 0;
        for (start, end, _, with) in self.list {
            if start < at {
                continue;
            }
            out.push_str(&text[at..start]);
            out.push_str(&with);
            at = end;
        }
        out.push_str(&text[at..]);
        out
    }
}

/// The blanks in front of a statement that begins its line; none where something stands before it.
pub(super) fn indent(text: &str, start: usize) -> Option<&str> {
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let before = &text[line..start];
    before.chars().all(|c| c == ' ' || c == '\t').then_some(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_named_stays() {
        let text = "a\n  b // why\n  c\nd\n";
        let mut edits = Edits::default();
        edits.insert(4, "x\n  ");
        edits.remove(text, 4, 5);
        edits.remove(text, 15, 16);
        edits.insert(17, "y\n");
        assert_eq!(edits.apply(text), "a\n  x\n   // why\ny\nd\n");
    }
}
