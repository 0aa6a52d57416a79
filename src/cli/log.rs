//! How much is said on the side: `-v`, `-vv`, `MEMPLAN_LOG`.

use super::args::Global;

/// How much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Nothing.
    Off,
    /// What was used: which config file, how much of the cache.
    Info,
    /// And what became of each input.
    Debug,
}

/// What the user wants to know.
pub(super) fn asked(global: &Global) -> Level {
    let variable = std::env::var("MEMPLAN_LOG").unwrap_or_default();
    level(global.quiet, global.verbose, &variable)
}

/// A variable that says something else is no reason to refuse work.
fn level(quiet: bool, verbose: u8, variable: &str) -> Level {
    let said = match variable.to_ascii_lowercase().as_str() {
        "info" => Level::Info,
        "debug" | "trace" => Level::Debug,
        _ => Level::Off,
    };
    match (quiet, verbose) {
        (true, _) => Level::Off,
        (_, 0) => said,
        (_, 1) => said.max(Level::Info),
        _ => Level::Debug,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_variable_ask_for_more_and_quiet_for_nothing() {
        assert_eq!(level(false, 0, ""), Level::Off);
        assert_eq!(level(false, 1, ""), Level::Info);
        assert_eq!(level(false, 2, "info"), Level::Debug);
        assert_eq!(level(false, 1, "debug"), Level::Debug);
        assert_eq!(level(false, 0, "INFO"), Level::Info);
        assert_eq!(level(false, 0, "nonsense"), Level::Off);
        assert_eq!(level(true, 0, "debug"), Level::Off);
    }
}
