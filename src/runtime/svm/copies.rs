//! Argument checks of copies and fills, and who moves the bytes (5.2, 5.3).

use super::Space;
use super::process::Found;
use super::range::{Block, Body};
use super::refusals::invalid;
use super::zones::Zone;
use crate::diag::Code;
use crate::model::trace::AllocKind;
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::pointer::{Pointer, Who};
use crate::runtime::status::{Refused, Status};

/// What an address of a copy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Host memory that can be moved away: an asynchronous copy takes its bytes when called.
    Pageable,
    /// Host memory that stays.
    Pinned,
    /// Memory of a device.
    Device(u32),
    /// Managed memory (5.9).
    Managed,
    /// A block of a pool (5.15).
    Pool,
}

/// What a copy goes between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    /// To.
    pub dst: Place,
    /// From.
    pub src: Place,
}

/// A copy of bytes in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyRequest {
    /// To.
    pub dst: Option<Pointer>,
    /// From.
    pub src: Option<Pointer>,
    /// Room at `dst`; `None`: as much as is copied.
    pub dest_max: Option<u64>,
    /// Bytes.
    pub count: u64,
    /// True for `halMemcpy`, whose header names one direction only (Q-CPY-1).
    pub hal: bool,
}

/// A copy of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy2d {
    /// To.
    pub dst: Option<Pointer>,
    /// From.
    pub src: Option<Pointer>,
    /// Bytes of a row.
    pub width: u64,
    /// Rows.
    pub height: u64,
    /// From row to row at `dst`.
    pub dst_pitch: u64,
    /// From row to row at `src`.
    pub src_pitch: u64,
}

/// Entries of one batch at most.
const MAX_BATCH: usize = 4096;

impl Place {
    /// Who uses the memory when bytes are copied or filled by the runtime; `None` where another
    /// part of the machine knows.
    pub fn who(self) -> Option<Who> {
        match self {
            Self::Pageable | Self::Pinned => Some(Who::Host),
            Self::Device(device) => Some(Who::Device(device)),
            Self::Managed | Self::Pool => None,
        }
    }

    fn is_host(self) -> bool {
        matches!(self, Self::Pageable | Self::Pinned)
    }

    fn is_device(self) -> bool {
        matches!(self, Self::Device(_) | Self::Pool)
    }
}

/// A place, and whether it belongs to another process.
#[derive(Clone, Copy)]
struct Side {
    place: Place,
    imported: bool,
}

impl Space {
    /// `drvMemcpy` and `aclrtMemcpy`; `None`: nothing is copied.
    ///
    /// # Errors
    /// `InvalidValue` for NULL, too little room, bytes on both sides of the border of the pools, or
    /// an address that a registration has made; `NotSupport` from device to device with imported
    /// memory (5.3).
    pub fn copy_check(
        &self,
        cx: &mut Context<'_>,
        process: u32,
        request: &CopyRequest,
    ) -> Result<Option<Direction>, Refused> {
        self.process(process)?;
        let CopyRequest { dest_max, count, hal, .. } = *request;
        let (Some(dst), Some(src)) = (request.dst, request.src) else {
            return Err(invalid("an address is NULL"));
        };
        if dest_max == Some(0) || dest_max.is_some_and(|room| room < count) {
            return Err(invalid(format!("there is too little room for {count} bytes")));
        }
        if count == 0 {
            return Ok(None);
        }
        let (dst, src) = (self.side(process, dst, count)?, self.side(process, src, count)?);
        let between_devices = dst.place.is_device() && src.place.is_device();
        if between_devices && (dst.imported || src.imported) {
            let why = "memory of another process cannot be copied from device to device";
            return Err(Refused::new(Status::NotSupport, why));
        }
        let to_host = dst.place.is_host() && src.place.is_device();
        if hal && !to_host && !cx.source() {
            cx.notes.remark(Code::ReplayLint, "the header allows copies from device to host only");
        }
        Ok(Some(Direction { dst: dst.place, src: src.place }))
    }

    /// `drvMemcpy2D`; `None`: nothing is copied.
    ///
    /// # Errors
    /// `InvalidValue` for NULL, a row longer than a pitch, or rows past the end of all addresses;
    /// `NotSupport` except between host and device, and for managed memory (5.3, 13.5).
    pub fn copy2d_check(
        &self,
        process: u32,
        request: &Copy2d,
    ) -> Result<Option<Direction>, Refused> {
        self.process(process)?;
        let Copy2d { width, height, dst_pitch, src_pitch, .. } = *request;
        let (Some(dst), Some(src)) = (request.dst, request.src) else {
            return Err(invalid("an address is NULL"));
        };
        if width > dst_pitch || width > src_pitch {
            return Err(invalid(format!("a row of {width} bytes is longer than a pitch")));
        }
        if width == 0 || height == 0 {
            return Ok(None);
        }
        let bytes = |pitch: u64| {
            let rows = pitch.checked_mul(height - 1)?;
            rows.checked_add(width)
        };
        let (Some(to), Some(from)) = (bytes(dst_pitch), bytes(src_pitch)) else {
            return Err(invalid("the rows do not fit 64 bits"));
        };
        let (dst, src) = (self.side(process, dst, to)?, self.side(process, src, from)?);
        between_host_and_device(dst, src).map(Some)
    }

