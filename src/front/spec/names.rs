//! The values of a function by name, and where each name is written.

use std::collections::BTreeMap;

use toml::Spanned;

use super::context::Context;
use crate::diag::Loc;
use crate::model::{Function, Value, ValueId, ValueKind};

/// One space of names: buffers, aliases, carries and results.
#[derive(Default)]
pub(crate) struct Names {
    values: BTreeMap<String, ValueId>,
}

impl Names {
    /// Defines a value; a name that is taken is an error, and the value is then reachable by no
    /// name.
    pub(crate) fn define(
        &mut self,
        context: &mut Context,
        function: &mut Function,
        what: &str,
        name: &Spanned<String>,
        kind: ValueKind,
    ) -> ValueId {
        let loc = context.place(name);
        if let Some(&first) = self.values.get(name.get_ref()) {
            let first: Option<Loc> = function.values[first].loc;
            context.duplicate(what, name, first);
        }
        if name.get_ref().is_empty() {
            let d = crate::diag::Diagnostic::error(
                crate::diag::Code::SpecInvalidValue,
                format!("the name of a {what} is empty"),
            );
            context.error(d.at(loc, ""));
        }
        let name = name.get_ref().clone();
        let id = function.values.push(Value { name: name.clone(), loc: Some(loc), kind });
        self.values.entry(name).or_insert(id);
        id
    }

    /// The value of that name, or an error with the nearest known name.
    pub(crate) fn find(&self, context: &mut Context, name: &Spanned<String>) -> Option<ValueId> {
        let found = self.values.get(name.get_ref()).copied();
        if found.is_none() {
            context.unknown("value", name, self.values.keys().map(String::as_str));
        }
        found
    }
}
