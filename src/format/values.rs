//! Values that a spec may write in more than one way. Parsed here only as far as their shape;
//! what they mean is decided by the reader, which can point at them.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

/// An integer of any size and sign; the reader checks its range, so that the message can say what
/// the number is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub i128);

/// A number of bytes: `65536` or `"64 KiB"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Size {
    /// Bytes.
    Number(Number),
    /// Text, such as `"64 KiB"`.
    Text(String),
}

/// One range `[lo, hi)` or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges(pub Vec<(Size, Size)>);

/// One name or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names(pub Vec<Spanned<String>>);

/// The name of a dimension, or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimensions(pub Vec<String>);

/// One offset or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offsets(pub Vec<Size>);

/// An operand: a name, or a table with more to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand(pub OperandTable);

/// An operand with more to say than its name.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OperandTable {
    /// The buffer, alias, carry or result.
    pub value: String,
    /// The bytes of the value that are touched, `[lo, hi)`; all of them by default.
    #[serde(default)]
    pub bytes: Option<Ranges>,
    /// The pipe that touches them, where it is not the op's.
    #[serde(default)]
    pub pipe: Option<String>,
    /// True for a write that may leave some of the bytes as they were.
    #[serde(default)]
    pub partial: bool,
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer")
    }
    fn visit_i64<E: Error>(self, n: i64) -> Result<Number, E> {
        Ok(Number(n.into()))
    }
    fn visit_u64<E: Error>(self, n: u64) -> Result<Number, E> {
        Ok(Number(n.into()))
    }
    fn visit_i128<E: Error>(self, n: i128) -> Result<Number, E> {
        Ok(Number(n))
    }
    fn visit_u128<E: Error>(self, n: u128) -> Result<Number, E> {
        Ok(Number(i128::try_from(n).unwrap_or(i128::MAX)))
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(NumberVisitor)
    }
}

struct SizeVisitor;

impl Visitor<'_> for SizeVisitor {
    type Value = Size;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of bytes, such as 65536 or \"64 KiB\"")
    }
    fn visit_i64<E: Error>(self, n: i64) -> Result<Size, E> {
        NumberVisitor.visit_i64(n).map(Size::Number)
    }
    fn visit_u64<E: Error>(self, n: u64) -> Result<Size, E> {
        NumberVisitor.visit_u64(n).map(Size::Number)
    }
    fn visit_i128<E: Error>(self, n: i128) -> Result<Size, E> {
        NumberVisitor.visit_i128(n).map(Size::Number)
    }
    fn visit_u128<E: Error>(self, n: u128) -> Result<Size, E> {
        NumberVisitor.visit_u128(n).map(Size::Number)
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Size, E> {
        Ok(Size::Text(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(SizeVisitor)
    }
}

/// One element of a range list: a bound, or a whole range.
enum Bound {
    One(Size),
    Pair(Size, Size),
}

struct BoundVisitor;

impl<'de> Visitor<'de> for BoundVisitor {
    type Value = Bound;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a bound or a range `[lo, hi]`")
    }
    fn visit_i64<E: Error>(self, n: i64) -> Result<Bound, E> {
        SizeVisitor.visit_i64(n).map(Bound::One)
    }
    fn visit_u64<E: Error>(self, n: u64) -> Result<Bound, E> {
        SizeVisitor.visit_u64(n).map(Bound::One)
    }
    fn visit_i128<E: Error>(self, n: i128) -> Result<Bound, E> {
        SizeVisitor.visit_i128(n).map(Bound::One)
    }
    fn visit_u128<E: Error>(self, n: u128) -> Result<Bound, E> {
        SizeVisitor.visit_u128(n).map(Bound::One)
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Bound, E> {
        SizeVisitor.visit_str(text).map(Bound::One)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Bound, A::Error> {
        let shape = || A::Error::invalid_length(0, &"a range of two bounds");
        let lo = seq.next_element()?.ok_or_else(shape)?;
        let hi = seq.next_element()?.ok_or_else(shape)?;
        if seq.next_element::<Size>()?.is_some() {
            return Err(A::Error::invalid_length(3, &"a range of two bounds"));
        }
        Ok(Bound::Pair(lo, hi))
    }
}

impl<'de> Deserialize<'de> for Bound {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(BoundVisitor)
    }
}

struct RangesVisitor;

impl<'de> Visitor<'de> for RangesVisitor {
    type Value = Ranges;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a range `[lo, hi]` or several `[[lo, hi], ..]`")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Ranges, A::Error> {
        let mut ranges = Vec::new();
        let mut low = None;
        let mut singles = 0;
        while let Some(bound) = seq.next_element()? {
            match (bound, low.take()) {
                (Bound::Pair(lo, hi), None) => ranges.push((lo, hi)),
                (Bound::One(lo), None) => {
                    singles += 1;
                    low = Some(lo);
                }
                (Bound::One(hi), Some(lo)) => {
                    singles += 1;
                    ranges.push((lo, hi));
                }
                (Bound::Pair(..), Some(_)) => {
                    return Err(A::Error::custom("a bound and a range in one list"));
                }
            }
        }
        // `[0, 3, 5, 9]` could be two ranges or a slip: ask for the clear form.
        if low.is_some() || singles > 2 || (singles > 0 && ranges.len() > 1) {
            return Err(A::Error::invalid_length(singles, &"two bounds, or ranges of two bounds"));
        }
        Ok(Ranges(ranges))
    }
}

impl<'de> Deserialize<'de> for Ranges {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(RangesVisitor)
    }
}

