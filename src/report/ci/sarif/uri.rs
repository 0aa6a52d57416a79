//! Paths as addresses.

use std::path::MAIN_SEPARATOR;

use super::ROOT;
use crate::format::sarif::ArtifactLocation;

/// The address of a path as given on the command line: relative to the root, or absolute.
pub(super) fn location(path: &str) -> ArtifactLocation {
    let path = if MAIN_SEPARATOR == '\\' { path.replace('\\', "/") } else { path.to_owned() };
    let drive = MAIN_SEPARATOR == '\\' && path.as_bytes().get(1) == Some(&b':');
    if drive || path.starts_with('/') {
        let slash = if drive { "/" } else { "" };
        // The colon of a drive stays.
        let (head, rest) = path.split_at(if drive { 2 } else { 0 });
        let uri = format!("file://{slash}{head}{}", encoded(rest));
        return ArtifactLocation { uri, uri_base_id: None };
    }
    let mut rest = path.as_str();
    while let Some(next) = rest.strip_prefix("./") {
        rest = next;
    }
    ArtifactLocation { uri: encoded(rest), uri_base_id: Some(ROOT) }
}

/// Everything but letters, digits, `-._~` and `/` as the bytes of UTF-8.
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::location;

    #[test]
    #[cfg(unix)]
    fn paths_are_relative_to_the_root_or_absolute() {
        let uri = |path| location(path).uri;
        assert_eq!(uri("././a b/é:1.toml"), "a%20b/%C3%A9%3A1.toml");
        assert_eq!(uri("a\\b%"), "a%5Cb%25");
        assert_eq!(uri("/tmp/x#1"), "file:///tmp/x%231");
        assert_eq!(location("/tmp/x").uri_base_id, None);
        assert_eq!(location("x").uri_base_id, Some("%SRCROOT%"));
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
    }
}
