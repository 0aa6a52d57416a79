//! Which allocations are refused, and in which order the reasons are looked at (5.2).

use super::Space;
use super::alloc::AllocRequest;
use super::refusals::{invalid, no_device, not_open};
use super::zones::{HOST_DEVICE, MAX_CONTIGUOUS, SVM_BYTES};
use crate::model::trace::{AllocKind, PageClass};
use crate::runtime::context::Context;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};

impl Space {
    /// The argument checks of `halMemAlloc`, in its order; also for managed memory.
    ///
    /// # Errors
    /// Those of 5.2 up to memory that is not there.
    pub fn alloc_check(
        &self,
        cx: &mut Context<'_>,
        process: u32,
        request: &AllocRequest<'_>,
    ) -> Result<(), Refused> {
        let this = self.process(process)?;
        let AllocRequest { size, device, kind, pages, flags, .. } = *request;
        if request.name.is_none() {
            return Err(invalid("there is nowhere to put the address"));
        }
        if size == 0 {
            return Err(invalid("no bytes are asked for"));
        }
        if kind == AllocKind::User {
            return Ok(());
        }
        largest(cx, request)?;
        let unsupported = |why: &str| Err(Refused::new(Status::NotSupport, why));
        if flags.huge_and_giant {
            return Err(invalid("both huge and giant pages are asked for"));
        }
        let giant = pages == PageClass::Giant;
        let may_be_giant =
            kind == AllocKind::Dev || flags.ts || flags.contiguous || flags.read_only;
        if giant && !may_be_giant {
            return unsupported("giant pages are for device memory");
        }
        if flags.read_only && flags.host_rw_dev_ro {
            return Err(Refused::new(Status::ParaError, "two flags say who may write"));
        }
        let special = flags.contiguous || flags.p2p || flags.bar || flags.cp_only;
        if kind == AllocKind::HostUva && (special || pages != PageClass::Normal) {
            return unsupported("host memory at one address has none of these flags");
        }
        if flags.redirected && matches!(kind, AllocKind::Svm | AllocKind::Uvm) {
            return unsupported("host memory is redirected to malloc");
        }
        let host = matches!(kind, AllocKind::Host | AllocKind::HostUva);
        let for_host = host && device == HOST_DEVICE;
        if device >= self.devices && !for_host {
            return Err(no_device(device));
        }
        if !(this.has_open(device) || host && this.has_any_open()) {
            return Err(not_open(device));
        }
        Ok(())
    }
}

/// The largest allocation (2.1, Q-ALLOC-1).
fn largest(cx: &mut Context<'_>, request: &AllocRequest<'_>) -> Result<(), Refused> {
    let too_large = |limit: u64| {
        let why = format!("{} bytes are more than the largest allocation, {limit}", request.size);
        Err(Refused::new(Status::OutOfMemory, why))
    };
    let (documented, real) = (cx.machine.max_alloc, cx.machine.max_alloc.max(SVM_BYTES));
    if request.size > real {
        return too_large(if cx.source() { real } else { documented });
    }
    if request.size > documented {
        cx.notes.quirk(Quirk::Alloc1);
        if !cx.source() {
            return too_large(documented);
        }
    }
    if request.flags.contiguous && request.size > MAX_CONTIGUOUS {
        return too_large(MAX_CONTIGUOUS);
    }
    Ok(())
}
