//! Prefetch of several ranges (5.12).

use super::{Done, Uvm};
use crate::model::trace::Location;
use crate::runtime::context::Context;
use crate::runtime::quirks::Quirk;
use crate::runtime::status::{Refused, Status};

/// Ranges of one call (2.2).
const MOST_RANGES: usize = 4096;
/// Places of one call (2.2).
const MOST_LOCATIONS: usize = 64;

impl Uvm {
    /// Prefetches ranges; `locations[k]` is for `ranges[index[k] .. index[k + 1]]`.
    ///
    /// # Errors
    /// `InvalidValue` for lists that do not fit each other, `NotSupport` for the asynchronous form in
    /// mode source, whose walk through the lists is broken (Q-UVM-11), and what `prefetch` refuses:
    /// by the document before anything moves, in the source after the ranges before.
    pub fn prefetch_batch(
        &mut self,
        cx: &mut Context<'_>,
        ranges: &[(u64, u64)],
        locations: &[Location],
        index: &[u64],
        flags: u64,
        asynchronous: bool,
    ) -> Result<Done, Refused> {
        if flags != 0 {
            return Err(Refused::new(Status::NotSupport, "no flag is defined"));
        }
        let fits = !ranges.is_empty()
            && ranges.len() <= MOST_RANGES
            && !locations.is_empty()
            && locations.len() <= MOST_LOCATIONS
            && locations.len() == index.len()
            && index.first() == Some(&0)
            && index.is_sorted_by(|a, b| a < b)
            && index.last().is_some_and(|&last| last < ranges.len() as u64);
        if !fits {
            let why = "ranges, locations and index do not fit each other";
            return Err(Refused::new(Status::InvalidValue, why));
        }
        if asynchronous {
            cx.notes.quirk(Quirk::Uvm11);
            if cx.source() {
                let why = "the asynchronous batch reads its lists with a wrong stride";
                return Err(Refused::new(Status::NotSupport, why));
            }
        }
        let mut entries = Vec::with_capacity(ranges.len());
        for (at, &range) in ranges.iter().enumerate() {
            let k = index.partition_point(|&first| first <= at as u64).saturating_sub(1);
            let Some(&location) = locations.get(k) else { continue };
            entries.push((range, location));
        }
        if cx.injected.reorders_batch() {
            entries.reverse();
        }
        if !cx.source() {
            for &(range, location) in &entries {
                let (pages, _) = self.prefetch_arguments(cx, range, location, flags)?;
                self.absent(cx, pages)?;
            }
        }
        self.tick(cx);
        let mut done = Done::default();
        for (range, location) in entries {
            let before = cx.notes.remarks.len();
            let (pages, target) = self.prefetch_arguments(cx, range, location, flags)?;
            if !cx.source() {
                // Said already when the arguments were looked at.
                cx.notes.remarks.truncate(before);
            }
            done.absorb(self.prefetch_pages(cx, pages, target)?);
        }
        Ok(done)
    }
}
