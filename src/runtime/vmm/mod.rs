//! Reserved addresses, handles of physical memory, mappings (runtime-model 5.5), and handles that are
//! shared between processes (5.7).

mod access;
mod export;
mod handle;
mod map;
mod reserve;
#[cfg(test)]
mod tests;
mod unmap;

pub use self::access::Access;
pub use self::export::{Share, ShareId};
pub use self::handle::{CreateRequest, Created, Handle, HandleId, Store, StoreId};
pub use self::map::MapRequest;
pub use self::reserve::{ReserveRequest, Reserved};
pub use self::unmap::Unmapped;
