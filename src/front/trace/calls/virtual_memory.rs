//! Addresses and physical memory apart (5.5).

use super::super::line::Line;
use super::super::reader::Space;
use crate::format::trace::words::PAGES;
use crate::model::trace::{Call, PageClass};

pub(super) fn call(line: &mut Line<'_, '_>) -> Option<Call> {
    let pages = |line: &mut Line<'_, '_>| line.known("pages", PAGES, PageClass::Normal);
    Some(match line.row.name {
        "reserve" => Call::Reserve {
            size: line.bytes("size"),
            alignment: line.bytes("alignment"),
            at: line.maybe_bytes("at"),
            pages: pages(line),
            shared: line.truth("shared", false),
            out: line.out("out", Space::Pointer),
        },
        "unreserve" => {
            let (p, off) = line.place();
            Call::Unreserve { p, off }
        }
        "create" => Call::Create {
            size: line.bytes("size"),
            device: line.side("device"),
            pages: pages(line),
            flag: line.number("flag"),
            out: line.out("out", Space::Handle),
        },
        "release" => Call::Release { handle: line.name("handle", Space::Handle) },
        "retain" => {
            let (p, off) = line.place();
            Call::Retain { out: line.out("out", Space::Handle), p, off }
        }
        "map" => {
            let (p, off) = line.place();
            Call::Map {
                p,
                off,
                size: line.bytes("size"),
                offset: line.bytes("offset"),
                handle: line.name("handle", Space::Handle),
                flag: line.number("flag"),
                alias: line.truth("alias", false),
            }
        }
        "unmap" => {
            let (p, off) = line.place();
            Call::Unmap { p, off }
        }
        "set_access" => {
            let (p, off) = line.place();
            Call::SetAccess {
                p,
                off,
                size: line.bytes("size"),
                locations: line.locations("locations"),
                read_write: line.truth("read_write", true),
            }
        }
        "get_access" => {
            let (p, off) = line.place();
            Call::GetAccess { p, off, location: line.location("location") }
        }
        "granularity" => Call::Granularity {
            device: line.side("device"),
            pages: pages(line),
            minimum: line.truth("minimum", true),
        },
        _ => return None,
    })
}
