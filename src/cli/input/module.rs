//! HLO text as a module, in the order asked for; and as a problem.

use super::load::Ready;
use crate::analyze::hlo::{Analysis, Options};
use crate::cli::args::{self, InputArgs};
use crate::diag::{Code, Diagnostic, FileId, Severity, Sources};
use crate::front;
use crate::ir::hlo::{self, Calls, Module, Platform, Sharing};
use crate::plan::xla;
use crate::schedule::{self, Budget, Order};
use crate::transform::{self, Pass};

/// A module, in the order in which it is executed.
#[derive(Debug)]
pub(crate) struct Text {
    /// The module.
    pub(crate) module: Module,
    /// Whose rules hold.
    pub(crate) options: Options,
    /// What there is to know about the text.
    pub(crate) notes: Vec<Diagnostic>,
}

/// Whether a module without a schedule gets the copies that XLA adds before it schedules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copies {
    /// Yes: it is to be planned.
    Added,
    /// No: it is to be written again.
    AsWritten,
}

/// Reads a module, and puts it into the order that the command line asks for.
///
/// # Errors
/// Those of the reader and the schedulers.
pub(crate) fn text(
    sources: &Sources,
    file: FileId,
    args: &InputArgs,
    copies: Copies,
) -> Result<Text, Vec<Diagnostic>> {
    let mut module = hlo::parse(sources, file)?;
    let platform = match args.platform {
        args::Platform::Auto => hlo::platform_of(&module),
        args::Platform::Cpu => Platform::Cpu,
        args::Platform::Gpu => Platform::Gpu,
    };
    let options = Options { platform, async_start_extension: false };
    let mut notes = Vec::new();
    let scheduled = module.is_scheduled;
    if copies == Copies::Added && !scheduled {
        let passes = transform::Options { platform, ..transform::Options::default() };
        for pass in [Pass::AddCopies, Pass::Copies] {
            transform::run(&mut module, pass, &passes).map_err(|error| vec![error])?;
        }
    }
    let module = match args.order.map(order) {
        None | Some(Order::Given) => {
            if !scheduled {
                notes.push(unscheduled(&module, copies));
            }
            module
        }
        Some(order) => {
            let scheduled = schedule::schedule(&module, options, order, Budget::default());
            module.in_order(&scheduled.map_err(|error| vec![error])?.sequences)
        }
    };
    Ok(Text { module, options, notes })
}

fn unscheduled(module: &Module, copies: Copies) -> Diagnostic {
    let added = match copies {
        Copies::Added => ", and copies are added as XLA would",
        Copies::AsWritten => "",
    };
    let message =
        format!("`{}` has no schedule: the order of the text is taken{added}", module.name);
    // The line of a header is long, and says nothing here.
    Diagnostic { severity: Severity::Note, ..Diagnostic::error(Code::HloNotScheduled, message) }
        .help("give an order with `--order`, such as `--order best`")
}

/// The order of that word.
pub(crate) fn order(word: args::Order) -> Order {
    match word {
        args::Order::Given => Order::Given,
        args::Order::Default => Order::Default,
        args::Order::List => Order::List,
        args::Order::Dfs => Order::Dfs,
        args::Order::Bfs => Order::Bfs,
        args::Order::Post => Order::Post,
        args::Order::Trivial => Order::Trivial,
        args::Order::Best => Order::Best,
    }
}

/// Reads a module as a problem.
///
/// # Errors
/// Those of the reader, the analysis, and XLA's assignment.
pub(super) fn problem(
    sources: &Sources,
    file: FileId,
    args: &InputArgs,
) -> Result<Ready, Vec<Diagnostic>> {
    let Text { module, options, notes } = text(sources, file, args, Copies::Added)?;
    let one = |error: Diagnostic| vec![error];
    let calls = Calls::of(&module).map_err(one)?;
    let order = module.sequences();
    let lowered = front::hlo::lower(&module, &calls, &order, options.platform).map_err(one)?;
    let analysis = Analysis::of(&module, order, options).map_err(one)?;
    let sharing = Sharing::new(&module, options.platform);
    let planned = xla::module(&analysis, &sharing, &lowered.problem, &lowered.buffers);
    let planned = planned.map_err(one)?;
    Ok(Ready {
        problem: planned.problem.clone(),
        warnings: notes,
        kernels: None,
        module: Some(Box::new(planned)),
        target: None,
        defects: Vec::new(),
    })
}
