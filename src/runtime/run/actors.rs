//! Who acts: threads of hosts, streams, pipes.

use crate::model::trace::Sym;
use crate::runtime::clock::ActorId;

/// What an actor is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A thread of a process.
    Thread,
    /// A stream of a device.
    Stream {
        /// The device.
        device: u32,
    },
    /// A pipe of a core.
    Pipe {
        /// The core.
        core: Sym,
    },
}

/// An actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// `p0.h0`, `A`, `aiv0.MTE2`.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// The process that it belongs to.
    pub process: u32,
}

/// All actors of a run, in the order they came.
#[derive(Clone, Debug, Default)]
pub struct Actors {
    list: Vec<Actor>,
}

impl Actors {
    /// A new actor.
    pub fn add(&mut self, name: String, kind: Kind, process: u32) -> ActorId {
        self.list.push(Actor { name, kind, process });
        ActorId(u32::try_from(self.list.len() - 1).unwrap_or(u32::MAX))
    }

    /// The actor.
    pub fn get(&self, id: ActorId) -> Option<&Actor> {
        self.list.get(id.0 as usize)
    }

    /// Its name; `?` for a number that nobody has.
    pub fn name(&self, id: ActorId) -> &str {
        self.get(id).map_or("?", |actor| &actor.name)
    }

    /// The actor of that name.
    pub fn find(&self, name: &str) -> Option<ActorId> {
        let at = self.list.iter().position(|actor| actor.name == name)?;
        u32::try_from(at).ok().map(ActorId)
    }

    /// All of them.
    pub fn all(&self) -> &[Actor] {
        &self.list
    }
}
