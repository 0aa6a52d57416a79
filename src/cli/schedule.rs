//! Orders of a replay as the command line writes them.

use crate::format::read::nearest;
use crate::verify::trace::Schedule;

/// Random orders where no number is said.
const RUNS: u64 = 100;

/// Depth of the bugs that `pct` looks for where none is said.
const DEPTH: u64 = 3;

/// Switches of `exhaustive` where none is said.
const BOUND: u64 = 2;

/// The words.
const WORDS: [&str; 5] = ["canonical", "skew", "random", "pct", "exhaustive"];

/// `canonical`, `skew`, `random[:RUNS]`, `pct[:RUNS,DEPTH]`, `exhaustive[:BOUND]`, or an order that
/// a report prints.
pub(super) fn schedule(text: &str) -> Result<Schedule, String> {
    let (word, rest) = match text.split_once(':') {
        Some((word, rest)) => (word, Some(rest)),
        None => (text, None),
    };
    let number = |text: &str| match text.trim().parse() {
        Ok(0) | Err(_) => Err(format!("`{text}` is not a number of at least 1")),
        Ok(number) => Ok(number),
    };
    let first = |default| rest.map_or(Ok(default), number);
    match word {
        "canonical" if rest.is_none() => Ok(Schedule::Canonical),
        "skew" if rest.is_none() => Ok(Schedule::Skew),
        "random" => Ok(Schedule::Random { runs: first(RUNS)? }),
        "exhaustive" => match rest.map(str::trim) {
            Some("0") => Ok(Schedule::Exhaustive { bound: 0 }),
            _ => Ok(Schedule::Exhaustive { bound: first(BOUND)? }),
        },
        "pct" => match rest.and_then(|rest| rest.split_once(',')) {
            Some((runs, depth)) => Ok(Schedule::Pct { runs: number(runs)?, depth: number(depth)? }),
            None => Ok(Schedule::Pct { runs: first(RUNS)?, depth: DEPTH }),
        },
        _ if rest.is_none()
            && !text.contains(char::is_whitespace)
            && !text.contains(char::is_numeric) =>
        {
            match nearest(word, WORDS) {
                Some(near) => Err(format!("did you mean `{near}`?")),
                None => Err(format!("the words are {}, or an order of a report", WORDS.join(", "))),
            }
        }
        _ => Ok(Schedule::Replay(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_take_numbers_and_anything_else_is_an_order() {
        assert_eq!(schedule("canonical"), Ok(Schedule::Canonical));
        assert_eq!(schedule("random"), Ok(Schedule::Random { runs: 100 }));
        assert_eq!(schedule("random:7"), Ok(Schedule::Random { runs: 7 }));
        assert_eq!(schedule("pct:7,2"), Ok(Schedule::Pct { runs: 7, depth: 2 }));
        assert_eq!(schedule("exhaustive:0"), Ok(Schedule::Exhaustive { bound: 0 }));
        assert_eq!(schedule("A:3 C:2"), Ok(Schedule::Replay("A:3 C:2".to_owned())));
        assert!(schedule("randm").is_err());
        assert!(schedule("random:x").is_err());
        assert!(schedule("pct:3,0").is_err());
    }
}
