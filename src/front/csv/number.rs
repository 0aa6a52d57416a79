//! Whole numbers of 64 bits, and good words for everything else.

use crate::diag::Code;
use crate::front::errors::shown;

/// Why a field is not a number; the words say which column.
pub(crate) struct BadNumber {
    pub(crate) code: Code,
    pub(crate) message: String,
}

/// Reads digits.
pub(crate) fn number(text: &str, column: &str) -> Result<u64, BadNumber> {
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let (code, message) = if text.is_empty() {
        (Code::CsvInvalidValue, format!("`{column}` is empty"))
    } else if digits(text) {
        match text.parse() {
            Ok(number) => return Ok(number),
            Err(_) => {
                let text = shown(text);
                (Code::CsvSizeOverflow, format!("`{column}` {text} does not fit 64 bits"))
            }
        }
    } else if text.strip_prefix('-').is_some_and(digits) {
        (Code::CsvInvalidValue, format!("`{column}` is negative: {}", shown(text)))
    } else {
        (Code::CsvInvalidValue, format!("`{column}` is not a whole number: `{}`", shown(text)))
    };
    Err(BadNumber { code, message })
}

/// Reads digits; nothing, or any negative number, is none.
pub(crate) fn optional(text: &str, column: &str) -> Result<Option<u64>, BadNumber> {
    let negative = text.strip_prefix('-').unwrap_or_default();
    if text.is_empty() || (!negative.is_empty() && negative.bytes().all(|b| b.is_ascii_digit())) {
        return Ok(None);
    }
    number(text, column).map(Some)
}
