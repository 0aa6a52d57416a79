//! Bytes that know where their contents came from.

use super::choose::mix;
use super::tree::{Elem, MemTy, Val};

/// Contents that the program does not say.
pub(crate) const UNDEF: u64 = 0;

/// One number for several; not known when one of them is not.
pub(crate) fn hash(parts: &[u64]) -> u64 {
    if parts.contains(&UNDEF) {
        return UNDEF;
    }
    parts.iter().fold(0x51, |all, part| mix(all ^ part.rotate_left(17))).max(1)
}

/// Where a memref lies, and which elements it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) store: usize,
    /// The alloc that made the bytes, and the slot that they are, where buffers are apart.
    pub(crate) of: Option<(Val, u64)>,
    /// The byte of element 0.
    pub(crate) base: u64,
    /// The element of the first index.
    pub(crate) start: u64,
    pub(crate) sizes: Vec<u64>,
    pub(crate) strides: Vec<u64>,
    pub(crate) elem: Elem,
}

impl Place {
    pub(crate) fn new(store: usize, base: u64, ty: &MemTy) -> Self {
        let (sizes, strides) = (ty.sizes.clone(), ty.strides());
        Self { store, of: None, base, start: 0, sizes, strides, elem: ty.elem }
    }

    pub(crate) fn count(&self) -> u64 {
        self.sizes.iter().product()
    }

    /// The first byte and the number of bytes of an element; a bit counts as the byte it is in.
    fn bytes(&self, index: u64) -> (u64, u64) {
        let (mut rest, mut at) = (index, self.start);
        for (size, stride) in self.sizes.iter().zip(&self.strides).rev() {
            at += rest % (*size).max(1) * stride;
            rest /= (*size).max(1);
        }
        match self.elem {
            Elem::I1 => (self.base + at / 8, 1),
            wide => (self.base + at * wide.bits() / 8, wide.bits() / 8),
        }
    }
}

/// All memories.
#[derive(Debug, Default)]
pub(crate) struct Bytes {
    stores: Vec<Vec<u64>>,
}

impl Bytes {
    /// A new memory; its bytes hold something that `what` tells.
    pub(crate) fn add(&mut self, size: u64, what: u64) -> usize {
        self.stores.push((0..size).map(|i| hash(&[what, i + 1])).collect());
        self.stores.len() - 1
    }

    fn get(&self, store: usize, at: u64) -> u64 {
        self.stores[store].get(at as usize).copied().unwrap_or(UNDEF)
    }

    fn set(&mut self, store: usize, at: u64, what: u64) {
        if let Some(byte) = self.stores[store].get_mut(at as usize) {
            *byte = what;
        }
    }

    pub(crate) fn read(&self, place: &Place, index: u64) -> u64 {
        let (first, count) = place.bytes(index);
        let bytes: Vec<u64> = (first..first + count).map(|at| self.get(place.store, at)).collect();
        match place.elem {
            Elem::I1 => hash(&[bytes[0], index % 8 + 1]),
            _ => hash(&bytes),
        }
    }

    pub(crate) fn read_all(&self, place: &Place) -> Vec<u64> {
        (0..place.count()).map(|i| self.read(place, i)).collect()
    }

    pub(crate) fn write(&mut self, place: &Place, index: u64, what: u64) {
        let (first, count) = place.bytes(index);
        for at in 0..count {
            self.set(place.store, first + at, hash(&[what, at + 1]));
        }
    }

    /// All elements at once; those that share a byte make its contents together.
    pub(crate) fn write_all(&mut self, place: &Place, values: &[u64]) {
        if place.elem == Elem::I1 {
            for (n, group) in (0u64..).zip(values.chunks(8)) {
                self.write(place, 8 * n, hash(group));
            }
            return;
        }
        for (index, value) in (0..).zip(values) {
            self.write(place, index, *value);
        }
    }

    /// The same in all elements.
    pub(crate) fn fill(&mut self, place: &Place, what: u64) {
        for index in 0..place.count() {
            self.write(place, index, what);
        }
    }
}
