//! Numbers, sizes and element types as a spec writes them.

pub(crate) use crate::format::sizes::{BadSize, number, parse, size};

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
