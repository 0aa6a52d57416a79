//! What the check of owed edges promises.

mod cases;
mod document;
mod kernel;
mod naive;
mod oracle;
