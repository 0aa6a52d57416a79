//! What a text is, by what was said, by name, by content.

use std::path::Path;

use toml::de::{DeTable, DeValue};

use crate::cli::args::From;
use crate::diag::{Code, Diagnostic};
use crate::front::trace::is_trace;

/// The readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A TOML spec.
    Spec,
    /// A packing CSV.
    Csv,
    /// MLIR text of the HIVM dialect.
    Hivm,
    /// A packing problem as JSON.
    Dsa,
    /// XLA's HLO text.
    Hlo,
}

/// What a TOML file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Toml {
    /// A spec.
    Spec,
    /// A plan.
    Plan,
    /// A target.
    Target,
    /// A trace, for `replay` alone.
    Trace,
    /// Somebody else's.
    Other,
}

/// The reader of an input; `head` is the start of its bytes, or all of them.
///
/// # Errors
/// When there is none.
pub(crate) fn kind(from: Option<From>, name: &str, head: &[u8]) -> Result<Kind, Diagnostic> {
    if let Some(from) = from {
        return Ok(said(from));
    }
    let extension = Path::new(name).extension().map(|e| e.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("toml") => Ok(Kind::Spec),
        Some("jsonl") if is_trace(&String::from_utf8_lossy(head)) => Err(trace(name)),
        Some("csv") => Ok(Kind::Csv),
        Some("mlir") => Ok(Kind::Hivm),
        Some("hlo") => Ok(Kind::Hlo),
        Some("json") => json(name, head),
        _ => content(name, head),
    }
}

/// The reader that `--from` names.
pub(crate) fn said(from: From) -> Kind {
    match from {
        From::Spec => Kind::Spec,
        From::Csv => Kind::Csv,
        From::Hivm => Kind::Hivm,
        From::Dsa => Kind::Dsa,
        From::Hlo => Kind::Hlo,
    }
}

/// JSON is a packing problem, a report of ours, or somebody else's.
fn json(name: &str, head: &[u8]) -> Result<Kind, Diagnostic> {
    // Of an empty text its reader says what is missing.
    if head.is_empty() || is_problem(head) {
        return Ok(Kind::Dsa);
    }
    if is_trace(&String::from_utf8_lossy(head)) {
        return Err(trace(name));
    }
    let message = format!("`{name}` is JSON, but no packing problem");
    Err(Diagnostic::error(Code::ConfigUnknownFormat, message)
        .help("one has the keys `schema_version` and `problem`; say `--from dsa` if it is one"))
}

/// What to do with a trace.
pub(crate) fn trace(name: &str) -> Diagnostic {
    let message = format!("`{name}` is a trace, not a problem to plan");
    Diagnostic::error(Code::ConfigUnknownFormat, message)
        .help(format!("run it with `memplan replay {name}`"))
}

/// True for JSON text with the keys of a packing problem. They are looked for as words, so that a
/// text that is cut off or mistyped goes to the reader, which says where.
pub(crate) fn is_problem(text: &[u8]) -> bool {
    ["\"schema_version\"", "\"problem\""]
        .iter()
        .all(|key| text.windows(key.len()).any(|window| window == key.as_bytes()))
}

fn content(name: &str, all: &[u8]) -> Result<Kind, Diagnostic> {
    let head = String::from_utf8_lossy(&all[..all.len().min(64 << 10)]);
    let lines = || head.lines().map(str::trim).filter(|l| !l.is_empty());
    let first = lines().next().unwrap_or_default();
    // `#name = ..` is an alias in MLIR, `# ..` a comment in TOML.
    let alias = |l: &str| l.starts_with('#') && l[1..].starts_with(|c: char| c.is_alphabetic());
    if lines().find(|l| !l.starts_with("//")).is_some_and(|l| alias(l) && l.contains(" = ")) {
        return Ok(Kind::Hivm);
    }
    let code = || lines().find(|l| !l.starts_with('#') && !l.starts_with("//"));
    let word = code().unwrap_or_default();
    if word.starts_with('{') {
        return json(name, all);
    }
    if word.starts_with("HloModule") {
        return Ok(Kind::Hlo);
    }
    if ["module", "func.func", "\"builtin.module\"", "\"func.func\""]
        .iter()
        .any(|w| word.starts_with(w))
    {
        return Ok(Kind::Hivm);
    }
    let columns: Vec<String> =
        first.split(',').map(|c| c.trim().trim_matches('"').to_lowercase()).collect();
    let has = |name: &str| columns.iter().any(|c| c == name);
    if has("id") || (has("size") && (has("lower") || has("start"))) {
        return Ok(Kind::Csv);
    }
    if word.starts_with("[[") || word.split_once('=').is_some_and(|(k, _)| bare(k.trim())) {
        return Ok(Kind::Spec);
    }
    let message = format!("cannot tell what `{name}` is");
    Err(Diagnostic::error(Code::ConfigUnknownFormat, message)
        .help("say `--from spec`, `--from csv`, `--from hivm`, `--from hlo` or `--from dsa`"))
}

