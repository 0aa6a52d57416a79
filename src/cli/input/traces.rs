//! Which traces there are: files, those of folders, standard input.

use std::io;
use std::path::{Path, PathBuf};

use super::bytes::{self, Bytes, Codes};
use super::kind::{Toml, toml};
use super::walk::{Item, Origin, broken, twice, walk};
use crate::diag::{Code, Diagnostic, FileId, Sources};
use crate::front::trace::is_trace;

/// All traces, in the order of the arguments.
pub(crate) fn collect_traces(arguments: &[String], stdin: Option<&str>, limit: u64) -> Vec<Item> {
    let mut items = Vec::new();
    let mut read = false;
    for argument in arguments {
        let path = Path::new(argument);
        if argument == "-" {
            items.push(if read { twice() } else { standard_input(stdin, limit) });
            read = true;
        } else if path.is_dir() {
            let before = items.len();
            walk(path, Path::new(""), &|path| wanted(path, limit), 0, &mut items);
            if items.len() == before {
                let message = format!("there is no trace in `{argument}`");
                items.push(broken(argument, Diagnostic::error(Code::ConfigNoInput, message)));
            }
        } else {
            let below = path.file_name().map(PathBuf::from).unwrap_or_default();
            items.push(Item { name: argument.clone(), from: Origin::File(path.to_owned()), below });
        }
    }
    items
}

fn standard_input(name: Option<&str>, limit: u64) -> Item {
    let name = name.unwrap_or("<stdin>").to_owned();
    let read = match bytes::stream(io::stdin().lock(), limit) {
        Ok(Bytes::All(all)) => Ok(all),
        Ok(Bytes::TooMany) => Err(bytes::too_large(&name, limit, Codes::TRACE.large)),
        Err(error) => Err(bytes::unreadable(&name, &error)),
    };
    let below = Path::new(&name).file_name().map(PathBuf::from).unwrap_or_default();
    Item { name, from: Origin::Here(read), below }
}

/// True for traces. A file that cannot be read is wanted, so that it is complained about.
fn wanted(path: &Path, limit: u64) -> bool {
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("jsonl") => true,
        Some("toml" | "json") => match bytes::file(path, limit) {
            Ok(Bytes::All(all)) => is_trace(&String::from_utf8_lossy(&all)),
            Ok(Bytes::TooMany) | Err(_) => true,
        },
        _ => false,
    }
}

/// The text of an item.
///
/// # Errors
/// Unreadable, too large, or not UTF-8.
pub(crate) fn read_item(
    item: Item,
    limit: u64,
    codes: Codes,
    sources: &mut Sources,
) -> Result<FileId, Diagnostic> {
    let file = match item.from {
        Origin::Broken(error) => Err(error),
        Origin::Here(read) => bytes::text(sources, &item.name, read?, codes.utf8),
        Origin::File(path) => bytes::read_file(&path, limit, codes, sources),
    }?;
    if codes == Codes::TRACE {
        let text = sources.get(file).map_or("", |s| &s.text);
        no_trace(&item.name, text).map_or(Ok(()), Err)?;
    }
    Ok(file)
}

/// Says what a text is that is surely something else than a trace.
fn no_trace(name: &str, text: &str) -> Option<Diagnostic> {
    if is_trace(text) {
        return None;
    }
    let what = match Path::new(name).extension()?.to_str()? {
        "mlir" => "HIVM text",
        "hlo" => "HLO text",
        "csv" => "a packing problem",
        "toml" => match toml(text) {
            Toml::Spec if text.contains("[[") => "a spec",
            Toml::Plan => "a plan",
            Toml::Target => "a target",
            Toml::Spec | Toml::Trace | Toml::Other => return None,
        },
        _ => return None,
    };
    let error =
        Diagnostic::error(Code::ConfigUnknownFormat, format!("`{name}` is {what}, not a trace"));
    Some(match what {
        "a plan" => {
            error.help(format!("`memplan verify SPEC --plan {name}` replays it on its program"))
        }
        "a target" => error.help("`--target` takes it"),
        _ => error.help(format!(
            "`memplan verify {name}` replays its plan; `memplan solve {name}` makes one"
        )),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_trace_is_told_with_the_command_for_it() {
        let help = |name: &str, text: &str| no_trace(name, text).and_then(|d| d.help);
        let spec = "version = 1\n[[buffer]]\nname = 'a'\nsize = 4\n";
        assert!(help("k.toml", spec).is_some_and(|h| h.contains("memplan solve k.toml")));
        assert!(help("k.mlir", "module {}").is_some_and(|h| h.contains("memplan verify k.mlir")));
        let plan = "version = 1\n[[buffer]]\nname = 'a'\noffset = 0\n";
        assert!(help("k.plan.toml", plan).is_some_and(|h| h.contains("--plan k.plan.toml")));
        // Of the rest the reader says what is wrong.
        for text in ["trace = 1\n[[op]]\n", "[[op]]\nop = 'open'\n", ""] {
            assert_eq!(help("t.toml", text), None);
        }
    }
}
