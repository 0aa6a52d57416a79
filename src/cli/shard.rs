//! One part of the inputs, for CI jobs that share them.

use std::str::FromStr;

/// The I-th of N parts, from 1: `2/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    index: usize,
    of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "write the part and the number of parts, such as 1/4".to_owned();
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let (index, of) = (index.parse().map_err(|_| wrong())?, of.parse().map_err(|_| wrong())?);
        if index == 0 || index > of {
            return Err(format!("there is no part {index} of {of}: parts count from 1"));
        }
        Ok(Self { index, of })
    }
}

impl Shard {
    /// The items of this part, every N-th, so that neighbours of a size are spread; and the others.
    pub(super) fn split<T>(self, items: Vec<T>) -> (Vec<T>, Vec<T>) {
        let mine = |at: usize| at % self.of == self.index - 1;
        let (part, others): (Vec<_>, Vec<_>) =
            items.into_iter().enumerate().partition(|(at, _)| mine(*at));
        let items = |all: Vec<(usize, T)>| all.into_iter().map(|(_, item)| item).collect();
        (items(part), items(others))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_the_whole_and_nothing_twice() {
        for of in 1..6 {
            let parts = (1..=of).map(|i| format!("{i}/{of}").parse::<Shard>().expect("a part"));
            let mut all: Vec<u32> =
                parts.flat_map(|part| part.split((0..17).collect()).0).collect();
            all.sort_unstable();
            assert_eq!(all, (0..17).collect::<Vec<_>>());
        }
        for wrong in ["", "1", "0/3", "4/3", "a/b", "1/0", "-1/2", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
