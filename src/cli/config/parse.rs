//! From the words of the command line to all options of a run.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};

use super::file::{self, Said};
use super::find::{self, Point};
use super::keys::{self, Key, Reach};
use super::layers::{Layer, Layers};
use super::{check, merge};
use crate::cli::args::Cli;
use crate::cli::input;
use crate::diag::{Diagnostic, Sources};
use crate::format::config::Setting;

/// A command line with all that stands behind it.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// The options.
    pub(crate) cli: Cli,
    /// The name of the command.
    pub(crate) name: String,
    /// The files that were used, for `-v`.
    pub(crate) files: Vec<PathBuf>,
}

/// Why there is none.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong words, or a question for help.
    Usage(clap::Error),
    /// Something is wrong with a file, or with `--config`.
    Config(Vec<Diagnostic>, Sources),
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        Self::Usage(error)
    }
}

/// Reads the command line, the environment and the files of the inputs.
///
/// # Errors
/// Those of the command line, or all of the files.
pub(crate) fn parse(argv: &[OsString]) -> Result<Parsed, Failure> {
    let variable = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let root = keys::with_environment(Cli::command(), &[], &variable);
    let (cli, matches) = read(root.clone(), argv)?;
    let (name, inputs) = match matches.subcommand() {
        Some((name, sub)) => (name.to_owned(), keys::inputs(sub)),
        None => (String::new(), None),
    };
    let Some(inputs) = inputs else { return Ok(Parsed { cli, name, files: Vec::new() }) };
    let mut sources = Sources::default();
    match behind(&cli, (&name, &inputs), &variable, argv, &mut sources) {
        Ok(parsed) => Ok(parsed),
        Err(Wrong::Words(error)) => Err(Failure::Usage(error)),
        Err(Wrong::Settings(errors)) => Err(Failure::Config(errors, sources)),
    }
}

/// What may go wrong behind the command line.
enum Wrong {
    Words(clap::Error),
    Settings(Vec<Diagnostic>),
}

impl From<clap::Error> for Wrong {
    fn from(error: clap::Error) -> Self {
        Self::Words(error)
    }
}

impl From<Vec<Diagnostic>> for Wrong {
    fn from(errors: Vec<Diagnostic>) -> Self {
        Self::Settings(errors)
    }
}

fn behind(
    cli: &Cli,
    (name, inputs): (&str, &[String]),
    variable: &dyn Fn(&str) -> bool,
    argv: &[OsString],
    sources: &mut Sources,
) -> Result<Parsed, Wrong> {
    let limit = input::limit().map_err(|error| vec![error])?;
    let asked = file::asked(&cli.global.config.config, sources)?;
    // A setting on the command line beats the environment.
    let keys: Vec<&str> = asked.settings.iter().map(|s| s.key).collect();
    let root = keys::with_environment(Cli::command(), &keys, variable);
    let (_, matches) = read(root.clone(), argv)?;
    let points = match asked.file {
        Some(file) => vec![Point { folder: PathBuf::new(), file: Some(file) }],
        None if cli.global.config.isolated => Vec::new(),
        None => find::points(inputs),
    };
    let mut files = Files::default();
    let mut errors = check::asked(&root, name, &asked.settings);
    for point in &points {
        files.add(point, limit, sources).unwrap_or_else(|wrong| errors.extend(wrong));
    }
    for (_, said) in &files.all {
        errors.extend(check::values(&root, &said.settings));
    }
    if !errors.is_empty() {
        return Err(errors.into());
    }
    // What holds: of those options that the command has and nobody has said louder.
    let open = |setting: &Setting| {
        let key = Key::find(setting.key)?;
        key.arg(&root, name)?;
        let louder = key.is_said(&root, name, &matches);
        (!louder && check::fits(name, setting)).then_some(key.reach)
    };
    for (_, said) in &mut files.all {
        said.settings.retain(|old| asked.settings.iter().all(|new| new.key != old.key));
        said.settings.extend(asked.settings.iter().cloned());
        said.settings.retain(|setting| open(setting).is_some());
    }
    let alone = [(None, Said { settings: asked.settings })];
    let all = if files.all.is_empty() { &alone[..] } else { &files.all };
    let run = merge::run(all, sources)?;
    let under = |said: &Said| -> Result<Cli, clap::Error> {
        let own = said.settings.iter().filter(|s| open(s) == Some(Reach::Input));
        let held = run.iter().filter(|s| open(s).is_some()).chain(own);
        let root = held.fold(root.clone(), |root, setting| with_default(root, name, setting));
        read(root, argv).map(|(cli, _)| cli)
    };
    let first = &all[0].1;
    let mut cli = under(first)?;
    let mut folders = BTreeMap::new();
    for point in points {
        let at = files.of(&point);
        let layer = match files.all.get(at) {
            Some((_, said)) if at > 0 => {
                let differs = merge::input_keys(&[first, said]);
                Layer::of(&under(said)?.command, differs, merge::said_in(&files.all[at]))
            }
            _ => None,
        };
        folders.insert(point.folder, layer);
    }
    Layers::new(folders, merge::said_in(&all[0])).attach(&mut cli.command);
    let files = files.all.into_iter().filter_map(|(path, _)| path).collect();
    Ok(Parsed { cli, name: name.to_owned(), files })
}

/// What each file says, in the order of the inputs; "no file" is one, too, that says nothing.
#[derive(Default)]
struct Files {
    all: Vec<(Option<PathBuf>, Said)>,
}

impl Files {
    fn add(
        &mut self,
        point: &Point,
        limit: u64,
        sources: &mut Sources,
    ) -> Result<(), Vec<Diagnostic>> {
        if self.of(point) < self.all.len() {
            return Ok(());
        }
        let said = match &point.file {
            Some(path) => file::read(path, limit, sources),
            None => Ok(Said::default()),
        };
        // A broken one is remembered, so that it is told once.
        let (said, wrong) = said.map_or_else(|wrong| (Said::default(), wrong), |s| (s, Vec::new()));
        self.all.push((point.file.clone(), said));
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    fn of(&self, point: &Point) -> usize {
        let same = |(path, _): &(Option<PathBuf>, Said)| *path == point.file;
        self.all.iter().position(same).unwrap_or(self.all.len())
    }
}

fn read(mut root: Command, argv: &[OsString]) -> Result<(Cli, ArgMatches), clap::Error> {
    let matches = root.try_get_matches_from_mut(argv)?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut root))?;
    Ok((cli, matches))
}

/// The command line with a setting as the default of its option.
fn with_default(root: Command, name: &str, setting: &Setting) -> Command {
    let Some(key) = Key::find(setting.key) else { return root };
    let values: Vec<String> = setting.values.iter().map(|(text, _)| text.clone()).collect();
    key.change(root, name, |arg| arg.default_values(values))
}
