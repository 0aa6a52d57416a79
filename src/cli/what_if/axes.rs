//! What is varied of an input: an axis for each option, a setting for each of its values.

use super::suits;
use super::words::{Count, Scale, Slots, Whose};
use crate::cli::args::{Level, Order, Platform, WhatIfArgs};
use crate::cli::capacity;
use crate::cli::input::{Loaded, Ready};
use crate::diag::{Code, Diagnostic};
use crate::diagnose::whatif::{self, Change, Factor};
use crate::front::spec::targets;
use crate::model::{BufferId, Function, ReuseLevel};
use crate::report::words;

/// Multi-buffers that are tried with one slot less where nobody names them, the largest first.
const MOST_BUFFERS: usize = 24;

/// Another reading or another way of planning the whole input.
#[derive(Clone, Debug)]
pub(super) enum Whole {
    /// That target.
    Target(String),
    /// That profile of the target.
    Profile(String),
    /// That capacity.
    Capacity(String),
    /// That lowest level.
    Level(Level),
    /// That order of a module.
    Order(Order),
    /// That platform of a module.
    Platform(Platform),
}

/// Another function in the place of one.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// The function changed.
    Changes(Vec<Change>),
    /// The function, then a function (by its index) of another file (by its index).
    Fuse(usize, usize),
}

/// One value of an option, with the words for it.
pub(super) type Setting<T> = (String, T);

/// What is varied of one input.
#[derive(Debug, Default)]
pub(super) struct Axes {
    /// Axes of the whole input.
    pub(super) whole: Vec<Vec<Setting<Whole>>>,
    /// Axes of each function.
    pub(super) parts: Vec<Vec<Vec<Setting<Part>>>>,
    /// What was left out.
    pub(super) notes: Vec<Diagnostic>,
}

/// True where the command line asks for variants.
pub(super) fn asked(args: &WhatIfArgs) -> bool {
    let words = [&args.with_target, &args.with_profile, &args.with_capacity, &args.fuse];
    words.iter().any(|all| !all.is_empty())
        || !args.slots.is_empty()
        || !args.scale.is_empty()
        || !args.with_level.is_empty()
        || !args.with_order.is_empty()
        || !args.with_platform.is_empty()
}

/// What the command line asks for of an input; without any variant asked for, what is worth a look.
///
/// # Errors
/// What the input does not have.
pub(super) fn axes(
    args: &WhatIfArgs,
    loaded: &Loaded,
    ready: &Ready,
    others: &[Loaded],
) -> Result<Axes, Diagnostic> {
    suits::suits(args, loaded, ready)?;
    let mut axes = Axes::default();
    if !asked(args) {
        if !args.min_capacity {
            usual(&mut axes, ready, args.planning.level);
        }
        return Ok(axes);
    }
    let mut whole = |axis: Vec<Setting<Whole>>| {
        if !axis.is_empty() {
            axes.whole.push(axis);
        }
    };
    let word = |what: &'static str| move |name: &String| format!("{what} {name}");
    let each = |all: &[String], what, kind: fn(String) -> Whole| -> Vec<Setting<Whole>> {
        all.iter().map(|name| (word(what)(name), kind(name.clone()))).collect()
    };
    whole(each(&args.with_target, "target", Whole::Target));
    whole(each(&args.with_profile, "profile", Whole::Profile));
    for option in &args.with_capacity {
        let given = std::slice::from_ref(option);
        capacity::apply(&mut ready.problem.clone(), given).map_err(|error| {
            let message = error.message.replacen("--capacity", "--with-capacity", 1);
            Diagnostic { message, ..error }
        })?;
    }
    whole(each(&args.with_capacity, "capacity", Whole::Capacity));
    whole(args.with_level.iter().map(|level| named_level(*level)).collect());
    whole(args.with_order.iter().map(|order| named_order(*order)).collect());
    whole(args.with_platform.iter().map(|p| named_platform(*p)).collect());
    for function in &ready.problem.functions {
        let mut parts = Vec::new();
        parts.push(args.slots.iter().flat_map(|slots| slot_settings(slots, function)).collect());
        for scale in &args.scale {
            parts.push(scale_settings(scale, function));
        }
        parts.push(fuse_settings(others));
        parts.retain(|axis: &Vec<Setting<Part>>| !axis.is_empty());
        axes.parts.push(parts);
    }
    suits::known(args, loaded, ready)?;
    Ok(axes)
}

