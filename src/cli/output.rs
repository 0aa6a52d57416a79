//! Files are written beside their place and moved there, so that nobody ever sees half of one.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::diag::{Code, Diagnostic};

/// Writes a file.
///
/// # Errors
/// `memplan::config::unwritable`.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Diagnostic> {
    attempt(path, text).map_err(|error| unwritable(path, &error))
}

/// Checks that an output is none of the files that are read.
///
/// # Errors
/// `memplan::config::bad_option`.
pub(super) fn spares<'a>(
    path: &Path,
    read: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Diagnostic> {
    if !read.into_iter().any(|other| same(path, other)) {
        return Ok(());
    }
    let message = format!("`{}` is the input itself", path.display());
    Err(Diagnostic::error(Code::ConfigBadOption, message)
        .help("write the output under another name"))
}

/// True when two paths lead to one file: `x` and `./x`, or by a link.
pub(super) fn same(a: &Path, b: &Path) -> bool {
    let whole = |path: &Path| std::path::absolute(path).ok();
    // Devices may be read and written: a terminal is both.
    let real = |path: &Path| fs::canonicalize(path).ok().filter(|path| path.is_file());
    a == b
        || whole(a).is_some_and(|a| Some(a) == whole(b))
        || real(a).is_some_and(|a| Some(a) == real(b))
}

/// Makes a folder and those above it.
///
/// # Errors
/// `memplan::config::unwritable`.
pub(super) fn folder(path: &Path) -> Result<(), Diagnostic> {
    fs::create_dir_all(path).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> Diagnostic {
    let path = path.display();
    let why = match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    };
    Diagnostic::error(Code::ConfigUnwritable, format!("cannot write `{path}`: {why}"))
}

fn attempt(path: &Path, text: &str) -> io::Result<()> {
    // A link keeps pointing where it does; a device or pipe cannot be replaced.
    let path = match fs::symlink_metadata(path) {
        Ok(meta) if meta.file_type().is_symlink() => fs::canonicalize(path)?,
        _ => path.to_owned(),
    };
    match fs::metadata(&path) {
        Ok(meta) if meta.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(meta) if !meta.is_file() => {
            return fs::OpenOptions::new().write(true).open(&path)?.write_all(text.as_bytes());
        }
        _ => {}
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut file = builder().tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(unix)]
fn builder() -> tempfile::Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt;

    let mut builder = tempfile::Builder::new();
    // As any new file: what the umask leaves.
    builder.prefix(".memplan-").permissions(fs::Permissions::from_mode(0o666));
    builder
}

#[cfg(not(unix))]
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".memplan-");
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_whole_and_nothing_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.toml");
        assert_eq!(write(&path, "one"), Ok(()));
        assert_eq!(write(&path, "two"), Ok(()));
        assert_eq!(fs::read_to_string(&path).expect("text"), "two");
        assert_eq!(fs::read_dir(folder.path()).expect("entries").count(), 1);
        let error = write(&folder.path().join("no/a.toml"), "x").expect_err("no folder");
        assert_eq!(error.code, Code::ConfigUnwritable);
        assert!(write(folder.path(), "x").is_err());
    }
}
