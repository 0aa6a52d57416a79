//! Live ranges and values as XLA prints them: `*-live-range.txt` (spec/xla-memory.md 7.4, 22.5) and
//! `*-buffer-assignment-values.txt` (9.5, 22.7).

use std::cmp::Reverse;
use std::fmt::Write;

use super::{Analysis, Position, Range, Use, ValueId};
use crate::ir::hlo::{Instruction, Shape, ShapeIndex};

/// The flattened schedule, the range of every value, and the values alive at XLA's peak moment, in
/// XLA's words but for its breakdown by stack traces.
pub fn live_range_text(analysis: &Analysis<'_>) -> String {
    let Analysis { module, values, ranges, .. } = analysis;
    let name = |value: ValueId| {
        let Position { instruction, index } = &values.values[value].definition;
        format!("{}{index}", module.instructions[*instruction].name)
    };
    let mut out = format!("HloLiveRange (max {}):\n  InstructionSequence:\n", ranges.end);
    for (time, &id) in ranges.flat.iter().enumerate() {
        let _ = writeln!(out, "    {time}:{}", module.instructions[id].name);
    }
    out += "  BufferLiveRange:\n";
    for (value, range) in ranges.live.enumerate() {
        if let Some(Range { start, end }) = range {
            let _ = writeln!(out, "    {}:{start}-{end}", name(value));
        }
    }
    let Some(peak) = peak_moment(analysis) else {
        return out + "  Live ranges at peak: could not be determined\n";
    };
    let _ = writeln!(out, "  Live ranges at {peak} (peak):");
    let mut cumulative = 0_u64;
    for value in alive_at(analysis, peak) {
        let size = values.values[value].size;
        cumulative = cumulative.saturating_add(size);
        let _ = writeln!(out, "    {}: {size} bytes (cumulative: {cumulative} bytes)", name(value));
    }
    out
}

/// Every value with its positions and uses, in XLA's words but for the total in front and the
/// instructions behind.
pub fn values_text(analysis: &Analysis<'_>) -> String {
    let Analysis { module, values, .. } = analysis;
    let mut out = String::from("Used values:\n");
    for (id, value) in values.values.enumerate() {
        let Position { instruction, index } = &value.definition;
        let phi = if value.is_phi { " (phi)" } else { "" };
        let shape = module.instructions[*instruction].shape.at(index);
        let color = shape.map_or(0, Shape::memory_space);
        let _ = writeln!(out, "<{} {}{phi} @{color}>\n positions:", id.0, values.name(module, id));
        for Position { instruction, index } in &value.positions {
            let instruction = &module.instructions[*instruction];
            let index = place(instruction, index);
            let _ = writeln!(out, "  {}{index}", instruction.name);
        }
        out += " uses:\n";
        for Use { user, operand, index } in &value.uses {
            let user = &module.instructions[*user];
            let of = user.operands.get(*operand as usize);
            let index = of.map_or(String::new(), |&of| place(&module.instructions[of], index));
            let _ = writeln!(out, "  {}, operand {operand}{index}", user.name);
        }
        if value.uses.is_empty() {
            out += "  (none)\n";
        }
    }
    out
}

/// A node behind the name of its instruction: nothing for an array.
fn place(instruction: &Instruction, index: &ShapeIndex) -> String {
    if instruction.shape.is_tuple() { format!(" {index}") } else { String::new() }
}

/// The moment that XLA calls the peak: the first at which the sum over values is largest, where a
/// value counts from its start to one past its end, with the bytes of its instruction's whole shape.
/// It is XLA's figure, not the true peak. `None` where a size is not known before the run, and
/// where nothing is scheduled.
pub fn peak_moment(analysis: &Analysis<'_>) -> Option<u32> {
    let Analysis { module, values, ranges, .. } = analysis;
    let moments = ranges.end as usize + 1;
    let (mut births, mut deaths) = (vec![0_u128; moments], vec![0_u128; moments]);
    for (value, range) in ranges.live.enumerate() {
        let Some(Range { start, end }) = range else { continue };
        let id = values.values[value].definition.instruction;
        let size = u128::from(module.instructions[id].shape.bytes(8)?);
        *births.get_mut(*start as usize)? += size;
        *deaths.get_mut(*end as usize)? += size;
    }
    let mut alive = 0;
    let mut peak = None;
    for (time, birth) in (0..ranges.end).zip(births) {
        alive += birth;
        if peak.is_none_or(|(most, _)| alive > most) {
            peak = Some((alive, time));
        }
        if let Some(before) = time.checked_sub(1) {
            alive -= deaths.get(before as usize)?;
        }
    }
    peak.map(|(_, time)| time)
}

/// The values alive at a moment, largest first, then by name and node.
pub fn alive_at(analysis: &Analysis<'_>, moment: u32) -> Vec<ValueId> {
    let Analysis { module, values, ranges, .. } = analysis;
    let alive = |range: &Option<Range>| {
        range.is_some_and(|range| range.start <= moment && moment <= range.end)
    };
    let mut out: Vec<ValueId> =
        ranges.live.enumerate().filter(|(_, range)| alive(range)).map(|(value, _)| value).collect();
    out.sort_by_cached_key(|&value| {
        let Position { instruction, index } = &values.values[value].definition;
        let name = module.instructions[*instruction].name.clone();
        (Reverse(values.values[value].size), name, index.clone())
    });
    out
}
