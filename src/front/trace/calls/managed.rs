//! Managed memory: advice, prefetches, attributes (5.10 to 5.12).

use super::super::line::{Found, Line};
use crate::format::trace::words::{ADVICES, ATTRIBUTES};
use crate::model::trace::Call;

/// Bytes that an attribute of a range needs.
const DATA_SIZE: u64 = 4;

pub(super) fn call(line: &mut Line<'_, '_>) -> Option<Call> {
    Some(match line.row.name {
        "advise" => {
            let (p, off) = line.place();
            Call::Advise {
                p,
                off,
                len: line.maybe_bytes("len"),
                advice: known(line.word("advice", ADVICES)),
                location: line.location("location"),
            }
        }
        "prefetch" => {
            let (p, off) = line.place();
            Call::Prefetch {
                p,
                off,
                len: line.maybe_bytes("len"),
                location: line.location("location"),
                flags: line.number("flags"),
                stream: line.stream(),
            }
        }
        "prefetch_batch" => Call::PrefetchBatch {
            ranges: line.spans("ranges"),
            locations: line.locations("locations"),
            index: numbers(line, "index"),
            flags: line.number("flags"),
            stream: line.stream(),
        },
        "range_attr" => {
            let (p, off) = line.place();
            Call::RangeAttr {
                p,
                off,
                len: line.maybe_bytes("len"),
                attribute: known(line.word("attribute", ATTRIBUTES)),
                data_size: line.maybe_number("data_size").unwrap_or(DATA_SIZE),
            }
        }
        _ => return None,
    })
}

/// A number that no word has is asked for as what it is: nothing known.
fn known<T>(found: Option<Found<T>>) -> Option<T> {
    match found {
        Some(Found::Known(value)) => Some(value),
        Some(Found::Number(_)) | None => None,
    }
}

fn numbers(line: &mut Line<'_, '_>, name: &str) -> Vec<u64> {
    let items = line.list(name);
    items.iter().filter_map(|node| line.reader.number(name, node, u64::MAX)).collect()
}
