//! What would happen with fewer slots, another tile, two kernels in one, less memory.
//!
//! Everything here turns a problem into another one, or says why there is none; who plans it, and who
//! judges the plan, is the caller's business. Another target is another reading of the text: the
//! caller's business, too.

mod change;
mod factor;
mod fused;
mod minimum;
mod scaled;
mod slots;
mod sweep;
#[cfg(test)]
mod tests;

pub use change::{Change, changed};
pub use factor::Factor;
pub use fused::fused;
pub use minimum::{Minimum, min_capacity};
pub use scaled::{resized, scaled};
pub use slots::with_slots;
pub use sweep::{dimensions, multi_buffers};

use crate::model::Function;

/// Checks that sizes can be added up in 64 bits, as readers do.
fn fits(function: &Function) -> Result<(), String> {
    let bytes = |b: &crate::model::Buffer| {
        let pins = b.pin.iter().flatten().copied().max().unwrap_or(0);
        (u128::from(b.size.0) + u128::from(b.alignment)) * u128::from(b.slots) + u128::from(pins)
    };
    let total: u128 = function.buffers.iter().map(bytes).sum();
    match u64::try_from(total) {
        Ok(_) => Ok(()),
        Err(_) => Err("the sum of all sizes does not fit 64 bits".to_owned()),
    }
}
