//! Who can trust which bytes: the state of the replay.
//!
//! The program has *objects*: each (buffer, slot), or (colocation group, slot), with bytes of its
//! own. The plan puts their bytes on addresses, several objects on the same ones. For every byte
//! of an object the paths that lead to a place can leave it in three ways:
//!
//! ```text
//!   undefined   the program has not written it
//!   good        the program has written it, and the address still holds that
//!   lost        the program has written it, and the address holds something else by now
//! ```
//!
//! Reading a lost byte is what a plan can do wrong; reading an undefined one is the program's own
//! fault. The state is the set of ways, byte by byte, kept in two maps so that a write costs the
//! bytes it covers and not the objects that lie below:
//!
//! * [`Known`], by object: can the byte be undefined, can it be defined;
//! * [`Cell`], by address: which objects have a *claim*, that is, can be good here, and whether
//!   such an object can also be lost.
//!
//! An object that can be defined and has no claim at its address is lost there. A write by one
//! object removes the claims of all others: that is all that overwriting does.
//!
//! The sets are exact byte by byte: a fault that is found occurs on a path, and one that occurs
//! on a path is found. Writes that may miss bytes (masked, at an unknown place, to one of several
//! candidates) are taken to have written a byte that was undefined: whether a program reads the
//! lanes that it did not write is not a matter of the plan.

use std::cmp::Ordering;

use super::map::Map;
use crate::model::{BufferId, OpId};
use crate::runtime::program::TrailId;

/// Bytes of an object at their addresses. Addresses of all scopes lie in one space of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub buffer: BufferId,
    pub object: u32,
    /// The key at which the object's byte 0 lies, or would lie.
    pub base: u128,
    pub lo: u128,
    pub hi: u128,
}

/// How an address lost what it held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum How {
    /// An op wrote it.
    Write,
    /// An op used it as scratch.
    Scratch,
    /// It was filled before the function started.
    Entry,
    /// A buffer with given live ranges took it.
    Hold,
    /// The object was written anew in another of its copies.
    Moved,
}

/// Who did it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blame {
    pub who: BufferId,
    pub op: Option<OpId>,
    pub how: How,
    /// A trail on which it happened. Not part of the state: trips would never repeat.
    pub trail: TrailId,
}

/// An object can be good at an address.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Claim {
    pub object: u32,
    pub base: u128,
    /// Who may have overwritten it on some path.
    pub lost: Option<Blame>,
}

/// What is known of an address.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cell {
    /// The last one that surely wrote here, or else the first that may have.
    pub last: Option<Blame>,
    /// Sorted by object and base.
    pub claims: Vec<Claim>,
}

/// What the program itself has done to a byte of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub undefined: bool,
    pub defined: bool,
}

/// The state of all bytes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Memory {
    pub cells: Map<Cell>,
    pub known: Map<Known>,
}

/// What a read would find.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    /// Bytes that can be lost, in order, with the one at fault.
    pub lost: Vec<(u128, u128, Option<Blame>)>,
    /// From the first to the last byte that can be undefined.
    pub undefined: Option<(u128, u128)>,
    /// True when every byte is undefined on every path.
    pub nothing: bool,
}

impl PartialEq for Blame {
    fn eq(&self, other: &Self) -> bool {
        (self.who, self.op, self.how) == (other.who, other.op, other.how)
    }
}

impl Default for Known {
    fn default() -> Self {
        Self { undefined: true, defined: false }
    }
}

impl Area {
    /// The keys of the object's bytes in [`Memory::known`].
    fn own(self) -> (u128, u128) {
        let start = u128::from(self.object) << SHIFT;
        (start + self.lo.wrapping_sub(self.base), start + self.hi.wrapping_sub(self.base))
    }

    /// The address of a key of [`Self::own`].
    fn address(self, own: u128) -> u128 {
        (own - (u128::from(self.object) << SHIFT)).wrapping_add(self.base)
    }

    fn at(self, lo: u128, hi: u128) -> Self {
        Self { lo, hi, ..self }
    }

    fn order(self, claim: &Claim) -> Ordering {
        (claim.object, claim.base).cmp(&(self.object, self.base))
    }
}

/// Bits for a place inside a scope or an object: an offset and a size together need 65.
pub(super) const SHIFT: u32 = 72;

impl Cell {
    /// The place of an object's claim, or where it would stand.
    pub(super) fn claim(&self, area: Area) -> Result<usize, usize> {
        self.claims.binary_search_by(|claim| area.order(claim))
    }
}

impl Memory {
    pub(super) fn new() -> Self {
        Self { cells: Map::new(), known: Map::new() }
    }

    /// What reading the area finds.
    pub(super) fn read(&self, area: Area) -> Reading {
        let mut reading = Reading { nothing: true, ..Reading::default() };
        let (lo, hi) = area.own();
        self.known.visit(lo, hi, |lo, hi, known| {
            let (lo, hi) = (area.address(lo), area.address(hi));
            if known.undefined {
                let from = reading.undefined.map_or(lo, |(from, _)| from);
                reading.undefined = Some((from, hi));
            }
            if !known.defined {
                return;
            }
            reading.nothing = false;
            self.cells.visit(lo, hi, |lo, hi, cell| match cell.claim(area) {
                Ok(at) => match cell.claims[at].lost {
                    None => {}
                    lost => reading.lost.push((lo, hi, lost)),
                },
                Err(_) => reading.lost.push((lo, hi, cell.last)),
            });
        });
        reading
    }

