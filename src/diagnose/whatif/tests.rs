//! Properties of what-if questions.

mod fusing;
mod minimum;
mod scaling;

use crate::diag::Sources;
use crate::front::spec::{self, targets::Embedded};
use crate::model::{Function, Problem};

/// The problem of a spec, which is right.
fn read(text: &str) -> Problem {
    let mut sources = Sources::default();
    let file = sources.add("kernel.toml", text);
    match spec::read(&mut sources, file, None, &mut Embedded) {
        Ok(read) => read.problem,
        Err(errors) => panic!("{errors:?}"),
    }
}

/// Name and bytes of each buffer.
fn sizes(function: &Function) -> Vec<(&str, u64)> {
    function.buffers.iter().map(|b| (b.name.as_str(), b.size.0)).collect()
}
