//! The packing problem as a mixed integer program: stated with good_lp, run by microlp.
//!
//! Small instances only, and nothing that the floating-point solver says counts: its answer is
//! read as an *order* (who lies below whom), the offsets are computed from the order in integers,
//! and the checker has the last word. Its "optimal" and "infeasible" prove nothing here.
//!
//! ```text
//!   instance -> statement -> microlp -> order -> least offsets -> check
//!   (granules)  (good_lp)    (nodes)   (decode)  (integers)
//! ```

mod decode;
mod granule;
mod greedy;
mod milp;
mod order;
mod report;
mod run;
mod statement;

pub use milp::{MAX_DISJUNCTIONS, MAX_UNITS, Milp};
pub use report::{Model, Report};
