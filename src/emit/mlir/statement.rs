//! Pieces of a statement's text.

/// The type at the end of a statement: of `%0 = memref.alloc() : memref<4xf32> loc(..)` the memref.
pub(super) fn last_type(statement: &str) -> Option<&str> {
    let mut found = None;
    let mut depth = 0usize;
    let mut string = false;
    let mut skip = false;
    let bytes = statement.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        if skip {
            skip = false;
            continue;
        }
        match byte {
            b'\\' if string => skip = true,
            b'"' => string = !string,
            _ if string => {}
            b'-' if bytes.get(at + 1) == Some(&b'>') => {
                if depth == 0 {
                    found = Some(at + 2);
                }
                skip = true;
            }
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            b':' if depth == 0 => found = Some(at + 1),
            _ => {}
        }
    }
    let rest = statement[found?..].trim_start();
    Some(rest[..type_length(rest)].trim_end())
}

/// Bytes of the type at the start of a text.
fn type_length(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            c if depth == 0 && (c.is_whitespace() || c == ',') => return at,
            _ => {}
        }
    }
    text.len()
}

/// The location at the end of a statement, with the blank before it; empty without one.
pub(super) fn location(statement: &str) -> &str {
    let Some(kind) = last_type(statement) else { return "" };
    let end = kind.as_ptr() as usize - statement.as_ptr() as usize + kind.len();
    let rest = &statement[end..];
    if rest.trim_start().starts_with("loc(") { rest } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_locations_are_found() {
        let custom = "%a = memref.alloc() {alignment = 64 : i64} : memref<4xf32, #x<ub>> loc(#l)";
        assert_eq!(last_type(custom), Some("memref<4xf32, #x<ub>>"));
        assert_eq!(location(custom), " loc(#l)");
        let generic = "%a = \"memref.alloc\"() <{s = array<i32: 0, 0>}> : () -> memref<2x?xi8>";
        assert_eq!(last_type(generic), Some("memref<2x?xi8>"));
        assert_eq!(location(generic), "");
        assert_eq!(last_type("%a = memref.alloc() : !t loc(\"f\":1:2)"), Some("!t"));
    }
}
