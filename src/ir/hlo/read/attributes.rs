//! `key=value` behind an instruction.

use super::cursor::Reader;
use super::draft::{DraftAttribute, Name, Said};
use super::errors::Read;

/// Keys whose value names computations.
const COMPUTATIONS: [&str; 11] = [
    "calls",
    "to_apply",
    "condition",
    "body",
    "true_computation",
    "false_computation",
    "branch_computations",
    "called_computations",
    "select",
    "scatter",
    "comparator",
];

impl<'t> Reader<'t> {
    /// `key=value`.
    pub(super) fn attribute(&mut self) -> Read<DraftAttribute<'t>> {
        self.skip();
        let start = self.at;
        let key = self.word("the key of an attribute")?;
        self.expect(b'=')?;
        self.before_value()?;
        let braces = self.peek() == b'{';
        let said = match key {
            "control-predecessors" if braces => Said::Instructions(self.names("an instruction")?),
            _ if !COMPUTATIONS.contains(&key) => Said::Raw(self.value()?),
            _ if braces => Said::Computations(self.names("a computation")?),
            _ => Said::Computation(self.name("a computation")?),
        };
        Ok(DraftAttribute { key: key.into(), said, loc: self.loc(start, self.at) })
    }

    /// `{%a, %b}`.
    fn names(&mut self, what: &str) -> Read<Vec<Name<'t>>> {
        let mut names = Vec::new();
        self.listed(|reader| {
            names.push(reader.name(what)?);
            Ok(())
        })?;
        Ok(names)
    }
}
