//! Donated parameters are paired with outputs of the same size (spec/xla-memory.md 13), and why a
//! donated buffer found no output.

mod config;
mod fate;
#[cfg(test)]
mod tests;

pub use config::AliasConfig;
pub use fate::Fate;

use std::collections::{BTreeMap, VecDeque};

use super::{Note, Report};
use crate::diag::Diagnostic;
use crate::ir::hlo::{Donor, Module, Shape, ShapeIndex};

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
/// every donor.
///
/// # Errors
/// `HloBadAlias` when the module's aliases contradict its shapes.
pub fn run(module: &mut Module, donors: Donors) -> Result<Report, Diagnostic> {
    let mut config = AliasConfig::of(module)?;
    let before = config.clone();
    let (params, output) = entry(module);
    if let Some(output) = &output {
        pair(&params, output, &mut config, donors);
    }
    let notes = params.iter().filter_map(|leaf| {
        let donor = leaf.donor();
        let registered = before.donors().contains(&donor);
        let fate = fate::of(leaf, output.as_deref(), &before, &config);
        let wanted = registered || (donors == Donors::All && matches!(fate, Fate::Used { .. }));
        (wanted && !before.is_aliased(&donor)).then_some(Note::Donor {
            donor,
            bytes: leaf.bytes,
            fate,
        })
    });
    let report = Report::of(notes.collect());
    config.store(module);
    Ok(report)
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
    let instructions = entry.parameters.iter().map(|&id| &module.instructions[id]);
    let shapes: Vec<&Shape> = instructions.clone().map(|i| &i.shape).collect();
    let shardings: Vec<Vec<String>> = instructions.map(|i| shardings(i.raw("sharding"))).collect();
    let mut params = leaves_of(&shapes);
    for leaf in &mut params {
        let at = leaf.parameter as usize;
        let (Some(shape), Some(of)) = (shapes.get(at), shardings.get(at)) else { continue };
        leaf.sharding = sharding(shape, of, &leaf.index);
    }
    let root = &module.instructions[entry.root];
    let of = self::shardings(root.raw("sharding"));
    let output = leaves(&root.shape).map(|mut output| {
        for leaf in &mut output {
            leaf.sharding = sharding(&root.shape, &of, &leaf.index);
        }
        output
    });
    (params, output)
}

/// `{replicated}` is one sharding, `{{replicated}, {maximal device=0}}` one for every leaf.
fn shardings(text: Option<&str>) -> Vec<String> {
    let Some(text) = text else { return Vec::new() };
    let inside = text.trim().strip_prefix('{').and_then(|t| t.strip_suffix('}')).unwrap_or(text);
    if !inside.trim_start().starts_with('{') {
        return vec![text.trim().to_owned()];
    }
    super::split_top(inside).into_iter().map(|piece| piece.trim().to_owned()).collect()
}

fn sharding(shape: &Shape, of: &[String], index: &ShapeIndex) -> Option<String> {
    match of {
        [] => None,
        [one] => Some(one.clone()),
        many => {
            let at = shape.leaves().iter().position(|(leaf, _)| leaf == index)?;
            many.get(at).cloned()
        }
    }
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
