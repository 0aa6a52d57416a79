//! How much to show, and how wide.

/// How much to show, and how wide.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// Columns of the terminal.
    pub width: usize,
    /// Only verdicts.
    pub quiet: bool,
    /// Everything: all rows, all attempts.
    pub verbose: bool,
}

impl Default for View {
    fn default() -> Self {
        Self { width: 80, quiet: false, verbose: false }
    }
}

impl View {
    /// How many of `total` rows to show.
    pub(super) fn rows(self, total: usize) -> usize {
        const MANY: usize = 40;
        // A handful more is shorter than saying that they are left out.
        if self.verbose || total <= MANY + 5 { total } else { MANY }
    }
}
