//! `memplan.toml`: what a team would otherwise write on every command line.
//!
//! ```toml
//! version = 1                      # optional
//! target = "ascend910b"
//! capacity = ["ub=184KiB"]
//! level = "slot"
//! budget = "memplan-budget.toml"   # paths are relative to this file
//! deny = "warnings"
//! ```
//!
//! Keys are the long names of options. What an option means, and where it makes sense, is for the
//! command line to say; here is only what a file may look like.

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use super::config_words::{
    DenyWord, FormatWord, HivmPassWord, LevelWord, LivenessWord, ModeWord, OrderWord, PlatformWord,
    RuntimeWord,
};
use super::read;
use super::values::Number;
use crate::diag::{Code, Diagnostic, FileId, Loc, Sources};

/// The version of the format that this memplan reads.
pub const VERSION: i128 = 1;

/// The name of the file.
pub const NAME: &str = "memplan.toml";

/// Options of a team, for all inputs at and below the folder of the file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "memplan config")]
pub struct ConfigFile {
    /// Version of the format; this is 1.
    #[schemars(with = "Option<u64>", range(min = 1, max = 1))]
    pub version: Option<Spanned<Number>>,
    /// A chip, or a target file relative to this file.
    #[schemars(with = "Option<String>")]
    pub target: Option<Spanned<String>>,
    /// Other capacities: `["ub=192KiB"]`.
    #[schemars(with = "Option<Vec<String>>")]
    pub capacity: Option<Spanned<Vec<Spanned<String>>>>,
    /// Buffers do not share below this level.
    #[schemars(with = "Option<LevelWord>")]
    pub level: Option<Spanned<LevelWord>>,
    /// Whose live ranges of HIVM text.
    #[schemars(with = "Option<LivenessWord>")]
    pub liveness: Option<Spanned<LivenessWord>>,
    /// Which of the compiler's passes HIVM text is for.
    #[schemars(with = "Option<HivmPassWord>")]
    pub hivm_pass: Option<Spanned<HivmPassWord>>,
    /// Options of that pass under its own names: `["mem-plan-mode=global-work-space-plan"]`.
    #[schemars(with = "Option<Vec<String>>")]
    pub hivm_options: Option<Spanned<Vec<Spanned<String>>>>,
    /// In which order the instructions of an HLO module are executed.
    #[schemars(with = "Option<OrderWord>")]
    pub order: Option<Spanned<OrderWord>>,
    /// Whose rules hold for an HLO module.
    #[schemars(with = "Option<PlatformWord>")]
    pub platform: Option<Spanned<PlatformWord>>,
    /// Who places.
    #[schemars(with = "Option<String>")]
    pub strategy: Option<Spanned<String>>,
    /// Search nodes for each question that a level asks.
    #[schemars(with = "Option<u64>")]
    pub nodes: Option<Spanned<Number>>,
    /// Seed of the noise in heuristics and search, and of random orders.
    #[schemars(with = "Option<u64>")]
    pub seed: Option<Spanned<Number>>,
    /// `warnings`: they fail, too.
    #[schemars(with = "Option<DenyWord>")]
    pub deny: Option<Spanned<DenyWord>>,
    /// Device runtimes in which plans are placed and run.
    #[schemars(with = "Option<Vec<RuntimeWord>>")]
    pub runtime: Option<Spanned<Vec<Spanned<RuntimeWord>>>>,
    /// A chip or product, or a machine file relative to this file.
    #[schemars(with = "Option<String>")]
    pub machine: Option<Spanned<String>>,
    /// Whose behaviour of the machine counts.
    #[schemars(with = "Option<ModeWord>")]
    pub mode: Option<Spanned<ModeWord>>,
    /// In which order things happen where nothing orders them: `canonical`, `skew`, `random:100`, ...
    #[schemars(with = "Option<String>")]
    pub schedule: Option<Spanned<String>>,
    /// The budget file of `verify`, relative to this file.
    #[schemars(with = "Option<String>")]
    pub budget: Option<Spanned<String>>,
    /// What kernels were, for `verify`; relative to this file.
    #[schemars(with = "Option<String>")]
    pub baseline: Option<Spanned<String>>,
    /// The folder in which `verify` remembers what was found good, relative to this file.
    #[schemars(with = "Option<String>")]
    pub cache: Option<Spanned<String>>,
    /// For whom the answer is, of commands that have that format.
    #[schemars(with = "Option<FormatWord>")]
    pub format: Option<Spanned<FormatWord>>,
}

/// An option that the file gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The long name of the option, without dashes.
    pub key: &'static str,
    /// Its values, as the command line would write them; lists may have none or several.
    pub values: Vec<(String, Loc)>,
    /// Where it is written.
    pub loc: Loc,
}

