//! One dimension of a kernel scaled.
//!
//! A buffer says which dimensions it grows with ([`crate::model::Growth`]). Sizes of plain shapes follow
//! from the new dimensions; other sizes (given as such, with padded rows) grow in proportion, rounded up.
//! What ops touch of a buffer grows in the same proportion, rounded outwards: what covered a range
//! before covers it afterwards. Views must come out in whole bytes, because views of views add up.

use std::collections::BTreeMap;

use super::factor::Factor;
use super::fits;
use crate::model::{
    Buffer, BufferId, ByteRange, Bytes, ElementShape, Function, RelationKind, ValueId, ValueKind,
};

/// The function with one dimension scaled by a factor.
///
/// # Errors
/// Why there is no such function, as a fragment.
pub fn scaled(function: &Function, dimension: &str, by: Factor) -> Result<Function, String> {
    let mut axes: BTreeMap<BufferId, Vec<Option<u32>>> = BTreeMap::new();
    for growth in function.growth.iter().filter(|g| g.dimension == dimension) {
        axes.entry(growth.buffer).or_default().push(growth.axis);
    }
    if axes.is_empty() {
        return Err(format!("nothing scales with `{dimension}`"));
    }
    let mut grown = BTreeMap::new();
    for (id, axes) in axes {
        let buffer = &function.buffers[id];
        let dims = buffer.shape.as_ref().map(|shape| {
            let mut dims = shape.dims.clone();
            for axis in axes.iter().flatten() {
                let dim = dims.get_mut(*axis as usize)?;
                *dim = by.up(*dim)?;
            }
            Some(dims)
        });
        let dims = dims.flatten();
        let mut size = Some(buffer.size.0);
        for _ in &axes {
            size = size.and_then(|size| by.up(size));
        }
        grown.insert(id, new_size(buffer, dims, size)?);
    }
    regrown(function, &grown)
}

/// The function in which every dimension of `from` elements has `to`.
///
/// # Errors
/// Why there is no such function, as a fragment.
pub fn resized(function: &Function, from: u64, to: u64) -> Result<Function, String> {
    let by = Factor::new(to, from).ok_or("a dimension has at least one element")?;
    let mut grown = BTreeMap::new();
    for (id, buffer) in function.buffers.enumerate() {
        let Some(shape) = &buffer.shape else { continue };
        let equal = shape.dims.iter().filter(|dim| **dim == from).count();
        if equal == 0 {
            continue;
        }
        let dims = shape.dims.iter().map(|&dim| if dim == from { to } else { dim }).collect();
        let mut size = Some(buffer.size.0);
        for _ in 0..equal {
            size = size.and_then(|size| by.up(size));
        }
        grown.insert(id, new_size(buffer, Some(dims), size)?);
    }
    if grown.is_empty() {
        return Err(format!("no dimension has {from} elements"));
    }
    regrown(function, &grown)
}

/// The size and shape of a buffer with other dimensions; `in_proportion` is its size where no plain
/// shape tells it.
fn new_size(
    buffer: &Buffer,
    dims: Option<Vec<u64>>,
    in_proportion: Option<u64>,
) -> Result<(u64, Option<ElementShape>), String> {
    let too_large = || format!("`{}` does not fit 64 bits", buffer.name);
    let plain = buffer.shape.as_ref().filter(|shape| {
        shape.strides.is_none() && plain(&shape.dims, shape.bits) == Some(buffer.size.0)
    });
    match (plain, dims) {
        (Some(shape), Some(dims)) => {
            let size = self::plain(&dims, shape.bits).ok_or_else(too_large)?;
            Ok((size, Some(ElementShape { dims, ..shape.clone() })))
        }
        // Padding is not known to grow or to stay, so there is no shape to show.
        _ => Ok((in_proportion.ok_or_else(too_large)?, None)),
    }
}

/// Bytes of a shape without padding.
fn plain(dims: &[u64], bits: u64) -> Option<u64> {
    if dims.contains(&0) {
        return Some(0);
    }
    let elements = dims.iter().try_fold(1u128, |all, dim| all.checked_mul(u128::from(*dim)))?;
    u64::try_from(elements.checked_mul(u128::from(bits))?.div_ceil(8)).ok()
}

/// The function with new sizes, and everything that counts bytes of those buffers.
fn regrown(
    function: &Function,
    grown: &BTreeMap<BufferId, (u64, Option<ElementShape>)>,
) -> Result<Function, String> {
    let mut out = function.clone();
    let mut factors: BTreeMap<BufferId, Factor> = BTreeMap::new();
    for (&id, (size, shape)) in grown {
        let buffer = &mut out.buffers[id];
        if let Some(factor) = Factor::new(*size, buffer.size.0) {
            factors.insert(id, factor);
        }
        (buffer.size, buffer.shape) = (Bytes(*size), shape.clone());
    }
    let factors = Factors { function, factors };
    for value in out.values.iter_mut() {
        let ValueKind::View { base, delta, length } = &mut value.kind else { continue };
        for part in [delta, length].into_iter().flatten().filter(|part| **part > 0) {
            let Some(by) = factors.of(*base)? else { continue };
            *part = by.exactly(*part).ok_or_else(|| {
                format!("view `{}` is no whole number of bytes any more", value.name)
            })?;
        }
    }
    for op in out.ops.iter_mut() {
        for access in &mut op.accesses {
            let Some(range) = access.range else { continue };
            let Some(by) = factors.of(access.value)? else { continue };
            let ends = by.down(range.start).zip(by.up(range.end));
            let (start, end) = ends.ok_or("a range does not fit 64 bits")?;
            access.range = Some(ByteRange::new(start, end));
        }
    }
    for relation in &mut out.relations {
        let RelationKind::Colocate { delta } = &mut relation.kind else { continue };
        if *delta == 0 {
            continue;
        }
        let [a, b] = [relation.first, relation.second].map(|id| factors.factors.get(&id));
        let distance = match (a, b) {
            (None, None) => continue,
            (Some(a), Some(b)) if a == b => a.exactly(*delta),
            _ => None,
        };
        let names = [relation.first, relation.second].map(|id| function.buffers[id].name.as_str());
        *delta = distance
            .ok_or_else(|| format!("`{}` and `{}` lie {delta} bytes apart", names[0], names[1]))?;
    }
    fits(&out)?;
    Ok(out)
}

/// By how much buffers grow.
struct Factors<'a> {
    function: &'a Function,
    factors: BTreeMap<BufferId, Factor>,
}

impl Factors<'_> {
    /// By how much the buffers grow that a value may stand for; none where none does.
    fn of(&self, value: ValueId) -> Result<Option<Factor>, String> {
        let roots = self.function.roots(value);
        let mut all = roots.iter().map(|id| self.factors.get(id).copied());
        let first = all.next().flatten();
        if all.any(|factor| factor != first) {
            let name = &self.function.values[value].name;
            return Err(format!("`{name}` stands for parts of buffers that scale differently"));
        }
        Ok(first)
    }
}
