//! The alias map of liveness (HIVM spec, section 2.3).
//!
//! Lists are symmetric and every link joins everything known of both sides, so two values alias
//! each other exactly when links connect them. Only the order in the lists, the flags and whether a
//! value is its own alias have to be recorded.

use crate::ir::hivm::PassKind;
use crate::ir::mlir::ValueId;
use crate::model::IdVec;

/// Another value for the same memory; the flag says that it is so only on some paths.
pub(super) type Alias = (ValueId, bool);

pub(super) struct Aliases {
    lists: IdVec<ValueId, Vec<Alias>>,
    parent: IdVec<ValueId, ValueId>,
    own: IdVec<ValueId, bool>,
    pass: PassKind,
}

impl Aliases {
    pub(super) fn new(values: usize, pass: PassKind) -> Self {
        let lists = IdVec::filled(Vec::new(), values);
        let parent = lists.ids().collect::<Vec<_>>().into();
        Self { lists, parent, own: IdVec::filled(false, values), pass }
    }

    /// Aliases in the order recorded.
    pub(super) fn of(&self, value: ValueId) -> &[Alias] {
        &self.lists[value]
    }

    /// Alias `n` of a value, the value itself behind the last, then nothing.
    pub(super) fn class(&self, value: ValueId, n: usize) -> Option<ValueId> {
        let list = &self.lists[value];
        match list.get(n) {
            Some(&(alias, _)) => Some(alias),
            None => (n == list.len()).then_some(value),
        }
    }

    /// Records that two values name the same memory. A flag of a link that is already there is
    /// brought up to date by regbase; base updates a temporary copy and loses it.
    pub(super) fn link(&mut self, new: ValueId, old: ValueId, conditional: bool) {
        let news = self.with_itself(new);
        let olds = self.with_itself(old);
        if self.root(new) == self.root(old) {
            self.relink(&news, &olds, conditional);
            return;
        }
        for &(x, x_flag) in &news {
            for &(y, y_flag) in &olds {
                let flag = conditional || x_flag || y_flag;
                self.lists[x].push((y, flag));
                self.lists[y].push((x, flag));
            }
        }
        let (new, old) = (self.root(new), self.root(old));
        self.parent[new] = old;
    }

    fn relink(&mut self, news: &[Alias], olds: &[Alias], conditional: bool) {
        for &(x, x_flag) in news {
            for &(y, y_flag) in olds {
                let flag = conditional || x_flag || y_flag;
                if x == y && !self.own[x] {
                    self.own[x] = true;
                    self.lists[x].push((x, flag));
                } else if self.pass == PassKind::Regbase && flag {
                    self.raise(x, y);
                    self.raise(y, x);
                }
            }
        }
    }

    fn raise(&mut self, of: ValueId, alias: ValueId) {
        for entry in self.lists[of].iter_mut().filter(|(v, _)| *v == alias) {
            entry.1 = true;
        }
    }

    /// Aliases and the value itself, last, each once.
    fn with_itself(&self, value: ValueId) -> Vec<Alias> {
        let mut all = self.lists[value].clone();
        if !self.own[value] {
            all.push((value, false));
        }
        all
    }

    fn root(&mut self, value: ValueId) -> ValueId {
        let mut at = value;
        while self.parent[at] != at {
            let up = self.parent[self.parent[at]];
            self.parent[at] = up;
            at = up;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: ValueId = ValueId(0);
    const B: ValueId = ValueId(1);
    const C: ValueId = ValueId(2);

    #[test]
    fn links_join_everything_known_of_both_sides() {
        let mut aliases = Aliases::new(3, PassKind::Base);
        aliases.link(B, A, false);
        aliases.link(C, B, true);
        assert_eq!(aliases.of(A), [(B, false), (C, true)]);
        assert_eq!(aliases.of(B), [(A, false), (C, true)]);
        assert_eq!(aliases.of(C), [(A, true), (B, true)]);
        assert_eq!((aliases.class(A, 2), aliases.class(A, 3)), (Some(A), None));
    }

    #[test]
    fn base_loses_a_later_flag_and_regbase_keeps_it() {
        for (pass, flag) in [(PassKind::Base, false), (PassKind::Regbase, true)] {
            let mut aliases = Aliases::new(2, pass);
            aliases.link(B, A, false);
            aliases.link(B, A, true);
            assert!(aliases.of(A).contains(&(B, flag)), "{pass:?}");
        }
    }

    #[test]
    fn a_second_link_makes_values_their_own_aliases() {
        let mut aliases = Aliases::new(2, PassKind::Base);
        aliases.link(B, A, false);
        aliases.link(A, B, false);
        assert_eq!(aliases.of(A), [(B, false), (A, false)]);
        assert_eq!(aliases.of(B), [(A, false), (B, false)]);
    }
}
