//! The target file: what a chip offers, each number with its source.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use toml::Spanned;

use super::spec::PipeTable;
use super::values::{Number, Size};

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
    /// Physical size: bytes, a text such as `"256 KiB"`, `"unknown"` or `"unbounded"`.
    #[schemars(with = "CapacityWord")]
    pub capacity: Spanned<CapacityWord>,
    /// Alignment of its buffers in bytes, at least 1.
    #[schemars(with = "Size")]
    pub alignment: Spanned<Size>,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CapacityWord {
    /// This many bytes.
    Size(Size),
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
    #[schemars(with = "[Size; 2]")]
    pub range: Spanned<[Size; 2]>,
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
    #[schemars(with = "Option<Size>")]
    pub alignment: Option<Spanned<Size>>,
    /// Where the alignment is from.
    pub source: Option<String>,
}

struct CapacityVisitor;

impl Visitor<'_> for CapacityVisitor {
    type Value = CapacityWord;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a size such as 65536 or \"64 KiB\", \"unknown\" or \"unbounded\"")
    }

    fn visit_u64<E: Error>(self, bytes: u64) -> Result<CapacityWord, E> {
        Ok(CapacityWord::Size(Size::Number(Number(bytes.into()))))
    }

    fn visit_i64<E: Error>(self, bytes: i64) -> Result<CapacityWord, E> {
        Ok(CapacityWord::Size(Size::Number(Number(bytes.into()))))
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<CapacityWord, E> {
        match word {
            "unknown" => Ok(CapacityWord::Unknown),
            "unbounded" => Ok(CapacityWord::Unbounded),
            size if size.starts_with(|c: char| c.is_ascii_digit()) => {
                Ok(CapacityWord::Size(Size::Text(size.to_owned())))
            }
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

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A size; `unknown`: a spec that uses the scope has to say; \
                            `unbounded`: as many as the plan needs.",
            "anyOf": [generator.subschema_for::<Size>(), { "enum": ["unknown", "unbounded"] }]
        })
    }
}
