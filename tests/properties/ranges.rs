//! Small specs of the ranges form: alignment, pins, slots, several ranges, reserved bytes,
//! relations. Every byte string gives one that can be read.

use std::fmt::Write;

use super::bytes::Bytes;

struct Buffer {
    size: u64,
    slots: u64,
    unique: bool,
    pinned: bool,
}

/// A spec with one scope `ub`.
pub(crate) fn generate(bytes: &[u8]) -> String {
    let bytes = &mut Bytes::new(bytes);
    let mut out = "version = 1\n\n[[scope]]\nname = \"ub\"\n".to_owned();
    let alignment = *bytes.pick(&[1, 2, 1, 3, 4]);
    let _ = writeln!(out, "alignment = {alignment}\nround_up = {}", bytes.one_in(2));
    let capacity = 6 + bytes.below(16) as u64;
    let bounded = !bytes.one_in(5);
    if bounded {
        let _ = writeln!(out, "capacity = {capacity}");
    }
    let mut reserved = None;
    if bytes.one_in(4) {
        let start = bytes.below(6) as u64;
        let end = (start + 1 + bytes.below(3) as u64).min(capacity);
        reserved = Some((start, end));
        let _ = writeln!(out, "reserved = [[{start}, {end}]]");
    }
    let count = 2 + bytes.below(4);
    let mut buffers = Vec::new();
    for at in 0..count {
        let size = *bytes.pick(&[2, 1, 3, 4, 5, 8, 0, 6]);
        let own = if bytes.one_in(4) { *bytes.pick(&[2, 4, 3]) } else { alignment };
        let slots = if bytes.one_in(6) { 2 } else { 1 };
        let unique = bytes.one_in(9);
        let _ = write!(out, "\n[[buffer]]\nname = \"b{at}\"\nsize = {size}\nlive = [");
        let mut step = bytes.below(7);
        for range in 0..=usize::from(bytes.one_in(4)) {
            let end = step + 1 + bytes.below(4);
            let _ = write!(out, "{}[{step}, {end}]", if range > 0 { ", " } else { "" });
            step = end + 1 + bytes.below(3);
        }
        out.push_str("]\n");
        if own != alignment {
            let _ = writeln!(out, "alignment = {own}");
        }
        if slots > 1 {
            let _ = writeln!(out, "slots = {slots}");
        }
        if unique {
            out.push_str("unique = true\n");
        }
        let pin = own * (bytes.below(8) as u64 / own);
        let free = reserved.is_none_or(|(start, end)| pin + size <= start || pin >= end);
        let pinned = bytes.one_in(7) && slots == 1 && free && (!bounded || pin + size <= capacity);
        if pinned {
            let _ = writeln!(out, "pin = {pin}");
        }
        if bytes.one_in(3) {
            let _ = writeln!(out, "pipes = [\"{}\"]", bytes.pick(&["V:w", "MTE2:w", "V:r"]));
        }
        buffers.push(Buffer { size, slots, unique, pinned });
    }
    relations(bytes, &buffers, &mut out);
    out
}

/// At most one relation for each pair, of a kind that the pair may have.
fn relations(bytes: &mut Bytes<'_>, buffers: &[Buffer], out: &mut String) {
    let mut taken = Vec::new();
    // One pair of the same bytes, or none: chains could contradict the other relations.
    let mut joined = false;
    for _ in 0..bytes.below(4) {
        let (a, b) = (bytes.below(buffers.len()), bytes.below(buffers.len()));
        let (x, y) = (&buffers[a], &buffers[b]);
        if a == b || taken.contains(&(a.min(b), a.max(b))) {
            continue;
        }
        let kind = match bytes.below(4) {
            0 if y.size <= x.size => "inplace",
            1 => "separate",
            2 => "exclusive",
            3 if x.slots == y.slots
                && !joined
                && !x.unique
                && !y.unique
                && !x.pinned
                && !y.pinned =>
            {
                "colocate"
            }
            _ => continue,
        };
        joined |= kind == "colocate";
        taken.push((a.min(b), a.max(b)));
        let _ = write!(out, "\n[[relation]]\nkind = \"{kind}\"\na = \"b{a}\"\nb = \"b{b}\"\n");
    }
}
