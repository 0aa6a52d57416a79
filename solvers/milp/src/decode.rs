//! From column values to an order.

use crate::order::Order;
use crate::statement::{Columns, Statement};

/// The order of every pair, as the values tell it; nothing else of them is used.
pub(crate) fn orders(statement: &Statement, values: &[f64]) -> Vec<Order> {
    let value = |column: usize| values.get(column).copied().unwrap_or(0.0);
    let order = |columns: &Columns| match *columns {
        Columns::Fixed(order) => order,
        Columns::Two(below) if value(below) > 0.5 => Order::Below,
        Columns::Two(_) => Order::Above,
        Columns::Priced(below, above) => match (below.map(value), above.map(value)) {
            (Some(p), _) if p > 0.5 => Order::Below,
            (_, Some(q)) if q > 0.5 => Order::Above,
            _ => Order::Free,
        },
        Columns::Three(below, above, equal) => {
            let (p, q, e) = (value(below), value(above), value(equal));
            match () {
                () if e >= p && e >= q => Order::Equal,
                () if p >= q => Order::Below,
                () => Order::Above,
            }
        }
    };
    statement.columns.iter().map(order).collect()
}
