//! Device memory that processes share by name (runtime-model 5.6), and memory that is registered for
//! the other side (5.8).

mod ipc;
mod key;
mod open;
mod register;
#[cfg(test)]
mod tests;
mod unregister;

pub use self::ipc::IpcRequest;
pub use self::key::{Key, KeyId};
pub use self::register::{RegRequest, Registered};
