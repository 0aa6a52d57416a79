//! What was found good before: a folder of answers by the bytes that they follow from. It may be deleted
//! at any time, and several runs may use it at once.

mod build;
mod entries;
mod folder;

#[expect(unused_imports, reason = "`verify` takes keys from a cache and names them nowhere yet")]
pub(super) use entries::{Cache, Key};
