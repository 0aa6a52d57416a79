//! Codes as rules.

use super::plain;
use crate::diag::Code;
use crate::format::sarif::{Rule, Tags, Text};
use crate::report::ci::page;

/// A code with its page.
pub(super) fn rule(code: Code) -> Rule {
    let help = page::help(code);
    Rule {
        id: code.name(),
        short_description: plain(code.title()),
        full_description: plain(&page::meaning(code)),
        help: Text { text: help.clone(), markdown: Some(help) },
        help_uri: page::uri(code),
        properties: Tags { tags: vec!["memory", page::area(code)] },
    }
}
