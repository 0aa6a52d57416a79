//! Which outputs lie on which parameters, and which parameters are donated (spec 13).

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Code, Diagnostic, Loc};
use crate::ir::hlo::{Alias, AliasKind, Donor, Module, Shape, ShapeIndex};

/// `input_output_alias` and `buffer_donor` of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AliasConfig {
    outputs: BTreeMap<ShapeIndex, (Donor, AliasKind, Option<Loc>)>,
    parameters: BTreeMap<Donor, ShapeIndex>,
    donors: BTreeSet<Donor>,
}

impl AliasConfig {
    /// Those of a module.
    ///
    /// # Errors
    /// `HloBadAlias` when an output or a parameter's leaf is aliased twice.
    pub fn of(module: &Module) -> Result<Self, Diagnostic> {
        let mut config =
            Self { donors: module.donors.iter().cloned().collect(), ..Self::default() };
        for Alias { output, parameter, index, kind, loc } in &module.aliases {
            let donor = Donor { parameter: *parameter, index: index.clone() };
            config
                .set_alias(output.clone(), donor, *kind)
                .map_err(|error| error.at(*loc, "this entry"))?;
            if let Some((_, _, place)) = config.outputs.get_mut(output) {
                *place = Some(*loc);
            }
        }
        Ok(config)
    }

    /// Lays an output on a parameter's leaf.
    ///
    /// # Errors
    /// `HloBadAlias` when the output or the leaf is aliased already.
    pub fn set_alias(
        &mut self,
        output: ShapeIndex,
        parameter: Donor,
        kind: AliasKind,
    ) -> Result<(), Diagnostic> {
        let Donor { parameter: number, index } = &parameter;
        if let Some((Donor { parameter: other, index: at }, ..)) = self.outputs.get(&output) {
            let message = format!(
                "output {output} is aliased with parameter {number}{index}, but lies on parameter \
                 {other}{at} already"
            );
            return Err(Diagnostic::error(Code::HloBadAlias, message));
        }
        if let Some(other) = self.parameters.get(&parameter) {
            let message = format!(
                "parameter {number}{index} is aliased with output {output}, but output {other} lies \
                 on it already"
            );
            return Err(Diagnostic::error(Code::HloBadAlias, message));
        }
        self.parameters.insert(parameter.clone(), output.clone());
        self.outputs.insert(output, (parameter, kind, None));
        Ok(())
    }

    /// Lays a free output on a free donor, which is none any more.
    pub(super) fn give(&mut self, output: ShapeIndex, donor: Donor) {
        self.donors.remove(&donor);
        self.parameters.insert(donor.clone(), output.clone());
        self.outputs.insert(output, (donor, AliasKind::May, None));
    }

    /// Donates a leaf of a parameter. False when it is donated already.
    pub fn add_donor(&mut self, donor: Donor) -> bool {
        self.donors.insert(donor)
    }

    /// Takes a donation back. False when there is none.
    pub fn remove_donor(&mut self, donor: &Donor) -> bool {
        self.donors.remove(donor)
    }

    /// The donated leaves.
    pub fn donors(&self) -> &BTreeSet<Donor> {
        &self.donors
    }

    /// True when the output lies on a parameter.
    pub fn has_output(&self, output: &ShapeIndex) -> bool {
        self.outputs.contains_key(output)
    }

    /// The parameter's leaf that an output lies on, and how strictly.
    pub fn parameter_of(&self, output: &ShapeIndex) -> Option<(&Donor, AliasKind)> {
        self.outputs.get(output).map(|(donor, kind, _)| (donor, *kind))
    }

    /// The output that lies on a parameter's leaf.
    pub fn output_of(&self, parameter: &Donor) -> Option<&ShapeIndex> {
        self.parameters.get(parameter)
    }

    /// True when an output lies on exactly this leaf.
    pub fn is_aliased(&self, parameter: &Donor) -> bool {
        self.parameters.contains_key(parameter)
    }

    /// True when an output lies on any leaf of the parameter.
    pub fn parameter_is_aliased(&self, parameter: u32) -> bool {
        self.parameters.keys().any(|donor| donor.parameter == parameter)
    }

    /// Outputs and the leaves that they lie on, by output.
    pub fn pairs(&self) -> impl Iterator<Item = (&ShapeIndex, &Donor, AliasKind)> {
        self.outputs.iter().map(|(output, (donor, kind, _))| (output, donor, *kind))
    }

    /// Checks it against shapes.
    ///
    /// # Errors
    /// `HloBadAlias` when a leaf does not exist, when sizes of a pair differ, or when a leaf is both
    /// donated and aliased.
    pub fn verify(&self, parameters: &[&Shape], output: &Shape) -> Result<(), Diagnostic> {
        let leaf = |donor: &Donor| {
            let shape = parameters.get(donor.parameter as usize)?.at(&donor.index)?;
            Some(shape)
        };
        let missing =
            |what: String| Diagnostic::error(Code::HloBadAlias, format!("{what} does not exist"));
        for (at, donor, _) in self.pairs() {
            let Donor { parameter, index } = donor;
            let out = output.at(at).ok_or_else(|| missing(format!("output {at}")))?;
            let from =
                leaf(donor).ok_or_else(|| missing(format!("parameter {parameter}{index}")))?;
            let (out, from) = (out.bytes(8), from.bytes(8));
            if out != from {
                let bytes =
                    |size: Option<u64>| size.map_or("unknown".to_owned(), |s| s.to_string());
                let message = format!(
                    "output {at} has {} bytes, parameter {parameter}{index} has {}",
                    bytes(out),
                    bytes(from)
                );
                return Err(Diagnostic::error(Code::HloBadAlias, message));
            }
        }
        for donor in &self.donors {
            let Donor { parameter, index } = donor;
            if leaf(donor).is_none() {
                return Err(missing(format!("donor {parameter}{index}")));
            }
            if let Some(output) = self.output_of(donor) {
                let message = format!(
                    "parameter {parameter}{index} is donated although output {output} lies on it"
                );
                return Err(Diagnostic::error(Code::HloBadAlias, message));
            }
        }
        Ok(())
    }

    /// Writes it into a module: old entries keep their order, new ones follow by output.
    pub(super) fn store(&self, module: &mut Module) {
        let loc = module.loc;
        let known: BTreeSet<ShapeIndex> = module.aliases.iter().map(|a| a.output.clone()).collect();
        let new = self.outputs.iter().filter(|(output, _)| !known.contains(*output));
        module.aliases.extend(new.map(|(output, (donor, kind, place))| Alias {
            output: output.clone(),
            parameter: donor.parameter,
            index: donor.index.clone(),
            kind: *kind,
            loc: place.unwrap_or(loc),
        }));
        module.donors.retain(|donor| self.donors.contains(donor));
    }
}
