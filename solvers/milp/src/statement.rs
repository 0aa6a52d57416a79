//! The program.
//!
//! ```text
//!   min h, or h plus so much per unit of cost that no h makes up for it
//!   base(c) + extent(c) <= h
//!   base(c) = residue + modulus * k(c)                       where an alignment asks for it
//!   first below second:  y(first) + size <= y(second) + M (1 - p)
//!   or above:            y(second) + size <= y(first) + M p           with M for each row
//!   in place:            p + q + e = 1 instead, and |y(first) - y(second)| <= M (1 - e)
//!   pair with a price:   p + q + c = 1 instead, and c pays
//!   reserved range:      below it or above it, as with a pair
//! ```
//!
//! Every `M` is as small as the bounds of its two sides allow under the best peak known.

use good_lp::solvers::microlp::{MicroLpProblem, microlp};
use good_lp::{Expression, ProblemVariables, SolverModel, Variable, constraint, variable};
use memplan_packing::{ItemId, Packing};

use crate::granule::{gcd, granule};
use crate::order::{Frame, Order};
use crate::report::Model;

/// Larger multiples of an alignment are left to the decoder: integer columns end at `i32`.
const MAX_MULTIPLE: u64 = 1 << 20;

/// Columns of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Columns {
    /// The bounds leave one order.
    Fixed(Order),
    /// 1 says the first is below, 0 above.
    Two(usize),
    /// Below, above, equal.
    Three(usize, usize, usize),
    /// Below and above where the bounds allow them; otherwise it is paid.
    Priced(Option<usize>, Option<usize>),
}

/// A stated program.
pub(crate) struct Statement {
    pub(crate) problem: MicroLpProblem,
    pub(crate) model: Model,
    /// For each pair of the frame its columns.
    pub(crate) columns: Vec<Columns>,
    /// The values of all columns that a known packing has.
    pub(crate) start: Option<Vec<f64>>,
}

/// Bounds of the offsets of one item, in bytes.
#[derive(Clone, Copy)]
struct Bounds {
    low: i128,
    high: i128,
    size: i128,
}

struct Writer<'a, 'i> {
    frame: &'a Frame<'i>,
    /// Lengths of the program per byte.
    scale: f64,
    /// Offsets are multiples of it anyway.
    granule: u64,
    variables: ProblemVariables,
    rows: Vec<good_lp::Constraint>,
    bases: Vec<Expression>,
    bounds: Vec<(u64, u64)>,
    columns: usize,
    disjunctions: usize,
    start: Vec<f64>,
    paid: Expression,
    known: Option<&'a Packing>,
}

/// States the program; nothing above `most` bytes is of interest. `None` when some composite has
/// no place under it.
pub(crate) fn state(
    frame: &Frame<'_>,
    scale: f64,
    least: u64,
    most: u64,
    known: Option<&Packing>,
) -> Option<Statement> {
    let mut writer = Writer {
        frame,
        scale,
        granule: granule(frame.instance),
        variables: ProblemVariables::new(),
        rows: Vec::new(),
        bases: Vec::new(),
        bounds: Vec::new(),
        columns: 0,
        disjunctions: 0,
        start: Vec::new(),
        paid: Expression::from(0.0),
        known,
    };
    let top = most as f64 * scale;
    let peak = known.map_or(top, |packing| packing.peak(frame.instance) as f64 * scale);
    let (h, _) = writer.column(variable().min((least as f64 * scale).min(top)).max(top), peak);
    for c in 0..frame.composites.len() as u32 {
        writer.composite(c, h, most)?;
    }
    let mut columns = Vec::with_capacity(frame.pairs.len());
    for index in 0..frame.pairs.len() {
        columns.push(writer.pair(index)?);
    }
    for item in 0..frame.instance.items.len() as ItemId {
        for r in &frame.instance.reserved {
            writer.wall(item, r.start, r.end)?;
        }
    }
    let Writer { variables, rows, columns: count, disjunctions, start, paid, .. } = writer;
    let model = Model { variables: count, rows: rows.len(), disjunctions };
    let unit = frame.pairs.iter().filter_map(|pair| pair.price).fold(0, gcd).max(1);
    let weight = (top - least as f64 * scale).max(0.0) + 1.0;
    let mut problem = variables.minimise(h + paid * (weight / unit as f64)).using(microlp);
    rows.into_iter().for_each(|row| {
        problem.add_constraint(row);
    });
    Some(Statement { problem, model, columns, start: known.map(|_| start) })
}

