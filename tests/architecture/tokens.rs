//! Rust source as words: comments, strings and test items are gone.

/// An identifier, a number, or one character of punctuation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
}

impl Token {
    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// `f64`, `1.5`, `1e9`, `2f32`.
    pub(crate) fn is_float(&self) -> bool {
        let text = self.text.as_str();
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return text == "f64" || text == "f32";
        }
        let hex = text.starts_with("0x") || text.starts_with("0b") || text.starts_with("0o");
        let suffixed = text.ends_with("f64") || text.ends_with("f32");
        let exponent = text.contains(['e', 'E']) && !text.ends_with("size");
        !hex && (text.contains('.') || suffixed || exponent)
    }
}

/// The words of a source text.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let mut found: Vec<Token> = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(&c) = chars.get(at) {
        let start = at;
        let next = chars.get(at + 1).copied();
        let mut keep = false;
        if c == '/' && next == Some('/') {
            at = until(&chars, at, |c| c == '\n');
        } else if c == '/' && next == Some('*') {
            at = past_comment(&chars, at);
        } else if c == '"' {
            at = past_string(&chars, at);
        } else if c == '\'' {
            at = past_quote(&chars, at);
        } else if let Some(hashes) = raw_string(&chars, at) {
            at = past_raw(&chars, at, hashes);
        } else if (c == 'b' || c == 'c') && next == Some('"') {
            at = past_string(&chars, at + 1);
        } else if c == 'b' && next == Some('\'') {
            at = past_quote(&chars, at + 1);
        } else if c.is_ascii_digit() {
            let field = found.last().is_some_and(|t| t.is("."));
            at = past_number(&chars, at, field);
            keep = true;
        } else if c == '_' || c.is_alphabetic() {
            at = until(&chars, at, |c| c != '_' && !c.is_alphanumeric());
            keep = true;
        } else {
            at += 1;
            keep = !c.is_whitespace();
        }
        let at_most = at.min(chars.len());
        let text: String = chars[start..at_most].iter().collect();
        let lines = text.matches('\n').count();
        if keep {
            found.push(Token { text, line });
        }
        line += lines;
    }
    found
}

fn until(chars: &[char], from: usize, stop: impl Fn(char) -> bool) -> usize {
    chars[from..].iter().position(|&c| stop(c)).map_or(chars.len(), |n| from + n)
}

fn past_comment(chars: &[char], from: usize) -> usize {
    let (mut at, mut depth) = (from, 0);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => depth += 1,
            ('*', Some('/')) => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            break;
        }
    }
    at
}

fn past_string(chars: &[char], from: usize) -> usize {
    let mut at = from + 1;
    while at < chars.len() && chars[at] != '"' {
        at += if chars[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// A character, or the lifetime `'a`, of which only the quote is passed.
fn past_quote(chars: &[char], from: usize) -> usize {
    match (chars.get(from + 1), chars.get(from + 2)) {
        (Some('\\'), _) => until(chars, from + 3, |c| c == '\'') + 1,
        (Some(_), Some('\'')) => from + 3,
        _ => from + 1,
    }
}

/// The number of hashes, if a raw string starts here.
fn raw_string(chars: &[char], from: usize) -> Option<usize> {
    let prefix = match (chars[from], chars.get(from + 1)) {
        ('r', _) => 1,
        ('b' | 'c', Some('r')) => 2,
        _ => return None,
    };
    let quote = until(chars, from + prefix, |c| c != '#');
    (chars.get(quote) == Some(&'"')).then_some(quote - from - prefix)
}

fn past_raw(chars: &[char], from: usize, hashes: usize) -> usize {
    let mut at = until(chars, from, |c| c == '"') + 1;
    while at < chars.len() {
        let end = (at + 1 + hashes).min(chars.len());
        if chars[at] == '"' && chars[at + 1..end].iter().filter(|c| **c == '#').count() == hashes {
            return end;
        }
        at += 1;
    }
    at
}

/// A dot belongs to a number when a digit follows, but not in the field `x.0.1`.
fn past_number(chars: &[char], from: usize, field: bool) -> usize {
    let word = |c: char| c != '_' && !c.is_alphanumeric();
    let end = until(chars, from, word);
    let dot = chars.get(end) == Some(&'.');
    let digit = chars.get(end + 1).is_some_and(char::is_ascii_digit);
    if dot && digit && !field { until(chars, end + 1, word) } else { end }
}

/// The words without `#[cfg(test)]` items, and the names of the test modules that are files.
pub(crate) fn without_tests(tokens: Vec<Token>) -> (Vec<Token>, Vec<String>) {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut kept, mut modules) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        let here = &tokens[at..];
        if here.len() < TEST.len() || !here.iter().zip(TEST).all(|(token, text)| token.is(text)) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let start = at + TEST.len();
        at = past_item(&tokens, start);
        let item = &tokens[start..at];
        if let [.., module, name, end] = item
            && module.is("mod")
            && end.is(";")
        {
            modules.push(name.text.clone());
        }
    }
    (kept, modules)
}

fn past_item(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" => depth -= 1,
            "}" => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}
