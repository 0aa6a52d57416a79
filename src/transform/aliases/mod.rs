//! Donated parameters are paired with outputs of the same size (spec/xla-memory.md 13), and why a
//! donated buffer found no output.

mod config;
mod fate;
#[cfg(test)]
mod tests;

pub use config::AliasConfig;
pub use fate::Fate;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::copies::guard;
use super::{Note, Report};
use crate::diag::Diagnostic;
use crate::ir::hlo::{Donor, Instruction, Module, Shape, ShapeIndex, platform_of};

/// Which parameters may be given to outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Donors {
    /// Those that the module donates (`buffer_donor`).
    #[default]
    Registered,
    /// All parameters: the caller does not need them afterwards.
    All,
}

/// An array leaf of a parameter or of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Leaf {
    /// The parameter; 0 for the output.
    parameter: u32,
    index: ShapeIndex,
    bytes: u64,
    space: u32,
    sharding: Option<String>,
}

/// Pairs leaves of parameters with leaves of the output of the same size and memory space; shapes,
/// types and layouts may differ. Adds the pairs to `config` and takes their donors out of it. True
/// when there is one; never when some part of the output is dynamic.
pub fn build_alias_config(
    parameters: &[&Shape],
    output: &Shape,
    config: &mut AliasConfig,
    donors: Donors,
) -> bool {
    let (params, output) = (leaves_of(parameters), leaves(output));
    match output {
        Some(output) => pair(&params, &output, config, donors),
        None => false,
    }
}

/// Pairs the entry's parameters with its outputs: `input_output_alias` grows, `buffer_donor`
/// shrinks. A pair whose shardings are both written and differ is no pair. Notes say what became of
/// every donor. In a scheduled module an output that is made while its parameter is still read is
/// copied to it at the end, so that the plan stays right.
///
/// # Errors
/// `HloBadAlias` when the module's aliases contradict its shapes; those of the analyses.
pub fn run(module: &mut Module, donors: Donors) -> Result<Report, Diagnostic> {
    let mut config = AliasConfig::of(module)?;
    let before = config.clone();
    let (params, output) = entry(module);
    if let Some(output) = &output {
        pair(&params, output, &mut config, donors);
    }
    let sizes = output.as_ref().map(|output| {
        let mut sizes = fate::Sizes::new();
        output.iter().for_each(|leaf| sizes.entry(leaf.bytes).or_default().push(leaf));
        sizes
    });
    let notes = params.iter().filter_map(|leaf| {
        let donor = leaf.donor();
        let registered = before.donors().contains(&donor);
        let fate = fate::of(leaf, sizes.as_ref(), &before, &config);
        let wanted = registered || (donors == Donors::All && matches!(fate, Fate::Used { .. }));
        (wanted && !before.is_aliased(&donor)).then_some(Note::Donor {
            donor,
            bytes: leaf.bytes,
            fate,
        })
    });
    let mut notes: Vec<Note> = notes.collect();
    let mut changed = module.clone();
    config.store(&mut changed);
    let new = config.pairs().map(|(output, ..)| output).filter(|output| !before.has_output(output));
    let new: BTreeSet<ShapeIndex> = new.cloned().collect();
    let platform = platform_of(module);
    notes.extend(guard(&mut changed, &new, platform)?);
    *module = changed;
    Ok(Report::of(notes))
}

/// Donated buffers that no output can lie on, with the reason; the module is left as it is.
pub fn findings(module: &Module) -> Vec<Diagnostic> {
    let mut after = module.clone();
    let Ok(report) = run(&mut after, Donors::Registered) else { return Vec::new() };
    let notes = report.notes.into_iter();
    notes
        .filter_map(|note| match note {
            Note::Donor { donor, bytes, fate } => fate::finding(module, &donor, bytes, &fate),
            _ => None,
        })
        .collect()
}

impl Leaf {
    fn donor(&self) -> Donor {
        Donor { parameter: self.parameter, index: self.index.clone() }
    }

    /// Shardings that are both known must agree: the leaves' bytes lie on the same devices.
    fn fits(&self, other: &Self) -> bool {
        match (&self.sharding, &other.sharding) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
    }
}

/// The static array leaves of parameters.
fn leaves_of(parameters: &[&Shape]) -> Vec<Leaf> {
    let mut out = Vec::new();
    for (parameter, shape) in (0..).zip(parameters) {
        let of = shape.leaves().into_iter().filter(|(_, leaf)| !is_dynamic(leaf));
        out.extend(of.filter_map(|(index, leaf)| Leaf::of(parameter, index, leaf)));
    }
    out
}

