//! The JSON Schema of a trace, made from the tables that the reader reads by.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::calls::{CALLS, EVERY_CALL};
use super::header::{EVERY_FAULT, FAULTS, HEADER};
use super::instructions::{EVERY_LINE, INSTRUCTIONS, OPERAND, SCOPES};
use super::key::{Key, Kind, Row};
use crate::format::machine;

/// A trace as one document (TOML); a line of JSON Lines is its header or one of its `op`.
#[derive(Debug)]
pub struct TraceFile;

impl JsonSchema for TraceFile {
    fn schema_name() -> Cow<'static, str> {
        "TraceFile".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut top = Map::new();
        keys(&mut top, HEADER);
        top.insert(
            "expect_findings".to_owned(),
            json!({
                "description": "how many findings of each class there will be: `RACE_WAR = 1`",
                "type": "object", "additionalProperties": { "type": "integer", "minimum": 0 }
            }),
        );
        let faults: Vec<Value> = FAULTS.iter().map(|f| object("fault", f, EVERY_FAULT)).collect();
        top.insert(
            "inject".to_owned(),
            json!({
                "description": "faults to inject", "type": "array", "items": { "oneOf": faults }
            }),
        );
        top.insert(
            "outputs".to_owned(),
            json!({
                "description": "what has to be where in the end: ranges with their values",
                "type": "array", "items": { "$ref": "#/$defs/span" }
            }),
        );
        machine::add(&mut top, machine::ROWS);
        top.insert("op".to_owned(), json!({
            "description": "What happens, in the order written.",
            "type": "array", "items": { "anyOf": [{ "$ref": "#/$defs/call" }, { "$ref": "#/$defs/line" }] }
        }));
        let calls: Vec<Value> = CALLS.iter().map(|row| object("op", row, EVERY_CALL)).collect();
        let lines: Vec<Value> =
            INSTRUCTIONS.iter().map(|row| object("op", row, EVERY_LINE)).collect();
        let mut operand = Map::new();
        keys(&mut operand, OPERAND);
        for (scope, _) in SCOPES {
            operand.insert((*scope).to_owned(), bytes());
        }
        let all = json!({
            "title": "memplan trace",
            "description": "What hosts, streams and cores do, to be replayed.",
            "type": "object",
            "properties": top,
            "required": ["trace"],
            "additionalProperties": false,
            "$defs": {
                "bytes": {
                    "description": "A number of bytes: 65536 or \"64 KiB\".",
                    "anyOf": [{ "type": "integer", "minimum": 0 }, { "type": "string" }]
                },
                "call": { "description": "A call of a host or a task of a stream.", "oneOf": calls },
                "line": { "description": "A line of a core program.", "oneOf": lines },
                "operand": {
                    "description": "An operand: the memory it lies in, with the first byte; a length.",
                    "type": "object", "properties": operand, "additionalProperties": false
                },
                "span": {
                    "description": "A range: the name of a pointer, or a table.",
                    "anyOf": [{ "type": "string" }, {
                        "type": "object",
                        "properties": {
                            "p": name(), "off": bytes(), "len": bytes(),
                            "val": { "type": "string" }, "voff": bytes(),
                            "elements": { "type": "integer", "minimum": 0 },
                            "bits": { "type": "integer", "minimum": 1 }
                        },
                        "required": ["p"], "additionalProperties": false
                    }]
                },
                "location": {
                    "description": "A place of memory.",
                    "anyOf": [{ "type": "string" }, { "type": "integer", "minimum": 0 }, {
                        "type": "object",
                        "properties": {
                            "device": { "type": "integer" }, "numa": { "type": "integer" }
                        },
                        "additionalProperties": false
                    }]
                }
            }
        });
        Schema::try_from(all).unwrap_or_default()
    }
}

/// The schema of a row: the word in its first key, its own keys, those of all.
fn object(word: &str, row: &Row, every: &[Key]) -> Value {
    let mut properties = Map::new();
    keys(&mut properties, every);
    keys(&mut properties, row.keys);
    properties.insert(word.to_owned(), json!({ "const": row.name }));
    let plain = row.keys.iter().filter(|k| k.need && k.also.is_empty()).map(|k| k.name);
    let required: Vec<&str> = std::iter::once(word).chain(plain).collect();
    json!({
        "title": row.name, "description": row.what, "type": "object",
        "properties": properties, "required": required, "additionalProperties": false
    })
}

fn keys(properties: &mut Map<String, Value>, keys: &[Key]) {
    for key in keys {
        let mut value = schema(key.kind);
        if let Value::Object(map) = &mut value {
            map.insert("description".to_owned(), json!(key.what));
        }
        if !key.also.is_empty() {
            properties.insert(key.also.to_owned(), value.clone());
        }
        properties.insert(key.name.to_owned(), value);
    }
}

fn bytes() -> Value {
    json!({ "$ref": "#/$defs/bytes" })
}

fn name() -> Value {
    json!({ "type": ["string", "null"] })
}

fn list(of: Value) -> Value {
    json!({ "type": "array", "items": of })
}

fn schema(kind: Kind) -> Value {
    let reference = |name: &str| json!({ "$ref": format!("#/$defs/{name}") });
    let word = |names: Vec<&str>| json!({ "anyOf": [{ "enum": names }, { "type": "integer" }] });
    match kind {
        Kind::Bytes => bytes(),
        Kind::Number(_) => json!({ "type": "integer", "minimum": 0 }),
        Kind::Truth => json!({ "type": "boolean" }),
        Kind::Text | Kind::Val => json!({ "type": "string" }),
        Kind::Label | Kind::Pipe => json!({ "type": ["string", "integer"] }),
        Kind::Name => name(),
        Kind::Names => list(json!({ "type": "string" })),
        Kind::Location => reference("location"),
        Kind::Locations => json!({ "anyOf": [list(reference("location")), reference("location")] }),
        Kind::Side => json!({ "type": ["integer", "string", "null"] }),
        Kind::Word(names) => word(names()),
        Kind::Words(names) => list(word(names())),
        Kind::Numbers => list(json!({ "type": "integer", "minimum": 0 })),
        Kind::Span => reference("span"),
        Kind::Spans => list(reference("span")),
        Kind::Pairs => list(json!({ "type": ["array", "object"] })),
        Kind::Expect => json!({ "anyOf": [{ "const": "ok" }, {
            "type": "object",
            "properties": { "err": { "type": "string" }, "value": { "type": ["string", "integer"] } },
            "additionalProperties": false
        }] }),
        Kind::Place => reference("operand"),
        Kind::Places => list(reference("operand")),
        Kind::Ids => {
            json!({ "anyOf": [{ "type": "integer" }, list(json!({ "type": "integer" }))] })
        }
        Kind::Lines => list(reference("line")),
    }
}
