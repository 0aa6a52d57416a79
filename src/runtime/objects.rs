//! What the shadow is kept of: physical things with bytes, under whatever addresses they appear.

use super::memory::Bank;

/// A physical thing: an allocation, a handle, the memory of a pool, a memory of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// Bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Piece {
    /// The object.
    pub object: ObjectId,
    /// The first byte.
    pub start: u64,
    /// How many.
    pub len: u64,
}

/// What an object is, for reports and rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its bytes, as requested.
    pub len: u64,
    /// What it is.
    pub kind: ObjectKind,
}

/// Kinds of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObjectKind {
    /// An allocation; undefined when made.
    Allocation(Bank),
    /// A managed range: pages come and go, bytes stay (13.4).
    Managed,
    /// A handle; keeps its bytes while it exists.
    Handle(Bank),
    /// The memory of a pool; keeps its bytes from block to block.
    Pool(u32),
    /// Memory of a core.
    Core,
    /// Memory of a process that the runtime does not know.
    User,
}

/// All objects of a run, in the order made.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    list: Vec<Object>,
}

impl Objects {
    /// A new object.
    pub fn make(&mut self, name: impl Into<String>, len: u64, kind: ObjectKind) -> ObjectId {
        self.list.push(Object { name: name.into(), len, kind });
        // Every object is made by a line of the trace; readers limit those.
        ObjectId(u32::try_from(self.list.len() - 1).unwrap_or(u32::MAX))
    }

    /// The object.
    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        self.list.get(id.0 as usize)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