/// The array leaves of the output; `None` when one is dynamic.
fn leaves(output: &Shape) -> Option<Vec<Leaf>> {
    let leaves = output.leaves();
    if leaves.iter().any(|(_, leaf)| is_dynamic(leaf)) {
        return None;
    }
    Some(leaves.into_iter().filter_map(|(index, leaf)| Leaf::of(0, index, leaf)).collect())
}

impl Leaf {
    fn of(parameter: u32, index: ShapeIndex, shape: &Shape) -> Option<Self> {
        let array = shape.array()?;
        let (bytes, space) = (array.bytes()?, array.memory_space());
        Some(Self { parameter, index, bytes, space, sharding: None })
    }
}

fn is_dynamic(shape: &Shape) -> bool {
    shape.array().is_some_and(|array| array.dims.iter().any(|dim| dim.dynamic))
}

/// The entry's leaves with their shardings; no output when it is dynamic.
fn entry(module: &Module) -> (Vec<Leaf>, Option<Vec<Leaf>>) {
    let entry = module.entry();
    let instructions: Vec<&Instruction> =
        entry.parameters.iter().map(|&id| &module.instructions[id]).collect();
    let shapes: Vec<&Shape> = instructions.iter().map(|i| &i.shape).collect();
    let known: Vec<Shardings> = instructions.iter().map(|i| shardings(i)).collect();
    let mut params = leaves_of(&shapes);
    for leaf in &mut params {
        let of = known.get(leaf.parameter as usize);
        leaf.sharding = of.and_then(|of| of.get(&leaf.index).cloned());
    }
    let root = &module.instructions[entry.root];
    let mut output = leaves(&root.shape);
    let known = shardings(root);
    for leaf in output.iter_mut().flatten() {
        leaf.sharding = known.get(&leaf.index).cloned();
    }
    (params, output)
}

/// The sharding of every leaf, where it is said.
type Shardings = BTreeMap<ShapeIndex, String>;

/// `{replicated}` is one sharding for all, `{{replicated}, {maximal device=0}}` one for every leaf.
fn shardings(instruction: &Instruction) -> Shardings {
    let Some(text) = instruction.raw("sharding").map(str::trim) else { return Shardings::new() };
    let inside = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')).unwrap_or(text);
    let leaves = instruction.shape.leaves().into_iter().map(|(index, _)| index);
    if !inside.trim_start().starts_with('{') {
        return leaves.map(|index| (index, text.to_owned())).collect();
    }
    let pieces = super::split_top(inside).into_iter().map(|piece| piece.trim().to_owned());
    leaves.zip(pieces).collect()
}

/// The pairing itself: per memory space, sizes descending, first come first served.
fn pair(params: &[Leaf], output: &[Leaf], config: &mut AliasConfig, donors: Donors) -> bool {
    type Key = (u32, u64);
    // Queues of donors by sharding; of several queues the donor that stands first is taken.
    let mut queues: BTreeMap<Key, BTreeMap<Option<&str>, VecDeque<usize>>> = BTreeMap::new();
    for (at, leaf) in params.iter().enumerate() {
        let donor = leaf.donor();
        let free = donors == Donors::All || config.donors().contains(&donor);
        if free && !config.is_aliased(&donor) {
            let queues = queues.entry((leaf.space, leaf.bytes)).or_default();
            queues.entry(leaf.sharding.as_deref()).or_default().push_back(at);
        }
    }
    let mut pairs = Vec::new();
    for leaf in output.iter().filter(|leaf| !config.has_output(&leaf.index)) {
        let Some(queues) = queues.get_mut(&(leaf.space, leaf.bytes)) else { continue };
        let wanted = leaf.sharding.as_deref();
        let first = queues
            .iter_mut()
            .filter(|(sharding, _)| sharding.is_none() || wanted.is_none() || **sharding == wanted)
            .min_by_key(|(_, queue)| queue.front().copied().unwrap_or(usize::MAX));
        let Some(at) = first.and_then(|(_, queue)| queue.pop_front()) else { continue };
        pairs.push((leaf.index.clone(), at));
    }
    let changed = !pairs.is_empty();
    for (index, at) in pairs {
        if let Some(leaf) = params.get(at) {
            config.give(index, leaf.donor());
        }
    }
    changed
}
