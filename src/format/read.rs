//! Strict reading of TOML that reports several errors at once.
//!
//! serde stops at the first error. After one, the offending key (or table, where a key is missing)
//! is cut out of the syntax tree and reading starts again, so that every table gets its say.

use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// Errors reported for one text; the rest is counted.
pub const MAX_ERRORS: usize = 20;

/// What is wrong with the shape of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// Not TOML.
    Syntax,
    /// Nested too deeply.
    Depth,
    /// A key that the format does not have.
    UnknownKey,
    /// A key that must be there.
    MissingKey,
    /// A value of the wrong type.
    Type,
    /// A value of the right type that makes no sense.
    Value,
}

/// One error of shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeError {
    /// What is wrong.
    pub wrong: Wrong,
    /// A lower-case fragment.
    pub message: String,
    /// Where, in bytes of the text.
    pub span: Range<usize>,
    /// What to do.
    pub help: Option<String>,
}

/// Reads a text into a `T`.
///
/// `synonyms` are words that other tools use for keys of this format.
///
/// # Errors
/// At most [`MAX_ERRORS`] errors in the order of the text; at least one.
pub fn read<T: DeserializeOwned>(
    text: &str,
    synonyms: &[(&str, &str)],
) -> Result<T, Vec<ShapeError>> {
    let (table, syntax) = DeTable::parse_recoverable(text);
    if !syntax.is_empty() {
        return Err(syntax_errors(&syntax, text));
    }
    let first = match T::deserialize(toml::Deserializer::from(table)) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let (mut table, _) = DeTable::parse_recoverable(text);
    let mut cut: Vec<(Range<usize>, String)> = Vec::new();
    let mut errors = Vec::new();
    let mut next = Some(first);
    while let Some(error) = next {
        let mut shape = classify(&error, text, synonyms);
        let removed = excise(table.get_mut(), 0..0, &shape.span);
        let missing = quoted(&shape.message).next().unwrap_or_default().to_owned();
        let known = shape.wrong == Wrong::MissingKey
            && cut.iter().any(|(span, key)| *span == shape.span && *key == missing);
        if shape.wrong == Wrong::MissingKey {
            shape.span = first_line(text, shape.span);
        }
        if !known {
            errors.push(shape);
        }
        let Some(removed) = removed else { break };
        cut.push(removed);
        if errors.len() >= MAX_ERRORS {
            break;
        }
        next = T::deserialize(toml::Deserializer::from(table.clone())).err();
    }
    errors.sort_by_key(|e| (e.span.start, e.span.end));
    Err(errors)
}

/// The tree of a text, for readers that walk it by hand.
///
/// # Errors
/// All slips of syntax, at most [`MAX_ERRORS`].
pub fn tree(text: &str) -> Result<Spanned<DeTable<'_>>, Vec<ShapeError>> {
    let (table, syntax) = DeTable::parse_recoverable(text);
    if syntax.is_empty() { Ok(table) } else { Err(syntax_errors(&syntax, text)) }
}

/// Cuts out the deepest key whose key or value contains `span`, or the table that is `span`.
/// Returns the span of the table it was cut from and the key.
fn excise(
    table: &mut DeTable<'_>,
    own: Range<usize>,
    span: &Range<usize>,
) -> Option<(Range<usize>, String)> {
    let mut found = None;
    for (key, value) in table.iter_mut() {
        let key_span = key.span();
        let here = value.span();
        let name = key.get_ref().to_string();
        let deeper = match value.get_mut() {
            // An empty inner table has nothing deeper to cut: the whole key goes.
            DeValue::Table(inner) => excise(inner, here.clone(), span),
            DeValue::Array(items) => excise_item(items, span),
            _ => None,
        };
        if deeper.is_some() {
            return deeper;
        }
        if contains(&key_span, span) || contains(&here, span) {
            found = Some(name);
        }
    }
    let key = found?;
    table.remove(key.as_str());
    Some((own, key))
}

fn excise_item(items: &mut DeArray<'_>, span: &Range<usize>) -> Option<(Range<usize>, String)> {
    let mut whole = None;
    for (at, item) in items.iter_mut().enumerate() {
        let here = item.span();
        let DeValue::Table(inner) = item.get_mut() else { continue };
        // A missing key is reported at the table itself.
        if here == *span {
            whole = Some(at);
            break;
        }
        let deeper = excise(inner, here, span);
        if deeper.is_some() {
            return deeper;
        }
    }
    let at = whole?;
    let kept = items.iter().enumerate().filter(|(i, _)| *i != at);
    *items = kept.map(|(_, item)| item.clone()).collect();
    Some((span.clone(), String::new()))
}

fn contains(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end && !outer.is_empty()
}

/// Slips of syntax in the order of the text, without those that follow from others.
fn syntax_errors(all: &[toml::de::Error], text: &str) -> Vec<ShapeError> {
    let mut errors: Vec<ShapeError> = all.iter().map(|e| syntax_error(e, text)).collect();
    errors.sort_by_key(|e| (e.span.start, e.span.end));
    // A list that is never closed swallows the rest of the text: one error, where that begins.
    let swallowed = errors.iter().any(|e| e.message.starts_with("unclosed array, "));
    let first = errors.iter().position(|e| e.message.contains("array"));
    if let (true, Some(at)) = (swallowed, first) {
        errors.truncate(at + 1);
        errors[at].message = "a list is still open here".to_owned();
        errors[at].help = Some("close it with `]` above".to_owned());
    }
    // One slip in a line makes others of the rest of the line.
    errors.dedup_by_key(|e| text[..e.span.start].matches('\n').count());
    errors.truncate(MAX_ERRORS);
    errors
}