/// True for a bare TOML key.
fn bare(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}

/// What a TOML text is.
pub(crate) fn toml(text: &str) -> Toml {
    let (table, _) = DeTable::parse_recoverable(text);
    let table = table.get_ref();
    if table.get("trace").is_some() {
        return Toml::Trace;
    }
    if table.get("version").is_none() {
        return Toml::Other;
    }
    let tables = |key: &str| -> Vec<&DeTable<'_>> {
        let array = table.get(key).and_then(|v| match v.get_ref() {
            DeValue::Array(items) => Some(items),
            _ => None,
        });
        array.into_iter().flatten().filter_map(|v| v.get_ref().as_table()).collect()
    };
    let any = |key: &str, inner: &[&str]| {
        tables(key).iter().any(|t| inner.iter().any(|i| t.get(*i).is_some()))
    };
    let sized = any("buffer", &["size", "shape", "live"]) || !tables("op").is_empty();
    let placed = any("buffer", &["offsets", "offset"]) || any("function", &["fingerprint"]);
    if placed && !sized {
        return Toml::Plan;
    }
    let empty = tables("buffer").is_empty() && tables("function").is_empty();
    let chip = ["chips", "families", "profile"].iter().any(|k| table.get(*k).is_some());
    // Machine files are for `replay` alone.
    let machine = ["base", "device_memory", "oversub", "capabilities", "costs", "soma"];
    let machine = machine.iter().any(|k| table.get(*k).is_some());
    // Kernels with what they may take are a budget.
    if empty && !tables("kernel").is_empty() {
        return Toml::Other;
    }
    match (empty, chip, machine) {
        (true, true, _) => Toml::Target,
        (true, false, true) => Toml::Other,
        _ => Toml::Spec,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_tells() {
        assert_eq!(kind(None, "x", b"id,lower,upper,size\n"), Ok(Kind::Csv));
        assert_eq!(kind(None, "x", b"# hi\nversion = 1\n"), Ok(Kind::Spec));
        assert_eq!(kind(None, "x.csv", b"version = 1"), Ok(Kind::Csv));
        assert_eq!(kind(Some(From::Spec), "x.csv", b""), Ok(Kind::Spec));
        for mlir in
            ["// a\nmodule {", "#map = affine_map<()[s0] -> (s0)>\nmodule {", "func.func @f"]
        {
            assert_eq!(kind(None, "x", mlir.as_bytes()), Ok(Kind::Hivm));
        }
        let problem = b"{\"problem\": 1, \"schema_version\": 1}";
        assert_eq!(kind(None, "x", problem), Ok(Kind::Dsa));
        assert_eq!(kind(None, "x.json", problem), Ok(Kind::Dsa));
        assert_eq!(kind(None, "x.txt", b"// a\nHloModule m, is_scheduled=true\n"), Ok(Kind::Hlo));
        assert_eq!(kind(None, "x.hlo", b""), Ok(Kind::Hlo));
        assert_eq!(kind(Some(From::Hlo), "x.csv", b""), Ok(Kind::Hlo));
        for name in ["t.json", "t.jsonl", "x"] {
            let error = kind(None, name, b"{\"trace\": 1}\n{\"op\": \"open\"}\n").expect_err(name);
            assert!(error.help.is_some_and(|h| h.contains(&format!("memplan replay {name}"))));
        }
        for other in ["{}", "???"] {
            let error = kind(None, "x", other.as_bytes()).expect_err(other);
            assert_eq!(error.code, Code::ConfigUnknownFormat);
        }
        assert!(kind(None, "report.json", b"{\"format_version\": \"1.0\"}").is_err());
    }

    #[test]
    fn plans_and_targets_are_not_specs() {
        let plan = "version = 1\n[[buffer]]\nname = 'a'\noffset = 0\n";
        assert_eq!(toml(plan), Toml::Plan);
        let spec = "version = 1\n[[buffer]]\nname = 'a'\noffset = 0\nsize = 4\n";
        assert_eq!(toml(spec), Toml::Spec);
        assert_eq!(toml("version = 1\nchips = ['x']\n[[scope]]\nname = 'ub'"), Toml::Target);
        assert_eq!(toml("[package]\nname = 'x'\n"), Toml::Other);
        assert_eq!(toml("version = 1\nbase = '950'\n"), Toml::Other);
        assert_eq!(toml("version = 1\n[[kernel]]\ninput = 'a.mlir'\n"), Toml::Other);
        assert_eq!(toml("trace = 1\n[[op]]\nop = 'open'\n"), Toml::Trace);
    }
}
