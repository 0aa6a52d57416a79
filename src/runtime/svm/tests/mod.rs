pub(in crate::runtime) mod rig;

mod agree;
mod allocating;
mod asking;
mod copying;
mod ending;
mod freeing;
mod keeping;
mod naive;
mod naive_calls;
mod naive_ends;
mod naive_reach;
mod naive_share;
mod opening;
mod random;
mod reaching;
mod touching;
