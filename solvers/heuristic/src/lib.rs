//! Packers that look once (or a few times) and prove nothing on their own.
//!
//! Each takes every feature of an instance, knows no capacity while it packs, and is compared
//! with the lower bound afterwards. Where the peak meets the bound, that is a proof.
//!
//! | name | order | place |
//! |---|---|---|
//! | `first-fit`, `best-fit` | by start | lowest; smallest gap |
//! | `greedy-size`, `-area`, `-duration`, `-conflicts` | by that, largest first | smallest gap |
//! | `tflm-greedy` | by size | lowest |
//! | `tflite-breadth` | the moments with the most bytes alive first, by size in each | smallest gap |
//! | `usmp-size`, `usmp-conflicts` | by that, largest first | above everybody in the way |
//! | `usmp-hillclimb` | by size, then swaps around the peak | lowest |
//! | `skyline` | whoever fills the lowest stretch best, the widest first | lowest |
//! | `lowest-first` | whoever can lie lowest; best of three tie rules | lowest |
//! | `whole-slot` | by start | a whole slot of somebody dead, or a new one |
//! | `sequential` | by id | above everything: no sharing |
//! | `cost-first` | several | least added pair cost within the capacity |
//! | `greedy-promotion` | lowest first under several choices of promotions | |
//! | `lowest-area`, `-duration`, `-size` | `lowest-first` with one tie rule | |
//! | `portfolio` | all that suit the size, then lowest first with noise | |

mod breadth;
mod cheap;
mod climb;
mod count;
mod engine;
mod flat;
mod greedy;
mod inside;
mod lowest;
mod multistart;
mod named;
mod niche;
mod online;
mod order;
mod placed;
mod portfolio;
mod problem;
mod promote;
mod restart;
mod score;
mod sequential;
mod skyline;
mod slack;
mod slots;

pub use named::{Attempt, NAMES, Named, Packer, all, by_name};
pub use portfolio::Portfolio;