impl Writer<'_, '_> {
    /// Adds a column; `value` is what the known packing says.
    fn column(&mut self, definition: good_lp::VariableDefinition, value: f64) -> (Variable, usize) {
        let column = self.variables.add(definition);
        self.start.push(value);
        self.columns += 1;
        (column, self.columns - 1)
    }

    fn binary(&mut self, value: bool) -> (Variable, usize) {
        self.column(variable().binary(), f64::from(u8::from(value)))
    }

    fn composite(&mut self, c: u32, h: Variable, most: u64) -> Option<()> {
        let shape = *self.frame.composites.get(c);
        let takes_bytes = shape.extent > 0;
        let high =
            if takes_bytes { shape.high.min(most.checked_sub(shape.extent)?) } else { shape.low };
        let low = shape.align(0)?;
        if low > high {
            // A composite without bytes lies where it must; its base is in no row.
            return (!takes_bytes).then(|| {
                self.bases.push(Expression::from(0.0));
                self.bounds.push((0, 0));
            });
        }
        let known = self.known.and_then(|packing| {
            let member = self.frame.composites.members(c).first()?;
            packing.offsets[member.item as usize].checked_sub(member.delta)
        });
        let known = known.unwrap_or(low);
        let multiples = (high - low) / shape.modulus;
        let asks = !self.granule.is_multiple_of(shape.modulus);
        let base = if asks && multiples <= MAX_MULTIPLE {
            let value = (known.saturating_sub(low) / shape.modulus) as f64;
            let k = variable().integer().min(0.0).max(multiples as f64);
            let (k, _) = self.column(k, value);
            low as f64 * self.scale + shape.modulus as f64 * self.scale * k
        } else {
            let (low, high) = (low as f64 * self.scale, high as f64 * self.scale);
            let (base, _) = self.column(variable().min(low).max(high), known as f64 * self.scale);
            Expression::from(base)
        };
        let extent = shape.extent as f64 * self.scale;
        if takes_bytes {
            self.rows.push(constraint!(base.clone() + extent <= h));
        }
        self.bases.push(base);
        self.bounds.push((low, high));
        Some(())
    }

    fn bounds(&self, item: ItemId) -> Bounds {
        let (c, delta) = self.frame.at(item);
        let (low, high) = self.bounds[c as usize];
        let (low, high, delta) = (i128::from(low), i128::from(high), i128::from(delta));
        let size = i128::from(self.frame.instance.items[item as usize].size);
        Bounds { low: low + delta, high: high + delta, size }
    }

    /// Bytes as a length of the program.
    fn length(&self, bytes: i128) -> f64 {
        bytes as f64 * self.scale
    }

    fn offset(&self, item: ItemId) -> Expression {
        let (c, delta) = self.frame.at(item);
        self.bases[c as usize].clone() + delta as f64 * self.scale
    }

