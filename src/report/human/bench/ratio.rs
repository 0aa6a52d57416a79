//! Ratios and times as words.

use serde_json::Number;

/// `1.3 %`: an excess.
pub(super) fn excess(part: Option<&Number>) -> String {
    let part = part.and_then(Number::as_f64);
    part.map_or("-".to_owned(), |part| format!("{:.1} %", part * 100.0))
}

/// `2.40x`: a speed.
pub(super) fn speed(ratio: Option<&Number>) -> String {
    match ratio.and_then(Number::as_f64) {
        None => "-".to_owned(),
        Some(ratio) if ratio < 0.1 => format!("{ratio:.4}x"),
        Some(ratio) => format!("{ratio:.2}x"),
    }
}

/// `12.34 ms`.
pub(super) fn milliseconds(seconds: Option<&Number>) -> String {
    let time = seconds.and_then(Number::as_f64);
    time.map_or(String::new(), |time| format!("{:.2} ms", time * 1000.0))
}
