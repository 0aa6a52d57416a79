//! What the command line asks for and the input does not have.

use super::words::{Scale, Whose};
use crate::cli::args::WhatIfArgs;
use crate::cli::input::{Loaded, Ready};
use crate::diag::{Code, Diagnostic};
use crate::diagnose::whatif;
use crate::format::read::nearest;
use crate::model::Buffer;

/// Refuses options that mean nothing for an input.
///
/// # Errors
/// Which, and why.
pub(super) fn suits(args: &WhatIfArgs, loaded: &Loaded, ready: &Ready) -> Result<(), Diagnostic> {
    let module = ready.module.is_some();
    let wrong = |option: &str, why: &str| {
        let message = format!("`--{option}` means nothing for `{}`: {why}", loaded.name);
        Err(Diagnostic::error(Code::ConfigBadOption, message))
    };
    let of_kernels = [
        ("slots", !args.slots.is_empty(), "a module has no slots"),
        ("scale", !args.scale.is_empty(), "its shapes follow from its instructions"),
        ("fuse", !args.fuse.is_empty(), "a module is whole"),
        ("with-target", !args.with_target.is_empty(), "a module has platforms, no targets"),
        ("with-profile", !args.with_profile.is_empty(), "a module has platforms, no targets"),
        ("with-level", !args.with_level.is_empty(), "levels are for kernels"),
    ];
    let of_modules = [
        ("with-order", !args.with_order.is_empty()),
        ("with-platform", !args.with_platform.is_empty()),
    ];
    if module {
        if let Some((option, _, why)) = of_kernels.iter().find(|(_, given, _)| *given) {
            return wrong(option, why).map_err(|error| {
                error.help("for HLO there are `--with-capacity`, `--with-order`, `--with-platform`")
            });
        }
    } else {
        if let Some((option, _)) = of_modules.iter().find(|(_, given)| *given) {
            return wrong(option, "it is no HLO module");
        }
    }
    if !module && ready.problem.pipes.is_empty() && !args.with_level.is_empty() {
        return wrong("with-level", "it has no pipes, so levels are all one");
    }
    if ready.problem.target.is_none()
        && ready.target.is_none()
        && !args.with_profile.is_empty()
        && args.with_target.is_empty()
    {
        return wrong("with-profile", "it has no target");
    }
    Ok(())
}

/// Refuses names on the command line that no function of the input has.
///
/// # Errors
/// Which, and what there is instead.
pub(super) fn known(args: &WhatIfArgs, loaded: &Loaded, ready: &Ready) -> Result<(), Diagnostic> {
    let functions = &ready.problem.functions;
    let error = |option: &str, what: &str, help: Option<String>| {
        let message = format!("`--{option}`: `{}` has no {what}", loaded.name);
        let error = Diagnostic::error(Code::ConfigBadOption, message);
        Err(match help {
            Some(help) => error.help(help),
            None => error,
        })
    };
    for slots in &args.slots {
        let Whose::Named(name) = &slots.whose else { continue };
        let mut names = functions.iter().flat_map(|f| f.buffers.iter()).map(|b| b.name.as_str());
        if names.clone().all(|n| n != name) {
            let near = nearest(name, names.by_ref()).map(|near| format!("did you mean `{near}`?"));
            return error("slots", &format!("buffer `{name}`"), near);
        }
    }
    for scale in &args.scale {
        match scale {
            Scale::Dimension(name, _) => {
                let all: Vec<String> = functions.iter().flat_map(whatif::dimensions).collect();
                if !all.contains(name) {
                    let help = match all.as_slice() {
                        [] => "declare it: `scales = [\"..\"]` on buffers of a spec; or write \
                               `--scale 64=32` for every dimension of 64 elements"
                            .to_owned(),
                        _ => format!("its dimensions are {}", all.join(", ")),
                    };
                    return error("scale", &format!("dimension `{name}`"), Some(help));
                }
            }
            Scale::Elements(from, _) => {
                let mut shapes = functions.iter().flat_map(|f| f.buffers.iter());
                let has =
                    |b: &Buffer| b.shape.as_ref().is_some_and(|shape| shape.dims.contains(from));
                if !shapes.any(has) {
                    return error("scale", &format!("dimension of {from} elements"), None);
                }
            }
        }
    }
    Ok(())
}
