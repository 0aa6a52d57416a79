//! How bad each class of a replay is (section 6).

use crate::diag::{Code, Severity};

/// The severity of a class: errors reject a plan, warnings fail `--deny warnings`, notes are about
/// speed, or about what was left out.
pub(super) fn of(code: Code) -> Severity {
    match code {
        Code::ReplayLostWrite
        | Code::ReplayVmmAlias
        | Code::ReplayFlagReserved
        | Code::ReplayUvmRmLost
        | Code::ReplayPreferConflict
        | Code::ReplayPortability
        | Code::ReplayLint => Severity::Warning,
        Code::ReplayRedundantSync
        | Code::ReplayUvmFalseSharing
        | Code::ReplayUvmThrash
        | Code::ReplayPrefetchUseless
        | Code::ReplayFragmentation
        | Code::ReplayThresholdZero
        | Code::ReplayBounded => Severity::Note,
        _ => Severity::Error,
    }
}
