//! Whether settings make sense, before they stand for options.

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command, ValueEnum};

use super::keys::Key;
use crate::cli::args::Format;
use crate::diag::{Code, Diagnostic};
use crate::format::config::{Setting, bad};
use crate::format::read::nearest;
use crate::front::spec::size;
use crate::plan::Strategy;

/// What is wrong with settings of the command line: also that the command does not have them.
pub(super) fn asked(root: &Command, name: &str, settings: &[Setting]) -> Vec<Diagnostic> {
    let mut errors = values(root, settings);
    for setting in settings {
        if Key::find(setting.key).is_none_or(|key| key.arg(root, name).is_none()) {
            let message = format!("`{name}` has no option `{}`", setting.key);
            errors.push(Diagnostic::error(Code::ConfigBadOption, message).at(setting.loc, ""));
        }
    }
    errors
}

/// What is wrong with values, whatever the command.
pub(super) fn values(root: &Command, settings: &[Setting]) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for setting in settings {
        let names = root.get_subcommands().map(Command::get_name);
        let key = Key::find(setting.key);
        let Some(arg) = key.and_then(|key| names.filter_map(|name| key.arg(root, name)).next())
        else {
            continue;
        };
        for (text, loc) in &setting.values {
            if let Err((why, help)) = value(arg, setting.key, text) {
                let mut error = bad(format!("`{}`: {why}", setting.key), *loc);
                error.help = help;
                errors.push(error);
            }
        }
    }
    errors
}

/// Reads a value as the command line would.
fn value(arg: &Arg, key: &str, text: &str) -> Result<(), (String, Option<String>)> {
    match key {
        "strategy" if Strategy::find(text).is_none() => {
            let names = Strategy::names();
            let help = match nearest(text, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the strategies are {}", names.join(", ")),
            };
            return Err((format!("`{text}` is not a strategy"), Some(help)));
        }
        "capacity" => {
            let size = text.rsplit_once('=').map_or(text, |(_, size)| size);
            if size::parse(size).is_err() {
                let help = "write `196608`, `192KiB`, or `ub=192KiB`".to_owned();
                return Err((format!("`{text}` is not a size"), Some(help)));
            }
        }
        _ => {}
    }
    // The option alone: others of its command might be required.
    let alone = Arg::new("value").long("value").value_parser(arg.get_value_parser().clone());
    let read = Command::new("memplan").no_binary_name(true).arg(alone);
    let Err(error) = read.try_get_matches_from([format!("--value={text}")]) else {
        return Ok(());
    };
    let near = match error.get(ContextKind::SuggestedValue) {
        Some(ContextValue::String(word)) => Some(format!("did you mean `{word}`?")),
        _ => None,
    };
    let why = std::error::Error::source(&error).map(ToString::to_string);
    let wrong = format!("`{text}` is not a value of it");
    Err(match why {
        Some(why) if why.starts_with("did you mean") => (wrong, Some(why)),
        Some(why) => (why, near),
        None => (wrong, near),
    })
}

/// False for a format that the command does not have: a file is for all commands.
pub(super) fn fits(name: &str, setting: &Setting) -> bool {
    let format = setting.values.first().and_then(|(text, _)| Format::from_str(text, false).ok());
    setting.key != "format" || format.is_none_or(|format| format.fits(name))
}
