//! Plans as rows of the public packing benchmarks.
//!
//! ```text
//! id,lower,upper,size,offset
//! a,0,3,64,0
//! b,2,5,32,64
//! ```
//!
//! One row for each slot: a buffer with several slots gives `name[0]`, `name[1]`, ... A name that
//! repeats gets the ordinal of the buffer: `name#4`. `lower` and `upper` are the hull of the live
//! ranges; where a buffer has several, the times between them are listed in a column `gaps`
//! (`3-5 8-9`, ends excluded), which is absent when no buffer has any. `size` is rounded up where
//! the scope rounds. Several functions add a column `function`. The rows hold one scope: offsets of
//! several would be mixed up.

use std::collections::BTreeMap;

use crate::model::{BufferId, Live};

/// A buffer to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// The function.
    pub function: &'a str,
    /// The buffer.
    pub id: BufferId,
    /// Its name.
    pub name: &'a str,
    /// Bytes of one slot.
    pub size: u64,
    /// Its live ranges: sorted, disjoint.
    pub live: &'a [Live],
    /// The offset of each slot.
    pub offsets: &'a [u64],
}

/// The rows as text.
pub fn csv(rows: &[Row<'_>]) -> String {
    let mut names: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    for row in rows {
        *names.entry((row.function, row.name)).or_default() += 1;
    }
    let several = rows.windows(2).any(|w| w[0].function != w[1].function);
    let gaps = rows.iter().any(|row| row.live.len() > 1);
    let mut out = String::from("id,lower,upper,size,offset");
    out.push_str(if gaps { ",gaps" } else { "" });
    out.push_str(if several { ",function\n" } else { "\n" });
    for row in rows {
        let name = if names.get(&(row.function, row.name)).is_some_and(|n| *n > 1) {
            format!("{}#{}", row.name, row.id.0)
        } else {
            row.name.to_owned()
        };
        let lower = row.live.first().map_or(0, |l| l.start.0);
        let upper = row.live.last().map_or(0, |l| l.end.0);
        for (slot, offset) in row.offsets.iter().enumerate() {
            let id = if row.offsets.len() > 1 { format!("{name}[{slot}]") } else { name.clone() };
            let id = field(&id);
            out.push_str(&format!("{id},{lower},{upper},{},{offset}", row.size));
            if gaps {
                out.push_str(&format!(",{}", between(row.live)));
            }
            if several {
                out.push_str(&format!(",{}", field(row.function)));
            }
            out.push('\n');
        }
    }
    out
}

/// The times between live ranges: `3-5 8-9`.
fn between(live: &[Live]) -> String {
    let gaps = live.windows(2).map(|w| format!("{}-{}", w[0].end.0, w[1].start.0));
    gaps.collect::<Vec<_>>().join(" ")
}

/// A field, quoted where it must be.
fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) || text.trim() != text {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