    /// One pair; `None` when no order is possible.
    fn pair(&mut self, index: usize) -> Option<Columns> {
        let pair = self.frame.pairs[index];
        let (a, b) = (self.bounds(pair.first), self.bounds(pair.second));
        let below = a.low + a.size <= b.high;
        let above = b.low + b.size <= a.high;
        let equal = pair.equal && a.low <= b.high && b.low <= a.high;
        let (x, y) = (self.offset(pair.first), self.offset(pair.second));
        let (sa, sb) = (self.length(a.size), self.length(b.size));
        let (m, n) = (self.length(a.high + a.size - b.low), self.length(b.high + b.size - a.low));
        let order = self.known.map(|packing| {
            let at = |id: ItemId| packing.offsets[id as usize];
            match at(pair.first).cmp(&at(pair.second)) {
                std::cmp::Ordering::Less => Order::Below,
                std::cmp::Ordering::Equal => Order::Equal,
                std::cmp::Ordering::Greater => Order::Above,
            }
        });
        if let Some(price) = pair.price {
            self.disjunctions += 1;
            let known = self.known.map(|packing| {
                let at = |id: ItemId| i128::from(packing.offsets[id as usize]);
                let (x, y) = (at(pair.first), at(pair.second));
                (x + a.size <= y, y + b.size <= x)
            });
            let (mut sum, mut columns) = (Expression::from(0.0), (None, None));
            if below {
                let (p, column) = self.binary(known.is_some_and(|known| known.0));
                self.rows.push(constraint!(x.clone() + sa + m * p <= y.clone() + m));
                sum += p;
                columns.0 = Some(column);
            }
            if above {
                let (q, column) = self.binary(known.is_some_and(|known| known.1));
                self.rows.push(constraint!(y + sb + n * q <= x + n));
                sum += q;
                columns.1 = Some(column);
            }
            let (c, _) = self.binary(known.is_some_and(|known| !known.0 && !known.1));
            self.rows.push(constraint!(sum + c == 1.0));
            self.paid += price as f64 * c;
            return Some(Columns::Priced(columns.0, columns.1));
        }
        match (below, above, equal) {
            (true, false, false) => {
                self.rows.push(constraint!(x + sa <= y));
                Some(Columns::Fixed(Order::Below))
            }
            (false, true, false) => {
                self.rows.push(constraint!(y + sb <= x));
                Some(Columns::Fixed(Order::Above))
            }
            (false, false, true) => {
                self.rows.push(constraint!(x == y));
                Some(Columns::Fixed(Order::Equal))
            }
            (true, true, false) => {
                self.disjunctions += 1;
                let (p, column) = self.binary(order == Some(Order::Below));
                self.rows.push(constraint!(x.clone() + sa + m * p <= y.clone() + m));
                self.rows.push(constraint!(y + sb <= x + n * p));
                Some(Columns::Two(column))
            }
            (_, _, true) => {
                self.disjunctions += 1;
                let (p, below_column) = self.binary(order == Some(Order::Below));
                let (q, above_column) = self.binary(order == Some(Order::Above));
                let (e, equal_column) = self.binary(order == Some(Order::Equal));
                self.rows.push(constraint!(x.clone() + sa + m * p <= y.clone() + m));
                self.rows.push(constraint!(y.clone() + sb + n * q <= x.clone() + n));
                let m = self.length((a.high - b.low).max(0));
                let n = self.length((b.high - a.low).max(0));
                self.rows.push(constraint!(x.clone() + m * e <= y.clone() + m));
                self.rows.push(constraint!(y + n * e <= x + n));
                self.rows.push(constraint!(p + q + e == 1.0));
                Some(Columns::Three(below_column, above_column, equal_column))
            }
            (false, false, false) => None,
        }
    }

    /// One item and one reserved range; `None` when it fits neither below nor above.
    fn wall(&mut self, item: ItemId, start: u64, end: u64) -> Option<()> {
        let a = self.bounds(item);
        if a.size == 0 {
            return Some(());
        }
        let (start, end) = (i128::from(start), i128::from(end));
        let (below, above) = (a.low + a.size <= start, end <= a.high);
        let x = self.offset(item);
        let (size, from, to) = (self.length(a.size), self.length(start), self.length(end));
        match (below, above) {
            (true, true) => {
                self.disjunctions += 1;
                let known = self.known.map(|packing| i128::from(packing.offsets[item as usize]));
                let (p, _) = self.binary(known.is_some_and(|known| known < start));
                let m = self.length(a.high + a.size - start);
                let n = self.length(end - a.low);
                self.rows.push(constraint!(x.clone() + size + m * p <= from + m));
                self.rows.push(constraint!(x + n * p >= to));
            }
            (true, false) => self.rows.push(constraint!(x + size <= from)),
            (false, true) => self.rows.push(constraint!(x >= to)),
            (false, false) => return None,
        }
        Some(())
    }
}
