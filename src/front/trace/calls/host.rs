//! Sections of a JIT linker, and the host memory pool of a GPU executor (xla-memory 17, 18).

use super::super::line::Line;
use super::super::reader::Space;
use crate::format::trace::words::{PRIMITIVES, SECTIONS};
use crate::model::trace::{Call, Primitive, Section, SectionSize, Sym};

pub(super) fn call(line: &mut Line<'_, '_>) -> Option<Call> {
    let primitive = |line: &mut Line<'_, '_>| line.known("type", PRIMITIVES, Primitive::Pred);
    let pool = |line: &mut Line<'_, '_>| line.name("pool", Space::Pool);
    let handle = |line: &mut Line<'_, '_>| line.name("handle", Space::Handle);
    Some(match line.row.name {
        "section_reserve" => {
            let sections = line.needed_name("sections")?;
            line.reader.make(Space::Sections, sections);
            Call::SectionReserve {
                sections,
                code: size(line, "code", "code_align"),
                ro: size(line, "ro", "ro_align"),
                rw: size(line, "rw", "rw_align"),
            }
        }
        "section_allocate" => Call::SectionAllocate {
            sections: manager(line)?,
            section: line.known("section", SECTIONS, Section::Code),
            size: line.bytes("size"),
            align: line.maybe_bytes("align").unwrap_or(1),
            out: line.out("out", Space::Pointer),
        },
        "section_finalize" => Call::SectionFinalize { sections: manager(line)? },
        "section_destroy" => Call::SectionDestroy { sections: manager(line)? },
        "host_pool_create" => Call::HostPoolCreate {
            primitive: primitive(line),
            device: line.small("device"),
            out: line.out("out", Space::Pool),
        },
        "host_pool_acquire" => Call::HostPoolAcquire {
            pool: pool(line),
            count: line.maybe_number("count").unwrap_or(1),
            out: line.free_name("out").inspect(|&out| made(line, out)),
        },
        "host_pool_get" => Call::HostPoolGet {
            handle: handle(line),
            primitive: primitive(line),
            out: line.out("out", Space::Pointer),
        },
        "host_pool_move" => {
            let handle = handle(line);
            let out = line.needed_name("out")?;
            made(line, out);
            Call::HostPoolMove { out, handle }
        }
        "host_pool_release" => Call::HostPoolRelease { handle: handle(line) },
        "host_pool_destroy" => Call::HostPoolDestroy { pool: pool(line) },
        _ => return None,
    })
}

/// A handle is also the address of its element.
fn made(line: &mut Line<'_, '_>, out: Sym) {
    line.reader.make(Space::Handle, out);
    line.reader.make(Space::Pointer, out);
}

fn manager(line: &mut Line<'_, '_>) -> Option<Sym> {
    let sections = line.needed_name("sections")?;
    let span = line.get("sections").map_or(0..0, |node| node.span.clone());
    line.reader.used(Space::Sections, sections, &span);
    Some(sections)
}

fn size(line: &mut Line<'_, '_>, bytes: &str, align: &str) -> SectionSize {
    SectionSize { bytes: line.bytes(bytes), align: line.maybe_bytes(align).unwrap_or(1) }
}
