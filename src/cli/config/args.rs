//! The options about options.

use clap::Args;

/// Where options come from besides the command line.
#[derive(Clone, Debug, Args)]
pub(crate) struct ConfigArgs {
    /// The config file to use, instead of the `memplan.toml` nearest to each input; or one setting of such a
    /// file, which beats file and environment; may be repeated.
    #[arg(long, global = true, value_name = "FILE|KEY=VALUE", help_heading = "Config")]
    pub(crate) config: Vec<String>,
    /// Look for no `memplan.toml`.
    #[arg(long, global = true, help_heading = "Config")]
    pub(crate) isolated: bool,
}
