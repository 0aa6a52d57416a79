//! Numbers, sizes and element types as a spec writes them.

use crate::format::values::{Number, Size};

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

/// Bits of one element.
pub(crate) fn dtype_bits(dtype: &str) -> Option<u64> {
    DTYPES.iter().find(|(name, _)| *name == dtype).map(|(_, bits)| *bits)
}

/// The name here of an element type as other tools write it: `float16`, `fp16`, `int8`, `bfloat16`.
pub(crate) fn dtype_synonym(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let prefixes = [
        ("bfloat", "bf"),
        ("float", "f"),
        ("fp", "f"),
        ("uint", "u"),
        ("int", "i"),
        ("si", "i"),
        ("ui", "u"),
    ];
    let short = match word.as_str() {
        "half" => "f16".to_owned(),
        "double" => "f64".to_owned(),
        "bool" => "i1".to_owned(),
        _ => prefixes.iter().find_map(|(long, short)| {
            word.strip_prefix(long).map(|bits| format!("{short}{bits}"))
        })?,
    };
    DTYPES.iter().find(|(name, _)| *name == short).map(|(name, _)| *name)
}

/// The element types and their bits.
pub(crate) const DTYPES: &[(&str, u64)] = &[
    ("i1", 1),
    ("i2", 2),
    ("u2", 2),
    ("i4", 4),
    ("u4", 4),
    ("f4", 4),
    ("i8", 8),
    ("u8", 8),
    ("f8", 8),
    ("i16", 16),
    ("u16", 16),
    ("f16", 16),
    ("bf16", 16),
    ("i32", 32),
    ("u32", 32),
    ("f32", 32),
    ("i64", 64),
    ("u64", 64),
    ("f64", 64),
];

/// Bytes of `dims` elements of `bits` bits: with strides, up to the last element touched; with a
/// row pitch, whole rows. `None` when it does not fit 64 bits.
pub(crate) fn footprint(
    dims: &[u64],
    bits: u64,
    strides: Option<&[u64]>,
    row_pitch: Option<u64>,
) -> Option<u64> {
    if dims.contains(&0) {
        return Some(0);
    }
    let product = |dims: &[u64]| dims.iter().try_fold(1u128, |all, &d| all.checked_mul(d.into()));
    if let Some(pitch) = row_pitch {
        let rows = product(&dims[..dims.len().saturating_sub(1)])?;
        return u64::try_from(rows.checked_mul(pitch.into())?).ok();
    }
    let elements = match strides {
        None => product(dims)?,
        Some(strides) => dims.iter().zip(strides).try_fold(1u128, |last, (&d, &s)| {
            last.checked_add(u128::from(d - 1).checked_mul(s.into())?)
        })?,
    };
    u64::try_from(elements.checked_mul(bits.into())?.div_ceil(8)).ok()
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

    #[test]
    fn sub_byte_elements_are_packed() {
        assert_eq!(footprint(&[1024], 4, None, None), Some(512));
        assert_eq!(footprint(&[3], 4, None, None), Some(2));
        assert_eq!(footprint(&[9], 1, None, None), Some(2));
    }

    #[test]
    fn padded_rows_count_their_padding() {
        assert_eq!(footprint(&[4, 60], 16, None, Some(128)), Some(512));
        assert_eq!(footprint(&[4, 60], 16, Some(&[64, 1]), None), Some((3 * 64 + 60) * 2));
        assert_eq!(footprint(&[4, 0], 16, Some(&[64, 1]), None), Some(0));
        assert_eq!(footprint(&[u64::MAX, u64::MAX, 3], 64, None, None), None);
    }
}
