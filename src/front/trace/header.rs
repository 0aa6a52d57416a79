//! The header: the first line of JSON Lines, the top of TOML.

use std::collections::BTreeMap;

use super::line::{self, Line};
use super::reader::Reader;
use super::settings::flatten;
use crate::diag::{Code, Loc};
use crate::format::machine::ROWS;
use crate::format::read::nearest;
use crate::format::trace::{EVERY_FAULT, FAULTS, HEADER, VERSION};
use crate::format::tree::{Member, Node, Value};
use crate::front::errors::shown;
use crate::front::machine;
use crate::model::machine::Mode;
use crate::model::trace::{AssumeSync, Fault, Injection, Output, Setting, Sym, Trace};

/// Devices at most: what a 32-bit number could ask for would be a machine of billions.
const MAX_DEVICES: u64 = 1024;

/// A fault whose line may be named, to be found when all lines are there.
pub(super) struct Planned {
    pub(super) kind: PlannedFault,
    /// The line, as written.
    pub(super) at: Option<(String, Loc)>,
    pub(super) loc: Loc,
}

/// A fault without its line.
pub(super) enum PlannedFault {
    Whole(Fault),
    Evict { p: Sym, off: u64 },
    Crash { process: Sym },
}

/// Reads the header into the trace; returns the faults that wait for their lines.
pub(super) fn read(reader: &mut Reader, trace: &mut Trace, members: &[Member]) -> Vec<Planned> {
    let mut planned = Vec::new();
    trace.devices = 1;
    for member in members {
        let node = &member.node;
        match member.key.as_str() {
            // Outputs name what lines make: they are read after them.
            "trace" | "op" | "outputs" => {}
            "machine" => machine_name(reader, trace, node),
            "mode" => {
                trace.mode = word(reader, "mode", node, &["spec", "source"]).map(|at| match at {
                    0 => Mode::Spec,
                    _ => Mode::Source,
                });
            }
            "assume_sync" => {
                let read = word(reader, "assume_sync", node, &["none", "full"]);
                trace.assume_sync = read.map(|at| match at {
                    0 => AssumeSync::None,
                    _ => AssumeSync::Full,
                });
            }
            "processes" => processes(reader, node),
            "devices" => match reader.number("devices", node, MAX_DEVICES) {
                Some(0) => reader.error(Code::TraceInvalidValue, "`devices` is 0", &node.span),
                Some(n) => trace.devices = u32::try_from(n).unwrap_or(1),
                None => {}
            },
            "expect_findings" => trace.expect_findings = Some(expected(reader, node)),
            "inject" => planned = faults(reader, node),
            key => other(reader, trace, member, key),
        }
    }
    planned
}

/// What has to be where in the end.
pub(super) fn outputs(reader: &mut Reader, trace: &mut Trace, node: &Node) {
    let Value::List(items) = &node.value else {
        return reader.wrong("outputs", node, "a list of ranges with their values");
    };
    for item in items {
        let loc = Some(reader.loc(&item.span));
        let Some(span) = reader.real_span("outputs", item) else { continue };
        if span.val.is_none() {
            reader.error(Code::TraceMissingKey, "an output has no `val`", &item.span);
        }
        trace.outputs.push(Output { span, loc });
    }
}

/// True where the header says a version that is read here; else an error.
pub(super) fn version(reader: &mut Reader, top: &Node) -> bool {
    let Some(node) = top.get("trace") else {
        let message = "the trace does not say its version";
        let help =
            format!("write `trace = {VERSION}` at the top, or as JSON {{\"trace\": {VERSION}}}");
        let span = top.span.start..top.span.start + usize::from(!top.span.is_empty());
        reader.push(Code::TraceVersion, message, &span, Some(help));
        return false;
    };
    let right = node.value == Value::Number(VERSION);
    if !right {
        let message = format!("`trace` is not {VERSION}, the version that this memplan reads");
        reader.error(Code::TraceVersion, message, &node.span);
    }
    right
}

