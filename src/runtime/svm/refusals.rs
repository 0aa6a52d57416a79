//! How arguments are refused, by the user library and by the kernel (section 3, Q-ERR-1).

use crate::diag::Code;
use crate::runtime::context::Context;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};

/// An argument that the user library refuses.
pub(crate) fn invalid(why: impl Into<String>) -> Refused {
    Refused::new(Status::InvalidValue, why)
}

/// An argument that only the kernel refuses: the document says `InvalidValue`, the source answers
/// `ParaError` (Q-ERR-1).
pub(crate) fn invalid_in_kernel(cx: &mut Context<'_>, why: impl Into<String>) -> Refused {
    cx.notes.quirk(Quirk::Err1);
    let status = if cx.source() { Status::ParaError } else { Status::InvalidValue };
    Refused::new(status, why)
}

/// A call on something that was destroyed (13.5).
pub(crate) fn stale(what: &str) -> Refused {
    Refused::new(Status::InvalidHandle, format!("{what} no longer exists"))
        .finding(Code::ReplayStaleHandle)
}

/// A device that a process has not opened (5.1).
pub(crate) fn not_open(device: u32) -> Refused {
    Refused::new(Status::InvalidHandle, format!("device {device} is not open"))
}

/// A device that the machine does not have.
pub(crate) fn no_device(device: u32) -> Refused {
    Refused::new(Status::InvalidDevice, format!("there is no device {device}"))
}
