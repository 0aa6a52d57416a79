//! The words of the house: programs, buffers, plans and answers, as values without serde.

mod answer;
mod buffer;
mod comparison;
mod finding;
mod fingerprint;
mod ids;
mod kernel;
pub mod machine;
mod order;
mod plan;
mod problem;
mod program;
mod relation;
mod remark;
mod replay;
mod sync;
mod target;
pub mod trace;
mod units;
mod value;

pub use answer::{
    Advice, Allocation, AllocationKind, Answer, Attempt, AttemptEnd, Change, FunctionAnswer,
    LimitedBy, Load, Mode, Overflow, PassError, REFUTED, Reuse, ReuseLevel, ScopeAnswer, Verdict,
};
pub use buffer::{Buffer, ElementShape, LifetimeClass, PipeUse};
pub use comparison::{Amount, Cause, CauseKind, Comparison, Effect, LoadShift, Measure};
pub use finding::Finding;
pub use fingerprint::fingerprint;
pub(crate) use ids::index;
pub use ids::{BranchId, BufferId, IdVec, Index, LoopId, OpId, PipeId, ScopeId, ValueId};
pub use kernel::{Kernel, KernelBuffer, KernelScope};
pub use order::{Order, RegionSteps};
pub use plan::{FunctionPlan, Placement, Plan};
pub use problem::{Function, Growth, InplacePolicy, Objective, Problem};
pub use program::{
    Access, AccessMode, Branch, BranchResult, Carry, InplaceRule, Loop, Node, Op, Region, Trips,
};
pub use relation::{Relation, RelationKind};
pub use remark::Remark;
pub use replay::{Evidence, OwedEdge, Slice, Timeline, Witness};
pub use sync::{FlagId, Sync, SyncLevel};
pub use target::{Capacity, Partition, Pipe, PipeKind, Reserved, Scope, TargetInfo};
pub use units::{ByteRange, Bytes, Live, Offset, Step, grouped};
pub use value::{Value, ValueKind};
