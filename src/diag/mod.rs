//! Codes, source texts and diagnostics.

mod codes;
mod diagnostic;
mod loc;
mod place;
mod severity;
mod sources;

pub use codes::{ALL, Code};
pub use diagnostic::{Diagnostic, Label, Rendered};
pub use loc::{FileId, Loc};
pub use place::Place;
pub use severity::Severity;
pub use sources::{Source, Sources};
