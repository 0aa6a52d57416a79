//! Every cell of the tables of advice (5.10, 13.5): a page in each state, each advice, both modes.
//! Where the page lies afterwards shows in who faults when he reads it.

use std::fmt::Write;

use libtest_mimic::Failed;
use memplan::runtime::counters::Counters;

use crate::cases::run;

/// Who has the page: the host, device 0, device 1.
type Homes = [bool; 3];

/// A state, how a trace comes to it, and who has the page then.
const STATES: [(&str, &[&str], Homes); 5] = [
    ("absent", &[], [false, false, false]),
    ("host", &[WRITE], [true, false, false]),
    ("device 0", &[KERNEL_0, SYNC], [false, true, false]),
    ("device 1", &[KERNEL_1, SYNC], [false, false, true]),
    ("replicated", &[WRITE, READ_MOSTLY, PREFETCH_0], [true, true, false]),
];

const WRITE: &str = "op = \"host_write\"\np = \"x\"";
const KERNEL_0: &str = "op = \"kernel\"\nstream = \"s0\"\nw = [\"x\"]";
const KERNEL_1: &str = "op = \"kernel\"\nstream = \"s1\"\nw = [\"x\"]";
const SYNC: &str = "op = \"device_sync\"";
const READ_MOSTLY: &str = "op = \"advise\"\np = \"x\"\nadvice = \"read_mostly\"";
const PREFETCH_0: &str = "op = \"prefetch\"\np = \"x\"\nlocation = \"device 0\"";
const PROBES: [&str; 3] = [
    "op = \"host_read\"\np = \"x\"",
    "op = \"kernel\"\nstream = \"s0\"\nr = [\"x\"]",
    "op = \"kernel\"\nstream = \"s1\"\nr = [\"x\"]",
];
const PLACES: [&str; 3] = ["host", "device 0", "device 1"];

/// What a page becomes; none: the call is refused, and the page stays as it is.
type Becomes = Option<Homes>;

fn only(place: usize) -> Homes {
    let mut homes = [false; 3];
    homes[place] = true;
    homes
}

/// By the table: what an advice for a place makes of a state.
fn table(source: bool, advice: &str, place: usize, state: usize, homes: Homes) -> Becomes {
    let (absent, replicated) = (state == 0, state == 4);
    match advice {
        "read_mostly" => Some([true, homes[1], homes[2]]),
        "unset_read_mostly" if replicated => Some(only(place)),
        // Only an equal ACCESS_BY makes the source allocate ahead.
        "prefer_location" if source => Some(homes),
        "prefer_location" if absent => Some(only(place)),
        "prefer_location" if replicated => {
            let mut homes = homes;
            homes[place] = true;
            Some(homes)
        }
        "prefer_location" if !homes[place] => None,
        _ => Some(homes),
    }
}

fn trace(source: bool, state: &[&str], advice: &str, probe: &str) -> String {
    let mode = if source { "source" } else { "spec" };
    let mut text = format!("trace = 1\nmode = \"{mode}\"\ndevices = 2\n");
    let head = [
        "op = \"stream_create\"\nout = \"s1\"\ndevice = 1",
        "op = \"alloc\"\nout = \"x\"\nsize = \"2 MiB\"\nkind = \"uvm\"",
    ];
    for op in head.iter().chain(state).chain([&advice, &SYNC]) {
        let _ = write!(text, "\n[[op]]\n{op}\n");
    }
    if !probe.is_empty() {
        let _ = write!(text, "\n[[op]]\n{probe}\n");
    }
    text
}

/// A trace runs, and its calls answer what is expected.
fn counted(text: &str) -> Result<Counters, String> {
    let replayed = run(text).map_err(|e| e.message().unwrap_or_default().to_owned())?;
    let mut unexpected =
        replayed.findings.iter().filter(|f| f.code.name().ends_with("::expectation"));
    // A call that answers with nothing has succeeded.
    let refused = replayed.answers.iter().find(|(label, _)| label == "advice");
    match (unexpected.next(), refused) {
        (Some(finding), _) => Err(finding.message.clone()),
        (None, Some((_, answer))) if text.contains("expect = \"ok\"") => Err(answer.clone()),
        _ => Ok(replayed.counters),
    }
}

pub(crate) fn every_cell() -> Result<(), Failed> {
    let advices = [
        "read_mostly",
        "unset_read_mostly",
        "prefer_location",
        "unset_prefer_location",
        "access_by",
        "unset_access_by",
    ];
    let (mut wrong, mut cells) = (Vec::new(), 0);
    for (at, (name, state, homes)) in STATES.into_iter().enumerate() {
        for advice in advices {
            for (place, location) in PLACES.into_iter().enumerate() {
                for source in [false, true] {
                    let becomes = table(source, advice, place, at, homes);
                    let answer = if becomes.is_some() { "\"ok\"" } else { "{err = \"Busy\"}" };
                    let call = format!(
                        "op = \"advise\"\ni = \"advice\"\np = \"x\"\nadvice = \"{advice}\"\n\
                         location = \"{location}\"\nexpect = {answer}"
                    );
                    let seen = residency(source, state, &call);
                    cells += 1;
                    if seen != Ok(becomes.unwrap_or(homes)) {
                        let mode = if source { "source" } else { "spec" };
                        wrong.push(format!("{mode}: {advice} {location} of {name}: {seen:?}"));
                    }
                }
            }
        }
    }
    assert_eq!(cells, 180);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Who has the page after a call: who reads it without a fault.
fn residency(source: bool, state: &[&str], call: &str) -> Result<Homes, String> {
    let before = counted(&trace(source, state, call, ""))?;
    let mut homes = [false; 3];
    for (place, probe) in PROBES.into_iter().enumerate() {
        let after = counted(&trace(source, state, call, probe))?;
        let faults = |c: &Counters| if place == 0 { c.faults_host } else { c.faults_device };
        homes[place] = faults(&after) == faults(&before);
    }
    Ok(homes)
}
