//! What must hold for any bytes; called by tests and by the fuzz target.

use super::{Calls, Module, parse, print};
use crate::diag::{Diagnostic, Severity, Sources};

/// Reads the bytes as HLO text; true when there was nothing wrong with them.
///
/// # Panics
///
/// When the reader or the printer breaks a promise: that is what a fuzzer looks for.
pub fn check(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let module = match read(&text) {
        Ok(module) => module,
        Err(errors) => {
            assert!((1..=20).contains(&errors.len()));
            errors.iter().for_each(|error| explained(error, &text));
            return false;
        }
    };
    whole(&module);
    if let Err(error) = Calls::of(&module) {
        explained(&error, &text);
    }
    let printed = print(&module);
    let again = read(&printed);
    let again = again.unwrap_or_else(|errors| panic!("{errors:?}\n{printed}"));
    assert!(again.same_as(&module), "{printed}");
    assert_eq!(print(&again), printed);
    true
}

fn read(text: &str) -> Result<Module, Vec<Diagnostic>> {
    let mut sources = Sources::default();
    let file = sources.add("fuzz.hlo", text);
    parse(&sources, file)
}

/// An error says where.
fn explained(error: &Diagnostic, text: &str) {
    assert_eq!(error.severity, Severity::Error);
    assert!(!error.labels.is_empty(), "{error:?}");
    for label in &error.labels {
        let (start, end) = (label.loc.start as usize, label.loc.end as usize);
        assert!(text.get(start..end).is_some(), "{start}..{end} {error:?}");
    }
}

/// Every id leads somewhere.
fn whole(module: &Module) {
    assert!(module.computations.get(module.entry).is_some());
    for (id, computation) in module.computations.enumerate() {
        assert!(computation.instructions.contains(&computation.root));
        for (number, &parameter) in (0..).zip(&computation.parameters) {
            assert_eq!(module.instructions[parameter].parameter, Some(number));
        }
        for &at in &computation.instructions {
            let instruction = &module.instructions[at];
            assert_eq!(instruction.computation, id);
            let before = instruction.operands.iter().chain(instruction.control_predecessors());
            before.for_each(|&i| assert_eq!(module.instructions[i].computation, id));
            let _ = module.place(at);
            assert!(instruction.called().all(|callee| module.computations.get(callee).is_some()));
        }
    }
}
