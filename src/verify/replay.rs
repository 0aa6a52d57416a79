//! The program is executed on the plan's addresses.
//!
//! Which bytes matter when is not asked of anybody: an op that reads bytes needs them, and what
//! the function hands out is needed at its end (`memory` says what is kept meanwhile).
//!
//! # What is promised
//!
//! When the replay finds nothing wrong, then on every path of the function, with every op run in
//! the order written, each read finds the bytes that the program last wrote to that buffer. What
//! it finds wrong happens on a path, unless a note says that states had to be joined.

use super::case::Case;
use super::faults::{Faults, Key};
use super::held::{Holds, Now};
use super::memory::{Area, Blame, How, Memory};
use super::objects::Objects;
use super::operands::{self, Operand};
use crate::model::{AccessMode, BufferId, OpId, Step};
use crate::runtime::program::{At, Doubt, Limits, Shadow, Slots, Touch, TrailId, Trails, run};

/// What a replay leaves behind.
pub(super) struct Outcome {
    pub faults: Faults,
    pub trails: Trails,
    pub doubts: Vec<Doubt>,
}

/// What does not change during a replay.
pub(super) struct Stage<'c, 'a> {
    pub case: &'c Case<'a>,
    pub objects: &'c Objects,
    pub holds: &'c Holds,
}

struct Replay<'c, 'a> {
    stage: &'c Stage<'c, 'a>,
    memory: Memory,
}

struct Log {
    faults: Faults,
    now: Now,
}

/// Executes a function.
pub(super) fn replay(stage: &Stage<'_, '_>, limits: Limits) -> Outcome {
    let case = stage.case;
    let count = case.function.buffers.enumerate().map(|(id, buffer)| {
        // Outside of every loop the first slot counts.
        let turns = !buffer.spare_slots || case.rotates[id].is_some();
        let slots = u32::try_from(case.offsets(id).len()).unwrap_or(u32::MAX).max(1);
        if turns { slots } else { 1 }
    });
    let slots = Slots { count: count.collect(), rotates: case.rotates.clone() };
    let mut start = Replay { stage, memory: Memory::new() };
    for (id, buffer) in case.function.buffers.enumerate() {
        if buffer.class.filled_at_entry() && buffer.live.is_none() {
            start.fill(id);
        }
    }
    let mut log = Log { faults: Faults::default(), now: Now::new() };
    let (function, order, names) = (case.function, &case.order, &case.names);
    let done = run(function, order, names, &slots, limits, start, &mut log);
    if !done.doubts.iter().any(|d| matches!(d, Doubt::Stopped(_))) {
        exit(stage, &done.ends, &mut log.faults);
    }
    Outcome { faults: log.faults, trails: done.trails, doubts: done.doubts }
}

impl Replay<'_, '_> {
    fn fill(&mut self, id: BufferId) {
        let Stage { case, objects, .. } = self.stage;
        let by = Blame { who: id, op: None, how: How::Entry, trail: Trails::START };
        for area in objects.areas(case, id) {
            self.memory.write(area, &objects.copies(case, area), by);
        }
    }

    fn read(&self, faults: &mut Faults, at: &At, touch: &Touch, areas: &[Area]) {
        let Stage { case, objects, .. } = self.stage;
        let mut nothing = !areas.is_empty();
        let mut undefined = Vec::new();
        for &area in areas {
            if !objects.sound(case, area.buffer) {
                nothing = false;
                continue;
            }
            let reading = self.memory.read(area);
            lost(faults, area.buffer, &reading.lost, Some(at.op), at.trail);
            undefined.extend(reading.undefined.map(|bytes| (area.buffer, bytes)));
            nothing &= reading.nothing;
        }
        for &(buffer, bytes) in &undefined {
            let key = Key::Unwritten { buffer, op: Some(at.op) };
            faults.note(key, bytes, Some(at.op), at.trail);
        }
        // One of several candidates without data is not everything without data.
        if nothing && areas.len() == touch.refs.len() {
            faults.nothing(at, touch.access, undefined.iter().map(|&(buffer, _)| buffer));
        }
    }

    fn write(&mut self, at: &At, touch: &Touch, areas: &[Area]) {
        let Stage { case, objects, .. } = self.stage;
        let how = if touch.mode == AccessMode::Temporary { How::Scratch } else { How::Write };
        let by = |area: Area| Blame { who: area.buffer, op: Some(at.op), how, trail: at.trail };
        let core = core(touch, areas);
        for &area in areas.iter().filter(|&&area| core != Some(area)) {
            let copies = objects.copies(case, area);
            match how {
                How::Scratch => self.memory.may_scratch(area, by(area)),
                _ => self.memory.may_write(area, &copies, by(area)),
            }
        }
        let Some(area) = core else { return };
        let copies = objects.copies(case, area);
        match (how, touch.partial) {
            (How::Scratch, _) => self.memory.scratch(area, &copies, by(area)),
            (_, true) => self.memory.may_write(area, &copies, by(area)),
            (_, false) => self.memory.write(area, &copies, by(area)),
        }
    }
}

