//! What a planner from outside answers, read and checked.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use memplan_packing::check::{Fault, check};
use memplan_packing::{ItemId, Packing};

use super::Case;
use crate::bench::row::{Answered, Outcome};
use crate::model::{LimitedBy, Mode, ReuseLevel, Verdict};

/// How a planner ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// What it wrote, or why there is nothing to read.
    pub output: Result<String, String>,
    /// What ended it early.
    pub limited_by: Option<LimitedBy>,
    /// The wall time of the whole process.
    pub took: Duration,
}

/// What it made of the case. A plan that fails the check is none: `not-found`, with the kind of fault
/// as [`Answered::refuted`].
pub fn row(case: &Case, level: Option<ReuseLevel>, ran: Ran) -> Outcome {
    let start = Instant::now();
    let mut answered = Answered {
        verdict: Verdict::NotFound,
        peak: None,
        max_load: case.max_load,
        lower_bound: case.lower_bound,
        reuse_cost: 0,
        reuse_cost_bound: None,
        stalls: None,
        mode: Mode::Reuse,
        level: None,
        nodes: None,
        limited_by: ran.limited_by,
        message: None,
        refuted: None,
        planning: ran.took,
        replay: Duration::ZERO,
    };
    match ran.output.map(|text| packing(case, &text)) {
        Err(why) => answered.message = Some(why),
        Ok(Err(wrong)) => answered.refuted = Some(wrong),
        Ok(Ok(packing)) => {
            answered.verdict = Verdict::Feasible;
            answered.peak = Some(packing.peak(&case.instance));
            answered.reuse_cost = packing.cost(&case.instance);
            answered.level = level;
        }
    }
    answered.replay = start.elapsed();
    Outcome::Answered(Box::new(answered))
}

/// The packing in a text.
///
/// # Errors
/// The kind of its first fault, and where.
pub(super) fn packing(case: &Case, text: &str) -> Result<Packing, String> {
    let packing = Packing { offsets: offsets(case, text)?, promoted: Vec::new() };
    let faults = check(&case.instance, &packing);
    let Some(first) = faults.first() else { return Ok(packing) };
    let more = match faults.len() - 1 {
        0 => String::new(),
        1 => " (and 1 more fault)".to_owned(),
        n => format!(" (and {n} more faults)"),
    };
    Err(format!("{}{more}", told(case, first)))
}

/// The offset of each block, read from the columns `id` and `offset`.
fn offsets(case: &Case, text: &str) -> Result<Vec<u64>, String> {
    let unreadable = |why: String| format!("unreadable: {why}");
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.trim_start_matches('\u{FEFF}').as_bytes());
    let header = reader.headers().map_err(|e| unreadable(e.to_string()))?.clone();
    let column = |names: &[&str]| {
        let found = header.iter().position(|h| names.iter().any(|n| h.eq_ignore_ascii_case(n)));
        found.ok_or_else(|| unreadable(format!("there is no column `{}`", names[0])))
    };
    let (id, offset) = (column(&["id", "buffer", "buffer_id"])?, column(&["offset"])?);
    let mut found: BTreeMap<usize, u64> = BTreeMap::new();
    for record in reader.records() {
        let record = record.map_err(|e| unreadable(e.to_string()))?;
        let field = |at: usize| record.get(at).unwrap_or_default();
        let known = field(id).parse().ok().filter(|id| *id < case.names.len());
        let id: usize = known.ok_or_else(|| format!("unknown: there is no id `{}`", field(id)))?;
        let bytes = field(offset).parse().map_err(|_| {
            unreadable(format!("the offset of {} is `{}`", name(case, id), field(offset)))
        })?;
        if found.insert(id, bytes).is_some() {
            return Err(format!("repeated: {} is placed twice", name(case, id)));
        }
    }
    let all = (0..case.names.len()).map(|id| match found.get(&id) {
        Some(offset) => Ok(*offset),
        None => Err(format!("missing: {} is not placed", name(case, id))),
    });
    all.collect()
}

fn name(case: &Case, id: usize) -> String {
    case.names.get(id).map_or_else(String::new, |name| format!("`{name}`"))
}

/// The kind of a fault, and where.
fn told(case: &Case, fault: &Fault) -> String {
    let name = |id: ItemId| name(case, id as usize);
    match *fault {
        Fault::Overlap(a, b) => {
            format!("overlap: {} and {} are alive together and share bytes", name(a), name(b))
        }
        Fault::Capacity(id) => format!("capacity: {} ends past it", name(id)),
        Fault::Misaligned(id) => format!("alignment: {} is off it", name(id)),
        Fault::Pin(id) => format!("pin: {} lies elsewhere", name(id)),
        // What follows has no place in CSV, so such instances are not handed out.
        Fault::Window(id) | Fault::Reserved(id) => format!("reserved: {} lies there", name(id)),
        Fault::Apart(a, b) => format!("colocation: {} and {} lie apart", name(a), name(b)),
        Fault::Shape | Fault::Promotion(_) => "shape: not a packing".to_owned(),
    }
}
