//! The header of a trace: the first line of JSON Lines, the top of TOML.

use super::key::Kind::{Name, Names, Number, Text};
use super::key::{Key, Kind, Row, may, need, row};

/// The version of the language that this memplan reads.
pub const VERSION: i128 = 1;

/// Keys of the header, besides those of the machine file.
pub const HEADER: &[Key] = &[
    need("trace", Number(64), "the version of the language: 1"),
    may("machine", Name, "a chip or product, such as `910B3`; default `910B`"),
    may("mode", Kind::Word(|| vec!["spec", "source"]), "whose behaviour counts; default `spec`"),
    may("processes", Names, "the processes; without the key, those that threads name"),
    may("devices", Number(32), "how many there are; default 1"),
    may(
        "assume_sync",
        Kind::Word(|| vec!["none", "full"]),
        "whether missing edges are owed or races; default: by what the trace carries",
    ),
];

/// Faults to inject (9.6), by the word in `fault`.
pub const FAULTS: &[Row] = &[
    row("fail_alloc", "The n-th allocation of physical memory fails.", &[N]),
    row("fail_map", "The n-th mapping fails.", &[N]),
    row("fail_protect", "The n-th change of a section's protection fails.", &[N]),
    row("dma_error", "The n-th transfer between memories fails.", &[N]),
    row("ack_timeout", "The n-th acknowledgement of a prefetch does not come.", &[N]),
    row("swap_refused", "No page is swapped out.", &[]),
    row("host_oom", "The host has so many pages.", &[need("pages", Number(64), "pages")]),
    row(
        "evict",
        "A page of a managed range is swapped out before a line.",
        &[need("p", Name, "the range"), may("off", Kind::Bytes, "a byte of the page"), AT],
    ),
    row(
        "slow",
        "An actor runs only when nobody else can.",
        &[need("actor", Name, "a thread, a stream, a pipe")],
    ),
    row(
        "crash",
        "A process ends before a line, without a word.",
        &[need("process", Name, "the process"), AT],
    ),
    row(
        "lost_event",
        "No record of an event is seen by anybody.",
        &[need("ev", Name, "the event").or("event")],
    ),
    row("reorder_batch", "Entries of one batch happen in the opposite order.", &[]),
    row("drop_prefetch", "Prefetches of a range do nothing.", &[need("p", Name, "the range")]),
    row("stale_attr", "Attribute queries answer with what was before the last change.", &[]),
];

const N: Key = may("n", Number(64), "which one, from 1; default 1");
const AT: Key = need("at", Kind::Label, "the line: its number from 0, or its `i`");

/// What every fault has.
pub const EVERY_FAULT: &[Key] = &[need("fault", Text, "what fails")];
