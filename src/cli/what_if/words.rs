//! The words of the variants: slots and scales.

use crate::diagnose::whatif::Factor;

/// Whose slots, and how many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Slots {
    /// Whose.
    pub(super) whose: Whose,
    /// How many.
    pub(super) count: Count,
}

/// Which buffers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// Each multi-buffer in turn.
    Each,
    /// All multi-buffers at once.
    All,
    /// That one.
    Named(String),
}

/// How many slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// So many.
    To(u32),
    /// So many less.
    Less(u32),
    /// So many more.
    More(u32),
}

impl Count {
    /// The number of slots of a buffer that has `now`.
    pub(super) fn of(self, now: u32) -> u32 {
        match self {
            Self::To(n) => n,
            Self::Less(n) => now.saturating_sub(n),
            Self::More(n) => now.saturating_add(n),
        }
    }
}

/// A dimension and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Scale {
    /// The dimension of that name.
    Dimension(String, Vec<Factor>),
    /// Every dimension of so many elements.
    Elements(u64, Vec<u64>),
}

/// Reads `-1`, `2`, `tile=1`, `*=-1`.
pub(in crate::cli) fn slots(text: &str) -> Result<Slots, String> {
    let (whose, count) = match text.rsplit_once('=') {
        None => (Whose::Each, text),
        Some(("*", count)) => (Whose::All, count),
        Some((name, count)) => (Whose::Named(name.trim().to_owned()), count),
    };
    let number = |text: &str| {
        let number = text.trim().parse::<u32>().ok().filter(|n| *n > 0);
        number.ok_or_else(|| format!("`{text}` is no number of slots: write `1`, `-1` or `+1`"))
    };
    let count = match count.split_at_checked(1) {
        Some(("-", n)) => Count::Less(number(n)?),
        Some(("+", n)) => Count::More(number(n)?),
        _ => Count::To(number(count)?),
    };
    Ok(Slots { whose, count })
}

/// Reads `m=1/2,2` and `64=32`.
pub(in crate::cli) fn scale(text: &str) -> Result<Scale, String> {
    let (name, values) = text.split_once('=').ok_or("write `DIM=FACTOR`, such as `m=1/2`")?;
    let (name, values) = (name.trim(), values.split(','));
    if !name.starts_with(|c: char| c.is_ascii_digit()) {
        let factors: Result<Vec<Factor>, String> =
            values.map(|v| Factor::parse(v.trim())).collect();
        return Ok(Scale::Dimension(name.to_owned(), factors?));
    }
    let number = |text: &str| {
        let number = text.trim().parse::<u64>().ok().filter(|n| *n > 0);
        number.ok_or_else(|| format!("`{text}` is no number of elements"))
    };
    let to: Result<Vec<u64>, String> = values.map(number).collect();
    Ok(Scale::Elements(number(name)?, to?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_counted_from_what_there_is_or_anew() {
        let named = |name: &str, count| Slots { whose: Whose::Named(name.to_owned()), count };
        assert_eq!(slots("-1"), Ok(Slots { whose: Whose::Each, count: Count::Less(1) }));
        assert_eq!(slots("3"), Ok(Slots { whose: Whose::Each, count: Count::To(3) }));
        assert_eq!(slots("*=1"), Ok(Slots { whose: Whose::All, count: Count::To(1) }));
        assert_eq!(slots("a=b=+2"), Ok(named("a=b", Count::More(2))));
        assert_eq!(Count::Less(3).of(2), 0);
        for wrong in ["", "0", "-", "tile", "tile=", "tile=x", "-0"] {
            assert!(slots(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn dimensions_take_fractions_and_numbers_of_elements_take_numbers() {
        let halves = Factor::new(1, 2).into_iter().chain(Factor::new(2, 1)).collect();
        assert_eq!(scale("m=1/2,2"), Ok(Scale::Dimension("m".to_owned(), halves)));
        assert_eq!(scale("64=32, 16"), Ok(Scale::Elements(64, vec![32, 16])));
        for wrong in ["m", "m=", "m=0", "64=1/2", "64=0", "6x=2"] {
            assert!(scale(wrong).is_err(), "{wrong}");
        }
    }
}
