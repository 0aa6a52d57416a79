//! Sizes in bytes as files write them.

use super::values::{Number, Size};

/// Why a size is not one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BadSize {
    /// Below zero.
    Negative,
    /// Does not fit 64 bits.
    TooLarge,
    /// Not a number with a known unit.
    Malformed(String),
}

/// A number that is zero or more and fits 64 bits.
pub(crate) fn number(n: Number) -> Result<u64, BadSize> {
    if n.0 < 0 {
        return Err(BadSize::Negative);
    }
    u64::try_from(n.0).map_err(|_| BadSize::TooLarge)
}

/// `65536`, `"64 KiB"`, `"64KB"` (1000), `"65_536 B"`.
pub(crate) fn size(size: &Size) -> Result<u64, BadSize> {
    match size {
        Size::Number(n) => number(*n),
        Size::Text(text) => parse(text),
    }
}

/// Reads a size in text form; the unit may be left out.
pub(crate) fn parse(text: &str) -> Result<u64, BadSize> {
    let text = text.trim();
    if text.starts_with('-') {
        return Err(BadSize::Negative);
    }
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(text.len());
    let digits: String = text[..end].chars().filter(|c| *c != '_').collect();
    let unit = text[end..].trim();
    if digits.is_empty() {
        return Err(BadSize::Malformed(format!("`{text}` is not a number of bytes")));
    }
    if unit.starts_with(['.', ',']) {
        return Err(BadSize::Malformed(format!("`{text}` is not a whole number")));
    }
    let Some(factor) = factor(unit) else {
        return Err(BadSize::Malformed(format!(
            "unknown unit `{unit}`: the units are B, KB, KiB, MB, MiB, GB, GiB, TB, TiB"
        )));
    };
    let count: u64 = digits.parse().map_err(|_| BadSize::TooLarge)?;
    count.checked_mul(factor).ok_or(BadSize::TooLarge)
}

fn factor(unit: &str) -> Option<u64> {
    Some(match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_take_binary_and_decimal_units() {
        assert_eq!(parse("96 KiB"), Ok(98_304));
        assert_eq!(parse("96kb"), Ok(96_000));
        assert_eq!(parse("1_024"), Ok(1024));
        assert_eq!(parse("16777215 TiB"), Ok(16_777_215 << 40));
        assert_eq!(parse("16777216 TiB"), Err(BadSize::TooLarge));
        assert!(matches!(parse("3 parsecs"), Err(BadSize::Malformed(_))));
        assert!(matches!(parse("KiB"), Err(BadSize::Malformed(_))));
        assert_eq!(parse("-1"), Err(BadSize::Negative));
    }
}
