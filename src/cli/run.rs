//! The way through a run: arguments, command, exit code.

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Instant;

use clap::ValueEnum;

use super::args::{Cli, Command, Format};
use super::config::{self, Failure, Parsed};
use super::defect::guarded;
use super::exit::Exit;
use super::log::Level;
use super::streams::Streams;
use super::{
    bench, completions, diff, explain, inspect, modules, pictures, replay, schema, solve, verify,
    what_if,
};
use crate::diag::{Code, Diagnostic, Sources};

/// The command: everything that `main` does.
pub fn main() -> ExitCode {
    let began = Instant::now();
    let words: Vec<OsString> = std::env::args_os().collect();
    let Parsed { cli, name, files } = match config::parse(&words) {
        Ok(parsed) => parsed,
        Err(Failure::Config(errors, sources)) => return Streams::refuse(&errors, &sources).into(),
        Err(Failure::Usage(error)) => {
            // Help goes to stdout and is an answer; a broken pipe there is no failure.
            let _ = error.print();
            return if error.use_stderr() { Exit::Broken.into() } else { Exit::Yes.into() };
        }
    };
    let mut streams = Streams::new(&cli.global, !cli.global.format.carries(&name));
    for file in files {
        streams.log(Level::Info, || format!("options from `{}`", file.display()));
    }
    let exit = match guarded(|| command(&cli, &name, began, &mut streams)) {
        Ok(exit) => exit,
        Err(bug) => {
            // A report that was begun cannot be finished: the defect is told on stderr.
            streams.force(&bug, &Sources::default());
            Exit::Broken
        }
    };
    streams.end(exit).into()
}

fn command(cli: &Cli, name: &str, began: Instant, streams: &mut Streams) -> Exit {
    if let Some(error) = misplaced(name, cli.global.format) {
        streams.diagnostic(&error, &Sources::default());
        return Exit::Broken;
    }
    match &cli.command {
        Command::Bench(args) => bench::run(args, &cli.global, began, streams),
        Command::Solve(args) => solve::run(args, &cli.global, streams),
        Command::Verify(args) => verify::run(args, &cli.global, streams),
        Command::Replay(args) => replay::run(args, &cli.global, streams),
        Command::Schedule(args) => modules::schedule(args, &cli.global, streams),
        Command::Stats(args) => modules::stats(args, &cli.global, streams),
        Command::Convert(args) => modules::convert(args, &cli.global, streams),
        Command::Diff(args) => diff::run(args, &cli.global, streams),
        Command::WhatIf(args) => what_if::run(args, &cli.global, streams),
        Command::Report(args) => pictures::run(args, &cli.global, streams),
        Command::Explain(args) => explain::run(args, &cli.global, streams),
        Command::Inspect(args) => inspect::run(args, &cli.global, streams),
        Command::Schema(args) => schema::run(args, streams),
        Command::Completions { shell } => completions::completions(*shell, streams),
        Command::Man => completions::man(streams),
    }
}

/// A format that the command does not have.
fn misplaced(command: &str, format: Format) -> Option<Diagnostic> {
    if format.fits(command) {
        return None;
    }
    let name = format.to_possible_value().map(|v| v.get_name().to_owned()).unwrap_or_default();
    let message = format!("this command has no `--format {name}`");
    Some(Diagnostic::error(Code::ConfigBadOption, message).help("write `human` or `json`"))
}

impl Streams {
    /// Shows a diagnostic whatever the format.
    fn force(&mut self, diagnostic: &Diagnostic, sources: &Sources) {
        let text = crate::report::diagnostics::render(diagnostic, sources, self.view.width);
        self.aside(&text);
    }

    /// Ends a run whose options are wrong, before there is an answer of any format.
    fn refuse(errors: &[Diagnostic], sources: &Sources) -> Exit {
        let mut streams = Self::plain();
        for error in errors {
            streams.force(error, sources);
        }
        streams.end(Exit::Broken)
    }
}
