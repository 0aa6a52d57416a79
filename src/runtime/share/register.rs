//! Memory that is registered for the other side (5.8).

use crate::model::trace::{AllocKind, Register};
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::objects::Piece;
use crate::runtime::pointer::{How, Pointer, Who};
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};
use crate::runtime::svm::{
    Body, Found, NORMAL_PAGE, Range, Registration, SVM_BYTES, Space, Window, Zone, invalid,
    invalid_in_kernel, no_device, not_open, round_up,
};

/// What is asked of a registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegRequest<'a> {
    /// What the author calls the other side's address; `None`: there is nowhere to put it.
    pub name: Option<&'a str>,
    /// The memory.
    pub src: Option<Pointer>,
    /// Bytes; `None`: all that follow.
    pub len: Option<u64>,
    /// Its type.
    pub kind: Register,
    /// The device.
    pub device: u32,
    /// True when the other side may not write.
    pub read_only: bool,
}

/// A registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registered {
    /// The other side's address; pinned host memory keeps its own.
    pub pointer: Pointer,
    /// Bytes.
    pub len: u64,
}

/// Bytes of a range, as checked.
struct Source {
    generation: u32,
    offset: u64,
    len: u64,
    pieces: Vec<Piece>,
    /// True when the other side uses the same address.
    same_address: bool,
}

impl Space {
    /// `halHostRegister`: the other side may use the memory until it is unregistered.
    ///
    /// # Errors
    /// In this order: `NotSupport` for a type that does not exist, `InvalidDevice`, `InvalidHandle` for
    /// a device that is not open, `InvalidValue` for nowhere to put the address, `NotSupport` for
    /// read-only with a type for the bus, DMA or IO, `InvalidValue` for NULL, no bytes, or DMA across
    /// a border, `NotSupport` for managed memory, an argument error for memory of the wrong side or not
    /// in whole pages, `OutOfMemory` for pages of kind SVM that do not appear. The same bytes again: `RepeatedUserd` in mode `source` (Q-REG-1).
    pub fn reg(
        &mut self,
        cx: &mut Context<'_>,
        process: u32,
        request: &RegRequest<'_>,
    ) -> Result<Registered, Refused> {
        let this = self.process(process)?;
        let RegRequest { kind, device, read_only, .. } = *request;
        if let Register::Unknown(number) = kind {
            return Err(Refused::new(Status::NotSupport, format!("there is no type {number}")));
        }
        if device >= self.devices {
            return Err(no_device(device));
        }
        if !this.has_open(device) {
            return Err(not_open(device));
        }
        let Some(name) = request.name else {
            return Err(invalid("there is nowhere to put the address"));
        };
        let bus =
            matches!(kind, Register::PcieTh | Register::HostMemMapDma | Register::HostIoMapDev);
        if read_only && bus {
            let why = "read-only is not for the bus, DMA or IO";
            return Err(Refused::new(Status::NotSupport, why));
        }
        let Some(src) = request.src else { return Err(invalid("the address is NULL")) };
        let source = self.source(cx, process, src, request)?;
        let again = |r: &&Registration| {
            r.offset == source.offset && r.len == source.len && r.kind == kind && r.device == device
        };
        let range = self.process_mut(process)?.range_mut(source.generation);
        if let Some(old) = range.and_then(|r| r.registrations.iter().find(again).cloned()) {
            cx.notes.quirk(Quirk::Reg1);
            if cx.source() {
                let why = "the same bytes are registered already";
                return Err(Refused::new(Status::RepeatedUserd, why));
            }
            return Ok(Registered { pointer: old.dst, len: old.len });
        }
        let for_device = !matches!(kind, Register::DevSvmMapHost | Register::DevMemMapHost);
        if kind == Register::HostSvmMapDev {
            // The pages have to be there to be registered.
            self.populate(cx, process, src, source.len, Who::Host)?;
        }
        let dst = if source.same_address {
            src
        } else {
            let window = Window { pieces: source.pieces, device, for_device, read_only };
            self.add_window(process, name, source.len, window)?
        };
        let registration = Registration {
            offset: source.offset,
            len: source.len,
            kind,
            device,
            read_only,
            dst,
            own_address: !source.same_address,
        };
        if let Some(range) = self.process_mut(process)?.range_mut(source.generation) {
            range.registrations.push(registration);
        }
        Ok(Registered { pointer: dst, len: source.len })
    }

