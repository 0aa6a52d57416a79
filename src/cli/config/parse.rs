//! From the words of the command line to all options of a run.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};

use super::file;
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
    /// Something is wrong with a file, the environment, or `--config`.
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
/// Those of the command line, or all that is wrong behind it.
pub(crate) fn parse(argv: &[OsString]) -> Result<Parsed, Failure> {
    let root = Cli::command();
    let (cli, matches) = read(root.clone(), argv)?;
    let (name, inputs) = match matches.subcommand() {
        Some((name, sub)) => (name.to_owned(), keys::inputs(sub)),
        None => (String::new(), None),
    };
    let line = Line { root, argv, name, matches };
    let mut sources = Sources::default();
    let mut behind = match behind(&line, &cli, &inputs.unwrap_or_default(), &mut sources) {
        Ok(behind) => behind,
        Err(errors) => return Err(Failure::Config(errors, sources)),
    };
    if behind.searched {
        let cli = line.with(&behind.run, &behind.all[0])?;
        if let Err(errors) = before(&line, &cli, &mut behind, &mut sources) {
            return Err(Failure::Config(errors, sources));
        }
    }
    Ok(line.under(behind, &sources)?)
}

/// What stands behind a command line.
#[derive(Default)]
struct Behind {
    /// Where files begin to hold, each with an index into `all`.
    points: Vec<(PathBuf, usize)>,
    /// Settings that hold somewhere; the first are those of the first input.
    all: Vec<Vec<Setting>>,
    /// Settings that hold for the run.
    run: Vec<Setting>,
    /// The file of each of `all`.
    files: Vec<Option<PathBuf>>,
    /// What the environment and `--config` say.
    louder: Vec<Setting>,
    /// True where files were looked for.
    searched: bool,
}

fn behind(
    line: &Line<'_>,
    cli: &Cli,
    inputs: &[String],
    sources: &mut Sources,
) -> Result<Behind, Vec<Diagnostic>> {
    let limit = input::limit().map_err(|error| vec![error])?;
    // What another command would have to say about a variable is not of interest.
    let has = |key: &Key| key.arg(&line.root, &line.name).is_some();
    let variable = |key: &Key| has(key).then(|| std::env::var(key.variable()).ok()).flatten();
    let asked = file::asked(&cli.global.config.config, sources)?;
    let louder = file::environment(&variable, sources)?;
    let searched = !inputs.is_empty() && asked.file.is_none() && !cli.global.config.isolated;
    let points = match asked.file {
        _ if inputs.is_empty() => Vec::new(),
        Some(file) => vec![Point { folder: PathBuf::new(), file: Some(file) }],
        None if cli.global.config.isolated => Vec::new(),
        None => find::points(inputs),
    };
    let mut errors = check::asked(&line.root, &line.name, &asked.settings);
    errors.extend(check::values(&line.root, &louder));
    let (mut files, mut all): (Vec<Option<PathBuf>>, Vec<Vec<Setting>>) = Default::default();
    let mut at = Vec::new();
    for Point { folder, file } in points {
        let known = files.iter().position(|one| *one == file).unwrap_or(files.len());
        at.push((folder, known));
        if known < files.len() {
            continue;
        }
        let said = file.as_ref().map(|path| file::read(path, limit, sources));
        let said = said.unwrap_or_else(|| Ok(Vec::new())).unwrap_or_else(|wrong| {
            errors.extend(wrong);
            Vec::new()
        });
        errors.extend(check::values(&line.root, &said));
        files.push(file);
        all.push(said);
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    if all.is_empty() {
        all.push(Vec::new());
    }
    for said in &mut all {
        said.retain(|setting| check::fits(&line.name, setting));
        let fitting = louder.iter().filter(|setting| check::fits(&line.name, setting));
        replace(said, fitting);
        replace(said, asked.settings.iter());
        said.retain(|setting| line.is_open(setting));
    }
    let sides: Vec<&[Setting]> = all.iter().map(Vec::as_slice).collect();
    let run = merge::run(&sides, sources)?;
    let mut all_louder: Vec<Setting> = louder;
    all_louder.retain(|setting| check::fits(&line.name, setting));
    replace(&mut all_louder, asked.settings.iter());
    Ok(Behind { points: at, all, run, files, louder: all_louder, searched })
}

/// What inputs were before has its own files, too, as far as there are any: else a chip that differs
/// from folder to folder would be a change. Only what they say of inputs counts.
fn before(
    line: &Line<'_>,
    cli: &Cli,
    behind: &mut Behind,
    sources: &mut Sources,
) -> Result<(), Vec<Diagnostic>> {
    let crate::cli::args::Command::Verify(args) = &cli.command else { return Ok(()) };
    let Some(baseline) = args.gate.baseline.as_ref().filter(|path| path.is_dir()) else {
        return Ok(());
    };
    let limit = input::limit().map_err(|error| vec![error])?;
    for Point { folder, file } in find::points(&[baseline.display().to_string()]) {
        let Some(file) = file else { continue };
        if behind.points.iter().any(|(known, _)| *known == folder) {
            continue;
        }
        let known = behind.files.iter().position(|one| one.as_ref() == Some(&file));
        let at = match known {
            Some(at) => at,
            None => {
                let mut said = file::read(&file, limit, sources)?;
                let errors = check::values(&line.root, &said);
                if !errors.is_empty() {
                    return Err(errors);
                }
                said.retain(|s| Key::find(s.key).is_some_and(|key| key.reach == Reach::Input));
                replace(&mut said, behind.louder.iter());
                said.retain(|setting| line.is_open(setting));
                behind.files.push(Some(file));
                behind.all.push(said);
                behind.all.len() - 1
            }
        };
        behind.points.push((folder, at));
    }
    Ok(())
}

/// What is said louder takes the place of what is said.
fn replace<'a>(said: &mut Vec<Setting>, louder: impl Iterator<Item = &'a Setting> + Clone) {
    said.retain(|old| louder.clone().all(|new| new.key != old.key));
    said.extend(louder.cloned());
}

