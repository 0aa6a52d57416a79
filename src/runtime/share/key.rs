//! Names of shared memory, and their end (5.6).

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::Code;
use crate::runtime::context::Context;
use crate::runtime::memory::Bank;
use crate::runtime::objects::Piece;
use crate::runtime::svm::{Body, Space};

/// A name of shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(pub u32);

/// Behind a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// What the author calls it.
    pub name: String,
    /// The process that has made it.
    pub creator: u32,
    /// The range that its bytes are of.
    pub generation: u32,
    /// The first byte in that range.
    pub offset: u64,
    /// Bytes.
    pub len: u64,
    /// The bytes.
    pub pieces: Vec<Piece>,
    /// Where they are.
    pub home: Bank,
    /// False after the end of the name or of its memory.
    pub valid: bool,
    /// True when anybody may open it.
    pub no_whitelist: bool,
    /// True when the whitelist was written to.
    pub listed: bool,
    /// Who may open it, and since when.
    pub whitelist: BTreeMap<u32, u64>,
    /// Who has it open, for which device. The node lives until this is empty.
    pub openers: BTreeSet<(u32, u32)>,
}

impl Space {
    /// Ends a key. Whoever has it open keeps an address that leads nowhere (Q-IPC-3).
    pub(in crate::runtime) fn end_key(
        &mut self,
        cx: &mut Context<'_>,
        id: KeyId,
        why: &'static str,
        orderly: bool,
    ) {
        let Some(key) = self.keys.get_mut(id.0 as usize).filter(|key| key.valid) else { return };
        key.valid = false;
        if orderly && !key.openers.is_empty() {
            let open = key.openers.len();
            let message = format!("`{}` {why} while it is open {open} times elsewhere", key.name);
            cx.notes.remark(Code::ReplayIpcOrder, message);
        }
        let (creator, generation) = (key.creator, key.generation);
        for &(process, device) in &key.openers {
            let Some(process) = self.processes.get_mut(process as usize) else { continue };
            let Some(start) = process.imports.get(&(id, device)).copied() else { continue };
            if let Some(range) = process.ranges.get_mut(&start)
                && let Body::Import(import) = &mut range.body
            {
                import.stale = Some(why);
            }
        }
        if let Some(creator) = self.processes.get_mut(creator as usize)
            && let Some(range) = creator.range_mut(generation)
        {
            range.keys.retain(|&key| key != id);
        }
    }
}
