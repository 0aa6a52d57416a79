//! Findings in words: what, where, who, and what would help.

use std::collections::BTreeMap;

use super::Options;
use super::cell::Data;
use super::found::{Found, Founds};
use super::runs::{Said, is_race};
use super::severity;
use crate::diag::{Code as Class, Severity};
use crate::model::machine::Mode;
use crate::model::trace::{Call, Packed, Trace, Val};
use crate::model::{ByteRange, Evidence, Finding, Witness};
use crate::runtime::clock::ActorId;
use crate::runtime::lines::Lines;
use crate::runtime::run::{Kind, Ran};
use crate::runtime::watch::LineId;

/// What is needed to word findings.
pub(super) struct Report<'a> {
    pub trace: &'a Trace,
    pub lines: &'a Lines<'a>,
    pub said: &'a Said,
    pub mode: Mode,
}

impl Report<'_> {
    /// All findings, by the lines at which they show.
    pub(super) fn findings(
        &self,
        static_found: Vec<Found>,
        other: Option<&(Founds, Ran)>,
        options: &Options,
    ) -> Vec<Finding> {
        let mut list: Vec<&Found> = static_found.iter().chain(&self.said.founds.list).collect();
        let key =
            |found: &&Found| (found.later.0, found.earlier.map(|e| e.0), found.code, found.order);
        list.sort_by_key(key);
        let races = list.iter().any(|found| is_race(found.code));
        let mut findings: Vec<Finding> = list.iter().map(|found| self.one(found, races)).collect();
        findings.extend(self.redundant());
        if let Some((founds, ran)) = other {
            findings.extend(self.portability(founds, ran));
        }
        findings.extend(self.packed());
        for words in &self.said.bounded {
            findings.push(plain(Class::ReplayBounded, words.clone()));
        }
        if self.said.chose && !self.said.complete {
            let words = format!(
                "what happens depends on choices that nothing orders: no violation beyond these in {} \
                 runs ({})",
                self.said.runs,
                super::runs::told(options, self.said.runs)
            );
            findings.push(plain(Class::ReplayBounded, words));
        }
        findings
    }

    fn one(&self, found: &Found, races: bool) -> Finding {
        let mut severity = severity::of(found.code);
        // A wait that orders nothing does no harm where nothing needs the order (13.4).
        if found.code == Class::ReplayEventNeverRecorded && !races {
            severity = Severity::Warning;
        }
        if found.code == Class::ReplayLeak && self.is_exit(found.later.0) {
            severity = Severity::Warning;
        }
        let evidence = Evidence {
            earlier: found.earlier.map(|(line, actor)| self.witness(line, actor)),
            later: Some(self.witness(found.later.0, found.later.1)),
            logical: found.wanted.map(|(val, from)| self.logical(found, val, from)),
            physical: self.physical(found),
            missing: self.missing(found),
            schedule: found.schedule.clone(),
        };
        let object = found.bytes.and_then(|(id, ..)| self.said.first.objects.get(id));
        Finding {
            code: found.code,
            severity,
            message: self.words(found),
            function: self.trace.name.clone(),
            scope: object.map(|object| object.name.clone()),
            buffers: found
                .wanted
                .map(|(val, _)| vec![self.trace.text(val.name).to_owned()])
                .unwrap_or_default(),
            op: Some(self.lines.label(found.later.0).to_owned()),
            loc: self.lines.loc(found.later.0),
            bytes: found.bytes.map(|(_, start, end)| ByteRange::new(start, end)),
            witness: found.earlier.map(|(line, actor)| {
                let (first, second) = (self.called(line), self.called(found.later.0));
                let by = |actor: ActorId| match self.actor(actor) {
                    name if name.is_empty() => String::new(),
                    name => format!(" on {name}"),
                };
                format!("{first}{} and {second}{}", by(actor), by(found.later.1))
            }),
            evidence: Some(Box::new(evidence)),
        }
    }

    fn is_exit(&self, line: LineId) -> bool {
        let call = self.lines.call(line).and_then(|at| self.trace.ops.get(at));
        call.is_some_and(|op| matches!(op.call, Call::Exit))
    }

    /// What a line is called: its label, or its number and what it is.
    fn called(&self, line: LineId) -> String {
        let label = self.lines.label(line);
        if label.is_empty() || label.bytes().any(|b| !b.is_ascii_digit()) {
            return format!("`{label}`");
        }
        let keyword = match self.lines.core_line(line) {
            Some(core) => super::words::keyword(&core.instruction),
            None => match self.lines.call(line).and_then(|at| self.trace.ops.get(at)) {
                Some(op) => super::words::keyword(&op.call),
                None => String::new(),
            },
        };
        format!("op {label} ({keyword})")
    }

    fn actor(&self, id: ActorId) -> String {
        match self.said.first.actors.get(id) {
            Some(actor) => match actor.kind {
                Kind::Stream { .. } => format!("stream {}", actor.name),
                _ => actor.name.clone(),
            },
            None => String::new(),
        }
    }

    fn witness(&self, line: LineId, actor: ActorId) -> Witness {
        Witness {
            op: self.lines.label(line).to_owned(),
            index: u64::from(line.0),
            actor: self.actor(actor),
            what: self.what(line),
            loc: self.lines.loc(line),
        }
    }

    /// What a line does, in a word.
    fn what(&self, line: LineId) -> String {
        match self.lines.core_line(line) {
            Some(core) => super::words::instruction(self.trace, &core.instruction),
            None => match self.lines.call(line).and_then(|at| self.trace.ops.get(at)) {
                Some(op) => super::words::call(self.trace, &op.call),
                None => String::new(),
            },
        }
    }

    fn val(&self, val: Val) -> String {
        format!("{}@{}", self.trace.text(val.name), val.version)
    }

    fn logical(&self, found: &Found, val: Val, from: u64) -> String {
        let len = found.bytes.map_or(0, |(_, start, end)| end - start);
        format!("{}[{from}, {})", self.val(val), from.saturating_add(len))
    }

    fn physical(&self, found: &Found) -> Option<String> {
        let (id, start, end) = found.bytes?;
        let object = self.said.first.objects.get(id)?;
        Some(format!("{}[{start}, {end})", object.name))
    }

    fn holds(&self, data: Data) -> String {
        match data {
            Data::Undefined => "nothing that was written".to_owned(),
            Data::Poison => "what a failed transfer left".to_owned(),
            Data::Outside => "what was there before".to_owned(),
            Data::Unnamed => "something without a name".to_owned(),
            Data::Value { val, .. } => self.val(val),
        }
    }

    /// The sentence of a finding.
    fn words(&self, found: &Found) -> String {
        if let Some(words) = &found.words {
            return words.clone();
        }
        let later = self.called(found.later.0);
        let by = |actor: ActorId| match self.actor(actor) {
            name if name.is_empty() => String::new(),
            name => format!(" on {name}"),
        };
        let later = format!("{later}{}", by(found.later.1));
        let earlier = found.earlier.map_or_else(String::new, |(line, actor)| {
            format!("{}{}", self.called(line), by(actor))
        });
        let bytes = self.physical(found).unwrap_or_default();
        let wanted =
            found.wanted.map_or_else(String::new, |(val, _)| format!(" of {}", self.val(val)));
        match found.code {
            Class::ReplayRaceRaw => {
                let level = self.level(found);
                format!(
                    "{later} reads {bytes}, which {earlier} writes, and nothing orders the two{level}"
                )
            }
            Class::ReplayRaceWar => {
                let level = self.level(found);
                format!("{later} writes {bytes}, which {earlier} may still read{level}")
            }
            Class::ReplayRaceWaw => {
                let level = self.level(found);
                format!("{later} and {earlier} both write {bytes}, in no order{level}")
            }
            Class::ReplaySamePipe => {
                format!("{later} touches {bytes} while {earlier} of the same pipe may still run")
            }
            Class::ReplayStagingReuse => {
                format!("{later} changes {bytes} while the copy {earlier} may not have read it yet")
            }
            Class::ReplayUaf => {
                if self.frees(found.later.0) {
                    format!("{later} frees {bytes} while {earlier} may still use it")
                } else {
                    format!(
                        "{later} uses {bytes}, which {earlier} frees, and nothing orders it before"
                    )
                }
            }
            Class::ReplayUseBeforeAlloc => {
                format!(
                    "{later} uses {bytes}, which {earlier} allocates, and nothing orders it after"
                )
            }
            Class::ReplayFreeBeforeAlloc => {
                format!(
                    "{later} frees {bytes}, which {earlier} allocates, and nothing orders it after"
                )
            }
            Class::ReplayDoubleFree => format!("{later} frees {bytes}, which {earlier} frees too"),
            Class::ReplayReuseUnsafe => {
                format!("{later} is given {bytes}, which {earlier} may still be giving back")
            }
            Class::ReplayWrongValue | Class::ReplayPartialValue => {
                let holds = found.holds.map_or_else(String::new, |data| self.holds(data));
                let writer =
                    if earlier.is_empty() { String::new() } else { format!(", left by {earlier}") };
                format!("{later} wants {bytes}{wanted} and finds {holds}{writer}")
            }
            Class::ReplayOutputMissing => {
                let holds = found.holds.map_or_else(String::new, |data| self.holds(data));
                format!(
                    "in the end {bytes} has to hold{} and holds {holds}",
                    wanted.replacen(" of", "", 1)
                )
            }
            Class::ReplayUninitRead => format!("{later} reads {bytes}, which nothing has written"),
            Class::ReplayLostWrite => {
                format!(
                    "{later} writes over {bytes}{wanted}, written by {earlier}, which nobody has read"
                )
            }
            code => format!("{later}: {}", code.title()),
        }
    }

    /// Between whom an order is missing (6.3).
    fn level(&self, found: &Found) -> &'static str {
        let actors = &self.said.first.actors;
        let one = found.earlier.and_then(|(_, actor)| actors.get(actor));
        let (Some(one), Some(other)) = (one, actors.get(found.later.1)) else { return "" };
        if one.process != other.process {
            return " (between processes)";
        }
        match (&one.kind, &other.kind) {
            (Kind::Pipe { core: x }, Kind::Pipe { core: y }) if x == y => " (between pipes)",
            (Kind::Pipe { .. }, Kind::Pipe { .. }) => " (between cores)",
            (Kind::Thread, Kind::Thread) => " (between threads)",
            (Kind::Thread, _) | (_, Kind::Thread) => " (between host and device)",
            _ => " (between streams)",
        }
    }

    fn frees(&self, line: LineId) -> bool {
        let call = self.lines.call(line).and_then(|at| self.trace.ops.get(at));
        call.is_some_and(|op| {
            matches!(
                op.call,
                Call::Free { .. }
                    | Call::PoolFree { .. }
                    | Call::Unmap { .. }
                    | Call::Release { .. }
                    | Call::Close { .. }
                    | Call::Exit
                    | Call::PoolDestroy { .. }
                    | Call::Unreserve { .. }
                    | Call::SectionDestroy { .. }
                    // A name that is given another element gives back the one before.
                    | Call::HostPoolAcquire { .. }
                    | Call::HostPoolMove { .. }
                    | Call::HostPoolRelease { .. }
                    | Call::HostPoolDestroy { .. }
            )
        })
    }

    /// The edge that would order the two lines (9.4).
    fn missing(&self, found: &Found) -> Option<String> {
        let ordering = is_race(found.code)
            || matches!(
                found.code,
                Class::ReplayUaf
                    | Class::ReplayUseBeforeAlloc
                    | Class::ReplayFreeBeforeAlloc
                    | Class::ReplayDoubleFree
            );
        let (earlier, from) = found.earlier.filter(|_| ordering)?;
        let (later, to) = found.later;
        let (a, b) = (self.called(earlier), self.called(later));
        let actors = &self.said.first.actors;
        let (from, to) = (actors.get(from)?, actors.get(to)?);
        Some(match (&from.kind, &to.kind) {
            (Kind::Pipe { core: x }, Kind::Pipe { core: y }) if x == y => {
                let pipe = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
                let (p, q) = (pipe(&from.name), pipe(&to.name));
                if p == q {
                    format!("pipe_barrier({p}) between {a} and {b}")
                } else {
                    format!("set_flag({p}, {q}) after {a} and wait_flag({p}, {q}) before {b}")
                }
            }
            (Kind::Pipe { .. }, Kind::Pipe { .. }) => {
                format!("a cross-core flag set after {a} and awaited before {b}")
            }
            (Kind::Stream { .. }, Kind::Stream { .. }) if from.name != to.name => format!(
                "an event recorded on {} after {a} and awaited by {} before {b}",
                from.name, to.name
            ),
            (Kind::Stream { .. }, Kind::Thread) => {
                format!("a synchronisation with stream {} after {a} and before {b}", from.name)
            }
            _ if from.process != to.process => format!(
                "an event between processes, or a value that is written after {a} and awaited before {b}"
            ),
            _ => format!("{a} before {b}"),
        })
    }

    /// Synchronisation that never orders anything new.
    fn redundant(&self) -> Vec<Finding> {
        let one = |&line: &LineId| {
            let words =
                format!("`{}` orders nothing that was not ordered before", self.lines.label(line));
            Finding {
                op: Some(self.lines.label(line).to_owned()),
                loc: self.lines.loc(line),
                function: self.trace.name.clone(),
                ..plain(Class::ReplayRedundantSync, words)
            }
        };
        self.said.redundant.iter().map(one).collect()
    }

    /// Ranges that are too small for what they hold (6.2).
    fn packed(&self) -> Vec<Finding> {
        let needs = |p: &Packed| u128::from(p.elements) * u128::from(p.bits);
        let small = self.trace.packed.iter().filter(|p| needs(p) > u128::from(p.len) * 8);
        let one = |p: &Packed| {
            let words = format!(
                "{} elements of {} bits need {} bytes, the range has {}",
                p.elements,
                p.bits,
                needs(p).div_ceil(8),
                p.len
            );
            Finding {
                loc: p.loc,
                function: self.trace.name.clone(),
                ..plain(Class::ReplaySubbyteSize, words)
            }
        };
        small.map(one).collect()
    }

    /// What depends on the mode (section 0).
    fn portability(&self, founds: &Founds, ran: &Ran) -> Vec<Finding> {
        let errors = |founds: &Founds| -> BTreeMap<(Class, LineId), ()> {
            let errors = founds.list.iter().filter(|f| severity::of(f.code) == Severity::Error);
            errors.map(|f| ((f.code, f.later.0), ())).collect()
        };
        let (here, there) = (errors(&self.said.founds), errors(founds));
        let answers = ran.answers != self.said.first.answers;
        if here.keys().eq(there.keys()) && !answers {
            return Vec::new();
        }
        let other = match self.mode {
            Mode::Spec => "source",
            Mode::Source => "spec",
        };
        let mut lines: Vec<LineId> = self.said.first.quirks.iter().map(|(line, _)| *line).collect();
        lines.sort_unstable();
        lines.dedup();
        let mut findings = Vec::new();
        for line in lines {
            let quirks = self.said.first.quirks.iter().filter(|(at, _)| *at == line);
            let ids: Vec<String> =
                quirks.map(|(_, quirk)| format!("{} ({})", quirk.id(), quirk.topic())).collect();
            let words = format!(
                "{} does other things in mode `{other}`, and the result depends on it: {}",
                self.called(line),
                ids.join(", ")
            );
            findings.push(Finding {
                op: Some(self.lines.label(line).to_owned()),
                loc: self.lines.loc(line),
                function: self.trace.name.clone(),
                ..plain(Class::ReplayPortability, words)
            });
        }
        findings
    }

    /// Findings that the trace expects, and that are not there, or not so often.
    pub(super) fn expectation(&self, findings: &[Finding]) -> Vec<Finding> {
        let Some(expected) = &self.trace.expect_findings else { return Vec::new() };
        let last = |code: Class| code.name().rsplit("::").next().unwrap_or_default().to_owned();
        let mut wrong = Vec::new();
        let mut count: BTreeMap<String, u64> = BTreeMap::new();
        for finding in findings {
            *count.entry(last(finding.code)).or_default() += 1;
        }
        for (name, wanted) in expected {
            let seen = count.get(name).copied().unwrap_or(0);
            if seen != *wanted {
                wrong.push(format!("{wanted} of `{name}` are expected, {seen} are found"));
            }
        }
        for finding in findings.iter().filter(|f| f.severity == Severity::Error) {
            let name = last(finding.code);
            if !expected.iter().any(|(wanted, _)| *wanted == name) {
                wrong.push(format!("`{name}` is found and not expected"));
            }
        }
        wrong.dedup();
        wrong.into_iter().map(|words| plain(Class::ReplayExpectation, words)).collect()
    }
}

fn plain(code: Class, message: String) -> Finding {
    Finding {
        code,
        severity: severity::of(code),
        message,
        function: String::new(),
        scope: None,
        buffers: Vec::new(),
        op: None,
        loc: None,
        bytes: None,
        witness: None,
        evidence: None,
    }
}
