//! Small documents with every kind of constraint.

use quickcheck::{Arbitrary, Gen};
use serde_json::{Value, json};

/// A document that the reader takes.
#[derive(Clone, Debug)]
pub(crate) struct Document(pub(crate) Value);

fn below(g: &mut Gen, n: u64) -> u64 {
    u64::arbitrary(g) % n
}

impl Arbitrary for Document {
    fn arbitrary(g: &mut Gen) -> Self {
        let pools = 1 + below(g, 2);
        let count = below(g, 7);
        let buffers: Vec<Value> = (0..count).map(|n| buffer(g, n, pools)).collect();
        let pool_of: Vec<u64> =
            buffers.iter().filter_map(|b| b["allowed_pools"][0].as_u64()).collect();
        let pools: Vec<Value> = (0..pools).map(|n| pool(g, n)).collect();
        let mut separations = pairs(g, count, 2);
        let exclusions = pairs(g, count, 2);
        // Only within a pool, and not against a separation.
        let some = u64::from(below(g, 4) == 0);
        let mut colocations = pairs(g, count, some);
        colocations.retain(|(a, b)| pool_of[*a as usize] == pool_of[*b as usize]);
        separations.retain(|(a, b)| {
            !colocations.iter().any(|(x, y)| (x.min(y), x.max(y)) == (a.min(b), a.max(b)))
        });
        let mut pins: Vec<Value> = Vec::new();
        if count > 0 && below(g, 3) == 0 {
            let n = below(g, count);
            let (buffer, pool) = (&buffers[n as usize], pool_of[n as usize]);
            let offset = below(g, 5) * buffer["alignment"].as_u64().unwrap_or(1);
            let end = offset + buffer["size"].as_u64().unwrap_or(0);
            // A pin on reserved bytes is an error of the document.
            let taken =
                |r: &Value| r["begin"].as_u64() < Some(end) && r["end"].as_u64() > Some(offset);
            let reserved = pools[pool as usize]["reserved_ranges"].as_array();
            if !reserved.is_some_and(|all| all.iter().any(taken)) {
                pins.push(json!({
                    "buffer": id(n), "pool": pool, "offset": offset,
                    "exclusive_for_all_time": bool::arbitrary(g),
                }));
            }
        }
        let penalties = pairs(g, count, 6);
        let penalties: Vec<Value> = penalties
            .into_iter()
            .map(|(a, b)| json!({"first": id(a), "second": id(b), "cost": below(g, 5), "reason": "drawn"}))
            .collect();
        let list = |all: Vec<(u64, u64)>| -> Vec<Value> {
            let one = |(a, b)| json!({"first": id(a), "second": id(b), "reasons": ["drawn"]});
            all.into_iter().map(one).collect()
        };
        let (terms, penalties) = if bool::arbitrary(g) {
            (json!(["capacity_overflow", "reuse_cost"]), penalties)
        } else {
            (json!(["total_peak", "max_peak"]), Vec::new())
        };
        Self(json!({
            "schema_version": 1,
            "instance": "generated",
            "problem": {
                "pools": pools,
                "buffers": buffers,
                "constraints": {
                    "separations": list(separations),
                    "temporal_exclusions": list(exclusions),
                    "colocations": list(colocations),
                    "pinned_allocations": pins,
                },
                "cost_model": {"reuse_penalties": penalties},
                "objective": {"aggregation": "lexicographic", "terms": terms},
            },
        }))
    }

    /// Without one constraint, price or reserved range after the other.
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let mut out = Vec::new();
        let lists = [
            "/problem/constraints/separations",
            "/problem/constraints/temporal_exclusions",
            "/problem/constraints/colocations",
            "/problem/constraints/pinned_allocations",
            "/problem/cost_model/reuse_penalties",
            "/problem/pools/0/reserved_ranges",
        ];
        for path in lists {
            let count = self.0.pointer(path).and_then(Value::as_array).map_or(0, Vec::len);
            for at in 0..count {
                let mut smaller = self.0.clone();
                if let Some(Value::Array(items)) = smaller.pointer_mut(path) {
                    items.remove(at);
                }
                out.push(Self(smaller));
            }
        }
        Box::new(out.into_iter())
    }
}

/// Ids are not places.
fn id(n: u64) -> u64 {
    n * 3 + 5
}

fn buffer(g: &mut Gen, n: u64, pools: u64) -> Value {
    let mut live = Vec::new();
    let mut at = below(g, 6);
    for _ in 0..=below(g, 2) {
        let end = at + 1 + below(g, 4);
        live.push(json!({"lower": at, "upper": end}));
        at = end + below(g, 3);
    }
    let alignment = [4, 4, 8, 12][below(g, 4) as usize];
    json!({
        "id": id(n), "name": format!("b{n}"), "size": below(g, 6) * 4, "alignment": alignment,
        "live_intervals": live, "allowed_pools": [below(g, pools)],
    })
}

fn pool(g: &mut Gen, n: u64) -> Value {
    let capacity = match below(g, 5) {
        0 => Value::Null,
        _ => json!(16 + below(g, 9) * 4),
    };
    let reserved: Vec<Value> = (0..below(g, 2))
        .map(|_| {
            let begin = below(g, 12);
            json!({"begin": begin, "end": begin + 1 + below(g, 6)})
        })
        .collect();
    json!({"id": n, "name": format!("pool{n}"), "capacity": capacity, "reserved_ranges": reserved})
}

/// Up to so many pairs of two buffers.
fn pairs(g: &mut Gen, count: u64, most: u64) -> Vec<(u64, u64)> {
    if count < 2 {
        return Vec::new();
    }
    let draw = |g: &mut Gen| {
        let a = below(g, count);
        let b = (a + 1 + below(g, count - 1)) % count;
        (a, b)
    };
    (0..below(g, most + 1)).map(|_| draw(g)).collect()
}
