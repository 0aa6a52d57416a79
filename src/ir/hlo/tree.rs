//! The tree of a module.

use super::{Opcode, Shape, ShapeIndex};
use crate::diag::Loc;
use crate::model::{IdVec, index};

index! {
    /// A computation of a module.
    ComputationId
    /// An instruction of a module.
    InstructionId
}

/// How a text is printed (spec 2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Names carry `%`, computations a signature.
    #[default]
    Long,
    /// Neither.
    Short,
}

/// What an attribute says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeValue {
    /// Text as written, comments taken out.
    Raw(String),
    /// One computation: `body=%b`.
    Computation(ComputationId),
    /// Several in braces: `branch_computations={%a, %b}`, `called_computations={%c}`.
    Computations(Vec<ComputationId>),
    /// Instructions of the same computation in braces: `control-predecessors={%a}`.
    Instructions(Vec<InstructionId>),
}

/// `name=value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The key.
    pub name: String,
    /// The value.
    pub value: AttributeValue,
    /// Where it is written.
    pub loc: Loc,
}

/// Whether an output must lie on its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AliasKind {
    /// `may-alias`.
    May,
    /// `must-alias`.
    Must,
}

/// One entry of `input_output_alias`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The node of the entry's root.
    pub output: ShapeIndex,
    /// The number of the parameter.
    pub parameter: u32,
    /// The node of the parameter.
    pub index: ShapeIndex,
    /// How strict it is.
    pub kind: AliasKind,
    /// Where it is written.
    pub loc: Loc,
}

/// One entry of `buffer_donor`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Donor {
    /// The number of the parameter.
    pub parameter: u32,
    /// The node of the parameter.
    pub index: ShapeIndex,
}

/// The tables in front of the computations: rows by id, ids start at 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// `FileNames`.
    pub files: Vec<(u32, String)>,
    /// `FunctionNames`.
    pub functions: Vec<(u32, String)>,
    /// `FileLocations` as written between the braces.
    pub locations: Vec<(u32, String)>,
    /// `StackFrames` as written between the braces.
    pub frames: Vec<(u32, String)>,
}

/// A module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// Where it is written.
    pub loc: Loc,
    /// How it was written.
    pub style: Style,
    /// True when text order is execution order.
    pub is_scheduled: bool,
    /// `input_output_alias`.
    pub aliases: Vec<Alias>,
    /// `buffer_donor`.
    pub donors: Vec<Donor>,
    /// The rest of the header, in order.
    pub attributes: Vec<Attribute>,
    /// Files, functions, locations, stack frames.
    pub tables: Tables,
    /// In text order.
    pub computations: IdVec<ComputationId, Computation>,
    /// Of all computations, in text order as read.
    pub instructions: IdVec<InstructionId, Instruction>,
    /// The one marked `ENTRY`, else the last.
    pub entry: ComputationId,
}

/// A computation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computation {
    /// Its name, without `%`.
    pub name: String,
    /// Where the name is written.
    pub loc: Loc,
    /// In text order; of a scheduled module the order of execution.
    pub instructions: Vec<InstructionId>,
    /// The one marked `ROOT`, else the last.
    pub root: InstructionId,
    /// Its parameters by number, `0..n` without holes.
    pub parameters: Vec<InstructionId>,
    /// `execution_thread`, where it is said.
    pub thread: Option<String>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its name, without `%`.
    pub name: String,
    /// Where the name is written.
    pub loc: Loc,
    /// The computation that it is in.
    pub computation: ComputationId,
    /// Its shape.
    pub shape: Shape,
    /// What it does.
    pub opcode: Opcode,
    /// Its operands; none for `parameter`, `constant`, `iota`.
    pub operands: Vec<InstructionId>,
    /// What stands between the parentheses of `parameter`, `constant`, as written.
    pub literal: Option<String>,
    /// The number of a parameter.
    pub parameter: Option<u32>,
    /// In the order written.
    pub attributes: Vec<Attribute>,
}

impl Instruction {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&AttributeValue> {
        self.attributes.iter().find(|a| a.name == name).map(|a| &a.value)
    }

    /// The text of an attribute.
    pub fn raw(&self, name: &str) -> Option<&str> {
        match self.attribute(name)? {
            AttributeValue::Raw(text) => Some(text),
            _ => None,
        }
    }

    /// The computations that an attribute names.
    pub fn computations(&self, name: &str) -> &[ComputationId] {
        match self.attribute(name) {
            Some(AttributeValue::Computation(id)) => std::slice::from_ref(id),
            Some(AttributeValue::Computations(ids)) => ids,
            _ => &[],
        }
    }

    /// All computations that it calls, in the order written.
    pub fn called(&self) -> impl Iterator<Item = ComputationId> {
        self.attributes.iter().flat_map(|a| {
            match &a.value {
                AttributeValue::Computation(id) => std::slice::from_ref(id),
                AttributeValue::Computations(ids) => &ids[..],
                _ => &[],
            }
            .iter()
            .copied()
        })
    }

    /// Instructions that must run before it, besides its operands.
    pub fn control_predecessors(&self) -> &[InstructionId] {
        match self.attribute("control-predecessors") {
            Some(AttributeValue::Instructions(ids)) => ids,
            _ => &[],
        }
    }

    /// `custom_call_target`, without quotes.
    pub fn custom_call_target(&self) -> Option<&str> {
        self.raw("custom_call_target").map(|text| text.trim_matches('"'))
    }
}

impl Module {
    /// The entry computation.
    pub fn entry(&self) -> &Computation {
        &self.computations[self.entry]
    }

    /// The root of a computation.
    pub fn root(&self, computation: ComputationId) -> InstructionId {
        self.computations[computation].root
    }

    /// True for the root of its computation.
    pub fn is_root(&self, instruction: InstructionId) -> bool {
        self.root(self.instructions[instruction].computation) == instruction
    }

    /// The distinct users of every instruction, in text order.
    pub fn users(&self) -> IdVec<InstructionId, Vec<InstructionId>> {
        let mut users = IdVec::filled(Vec::new(), self.instructions.len());
        for user in self.computations.iter().flat_map(|c| &c.instructions) {
            for &operand in &self.instructions[*user].operands {
                let of: &mut Vec<InstructionId> = &mut users[operand];
                if of.last() != Some(user) {
                    of.push(*user);
                }
            }
        }
        users
    }
}
