//! The JSON body of `memplan explain`.

use schemars::JsonSchema;
use serde::Serialize;

/// Pages of codes.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Explain {
    /// The codes asked for.
    pub codes: Vec<Page>,
}

/// The page of one code.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Page {
    /// The stable code.
    pub code: &'static str,
    /// One sentence.
    pub title: &'static str,
    /// The page, in markdown.
    pub page: &'static str,
}
