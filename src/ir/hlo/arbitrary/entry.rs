//! The parameters of the entry, and what the header says of them.

use super::{Scope, Storage, Value, Writer};
use crate::ir::hlo::Shape;

/// A leaf of a parameter that an output lies on.
pub(super) struct Donated {
    pub(super) value: Value,
    /// `(1, {0}`.
    place: String,
}

/// What is known of the parameters.
#[derive(Default)]
pub(super) struct Parameters {
    /// Those that outputs lie on.
    pub(super) donated: Vec<Donated>,
    /// Places of leaves that any output may take: `(1, {0})`.
    donors: Vec<String>,
}

impl Writer<'_> {
    /// Writes the parameters of the entry, arrays and tuples; some are donated.
    pub(super) fn entry_parameters(&mut self, scope: &mut Scope) -> Parameters {
        let read_only = Storage { read_only: true, ..Storage::default() };
        let mut parameters = Parameters::default();
        let count = 1 + self.choices.below(5);
        let is_reversed = self.choices.once_in(4);
        for at in 0..count {
            let number = if is_reversed { count - 1 - at } else { at };
            let shape = match self.choices.once_in(4) {
                true => Shape::Tuple((0..2).map(|_| self.any_array()).collect()),
                false => self.any_array(),
            };
            let value = scope.numbered_parameter(self, shape, &read_only, number);
            let is_tuple = value.shape.is_tuple();
            let values = if is_tuple { scope.elements(self, &value) } else { vec![value] };
            for (at, value) in values.iter().enumerate() {
                let step = if is_tuple { at.to_string() } else { String::new() };
                let place = format!("({number}, {{{step}}}");
                match self.choices.below(9) {
                    0..3 => {
                        for leaf in &value.leaves {
                            let storage = &mut scope.storages[*leaf];
                            (storage.promised, storage.read_only) = (true, false);
                        }
                        parameters.donated.push(Donated { value: value.clone(), place });
                    }
                    3 => parameters.donors.push(format!("{place})")),
                    _ => {}
                }
            }
            scope.pool.extend(values);
        }
        if is_reversed {
            scope.parameters.reverse();
        }
        parameters
    }

    /// `input_output_alias` and `buffer_donor` of the header.
    pub(super) fn donations(
        &mut self,
        parameters: &Parameters,
        outputs: &[usize],
        is_tuple: bool,
    ) -> String {
        let rows = parameters.donated.iter().zip(outputs).map(|(donated, output)| {
            let kind = if self.choices.once_in(4) { "must-alias" } else { "may-alias" };
            let step = if is_tuple { output.to_string() } else { String::new() };
            format!("{{{step}}}: {}, {kind})", donated.place)
        });
        let rows = rows.collect::<Vec<_>>().join(", ");
        let table = |key: &str, rows: &str| match rows {
            "" => String::new(),
            rows => format!(", {key}={{ {rows} }}"),
        };
        let donors = parameters.donors.join(", ");
        format!("{}{}", table("input_output_alias", &rows), table("buffer_donor", &donors))
    }
}
