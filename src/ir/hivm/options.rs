//! Options of the PlanMemory pass (HIVM spec, section 1.1), with its names and defaults.

/// Which of the two sibling passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PassKind {
    /// `hivm-plan-memory`.
    #[default]
    Base,
    /// `hivm-plan-memory-regbase`.
    Regbase,
}

/// What is planned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlanMode {
    /// `memref.alloc` in UB, L1, L0C.
    #[default]
    Local,
    /// `memref_ext.alloc_workspace`.
    Workspace,
}

/// The options of the pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassOptions {
    /// Base or regbase.
    pub pass: PassKind,
    /// `mem-plan-mode`.
    pub mode: PlanMode,
    /// `enable-global-workspace-reuse`.
    pub workspace_reuse: bool,
    /// `restrict-inplace-as-isa`.
    pub inplace_as_isa: bool,
    /// `disable-tightly-coupled-buffer-reuse`.
    pub coupled_unique: bool,
    /// `simt-vf-dynamic-size` in KiB.
    pub simt_kib: u64,
    /// `disable-vf-reachable-check`.
    pub no_vf_check: bool,
    /// `plan-memory-strategy=largest-first`.
    pub largest_first: bool,
    /// `enable-memory-display` (base).
    pub display: bool,
    /// `enable-print-memory-allocated-size` (regbase).
    pub print_size: bool,
}

impl Default for PassOptions {
    fn default() -> Self {
        Self {
            pass: PassKind::Base,
            mode: PlanMode::Local,
            workspace_reuse: false,
            inplace_as_isa: false,
            coupled_unique: false,
            simt_kib: 216,
            no_vf_check: false,
            largest_first: false,
            display: false,
            print_size: false,
        }
    }
}
