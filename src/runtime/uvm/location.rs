//! Places and ranges as the calls name them (5.10, 5.12).

use super::physical::invalid;
use super::{BASE, Uvm, WINDOW};
use crate::diag::Code;
use crate::model::trace::Location;
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};

/// The id that the source has for the host (2.1).
const HOST_ID: u32 = 64;

/// A place that exists. The source takes device 64 for what it is inside, the host (Q-UVM-4).
pub(super) fn place(cx: &mut Context<'_>, location: Location) -> Result<Location, Refused> {
    match location {
        Location::Invalid => Err(invalid(cx, "the location is no place")),
        Location::Host => Ok(Location::Host),
        Location::HostNuma(node) if node < cx.machine.numa_nodes => Ok(location),
        Location::HostNuma(node) => Err(invalid(cx, format!("the host has no node {node}"))),
        Location::Device(HOST_ID) => {
            cx.notes.quirk(Quirk::Uvm4);
            if cx.source() {
                Ok(Location::Host)
            } else {
                Err(invalid(cx, "device ids are 0 to 63"))
            }
        }
        Location::Device(id) if id > HOST_ID => Err(invalid(cx, "device ids are 0 to 63")),
        Location::Device(id) if cx.memory.exists(Bank::Device(id)) => Ok(location),
        Location::Device(id) => {
            Err(Refused::new(Status::InvalidDevice, format!("there is no device {id}")))
        }
    }
}

impl Uvm {
    /// The pages that a call on bytes is about (Q-UVM-17). By the document every page that holds one
    /// of the bytes; the source rounds the address down and the size up, each for itself, and may
    /// miss the last page.
    pub(super) fn pages_for(
        &self,
        cx: &mut Context<'_>,
        address: u64,
        len: u64,
    ) -> Result<(u64, u64), Refused> {
        let outside = || Refused::new(Status::InvalidValue, "the range is not managed memory");
        if len == 0 {
            return Err(Refused::new(Status::InvalidValue, "the size is 0"));
        }
        let end = address.checked_add(len).filter(|&end| end <= BASE + WINDOW);
        let end = end.filter(|_| Self::owns(address)).ok_or_else(outside)?;
        let first = self.page_of(address);
        let touched = (end - BASE).div_ceil(self.page);
        let rounded = first.saturating_add(len.div_ceil(self.page));
        if rounded != touched {
            cx.notes.quirk(Quirk::Uvm17);
        }
        // A range that ends with its allocation shares its last page with nobody.
        let whole = self.range(address).is_some_and(|range| range.start + range.len == end);
        let even = |at: u64| (at - BASE).is_multiple_of(self.page);
        if !cx.source() && (!even(address) || !even(end) && !whole) {
            let page = self.page;
            let message = format!(
                "the range of {len} bytes at {address:#x} is rounded to whole pages of {page} bytes"
            );
            cx.notes.remark(Code::ReplayLint, message);
        }
        Ok((first, if cx.source() { rounded } else { touched }))
    }
}
