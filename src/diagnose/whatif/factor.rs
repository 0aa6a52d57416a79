//! Factors: exact fractions, because a third of a tile is no decimal number.

use std::fmt;

/// A fraction above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor {
    num: u64,
    den: u64,
}

impl Factor {
    /// One half.
    pub const HALF: Self = Self { num: 1, den: 2 };

    /// `num / den`, in lowest terms; none where one of them is zero.
    pub fn new(num: u64, den: u64) -> Option<Self> {
        if num == 0 || den == 0 {
            return None;
        }
        let common = gcd(num, den);
        Some(Self { num: num / common, den: den / common })
    }

    /// Reads `2` or `1/2`.
    ///
    /// # Errors
    /// What is wrong with the text, as a fragment.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (num, den) = text.split_once('/').unwrap_or((text, "1"));
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let both = number(num).zip(number(den));
        let (num, den) = both.ok_or_else(|| format!("`{text}` is no fraction such as `1/2`"))?;
        Self::new(num, den).ok_or_else(|| format!("`{text}` is nothing to scale by"))
    }

    /// `n` times the factor, rounded up, and never 0 for what is not 0; none past 64 bits.
    pub fn up(self, n: u64) -> Option<u64> {
        let product = u128::from(n) * u128::from(self.num);
        u64::try_from(product.div_ceil(u128::from(self.den))).ok()
    }

    /// `n` times the factor, rounded down; none past 64 bits.
    pub fn down(self, n: u64) -> Option<u64> {
        u64::try_from(u128::from(n) * u128::from(self.num) / u128::from(self.den)).ok()
    }

    /// `n` times the factor; none where that is no whole number or does not fit 64 bits.
    pub fn exactly(self, n: u64) -> Option<u64> {
        self.up(n).filter(|up| self.down(n) == Some(*up))
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.den {
            1 => write!(f, "{}", self.num),
            den => write!(f, "{}/{den}", self.num),
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_exact_and_rounded_up() {
        let third = Factor::parse("1/3");
        assert_eq!(third.clone().map(|f| f.up(100)), Ok(Some(34)));
        assert_eq!(third.clone().map(|f| f.up(1)), Ok(Some(1)));
        assert_eq!(third.clone().map(|f| f.up(0)), Ok(Some(0)));
        assert_eq!(third.clone().map(|f| (f.exactly(100), f.exactly(99))), Ok((None, Some(33))));
        assert_eq!(third.map(|f| f.down(100)), Ok(Some(33)));
        assert_eq!(Factor::parse("2").map(|f| f.up(u64::MAX)), Ok(None));
    }

    #[test]
    fn factors_are_written_as_they_are_read() {
        for (text, shown) in [("1/2", "1/2"), ("2", "2"), ("4/2", "2"), ("6/4", "3/2")] {
            assert_eq!(Factor::parse(text).map(|f| f.to_string()), Ok(shown.to_owned()));
        }
        for wrong in ["", "0", "1/0", "0.5", "-1", "x", "1/2/3"] {
            assert!(Factor::parse(wrong).is_err(), "{wrong}");
        }
    }
}
