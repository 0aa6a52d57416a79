//! What the check of owed edges promises.

mod carried;
mod cases;
mod document;
mod kernel;
mod naive;
mod oracle;
mod walks;
