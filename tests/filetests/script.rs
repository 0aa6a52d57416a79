//! The comments of an input: commands and what they should say.

use std::fmt::Write;

/// All commands of an input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// In the order written.
    pub(crate) commands: Vec<Command>,
    /// Plans by name.
    pub(crate) plans: Vec<(String, String)>,
}

/// A command and what it should say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Command {
    /// The words of the line, `{}` not yet replaced.
    pub(crate) line: String,
    /// The exit code.
    pub(crate) exit: i32,
    /// `#>` lines.
    pub(crate) stdout: Vec<String>,
    /// `#!` lines.
    pub(crate) stderr: Vec<String>,
    /// `#~` lines.
    pub(crate) words: Vec<String>,
}

impl Command {
    /// True when stdout is a JSON report.
    pub(crate) fn is_json(&self) -> bool {
        self.line.contains("--format json")
    }
}

impl Script {
    /// Reads the comments of a text.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut script = Self::default();
        for line in text.lines() {
            let Some((mark, rest)) = split(line) else { continue };
            if mark == '@' {
                let (name, plan) =
                    rest.split_once(':').ok_or("a `#@` line is `NAME: a = 0, ..`")?;
                script.plans.push((name.trim().to_owned(), plan.trim().to_owned()));
                continue;
            }
            if mark == '$' {
                let line = rest.trim().to_owned();
                script.commands.push(Command { line, ..Command::default() });
                continue;
            }
            let command = script.commands.last_mut().ok_or("an expectation before any `#$`")?;
            match mark {
                '?' => command.exit = rest.trim().parse().map_err(|_| "`#?` is an exit code")?,
                '>' => command.stdout.push(rest.to_owned()),
                '!' => command.stderr.push(rest.to_owned()),
                _ => command.words.push(rest.trim().to_owned()),
            }
        }
        Ok(script)
    }

    /// The text with its expectations replaced by those of this script.
    pub(crate) fn write(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut commands = self.commands.iter();
        for line in text.lines() {
            match split(line) {
                Some(('$', _)) => {
                    let _ = writeln!(out, "{line}");
                    let Some(command) = commands.next() else { continue };
                    for words in &command.words {
                        let _ = writeln!(out, "#~ {words}");
                    }
                    if command.exit != 0 {
                        let _ = writeln!(out, "#? {}", command.exit);
                    }
                    let blocks = [("#>", &command.stdout), ("#!", &command.stderr)];
                    for (mark, lines) in blocks {
                        for line in lines {
                            let _ = writeln!(out, "{}", format!("{mark} {line}").trim_end());
                        }
                    }
                }
                Some(('@', _)) | None => {
                    let _ = writeln!(out, "{line}");
                }
                Some(_) => {}
            }
        }
        out
    }
}

/// The mark and the rest of a line that is one of ours.
fn split(line: &str) -> Option<(char, &str)> {
    let rest = line.strip_prefix('#')?;
    let mark = rest.chars().next().filter(|c| "$?>!~@".contains(*c))?;
    let rest = &rest[1..];
    Some((mark, rest.strip_prefix(' ').unwrap_or(rest)))
}
