//! A module as written: names are not resolved yet.

use std::borrow::Cow;

use crate::diag::Loc;
use crate::ir::hlo::{Alias, Attribute, Donor, Opcode, Shape, Tables};

/// A name, without `%`.
#[derive(Clone, Debug)]
pub(super) struct Name<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) loc: Loc,
}

/// What an attribute says.
#[derive(Clone, Debug)]
pub(super) enum Said<'t> {
    Raw(String),
    Computation(Name<'t>),
    Computations(Vec<Name<'t>>),
    Instructions(Vec<Name<'t>>),
}

/// `key=value`.
#[derive(Clone, Debug)]
pub(super) struct DraftAttribute<'t> {
    pub(super) key: Cow<'t, str>,
    pub(super) said: Said<'t>,
    pub(super) loc: Loc,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(super) struct DraftInstruction<'t> {
    pub(super) name: Name<'t>,
    pub(super) root: bool,
    pub(super) shape: Shape,
    pub(super) opcode: Opcode,
    pub(super) operands: Vec<Name<'t>>,
    pub(super) literal: Option<String>,
    pub(super) parameter: Option<u32>,
    pub(super) attributes: Vec<DraftAttribute<'t>>,
}

/// A computation.
#[derive(Clone, Debug)]
pub(super) struct DraftComputation<'t> {
    pub(super) name: Name<'t>,
    pub(super) entry: bool,
    pub(super) instructions: Vec<DraftInstruction<'t>>,
    pub(super) thread: Option<String>,
}

/// The first line of a module.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) name: String,
    pub(super) loc: Loc,
    pub(super) is_scheduled: bool,
    pub(super) aliases: Vec<Alias>,
    pub(super) donors: Vec<Donor>,
    pub(super) attributes: Vec<Attribute>,
}

/// A module.
#[derive(Debug)]
pub(super) struct Draft<'t> {
    pub(super) header: Header,
    pub(super) tables: Tables,
    pub(super) computations: Vec<DraftComputation<'t>>,
    /// Some name was written with `%`.
    pub(super) percent: bool,
}
