//! What names stand for.

use crate::runtime::pointer::Pointer;
use crate::runtime::soma::PoolId;

/// What a call has made under a name. Streams, events and notifies are named elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    /// An address, and how many bytes it was asked for.
    Address(Pointer, u64),
    /// A pool.
    Pool(PoolId),
    /// A host memory pool (xla-memory 18), by number.
    HostPool(usize),
    /// A physical handle (5.5): its number, and the process that holds it.
    Handle(crate::runtime::vmm::HandleId),
    /// A key of device memory (5.6).
    Key(crate::runtime::share::KeyId),
    /// A key of a handle (5.7).
    Share(crate::runtime::vmm::ShareId),
    /// A key of an event.
    EventKey(usize),
}
