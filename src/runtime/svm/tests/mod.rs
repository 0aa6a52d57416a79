pub(in crate::runtime) mod rig;

mod allocating;
mod asking;
mod copying;
mod ending;
mod freeing;
mod keeping;
mod opening;
mod reaching;
mod touching;