    fn add_window(
        &mut self,
        process: u32,
        name: &str,
        len: u64,
        window: Window,
    ) -> Result<Pointer, Refused> {
        let generation = self.new_generation();
        let this = self.process_mut(process)?;
        let span = round_up(len, NORMAL_PAGE);
        let start = this.addresses.take(Zone::Dynamic, span, NORMAL_PAGE).ok_or_else(|| {
            Refused::new(Status::OutOfMemory, format!("no {span} addresses are free in a row"))
        })?;
        let range = Range {
            name: name.to_owned(),
            start,
            len: span,
            usable: len,
            generation,
            zone: Zone::Dynamic,
            body: Body::Window(window),
            keys: Vec::new(),
            registrations: Vec::new(),
        };
        let pointer = range.pointer(process);
        this.add(range);
        Ok(pointer)
    }

    /// Checks the memory of a registration.
    fn source(
        &self,
        cx: &mut Context<'_>,
        process: u32,
        src: Pointer,
        request: &RegRequest<'_>,
    ) -> Result<Source, Refused> {
        if Zone::Uvm.contains(src.address) {
            return Err(Refused::new(Status::NotSupport, "managed memory is not registered"));
        }
        let Found::Live(range) = self.find(process, src) else {
            return Err(invalid_in_kernel(cx, "nothing is allocated there"));
        };
        let offset = src.address - range.start;
        let len = request.len.unwrap_or(range.usable.saturating_sub(offset));
        if len == 0 {
            return Err(invalid("no bytes are to be registered"));
        }
        if request.kind == Register::HostMemMapDma {
            let (first, _) = Zone::Svm.bounds();
            let end = src.address.saturating_add(len);
            if len > SVM_BYTES || (src.address < first && end > first) {
                return Err(invalid("too many bytes for DMA, or on both sides of the border"));
            }
        }
        if !src.address.is_multiple_of(NORMAL_PAGE) {
            return Err(invalid_in_kernel(cx, "the address is not that of a page"));
        }
        if offset.saturating_add(len) > range.usable {
            let why = format!("{len} bytes are more than `{}` has there", range.name);
            return Err(invalid_in_kernel(cx, why));
        }
        let Some(same_address) = self.fits(range, offset, request.kind) else {
            let why = format!("`{}` is not memory that {:?} registers", range.name, request.kind);
            return Err(invalid_in_kernel(cx, why));
        };
        let home = self.reach_all(process, src, len, range, offset);
        if home.iter().map(|piece| piece.len).sum::<u64>() != len {
            return Err(invalid_in_kernel(
                cx,
                format!("`{}` is not mapped throughout", range.name),
            ));
        }
        Ok(Source { generation: range.generation, offset, len, pieces: home, same_address })
    }

    /// Whether memory can be registered like this; true when the other side uses the same address.
    fn fits(&self, range: &Range, offset: u64, kind: Register) -> Option<bool> {
        use Register::{
            DevMemMapHost, DevSvmMapHost, HostIoMapDev, HostMemMapDev, HostMemMapDma,
            HostSvmMapDev, PcieTh, Unknown,
        };
        let (host, device, pinned) = match &range.body {
            Body::Block(block) => match block.kind {
                AllocKind::User => (true, false, false),
                AllocKind::Host | AllocKind::HostUva => (true, false, true),
                AllocKind::Svm => return (kind == HostSvmMapDev).then_some(true),
                AllocKind::Dev | AllocKind::Dvpp => (false, true, false),
                AllocKind::Uvm => return None,
            },
            Body::Reserve(reserve) => {
                let (_, mapping) = reserve.around(offset)?;
                let host = self.handle_location(mapping.handle)? == Bank::Host;
                (host, !host, host)
            }
            Body::Import(_) | Body::Window(_) => return None,
        };
        match kind {
            HostMemMapDev | HostMemMapDma | HostIoMapDev | PcieTh => host.then_some(pinned),
            DevSvmMapHost | DevMemMapHost => device.then_some(false),
            HostSvmMapDev | Unknown(_) => None,
        }
    }

    fn reach_all(
        &self,
        process: u32,
        src: Pointer,
        len: u64,
        range: &Range,
        offset: u64,
    ) -> Vec<Piece> {
        let who = match &range.body {
            Body::Reserve(reserve) => reserve.around(offset).and_then(|(_, mapping)| {
                let location = self.handle_location(mapping.handle)?;
                Some(match location {
                    Bank::Host => Who::Host,
                    Bank::Device(device) => Who::Device(device),
                })
            }),
            _ => None,
        };
        self.reach(process, src, len, who.unwrap_or(Who::Host), How::Read).pieces
    }
}