fn machine_name(reader: &mut Reader, trace: &mut Trace, node: &Node) {
    let Some(name) = reader.name("machine", node) else { return };
    let loc = reader.loc(&node.span);
    match machine::named(reader.names.text(name), Some(loc)) {
        Ok(_) => trace.machine = Some(name),
        Err(error) => reader.errors.push(error),
    }
}

/// The position of a word.
fn word(reader: &mut Reader, name: &str, node: &Node, words: &[&str]) -> Option<usize> {
    let Value::Text(text) = &node.value else {
        reader.wrong(name, node, "text");
        return None;
    };
    let found = words.iter().position(|w| w == text);
    if found.is_none() {
        let message = format!("`{name}` is `{}`", shown(text));
        let help = format!("the words here are `{}`", words.join("`, `"));
        reader.push(Code::TraceInvalidValue, message, &node.span, Some(help));
    }
    found
}

fn processes(reader: &mut Reader, node: &Node) {
    let Value::List(items) = &node.value else {
        return reader.wrong("processes", node, "a list of names");
    };
    reader.threads.listed = true;
    let first = reader.threads.processes.clone();
    for item in items {
        let Some(name) = reader.name("processes", item) else { continue };
        // `p0` is there in any case, and may be named.
        let again = reader.threads.processes.contains(&name);
        if !again {
            reader.threads.processes.push(name);
        } else if !first.contains(&name) {
            let message = format!("process `{}` is named twice", shown(reader.names.text(name)));
            reader.error(Code::TraceDuplicateName, message, &item.span);
        }
    }
}

/// `RACE_WAR = 1`, `race_war = 1`, `"memplan::replay::race_war" = 1`.
fn expected(reader: &mut Reader, node: &Node) -> Vec<(String, u64)> {
    let Value::Table(members) = &node.value else {
        reader.wrong("expect_findings", node, "a table of names and counts");
        return Vec::new();
    };
    let mut all: Vec<(String, u64)> = Vec::new();
    for member in members {
        let name = member.key.rsplit("::").next().unwrap_or_default().to_ascii_lowercase();
        if all.iter().take(100).any(|(n, _)| *n == name) {
            let message = format!("`{}` is expected twice", shown(&name));
            reader.error(Code::TraceDuplicateName, message, &member.span);
            continue;
        }
        if let Some(count) = reader.number(&member.key, &member.node, u64::MAX) {
            all.push((name, count));
        }
    }
    all
}

/// A key of the machine, or one that nothing has.
fn other(reader: &mut Reader, trace: &mut Trace, member: &Member, key: &str) {
    let first = |key: &'static str| key.split('.').next().unwrap_or(key);
    let own = key.split('.').next().unwrap_or(key);
    if ROWS.iter().any(|row| first(row.key) == own) {
        let settings = flatten(member).into_iter().map(|flat| Setting {
            key: flat.key,
            value: flat.value,
            loc: Some(reader.loc(&flat.span)),
        });
        return trace.settings.extend(settings);
    }
    let known = HEADER.iter().map(|k| k.name).chain(["expect_findings", "inject", "outputs", "op"]);
    let near = nearest(key, known.chain(ROWS.iter().map(|row| first(row.key))));
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "the keys of the header are those of docs/FORMATS.md and of the machine".to_owned(),
    };
    let message = format!("the header has no key `{}`", shown(key));
    reader.push(Code::TraceUnknownKey, message, &member.span, Some(help));
}

fn faults(reader: &mut Reader, node: &Node) -> Vec<Planned> {
    let Value::List(items) = &node.value else {
        reader.wrong("inject", node, "a list of tables");
        return Vec::new();
    };
    items.iter().filter_map(|item| fault(reader, item)).collect()
}

