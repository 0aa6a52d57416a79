//! The spec file: what a user writes. `docs/FORMATS.md` explains it by example; the JSON Schema in
//! `specs/schema/` is generated from these types.

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::spec_sync::{CrossFlagTable, FlagTable};
use super::values::{Dimensions, Names, Number, Offsets, Operand, Ranges, Size};

/// A memplan spec: a machine, and functions with buffers and either live ranges or ops.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "memplan spec")]
pub struct Spec {
    /// Version of the format; this is 1.
    #[schemars(with = "u64", range(min = 1, max = 1))]
    pub version: Spanned<Number>,
    /// Name of the input, and of its function when there is only one.
    #[schemars(with = "Option<String>")]
    pub name: Option<Spanned<String>>,
    /// A chip (`ascend910b`, `Ascend910B1`, ...) or the path of a target file, relative to the spec.
    #[schemars(with = "Option<String>")]
    pub target: Option<Spanned<String>>,
    /// A profile of the target: the usable sizes of a particular software stack.
    #[schemars(with = "Option<String>")]
    pub profile: Option<Spanned<String>>,
    /// The strictest rule for derived in-place pairs: `any` (default), `isa` or `never`.
    pub inplace: Option<InplaceWord>,
    /// Memories; a scope that the target has too overrides the target's, key by key.
    #[serde(default)]
    pub scope: Vec<ScopeTable>,
    /// Pipes; a pipe that the target has too overrides the target's.
    #[serde(default)]
    pub pipe: Vec<PipeTable>,
    /// Parts of scopes that belong to one owner.
    #[serde(default)]
    pub partition: Vec<PartitionTable>,
    /// Functions, planned independently. A spec with one function may leave this table out and
    /// write the function's tables at the top.
    #[serde(default)]
    pub function: Vec<FunctionTable>,
    /// Buffers of the only function.
    #[serde(default)]
    pub buffer: Vec<BufferTable>,
    /// Ops of the only function, in order.
    #[serde(default)]
    pub op: Vec<OpTable>,
    /// Loops of the only function.
    #[serde(default, rename = "loop")]
    pub loops: Vec<LoopTable>,
    /// Branches of the only function.
    #[serde(default)]
    pub branch: Vec<BranchTable>,
    /// Views and selections of the only function.
    #[serde(default)]
    pub alias: Vec<AliasTable>,
    /// Rules about pairs of buffers of the only function.
    #[serde(default)]
    pub relation: Vec<RelationTable>,
}

/// A function: its own buffers and its own ops, from offset 0 in every scope.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FunctionTable {
    /// Its name.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// Its buffers.
    #[serde(default)]
    pub buffer: Vec<BufferTable>,
    /// Its ops, in order.
    #[serde(default)]
    pub op: Vec<OpTable>,
    /// Its loops.
    #[serde(default, rename = "loop")]
    pub loops: Vec<LoopTable>,
    /// Its branches.
    #[serde(default)]
    pub branch: Vec<BranchTable>,
    /// Its views and selections.
    #[serde(default)]
    pub alias: Vec<AliasTable>,
    /// Its rules about pairs of buffers.
    #[serde(default)]
    pub relation: Vec<RelationTable>,
}

/// A memory.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScopeTable {
    /// `ub`, `l1`, `l0a`, `l0b`, `l0c`, `bt`, `fb`, `gm`, or a name of your own.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// Physical size in bytes, or `"unbounded"`: the answer is the size. Default: the target's,
    /// else unbounded.
    #[schemars(with = "Option<Size>")]
    pub capacity: Option<Spanned<Size>>,
    /// Bytes that may be used, from offset 0; the rest up to the capacity is reserved.
    #[schemars(with = "Option<Size>")]
    pub usable: Option<Spanned<Size>>,
    /// Default alignment of its buffers in bytes (any positive number). Default: the target's,
    /// else 1.
    #[schemars(with = "Option<Size>")]
    pub alignment: Option<Spanned<Size>>,
    /// True when sizes are rounded up to the alignment. Default: the target's, else false.
    #[schemars(with = "Option<bool>")]
    pub round_up: Option<Spanned<bool>>,
    /// Byte ranges that nobody may use. Replaces the target's.
    #[schemars(with = "Option<Ranges>")]
    pub reserved: Option<Spanned<Ranges>>,
}

/// A pipe.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PipeTable {
    /// Its name.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// What it does.
    pub kind: PipeWord,
}

/// What a pipe does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PipeWord {
    /// Moves data between memories.
    Dma,
    /// The vector unit.
    Vector,
    /// The matrix unit.
    Cube,
    /// The scalar unit.
    Scalar,
}

