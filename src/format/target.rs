//! The target file: what a chip offers, each number with its source.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use toml::Spanned;

use super::spec::PipeTable;

/// The version of the format that this memplan reads.
pub const VERSION: u64 = 1;

/// The profile that every target has: the scopes as they stand.
pub const PHYSICAL: &str = "physical";

/// A memplan target: the memories and pipes of a chip, and what software stacks leave free.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "memplan target")]
pub struct TargetFile {
    /// Version of the format; this is 1.
    #[schemars(with = "u64", range(min = 1, max = 1))]
    pub version: Spanned<u64>,
    /// Name of the target, and of its file.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// Names of chip families that select this target, upper or lower case.
    #[serde(default)]
    pub families: Vec<String>,
    /// Names that compilers use for chips, upper or lower case.
    #[serde(default)]
    pub chips: Vec<String>,
    /// Memories.
    #[serde(default)]
    pub scope: Vec<TargetScope>,
    /// Pipes.
    #[serde(default)]
    pub pipe: Vec<PipeTable>,
    /// Usable sizes and alignments of software stacks, by name. `physical` is the default and
    /// needs no table: it leaves the scopes as they stand.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, TargetProfile>")]
    pub profile: BTreeMap<Spanned<String>, TargetProfile>,
}

/// A memory of a chip.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetScope {
    /// Its name: `ub`, `l1`, `gm`, ...
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// Other names for it: `cbuf` for `l1`.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub aliases: Vec<Spanned<String>>,
    /// Physical size in bytes, `"unknown"` or `"unbounded"`.
    #[schemars(with = "CapacityWord")]
    pub capacity: Spanned<CapacityWord>,
    /// Alignment of its buffers in bytes, at least 1.
    #[schemars(with = "u64", range(min = 1))]
    pub alignment: Spanned<u64>,
    /// True when sizes are rounded up to the alignment.
    #[serde(default)]
    pub round_up: bool,
    /// Bytes that nobody may use, whatever the profile.
    #[serde(default)]
    pub reserved: Vec<ReservedTable>,
    /// Where the numbers are from.
    pub source: String,
}

/// The size of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapacityWord {
    /// This many bytes.
    Bytes(u64),
    /// Nobody knows: a spec that uses the scope has to say.
    Unknown,
    /// As many as the plan needs.
    Unbounded,
}

/// Bytes of a scope that nobody may use.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReservedTable {
    /// The bytes `[lo, hi)`.
    #[schemars(with = "[u64; 2]")]
    pub range: Spanned<[u64; 2]>,
    /// Who holds them.
    pub why: String,
    /// Where that is from.
    pub source: String,
}

/// What one software stack makes of the chip.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetProfile {
    /// The scopes that it changes.
    #[serde(default)]
    pub scope: Vec<ProfileScope>,
}

/// What one software stack makes of one scope.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProfileScope {
    /// The scope.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// Bytes that the stack leaves free, besides those that are always reserved.
    #[serde(default)]
    pub reserved: Vec<ReservedTable>,
    /// The alignment that the stack uses instead.
    #[schemars(with = "Option<u64>", range(min = 1))]
    pub alignment: Option<Spanned<u64>>,
    /// Where the alignment is from.
    pub source: Option<String>,
}

struct CapacityVisitor;

impl Visitor<'_> for CapacityVisitor {
    type Value = CapacityWord;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of bytes, \"unknown\" or \"unbounded\"")
    }

    fn visit_u64<E: Error>(self, bytes: u64) -> Result<CapacityWord, E> {
        Ok(CapacityWord::Bytes(bytes))
    }

    fn visit_i64<E: Error>(self, bytes: i64) -> Result<CapacityWord, E> {
        let positive = u64::try_from(bytes);
        positive
            .map(CapacityWord::Bytes)
            .map_err(|_| E::invalid_value(Unexpected::Signed(bytes), &self))
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<CapacityWord, E> {
        match word {
            "unknown" => Ok(CapacityWord::Unknown),
            "unbounded" => Ok(CapacityWord::Unbounded),
            _ => Err(E::invalid_value(Unexpected::Str(word), &self)),
        }
    }
}

impl<'de> Deserialize<'de> for CapacityWord {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(CapacityVisitor)
    }
}

impl JsonSchema for CapacityWord {
    fn schema_name() -> Cow<'static, str> {
        "CapacityWord".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number of bytes; `unknown`: a spec that uses the scope has to say; \
                            `unbounded`: as many as the plan needs.",
            "anyOf": [{ "type": "integer", "minimum": 0 }, { "enum": ["unknown", "unbounded"] }]
        })
    }
}
