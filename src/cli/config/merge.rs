//! What several files say together.

use std::collections::BTreeMap;

use super::keys::{Key, Reach};
use crate::diag::{Diagnostic, Sources};
use crate::format::config::{Setting, bad};

/// The settings of the run. A file that says nothing about one has no objection.
///
/// # Errors
/// Where two files differ.
pub(super) fn run(all: &[&[Setting]], sources: &Sources) -> Result<Vec<Setting>, Vec<Diagnostic>> {
    let mut run: Vec<Setting> = Vec::new();
    let mut errors = Vec::new();
    for setting in all.iter().copied().flatten() {
        if reach(setting) != Some(Reach::Run) {
            continue;
        }
        match run.iter().find(|one| one.key == setting.key) {
            None => run.push(setting.clone()),
            Some(one) if texts(one).eq(texts(setting)) => {}
            Some(one) => {
                let (here, there) = (sources.place(setting.loc), sources.place(one.loc));
                let message =
                    format!("`{}` is one for the run, and {there} and {here} differ", one.key);
                let help = format!(
                    "make them agree, say `--{} ..`, or run their inputs one after the other",
                    one.key
                );
                errors.push(bad(message, setting.loc).help(help));
            }
        }
    }
    if errors.is_empty() { Ok(run) } else { Err(errors) }
}

fn texts(setting: &Setting) -> impl Iterator<Item = &str> {
    setting.values.iter().map(|(text, _)| text.as_str())
}

fn reach(setting: &Setting) -> Option<Reach> {
    Key::find(setting.key).map(|key| key.reach)
}

/// The options of inputs that one of these says something about.
pub(super) fn input_keys(all: &[&[Setting]]) -> Vec<&'static str> {
    let settings = all.iter().copied().flatten();
    let mut keys: Vec<&'static str> =
        settings.filter(|s| reach(s) == Some(Reach::Input)).map(|s| s.key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The options of inputs that these give, each with the name of the file or variable.
pub(super) fn places(settings: &[Setting], sources: &Sources) -> BTreeMap<&'static str, String> {
    let of_inputs = settings.iter().filter(|s| reach(s) == Some(Reach::Input));
    let place = |s: &Setting| sources.get(s.loc.file).map(|file| file.name.clone());
    of_inputs.map(|s| (s.key, place(s).unwrap_or_default())).collect()
}
