//! What a line does, in a few words.

use crate::model::trace::{Call, Instruction, Place, Span, Trace, Whole};

/// The word that the trace language has for something: `PoolFree { .. }` is `pool_free`.
pub(super) fn keyword(what: &impl std::fmt::Debug) -> String {
    let text = format!("{what:?}");
    let name = text.split([' ', '{', '(']).next().unwrap_or_default();
    let mut word = String::new();
    for (at, c) in name.char_indices() {
        if c.is_ascii_uppercase() && at > 0 {
            word.push('_');
        }
        word.push(c.to_ascii_lowercase());
    }
    word
}

/// What a call does.
pub(super) fn call(trace: &Trace, call: &Call) -> String {
    let name =
        |sym: &Option<crate::model::trace::Sym>| sym.map_or("NULL", |s| trace.text(s)).to_owned();
    let spans = |list: &[Span]| {
        let all: Vec<String> = list.iter().map(|span| self::span(trace, span)).collect();
        all.join(", ")
    };
    match call {
        Call::Kernel { name: kernel, r, w, rw, body, .. } => {
            let kernel = kernel.or(*body).map_or(String::new(), |k| format!(" {}", trace.text(k)));
            let mut parts = Vec::new();
            for (verb, list) in [("reads", r), ("writes", w), ("reads and writes", rw)] {
                if !list.is_empty() {
                    parts.push(format!("{verb} {}", spans(list)));
                }
            }
            let parts = parts.join(", ");
            let sep = if parts.is_empty() { "" } else { " " };
            format!("kernel{kernel}{sep}{parts}")
        }
        Call::HostRead { span } => format!("the host reads {}", self::span(trace, span)),
        Call::HostWrite { span } => format!("the host writes {}", self::span(trace, span)),
        Call::HostFunc { r, w, .. } => {
            format!("host function, reads {}, writes {}", spans(r), spans(w))
        }
        Call::Memcpy { dst: Some(dst), src: Some(src), .. } => {
            format!("copies {} to {}", self::span(trace, src), self::span(trace, dst))
        }
        Call::Memset { dst: Some(dst), .. } => format!("fills {}", self::span(trace, dst)),
        Call::Alloc { out, size, .. } => format!("allocates {} ({size} bytes)", name(out)),
        Call::Free { p, .. } => format!("frees {}", name(p)),
        Call::PoolAlloc { out, size, pool, .. } => {
            format!("allocates {} ({size} bytes) of pool {}", name(out), name(pool))
        }
        Call::PoolFree { p, .. } => format!("gives {} back to its pool", name(p)),
        Call::PoolDestroy { pool } => format!("destroys pool {}", name(pool)),
        Call::Unmap { p, .. } => format!("unmaps {}", name(p)),
        Call::SectionReserve { sections, .. } => {
            format!("reserves the sections of {}", trace.text(*sections))
        }
        Call::SectionAllocate { out, sections, section, size, .. } => format!(
            "allocates {} ({size} bytes) in {} of {}",
            name(out),
            section.name(),
            trace.text(*sections)
        ),
        Call::SectionFinalize { sections } => format!("finalizes {}", trace.text(*sections)),
        Call::SectionDestroy { sections } => {
            format!("unmaps the sections of {}", trace.text(*sections))
        }
        Call::HostPoolAcquire { out, pool, .. } => {
            format!("acquires {} from pool {}", name(out), name(pool))
        }
        Call::HostPoolMove { out, handle } => {
            format!("moves {} to {}", name(handle), trace.text(*out))
        }
        Call::HostPoolRelease { handle } => format!("releases {}", name(handle)),
        Call::HostPoolDestroy { pool } => format!("destroys pool {}", name(pool)),
        Call::EventWait { event, .. } => format!("waits for event {}", name(event)),
        Call::EventRecord { event, .. } => format!("records event {}", name(event)),
        Call::Exit => "the process ends".to_owned(),
        // The word of the language is better than nothing.
        other => keyword(other),
    }
}

/// What an instruction does.
pub(super) fn instruction(trace: &Trace, instruction: &Instruction) -> String {
    let places = |list: &[Place]| {
        let all: Vec<String> = list.iter().map(|p| place(trace, p)).collect();
        all.join(", ")
    };
    match instruction {
        Instruction::Copy { src, dst, .. } => {
            format!("copies {} to {}", place(trace, src), place(trace, dst))
        }
        Instruction::Exec { r, w, .. } => match (r.is_empty(), w.is_empty()) {
            (true, _) => format!("writes {}", places(w)),
            (_, true) => format!("reads {}", places(r)),
            _ => format!("reads {}, writes {}", places(r), places(w)),
        },
        Instruction::Set { pipe, peer, id } => {
            format!("set_flag({}, {}, {:?})", pipe.name(), peer.name(), id.ids)
        }
        Instruction::Wait { pipe, peer, id } => {
            format!("wait_flag({}, {}, {:?})", pipe.name(), peer.name(), id.ids)
        }
        Instruction::Barrier { pipe } => {
            format!("pipe_barrier({})", pipe.map_or("ALL", |pipe| pipe.name()))
        }
        Instruction::XSet { flag, .. } => format!("raises cross-core flag {flag}"),
        Instruction::XWait { flag, .. } => format!("waits for cross-core flag {flag}"),
        Instruction::Loop { .. } | Instruction::If { .. } => String::new(),
    }
}

fn span(trace: &Trace, span: &Span) -> String {
    let val = span.val.map(|val| format!(" ({}@{})", trace.text(val.name), val.version));
    let end = span.len.map(|len| span.off.saturating_add(len));
    let range = match (span.off, end) {
        (0, None) => String::new(),
        (off, None) => format!("[{off}, ..)"),
        (off, Some(end)) => format!("[{off}, {end})"),
    };
    format!("{}{range}{}", trace.text(span.p), val.unwrap_or_default())
}

fn place(trace: &Trace, place: &Place) -> String {
    let (Whole::Scope(sym) | Whole::Global(sym)) = place.at;
    let turns = place.modulo.max(1) - 1;
    let rotates = if place.stride != 0 && turns > 0 { "+" } else { "" };
    let val = place.val.map(|val| format!(" ({}@{})", trace.text(val.name), val.version));
    let end = place.base.saturating_add(place.len);
    let name = trace.text(sym);
    format!("{name}[{}{rotates}, {end}{rotates}){}", place.base, val.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_witness_says_something() {
        let trace = Trace::default();
        assert_eq!(call(&trace, &Call::Exit), "the process ends");
        assert_eq!(call(&trace, &Call::DeviceSync { device: 0 }), "device_sync");
    }
}