/// What is worth a look where nobody asks for anything.
fn usual(axes: &mut Axes, ready: &Ready, level: Option<Level>) {
    if ready.module.is_some() {
        axes.whole.push(vec![named_order(Order::Best)]);
        axes.whole.push([Platform::Cpu, Platform::Gpu].map(named_platform).to_vec());
        return;
    }
    let problem = &ready.problem;
    if let Some(info) = &problem.target {
        let now = info.profile.as_deref().unwrap_or(crate::format::target::PHYSICAL);
        let others = targets::profiles(&info.name).into_iter().filter(|name| name != now);
        axes.whole
            .push(others.map(|name| (format!("profile {name}"), Whole::Profile(name))).collect());
    }
    let bounded = problem.scopes.iter().any(|s| s.bytes().is_some());
    if !problem.pipes.is_empty() && bounded {
        let lowest = level.map_or(ReuseLevel::Lifetime, ReuseLevel::from);
        let all = [Level::Pipe, Level::Loop, Level::Slot];
        let above = all.into_iter().filter(|level| ReuseLevel::from(*level) < lowest);
        axes.whole.push(above.map(named_level).collect());
    }
    axes.whole.retain(|axis| !axis.is_empty());
    for function in &problem.functions {
        let mut slots = Vec::new();
        let all = whatif::multi_buffers(function);
        for &buffer in all.iter().take(MOST_BUFFERS) {
            let to = function.buffers[buffer].slots - 1;
            slots.push((slot_words(function, buffer, to), vec![Change::Slots { buffer, to }]));
        }
        if let Some(left @ 1..) = all.len().checked_sub(MOST_BUFFERS) {
            let message = format!(
                "{left} of {} multi-buffers of `{}` are left out, the smallest",
                all.len(),
                function.name
            );
            let note = Diagnostic::error(Code::ConfigBadOption, message);
            let severity = crate::diag::Severity::Note;
            axes.notes
                .push(Diagnostic { severity, ..note }.help("`--slots -1` tries each of them"));
        }
        let mut parts: Vec<Vec<Setting<Part>>> = Vec::new();
        parts.push(slots.into_iter().map(|(name, c)| (name, Part::Changes(c))).collect());
        for dimension in whatif::dimensions(function) {
            let halves = Scale::Dimension(dimension, vec![Factor::HALF]);
            parts.push(scale_settings(&halves, function));
        }
        parts.retain(|axis| !axis.is_empty());
        axes.parts.push(parts);
    }
}

fn named_level(level: Level) -> Setting<Whole> {
    (format!("level {}", ReuseLevel::from(level).name()), Whole::Level(level))
}

fn named_order(order: Order) -> Setting<Whole> {
    (format!("order {}", word(&order)), Whole::Order(order))
}

fn named_platform(platform: Platform) -> Setting<Whole> {
    (format!("platform {}", word(&platform)), Whole::Platform(platform))
}

/// The word of the command line.
fn word(value: &impl clap::ValueEnum) -> String {
    value.to_possible_value().map(|v| v.get_name().to_owned()).unwrap_or_default()
}

fn slot_settings(slots: &Slots, function: &Function) -> Vec<Setting<Part>> {
    let change = |buffer| {
        let to = slots.count.of(function.buffers[buffer].slots);
        Change::Slots { buffer, to }
    };
    let one = |buffer| {
        let to = slots.count.of(function.buffers[buffer].slots);
        (slot_words(function, buffer, to), Part::Changes(vec![change(buffer)]))
    };
    // What has as many already is no variant.
    let differs = |id: &BufferId| {
        let now = function.buffers[*id].slots;
        slots.count.of(now) != now
    };
    match &slots.whose {
        Whose::Each => {
            whatif::multi_buffers(function).into_iter().filter(differs).map(one).collect()
        }
        Whose::All => {
            let all: Vec<Change> =
                whatif::multi_buffers(function).into_iter().filter(differs).map(change).collect();
            if all.is_empty() {
                return Vec::new();
            }
            let count = match slots.count {
                Count::To(n) => words::count(n as usize, "slot"),
                Count::Less(n) => format!("{} less", words::count(n as usize, "slot")),
                Count::More(n) => format!("{} more", words::count(n as usize, "slot")),
            };
            vec![(format!("all multi-buffers: {count}"), Part::Changes(all))]
        }
        Whose::Named(name) => {
            let named = function.buffers.enumerate().filter(|(_, b)| b.name == *name);
            named.map(|(id, _)| id).map(one).collect()
        }
    }
}

fn slot_words(function: &Function, buffer: BufferId, to: u32) -> String {
    let name = words::buffer(function, buffer);
    format!("{name}: {}", words::count(to as usize, "slot"))
}

fn scale_settings(scale: &Scale, function: &Function) -> Vec<Setting<Part>> {
    match scale {
        Scale::Dimension(name, factors) => {
            if !whatif::dimensions(function).contains(name) {
                return Vec::new();
            }
            let part = |by: &Factor| {
                let change = Change::Scale { dimension: name.clone(), by: *by };
                (format!("{name} x {by}"), Part::Changes(vec![change]))
            };
            factors.iter().map(part).collect()
        }
        Scale::Elements(from, all) => {
            let part = |to: &u64| {
                let change = Change::Resize { from: *from, to: *to };
                (format!("dimensions of {from}: {to}"), Part::Changes(vec![change]))
            };
            all.iter().map(part).collect()
        }
    }
}

fn fuse_settings(others: &[Loaded]) -> Vec<Setting<Part>> {
    let mut out = Vec::new();
    for (at, other) in others.iter().enumerate() {
        let Ok(ready) = &other.outcome else { continue };
        let functions = &ready.problem.functions;
        for (index, function) in functions.iter().enumerate() {
            let name = match functions.len() {
                1 => format!("then {}", other.name),
                _ => format!("then `{}` of {}", function.name, other.name),
            };
            out.push((name, Part::Fuse(at, index)));
        }
    }
    out
}
