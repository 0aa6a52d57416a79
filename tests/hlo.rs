//! HLO text: what XLA makes of it, and what we do. The programs are those of the shared corpus, and
//! without it the ten that are in `specs/hlo`.

#[path = "hlo/assignment.rs"]
mod assignment;
#[path = "hlo/corpus.rs"]
mod corpus;
#[path = "hlo/generated.rs"]
mod generated;
#[path = "hlo/heaps.rs"]
mod heaps;
#[path = "hlo/oracle.rs"]
mod oracle;
#[path = "hlo/schedule.rs"]
mod schedule;
mod shared;
#[path = "hlo/sharing.rs"]
mod sharing;
#[path = "hlo/solve.rs"]
mod solve;
#[path = "hlo/values.rs"]
mod values;
