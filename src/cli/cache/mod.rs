//! What was found good before: a folder of answers by the bytes that they follow from. It may be deleted
//! at any time, and several runs may use it at once.

mod build;
mod entries;
mod folder;

pub(super) use entries::{Cache, Key, key};
