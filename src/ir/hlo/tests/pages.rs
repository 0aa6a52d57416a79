//! The example of every page of a code raises that code.

use super::read;
use crate::diag::{ALL, Code};
use crate::ir::hlo::Calls;

/// Codes that the reader and the call graph raise.
const RAISED: [Code; 11] = [
    Code::HloSyntax,
    Code::HloNestingTooDeep,
    Code::HloUnknownName,
    Code::HloDuplicateName,
    Code::HloBadShape,
    Code::HloBadCall,
    Code::HloBadParameter,
    Code::HloBadAlias,
    Code::HloRecursion,
    Code::HloCycle,
    Code::HloSizeOverflow,
];

#[test]
fn the_example_of_every_page_raises_its_code() {
    for code in RAISED {
        assert!(ALL.contains(&code));
        let example =
            code.page().split_once("```hlo\n").and_then(|(_, rest)| rest.split_once("```"));
        let (example, _) = example.unwrap_or_else(|| panic!("{code:?} has no example"));
        let errors = match read(example) {
            Err(errors) => errors,
            Ok(module) => vec![Calls::of(&module).expect_err("an error")],
        };
        let codes: Vec<_> = errors.iter().map(|error| error.code).collect();
        assert_eq!(codes, [code], "{errors:#?}");
    }
}
