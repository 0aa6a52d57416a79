//! Live ranges that are given for buffers that ops touch, beside those that follow from the ops.

use super::super::{liveness, tree::Tree};
use super::Reasons;
use crate::model::{BufferId, Live};

/// A buffer whose given live ranges are not those that follow from the ops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rederived {
    /// The buffer.
    pub buffer: BufferId,
    /// As given.
    pub given: Vec<Live>,
    /// As derived.
    pub derived: Vec<Live>,
}

impl Reasons<'_> {
    /// Derives anew what is given for buffers that ops touch, and tells what differs.
    pub fn rederived(&self) -> Vec<Rederived> {
        let touched = |id: &BufferId| !self.uses.of[*id].is_empty();
        let given = |id: &BufferId| self.function.buffers[*id].live.is_some();
        let both: Vec<BufferId> =
            self.function.buffers.ids().filter(touched).filter(given).collect();
        if both.is_empty() {
            return Vec::new();
        }
        let mut function = self.function.clone();
        both.iter().for_each(|id| function.buffers[*id].live = None);
        let tree = Tree::of(&function);
        let order = &self.facts.order;
        let derived = liveness::live(&function, order, &tree, &self.uses, &mut Vec::new());
        let one = |buffer: BufferId| {
            let given = self.facts.live[buffer].clone();
            Rederived { buffer, given, derived: derived[buffer].clone() }
        };
        both.into_iter().map(one).filter(|r| r.given != r.derived).collect()
    }
}
