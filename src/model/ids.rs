//! Typed indices, and the vector that only they can index.

use std::marker::PhantomData;
use std::ops;

/// An index into an [`IdVec`].
pub trait Index: Copy + Eq + Ord + std::fmt::Debug {
    /// The index of position `at`.
    fn new(at: usize) -> Self;
    /// The position.
    fn at(self) -> usize;
}

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $crate::model::Index for $name {
            fn new(at: usize) -> Self {
                // Readers limit their input to 256 MiB, so no table reaches 2^32 rows.
                Self(u32::try_from(at).unwrap_or(u32::MAX))
            }
            fn at(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

pub(crate) use index;

index! {
    /// A scope of a problem.
    ScopeId
    /// A pipe of a problem.
    PipeId
    /// A buffer of a function; also its ordinal in reports (names may repeat).
    BufferId
    /// A value of a function.
    ValueId
    /// An op of a function.
    OpId
    /// A loop of a function.
    LoopId
    /// A branch of a function.
    BranchId
}

/// A vector indexed by one kind of id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    index: PhantomData<I>,
}

impl<I: Index, T> IdVec<I, T> {
    /// An empty vector.
    pub const fn new() -> Self {
        Self { items: Vec::new(), index: PhantomData }
    }

    /// `len` clones of `item`.
    pub fn filled(item: T, len: usize) -> Self
    where
        T: Clone,
    {
        vec![item; len].into()
    }

    /// Appends and returns the id of the new item.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::new(self.items.len() - 1)
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The item, if the id is in range.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.at())
    }

    /// Items in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// Items in order, to change them.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// Ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// Ids and items in order.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(at, item)| (I::new(at), item))
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(items: Vec<T>) -> Self {
        Self { items, index: PhantomData }
    }
}

impl<I: Index, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Index, T> ops::Index<I> for IdVec<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.at()]
    }
}

impl<I: Index, T> ops::IndexMut<I> for IdVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.at()]
    }
}

impl<I: Index, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        items.into_iter().collect::<Vec<_>>().into()
    }
}
