//! One line of progress on a terminal, and Ctrl-C.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::plan::Progress;
use crate::report::words;

/// The exit code of a process that Ctrl-C has ended, by convention.
const INTERRUPTED: i32 = 130;

/// A line that says how far a run is; nothing where nobody would see it.
pub(super) struct Line {
    bar: ProgressBar,
}

impl Line {
    /// The line; `seen` says whether there is a terminal.
    pub(super) fn new(seen: bool) -> Self {
        if !seen {
            return Self { bar: ProgressBar::hidden() };
        }
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}{msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Self { bar }
    }

    /// Says which of several inputs is at work, from now on.
    pub(super) fn input(&self, at: usize, of: usize) {
        if of > 1 {
            self.bar.set_prefix(format!("{at} of {of}  "));
        }
    }

    /// Shows where the planner is.
    pub(super) fn show(&self, progress: &Progress) {
        if !self.bar.is_hidden() {
            self.bar.set_message(line(progress));
        }
    }

    /// Takes the line away while something else is printed.
    pub(super) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// `f ub  exact  level slot  12,345 nodes  best 182,272 B  bound 180,224 B`.
fn line(p: &Progress) -> String {
    let mut words = vec![
        format!("{} {}", words::name(&p.function), words::name(&p.scope)),
        p.solver.to_owned(),
    ];
    if let Some(level) = p.level {
        words.push(format!("level {}", level.name()));
    }
    words.push(format!("{} nodes", words::number(p.nodes)));
    if let Some(best) = p.best {
        words.push(format!("best {}", words::bytes(best)));
    }
    words.push(format!("bound {}", words::bytes(p.bound)));
    if let Some(best) = p.best {
        words.push(format!("gap {}", words::percent(best.saturating_sub(p.bound), best)));
    }
    words.join("  ")
}

/// Lets the first Ctrl-C end the search, and the second the process.
pub(super) fn on_interrupt(cancel: &Arc<AtomicBool>) {
    let cancel = Arc::clone(cancel);
    // Without a handler Ctrl-C ends the process, which leaves no half file either.
    let _ = ctrlc::set_handler(move || {
        if cancel.swap(true, Ordering::SeqCst) {
            process::exit(INTERRUPTED);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ReuseLevel;

    #[test]
    fn the_line_says_where_the_search_is() {
        let progress = Progress {
            function: "main".to_owned(),
            scope: "ub".to_owned(),
            level: Some(ReuseLevel::Slot),
            solver: "exact",
            nodes: 12_345,
            best: Some(182_272),
            bound: 180_224,
        };
        let text = "main ub  exact  level slot  12,345 nodes  best 182,272 B  bound 180,224 B  \
                    gap 1.1 %";
        assert_eq!(line(&progress), text);
    }
}
