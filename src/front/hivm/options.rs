//! `--hivm-options K=V,..`: the options of the pass under its own names (HIVM spec 1.1).

use crate::ir::hivm::{PassOptions, PlanMode};

/// An option that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError {
    /// What is wrong, with the word that was written.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

/// The names, for suggestions.
const NAMES: &[&str] = &[
    "mem-plan-mode",
    "enable-global-workspace-reuse",
    "restrict-inplace-as-isa",
    "disable-tightly-coupled-buffer-reuse",
    "simt-vf-dynamic-size",
    "disable-vf-reachable-check",
    "plan-memory-strategy",
    "enable-memory-display",
    "enable-print-memory-allocated-size",
];

/// Sets options from `K=V,..`; `K` alone is `K=true`. Later ones win; blanks separate, too.
///
/// # Errors
/// A name or value that the pass does not have.
pub fn parse(text: &str, options: &mut PassOptions) -> Result<(), OptionError> {
    for word in text.split([',', ' ']).map(str::trim).filter(|w| !w.is_empty()) {
        let (key, value) = word.split_once('=').unwrap_or((word, "true"));
        let flag = || match value {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(bad(word, "write `true` or `false`")),
        };
        match key {
            "mem-plan-mode" => {
                options.mode = match value {
                    "local-mem-plan" => PlanMode::Local,
                    "global-work-space-plan" => PlanMode::Workspace,
                    _ => {
                        return Err(bad(
                            word,
                            "write `local-mem-plan` or `global-work-space-plan`",
                        ));
                    }
                }
            }
            "enable-global-workspace-reuse" => options.workspace_reuse = flag()?,
            "restrict-inplace-as-isa" => options.inplace_as_isa = flag()?,
            "disable-tightly-coupled-buffer-reuse" => options.coupled_unique = flag()?,
            "simt-vf-dynamic-size" => {
                options.simt_kib = value.parse().map_err(|_| bad(word, "write a number of KiB"))?;
            }
            "disable-vf-reachable-check" => options.no_vf_check = flag()?,
            "plan-memory-strategy" => {
                options.largest_first = match value {
                    "default" => false,
                    "largest-first" => true,
                    _ => return Err(bad(word, "write `default` or `largest-first`")),
                }
            }
            "enable-memory-display" => options.display = flag()?,
            "enable-print-memory-allocated-size" => options.print_size = flag()?,
            _ => {
                let message = format!("the pass has no option `{key}`");
                return Err(OptionError {
                    message,
                    help: format!("its options are {}", NAMES.join(", ")),
                });
            }
        }
    }
    Ok(())
}

fn bad(word: &str, help: &str) -> OptionError {
    OptionError { message: format!("`{word}` makes no sense"), help: help.to_owned() }
}
