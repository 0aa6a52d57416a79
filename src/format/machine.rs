//! The machine file: every number of a machine, each with its key. Headers of traces may carry the
//! same keys.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// The version of the format that this memplan reads.
pub const VERSION: i128 = 1;

/// A key of the machine file: parts with dots between; `*` is any name.
#[derive(Debug)]
pub struct Row {
    /// Such as `oversub.batch` or `scope.*.capacity`.
    pub key: &'static str,
    /// What its value is.
    pub kind: Kind,
    /// What it means.
    pub what: &'static str,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Bytes: a number or text such as `"64 GiB"`.
    Bytes,
    /// Bytes, or `"unknown"`.
    MaybeBytes,
    /// A number of at most so many bits.
    Number(u32),
    /// A number, or `"unlimited"`.
    MaybeNumber,
    /// Percent: 20 or `"20%"`.
    Percent,
    /// `true` or `false`.
    Truth,
    /// Text.
    Text,
    /// A word of these.
    Word(&'static [&'static str]),
    /// A list of names.
    Names,
    /// A list of pairs of names: `["S V", ..]`.
    Pairs,
    /// A list of tables; the keys of one are the rows below it.
    Tables,
}

const fn row(key: &'static str, kind: Kind, what: &'static str) -> Row {
    Row { key, kind, what }
}

/// Products.
pub const PRODUCTS: &[&str] = &["a2", "a3", "950", "other"];

/// Reuse in pools.
pub const POLICIES: &[&str] = &["documented", "source-0184aa3c8", "head"];

/// Keys that only a machine file has.
pub const FILE_ONLY: &[Row] = &[
    row("version", Kind::Number(64), "version of the format: 1"),
    row("base", Kind::Text, "the chip or product whose numbers hold where the file says nothing"),
    row("name", Kind::Text, "what reports call the machine"),
];

/// Keys of machine files and of headers of traces.
pub const ROWS: &[Row] = &[
    row("product", Kind::Word(PRODUCTS), "910B, 910_93, 950, others"),
    row("device_memory", Kind::Bytes, "memory of each device"),
    row("host_memory", Kind::Bytes, "memory of the host"),
    row("numa_nodes", Kind::Number(32), "online NUMA nodes of the host"),
    row("uvm_page", Kind::Bytes, "a page of managed memory"),
    row("max_alloc", Kind::Bytes, "the largest single allocation"),
    row("soma.page", Kind::Bytes, "the granularity of pools"),
    row("soma.policy", Kind::Word(POLICIES), "how pools reuse blocks; default: by the mode"),
    row("oversub.enabled", Kind::Truth, "false: a fault without a free page fails"),
    row("oversub.level", Kind::Tables, "water levels, mildest first"),
    row("oversub.level.*.free_below", Kind::Percent, "in force when less of the memory is free"),
    row("oversub.level.*.scan_every", Kind::Number(64), "ticks between scans"),
    row("oversub.level.*.cold_after", Kind::Number(64), "scans without an access"),
    row("oversub.target_free", Kind::Percent, "free memory at which swapping stops"),
    row("oversub.batch", Kind::Number(64), "pages swapped by one scan"),
    row("oversub.max_pinned", Kind::Percent, "of the memory for what is not managed"),
    row("oversub.direct_reclaim", Kind::Truth, "a fault swaps the oldest page out itself"),
    row("oversub.host_swap_pages", Kind::MaybeNumber, "pages of the host that swapping fills"),
    row(
        "oversub.thrash_window",
        Kind::Number(64),
        "ticks after an eviction in which a fault is thrash",
    ),
    row("capabilities.uvm", Kind::Truth, "managed memory"),
    row("capabilities.remote_mapping", Kind::Truth, "access without moving the page"),
    row("capabilities.soma", Kind::Truth, "stream-ordered pools"),
    row("capabilities.soma_attributes", Kind::Truth, "attributes of pools"),
    row("capabilities.soma_trim", Kind::Truth, "trimming of pools"),
    row("capabilities.soma_hal", Kind::Truth, "pool calls of the HAL from the host"),
    row(
        "capabilities.concurrent_managed",
        Kind::Truth,
        "the host may touch managed memory while a kernel runs",
    ),
    row("capabilities.peer", Kind::Truth, "devices reach each other's memory"),
    row("costs.pipes.*.latency", Kind::Number(64), "ticks before the first byte"),
    row("costs.pipes.*.bytes_per_tick", Kind::Number(64), "bytes in a tick; 0: bytes are free"),
    row("costs.other_pipe.latency", Kind::Number(64), "of pipes that are not listed"),
    row("costs.other_pipe.bytes_per_tick", Kind::Number(64), "of pipes that are not listed"),
    row("costs.fault", Kind::Number(64), "ticks of a page fault"),
    row("costs.dma_start", Kind::Number(64), "ticks to start one transfer of a page"),
    row("costs.link", Kind::Number(64), "bytes in a tick between host and device"),
    row("costs.peer_link", Kind::Number(64), "bytes in a tick between devices"),
    row("costs.prefetch_batch", Kind::Number(64), "pages that one transfer of a prefetch takes"),
    row("costs.call", Kind::Number(64), "ticks of a call of the host"),
    row("costs.kernel", Kind::Number(64), "ticks of a kernel that does not say"),
    row("costs.host", Kind::Number(64), "bytes in a tick of a host that reads or writes"),
    row("scope.*.capacity", Kind::MaybeBytes, "bytes of a memory of a core"),
    row("scope.*.alignment", Kind::Bytes, "addresses of transfers are multiples of this"),
    row("scope.*.filled_by", Kind::Names, "pipes that may write it"),
    row("scope.*.drained_by", Kind::Names, "pipes that may read it"),
    row(
        "weak_pipes",
        Kind::Names,
        "pipes on which an instruction may still run when the next starts",
    ),
    row("flag_ids", Kind::Number(32), "flag ids of each pair of pipes"),
    row("cross_flags", Kind::Number(32), "cross-core flag ids"),
    row(
        "cross_limit",
        Kind::Number(32),
        "how often a cross-core flag may be raised without a wait",
    ),
    row(
        "reserved_flags",
        Kind::Pairs,
        "pairs of pipes whose highest id the compiler keeps for itself",
    ),
    row("device_ids_differ", Kind::Truth, "physical ids of devices differ from logical ones"),
];

