//! Handles of elements: each holds what it was given, until it ends or another takes it over.

use std::collections::BTreeMap;

use crate::diag::Code;
use crate::model::trace::Sym;
use crate::runtime::status::{Refused, Status};

/// What a handle holds: elements of one pool, in the order given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handle {
    /// The pool, by number.
    pub pool: usize,
    /// Numbers of elements, each with the generation of its address.
    pub elements: Vec<(u32, u32)>,
}

/// A handle that a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// It holds elements.
    Live(Handle),
    /// Another has taken them over: it holds nothing, and its end gives nothing back.
    Moved,
    /// It has ended.
    Ended,
}

/// What the end of a handle gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// Elements.
    Elements(Handle),
    /// Nothing: the handle was moved from.
    Nothing,
}

/// What a move has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    /// A handle was moved to itself: nothing changes.
    Same,
    /// The target holds what the source held; what the target held before is given back.
    Over {
        /// What goes back, where the target held something.
        released: Option<Handle>,
        /// What the target holds now; none when the source was moved from.
        holds: Option<Handle>,
    },
}

/// All handles by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handles {
    all: BTreeMap<Sym, Held>,
}

impl Handles {
    /// A name stands for a new handle; what it held before is given back, after the new one was
    /// acquired (a move-assignment).
    pub fn assign(&mut self, name: Sym, handle: Handle) -> Option<Handle> {
        live(self.all.insert(name, Held::Live(handle)))
    }

    /// What a handle holds.
    ///
    /// # Errors
    /// `InvalidHandle` when it holds nothing any more, or is no handle (finding: a stale handle).
    pub fn get(&self, name: Sym, text: &str) -> Result<&Handle, Refused> {
        let why = match self.all.get(&name) {
            Some(Held::Live(handle)) => return Ok(handle),
            Some(Held::Moved) => format!("`{text}` holds nothing: it was moved from"),
            Some(Held::Ended) => format!("`{text}` was released before"),
            None => format!("`{text}` is no handle of a host memory pool"),
        };
        Err(Refused::new(Status::InvalidHandle, why).finding(Code::ReplayStaleHandle))
    }

    /// A handle ends.
    ///
    /// # Errors
    /// `InvalidHandle` when it has ended before (finding: a double free) or is none.
    pub fn end(&mut self, name: Sym, text: &str) -> Result<Taken, Refused> {
        let Some(held) = self.all.get_mut(&name) else {
            let why = format!("`{text}` is no handle of a host memory pool");
            return Err(Refused::new(Status::InvalidHandle, why).finding(Code::ReplayStaleHandle));
        };
        match std::mem::replace(held, Held::Ended) {
            Held::Live(handle) => Ok(Taken::Elements(handle)),
            Held::Moved => Ok(Taken::Nothing),
            Held::Ended => {
                let why = format!("`{text}` was released before");
                Err(Refused::new(Status::InvalidHandle, why).finding(Code::ReplayDoubleFree))
            }
        }
    }

    /// `to = move(from)`.
    ///
    /// # Errors
    /// `InvalidHandle` when the source has ended or is no handle.
    pub fn shift(&mut self, to: Sym, from: Sym, text: &str) -> Result<Moved, Refused> {
        let holds = match self.all.get(&from) {
            Some(Held::Live(handle)) => Some(handle.clone()),
            Some(Held::Moved) => None,
            Some(Held::Ended) | None => return self.get(from, text).map(|_| Moved::Same),
        };
        if to == from {
            return Ok(Moved::Same);
        }
        self.all.insert(from, Held::Moved);
        let target = holds.clone().map_or(Held::Moved, Held::Live);
        let released = live(self.all.insert(to, target));
        Ok(Moved::Over { released, holds })
    }
}

fn live(held: Option<Held>) -> Option<Handle> {
    match held {
        Some(Held::Live(handle)) => Some(handle),
        _ => None,
    }
}