/// The bytes that are touched whichever candidate is chosen, and wherever nothing is unknown.
fn core(touch: &Touch, areas: &[Area]) -> Option<Area> {
    let (&first, rest) = areas.split_first()?;
    let exact = areas.len() == touch.refs.len() && touch.refs.iter().all(|r| r.exact);
    let same = |a: &Area| (a.object, a.base) == (first.object, first.base);
    if !exact || !rest.iter().all(same) {
        return None;
    }
    let (lo, hi) =
        rest.iter().fold((first.lo, first.hi), |(lo, hi), a| (lo.max(a.lo), hi.min(a.hi)));
    (lo < hi).then_some(Area { lo, hi, ..first })
}

impl Clone for Replay<'_, '_> {
    fn clone(&self) -> Self {
        Self { stage: self.stage, memory: self.memory.clone() }
    }
}

impl PartialEq for Replay<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        self.memory == other.memory
    }
}

impl Shadow for Replay<'_, '_> {
    type Log = Log;

    fn op(&mut self, log: &mut Log, at: &At, touches: &[Touch]) {
        let Stage { case, objects, holds } = *self.stage;
        let areas: Vec<Vec<Area>> = touches
            .iter()
            .map(|t| t.refs.iter().filter_map(|r| objects.area(case, r)).collect())
            .collect();
        let of = |mode| touches.iter().zip(&areas).filter(move |(t, _)| t.mode == mode);
        let operands: Vec<Operand> = touches
            .iter()
            .zip(&areas)
            .filter(|(t, _)| t.mode != AccessMode::Fresh)
            .flat_map(|(t, areas)| {
                let (access, mode) = (t.access, t.mode);
                areas.iter().map(move |&area| Operand { access, mode, area })
            })
            .collect();
        operands::check(case, at, &operands, &mut log.faults);
        for (touch, areas) in of(AccessMode::Fresh) {
            // Of several candidates one is made anew, nobody knows which: nothing is forgotten.
            if let (&[area], 1) = (&areas[..], touch.refs.len()) {
                self.memory.forget(area, &objects.copies(case, area));
            }
        }
        for (touch, areas) in of(AccessMode::Read) {
            self.read(&mut log.faults, at, touch, areas);
        }
        for operand in operands.iter().filter(|o| o.mode != AccessMode::Read) {
            for (id, bytes) in log.now.broken(holds, case, operand.area, at.step) {
                let (writer, holder) = (operand.area.buffer, holds.item(id).buffer);
                let key = Key::Held { op: at.op, writer, holder };
                log.faults.note(key, bytes, Some(at.op), at.trail);
            }
        }
        for (touch, areas) in of(AccessMode::Temporary).chain(of(AccessMode::Write)) {
            self.write(at, touch, areas);
        }
    }

    fn step(&mut self, log: &mut Log, from: Option<Step>, to: Step) {
        let Stage { case, holds, .. } = *self.stage;
        holds.step(&mut self.memory, case, from, to);
        log.now.move_to(holds, to);
    }

    fn join(&mut self, other: &Self) {
        self.memory.join(&other.memory);
    }
}

/// What the function hands out must be there at its end.
fn exit(stage: &Stage<'_, '_>, ends: &[Replay<'_, '_>], faults: &mut Faults) {
    let Stage { case, objects, .. } = *stage;
    for (id, buffer) in case.function.buffers.enumerate() {
        let wanted = buffer.class.wanted_at_exit() && buffer.live.is_none();
        if !wanted || !objects.sound(case, id) {
            continue;
        }
        let areas: Vec<Area> = objects.areas(case, id).collect();
        let mut nothing = !ends.is_empty() && !areas.is_empty();
        for end in ends {
            for reading in areas.iter().map(|&area| end.memory.read(area)) {
                lost(faults, id, &reading.lost, None, Trails::START);
                nothing &= reading.nothing;
            }
        }
        if nothing {
            let bytes = (areas[0].lo, areas[0].hi);
            faults.note(Key::Unwritten { buffer: id, op: None }, bytes, None, Trails::START);
        }
    }
}

fn lost(
    faults: &mut Faults,
    victim: BufferId,
    lost: &[(u128, u128, Option<Blame>)],
    op: Option<OpId>,
    trail: TrailId,
) {
    for &(lo, hi, blame) in lost {
        let by = blame.map(|b| (b.who, b.op, b.how));
        if let Some(fault) = faults.note(Key::Lost { victim, by }, (lo, hi), op, trail) {
            fault.blame = fault.blame.or(blame);
        }
    }
}
