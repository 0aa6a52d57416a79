//! The words of `memplan.toml`: those of the command line, of which `format` knows nothing. A test of
//! `cli` holds that they are the same.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Visitor};

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident = [$($word:literal),* $(,)?];)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(pub String);

        impl $name {
            /// All of them.
            pub const WORDS: &[&str] = &[$($word),*];
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                d.deserialize_any(OneOf(Self::WORDS)).map(Self)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "enum": written(Self::WORDS) })
            }
        }
    )*};
}

words! {
    /// A reuse level, by name or by the number of the documents.
    LevelWord = ["pipe", "loop", "slot", "lifetime", "2", "1", "0"];
    /// Whose live ranges.
    LivenessWord = ["strict", "compat"];
    /// One of the compiler's passes.
    HivmPassWord = ["base", "regbase"];
    /// An order of instructions.
    OrderWord = ["given", "default", "list", "dfs", "bfs", "post", "trivial", "best"];
    /// Whose rules hold for a module.
    PlatformWord = ["auto", "cpu", "gpu"];
    /// What is refused.
    DenyWord = ["warnings"];
    /// A device runtime.
    RuntimeWord = ["pipes", "svm", "vmm", "uvm", "soma"];
    /// Whose behaviour counts.
    ModeWord = ["spec", "source"];
    /// For whom an answer is.
    FormatWord = ["human", "json", "csv", "markdown", "sarif", "junit", "github"];
}

/// A number among words is one as it is written, not a text.
fn written(words: &[&str]) -> Vec<serde_json::Value> {
    let value = |word: &&str| match word.parse::<u64>() {
        Ok(number) => number.into(),
        Err(_) => (*word).into(),
    };
    words.iter().map(value).collect()
}

struct OneOf(&'static [&'static str]);

impl Visitor<'_> for OneOf {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one of the words")
    }
    fn visit_str<E: Error>(self, word: &str) -> Result<String, E> {
        if self.0.contains(&word) {
            return Ok(word.to_owned());
        }
        Err(E::unknown_variant(word, self.0))
    }
    fn visit_i64<E: Error>(self, number: i64) -> Result<String, E> {
        self.visit_str(&number.to_string())
    }
    fn visit_u64<E: Error>(self, number: u64) -> Result<String, E> {
        self.visit_str(&number.to_string())
    }
}
