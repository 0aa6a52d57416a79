//! The budget file: what each kernel may take, committed to the user's repository.
//!
//! ```toml
//! version = 1
//! unlisted = "error"                  # kernels without an entry: error, warning, note or ignore (default:
//!                                     # warning; ignore in a file without entries)
//! unused = "warning"                  # entries without a kernel (default)
//!
//! [severity]                          # what an excess is (default: error)
//! level = "warning"                   # peak, level, stalls, owed; reuse_cost, makespan (default: ignore)
//!
//! [allow]                             # growth that nobody needs to hear of (default: none)
//! peak = "2 %"                        # of the number in this file, or of the baseline
//! stalls = 1
//!
//! [baseline]                          # for `--baseline`, where it is not as above
//! allow = { peak = "4 KiB" }
//! severity = { makespan = "warning" }
//! new = "ignore"                      # kernels that the baseline does not have (default: note)
//! gone = "error"                      # kernels of the baseline that are not there (default: warning)
//!
//! [[kernel]]
//! input = "kernels/softmax.mlir"      # relative to the folder of this file, `/` on every system;
//! function = "softmax"                # `*`, `**` and `?` make a pattern; without `function`: all of them
//! allow = { peak = "10 %" }           # optional: where this kernel is not as above
//!
//! [kernel.scope.ub]                   # a measure that is not there is not held against the kernel
//! peak = "192 KiB"
//! level = "loop"                      # the lowest it may need; `none`: no two buffers share bytes
//! stalls = 0
//! owed = 0
//! ```
//!
//! Keys are strict: an unknown one is an error with a suggestion.

mod file;
mod read;
mod rules;

pub use file::{BudgetFile, VERSION};
pub use read::read;
pub use rules::{Allowance, Baseline, Budget, Entry, Grade, LevelLimit, Limit, Rules, Table};