fn syntax_error(error: &toml::de::Error, text: &str) -> ShapeError {
    let mut message = error.message().to_owned();
    let span = visible(text, error.span().unwrap_or(0..0));
    let mut help = None;
    let deep = message.contains("recurs");
    if deep {
        message = "values are nested too deeply".to_owned();
    } else if message.starts_with("string values must be quoted") {
        let written = text[span.clone()].trim();
        message = "text must be in quotes".to_owned();
        help = (!written.is_empty()).then(|| format!("write \"{written}\""));
    }
    let wrong = if deep { Wrong::Depth } else { Wrong::Syntax };
    ShapeError { wrong, message, span, help }
}

fn classify(error: &toml::de::Error, text: &str, synonyms: &[(&str, &str)]) -> ShapeError {
    let message = error.message();
    let span = error.span().unwrap_or(0..0);
    let mut help = None;
    let (wrong, words) = if message.starts_with("unknown field") {
        let mut names = quoted(message);
        let key = names.next().unwrap_or_default();
        let known: Vec<&str> = names.collect();
        help = Some(match synonyms.iter().find(|(word, _)| *word == key) {
            Some((_, advice)) => (*advice).to_owned(),
            None => match nearest(key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the keys here are {}", list(&known)),
            },
        });
        (Wrong::UnknownKey, format!("unknown key `{key}`"))
    } else if message.starts_with("missing field") {
        let key = quoted(message).next().unwrap_or_default();
        (Wrong::MissingKey, format!("missing key `{key}`"))
    } else if message.starts_with("unknown variant") {
        let mut names = quoted(message);
        let word = names.next().unwrap_or_default();
        let known: Vec<&str> = names.collect();
        help = Some(match nearest(word, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the words here are {}", list(&known)),
        });
        (Wrong::Value, format!("unknown word `{word}`"))
    } else if message.starts_with("invalid type") || message.starts_with("invalid length") {
        let written = text.get(span.clone()).unwrap_or_default();
        help = in_a_list(message, written);
        (Wrong::Type, in_words_of_toml(message, written))
    } else if message.contains("overflow") {
        (Wrong::Value, "the number is too large".to_owned())
    } else {
        (Wrong::Value, message.to_owned())
    };
    let span = if wrong == Wrong::MissingKey { span } else { visible(text, span) };
    ShapeError { wrong, message: words, span, help }
}

/// serde's `map` and `sequence` are TOML's tables and lists.
fn in_words_of_toml(message: &str, written: &str) -> String {
    let date = written.starts_with(|c: char| c.is_ascii_digit());
    let table = if date { "a date" } else { "a table" };
    message
        .replace("invalid type: map", &format!("invalid type: {table}"))
        .replace("invalid type: sequence", "invalid type: a list")
        .replace("expected a sequence", "expected a list")
}

/// What to write where one thing stands in place of a list.
fn in_a_list(message: &str, written: &str) -> Option<String> {
    let wanted = message.ends_with("expected a sequence") || message.ends_with("a list of names");
    let header = written.strip_prefix('[').and_then(|rest| rest.split(']').next());
    match header {
        _ if !wanted => None,
        Some(name) if message.contains("map") => Some(format!("write `[[{name}]]`")),
        _ if message.contains("string") => Some(format!("write `[{written}]`")),
        _ => None,
    }
}

/// The words in backticks of a message.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    message.split('`').skip(1).step_by(2)
}

/// The known word nearest to `word`, if one is near.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = known
        .into_iter()
        .map(|k| (strsim::damerau_levenshtein(&word.to_lowercase(), &k.to_lowercase()), k));
    let (distance, best) = scored.min_by_key(|(distance, _)| *distance)?;
    // Half of a short word may be wrong, three letters of a long one; a single letter is no word.
    let limit = (word.chars().count() / 2).min(3);
    (distance <= limit).then_some(best)
}

/// `a`, `b`, `c` in backticks.
fn list(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|w| format!("`{w}`")).collect();
    words.join(", ")
}

/// At least one character wide, inside the text, on character boundaries.
fn visible(text: &str, span: Range<usize>) -> Range<usize> {
    let mut start = span.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = span.end.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    if start == end {
        // The end of a line is seen on its last character.
        let ends_line = text[start..].chars().next().is_none_or(|c| c == '\n' || c == '\r');
        match text[..start].chars().next_back().filter(|c| ends_line && *c != '\n') {
            Some(last) => start -= last.len_utf8(),
            None => end += text[start..].chars().next().map_or(0, char::len_utf8),
        }
    }
    start..end
}

fn first_line(text: &str, span: Range<usize>) -> Range<usize> {
    let span = visible(text, span);
    let line = text[span.clone()].lines().next().map_or(0, str::len);
    visible(text, span.start..span.start + line)
}

/// The value and the place of a spanned value.
pub fn split<T>(value: Spanned<T>) -> (T, Range<usize>) {
    let span = value.span();
    (value.into_inner(), span)
}