    /// The object writes every byte of the area. `copies` are the bases of its other copies,
    /// which are out of date from now on.
    pub(super) fn write(&mut self, area: Area, copies: &[u128], by: Blame) {
        let claim = Claim { object: area.object, base: area.base, lost: None };
        self.cells.update(area.lo, area.hi, |_, _, _| Cell { last: Some(by), claims: vec![claim] });
        self.know(area, |_| Known { undefined: false, defined: true });
        self.outdate(area, copies, by);
    }

    /// Nobody relies on the object's bytes any more.
    pub(super) fn forget(&mut self, area: Area, copies: &[u128]) {
        for &base in std::iter::once(&area.base).chain(copies) {
            let copy = shifted(area, base);
            self.cells.update(copy.lo, copy.hi, |_, _, cell| {
                let mut cell = cell.clone();
                if let Ok(at) = cell.claim(copy) {
                    cell.claims.remove(at);
                }
                cell
            });
        }
        self.know(area, |_| Known::default());
    }

    /// The object writes bytes somewhere in the area, or perhaps not at all.
    pub(super) fn may_write(&mut self, area: Area, copies: &[u128], by: Blame) {
        for (lo, hi, known) in self.known_pieces(area) {
            self.cells.update(lo, hi, |_, _, cell| {
                let mut cell = cell.clone();
                match cell.claim(area) {
                    Ok(_) => {}
                    Err(at) => {
                        let lost = known.defined.then(|| cell.last.unwrap_or(by));
                        let claim = Claim { object: area.object, base: area.base, lost };
                        cell.claims.insert(at, claim);
                    }
                }
                doubt(&mut cell, area, by);
                cell
            });
        }
        self.know(area, |_| Known { undefined: false, defined: true });
        for &base in copies {
            let copy = shifted(area, base);
            let moved = Blame { how: How::Moved, ..by };
            self.cells.update(copy.lo, copy.hi, |_, _, cell| {
                let mut cell = cell.clone();
                if let Ok(at) = cell.claim(copy) {
                    cell.claims[at].lost.get_or_insert(moved);
                }
                cell.last.get_or_insert(moved);
                cell
            });
        }
    }

    /// An op uses the area as scratch: nothing in it means anything afterwards.
    pub(super) fn scratch(&mut self, area: Area, copies: &[u128], by: Blame) {
        let empty = Cell { last: Some(by), claims: Vec::new() };
        self.cells.update(area.lo, area.hi, |_, _, _| empty.clone());
        self.know(area, |_| Known::default());
        self.outdate(area, copies, by);
    }

    /// An op may use bytes of the area as scratch.
    pub(super) fn may_scratch(&mut self, area: Area, by: Blame) {
        self.cells.update(area.lo, area.hi, |_, _, cell| {
            let mut cell = cell.clone();
            doubt(&mut cell, area, by);
            cell
        });
        self.know(area, |known| Known { undefined: true, ..known });
    }

    /// Somebody takes all bytes of `[lo, hi)`, except from objects that `spare` names.
    pub(super) fn take(&mut self, lo: u128, hi: u128, by: Blame, spare: impl Fn(u32) -> bool) {
        self.cells.update(lo, hi, |_, _, cell| {
            let claims: Vec<Claim> =
                cell.claims.iter().filter(|c| spare(c.object)).copied().collect();
            Cell { last: Some(by), claims }
        });
    }

    /// What is known of the bytes of an area, by address.
    pub(super) fn known_pieces(&self, area: Area) -> Vec<(u128, u128, Known)> {
        let (lo, hi) = area.own();
        let mut pieces = Vec::new();
        self.known.visit(lo, hi, |lo, hi, known| {
            pieces.push((area.address(lo), area.address(hi), *known));
        });
        pieces
    }

    fn know(&mut self, area: Area, new: impl Fn(Known) -> Known) {
        let (lo, hi) = area.own();
        self.known.update(lo, hi, |_, _, known| new(*known));
    }

    fn outdate(&mut self, area: Area, copies: &[u128], by: Blame) {
        for &base in copies {
            let copy = shifted(area, base);
            let moved = Blame { how: How::Moved, ..by };
            self.cells.update(copy.lo, copy.hi, |_, _, cell| {
                let mut cell = cell.clone();
                if let Ok(at) = cell.claim(copy) {
                    cell.claims.remove(at);
                    cell.last = Some(moved);
                }
                cell.last.get_or_insert(moved);
                cell
            });
        }
    }
}

impl Claim {
    /// The bytes of the claim's object at `[lo, hi)`.
    pub(super) fn area(&self, lo: u128, hi: u128) -> Area {
        Area { buffer: BufferId(0), object: self.object, base: self.base, lo, hi }
    }
}

/// The same bytes of the object in another copy.
fn shifted(area: Area, base: u128) -> Area {
    let to = |key: u128| key.wrapping_sub(area.base).wrapping_add(base);
    Area { base, ..area.at(to(area.lo), to(area.hi)) }
}

/// Everybody else at this address may have lost it.
fn doubt(cell: &mut Cell, area: Area, by: Blame) {
    for claim in &mut cell.claims {
        if (claim.object, claim.base) != (area.object, area.base) {
            claim.lost.get_or_insert(by);
        }
    }
    cell.last.get_or_insert(by);
}
