//! The `memplan` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    memplan::cli::main()
}
