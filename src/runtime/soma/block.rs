//! Blocks as the rest of the machine sees them.

use super::PoolId;
use crate::runtime::clock::ActorId;
use crate::runtime::objects::ObjectId;

/// A block that a pool has handed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its pool.
    pub pool: PoolId,
    /// The first address.
    pub address: u64,
    /// The same, in bytes from the start of the pool.
    pub offset: u64,
    /// The bytes asked for.
    pub requested: u64,
    /// The bytes taken: whole granules.
    pub len: u64,
    /// Which hand-out it is; counted from 1 over all pools.
    pub generation: u32,
    /// The stream that asked for it.
    pub stream: ActorId,
    /// False when the device task that was to put memory behind it failed (13.5).
    pub mapped: bool,
}

/// A live block and the object that its bytes belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The block.
    pub block: Block,
    /// The memory of its pool; the block starts at byte `block.offset`.
    pub object: ObjectId,
    /// The device of the pool.
    pub device: u32,
}