    /// `halMemcpyBatch`: the direction of each entry (destination, source, bytes).
    ///
    /// # Errors
    /// `NotSupport` for more than 4096 entries or one that is not between host and device;
    /// `InvalidValue` for no entries or one whose arguments make no sense. The reason names the entry.
    pub fn batch_check(
        &self,
        process: u32,
        entries: &[(Pointer, Pointer, u64)],
    ) -> Result<Vec<Direction>, Refused> {
        self.process(process)?;
        if entries.len() > MAX_BATCH {
            let why = format!("{} entries are more than {MAX_BATCH}", entries.len());
            return Err(Refused::new(Status::NotSupport, why));
        }
        if entries.is_empty() {
            return Err(invalid("the batch has no entries"));
        }
        let one = |&(dst, src, count): &(Pointer, Pointer, u64)| {
            let (dst, src) = (self.side(process, dst, count)?, self.side(process, src, count)?);
            between_host_and_device(dst, src)
        };
        let named = |(at, entry)| {
            one(entry).map_err(|refused| Refused {
                why: format!("entry {at}: {}", refused.why),
                ..refused
            })
        };
        entries.iter().enumerate().map(named).collect()
    }

    /// `drvMemsetD8`: what the bytes are.
    ///
    /// # Errors
    /// `InvalidValue` for NULL, no bytes, too little room, or bytes on both sides of the border of
    /// the pools (5.2).
    pub fn memset_check(
        &self,
        process: u32,
        dst: Option<Pointer>,
        dest_max: Option<u64>,
        count: u64,
    ) -> Result<Place, Refused> {
        self.process(process)?;
        let Some(dst) = dst else { return Err(invalid("the address is NULL")) };
        if count == 0 {
            return Err(invalid("no bytes are to be filled"));
        }
        if dest_max.is_some_and(|room| room < count) {
            return Err(invalid(format!("there is too little room for {count} bytes")));
        }
        Ok(self.side(process, dst, count)?.place)
    }

    fn side(&self, process: u32, pointer: Pointer, count: u64) -> Result<Side, Refused> {
        if Zone::Soma.crossed_by(pointer.address, count) {
            return Err(invalid("some of the bytes are in the range of the pools, some are not"));
        }
        let own = |place| Ok(Side { place, imported: false });
        if Zone::Uvm.contains(pointer.address) {
            return own(Place::Managed);
        }
        if Zone::Soma.contains(pointer.address) {
            return own(Place::Pool);
        }
        let (range, body) = match self.find(process, pointer) {
            Found::Live(range) => (Some(range), &range.body),
            Found::Dead(dead) => (None, &dead.body),
            // An address that the runtime does not know is one of the process itself.
            Found::Unknown => return own(Place::Pageable),
        };
        match body {
            Body::Block(block) if block.kind == AllocKind::User => {
                let pinned = range.is_some_and(|r| !r.registrations.is_empty());
                own(if pinned { Place::Pinned } else { Place::Pageable })
            }
            Body::Block(block) => {
                let offset = range.map_or(0, |r| pointer.address - r.start);
                own(of_bank(block_bank(block, offset)))
            }
            Body::Reserve(reserve) => {
                let offset = range.map_or(0, |r| pointer.address - r.start);
                let mapped = reserve.around(offset);
                let home = mapped.and_then(|(_, m)| self.handle_location(m.handle));
                let bank = home.or(reserve.side).unwrap_or(Bank::Device(0));
                Ok(Side { place: of_bank(bank), imported: false })
            }
            Body::Import(import) => {
                Ok(Side { place: Place::Device(import.device), imported: true })
            }
            Body::Window(_) => {
                Err(invalid("an address made by a registration is for kernels only"))
            }
        }
    }
}

/// Where a byte of an allocation is. Bytes of kind SVM that are nowhere appear on the host.
fn block_bank(block: &Block, offset: u64) -> Bank {
    if block.kind != AllocKind::Svm {
        return block.bank;
    }
    let runs = block.pages.runs(offset, offset.saturating_add(1));
    runs.first().and_then(|run| run.bank).unwrap_or(Bank::Host)
}

fn of_bank(bank: Bank) -> Place {
    match bank {
        Bank::Host => Place::Pinned,
        Bank::Device(device) => Place::Device(device),
    }
}

fn between_host_and_device(dst: Side, src: Side) -> Result<Direction, Refused> {
    let (dst, src) = (dst.place, src.place);
    let supported = dst.is_host() && src.is_device() || dst.is_device() && src.is_host();
    if supported {
        Ok(Direction { dst, src })
    } else {
        Err(Refused::new(Status::NotSupport, "only between host and device"))
    }
}
