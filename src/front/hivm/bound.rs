//! What an SSA value stands for in the model, and what a view of it is.

use crate::ir::mlir::{Layout, MemRef, Type};
use crate::model::ValueId;

/// A tracked value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    /// The value of the model.
    pub(super) value: ValueId,
    /// The value at which offsets are counted from: the buffer, or the carry or result that the
    /// memref came through.
    pub(super) origin: ValueId,
    /// The layout offset of `origin` in bits; none when it is not known.
    pub(super) origin_bits: Option<i64>,
    /// True when it may also be memory that nobody tracks (an argument of the function).
    pub(super) maybe: bool,
    /// False when a write through it may leave bytes of its range as they were: strides, dynamic
    /// sizes.
    pub(super) dense: bool,
}

impl Bound {
    /// A buffer, or a name that stands for a whole memref of this type.
    pub(super) fn whole(value: ValueId, ty: &Type) -> Self {
        let memref = ty.memref();
        let bits = memref.and_then(|m| bits(m).zip(m.offset()));
        let origin_bits = match memref {
            Some(_) => bits.and_then(|(bits, offset)| bits.checked_mul(offset)),
            None => Some(0),
        };
        let dense = memref.is_none_or(|m| window(m).is_some_and(|w| w.dense));
        Self { value, origin: value, origin_bits, maybe: false, dense }
    }
}

/// The bytes that a view covers, counted from an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// From its first to its last element, in bits.
    pub(super) bits: i64,
    /// True when every bit between belongs to it.
    pub(super) dense: bool,
}

fn bits(memref: &MemRef) -> Option<i64> {
    memref.element.bits().map(i64::from)
}

/// The extent of a memref; none when a dimension or stride is dynamic or not readable.
pub(super) fn window(memref: &MemRef) -> Option<Window> {
    let bits = bits(memref)?;
    let dims = memref.dims.as_ref()?;
    let mut sizes = Vec::with_capacity(dims.len());
    for dim in dims {
        sizes.push(i64::try_from((*dim)?).ok()?);
    }
    let count = sizes.iter().try_fold(1i64, |all, n| all.checked_mul(*n))?;
    if count == 0 {
        return Some(Window { bits: 0, dense: true });
    }
    let span = match &memref.layout {
        Layout::Identity => count,
        Layout::Strided { strides, .. } if strides.len() == sizes.len() => {
            let mut last = 0i64;
            for (size, stride) in sizes.iter().zip(strides) {
                let stride = (*stride)?;
                if stride < 0 {
                    return None;
                }
                last = last.checked_add((size - 1).checked_mul(stride)?)?;
            }
            last.checked_add(1)?
        }
        Layout::Strided { .. } | Layout::Other(_) => return None,
    };
    Some(Window { bits: span.checked_mul(bits)?, dense: span == count })
}

/// The offset and length in bytes of a view of this type, counted from an origin whose layout
/// offset is `origin_bits`; `None` where they are not known.
pub(super) fn place(memref: &MemRef, origin_bits: Option<i64>) -> (Option<u64>, Option<u64>, bool) {
    let delta = || {
        let start = bits(memref)?.checked_mul(memref.offset()?)?.checked_sub(origin_bits?)?;
        (start >= 0 && start % 8 == 0).then_some(())?;
        u64::try_from(start / 8).ok()
    };
    let window = window(memref);
    let length = window.and_then(|w| u64::try_from(w.bits).ok()).map(|bits| bits.div_ceil(8));
    (delta(), length, window.is_some_and(|w| w.dense))
}
