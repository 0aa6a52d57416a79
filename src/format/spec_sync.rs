//! Synchronisation in a spec: what `set`, `wait`, `barrier`, `cross_set` and `cross_wait` of an op say.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::values::Number;

/// A flag between two pipes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlagTable {
    /// The pipe that raises the flag when its earlier ops are done.
    #[schemars(with = "String")]
    pub from: Spanned<String>,
    /// The pipe that waits for it.
    #[schemars(with = "String")]
    pub to: Spanned<String>,
    /// Which of the pair's flags; several take turns with the trips of the innermost loop. Left out:
    /// computed by the program.
    #[schemars(with = "Option<FlagIds>")]
    pub id: Option<Spanned<FlagIds>>,
}

/// A flag between cores.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CrossFlagTable {
    /// The pipe that raises it, or that waits; S by default.
    #[schemars(with = "Option<String>")]
    pub pipe: Option<Spanned<String>>,
    /// Which flag; several take turns with the trips of the innermost loop.
    #[schemars(with = "Option<FlagIds>")]
    pub id: Option<Spanned<FlagIds>>,
}

/// A number, or several that take turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagIds(pub Vec<Number>);

struct FlagIdsVisitor;

impl<'de> Visitor<'de> for FlagIdsVisitor {
    type Value = FlagIds;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the number of a flag, or several that take turns")
    }
    fn visit_i64<E: Error>(self, n: i64) -> Result<FlagIds, E> {
        Ok(FlagIds(vec![Number(n.into())]))
    }
    fn visit_u64<E: Error>(self, n: u64) -> Result<FlagIds, E> {
        Ok(FlagIds(vec![Number(n.into())]))
    }
    fn visit_i128<E: Error>(self, n: i128) -> Result<FlagIds, E> {
        Ok(FlagIds(vec![Number(n)]))
    }
    fn visit_u128<E: Error>(self, n: u128) -> Result<FlagIds, E> {
        Ok(FlagIds(vec![Number(i128::try_from(n).unwrap_or(i128::MAX))]))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<FlagIds, A::Error> {
        let mut ids = Vec::new();
        while let Some(id) = seq.next_element()? {
            ids.push(id);
        }
        Ok(FlagIds(ids))
    }
}

impl<'de> Deserialize<'de> for FlagIds {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(FlagIdsVisitor)
    }
}

impl JsonSchema for FlagIds {
    fn schema_name() -> Cow<'static, str> {
        "FlagIds".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<Number>();
        json_schema!({
            "description": "The number of a flag, or several that take turns trip by trip.",
            "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }]
        })
    }
}
