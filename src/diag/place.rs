//! Places that outlive their texts.

/// A place in a text, for reports that outlive the text. Lines and columns count from 1; the end is one
/// past the last character.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The name of the text.
    pub file: String,
    /// The line of the first character.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The line of the end.
    pub end_line: u32,
    /// The column of the end.
    pub end_column: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
