//! Bytes in, text out; the limit is checked while reading.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::kind::Kind;
use crate::diag::{Code, Diagnostic, FileId, Loc, Sources};
use crate::front::spec::size;

/// Inputs may have so many bytes unless `MEMPLAN_MAX_INPUT` says otherwise.
const DEFAULT_LIMIT: u64 = 256 << 20;

/// The limit in force.
///
/// # Errors
/// When `MEMPLAN_MAX_INPUT` is not a size.
pub(crate) fn limit() -> Result<u64, Diagnostic> {
    let Some(value) = std::env::var_os("MEMPLAN_MAX_INPUT") else { return Ok(DEFAULT_LIMIT) };
    let text = value.to_string_lossy();
    // Places in a text are 32-bit, so larger limits would be a promise that is not kept.
    let parsed = size::parse(&text).ok().filter(|n| *n < u64::from(u32::MAX));
    parsed.ok_or_else(|| {
        let message = format!("MEMPLAN_MAX_INPUT is `{text}`");
        let help = "give a size below 4 GiB, such as 268435456 or `256 MiB`";
        Diagnostic::error(Code::ConfigBadOption, message).help(help)
    })
}

/// Reads at most `limit` bytes.
pub(crate) enum Bytes {
    /// All of them.
    All(Vec<u8>),
    /// There are more.
    TooMany,
}

/// Reads a file.
pub(crate) fn file(path: &Path, limit: u64) -> io::Result<Bytes> {
    stream(File::open(path)?, limit)
}

/// Reads a stream; stops one byte past the limit.
pub(crate) fn stream(from: impl Read, limit: u64) -> io::Result<Bytes> {
    let mut bytes = Vec::new();
    from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    let many = bytes.len() as u64 > limit;
    Ok(if many { Bytes::TooMany } else { Bytes::All(bytes) })
}

/// Codes of the reader that a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Codes {
    pub(crate) utf8: Code,
    pub(crate) large: Code,
}

impl Codes {
    /// Of specs and target files.
    pub(crate) const SPEC: Self = Self { utf8: Code::SpecInvalidUtf8, large: Code::SpecTooLarge };
    /// Of CSV files.
    pub(crate) const CSV: Self = Self { utf8: Code::CsvInvalidUtf8, large: Code::CsvTooLarge };
    /// Of JSON packing problems.
    pub(crate) const DSA: Self = Self { utf8: Code::DsaInvalidUtf8, large: Code::DsaTooLarge };
    /// Of HIVM text.
    pub(crate) const HIVM: Self = Self { utf8: Code::HivmInvalidUtf8, large: Code::HivmTooLarge };
    /// Of HLO text.
    pub(crate) const HLO: Self = Self { utf8: Code::HloInvalidUtf8, large: Code::HloTooLarge };
    /// Of plan files.
    pub(crate) const PLAN: Self =
        Self { utf8: Code::VerifyPlanSyntax, large: Code::VerifyPlanSyntax };
    /// Of budget files.
    pub(crate) const BUDGET: Self =
        Self { utf8: Code::GateBudgetSyntax, large: Code::GateBudgetSyntax };
    /// Of traces.
    pub(crate) const TRACE: Self =
        Self { utf8: Code::TraceInvalidUtf8, large: Code::TraceTooLarge };
    /// Of config files.
    pub(crate) const CONFIG: Self = Self { utf8: Code::ConfigBadFile, large: Code::ConfigBadFile };
    /// Of machine files.
    pub(crate) const MACHINE: Self = Self { utf8: Code::MachineSyntax, large: Code::MachineSyntax };
}

impl Codes {
    /// Those of a kind of input.
    pub(crate) fn of(kind: Kind) -> Self {
        match kind {
            Kind::Spec => Self::SPEC,
            Kind::Csv => Self::CSV,
            Kind::Hivm => Self::HIVM,
            Kind::Dsa => Self::DSA,
            Kind::Hlo => Self::HLO,
        }
    }
}

/// Reads a file into the sources.
///
/// # Errors
/// Unreadable, too large, or not UTF-8.
pub(crate) fn read_file(
    path: &Path,
    limit: u64,
    codes: Codes,
    sources: &mut Sources,
) -> Result<FileId, Diagnostic> {
    let name = path.display().to_string();
    match file(path, limit) {
        Ok(Bytes::All(all)) => text(sources, &name, all, codes.utf8),
        Ok(Bytes::TooMany) => Err(too_large(&name, limit, codes.large)),
        Err(error) => Err(unreadable(&name, &error)),
    }
}

/// Why a file cannot be read.
pub(crate) fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    };
    Diagnostic::error(Code::ConfigUnreadable, format!("cannot read `{name}`: {why}"))
}

/// Why an input is too large.
pub(crate) fn too_large(name: &str, limit: u64, code: Code) -> Diagnostic {
    let limit = crate::model::Bytes(limit);
    Diagnostic::error(code, format!("`{name}` is larger than {limit}"))
        .help("set MEMPLAN_MAX_INPUT to another size, such as `1 GiB`")
}

/// Adds bytes as a text.
///
/// # Errors
/// Where they are not UTF-8, with the place of the first byte that is not.
pub(crate) fn text(
    sources: &mut Sources,
    name: &str,
    bytes: Vec<u8>,
    code: Code,
) -> Result<FileId, Diagnostic> {
    let error = match String::from_utf8(bytes) {
        // A byte order mark is not part of the text.
        Ok(text) => {
            let text = text.strip_prefix('\u{FEFF}').map(str::to_owned).unwrap_or(text);
            return Ok(sources.add(name, text));
        }
        Err(error) => error,
    };
    let at = error.utf8_error().valid_up_to();
    let bytes = error.as_bytes();
    let byte = bytes.get(at).copied().unwrap_or(0);
    // The text up to the end of that line is enough to show it.
    let rest = &bytes[at..];
    let end = rest.iter().take(80).position(|b| *b == b'\n').unwrap_or(rest.len().min(80));
    let shown = String::from_utf8_lossy(&bytes[..at + end]).into_owned();
    let file = sources.add(name, shown);
    let start = u32::try_from(at).unwrap_or(u32::MAX);
    let loc = Loc { file, start, end: start.saturating_add('\u{FFFD}'.len_utf8() as u32) };
    let place = sources.place(loc);
    Err(Diagnostic::error(code, format!("byte 0x{byte:02X} at {place} is not UTF-8"))
        .at(loc, "shown as a replacement character")
        .help("save the file as UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_stops_an_endless_stream() {
        let endless = io::repeat(b'x');
        assert!(matches!(stream(endless, 10), Ok(Bytes::TooMany)));
        let ten = io::repeat(b'x').take(10);
        assert!(matches!(stream(ten, 10), Ok(Bytes::All(b)) if b.len() == 10));
    }

    #[test]
    fn a_bad_byte_is_told_by_line_and_column() {
        let mut sources = Sources::default();
        let error = text(&mut sources, "a", b"ab\nc\xFFd\nx".to_vec(), Code::SpecInvalidUtf8)
            .expect_err("not UTF-8");
        assert_eq!(error.message, "byte 0xFF at a:2:2 is not UTF-8");
    }
}
