//! The way through a run: arguments, command, exit code.

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;

use super::args::{Cli, Command, Format};
use super::defect::guarded;
use super::exit::Exit;
use super::streams::Streams;
use super::{
    bench, completions, diff, explain, inspect, modules, pictures, replay, schema, solve, verify, what_if,
};
use crate::diag::{Code, Diagnostic, Sources};

/// The command: everything that `main` does.
pub fn main() -> ExitCode {
    let began = Instant::now();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help goes to stdout and is an answer; a broken pipe there is no failure.
            let _ = error.print();
            return if error.use_stderr() { Exit::Broken.into() } else { Exit::Yes.into() };
        }
    };
    let mut streams = Streams::new(&cli.global, cli.global.format != Format::Json);
    let exit = match guarded(|| command(&cli, began, &mut streams)) {
        Ok(exit) => exit,
        Err(bug) => {
            // A report that was begun cannot be finished: the defect is told on stderr.
            streams.force(&bug);
            Exit::Broken
        }
    };
    streams.end(exit).into()
}

fn command(cli: &Cli, began: Instant, streams: &mut Streams) -> Exit {
    if let Some(error) = misplaced(cli) {
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
fn misplaced(cli: &Cli) -> Option<Diagnostic> {
    let checks = matches!(cli.command, Command::Solve(_) | Command::Verify(_) | Command::Replay(_));
    let (name, fine) = match cli.global.format {
        Format::Human | Format::Json => return None,
        Format::Csv => ("csv", matches!(cli.command, Command::Bench(_))),
        Format::Markdown => {
            let tables =
                matches!(cli.command, Command::Bench(_) | Command::Diff(_) | Command::WhatIf(_));
            ("markdown", checks || tables)
        }
        Format::Sarif => ("sarif", checks || matches!(cli.command, Command::Diff(_))),
        Format::Junit => ("junit", checks || matches!(cli.command, Command::Diff(_))),
        Format::Github => ("github", checks || matches!(cli.command, Command::Diff(_))),
    };
    let message = format!("this command has no `--format {name}`");
    let error = Diagnostic::error(Code::ConfigBadOption, message);
    (!fine).then(|| error.help("write `human` or `json`"))
}

impl Streams {
    /// Shows a diagnostic whatever the format.
    fn force(&mut self, diagnostic: &Diagnostic) {
        let text =
            crate::report::diagnostics::render(diagnostic, &Sources::default(), self.view.width);
        self.aside(&text);
    }
}
