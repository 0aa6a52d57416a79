//! The names of buffers in a page.

use std::collections::BTreeMap;

use crate::format::json_inspect::Function;
use crate::report::words;

/// Names by ordinal; those that repeat carry it.
pub(super) struct Names<'a> {
    function: &'a Function,
    times: BTreeMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    pub(super) fn new(function: &'a Function) -> Self {
        let mut times = BTreeMap::new();
        for buffer in &function.buffers {
            *times.entry(buffer.name.as_str()).or_default() += 1;
        }
        Self { function, times }
    }

    /// The name of a buffer.
    pub(super) fn of(&self, id: u32) -> String {
        let Some(buffer) = self.function.buffers.get(id as usize) else { return format!("#{id}") };
        let name = words::name(&buffer.name);
        let repeats = self.times.get(buffer.name.as_str()).is_some_and(|n| *n > 1);
        if repeats { format!("{name}#{id}") } else { name }
    }

    /// True for a buffer that is asked about, or where nothing in particular is.
    pub(super) fn wanted(&self, id: u32) -> bool {
        let selected = &self.function.selected;
        selected.is_empty() || selected.binary_search(&id).is_ok()
    }
}

/// `[0, 4), [6, 9)`.
pub(super) fn ranges(live: &[[u64; 2]]) -> String {
    super::super::buffers::list(live, |[start, end]| format!("[{start}, {end})"))
}

/// Names in one cell; nothing for none.
pub(super) fn cell(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    super::super::buffers::list(names, |n| words::name(n))
}

/// The line of a `file:line:column`; with the file where it is not the input.
pub(super) fn line(function: &Function, loc: Option<&String>) -> String {
    let Some(loc) = loc else { return String::new() };
    let Some((place, _column)) = loc.rsplit_once(':') else { return words::name(loc) };
    let here = place.strip_prefix(function.input.as_str()).and_then(|rest| rest.strip_prefix(':'));
    words::name(here.unwrap_or(place))
}
