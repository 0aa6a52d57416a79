//! The options of each input, where the files of a run differ.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::own::Own;
use crate::cli::args::{Command, InputArgs, PlanArgs};
use crate::cli::input::Origin;
use crate::diag::{Code, Diagnostic};

/// Which settings of files hold for which inputs. Without files: none for any.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layers(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// The layer from each folder down; none: that of the run, which is that of the first input.
    folders: BTreeMap<PathBuf, Option<Layer>>,
    /// Options of inputs that are not on the command line, and where they are.
    said: BTreeMap<&'static str, String>,
}

/// The options of inputs under one file.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    input: InputArgs,
    plan: Option<PlanArgs>,
    /// Options in which it may differ from the run.
    differs: Vec<&'static str>,
    said: BTreeMap<&'static str, String>,
}

impl Layer {
    /// The layer that a command line makes under a file; none for commands without inputs.
    pub(super) fn of(
        command: &Command,
        differs: Vec<&'static str>,
        said: BTreeMap<&'static str, String>,
    ) -> Option<Self> {
        let (input, plan) = match command {
            Command::Solve(args) => (&args.input, Some(&args.plan)),
            Command::Verify(args) => (&args.input, Some(&args.planning)),
            Command::Bench(args) => (&args.input, Some(&args.plan)),
            Command::WhatIf(args) => (&args.input, Some(&args.planning)),
            Command::Report(args) => (&args.input, Some(&args.planning)),
            Command::Schedule(args) => (&args.input, None),
            Command::Stats(args) => (&args.input, None),
            Command::Convert(args) => (&args.input, None),
            Command::Diff(args) => (&args.input, Some(&args.planning)),
            Command::Inspect(args) => (&args.input, None),
            Command::Replay(_)
            | Command::Explain(_)
            | Command::Schema(_)
            | Command::Completions { .. }
            | Command::Man => return None,
        };
        Some(Self { input: input.clone(), plan: plan.cloned(), differs, said })
    }

    /// The options of one input of a run.
    fn apply(&self, run: &InputArgs) -> (InputArgs, Own) {
        let (mut args, mut own) = (run.clone(), Own::default());
        for option in &self.differs {
            match (*option, &self.plan) {
                ("target", _) => args.target.clone_from(&self.input.target),
                ("capacity", _) => args.capacity.clone_from(&self.input.capacity),
                ("hivm-pass", _) => args.hivm_pass = self.input.hivm_pass,
                ("hivm-options", _) => args.hivm_options.clone_from(&self.input.hivm_options),
                ("order", _) => args.order = self.input.order,
                ("platform", _) => args.platform = self.input.platform,
                ("level", Some(plan)) => own.level = Some(plan.level),
                ("liveness", Some(plan)) => own.liveness = Some(plan.liveness),
                _ => {}
            }
        }
        let said = self.said.clone();
        args.layers = Layers(Arc::new(Inner { folders: BTreeMap::new(), said }));
        (args, own)
    }
}

impl Layers {
    pub(super) fn new(
        folders: BTreeMap<PathBuf, Option<Layer>>,
        said: BTreeMap<&'static str, String>,
    ) -> Self {
        Self(Arc::new(Inner { folders, said }))
    }

    /// Puts them where the command keeps the options of inputs.
    pub(super) fn attach(self, command: &mut Command) {
        let args = match command {
            Command::Solve(args) => &mut args.input,
            Command::Verify(args) => &mut args.input,
            Command::Bench(args) => &mut args.input,
            Command::WhatIf(args) => &mut args.input,
            Command::Report(args) => &mut args.input,
            Command::Schedule(args) => &mut args.input,
            Command::Stats(args) => &mut args.input,
            Command::Convert(args) => &mut args.input,
            Command::Diff(args) => &mut args.input,
            Command::Inspect(args) => &mut args.input,
            Command::Replay(_)
            | Command::Explain(_)
            | Command::Schema(_)
            | Command::Completions { .. }
            | Command::Man => return,
        };
        args.layers = self;
    }

    /// The options of an input, from those of the run.
    pub(crate) fn of<'a>(run: &'a InputArgs, from: &Origin) -> (Cow<'a, InputArgs>, Own) {
        let layers = &run.layers.0.folders;
        let layer = match from {
            Origin::File(path) => path.ancestors().skip(1).find_map(|folder| layers.get(folder)),
            Origin::Here(_) => layers.get(Path::new("")),
            Origin::Broken(_) => None,
        };
        match layer {
            Some(Some(layer)) => {
                let (args, own) = layer.apply(run);
                (Cow::Owned(args), own)
            }
            // Other files of a command, such as what inputs were before where no file is above it, are read as
            // the first input is.
            _ => (Cow::Borrowed(run), Own::default()),
        }
    }

    /// True where that option is given, but not on the command line.
    pub(crate) fn says(&self, option: &str) -> bool {
        self.0.said.contains_key(option)
    }

    /// Names the file in a complaint about an option that nobody has written on the command line.
    pub(crate) fn reword(&self, mut error: Diagnostic) -> Diagnostic {
        let said = self.0.said.iter().find(|(option, _)| {
            let target = **option == "target" && error.code == Code::SpecUnknownTarget;
            target || error.message.contains(&format!("`--{option}"))
        });
        if let Some((option, file)) = said {
            error.message = error.message.replace(&format!("`--{option}"), &format!("`{option}"));
            let place = format!("`{option}` is said in `{file}`");
            error.help = Some(match error.help {
                Some(help) => format!("{help} ({place})"),
                None => place,
            });
        }
        error
    }
}