struct OffsetsVisitor;

impl<'de> Visitor<'de> for OffsetsVisitor {
    type Value = Offsets;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an offset in bytes, or one for each slot")
    }
    fn visit_i64<E: Error>(self, n: i64) -> Result<Offsets, E> {
        SizeVisitor.visit_i64(n).map(|one| Offsets(vec![one]))
    }
    fn visit_u64<E: Error>(self, n: u64) -> Result<Offsets, E> {
        SizeVisitor.visit_u64(n).map(|one| Offsets(vec![one]))
    }
    fn visit_i128<E: Error>(self, n: i128) -> Result<Offsets, E> {
        SizeVisitor.visit_i128(n).map(|one| Offsets(vec![one]))
    }
    fn visit_u128<E: Error>(self, n: u128) -> Result<Offsets, E> {
        SizeVisitor.visit_u128(n).map(|one| Offsets(vec![one]))
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Offsets, E> {
        SizeVisitor.visit_str(text).map(|one| Offsets(vec![one]))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Offsets, A::Error> {
        let mut offsets = Vec::new();
        while let Some(offset) = seq.next_element()? {
            offsets.push(offset);
        }
        Ok(Offsets(offsets))
    }
}

impl<'de> Deserialize<'de> for Offsets {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(OffsetsVisitor)
    }
}

struct NamesVisitor;

impl<'de> Visitor<'de> for NamesVisitor {
    type Value = Names;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of names")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Names, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = seq.next_element()? {
            names.push(name);
        }
        Ok(Names(names))
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(NamesVisitor)
    }
}

struct DimensionsVisitor;

impl<'de> Visitor<'de> for DimensionsVisitor {
    type Value = Dimensions;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a dimension or a list of them")
    }
    fn visit_str<E: Error>(self, name: &str) -> Result<Dimensions, E> {
        Ok(Dimensions(vec![name.to_owned()]))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Dimensions, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = seq.next_element()? {
            names.push(name);
        }
        Ok(Dimensions(names))
    }
}

impl<'de> Deserialize<'de> for Dimensions {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(DimensionsVisitor)
    }
}

struct OperandVisitor;

impl<'de> Visitor<'de> for OperandVisitor {
    type Value = Operand;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name, or a table `{ value, bytes, pipe, partial }`")
    }
    fn visit_str<E: Error>(self, name: &str) -> Result<Operand, E> {
        Ok(Operand(OperandTable {
            value: name.to_owned(),
            bytes: None,
            pipe: None,
            partial: false,
        }))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Operand, A::Error> {
        OperandTable::deserialize(MapAccessDeserializer::new(map)).map(Operand)
    }
}

impl<'de> Deserialize<'de> for Operand {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(OperandVisitor)
    }
}

macro_rules! schema {
    ($type:ident, $generator:ident => $schema:expr) => {
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }
            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

schema!(Number, _generator => json_schema!({ "type": "integer", "minimum": 0 }));
schema!(Size, _generator => json_schema!({
    "description": "A number of bytes: 65536 or \"64 KiB\" (B, KB, KiB, MB, MiB, GB, GiB, TB, TiB).",
    "anyOf": [
        { "type": "integer", "minimum": 0 },
        { "type": "string", "pattern": "^[0-9_]+ *([KMGTkmgt]?i?[Bb]?)$" }
    ]
}));
schema!(Ranges, generator => {
    let bound = generator.subschema_for::<Size>();
    json_schema!({
        "description": "A half-open range [lo, hi) or several.",
        "anyOf": [
            { "type": "array", "items": bound, "minItems": 2, "maxItems": 2 },
            { "type": "array", "minItems": 1,
              "items": { "type": "array", "items": bound, "minItems": 2, "maxItems": 2 } }
        ]
    })
});
schema!(Offsets, generator => {
    let one = generator.subschema_for::<Size>();
    json_schema!({
        "description": "An offset in bytes, or one for each slot.",
        "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }]
    })
});
schema!(Names, _generator => json_schema!({
    "description": "Names of values.",
    "type": "array", "items": { "type": "string" }, "minItems": 1
}));
schema!(Dimensions, _generator => json_schema!({
    "description": "The name of a dimension, or several.",
    "anyOf": [
        { "type": "string" },
        { "type": "array", "items": { "type": "string" }, "minItems": 1 }
    ]
}));
schema!(Operand, generator => {
    let table = generator.subschema_for::<OperandTable>();
    json_schema!({
        "description": "The name of a value, or a table with the bytes touched.",
        "anyOf": [{ "type": "string" }, table]
    })
});
