//! What a run says to the machines that watch it: code scanning, test reports, annotations, summaries.
//!
//! All of them are made from one [`Run`] of [`crate::model::Remark`]s.

mod cases;
mod count;
#[cfg(test)]
pub(crate) mod fixture;
mod github;
mod junit;
mod markdown;
mod page;
mod remark;
mod run;
mod sarif;
mod summary;
#[cfg(test)]
mod tests;

pub use markdown::{code as markdown_code, table as markdown_table, text as markdown_text};
pub use remark::{of_diagnostic, of_owed, remark};
pub use run::{Case, Kind, Outcome, Run, render};
pub use summary::summary;
