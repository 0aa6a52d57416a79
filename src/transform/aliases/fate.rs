//! What becomes of a donated leaf, and why.

use std::collections::BTreeMap;
use std::fmt;

use super::{AliasConfig, Leaf};
use crate::diag::{Code, Diagnostic, Loc};
use crate::ir::hlo::{Donor, Module, Opcode, ShapeIndex};

/// What becomes of a donated leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// An output lies on it.
    Used {
        /// The output.
        output: ShapeIndex,
    },
    /// No output has its size.
    NoOutputOfSize {
        /// The output that is closest in size, and its bytes.
        nearest: Option<(ShapeIndex, u64)>,
    },
    /// An output has its size but lies in another memory space.
    OtherSpace {
        /// The output.
        output: ShapeIndex,
        /// The output's space.
        wanted: u32,
        /// The donor's space.
        space: u32,
    },
    /// An output has its size but is sharded in another way.
    OtherSharding {
        /// The output.
        output: ShapeIndex,
        /// The output's sharding.
        wanted: String,
        /// The donor's sharding.
        sharding: String,
    },
    /// The outputs of its size went to other donors, which come first.
    OtherDonor {
        /// The last of these outputs.
        output: ShapeIndex,
        /// Who got it.
        donor: Donor,
    },
    /// The output of its size lay on another parameter already.
    OutputAliased {
        /// The output.
        output: ShapeIndex,
        /// The parameter that it lies on.
        parameter: Donor,
    },
    /// Some output has a dynamic dimension: no donor of the module is used.
    DynamicOutput,
}

/// The leaves of the output by their bytes.
pub(super) type Sizes<'l> = BTreeMap<u64, Vec<&'l Leaf>>;

/// The fate of a leaf, given what was aliased before the pass and after it.
pub(super) fn of(
    leaf: &Leaf,
    output: Option<&Sizes<'_>>,
    before: &AliasConfig,
    after: &AliasConfig,
) -> Fate {
    let donor = leaf.donor();
    if let Some(output) = after.output_of(&donor) {
        return Fate::Used { output: output.clone() };
    }
    let Some(output) = output else { return Fate::DynamicOutput };
    let sized = || output.get(&leaf.bytes).into_iter().flatten().copied();
    let spaced = || sized().filter(|out| out.space == leaf.space);
    let fitting = || spaced().filter(|out| out.fits(leaf));
    let taken = |config: &AliasConfig, out: &Leaf| {
        config.parameter_of(&out.index).map(|(donor, _)| donor.clone())
    };
    let new = fitting().filter(|out| !before.has_output(&out.index));
    if let Some((out, donor)) = new.filter_map(|out| Some((out, taken(after, out)?))).next_back() {
        return Fate::OtherDonor { output: out.index.clone(), donor };
    }
    if let Some((out, parameter)) = fitting().find_map(|out| Some((out, taken(before, out)?))) {
        return Fate::OutputAliased { output: out.index.clone(), parameter };
    }
    if let Some(out) = spaced().next() {
        let text = |leaf: &Leaf| leaf.sharding.clone().unwrap_or_default();
        let (wanted, sharding) = (text(out), text(leaf));
        return Fate::OtherSharding { output: out.index.clone(), wanted, sharding };
    }
    if let Some(out) = sized().next() {
        let (wanted, space) = (out.space, leaf.space);
        return Fate::OtherSpace { output: out.index.clone(), wanted, space };
    }
    let around = [output.range(..leaf.bytes).next_back(), output.range(leaf.bytes..).next()];
    let nearest = around.into_iter().flatten().min_by_key(|(size, _)| size.abs_diff(leaf.bytes));
    let nearest = nearest.and_then(|(&size, outs)| Some((outs.first()?.index.clone(), size)));
    Fate::NoOutputOfSize { nearest }
}

/// The finding about a donor that is not used.
pub(super) fn finding(
    module: &Module,
    donor: &Donor,
    bytes: u64,
    fate: &Fate,
) -> Option<Diagnostic> {
    let help = match fate {
        Fate::Used { .. } => return None,
        Fate::NoOutputOfSize { .. } => {
            "do not donate it, or return a result of the same number of bytes"
        }
        Fate::OtherSpace { .. } => "keep parameter and result in the same memory space",
        Fate::OtherSharding { .. } => "give parameter and result the same sharding",
        Fate::OtherDonor { .. } => "fewer results than donated buffers have this size",
        Fate::OutputAliased { .. } => "alias the parameter with that output, or do not donate it",
        Fate::DynamicOutput => "give every result a static shape, or alias by hand",
    };
    let Donor { parameter, index } = donor;
    let entry = module.entry();
    let instruction = entry.parameters.get(*parameter as usize).map(|&id| &module.instructions[id]);
    let name = instruction.map_or("?", |i| i.name.as_str());
    let message = format!("donated `{name}`{index} ({bytes} bytes) {fate}");
    let root = &module.instructions[entry.root];
    let mut finding = Diagnostic::warning(Code::HloDonorUnused, message)
        .maybe_at(instruction.map(|i| i.loc), "donated, and needed as long as the module runs");
    let output = match fate {
        Fate::OtherSpace { output, .. }
        | Fate::OtherSharding { output, .. }
        | Fate::OtherDonor { output, .. }
        | Fate::OutputAliased { output, .. } => Some(output),
        Fate::NoOutputOfSize { nearest } => nearest.as_ref().map(|(output, _)| output),
        Fate::Used { .. } | Fate::DynamicOutput => None,
    };
    if let Some(output) = output {
        finding =
            finding.at(producer(module, output).unwrap_or(root.loc), format!("output {output}"));
    }
    Some(finding.help(help))
}

/// Where an output is made: the operand of a root tuple, else the root.
fn producer(module: &Module, output: &ShapeIndex) -> Option<Loc> {
    let mut at = module.entry().root;
    for &step in &output.0 {
        let instruction = &module.instructions[at];
        if instruction.opcode != Opcode::Tuple {
            break;
        }
        at = *instruction.operands.get(step as usize)?;
    }
    Some(module.instructions[at].loc)
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Used { output } => write!(f, "is output {output}"),
            Self::NoOutputOfSize { nearest: None } => {
                write!(f, "is not used: no output is an array")
            }
            Self::NoOutputOfSize { nearest: Some((output, bytes)) } => {
                write!(f, "is not used: no output has its size, {output} has {bytes} bytes")
            }
            Self::OtherSpace { output, wanted, space } => write!(
                f,
                "is not used: output {output} has its size but lies in memory space {wanted}, not \
                 {space}"
            ),
            Self::OtherSharding { output, wanted, sharding } => write!(
                f,
                "is not used: output {output} has its size but is sharded {wanted}, not {sharding}"
            ),
            Self::OtherDonor { output, donor } => write!(
                f,
                "is not used: output {output} has its size but went to parameter {}{}",
                donor.parameter, donor.index
            ),
            Self::OutputAliased { output, parameter } => write!(
                f,
                "is not used: output {output} has its size but lies on parameter {}{} already",
                parameter.parameter, parameter.index
            ),
            Self::DynamicOutput => write!(f, "is not used: an output has a dynamic dimension"),
        }
    }
}
