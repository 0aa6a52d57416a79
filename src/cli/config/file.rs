//! What is said by a file, by the environment, and by `--config`.

use std::path::{Path, PathBuf};

use super::keys::{KEYS, Key, Value};
use crate::cli::input::{self, Codes};
use crate::diag::{Code, Diagnostic, Sources};
use crate::format::config::{self, Setting};

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
) -> Result<Vec<Setting>, Vec<Diagnostic>> {
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
    Ok(settings)
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
                let message =
                    format!("`--config` names two files, `{}` and `{value}`", first.display());
                errors.push(
                    Diagnostic::error(Code::ConfigBadOption, message)
                        .help("files do not merge: name one, and single settings as KEY=VALUE"),
                );
            }
            continue;
        };
        match line("--config", key, rest, sources) {
            Ok(read) => {
                asked.settings.retain(|old| read.iter().all(|new| new.key != old.key));
                asked.settings.extend(read);
            }
            Err(wrong) => errors.extend(wrong),
        }
    }
    if errors.is_empty() { Ok(asked) } else { Err(errors) }
}

/// Reads the variables of the environment that are named after keys. One that is empty is none: CI systems
/// make them so.
///
/// # Errors
/// Values that are none.
pub(super) fn environment(
    variable: &dyn Fn(&Key) -> Option<String>,
    sources: &mut Sources,
) -> Result<Vec<Setting>, Vec<Diagnostic>> {
    let (mut settings, mut errors) = (Vec::new(), Vec::new());
    for key in KEYS {
        let Some(value) = variable(key).filter(|value| !value.trim().is_empty()) else {
            continue;
        };
        match line(&key.variable(), key.name, value.trim(), sources) {
            Ok(read) => settings.extend(read),
            Err(wrong) => errors.extend(wrong),
        }
    }
    if errors.is_empty() { Ok(settings) } else { Err(errors) }
}

/// Reads one line of a config file that is not in one.
fn line(
    name: &str,
    key: &str,
    value: &str,
    sources: &mut Sources,
) -> Result<Vec<Setting>, Vec<Diagnostic>> {
    let file = sources.add(name, toml(key, value));
    let told = |error| Diagnostic { code: Code::ConfigBadOption, ..error };
    config::read(sources, file).map_err(|errors| errors.into_iter().map(told).collect())
}

/// Key and value of `KEY=VALUE`; a file of such a name is written `./KEY=VALUE`.
fn setting(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once('=')?;
    let key = key.trim();
    let word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (!key.is_empty() && key.chars().all(word)).then_some((key, value.trim()))
}

/// A line of a config file. The value is TOML where it is of the type that the key takes; anything else is
/// text, where the key takes lists with commas between.
fn toml(key: &str, value: &str) -> String {
    let line = format!("{key} = {value}");
    let read = toml::from_str::<toml::Table>(&line).ok();
    let lists = matches!(key, "capacity" | "hivm-options" | "runtime");
    match read.as_ref().and_then(|table| table.get(key)) {
        Some(toml::Value::Array(_)) if lists => return line,
        Some(toml::Value::Integer(_)) if matches!(key, "nodes" | "seed" | "version") => {
            return line;
        }
        Some(toml::Value::String(_)) if !lists => return line,
        _ => {}
    }
    let quoted = |text: &str| toml::Value::from(text.trim()).to_string();
    if lists {
        let all: Vec<String> = value.split(',').map(quoted).collect();
        return format!("{key} = [{}]", all.join(", "));
    }
    format!("{key} = {}", quoted(value))
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

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
        let asked =
            of(&["capacity=['ub=1', 'l1=2']", "level=pipe", "level=loop"]).expect("settings");
        assert_eq!(words(&asked), [("capacity", vec!["ub=1", "l1=2"]), ("level", vec!["loop"])]);
        // Numbers may be names, and sizes.
        let asked = of(&["machine=950", "level=2", "capacity=4096"]).expect("settings");
        let expected = [("machine", vec!["950"]), ("level", vec!["2"]), ("capacity", vec!["4096"])];
        assert_eq!(words(&asked), expected);
    }

    quickcheck! {
        fn a_bare_value_is_its_text(value: String) -> bool {
            let value = value.trim();
            let quoted = value.starts_with(['"', '\'']);
            let said = toml::from_str::<toml::Table>(&super::toml("budget", value));
            quoted || said.is_ok_and(|table| table["budget"].as_str() == Some(value))
        }
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
    fn variables_are_settings_and_empty_ones_are_none() {
        let variable = |key: &Key| match key.variable().as_str() {
            "MEMPLAN_CAPACITY" => Some("ub=5, l1=7".to_owned()),
            "MEMPLAN_HIVM_PASS" => Some("regbase".to_owned()),
            "MEMPLAN_LEVEL" => Some("2".to_owned()),
            "MEMPLAN_CACHE" => Some(String::new()),
            _ => None,
        };
        let settings = environment(&variable, &mut Sources::default()).expect("settings");
        let expected = [
            ("capacity", vec!["ub=5", "l1=7"]),
            ("level", vec!["2"]),
            ("hivm-pass", vec!["regbase"]),
        ];
        assert_eq!(words(&Asked { file: None, settings }), expected);
    }

    #[test]
    fn paths_of_a_file_are_relative_to_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(config::NAME);
        let text = "target = 'ascend910b'\nmachine = 'my.toml'\nbudget = 'b.toml'\ncache = '/c'\n";
        std::fs::write(&path, text).expect("written");
        let said = read(&path, 1 << 20, &mut Sources::default()).expect("a config");
        let values: Vec<&str> = said.iter().map(|s| s.values[0].0.as_str()).collect();
        let at = |name: &str| folder.path().join(name).display().to_string();
        assert_eq!(values, ["ascend910b", &at("my.toml"), &at("b.toml"), "/c"]);
    }
}
