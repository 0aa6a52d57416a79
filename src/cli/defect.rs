//! Defects of memplan itself: a panic or a broken promise becomes a request to report.

use std::any::Any;
use std::panic;
use std::sync::{Mutex, PoisonError};

use crate::diag::{Code, Diagnostic};

/// What the last panic said, and where.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Runs something; a panic becomes `memplan::internal::bug`.
pub(super) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Diagnostic> {
    let default = panic::take_hook();
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|l| format!(" at {l}")).unwrap_or_default();
        let text = format!("{}{place}", words(info.payload()));
        // The first panic is the cause; those after it follow from it.
        let mut last = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner);
        last.get_or_insert(text);
    }));
    let result = panic::catch_unwind(panic::AssertUnwindSafe(run));
    panic::set_hook(default);
    result.map_err(|payload| {
        let said = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).take();
        bug(&said.unwrap_or_else(|| words(payload.as_ref())))
    })
}

fn words(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// A defect of memplan.
pub(super) fn bug(what: &str) -> Diagnostic {
    let version = env!("CARGO_PKG_VERSION");
    Diagnostic::error(Code::InternalBug, format!("this is a defect in memplan: {what}")).help(
        format!("please report it with the input and the command line; this is memplan {version}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_request_to_report() {
        let bug = guarded(|| {
            let empty: Vec<u8> = Vec::new();
            empty[std::hint::black_box(3)]
        });
        let bug = bug.expect_err("a defect");
        assert_eq!(bug.code, Code::InternalBug);
        assert!(bug.message.contains("index out of bounds"), "{}", bug.message);
        assert!(bug.message.contains("defect.rs"), "{}", bug.message);
        assert_eq!(guarded(|| 5), Ok(5));
    }
}
