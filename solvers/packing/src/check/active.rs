//! The pieces that are alive at the moment of a sweep, in the order of their lowest byte.

use super::pieces::Piece;

/// The largest end of some pieces, and the largest end among those of any other family.
///
/// With the second one a search can pass over its own family without looking at each member.
#[derive(Clone, Copy, Default)]
struct Reach {
    hi: u64,
    family: u32,
    other: u64,
}

impl Reach {
    fn beside(self, family: u32) -> u64 {
        if self.family == family { self.other } else { self.hi }
    }

    fn merge(self, that: Self) -> Self {
        let (top, low) = if self.hi >= that.hi { (self, that) } else { (that, self) };
        Self { other: top.other.max(low.beside(top.family)), ..top }
    }
}

/// A binary tree over all pieces, sorted by lowest byte; a node knows the largest end of the
/// live pieces under it. Asking for `[lo, hi)` visits only subtrees that hold an answer:
///
/// ```text
///   bytes  0    2    4    6    8   10
///          [ a     ]                     sorted by lowest byte: a b c d
///            [ b        ]                ask for [5, 7): d starts too late (it is cut off on
///                 [ c ]                  the right), the tree over a b c reaches to 6 > 5,
///                           [ d  ]       its left half too: b is found, a is not
/// ```
pub(super) struct Active {
    /// Lowest bytes, ascending.
    lows: Vec<u64>,
    /// Indices of pieces, in that order.
    order: Vec<u32>,
    /// The place of each piece in that order.
    place: Vec<u32>,
    /// Node 1 is the root, node `i` has the children `2i` and `2i + 1`.
    tree: Vec<Reach>,
    leaves: usize,
}

impl Active {
    pub(super) fn new(pieces: &[Piece]) -> Self {
        let mut order: Vec<u32> = (0..pieces.len() as u32).collect();
        order.sort_by_key(|&p| (pieces[p as usize].lo, p));
        let mut place = vec![0; pieces.len()];
        for (at, &p) in order.iter().enumerate() {
            place[p as usize] = at as u32;
        }
        let lows = order.iter().map(|&p| pieces[p as usize].lo).collect();
        let leaves = pieces.len().next_power_of_two();
        Self { lows, order, place, tree: vec![Reach::default(); 2 * leaves], leaves }
    }

    pub(super) fn insert(&mut self, piece: u32, pieces: &[Piece]) {
        let Piece { hi, family, .. } = pieces[piece as usize];
        self.set(piece, Reach { hi, family, other: 0 });
    }

    pub(super) fn remove(&mut self, piece: u32) {
        self.set(piece, Reach::default());
    }

    fn set(&mut self, piece: u32, reach: Reach) {
        let mut node = self.leaves + self.place[piece as usize] as usize;
        self.tree[node] = reach;
        while node > 1 {
            node /= 2;
            self.tree[node] = self.tree[2 * node].merge(self.tree[2 * node + 1]);
        }
    }

    /// Calls `found` for every live piece of another family that shares a byte with `piece`.
    pub(super) fn overlapping(&self, piece: &Piece, found: &mut impl FnMut(u32)) {
        let end = self.lows.partition_point(|&lo| lo < piece.hi);
        self.visit(1, 0, self.leaves, end, piece, found);
    }

    fn visit(
        &self,
        node: usize,
        first: usize,
        width: usize,
        end: usize,
        piece: &Piece,
        found: &mut impl FnMut(u32),
    ) {
        if first >= end || self.tree[node].beside(piece.family) <= piece.lo {
            return;
        }
        if width == 1 {
            found(self.order[first]);
            return;
        }
        let half = width / 2;
        self.visit(2 * node, first, half, end, piece, found);
        self.visit(2 * node + 1, first + half, half, end, piece, found);
    }
}
