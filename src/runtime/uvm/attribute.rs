//! Range attributes (5.11).

use super::Uvm;
use super::page::{Page, Places};
use super::physical::invalid;
use crate::model::trace::{Attribute, Location};
use crate::runtime::context::Context;
use crate::runtime::status::Refused;

/// How the host is written.
const CPU: i64 = -1;
/// How nothing, or not one thing, is written.
const NONE: i64 = -2;
/// Bytes of one value.
const VALUE: u64 = 4;
/// Values that ACCESS_BY fills at most: there are no more places.
const PLACES: u64 = 65;

impl Uvm {
    /// One attribute of the pages that hold these bytes: one value, or for `AccessBy` as many as
    /// `data_size` has room for, devices first, then the host as -1, the rest -2.
    ///
    /// # Errors
    /// `InvalidValue` or `ParaError` for an unknown attribute, a wrong size, an empty or foreign
    /// range, a page that is not allocated.
    pub fn attribute(
        &self,
        cx: &mut Context<'_>,
        address: u64,
        len: u64,
        attribute: Option<Attribute>,
        data_size: u64,
    ) -> Result<Vec<i64>, Refused> {
        let (first, end) = self.pages_for(cx, address, len)?;
        let Some(attribute) = attribute else {
            return Err(invalid(cx, "there is no such attribute"));
        };
        let fits = match attribute {
            Attribute::AccessBy => data_size > 0 && data_size.is_multiple_of(VALUE),
            _ => data_size == VALUE,
        };
        if !fits {
            return Err(invalid(cx, format!("{data_size} bytes are no room for this attribute")));
        }
        if let Some(hole) = self.runs.hole(first, end) {
            let at = self.address_of(hole);
            return Err(invalid(cx, format!("no managed memory is allocated at {at:#x}")));
        }
        let late = self.before.as_ref().filter(|old| old.hole(first, end).is_none());
        let runs = late.unwrap_or(&self.runs);
        let pages = || runs.within(first, end).map(|(_, _, page)| page);
        Ok(match attribute {
            Attribute::ReadMostly => vec![i64::from(pages().all(Page::read_mostly))],
            Attribute::AccessBy => access_by(pages(), data_size / VALUE),
            Attribute::PreferredLoc => vec![loc(pages().map(|page| page.preferred))],
            Attribute::PreferredLocType => vec![kind(pages().map(|page| page.preferred))],
            Attribute::PreferredLocId => vec![id(pages().map(|page| page.preferred))],
            Attribute::LastPrefetchLoc => vec![loc(pages().map(|page| page.last_prefetch))],
            Attribute::LastPrefetchLocType => vec![kind(pages().map(|page| page.last_prefetch))],
            Attribute::LastPrefetchLocId => vec![id(pages().map(|page| page.last_prefetch))],
        })
    }
}

fn access_by<'a>(pages: impl Iterator<Item = &'a Page>, room: u64) -> Vec<i64> {
    let all = Places { devices: u64::MAX, host: true };
    let common = pages.fold(all, |all, page| all.and(page.access_by));
    let devices = (0..64).filter(|device| common.devices >> device & 1 == 1);
    let places = devices.chain(common.host.then_some(CPU)).chain(std::iter::repeat(NONE));
    // More room than places is filled with -2 anyway; nobody reads past what a caller could mean.
    let room = usize::try_from(room.min(PLACES + 63)).unwrap_or(0);
    places.take(room).collect()
}

/// The value that all have.
fn common<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|one| one == first).then_some(first)
}

/// The device; -1 where all are on the host, whatever the node.
fn loc(all: impl Iterator<Item = Option<Location>>) -> i64 {
    let number = |location| match location {
        Some(Location::Device(id)) => i64::from(id),
        Some(Location::Host | Location::HostNuma(_)) => CPU,
        Some(Location::Invalid) | None => NONE,
    };
    common(all.map(number)).unwrap_or(NONE)
}

/// The number of the kind of place (2.3); 0, invalid, where they differ.
fn kind(all: impl Iterator<Item = Option<Location>>) -> i64 {
    let number = |location| match location {
        Some(Location::Device(_)) => 1,
        Some(Location::Host) => 2,
        Some(Location::HostNuma(_)) => 3,
        Some(Location::Invalid) | None => 0,
    };
    common(all.map(number)).unwrap_or(0)
}

/// The device or node; -1 for the host, -2 where they differ.
fn id(all: impl Iterator<Item = Option<Location>>) -> i64 {
    let number = |location: Option<Location>| match location {
        Some(Location::Device(id) | Location::HostNuma(id)) => {
            (kind([location].into_iter()), i64::from(id))
        }
        Some(Location::Host) => (2, CPU),
        Some(Location::Invalid) | None => (0, NONE),
    };
    common(all.map(number)).map_or(NONE, |(_, id)| id)
}