/// A part of a scope that only one owner may use.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PartitionTable {
    /// The scope.
    #[schemars(with = "String")]
    pub scope: Spanned<String>,
    /// The owner; buffers name it.
    #[schemars(with = "String")]
    pub owner: Spanned<String>,
    /// The bytes `[lo, hi)`.
    #[schemars(with = "Ranges")]
    pub range: Spanned<Ranges>,
}

/// A buffer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BufferTable {
    /// Its name, unique among the values of its function.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// The memory it is placed in; may be left out when the spec has one scope.
    #[schemars(with = "Option<String>")]
    pub scope: Option<Spanned<String>>,
    /// Bytes of one slot; or give `shape` and `dtype`. 0 is allowed.
    #[schemars(with = "Option<Size>")]
    pub size: Option<Spanned<Size>>,
    /// Elements in each dimension.
    #[schemars(with = "Option<Vec<Number>>")]
    pub shape: Option<Spanned<Vec<Number>>>,
    /// Element type: `i1` `i4` `u4` `f4` `i8` `u8` `f8` `i16` `u16` `f16` `bf16` `i32` `u32` `f32`
    /// `i64` `u64` `f64`.
    #[schemars(with = "Option<String>")]
    pub dtype: Option<Spanned<String>>,
    /// Strides of `shape` in elements, where rows are padded.
    #[schemars(with = "Option<Vec<Number>>")]
    pub strides: Option<Spanned<Vec<Number>>>,
    /// Bytes from one row (last dimension) of `shape` to the next, padding included.
    #[schemars(with = "Option<Size>")]
    pub row_pitch: Option<Spanned<Size>>,
    /// The dimensions that it grows with, by name, for `memplan what-if --scale`. With `shape` one name
    /// for each dimension, `"_"` for one that stays; with `size` alone the size grows with each name.
    #[schemars(with = "Option<Dimensions>")]
    pub scales: Option<Spanned<Dimensions>>,
    /// Alignment of every slot, instead of the scope's.
    #[schemars(with = "Option<Size>")]
    pub alignment: Option<Spanned<Size>>,
    /// Copies used in rotation (multi-buffering); 1 by default.
    #[schemars(with = "Option<Number>")]
    pub slots: Option<Spanned<Number>>,
    /// The loop that the slots rotate in, and that the buffer lives in. Default with ops: the
    /// innermost loop around all its uses.
    #[schemars(with = "Option<String>")]
    #[serde(rename = "loop")]
    pub in_loop: Option<Spanned<String>>,
    /// Fixed offset, or one for each slot.
    #[schemars(with = "Option<Offsets>")]
    pub pin: Option<Spanned<Offsets>>,
    /// True when it shares bytes with nobody.
    #[serde(default)]
    pub unique: bool,
    /// The owner whose partition it lies in.
    #[schemars(with = "Option<String>")]
    pub owner: Option<Spanned<String>>,
    /// How long it lives whatever the ops say; `local` by default.
    pub class: Option<ClassWord>,
    /// True for memory that only one op needs.
    #[serde(default)]
    pub temporary: bool,
    /// True when it lives through the whole loop it is used in.
    #[serde(default)]
    pub preload: bool,
    /// Live ranges in steps, `[start, end)` or several; leave out where ops use the buffer.
    #[schemars(with = "Option<Ranges>")]
    pub live: Option<Spanned<Ranges>>,
    /// With `live`: the pipes that touch it, such as `["MTE2:w", "V:r"]`.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub pipes: Vec<Spanned<String>>,
}

/// How long a buffer lives whatever the ops say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClassWord {
    /// From its first write to its last read.
    Local,
    /// Given by the caller and not ours to overwrite: the whole function.
    Parameter,
    /// Handed to the caller: from its first write to the end of the function.
    Output,
    /// Filled before the function starts: the whole function.
    Constant,
    /// Given by the caller and ours to reuse: from the start to its last read.
    Donated,
    /// Keeps its contents between runs: the whole function.
    Persistent,
    /// One copy a thread, alive for the whole function.
    ThreadLocal,
}

