//! The options that a file or the environment may give.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

/// For how much of a run an option holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// For each input its own.
    Input,
    /// For the run: the files of all inputs have to agree.
    Run,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Words and numbers.
    Plain,
    /// A path.
    Path,
    /// A name, or a path: what has a slash in it or ends in `.toml`.
    NameOrPath,
}

/// An option.
#[derive(Debug)]
pub(super) struct Key {
    /// Its long name.
    pub(super) name: &'static str,
    pub(super) reach: Reach,
    pub(super) value: Value,
    /// Commands in which an option of that name is something else.
    not_of: &'static [&'static str],
}

const fn key(name: &'static str, reach: Reach, value: Value) -> Key {
    Key { name, reach, value, not_of: &[] }
}

/// All of them, in the order of `format::config::ConfigFile`.
pub(super) const KEYS: &[Key] = &[
    key("target", Reach::Input, Value::NameOrPath),
    key("capacity", Reach::Input, Value::Plain),
    key("level", Reach::Input, Value::Plain),
    key("liveness", Reach::Input, Value::Plain),
    key("hivm-pass", Reach::Input, Value::Plain),
    key("hivm-options", Reach::Input, Value::Plain),
    // The orders that `schedule` is to try are a question, not a fact about the input.
    Key { not_of: &["schedule"], ..key("order", Reach::Input, Value::Plain) },
    key("platform", Reach::Input, Value::Plain),
    key("strategy", Reach::Run, Value::Plain),
    Key { not_of: &["schedule"], ..key("nodes", Reach::Run, Value::Plain) },
    key("seed", Reach::Run, Value::Plain),
    key("deny", Reach::Run, Value::Plain),
    key("runtime", Reach::Run, Value::Plain),
    key("machine", Reach::Run, Value::NameOrPath),
    key("mode", Reach::Run, Value::Plain),
    key("schedule", Reach::Run, Value::Plain),
    key("budget", Reach::Run, Value::Path),
    // An earlier run of `bench` is no baseline of kernels.
    Key { not_of: &["bench"], ..key("baseline", Reach::Run, Value::Path) },
    key("cache", Reach::Run, Value::Path),
    key("format", Reach::Run, Value::Plain),
];

impl Key {
    /// The key of that name.
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// The variable that gives it, too.
    pub(super) fn variable(&self) -> String {
        format!("MEMPLAN_{}", self.id().to_uppercase())
    }

    fn id(&self) -> String {
        self.name.replace('-', "_")
    }

    /// The option, if the command of that name has it.
    pub(super) fn arg<'a>(&self, root: &'a Command, name: &str) -> Option<&'a Arg> {
        let id = self.id();
        let of = |command: &'a Command| command.get_arguments().find(|arg| *arg.get_id() == *id);
        let sub = || root.find_subcommand(name).filter(|_| !self.not_of.contains(&name));
        of(root).or_else(|| sub().and_then(of))
    }

    /// True where the command line says it.
    pub(super) fn is_said(&self, root: &Command, name: &str, matches: &ArgMatches) -> bool {
        let id = self.id();
        let matches = match matches.subcommand_matches(name) {
            Some(sub) if root.get_arguments().all(|arg| *arg.get_id() != *id) => sub,
            _ => matches,
        };
        matches.value_source(&id) == Some(ValueSource::CommandLine)
    }

    /// Changes the option of a command that has it.
    pub(super) fn change(
        &self,
        root: Command,
        name: &str,
        change: impl FnOnce(Arg) -> Arg,
    ) -> Command {
        let id = self.id();
        if root.get_arguments().any(|arg| *arg.get_id() == *id) {
            root.mut_arg(id, change)
        } else {
            root.mut_subcommand(name, |sub| sub.mut_arg(id, change))
        }
    }
}

/// The inputs of a command; `None` where it has none.
pub(super) fn inputs(matches: &ArgMatches) -> Option<Vec<String>> {
    let of = |id: &str| matches.try_get_many::<String>(id).ok();
    let inputs = of("inputs").or_else(|| of("traces"))?;
    Some(inputs.into_iter().flatten().cloned().collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;
    use crate::cli::args::Cli;
    use crate::format::config::ConfigFile;
    use crate::format::config_words as words;

    #[test]
    fn every_key_is_an_option_of_some_command() {
        let root = Cli::command();
        for key in KEYS {
            let any = root.get_subcommands().any(|sub| key.arg(&root, sub.get_name()).is_some());
            assert!(any, "{}", key.name);
        }
        assert!(Key::find("baseline").and_then(|key| key.arg(&root, "bench")).is_none());
        assert!(Key::find("baseline").and_then(|key| key.arg(&root, "verify")).is_some());
    }

    #[test]
    fn the_file_has_these_keys_and_no_others() {
        let schema = schemars::schema_for!(ConfigFile).to_value();
        let properties = schema["properties"].as_object().expect("properties");
        let file: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
        let ours = KEYS.iter().map(|key| key.name).chain(["version"]).collect();
        assert_eq!(file, ours);
    }

    #[test]
    fn words_are_those_of_the_command_line() {
        let root = Cli::command();
        for (name, words) in [
            ("level", words::LevelWord::WORDS),
            ("liveness", words::LivenessWord::WORDS),
            ("hivm-pass", words::HivmPassWord::WORDS),
            ("order", words::OrderWord::WORDS),
            ("platform", words::PlatformWord::WORDS),
            ("deny", words::DenyWord::WORDS),
            ("runtime", words::RuntimeWord::WORDS),
            ("mode", words::ModeWord::WORDS),
            ("format", words::FormatWord::WORDS),
        ] {
            let key = Key::find(name).expect("a key");
            let arg = key.arg(&root, "verify").expect("an option of verify");
            let values = arg.get_possible_values();
            let names = values.iter().flat_map(|value| value.get_name_and_aliases());
            let (names, words): (BTreeSet<&str>, BTreeSet<&str>) =
                (names.collect(), words.iter().copied().collect());
            assert_eq!(names, words, "{name}");
        }
    }
}
