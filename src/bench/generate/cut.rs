//! A rectangle of time and bytes, cut into pieces.

use memplan_packing::random::SplitMix64;

use crate::bench::table::Line;

/// Bytes of the whole.
pub(super) const HEIGHT: u64 = ROWS * ROW;

/// Offsets and sizes are multiples of this.
const ROW: u64 = 1024;
const ROWS: u64 = 1024;

/// Steps of the whole for each piece.
const STEPS: u64 = 4;

/// A piece: steps `[left, right)`, rows `[low, high)`.
#[derive(Clone, Copy, Debug)]
struct Piece {
    left: u64,
    right: u64,
    low: u64,
    high: u64,
}

impl Piece {
    fn width(self) -> u64 {
        self.right - self.left
    }

    fn height(self) -> u64 {
        self.high - self.low
    }

    fn area(self) -> u64 {
        self.width() * self.height()
    }
}

/// The whole in `count` pieces, in no order: each with the offset at which it was cut out.
pub(super) fn cut(count: usize, random: &mut SplitMix64) -> Vec<(Line, u64)> {
    let steps = (count as u64 * STEPS).max(16);
    let mut pieces = vec![Piece { left: 0, right: steps, low: 0, high: ROWS }];
    while pieces.len() < count {
        let at = choose(&pieces, random);
        let piece = pieces[at];
        let room = piece.width() >= 3 && piece.height() >= 3;
        if count - pieces.len() >= 4 && room && random.chance(1, 5) {
            let [first, rest @ ..] = wheel(piece, random);
            pieces[at] = first;
            pieces.extend(rest);
        } else {
            let [first, second] = halves(piece, steps, random);
            pieces[at] = first;
            pieces.push(second);
        }
    }
    for last in (1..pieces.len()).rev() {
        pieces.swap(last, random.below(last as u64 + 1) as usize);
    }
    let line = |p: &Piece| (Line::new(p.left, p.right, p.height() * ROW, 1), p.low * ROW);
    pieces.iter().map(line).collect()
}

/// The larger of two pieces drawn, so that none gets too small; there are always some that can be cut,
/// because the whole has far more cells than pieces.
fn choose(pieces: &[Piece], random: &mut SplitMix64) -> usize {
    let mut draw = || random.below(pieces.len() as u64) as usize;
    let (a, b) = (draw(), draw());
    let larger = if pieces[a].area() >= pieces[b].area() { a } else { b };
    if pieces[larger].area() > 1 {
        return larger;
    }
    let all = pieces.iter().enumerate();
    all.max_by_key(|(_, piece)| piece.area()).map_or(0, |(at, _)| at)
}

/// Two pieces side by side or one on top of the other: mostly across the longer side.
fn halves(piece: Piece, steps: u64, random: &mut SplitMix64) -> [Piece; 2] {
    let wide = u128::from(piece.width()) * u128::from(ROWS)
        >= u128::from(piece.height()) * u128::from(steps);
    let across = wide == random.chance(3, 4);
    if (across || piece.height() < 2) && piece.width() >= 2 {
        let at = piece.left + point(piece.width(), random);
        [Piece { right: at, ..piece }, Piece { left: at, ..piece }]
    } else {
        let at = piece.low + point(piece.height(), random);
        [Piece { high: at, ..piece }, Piece { low: at, ..piece }]
    }
}

/// A point in the middle three fifths of a length, never an end of it.
fn point(length: u64, random: &mut SplitMix64) -> u64 {
    let from = (length / 5).max(1);
    from + random.below(length - 2 * from + 1)
}

/// Five pieces around a middle one, which no straight cut takes apart.
fn wheel(p: Piece, random: &mut SplitMix64) -> [Piece; 5] {
    let mut inner = |from: u64, length: u64| {
        let first = 1 + random.below(length - 2);
        let second = first + 1 + random.below(length - 1 - first);
        (from + first, from + second)
    };
    let (a, b) = inner(p.left, p.width());
    let (c, d) = inner(p.low, p.height());
    [
        Piece { left: p.left, right: b, low: p.low, high: c },
        Piece { left: b, right: p.right, low: p.low, high: d },
        Piece { left: a, right: p.right, low: d, high: p.high },
        Piece { left: p.left, right: a, low: c, high: p.high },
        Piece { left: a, right: b, low: c, high: d },
    ]
}