/// What people write instead.
const SYNONYMS: &[(&str, &str)] = &[
    ("strategies", "say `strategy`; those of `bench` stand on its command line"),
    ("chip", "say `target`"),
    ("capacities", "say `capacity`"),
    ("time", "say `nodes`: answers that seconds limit do not repeat; or give `--time`"),
    ("jobs", "give `--jobs`: how many cores there are is no matter of a team"),
    ("update-budget", "give `--update-budget` when the budget is to be written"),
    ("shard", "give `--shard`: it is another one in every job"),
    ("plan", "give `--plan`"),
    ("inputs", "name the inputs on the command line"),
    ("extends", "files do not merge: the nearest one holds alone"),
];

/// Reads a file: its settings in the order of [`ConfigFile`].
///
/// # Errors
/// All errors of the file at once, as `memplan::config::bad_file`.
pub fn read(sources: &Sources, file: FileId) -> Result<Vec<Setting>, Vec<Diagnostic>> {
    let text = sources.get(file).map_or("", |s| &s.text);
    let mut reader = Reader { file, settings: Vec::new(), errors: Vec::new() };
    match read::read::<ConfigFile>(text, SYNONYMS) {
        Ok(parsed) => reader.all(parsed),
        Err(errors) => {
            for error in errors {
                let loc = reader.loc(error.span);
                let mut told = bad(error.message, loc);
                told.help = error.help;
                reader.errors.push(told);
            }
        }
    }
    if reader.errors.is_empty() { Ok(reader.settings) } else { Err(reader.errors) }
}

/// An error at a place of a file.
pub fn bad(message: impl Into<String>, loc: Loc) -> Diagnostic {
    Diagnostic::error(Code::ConfigBadFile, message).at(loc, "")
}

struct Reader {
    file: FileId,
    settings: Vec<Setting>,
    errors: Vec<Diagnostic>,
}

impl Reader {
    fn loc(&self, span: std::ops::Range<usize>) -> Loc {
        let byte = |at| u32::try_from(at).unwrap_or(u32::MAX);
        Loc { file: self.file, start: byte(span.start), end: byte(span.end) }
    }

    fn all(&mut self, file: ConfigFile) {
        if let Some(version) = file.version
            && version.get_ref().0 != VERSION
        {
            let message =
                format!("version {} is not one that this memplan reads", version.get_ref().0);
            let error = bad(message, self.loc(version.span()));
            self.errors.push(error.help(format!("write `version = {VERSION}`, or leave it out")));
        }
        self.one("target", file.target, |text| text);
        self.list("capacity", file.capacity, |text| text);
        self.one("level", file.level, |word| word.0);
        self.one("liveness", file.liveness, |word| word.0);
        self.one("hivm-pass", file.hivm_pass, |word| word.0);
        self.list("hivm-options", file.hivm_options, |text| text);
        self.one("order", file.order, |word| word.0);
        self.one("platform", file.platform, |word| word.0);
        self.one("strategy", file.strategy, |text| text);
        self.number("nodes", file.nodes);
        self.number("seed", file.seed);
        self.one("deny", file.deny, |word| word.0);
        self.list("runtime", file.runtime, |word| word.0);
        self.one("machine", file.machine, |text| text);
        self.one("mode", file.mode, |word| word.0);
        self.one("schedule", file.schedule, |text| text);
        self.one("budget", file.budget, |text| text);
        self.one("baseline", file.baseline, |text| text);
        self.one("cache", file.cache, |text| text);
        self.one("format", file.format, |word| word.0);
    }

    fn one<T>(&mut self, key: &'static str, value: Option<Spanned<T>>, text: fn(T) -> String) {
        let Some(value) = value else { return };
        let (value, span) = read::split(value);
        let loc = self.loc(span);
        let value = text(value);
        if value.is_empty() {
            let error = bad(format!("`{key}` is empty"), loc).help("leave the key out");
            self.errors.push(error);
        }
        self.settings.push(Setting { key, values: vec![(value, loc)], loc });
    }

    fn list<T>(
        &mut self,
        key: &'static str,
        values: Option<Spanned<Vec<Spanned<T>>>>,
        text: fn(T) -> String,
    ) {
        let Some(values) = values else { return };
        let (values, span) = read::split(values);
        let loc = self.loc(span);
        let values = values.into_iter().map(|value| {
            let (value, span) = read::split(value);
            (text(value), self.loc(span))
        });
        let values = values.collect();
        self.settings.push(Setting { key, values, loc });
    }

