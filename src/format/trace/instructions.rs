//! The instructions of core programs (5.17, 13.2).

use super::key::Kind::{
    Bytes, Ids, Label, Lines, Name, Number, Pipe, Place, Places, Text, Truth, Val,
};
use super::key::{Key, Row, may, need, row};

/// Keys of every line of a core program.
pub const EVERY_LINE: &[Key] = &[
    need("op", Text, "what is done"),
    may("i", Label, "what reports call the line; default: its number"),
    may("at", Text, "where it comes from, for reports"),
    may("core", Name, "the core: `aiv0`, `aic0`, ..; default: that of the line before, or `aiv0`"),
    may("program", Name, "the program that the line belongs to; a kernel names it as its `body`"),
];

const PIPE: Key = need("pipe", Pipe, "the pipe: `MTE2`, `V`, .. or its number");
const COST: Key = may("cost", Number(64), "ticks; default: by the machine's cost table");
const MODE: Key = may("mode", Number(8), "who is meant: 0, 1, 2 (default) or 4");

/// All instructions.
pub const INSTRUCTIONS: &[Row] = &[
    row(
        "copy",
        "Bytes move, and values with them.",
        &[
            PIPE,
            need("src", Place, "from here"),
            need("dst", Place, "to here"),
            may("len", Bytes, "bytes, where the operands do not say"),
            may("val", Val, "the value, where the operands do not say"),
            COST,
        ],
    ),
    row(
        "exec",
        "Something is computed: all reads come before all writes.",
        &[
            PIPE,
            may("name", Name, "for reports"),
            may("r", Places, "what is read"),
            may("w", Places, "what is written"),
            may("inplace", Truth, "a read and a write may be the same bytes"),
            may("accumulate", Truth, "a matrix product that adds to its result"),
            COST,
        ],
    ),
    row(
        "set",
        "`set_flag(pipe, peer, id)`.",
        &[
            need("pipe", Pipe, "the pipe that fires"),
            need("peer", Pipe, "the pipe that waits"),
            need("id", Ids, "the flag; a list is taken in turn, by trip"),
            may("of", Name, "the loop whose trips count; default: the innermost one"),
        ],
    ),
    row(
        "wait",
        "`wait_flag(pipe, peer, id)`.",
        &[
            need("pipe", Pipe, "the pipe that fires"),
            need("peer", Pipe, "the pipe that waits"),
            need("id", Ids, "the flag; a list is taken in turn, by trip"),
            may("of", Name, "the loop whose trips count; default: the innermost one"),
        ],
    ),
    row("barrier", "`pipe_barrier(pipe)`.", &[may("pipe", Pipe, "default: `ALL`")]),
    row(
        "xset",
        "A cross-core flag is raised.",
        &[
            need("pipe", Pipe, "the pipe that it is queued on"),
            MODE,
            need("flag", Number(32), "the flag"),
        ],
    ),
    row(
        "xwait",
        "A cross-core flag is awaited.",
        &[
            may("pipe", Pipe, "the pipe that is blocked; default: `S`"),
            MODE,
            need("flag", Number(32), "the flag"),
        ],
    ),
    row(
        "loop",
        "A loop.",
        &[
            need("n", Number(64), "trips"),
            need("body", Lines, "what it runs"),
            may("name", Name, "what operands and ids call it"),
            may("may_be_zero", Truth, "it may also run not at all"),
        ],
    ),
    row(
        "if",
        "A branch; equal conditions take equal sides.",
        &[
            need("cond", Name, "the condition"),
            may("then", Lines, "what runs when it holds"),
            may("else", Lines, "what runs when it does not"),
        ],
    ),
];

/// Memories of cores by the names that operands use, and what they are called here.
pub const SCOPES: &[(&str, &str)] = &[
    ("ub", "ub"),
    ("l1", "l1"),
    ("l0a", "l0a"),
    ("l0b", "l0b"),
    ("l0c", "l0c"),
    ("bt", "bt"),
    ("fb", "fb"),
    ("fp", "fb"),
    ("cbuf", "l1"),
    ("ca", "l0a"),
    ("cb", "l0b"),
    ("cc", "l0c"),
];

/// Keys of an operand besides the memory that it lies in.
pub const OPERAND: &[Key] = &[
    may("gm", Name, "a pointer of the trace; or the name of a memory, with the first byte in it"),
    may("off", Bytes, "the first byte, from the pointer"),
    may("scope", Name, "a memory that has no key of its own; `base` is the first byte in it"),
    may("base", Bytes, "the first byte in the memory"),
    may("len", Bytes, "bytes"),
    may("val", Val, "the value in them"),
    may("voff", Bytes, "the byte of the value that lies at the first byte"),
    may("elements", Number(64), "how many elements it has to hold"),
    may("bits", Number(16), "bits of an element; default 8"),
    may("stride", Bytes, "bytes from trip to trip"),
    may("mod", Number(64), "trips after which the address is the same again; default 1"),
    may("of", Name, "the loop whose trips count; default: the innermost one"),
];
