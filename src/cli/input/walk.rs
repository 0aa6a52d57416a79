//! Which inputs there are: files; the specs, CSVs, kernels, modules and packing problems of folders;
//! standard input.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::bytes::{self, Bytes, Codes};
use super::kind::{self, Kind, Toml, toml};
use crate::cli::args::{From, InputArgs};
use crate::diag::{Code, Diagnostic};
use crate::format::config;

/// One input to be read.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Its name in messages and reports.
    pub(crate) name: String,
    /// Where its bytes are.
    pub(crate) from: Origin,
    /// The folder argument it was found in, and its path below; for outputs into a folder.
    pub(crate) below: PathBuf,
}

/// Where bytes are.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// In a file.
    File(PathBuf),
    /// Here: standard input, read.
    Here(Result<Vec<u8>, Diagnostic>),
    /// Nowhere.
    Broken(Diagnostic),
}

impl Item {
    /// A file.
    pub(crate) fn file(name: &str) -> Self {
        let path = Path::new(name);
        let below = path.file_name().map(PathBuf::from).unwrap_or_default();
        Self { name: name.to_owned(), from: Origin::File(path.to_owned()), below }
    }

    /// A text that was made here.
    pub(crate) fn made(name: &str, text: String) -> Self {
        let from = Origin::Here(Ok(text.into_bytes()));
        Self { name: name.to_owned(), from, below: PathBuf::from(name) }
    }
}

/// Deepest nesting of folders that is walked.
const DEEPEST: usize = 64;

/// All inputs, in the order of the arguments.
pub(crate) fn collect(args: &InputArgs, limit: u64) -> Vec<Item> {
    let mut items = Vec::new();
    let mut stdin = false;
    for argument in &args.inputs {
        if argument == "-" {
            items.push(if stdin { twice() } else { standard_input(args, limit) });
            stdin = true;
            continue;
        }
        let path = Path::new(argument);
        if !path.is_dir() {
            items.push(Item::file(argument));
            continue;
        }
        let before = items.len();
        walk(path, Path::new(""), &|path| wanted(path, limit), 0, &mut items);
        if items.len() == before {
            let message = format!("there is no spec, CSV or kernel in `{argument}`");
            items.push(broken(argument, Diagnostic::error(Code::ConfigNoInput, message)));
        }
    }
    items
}

/// The file of that name as an input, where it is one that can be planned.
pub(crate) fn problem_file(name: &str, from: Option<From>) -> Option<Item> {
    let path = Path::new(name);
    let bytes = fs::read(path).ok()?;
    let known = kind::kind(from, name, &bytes).ok()?;
    let plan = known == Kind::Spec && toml(&String::from_utf8_lossy(&bytes)) == Toml::Plan;
    let below = path.file_name().map(PathBuf::from).unwrap_or_default();
    (!plan).then(|| Item { name: name.to_owned(), from: Origin::File(path.to_owned()), below })
}

/// True for standard input that is said to be HLO text, and for a file that is.
pub(crate) fn is_module(name: &str, from: Option<From>) -> bool {
    if from == Some(From::Hlo) {
        return true;
    }
    let path = Path::new(name);
    path.is_file()
        && (path.extension().is_some_and(|e| e.eq_ignore_ascii_case("hlo"))
            || starts_a_module(path))
}

pub(super) fn broken(name: &str, diagnostic: Diagnostic) -> Item {
    Item { name: name.to_owned(), from: Origin::Broken(diagnostic), below: PathBuf::new() }
}

pub(super) fn twice() -> Item {
    broken("-", Diagnostic::error(Code::ConfigBadOption, "standard input is given twice"))
}

fn standard_input(args: &InputArgs, limit: u64) -> Item {
    let name = args.stdin_name.clone().unwrap_or_else(|| "<stdin>".to_owned());
    let read = match bytes::stream(io::stdin().lock(), limit) {
        Ok(Bytes::All(all)) => Ok(all),
        Ok(Bytes::TooMany) => {
            let kind = kind::kind(args.from, &name, b"").unwrap_or(Kind::Spec);
            Err(bytes::too_large(&name, limit, Codes::of(kind).large))
        }
        Err(error) => Err(bytes::unreadable(&name, &error)),
    };
    let below = Path::new(&name).file_name().map(PathBuf::from).unwrap_or_default();
    Item { name, from: Origin::Here(read), below }
}

/// The files of a folder and those below it that somebody wants, in sorted order.
pub(super) fn walk(
    folder: &Path,
    below: &Path,
    wanted: &dyn Fn(&Path) -> bool,
    depth: usize,
    items: &mut Vec<Item>,
) {
    let entries = fs::read_dir(folder).and_then(|all| all.collect::<io::Result<Vec<_>>>());
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            let name = folder.display().to_string();
            items.push(broken(&name, bytes::unreadable(&name, &error)));
            return;
        }
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        let below = below.join(&name);
        // Links to folders are not followed: they could lead in circles.
        if entry.file_type().is_ok_and(|t| t.is_dir()) {
            if depth < DEEPEST {
                walk(&path, &below, wanted, depth + 1, items);
            }
        } else if wanted(&path) {
            let name = path.display().to_string();
            items.push(Item { name, from: Origin::File(path), below });
        }
    }
}

/// True for a file that begins as HLO text does.
fn starts_a_module(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(9).read_to_end(&mut head));
    read.is_ok() && head == b"HloModule"
}

/// True for CSVs, specs, kernels, modules and packing problems. A file that cannot be read is wanted, so that it is complained about.
fn wanted(path: &Path, limit: u64) -> bool {
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("csv" | "mlir" | "hlo") => true,
        // XLA's dumps are text files among others.
        Some("txt") => starts_a_module(path),
        // Reports, plans and displays of others are JSON, too.
        Some("json") => match bytes::file(path, limit) {
            Ok(Bytes::All(all)) => kind::is_problem(&all),
            Ok(Bytes::TooMany) => false,
            Err(_) => true,
        },
        Some("toml") if path.file_name().is_some_and(|name| name == config::NAME) => false,
        Some("toml") => match bytes::file(path, limit) {
            Ok(Bytes::All(all)) => toml(&String::from_utf8_lossy(&all)) == Toml::Spec,
            Ok(Bytes::TooMany) | Err(_) => true,
        },
        _ => false,
    }
}
