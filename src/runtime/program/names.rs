//! What each value stands for, as far as that can be said before running.
//!
//! A value is flattened into *paths*: a root (a buffer, or a value that only the run can bind: a
//! carry, a loop's or a branch's result) and a window into it. Views fold into the window; a
//! select becomes several paths.

use crate::model::{BufferId, Function, IdVec, Index, ValueId, ValueKind};

/// More candidates than this and a value counts as wild: everything it can reach.
const MAX_PATHS: usize = 256;

/// Where a path starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Root {
    /// A buffer, in the slot of the current trip.
    Buffer(BufferId),
    /// A value that the run binds.
    Bound(ValueId),
}

/// Bytes of a root, counted from its start.
///
/// ```text
///   root    |--------------------|
///   exact        [start, +len)        these bytes
///   inexact      [start ......... )   some of these bytes
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Window {
    /// First byte.
    pub start: u64,
    /// Bytes; `None` up to the end of the root.
    pub len: Option<u64>,
    /// False when the bytes lie somewhere inside.
    pub exact: bool,
}

/// One thing that a value may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path {
    /// The root.
    pub root: Root,
    /// The bytes of it.
    pub window: Window,
}

/// The paths of all values.
#[derive(Clone, Debug)]
pub struct Names {
    paths: IdVec<ValueId, Option<Vec<Path>>>,
}

impl Window {
    /// The whole root.
    pub const ALL: Self = Self { start: 0, len: None, exact: true };

    /// The window `inner`, counted from the start of this one.
    #[must_use]
    pub fn then(self, inner: Self) -> Self {
        let start = self.start.saturating_add(inner.start);
        let rest = self.len.map(|len| len.saturating_sub(inner.start));
        if !self.exact {
            // Wherever this window starts, `inner` starts at least that far in.
            return Self { start, len: rest, exact: false };
        }
        let len = match (rest, inner.len) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self { start, len, exact: inner.exact }
    }

    fn of_view(delta: Option<u64>, length: Option<u64>) -> Self {
        match (delta, length) {
            (Some(start), Some(_)) => Self { start, len: length, exact: true },
            (Some(start), None) => Self { start, len: None, exact: false },
            (None, _) => Self { start: 0, len: None, exact: false },
        }
    }
}

impl Names {
    /// Flattens all values of a function.
    pub fn of(function: &Function) -> Self {
        let mut names = Self { paths: IdVec::filled(None, function.values.len()) };
        let mut state = vec![State::New; function.values.len()];
        for id in function.values.ids() {
            names.flatten(function, id, &mut state);
        }
        names
    }

    /// The paths of a value; `None` when it is wild: defined in terms of itself, or with more
    /// candidates than are worth listing.
    pub fn paths(&self, value: ValueId) -> Option<&[Path]> {
        self.paths.get(value)?.as_deref()
    }

    // A stack of our own: chains of views are as long as the input likes.
    fn flatten(&mut self, function: &Function, value: ValueId, state: &mut [State]) {
        let mut stack = vec![value];
        while let Some(&id) = stack.last() {
            let Some(mark) = state.get_mut(id.at()) else {
                stack.pop();
                continue;
            };
            match *mark {
                State::Done => {
                    stack.pop();
                }
                State::New => {
                    *mark = State::Open;
                    stack.extend(
                        parts(&function.values[id].kind)
                            .iter()
                            .filter(|p| state.get(p.at()).is_some_and(|&s| s == State::New)),
                    );
                }
                State::Open => {
                    *mark = State::Done;
                    stack.pop();
                    self.paths[id] = self.combine(id, &function.values[id].kind);
                }
            }
        }
    }

    // A part that is still open is part of a cycle and has no paths yet: the value is wild.
    fn combine(&self, id: ValueId, kind: &ValueKind) -> Option<Vec<Path>> {
        let own = |root| Some(vec![Path { root, window: Window::ALL }]);
        match kind {
            ValueKind::Buffer(buffer) => own(Root::Buffer(*buffer)),
            ValueKind::Carry(..) | ValueKind::LoopResult(..) | ValueKind::BranchResult(..) => {
                own(Root::Bound(id))
            }
            ValueKind::View { base, delta, length } => {
                let view = Window::of_view(*delta, *length);
                let base = self.paths(*base)?;
                Some(base.iter().map(|p| Path { window: p.window.then(view), ..*p }).collect())
            }
            ValueKind::Select(of) => {
                let mut all = Vec::new();
                for part in of {
                    all.extend_from_slice(self.paths(*part)?);
                    if all.len() > MAX_PATHS {
                        all.sort_unstable();
                        all.dedup();
                    }
                    if all.len() > MAX_PATHS {
                        return None;
                    }
                }
                all.sort_unstable();
                all.dedup();
                Some(all)
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// The values that a value is made of before anything runs.
fn parts(kind: &ValueKind) -> Vec<ValueId> {
    match kind {
        ValueKind::View { base, .. } => vec![*base],
        ValueKind::Select(of) => of.clone(),
        _ => Vec::new(),
    }
}