/// The words of a command line.
struct Line<'a> {
    root: Command,
    argv: &'a [OsString],
    name: String,
    matches: ArgMatches,
}

impl Line<'_> {
    /// True for an option that the command has and the line does not give.
    fn is_open(&self, setting: &Setting) -> bool {
        Key::find(setting.key).is_some_and(|key| {
            let has = key.arg(&self.root, &self.name).is_some();
            has && !key.is_said(&self.root, &self.name, &self.matches)
        })
    }

    /// The options, with these settings as defaults.
    fn with(&self, run: &[Setting], own: &[Setting]) -> Result<Cli, clap::Error> {
        let key = |setting: &Setting| Key::find(setting.key);
        let own = own.iter().filter(|s| key(s).is_some_and(|key| key.reach == Reach::Input));
        let root = run.iter().chain(own).fold(self.root.clone(), |root, setting| {
            let Some(key) = key(setting) else { return root };
            let values: Vec<String> = setting.values.iter().map(|(text, _)| text.clone()).collect();
            key.change(root, &self.name, |arg| arg.default_values(values))
        });
        read(root, self.argv).map(|(cli, _)| cli)
    }

    /// All options.
    fn under(self, behind: Behind, sources: &Sources) -> Result<Parsed, clap::Error> {
        let Behind { points, all, run, files, .. } = behind;
        let mut cli = self.with(&run, &all[0])?;
        let layer = |said: &Vec<Setting>| -> Result<Option<Layer>, clap::Error> {
            let differs = merge::input_keys(&[&all[0], said]);
            let cli = self.with(&run, said)?;
            Ok(Layer::of(&cli.command, differs, merge::places(said, sources)))
        };
        // Each is made once, however many folders it holds for.
        let layers = all[1..].iter().map(layer).collect::<Result<Vec<_>, _>>()?;
        let layer_at =
            |at: usize| at.checked_sub(1).and_then(|at| layers.get(at).cloned()).flatten();
        let folders: BTreeMap<PathBuf, Option<Layer>> =
            points.into_iter().map(|(folder, at)| (folder, layer_at(at))).collect();
        Layers::new(folders, merge::places(&all[0], sources)).attach(&mut cli.command);
        Ok(Parsed { cli, name: self.name, files: files.into_iter().flatten().collect() })
    }
}

fn read(mut root: Command, argv: &[OsString]) -> Result<(Cli, ArgMatches), clap::Error> {
    let matches = root.try_get_matches_from_mut(argv)?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut root))?;
    Ok((cli, matches))
}
