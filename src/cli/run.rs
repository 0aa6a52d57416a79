//! The way through a run: arguments, command, exit code.

use std::any::Any;
use std::panic;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use clap::Parser;

use super::args::{Cli, Command, Format};
use super::exit::Exit;
use super::streams::Streams;
use super::{completions, explain, inspect, schema, solve, verify};
use crate::diag::{Code, Diagnostic, Sources};

/// The command: everything that `main` does.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help goes to stdout and is an answer; a broken pipe there is no failure.
            let _ = error.print();
            return if error.use_stderr() { Exit::Broken.into() } else { Exit::Yes.into() };
        }
    };
    let mut streams = Streams::new(&cli.global, cli.global.format == Format::Human);
    let exit = match guarded(|| command(&cli, &mut streams)) {
        Ok(exit) => exit,
        Err(bug) => {
            // A report that was begun cannot be finished: the defect is told on stderr.
            streams.force(&bug);
            Exit::Broken
        }
    };
    streams.end(exit).into()
}

fn command(cli: &Cli, streams: &mut Streams) -> Exit {
    match &cli.command {
        Command::Solve(args) => solve::run(args, &cli.global, streams),
        Command::Verify(args) => verify::run(args, &cli.global, streams),
        Command::Explain(args) => explain::run(args, &cli.global, streams),
        Command::Inspect(args) => inspect::run(args, &cli.global, streams),
        Command::Schema(args) => schema::run(args, streams),
        Command::Completions { shell } => completions::completions(*shell, streams),
        Command::Man => completions::man(streams),
    }
}

/// What the last panic said, and where.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Runs something; a panic becomes `memplan::internal::bug`.
pub(super) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Diagnostic> {
    let default = panic::take_hook();
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|l| format!(" at {l}")).unwrap_or_default();
        let text = format!("{}{place}", words(info.payload()));
        // The first panic is the cause; those after it follow from it.
        let mut last = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner);
        last.get_or_insert(text);
    }));
    let result = panic::catch_unwind(panic::AssertUnwindSafe(run));
    panic::set_hook(default);
    result.map_err(|payload| {
        let said = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).take();
        bug(&said.unwrap_or_else(|| words(payload.as_ref())))
    })
}

fn words(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// A defect of memplan.
pub(super) fn bug(what: &str) -> Diagnostic {
    let version = env!("CARGO_PKG_VERSION");
    Diagnostic::error(Code::InternalBug, format!("this is a defect in memplan: {what}")).help(
        format!("please report it with the input and the command line; this is memplan {version}"),
    )
}

impl Streams {
    /// Shows a diagnostic whatever the format.
    fn force(&mut self, diagnostic: &Diagnostic) {
        let text =
            crate::report::diagnostics::render(diagnostic, &Sources::default(), self.view.width);
        self.aside(&text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_request_to_report() {
        let bug = guarded(|| {
            let empty: Vec<u8> = Vec::new();
            empty[std::hint::black_box(3)]
        });
        let bug = bug.expect_err("a defect");
        assert_eq!(bug.code, Code::InternalBug);
        assert!(bug.message.contains("index out of bounds"), "{}", bug.message);
        assert!(bug.message.contains("run.rs"), "{}", bug.message);
        assert_eq!(guarded(|| 5), Ok(5));
    }
}
