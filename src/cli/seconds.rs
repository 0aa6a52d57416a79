//! Times on the command line.

use std::time::Duration;

/// `2.5` as a duration, in integers.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let bad = || format!("`{text}` is not a number of seconds, such as 10 or 2.5");
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() && part.is_empty() || !digits(whole) || !digits(part) || part.len() > 9 {
        return Err(bad());
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| bad())? };
    let nanos: u32 = format!("{part:0<9}").parse().map_err(|_| bad())?;
    Ok(Duration::new(whole, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_decimal() {
        assert_eq!(seconds("2.5"), Ok(Duration::from_millis(2500)));
        assert_eq!(seconds(".25"), Ok(Duration::from_millis(250)));
        assert_eq!(seconds("10"), Ok(Duration::from_secs(10)));
        for bad in ["", ".", "-1", "1e3", "nan", "1.0000000001", "99999999999999999999"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
