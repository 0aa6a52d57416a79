//! Flags and barriers that the text carries.

use super::lower::{Lower, short};
use crate::ir::hivm::HwPipe;
use crate::ir::mlir::{Attr, LISTED, Op, OpId};
use crate::model::{FlagId, InplaceRule, Node, PipeId, Sync};

impl Lower<'_> {
    /// An op that orders others; one whose pipes this machine does not have orders nothing here.
    pub(super) fn synchronise(&mut self, op: OpId, nodes: &mut Vec<Node>) {
        let ir = &self.ir.ops[op];
        let Some(sync) = self.sync(ir) else { return };
        let op = crate::model::Op {
            name: short(&ir.name).to_owned(),
            loc: Some(ir.loc),
            pipe: None,
            inplace: InplaceRule::Never,
            accesses: Vec::new(),
            sync: Some(sync),
            cost: None,
        };
        nodes.push(Node::Op(self.out.ops.push(op)));
    }

    fn sync(&self, ir: &Op) -> Option<Sync> {
        let listed: Vec<&str> = match ir.attrs.get(LISTED) {
            Some(Attr::Array(items)) => items.iter().filter_map(Attr::word).collect(),
            _ => Vec::new(),
        };
        // The custom form lists them; the generic form names them.
        let word = |at: usize, name: &str| {
            listed.get(at).copied().or_else(|| ir.attrs.get(name).and_then(Attr::word))
        };
        let pipe = |at: usize, name: &str| self.pipe_of_word(word(at, name)?);
        let event = || {
            let number = |word: &str| word.strip_prefix("EVENT_ID")?.parse().ok();
            word(2, "static_event_id").and_then(number)
        };
        match short(&ir.name) {
            "set_flag" => {
                let (from, to) = (pipe(0, "set_pipe")?, pipe(1, "wait_pipe")?);
                Some(Sync::Set { from, to, id: self.flag(ir, event()) })
            }
            "wait_flag" => {
                let (from, to) = (pipe(0, "set_pipe")?, pipe(1, "wait_pipe")?);
                Some(Sync::Wait { from, to, id: self.flag(ir, event()) })
            }
            "pipe_barrier" => match word(0, "pipe")? {
                "PIPE_ALL" => Some(Sync::Barrier(None)),
                name => Some(Sync::Barrier(Some(self.pipe_of_word(name)?))),
            },
            // `[core, pipe that raises, pipe that waits]`.
            "sync_block_set" => {
                let id = self.flag(ir, block_flag(ir));
                Some(Sync::CrossSet { pipe: pipe(1, "tpipe"), id })
            }
            "sync_block_wait" => {
                let id = self.flag(ir, block_flag(ir));
                Some(Sync::CrossWait { pipe: pipe(2, "pipe"), id })
            }
            _ => None,
        }
    }

    /// A flag written as a number, or as a value that may be constant.
    fn flag(&self, ir: &Op, written: Option<u64>) -> FlagId {
        let value = || self.constant(ir.operands.first()?.value);
        let number = written.or_else(|| u64::try_from(value()?).ok());
        number.map_or(FlagId::Unknown, FlagId::Constant)
    }

    fn pipe_of_word(&self, word: &str) -> Option<PipeId> {
        let pipe = match word {
            "PIPE_S" => HwPipe::S,
            "PIPE_V" => HwPipe::V,
            "PIPE_M" => HwPipe::M,
            "PIPE_MTE1" => HwPipe::Mte1,
            // The two of L1 are one pipe of the machine.
            "PIPE_MTE2" | "VIRTUAL_PIPE_MTE2_L1A" | "VIRTUAL_PIPE_MTE2_L1B" => HwPipe::Mte2,
            "PIPE_MTE3" => HwPipe::Mte3,
            "PIPE_FIX" => HwPipe::Fix,
            _ => return None,
        };
        self.machine.pipe(pipe)
    }
}

/// `flag = 1`.
fn block_flag(ir: &Op) -> Option<u64> {
    let attr = ir.attrs.get("flag").or_else(|| ir.attrs.get("static_flag_id"))?;
    u64::try_from(attr.int()?).ok()
}
