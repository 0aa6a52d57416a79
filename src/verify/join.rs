//! Where two paths meet: every byte can be in the ways of either.

use super::memory::{Cell, Claim, Known, Memory};

impl Memory {
    /// The states of two paths that meet.
    pub(super) fn join(&mut self, other: &Self) {
        let mut pieces = Vec::new();
        self.cells.differences(&other.cells, |lo, hi, mine, theirs| {
            self.join_piece(other, (lo, hi), mine, theirs, &mut pieces);
            true
        });
        let mut known = Vec::new();
        self.known.differences(&other.known, |lo, hi, _, theirs| {
            known.push((lo, hi, *theirs));
            true
        });
        for (lo, hi, cell) in pieces {
            self.cells.update(lo, hi, |_, _, _| cell.clone());
        }
        for (lo, hi, theirs) in known {
            self.known.update(lo, hi, |_, _, mine| Known {
                undefined: mine.undefined || theirs.undefined,
                defined: mine.defined || theirs.defined,
            });
        }
    }

    /// A claim that only one side has is lost on the other, where the object can be defined there.
    /// That may change inside the piece, which is cut accordingly.
    fn join_piece(
        &self,
        other: &Self,
        (lo, hi): (u128, u128),
        mine: &Cell,
        theirs: &Cell,
        pieces: &mut Vec<(u128, u128, Cell)>,
    ) {
        let mut cuts = vec![lo, hi];
        for (cell, without, memory) in [(mine, theirs, other), (theirs, mine, self)] {
            for claim in &cell.claims {
                let area = claim.area(lo, hi);
                if without.claim(area).is_err() {
                    cuts.extend(memory.known_pieces(area).iter().map(|&(lo, _, _)| lo));
                }
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        for piece in cuts.windows(2) {
            let (lo, hi) = (piece[0], piece[1]);
            let mut cell = Cell { last: mine.last.or(theirs.last), claims: Vec::new() };
            for (from, with, memory) in [(mine, theirs, other), (theirs, mine, self)] {
                for claim in &from.claims {
                    let area = claim.area(lo, hi);
                    let Err(at) = cell.claim(area) else { continue };
                    let lost = match with.claim(area) {
                        Ok(at) => claim.lost.or(with.claims[at].lost),
                        Err(_) => {
                            let pieces = memory.known_pieces(area);
                            let defined = pieces.iter().any(|(_, _, known)| known.defined);
                            claim.lost.or(with.last.or(from.last).filter(|_| defined))
                        }
                    };
                    cell.claims.insert(at, Claim { lost, ..*claim });
                }
            }
            pieces.push((lo, hi, cell));
        }
    }
}
