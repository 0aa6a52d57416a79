//! Inputs that are known to be good.

use std::fs;
use std::path::Path;

use crate::cli::args::VerifyArgs;
use crate::cli::cache::{Cache, Key, key};
use crate::cli::input::{Item, Origin};
use crate::format::json_kernel;
use crate::model::Kernel;

/// What the cache says about one input.
pub(in crate::cli) struct Cached {
    key: Key,
    /// Its kernels, if it was found good before and nothing has changed since.
    pub(in crate::cli) kernels: Option<Vec<Kernel>>,
}

/// Looks an input up. None where what the answer depends on cannot be told from the bytes at hand.
pub(super) fn look(
    cache: &Cache,
    args: &VerifyArgs,
    item: &Item,
    plan: Option<&Path>,
) -> Option<Cached> {
    let Origin::File(path) = &item.from else { return None };
    let input = fs::read(path).ok()?;
    // A spec may name a target file beside it.
    if path.extension().is_some_and(|e| e == "toml") && names_a_file(&input) {
        return None;
    }
    let plan = match plan {
        Some(plan) => fs::read(plan).ok()?,
        None => Vec::new(),
    };
    let named = [args.input.target.as_deref(), args.place.run.machine.as_deref()];
    let files: Vec<Vec<u8>> =
        named.iter().map(|name| name.and_then(|n| fs::read(n).ok()).unwrap_or_default()).collect();
    let options = format!("{:?} {:?} {:?}", without_inputs(args), args.planning, args.place);
    let name = item.name.as_bytes();
    let key = key(&[&input, &plan, &files[0], &files[1], options.as_bytes(), name]);
    let kernels = cache.get(&key).and_then(|text| json_kernel::read(&text).ok());
    Some(Cached { key, kernels })
}

/// The options of inputs; which other inputs there are does not matter.
fn without_inputs(args: &VerifyArgs) -> String {
    let input = crate::cli::args::InputArgs { inputs: Vec::new(), ..args.input.clone() };
    format!("{input:?}")
}

fn names_a_file(spec: &[u8]) -> bool {
    let text = String::from_utf8_lossy(spec);
    text.lines().any(|line| {
        line.trim_start().starts_with("target") && (line.contains(".toml") || line.contains('/'))
    })
}

/// Remembers that an input is good.
pub(super) fn keep(cache: &Cache, cached: &Cached, kernels: &[Kernel]) {
    cache.put(&cached.key, &json_kernel::write(kernels));
}
