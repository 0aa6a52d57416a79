//! Valid modules made of choices, as text: what properties and fuzz targets feed to the reader and
//! to all that follows.
//!
//! They look like what XLA leaves after copy insertion: loop state that changes, operands that are
//! updated in place and donated parameters are overwritten only when nobody needs them any more. So
//! values of a must-alias group are never alive at the same time, in any order that the module allows.
//!
//! ```text
//!   choices -> writer (module) -> scope (computation) -> arrays, tuples, updates, fusions, calls, asyncs
//!                                                        -> results (what a computation returns)
//! ```

mod arrays;
mod asyncs;
mod branches;
mod choices;
mod entry;
mod fusions;
mod loops;
mod results;
mod scope;
mod shapes;
#[cfg(test)]
mod tests;
mod tuples;
mod update_fusions;
mod updates;
mod writer;

use choices::Choices;
use scope::{Pending, Scope, Storage, Value};
use writer::Writer;

/// The module of a seed, of about `size` instructions in its entry and some ten times as many in the
/// rest.
pub fn random_module(seed: u64, size: usize) -> String {
    Writer::new(Choices::Seed(seed)).module(size)
}

/// The module that bytes choose: one byte a choice, zeros after the last.
pub fn module_of(bytes: &[u8]) -> String {
    let size = 1 + bytes.len() / 8;
    Writer::new(Choices::Bytes(bytes)).module(size.min(200))
}

/// Where computations stop to call others.
const DEPTH: usize = 2;

impl Scope {
    /// Writes about so many instructions.
    fn steps(&mut self, w: &mut Writer, count: usize) {
        let inner = 2 + count.min(16) / 3;
        for _ in 0..count {
            let may_call = self.depth < DEPTH && !(self.depth > 0 && w.choices.once_in(2));
            let made = match w.choices.below(24) {
                0..8 => self.array_step(w),
                8..10 => self.tuple_step(w),
                10..13 => self.update_step(w),
                13..17 => self.fusion_step(w),
                17 | 18 => self.async_step(w),
                19 => self.finish_pending(w),
                20 | 21 if may_call => self.while_loop(w, inner),
                22 if may_call => self.conditional(w, inner),
                23 if may_call => self.call(w, inner),
                _ => self.array_step(w),
            };
            self.pool.extend(made);
        }
    }
}
