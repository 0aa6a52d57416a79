//! The numbers of a scope in one line.

use crate::format::picture::Map;
use crate::model::{Mode, ScopeAnswer};
use crate::report::words;

/// `182,272 of 196,608 B (92.7 %), lower bound 180,224 B, level slot, 2 stalling pairs (cost 32)`.
pub(crate) fn numbers(map: &Map, answer: &ScopeAnswer) -> String {
    let mut parts = Vec::new();
    match (map.peak, map.usable) {
        (Some(peak), Some(usable)) => {
            let part = words::percent(peak, usable);
            parts.push(format!("{} of {} ({part})", words::number(peak), words::bytes(usable)));
        }
        (Some(peak), None) => parts.push(words::bytes(peak)),
        (None, Some(usable)) => {
            let alive = words::bytes(map.max_load);
            parts.push(format!("{alive} alive at once, {} usable", words::bytes(usable)));
        }
        (None, None) => parts.push(format!("{} alive at once", words::bytes(map.max_load))),
    }
    match map.peak {
        Some(peak) if peak == map.lower_bound => parts.push("no smaller peak exists".to_owned()),
        _ if map.peak.is_some() || map.lower_bound > map.max_load => {
            parts.push(format!("lower bound {}", words::bytes(map.lower_bound)));
        }
        _ => {}
    }
    match (answer.mode, answer.level) {
        (Mode::Sequential, _) if map.peak.is_some() => {
            parts.push("everything has bytes of its own".to_owned());
        }
        (_, Some(level)) => parts.push(format!("level {}", level.name())),
        _ => {}
    }
    let stalls = answer.reuse.iter().filter(|r| r.stall).count();
    if stalls > 0 {
        let pairs = words::count(stalls, "stalling pair");
        parts.push(format!("{pairs} (cost {})", words::number(answer.reuse_cost)));
    }
    parts.join(", ")
}