fn fault(reader: &mut Reader, node: &Node) -> Option<Planned> {
    let Value::Table(members) = &node.value else {
        reader.wrong("inject", node, "a table with `fault`");
        return None;
    };
    let loc = reader.loc(&node.span);
    let Some(name) = node.get("fault") else {
        reader.error(Code::TraceMissingKey, "a fault has no `fault`: its name", &node.span);
        return None;
    };
    let row = line::row(reader, "fault", FAULTS, name)?;
    let mut line = Line::new(reader, row, EVERY_FAULT, members, &name.span);
    let nth = |line: &mut Line<'_, '_>| line.maybe_number("n").unwrap_or(1).max(1);
    let mut at = None;
    let kind = match row.name {
        "fail_alloc" => PlannedFault::Whole(Fault::FailAlloc(nth(&mut line))),
        "fail_map" => PlannedFault::Whole(Fault::FailMap(nth(&mut line))),
        "fail_protect" => PlannedFault::Whole(Fault::FailProtect(nth(&mut line))),
        "dma_error" => PlannedFault::Whole(Fault::DmaError(nth(&mut line))),
        "ack_timeout" => PlannedFault::Whole(Fault::AckTimeout(nth(&mut line))),
        "swap_refused" => PlannedFault::Whole(Fault::SwapRefused),
        "host_oom" => PlannedFault::Whole(Fault::HostOom(line.number("pages"))),
        "evict" => {
            at = line.label("at");
            PlannedFault::Evict { p: line.needed_name("p")?, off: line.bytes("off") }
        }
        "slow" => PlannedFault::Whole(Fault::Slow(line.needed_name("actor")?)),
        "crash" => {
            at = line.label("at");
            PlannedFault::Crash { process: line.needed_name("process")? }
        }
        "lost_event" => PlannedFault::Whole(Fault::LostEvent(line.needed_name("ev")?)),
        "reorder_batch" => PlannedFault::Whole(Fault::ReorderBatch),
        "drop_prefetch" => PlannedFault::Whole(Fault::DropPrefetch(line.needed_name("p")?)),
        "stale_attr" => PlannedFault::Whole(Fault::StaleAttr),
        _ => return None,
    };
    Some(Planned { kind, at, loc })
}

/// The faults with the numbers of their lines.
pub(super) fn settle(reader: &mut Reader, trace: &mut Trace, planned: Vec<Planned>) {
    if planned.is_empty() {
        return;
    }
    let count = trace.ops.len();
    let labels: BTreeMap<&str, usize> =
        trace.ops.iter().enumerate().rev().map(|(at, op)| (op.label.as_str(), at)).collect();
    for Planned { kind, at, loc } in planned {
        let mut line = || {
            let (label, place) = at.clone()?;
            // A label that the author gave goes before a number.
            let number = label.parse().ok().filter(|n| *n <= count);
            let found = labels.get(label.as_str()).copied().or(number);
            if found.is_none() {
                let span = place.start as usize..place.end as usize;
                let message = format!("there is no line `{}`", shown(&label));
                reader.error(Code::TraceUnknownName, message, &span);
            }
            found
        };
        let fault = match kind {
            PlannedFault::Whole(fault) => Some(fault),
            PlannedFault::Evict { p, off } => line().map(|at| Fault::Evict { p, off, at }),
            PlannedFault::Crash { process } => line().map(|at| Fault::Crash { process, at }),
        };
        trace.injections.extend(fault.map(|fault| Injection { fault, loc: Some(loc) }));
    }
}

impl Line<'_, '_> {
    /// A number or text, and where it is written.
    pub(super) fn label(&mut self, name: &str) -> Option<(String, Loc)> {
        let node = self.get(name)?;
        let text = self.reader.label(name, node)?;
        Some((text, self.reader.loc(&node.span)))
    }
}

impl Reader {
    /// A number or text.
    pub(super) fn label(&mut self, name: &str, node: &Node) -> Option<String> {
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            Value::Number(n) => Some(n.to_string()),
            _ => {
                self.wrong(name, node, "a number or text");
                None
            }
        }
    }
}
