//! Copies: added where values would share bytes wrongly, removed where they need not be there
//! (spec/xla-memory.md 14).
//!
//! ```text
//!   add      every loop state, branch result, in-place operand and alias gets a copy    (steps 1, 3)
//!   remove   copy c of s goes when the bytes of s can also hold what c's bytes hold     (step 2)
//!
//!            chain of s:   s0 ---- s =====copy            every value of one chain must be over
//!            chain of c:                  c ====== d      before the next of the other begins
//!            together:     s0 ---- s ============= d
//! ```
//!
//! A module that is scheduled is judged in its order. One that is not is judged in the order of its
//! text, and where a removal counts on an order that its dependencies do not give, the order is
//! written down as control predecessors. (XLA's finer test by regions finds removals in other orders
//! too; those are not looked for.)

mod add;
mod chains;
mod deep;
mod edges;
mod guard;
mod remove;
#[cfg(test)]
mod tests;

pub use add::add;
pub(super) use guard::guard;
pub use remove::remove;

use std::fmt;

/// Why a copy is needed until it is proven not to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Added {
    /// A loop starts with a value that it changes.
    LoopInit,
    /// A loop's body gets state that it changes.
    LoopParameter,
    /// A loop's body hands state on that it has changed.
    LoopRoot,
    /// Branches hand on different values.
    BranchRoot,
    /// An instruction overwrites its operand.
    InPlace,
    /// An output lies on the parameter.
    AliasedParameter,
    /// The output lies on a parameter.
    AliasedOutput,
    /// The entry returns a parameter or a constant, one value twice, or one of several values.
    Returned,
}

/// Why a copy stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// What is copied is one of several values.
    Ambiguous,
    /// It changes the memory space.
    Space {
        /// Of the source.
        from: u32,
        /// Of the copy.
        to: u32,
    },
    /// It changes the layout or the type.
    Layout,
    /// It is all that an asynchronous op does.
    Asynchronous,
    /// Its computation has no place in the order of execution.
    NoTime,
    /// The source is a constant, or a parameter that no output lies on, and is not to be overwritten.
    ReadOnly,
    /// The entry returns it, and must not return a constant or a parameter that no output lies on.
    Returned,
    /// The entry returns both.
    TwoOutputs,
    /// Two values that would be the same bytes are needed at the same time.
    Overlap {
        /// The one that starts first.
        first: String,
        /// The other.
        second: String,
    },
    /// The order that would allow it needs more edges than are worth it, or a computation is called
    /// from several places.
    Orders,
}

impl fmt::Display for Added {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LoopInit => "the loop changes what it starts with",
            Self::LoopParameter => "the body changes its state",
            Self::LoopRoot => "the body hands on changed state",
            Self::BranchRoot => "the branches return different values",
            Self::InPlace => "it is overwritten",
            Self::AliasedParameter => "an output lies on the parameter",
            Self::AliasedOutput => "the output lies on a parameter",
            Self::Returned => "the entry returns it",
        })
    }
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ambiguous => f.write_str("its source is one of several values"),
            Self::Space { from, to } => write!(f, "it goes from memory space {from} to {to}"),
            Self::Layout => f.write_str("it changes the layout"),
            Self::Asynchronous => f.write_str("it runs asynchronously"),
            Self::NoTime => f.write_str("its computation is not scheduled"),
            Self::ReadOnly => f.write_str("its source must not be overwritten"),
            Self::Returned => f.write_str("the entry must return bytes of its own"),
            Self::TwoOutputs => f.write_str("the entry returns both"),
            Self::Overlap { first, second } => {
                write!(f, "`{first}` is still needed when `{second}` is made")
            }
            Self::Orders => f.write_str("too many orders would have to be fixed"),
        }
    }
}
