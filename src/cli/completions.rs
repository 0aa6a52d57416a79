//! Completions and the manual page, made from the arguments themselves.

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Cli;
use super::defect;
use super::exit::Exit;
use super::streams::Streams;
use crate::diag::Sources;

/// Prints completions for a shell.
pub(super) fn completions(shell: Shell, streams: &mut Streams) -> Exit {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "memplan", &mut out);
    streams.answer(&String::from_utf8_lossy(&out));
    Exit::Yes
}

/// Prints the manual page, commands included.
pub(super) fn man(streams: &mut Streams) -> Exit {
    match pages() {
        Ok(pages) => {
            streams.answer(&String::from_utf8_lossy(&pages));
            Exit::Yes
        }
        Err(error) => {
            let bug = defect::bug(&error.to_string());
            streams.diagnostic(&bug, &Sources::default());
            Exit::Broken
        }
    }
}

fn pages() -> std::io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let command = Cli::command();
    clap_mangen::Man::new(command.clone()).render(&mut out)?;
    for sub in command.get_subcommands() {
        let name = format!("memplan-{}", sub.get_name());
        clap_mangen::Man::new(sub.clone().name(name)).render(&mut out)?;
    }
    Ok(out)
}