/// An op. Ops run in the order in which they are written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpTable {
    /// Its name; `op N` by default.
    #[schemars(with = "Option<String>")]
    pub name: Option<Spanned<String>>,
    /// The loop that it is in, or the side of a branch: `"rows"`, `"tail.then"`, `"tail.else"`.
    #[schemars(with = "Option<String>")]
    #[serde(rename = "in")]
    pub within: Option<Spanned<String>>,
    /// The pipe that runs it.
    #[schemars(with = "Option<String>")]
    pub pipe: Option<Spanned<String>>,
    /// What it reads.
    #[serde(default)]
    #[schemars(with = "Vec<Operand>")]
    pub reads: Vec<Spanned<Operand>>,
    /// What it writes.
    #[serde(default)]
    #[schemars(with = "Vec<Operand>")]
    pub writes: Vec<Spanned<Operand>>,
    /// Scratch that it needs while it runs.
    #[serde(default)]
    #[schemars(with = "Vec<Operand>")]
    pub temps: Vec<Spanned<Operand>>,
    /// Whether a result may take the bytes of an operand that dies here; `never` by default.
    pub inplace: Option<InplaceWord>,
    /// Ticks that it takes; by the machine's table when left out.
    #[schemars(with = "Option<u64>")]
    pub cost: Option<Spanned<Number>>,
    /// An op that raises a flag: it touches nothing.
    pub set: Option<FlagTable>,
    /// An op that waits for a flag.
    pub wait: Option<FlagTable>,
    /// An op that lets nothing of a pipe pass before what came earlier is done; `all` for all pipes.
    #[schemars(with = "Option<String>")]
    pub barrier: Option<Spanned<String>>,
    /// An op that raises a flag between cores.
    pub cross_set: Option<CrossFlagTable>,
    /// An op that waits for a flag between cores.
    pub cross_wait: Option<CrossFlagTable>,
}

/// Whether results may take the bytes of operands that die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InplaceWord {
    /// Never.
    Never,
    /// Where the instruction set guarantees it.
    Isa,
    /// Wherever the semantics of the op allow it.
    Any,
}

/// A loop. It stands where its first op stands; its ops are written together.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoopTable {
    /// Its name.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// The loop or branch side that it is in.
    #[schemars(with = "Option<String>")]
    #[serde(rename = "in")]
    pub within: Option<Spanned<String>>,
    /// How often it runs; unknown by default.
    #[schemars(with = "Option<Number>")]
    pub trips: Option<Spanned<Number>>,
    /// With unknown trips: how often it runs at least; 0 by default.
    #[schemars(with = "Option<Number>")]
    pub at_least: Option<Spanned<Number>>,
    /// Values carried from trip to trip.
    #[serde(default)]
    pub carries: Vec<CarryTable>,
}

/// A value that a loop carries, by reference: no bytes move.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CarryTable {
    /// Its name inside the loop.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// What it stands for in the first trip.
    #[schemars(with = "String")]
    pub init: Spanned<String>,
    /// What it stands for in the next trip.
    #[schemars(with = "String")]
    pub next: Spanned<String>,
    /// Its name after the loop.
    #[schemars(with = "Option<String>")]
    pub result: Option<Spanned<String>>,
}

/// A branch (if, with or without else). It stands where its first op stands.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchTable {
    /// Its name; its sides are `NAME.then` and `NAME.else`.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// The loop or branch side that it is in.
    #[schemars(with = "Option<String>")]
    #[serde(rename = "in")]
    pub within: Option<Spanned<String>>,
    /// Values that it leaves behind.
    #[serde(default)]
    pub results: Vec<BranchResultTable>,
}

/// A value that a branch leaves behind.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchResultTable {
    /// Its name after the branch.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// What it stands for when the condition held.
    #[schemars(with = "String")]
    pub then: Spanned<String>,
    /// What it stands for when it did not.
    #[schemars(with = "String")]
    #[serde(rename = "else")]
    pub otherwise: Spanned<String>,
}

/// Another name for bytes: a view of one value, or a selection among several at run time.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AliasTable {
    /// The name.
    #[schemars(with = "String")]
    pub name: Spanned<String>,
    /// The values it may stand for: one for a view, several for a selection.
    #[schemars(with = "Names")]
    pub of: Spanned<Names>,
    /// For a view: the bytes `[lo, hi)` of the value.
    #[schemars(with = "Option<Ranges>")]
    pub range: Option<Spanned<Ranges>>,
    /// For a view: true when nobody knows which bytes of the value it stands for.
    #[serde(default)]
    pub unknown: bool,
}

/// A rule about two buffers.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RelationTable {
    /// The rule.
    pub kind: RelationWord,
    /// One buffer; for `inplace` the operand that dies.
    #[schemars(with = "String")]
    pub a: Spanned<String>,
    /// The other; for `inplace` the result that may take its bytes.
    #[schemars(with = "String")]
    pub b: Spanned<String>,
    /// For `colocate`: bytes from `a` to `b`; 0 by default.
    #[schemars(with = "Option<Size>")]
    pub delta: Option<Spanned<Size>>,
    /// Why.
    pub why: Option<String>,
}

/// A rule about two buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RelationWord {
    /// Must be the same bytes.
    Colocate,
    /// `b` may take the bytes of `a` at the identical start, if it is not larger.
    Inplace,
    /// Never share bytes.
    Separate,
    /// Never alive together, whatever the live ranges say.
    Exclusive,
}
