//! Words that come up often, each kept once.

use std::collections::BTreeMap;

/// Words and their positions.
#[derive(Debug, Default)]
pub(super) struct Names {
    at: BTreeMap<String, u32>,
    words: Vec<String>,
}

impl Names {
    /// The position of a word.
    pub(super) fn at(&mut self, word: &str) -> u32 {
        if let Some(at) = self.at.get(word) {
            return *at;
        }
        let next = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        self.at.insert(word.to_owned(), next);
        self.words.push(word.to_owned());
        next
    }

    /// All words in order of their positions.
    pub(super) fn words(self) -> Vec<String> {
        self.words
    }
}
