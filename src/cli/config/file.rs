//! What is said by a file, and by `--config`.

use std::path::{Path, PathBuf};

use super::keys::{Key, Value};
use crate::cli::input::{self, Codes};
use crate::diag::{Code, Diagnostic, Sources};
use crate::format::config::{self, Setting};

/// The settings that hold somewhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    pub(super) settings: Vec<Setting>,
}

/// What the values of `--config` are.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// The file for all inputs.
    pub(super) file: Option<PathBuf>,
    /// Single settings; the last one of a key counts.
    pub(super) settings: Vec<Setting>,
}

/// Reads a file. Its paths are relative to it.
///
/// # Errors
/// Unreadable, or all that is wrong with it.
pub(super) fn read(
    path: &Path,
    limit: u64,
    sources: &mut Sources,
) -> Result<Said, Vec<Diagnostic>> {
    let file = input::read_file(path, limit, Codes::CONFIG, sources).map_err(|e| vec![e])?;
    let mut settings = config::read(sources, file)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    for setting in &mut settings {
        let value = Key::find(setting.key).map_or(Value::Plain, |key| key.value);
        for (text, _) in &mut setting.values {
            if value == Value::Path || (value == Value::NameOrPath && is_path(text)) {
                *text = folder.join(&*text).display().to_string();
            }
        }
    }
    Ok(Said { settings })
}

fn is_path(text: &str) -> bool {
    text.contains(['/', '\\']) || text.ends_with(".toml")
}

/// Reads the values of `--config`. Paths in them are relative to the working folder.
///
/// # Errors
/// Settings that are none, or a second file.
pub(super) fn asked(values: &[String], sources: &mut Sources) -> Result<Asked, Vec<Diagnostic>> {
    let mut asked = Asked::default();
    let mut errors = Vec::new();
    for value in values {
        let Some((key, rest)) = setting(value) else {
            if let Some(first) = asked.file.replace(PathBuf::from(value)) {
                let message = format!("`--config` names two files, `{}` and `{value}`", first.display());
                errors.push(
                    Diagnostic::error(Code::ConfigBadOption, message)
                        .help("files do not merge: name one, and single settings as KEY=VALUE"),
                );
            }
            continue;
        };
        let file = sources.add("<--config>", toml(key, rest));
        match config::read(sources, file) {
            Ok(read) => {
                asked.settings.retain(|old| read.iter().all(|new| new.key != old.key));
                asked.settings.extend(read);
            }
            Err(wrong) => errors.extend(wrong),
        }
    }
    if errors.is_empty() { Ok(asked) } else { Err(errors) }
}

/// Key and value of `KEY=VALUE`; a file of such a name is written `./KEY=VALUE`.
fn setting(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once('=')?;
    let key = key.trim();
    let word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (!key.is_empty() && key.chars().all(word)).then_some((key, value.trim()))
}

/// A line of a config file. A value that is not TOML is text, or a list of one where the key takes lists.
fn toml(key: &str, value: &str) -> String {
    let line = format!("{key} = {value}");
    if toml::from_str::<toml::Table>(&line).is_ok() {
        return line;
    }
    let quoted = toml::Value::from(value).to_string();
    match key {
        "capacity" | "hivm-options" | "runtime" => format!("{key} = [{quoted}]"),
        _ => format!("{key} = {quoted}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[&str]) -> Result<Asked, Vec<Diagnostic>> {
        let values: Vec<String> = values.iter().map(|&v| v.to_owned()).collect();
        asked(&values, &mut Sources::default())
    }

    fn words(asked: &Asked) -> Vec<(&str, Vec<&str>)> {
        asked
            .settings
            .iter()
            .map(|s| (s.key, s.values.iter().map(|(text, _)| text.as_str()).collect()))
            .collect()
    }

    #[test]
    fn settings_may_be_written_with_or_without_quotes() {
        let all = ["level=slot", "nodes = 5", "capacity=ub=192KiB", "deny=\"warnings\""];
        let asked = of(&all).expect("settings");
        let expected = [
            ("level", vec!["slot"]),
            ("nodes", vec!["5"]),
            ("capacity", vec!["ub=192KiB"]),
            ("deny", vec!["warnings"]),
        ];
        assert_eq!(words(&asked), expected);
        let asked = of(&["capacity=['ub=1', 'l1=2']", "level=pipe", "level=loop"]).expect("settings");
        assert_eq!(words(&asked), [("capacity", vec!["ub=1", "l1=2"]), ("level", vec!["loop"])]);
    }

    #[test]
    fn anything_else_is_a_file_and_two_are_too_many() {
        let asked = of(&["ci/memplan.toml", "level=slot"]).expect("a file");
        assert_eq!(asked.file.as_deref(), Some(Path::new("ci/memplan.toml")));
        assert_eq!(of(&["./a=b"]).expect("a file").file.as_deref(), Some(Path::new("./a=b")));
        assert!(of(&["a.toml", "b.toml"]).is_err());
    }

    #[test]
    fn a_mistyped_setting_is_told_with_the_nearest_key() {
        let errors = of(&["levle=slot", "level=slott"]).expect_err("wrong");
        let help: Vec<_> = errors.iter().filter_map(|e| e.help.as_deref()).collect();
        assert_eq!(help, ["did you mean `level`?", "did you mean `slot`?"]);
    }

    #[test]
    fn paths_of_a_file_are_relative_to_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(config::NAME);
        let text = "target = 'ascend910b'\nmachine = 'my.toml'\nbudget = 'b.toml'\ncache = '/c'\n";
        std::fs::write(&path, text).expect("written");
        let said = read(&path, 1 << 20, &mut Sources::default()).expect("a config");
        let values: Vec<&str> = said.settings.iter().map(|s| s.values[0].0.as_str()).collect();
        let at = |name: &str| folder.path().join(name).display().to_string();
        assert_eq!(values, ["ascend910b", &at("my.toml"), &at("b.toml"), "/c"]);
    }
}