    fn number(&mut self, key: &'static str, value: Option<Spanned<Number>>) {
        if let Some(value) = &value
            && u64::try_from(value.get_ref().0).is_err()
        {
            let message = format!("`{key}` is from 0 to {}", u64::MAX);
            self.errors.push(bad(message, self.loc(value.span())));
        }
        self.one(key, value, |number| number.0.to_string());
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    fn of(text: &str) -> Result<Vec<Setting>, Vec<Diagnostic>> {
        let mut sources = Sources::default();
        let file = sources.add(NAME, text);
        read(&sources, file)
    }

    fn said(text: &str) -> Vec<(&'static str, Vec<String>)> {
        let settings = of(text).expect("a config");
        let words = |s: Setting| (s.key, s.values.into_iter().map(|(text, _)| text).collect());
        settings.into_iter().map(words).collect()
    }

    #[test]
    fn keys_are_options() {
        let text = "target = 'ascend910b'\ncapacity = ['ub=192KiB', 'l1=1']\nlevel = 1\n\
                    hivm-pass = 'regbase'\nnodes = 20_000\nruntime = ['svm', 'soma']\n";
        let words = |all: &[&str]| all.iter().map(|&w| w.to_owned()).collect::<Vec<_>>();
        let expected = [
            ("target", words(&["ascend910b"])),
            ("capacity", words(&["ub=192KiB", "l1=1"])),
            ("level", words(&["1"])),
            ("hivm-pass", words(&["regbase"])),
            ("nodes", words(&["20000"])),
            ("runtime", words(&["svm", "soma"])),
        ];
        assert_eq!(said(text), expected);
        assert_eq!(said(""), []);
        assert_eq!(said("version = 1\n"), []);
    }

    #[test]
    fn all_mistakes_are_told_at_once_and_where() {
        let text =
            "versoin = 1\nlevel = 'slott'\nnodes = 'many'\ncapacity = 'ub=1'\nruntime = ['cuda']\n";
        let errors = of(text).expect_err("wrong");
        let told = |e: &Diagnostic| (e.labels[0].loc.start, e.message.clone(), e.help.clone());
        let told: Vec<_> = errors.iter().map(told).collect();
        assert_eq!(errors.len(), 5, "{told:?}");
        assert!(errors.iter().all(|e| e.code == Code::ConfigBadFile));
        assert_eq!(told[0].2.as_deref(), Some("did you mean `version`?"));
        assert_eq!(told[1].2.as_deref(), Some("did you mean `slot`?"));
        assert_eq!(told[3].2.as_deref(), Some("write `['ub=1']`"));
        assert!(told.windows(2).all(|w| w[0].0 < w[1].0), "{told:?}");
    }

    quickcheck! {
        fn whatever_a_file_says_it_is_read_or_refused_with_places(text: String) -> bool {
            match of(&text) {
                Ok(_) => true,
                Err(errors) => !errors.is_empty() && errors.iter().all(|e| inside(e, &text)),
            }
        }

        fn a_file_with_a_slip_is_read_or_refused_with_places(at: usize, slip: char) -> bool {
            let mut text: Vec<char> = WHOLE.chars().collect();
            let at = at % text.len();
            text[at] = slip;
            let text: String = text.into_iter().collect();
            of(&text).map_or_else(|errors| errors.iter().all(|e| inside(e, &text)), |_| true)
        }
    }

    /// True where every label is a part of the text.
    fn inside(error: &Diagnostic, text: &str) -> bool {
        error
            .labels
            .iter()
            .all(|l| l.loc.start <= l.loc.end && l.loc.end as usize <= text.len().max(1))
    }

    /// A file that says everything.
    const WHOLE: &str = "\
version = 1
target = 'ascend910b'
capacity = ['ub=184KiB', 'l1=1']
level = 'slot'
liveness = 'strict'
hivm-pass = 'base'
hivm-options = ['a=b']
order = 'best'
platform = 'gpu'
strategy = 'auto'
nodes = 1
seed = 2
deny = 'warnings'
runtime = ['svm']
machine = '950'
mode = 'spec'
schedule = 'skew'
budget = 'b.toml'
baseline = 'old'
cache = 'c'
format = 'json'
";

    #[test]
    fn every_key_is_a_setting() {
        let keys: Vec<&str> = said(WHOLE).into_iter().map(|(key, _)| key).collect();
        let lines: Vec<&str> = WHOLE.lines().skip(1).filter_map(|l| l.split(' ').next()).collect();
        assert_eq!(keys, lines);
    }

    #[test]
    fn values_that_make_no_sense_are_refused() {
        for (text, words) in [
            ("version = 2\n", "version 2"),
            ("nodes = -1\n", "`nodes` is from 0"),
            ("budget = ''\n", "`budget` is empty"),
            ("[target]\nname = 'x'\n", "invalid type"),
            ("time = 3\n", "unknown key `time`"),
        ] {
            let errors = of(text).expect_err(text);
            assert!(errors[0].message.contains(words), "{text}: {errors:?}");
        }
    }
}
