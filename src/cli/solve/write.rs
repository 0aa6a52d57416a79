//! Where plans go.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::one::Solved;
use super::rewritten;
use crate::cli::args::{Emit, Format, Global, SolveArgs};
use crate::cli::{output, plans};
use crate::diag::{Code, Diagnostic};
use crate::emit;
use crate::model::Problem;

/// Where plans go, and as what.
#[derive(Debug)]
pub(super) struct Output {
    place: Place,
    what: Emit,
}

#[derive(Debug)]
enum Place {
    Nowhere,
    Stdout,
    File(PathBuf),
    Folder(PathBuf),
}

impl Output {
    /// The output that the command line asks for.
    ///
    /// # Errors
    /// One that makes no sense with so many inputs or that format.
    pub(super) fn of(args: &SolveArgs, global: &Global, inputs: usize) -> Result<Self, Diagnostic> {
        let bad = |message: String, help: &str| {
            Err(Diagnostic::error(Code::ConfigBadOption, message).help(help))
        };
        let extension = args.output.as_deref().and_then(Path::extension);
        let what = args.emit.unwrap_or(match extension.and_then(|e| e.to_str()) {
            Some("csv") => Emit::Csv,
            Some("mlir") => Emit::Mlir,
            Some("json") => Emit::MemoryInfo,
            _ => Emit::Plan,
        });
        let place = match &args.output {
            Some(path) if path.is_dir() || ends_in_separator(path) => Place::Folder(path.clone()),
            Some(path) if inputs > 1 => {
                let message = format!("{inputs} inputs, but `{}` is one file", path.display());
                return bad(message, "end the name in `/` to make a folder of plans");
            }
            Some(path) => Place::File(path.clone()),
            None if args.emit.is_none() => Place::Nowhere,
            None if inputs > 1 => {
                let message = format!("{inputs} plans do not go into one stdout");
                return bad(message, "write them into a folder with `-o DIR/`");
            }
            None if global.format != Format::Human => {
                let format = global.format.to_possible_value();
                let format = format.as_ref().map_or("json", |value| value.get_name());
                let message = format!("both `--emit` and `--format {format}` want stdout");
                return bad(message, "write the plan into a file with `-o FILE`");
            }
            None => Place::Stdout,
        };
        Ok(Self { place, what })
    }

    /// True when the plan takes the place of the answer on stdout.
    pub(super) fn replaces_answer(&self) -> bool {
        matches!(self.place, Place::Stdout)
    }

    /// True when plans are written at all.
    pub(super) fn wanted(&self) -> bool {
        !matches!(self.place, Place::Nowhere)
    }

    /// Writes the plan of an input; the text where it goes to stdout.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write(
        &self,
        solved: &Solved,
        problem: &Problem,
    ) -> Result<Option<String>, Diagnostic> {
        let path = match &self.place {
            Place::Nowhere => return Ok(None),
            Place::Stdout => None,
            Place::File(path) => Some(path.clone()),
            Place::Folder(folder) => Some(in_folder(folder, &solved.loaded.below, self.what)),
        };
        let text = match self.what {
            Emit::Csv => plans::csv(problem, &solved.answer)?,
            Emit::Plan => {
                let plan = plans::for_file(problem, &solved.answer);
                emit::plan(&plan, &header(&solved.loaded.name, path.as_deref()))
            }
            Emit::Mlir => rewritten::mlir(solved)?,
            Emit::MemoryInfo => rewritten::memory_info(solved)?,
        };
        let Some(path) = path else { return Ok(Some(text)) };
        output::spares(&path, [Path::new(&solved.loaded.name)])?;
        if let (Place::Folder(_), Some(folder)) = (&self.place, path.parent()) {
            output::folder(folder)?;
        }
        output::write(&path, &text)?;
        Ok(None)
    }
}

/// The path of a plan in a folder of plans: `a/b.toml` becomes `a/b.plan.toml`.
pub(crate) fn in_folder(folder: &Path, below: &Path, what: Emit) -> PathBuf {
    let mut name = below.file_stem().unwrap_or("stdin".as_ref()).to_owned();
    name.push(match what {
        Emit::Plan => ".plan.toml",
        Emit::Csv => ".plan.csv",
        Emit::Mlir => ".planned.mlir",
        Emit::MemoryInfo => ".memory_info.json",
    });
    folder.join(below).with_file_name(name)
}

fn ends_in_separator(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
}

fn header(input: &str, path: Option<&Path>) -> Vec<String> {
    let plan = path.map_or("PLAN".to_owned(), |p| p.display().to_string());
    vec![
        format!("Plan of {input}, made by memplan {}.", env!("CARGO_PKG_VERSION")),
        format!("Check it: memplan verify {input} --plan {plan}"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_in_a_folder_keep_their_paths() {
        let path = |below: &str| in_folder(Path::new("out"), Path::new(below), Emit::Plan);
        assert_eq!(path("a/b.toml"), Path::new("out/a/b.plan.toml"));
        assert_eq!(path("c"), Path::new("out/c.plan.toml"));
        assert_eq!(
            in_folder(Path::new("o"), Path::new("x.csv"), Emit::Csv),
            Path::new("o/x.plan.csv")
        );
    }
}
