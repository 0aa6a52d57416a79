//! Memory to look at: a page, a drawing, a trace.
//!
//! A [`Picture`] holds the numbers once; [`html`] and [`svg`] draw them. Addresses go up, steps go to the
//! right, and the load stands over the map on the same steps:
//!
//! ```text
//!   load  |      ____
//!         |  ___|    |__      <- bytes in use at each step
//!         |_|___________|__
//!   map   |  [ a     ]        <- a buffer: its bytes by its life
//!         |  [ b ][ c   ]
//!         +----------------> step
//! ```

mod columns;
mod cover;
mod load;
mod names;
mod pipes;
mod shares;
mod sheet;
mod stack;
mod steps;

pub mod html;
pub mod svg;

#[cfg(test)]
mod tests;

pub(super) use load::Piece;
pub use sheet::{Drawn, Extra, Note, Picture};
