//! How to plan an input whose file says something else than that of the run.

use crate::cli::args::{Level, Liveness};
use crate::plan::Options;

/// What an input has of its own among the options of the planner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Own {
    /// A level below which its buffers do not share, or that there is none.
    pub(super) level: Option<Option<Level>>,
    /// Whose live ranges.
    pub(super) liveness: Option<Liveness>,
}

impl Own {
    /// The options for the input, from those of the run.
    pub(crate) fn options(&self, run: &Options) -> Options {
        let mut own = run.clone();
        if let Some(level) = self.level {
            own.level = level.map(Into::into);
        }
        if let Some(liveness) = self.liveness {
            own.liveness = liveness.into();
        }
        own
    }
}
