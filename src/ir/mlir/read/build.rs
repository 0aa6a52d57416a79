//! The function under construction.

use std::collections::HashMap;

use super::names::{Name, Names};
use crate::diag::{FileId, Loc};
use crate::ir::mlir::{
    Attrs, Block, BlockId, Def, Function, Op, OpId, Operand, Region, RegionId, Successor, Type,
    Use, Value, ValueId,
};
use crate::model::IdVec;

/// A function, the names in it, and what the innermost region needs to know.
pub(super) struct Build<'t> {
    pub(super) function: Function,
    pub(super) names: Names<'t>,
    /// Blocks of the region that is being read, by label; the place of the first mention of one
    /// that was not seen yet.
    pub(super) labels: HashMap<&'t str, (BlockId, Option<Loc>)>,
    /// The block that is being read.
    pub(super) block: BlockId,
    /// One past the label of the entry block, if it has one.
    pub(super) entry_label: Option<u32>,
    /// Placeholders, and the values that they turned out to be.
    pub(super) replaced: Vec<(ValueId, ValueId)>,
    /// Placeholders of undefined values are among the values.
    pub(super) forward: bool,
}

/// What was read of an op so far.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) operands: Vec<Operand>,
    pub(super) attrs: Attrs,
    pub(super) types: Vec<Type>,
    pub(super) regions: Vec<RegionId>,
    pub(super) successors: Vec<Successor>,
}

/// A function with nothing in it.
pub(super) fn empty(file: FileId) -> Function {
    Function {
        name: String::new(),
        loc: Loc { file, start: 0, end: 0 },
        printed_loc: None,
        attrs: Attrs::default(),
        inputs: Vec::new(),
        top_level: true,
        body: None,
        body_start: None,
        values: IdVec::new(),
        ops: IdVec::new(),
        blocks: IdVec::new(),
        regions: IdVec::new(),
    }
}

impl<'t> Build<'t> {
    pub(super) fn new(file: FileId) -> Self {
        Self {
            function: empty(file),
            names: Names::default(),
            labels: HashMap::new(),
            block: BlockId(0),
            entry_label: None,
            replaced: Vec::new(),
            forward: false,
        }
    }

    /// A new value.
    pub(super) fn value(&mut self, name: Name<'_>, many: bool, loc: Loc, def: Def) -> ValueId {
        let name = if many { format!("{}#{}", name.0, name.1) } else { name.0.to_owned() };
        self.function.values.push(Value { name, loc, ty: Type::Unknown, def, uses: Vec::new() })
    }

    /// A new region with its entry block.
    pub(super) fn region(&mut self, op: Option<OpId>) -> (RegionId, BlockId) {
        let region = self.function.regions.push(Region { blocks: Vec::new(), op });
        let block = self.block(region);
        self.function.regions[region].blocks.push(block);
        (region, block)
    }

    /// A new block, not yet in its region's list.
    pub(super) fn block(&mut self, region: RegionId) -> BlockId {
        let block = Block { args: Vec::new(), ops: Vec::new(), region };
        self.function.blocks.push(block)
    }

    /// A new op at the end of the block.
    pub(super) fn op(&mut self, name: String, loc: Loc) -> OpId {
        let op = self.function.ops.push(Op {
            name,
            loc,
            printed_loc: None,
            results: Vec::new(),
            operands: Vec::new(),
            attrs: Attrs::default(),
            regions: Vec::new(),
            successors: Vec::new(),
            block: self.block,
        });
        self.function.blocks[self.block].ops.push(op);
        op
    }

    /// Moves a draft into its op and records the uses: an op with regions comes after what its
    /// regions hold.
    pub(super) fn finish(&mut self, op: OpId, draft: Draft) {
        let passed = draft.successors.iter().flat_map(|s| &s.args);
        let used = draft.operands.iter().map(|o| &o.value).chain(passed);
        for (at, value) in used.enumerate() {
            let uses = &mut self.function.values[*value].uses;
            uses.push(Use { op, operand: at as u32 });
        }
        let results = std::mem::take(&mut self.function.ops[op].results);
        if draft.types.len() == results.len() {
            for (value, ty) in results.iter().zip(draft.types) {
                self.function.values[*value].ty = ty;
            }
        }
        let op = &mut self.function.ops[op];
        op.results = results;
        op.operands = draft.operands;
        op.attrs = draft.attrs;
        op.regions = draft.regions;
        op.successors = draft.successors;
    }

    /// Puts the defined values for the placeholders and numbers all values in the order of their
    /// definition. Nothing to do for a function that defines before it uses.
    pub(super) fn settle(&mut self) {
        if !self.forward {
            return;
        }
        let f = &mut self.function;
        let mut map: Vec<ValueId> = f.values.ids().collect();
        for (placeholder, value) in &self.replaced {
            let uses = std::mem::take(&mut f.values[*placeholder].uses);
            f.values[*value].uses.splice(0..0, uses);
            map[placeholder.0 as usize] = *value;
        }
        let gone: Vec<bool> = map.iter().enumerate().map(|(at, v)| v.0 as usize != at).collect();
        let mut kept = IdVec::new();
        let mut number: Vec<ValueId> = vec![ValueId(0); map.len()];
        for ((id, value), gone) in f.values.enumerate().zip(&gone) {
            if !gone {
                number[id.0 as usize] = kept.push(value.clone());
            }
        }
        f.values = kept;
        let new = |value: &mut ValueId| *value = number[map[value.0 as usize].0 as usize];
        for op in f.ops.iter_mut() {
            op.results.iter_mut().for_each(new);
            op.operands.iter_mut().map(|o| &mut o.value).for_each(new);
            op.successors.iter_mut().flat_map(|s| &mut s.args).for_each(new);
        }
        f.blocks.iter_mut().flat_map(|b| &mut b.args).for_each(new);
    }
}
