//! Names of values: scopes, and names that are used before their definition.

use std::collections::HashMap;

use crate::ir::mlir::ValueId;

/// `%name#number`.
pub(super) type Name<'t> = (&'t str, u32);

/// What a name means.
#[derive(Clone, Copy, Debug)]
struct Entry {
    value: ValueId,
    depth: u32,
}

/// Names that are visible, and those that wait for a definition.
#[derive(Default)]
pub(super) struct Names<'t> {
    visible: HashMap<Name<'t>, Entry>,
    /// What the names of the open scopes hid.
    undo: Vec<(Name<'t>, Option<Entry>)>,
    /// Where each open scope starts in `undo`.
    scopes: Vec<usize>,
    /// Placeholders of undefined names.
    waiting: HashMap<Name<'t>, Entry>,
    /// The waiting names of each scope depth; moved outwards when a scope closes.
    by_depth: Vec<Vec<Name<'t>>>,
}

impl<'t> Names<'t> {
    fn depth(&self) -> u32 {
        self.scopes.len() as u32
    }

    /// Opens a scope.
    pub(super) fn open(&mut self) {
        self.scopes.push(self.undo.len());
    }

    /// Closes the innermost scope: its names are forgotten, names undefined in it may still be
    /// defined outside.
    pub(super) fn close(&mut self) {
        let depth = self.scopes.len();
        let start = self.scopes.pop().unwrap_or(0);
        for (name, before) in self.undo.drain(start..).rev() {
            match before {
                Some(entry) => self.visible.insert(name, entry),
                None => self.visible.remove(&name),
            };
        }
        if let Some(mut names) = self.by_depth.get_mut(depth).map(std::mem::take) {
            let outer = depth.saturating_sub(1);
            for name in &names {
                if let Some(entry) = self.waiting.get_mut(name) {
                    entry.depth = entry.depth.min(outer as u32);
                }
            }
            match self.by_depth.get_mut(outer) {
                Some(list) if list.is_empty() => *list = names,
                Some(list) => list.append(&mut names),
                None => {}
            }
        }
    }

    /// The value of a name, or the placeholder that it already has.
    pub(super) fn get(&mut self, name: Name<'t>) -> Option<ValueId> {
        if let Some(entry) = self.visible.get(&name) {
            return Some(entry.value);
        }
        let depth = self.depth();
        let waiting = self.waiting.get_mut(&name)?;
        if waiting.depth > depth {
            waiting.depth = depth;
            let value = waiting.value;
            self.file(name, depth);
            return Some(value);
        }
        Some(waiting.value)
    }

    /// Remembers a placeholder of a name that is not defined yet.
    pub(super) fn wait(&mut self, name: Name<'t>, value: ValueId) {
        let depth = self.depth();
        self.waiting.insert(name, Entry { value, depth });
        self.file(name, depth);
    }

    fn file(&mut self, name: Name<'t>, depth: u32) {
        let depth = depth as usize;
        if self.by_depth.len() <= depth {
            self.by_depth.resize_with(depth + 1, Vec::new);
        }
        self.by_depth[depth].push(name);
    }

    /// Defines a name in the innermost scope. Gives the placeholder that waited for it, and the
    /// value that had the name in this scope before.
    pub(super) fn define(
        &mut self,
        name: Name<'t>,
        value: ValueId,
    ) -> (Option<ValueId>, Option<ValueId>) {
        let depth = self.depth();
        let before = self.visible.insert(name, Entry { value, depth });
        self.undo.push((name, before));
        let waited = match self.waiting.get(&name) {
            Some(entry) if entry.depth >= depth => self.waiting.remove(&name).map(|e| e.value),
            _ => None,
        };
        (waited, before.filter(|entry| entry.depth == depth).map(|entry| entry.value))
    }

    /// Placeholders that nothing defined, in the order of their first use.
    pub(super) fn undefined(&mut self) -> Vec<(Name<'t>, ValueId)> {
        let mut list: Vec<_> = self.waiting.drain().map(|(name, e)| (name, e.value)).collect();
        list.sort_by_key(|(_, value)| *value);
        list
    }
}
