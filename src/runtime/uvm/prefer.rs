//! PREFER_LOCATION and ACCESS_BY: what is remembered, and which pages are allocated ahead (5.10, 13.5).

use super::Uvm;
use super::moves::{Carrier, Pages};
use super::page::{Home, Page, Places};
use super::reclaim::Keep;
use crate::model::machine::Mode;
use crate::model::trace::{Advice, Location};
use crate::runtime::context::Context;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::Refused;

impl Uvm {
    /// Sets one of the two on pages.
    pub(super) fn advise_place(
        &mut self,
        cx: &mut Context<'_>,
        (from, to): Pages,
        page: &Page,
        (advice, location): (Advice, Location),
        keep: Keep,
    ) -> Result<(u64, Page), Refused> {
        let spec = allocates(page, advice, location, Mode::Spec);
        let source = allocates(page, advice, location, Mode::Source);
        if spec != source && acts(page, location) {
            cx.notes.quirk(Quirk::Uvm5);
        }
        let applies = if cx.source() { source } else { spec };
        let (pages, mut new) = if applies {
            self.allocate_ahead(cx, (from, to), page, location, keep)?
        } else {
            (to - from, page.clone())
        };
        match advice {
            Advice::AccessBy => new.access_by = new.access_by.or(Places::of(location)),
            _ => new.preferred = Some(location),
        }
        Ok((pages, new))
    }

    /// The pre-allocation table.
    fn allocate_ahead(
        &mut self,
        cx: &mut Context<'_>,
        (from, to): Pages,
        page: &Page,
        location: Location,
        keep: Keep,
    ) -> Result<(u64, Page), Refused> {
        let mut carrier = Carrier::single();
        match (&page.home, location) {
            (Home::Unmapped, Location::Device(device)) => {
                self.settle_on_device(cx, (from, to), page, device, keep, &mut carrier)
            }
            (Home::Unmapped, _) => self.settle_on_host(cx, (from, to), page, &mut carrier),
            (Home::ReadMostly(_), Location::Device(device)) if page.replica(device).is_none() => {
                self.add_replica(cx, (from, to), page, device, keep, &mut carrier)
            }
            _ => Ok((to - from, page.clone())),
        }
    }
}

/// True where the pre-allocation table is applied. By the document with every PREFER; in the source
/// only when the value is new, and ACCESS_BY names the same place (Q-UVM-5).
fn allocates(page: &Page, advice: Advice, location: Location, mode: Mode) -> bool {
    let place = Places::of(location);
    match (advice, mode) {
        (Advice::PreferLocation, Mode::Spec) => true,
        (Advice::PreferLocation, Mode::Source) => {
            page.preferred != Some(location) && page.access_by.meets(place)
        }
        (Advice::AccessBy, _) => {
            !page.access_by.meets(place)
                && page.preferred.is_some_and(|preferred| Places::of(preferred).meets(place))
        }
        _ => false,
    }
}

/// True in the cells of the table where something is allocated.
fn acts(page: &Page, location: Location) -> bool {
    match (&page.home, location) {
        (Home::Unmapped, _) => true,
        (Home::ReadMostly(_), Location::Device(device)) => page.replica(device).is_none(),
        _ => false,
    }
}

/// True in the cells of the table that the document calls errors, wherever it would be applied.
pub(super) fn conflicts(page: &Page, advice: Advice, location: Location) -> bool {
    if !allocates(page, advice, location, Mode::Spec) {
        return false;
    }
    match (&page.home, location) {
        (Home::Host, Location::Device(_)) => true,
        (Home::Device(_), Location::Host | Location::HostNuma(_)) => true,
        (Home::Device(one), Location::Device(device)) => one.device != device,
        _ => false,
    }
}
