//! `NAME=CMD`: how a planner is called.

use std::path::Path;
use std::str::FromStr;

/// A planner from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External {
    /// Its name in rows.
    pub name: String,
    /// The command line that it was given as.
    pub command: String,
    /// The program and its arguments, with `{in}`, `{out}` and maybe `{capacity}` in them.
    words: Vec<String>,
}

impl FromStr for External {
    type Err = String;

    /// Words are split as a shell splits them; nothing else that a shell does is done.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, command) = text.split_once('=').unwrap_or(("", text));
        let (name, command) = (name.trim(), command.trim());
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err("write NAME=CMD, the name without spaces".to_owned());
        }
        let words = shlex::split(command).ok_or("a quote is not closed")?;
        for needed in ["{in}", "{out}"] {
            if !words.iter().skip(1).any(|word| word.contains(needed)) {
                return Err(format!("{needed} has no place in the command"));
            }
        }
        Ok(Self { name: name.to_owned(), command: command.to_owned(), words })
    }
}

impl External {
    /// The words of one call.
    pub fn call(&self, input: &Path, output: &Path, capacity: u64) -> Vec<String> {
        let filled = |word: &String| {
            word.replace("{capacity}", &capacity.to_string())
                .replace("{in}", &input.to_string_lossy())
                .replace("{out}", &output.to_string_lossy())
        };
        self.words.iter().map(filled).collect()
    }
}
