//! What can be wrong with a trace, in the few words that the checker and the oracles share.

use std::collections::BTreeSet;

use memplan::diag::{Code, Severity};
use memplan::verify::trace::Replayed;

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// Two accesses in no order.
    Race,
    /// A read that finds something else than its value.
    Value,
    /// A flag that is set while it is set.
    Overrun,
    /// Somebody waits for ever.
    Deadlock,
    /// A flag that is set when all is over.
    Left,
    /// A call that is refused.
    Refused,
    /// A wait whose record depends on which thread is faster.
    Ambiguous,
    /// Anything else.
    Other,
}

pub(crate) type Classes = BTreeSet<Class>;

/// The classes of the errors that the checker reports.
pub(crate) fn of(replayed: &Replayed) -> Classes {
    let errors = replayed.findings.iter().filter(|f| f.severity == Severity::Error);
    errors.map(|f| class(f.code, &f.message)).collect()
}

fn class(code: Code, message: &str) -> Class {
    match code {
        Code::ReplayRaceRaw
        | Code::ReplayRaceWar
        | Code::ReplayRaceWaw
        | Code::ReplaySamePipe
        | Code::ReplayUaf
        | Code::ReplayUseBeforeAlloc
        | Code::ReplayFreeBeforeAlloc
        | Code::ReplayReuseUnsafe
        | Code::ReplayEventNeverRecorded => Class::Race,
        Code::ReplayWrongValue | Code::ReplayPartialValue | Code::ReplayUninitRead => Class::Value,
        Code::ReplayFlagOverrun => Class::Overrun,
        Code::ReplayDeadlock => Class::Deadlock,
        Code::ReplayFlagUnmatched if message.contains("still set") => Class::Left,
        Code::ReplayFlagUnmatched => Class::Deadlock,
        Code::ReplayOomPool | Code::ReplayFragmentation | Code::ReplayRefused => Class::Refused,
        Code::ReplayDoubleFree | Code::ReplayBadFree => Class::Refused,
        Code::ReplayEventAmbiguous => Class::Ambiguous,
        _ => Class::Other,
    }
}
