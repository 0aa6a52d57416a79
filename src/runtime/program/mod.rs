//! The sequential executor of one function.

mod home;
mod names;
mod reach;

pub use home::{Home, homes};
pub use names::{Names, Path, Window};
pub use reach::Reach;
