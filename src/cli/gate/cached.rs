//! Inputs that are known to be good.

use std::fs;
use std::path::Path;

use toml::de::DeTable;

use crate::cli::args::{From, InputArgs, PlaceArgs, PlanArgs};
use crate::cli::cache::{Cache, Key, key};
use crate::cli::config::Layers;
use crate::cli::input::{Item, Origin};
use crate::format::json_kernel;
use crate::front::spec::targets;
use crate::model::Kernel;

/// What the cache says about one input.
pub(in crate::cli) struct Cached {
    key: Key,
    /// Its kernels, if it was found good before and nothing has changed since.
    pub(in crate::cli) kernels: Option<Vec<Kernel>>,
}

/// A cache, and the options that answers depend on.
#[derive(Clone, Copy)]
pub(in crate::cli) struct Memory<'a> {
    pub(super) cache: &'a Cache,
    pub(super) input: &'a InputArgs,
    pub(super) strategy: &'a str,
    pub(super) planning: &'a PlanArgs,
    pub(super) place: &'a PlaceArgs,
}

/// Looks an input up. None where what the answer depends on cannot be told from the bytes at hand.
pub(super) fn look(memory: Memory<'_>, item: &Item, plan: Option<&Path>) -> Option<Cached> {
    let Origin::File(path) = &item.from else { return None };
    let Memory { cache, input: args, strategy, planning, place } = memory;
    let (of_input, own) = Layers::of(args, &item.from);
    // What a pipe says can be read once only.
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let input = fs::read(path).ok()?;
    // A spec may name a target file beside it.
    if may_be_a_spec(path, args.from) && names_a_file(&input) {
        return None;
    }
    // No plan is not an empty one.
    let (given, plan) = match plan {
        Some(plan) => ([1], fs::read(plan).ok()?),
        None => ([0], Vec::new()),
    };
    let named = [of_input.target.as_deref(), place.run.machine.as_deref()];
    let files: Vec<Vec<u8>> =
        named.iter().map(|name| name.and_then(|n| fs::read(n).ok()).unwrap_or_default()).collect();
    let options = without_inputs(&of_input);
    let options = format!("{options:?} {own:?} {strategy} {planning:?} {place:?}");
    let name = item.name.as_bytes();
    let key = key(&[&input, &given, &plan, &files[0], &files[1], options.as_bytes(), name]);
    let kernels = cache.get(&key).and_then(|text| read(&text));
    Some(Cached { key, kernels })
}

/// The options of inputs; which other inputs there are does not matter.
fn without_inputs(args: &InputArgs) -> InputArgs {
    InputArgs { inputs: Vec::new(), layers: Layers::default(), ..args.clone() }
}

fn may_be_a_spec(path: &Path, from: Option<From>) -> bool {
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let other = matches!(extension.as_deref(), Some("csv" | "mlir" | "hlo" | "json"));
    from.map_or(!other, |from| from == From::Spec)
}

fn names_a_file(spec: &[u8]) -> bool {
    let text = String::from_utf8_lossy(spec);
    let (table, _) = DeTable::parse_recoverable(&text);
    let target = table.get_ref().get("target");
    target.is_some_and(|t| t.get_ref().as_str().is_none_or(|name| targets::find(name).is_none()))
}

/// Remembers that an input is good.
pub(super) fn keep(cache: &Cache, cached: &Cached, kernels: &[Kernel]) {
    let kernels: Vec<json_kernel::Kernel> = kernels.iter().map(Into::into).collect();
    if let Ok(text) = serde_json::to_string(&kernels) {
        cache.put(&cached.key, &text);
    }
}

fn read(text: &str) -> Option<Vec<Kernel>> {
    let kernels: Vec<json_kernel::Kernel> = serde_json::from_str(text).ok()?;
    Some(kernels.into_iter().map(Into::into).collect())
}