/// The machine file; only its schema is of use.
#[derive(Debug)]
pub struct MachineFile;

impl JsonSchema for MachineFile {
    fn schema_name() -> Cow<'static, str> {
        "MachineFile".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut properties = Map::new();
        add(&mut properties, FILE_ONLY);
        add(&mut properties, ROWS);
        let all = json!({
            "title": "memplan machine",
            "description": "The numbers of a machine that replays traces.",
            "type": "object",
            "properties": properties,
            "required": ["version"],
            "additionalProperties": false
        });
        Schema::try_from(all).unwrap_or_default()
    }
}

/// Adds the schemas of rows to the properties of an object.
pub(super) fn add(properties: &mut Map<String, Value>, rows: &[Row]) {
    for row in rows {
        let mut parts = row.key.split('.').peekable();
        let mut here = &mut *properties;
        while let Some(part) = parts.next() {
            let Some(next) = parts.peek() else {
                here.insert(part.to_owned(), schema(row));
                break;
            };
            // Below a name that anybody may choose, and below a list, stand tables.
            let inner = here.entry(part).or_insert_with(|| {
                if *next == "*" {
                    json!({ "type": "object", "additionalProperties": table() })
                } else {
                    table()
                }
            });
            let below = match *next {
                "*" => {
                    parts.next();
                    let list = inner.get("items").is_some();
                    inner.get_mut(if list { "items" } else { "additionalProperties" })
                }
                _ => Some(inner),
            };
            let below = below.and_then(|t| t.get_mut("properties"));
            let Some(Value::Object(map)) = below else { break };
            here = map;
        }
    }
}

fn table() -> Value {
    json!({ "type": "object", "properties": {}, "additionalProperties": false })
}

fn schema(row: &Row) -> Value {
    let bytes = || json!({ "anyOf": [{ "type": "integer", "minimum": 0 }, { "type": "string" }] });
    let mut schema = match row.kind {
        Kind::Bytes | Kind::MaybeBytes | Kind::MaybeNumber | Kind::Percent => bytes(),
        Kind::Number(_) => json!({ "type": "integer", "minimum": 0 }),
        Kind::Truth => json!({ "type": "boolean" }),
        Kind::Text => json!({ "type": "string" }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Names | Kind::Pairs => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::Tables => json!({ "type": "array", "items": table() }),
    };
    if let Value::Object(map) = &mut schema {
        map.insert("description".to_owned(), json!(row.what));
    }
    schema
}
