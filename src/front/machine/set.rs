//! One number of a machine, by its key.

use crate::format::machine::POLICIES;
use crate::front::errors::shown;
use crate::front::spec::size::{self, BadSize};
use crate::model::machine::{CoreScope, Machine, PipeCost, Product, SomaPolicy, WaterLevel};

/// Why a setting is none.
pub(super) enum Bad {
    /// There is no such key.
    Key,
    /// The value is not one: how the sentence about it goes on.
    Value(String),
}

/// Pipes, memories and levels of a machine at most.
const MANY: usize = 256;

/// Names of lists at most.
const LONGEST: usize = 1024;

fn bad<T>(why: impl Into<String>) -> Result<T, Bad> {
    Err(Bad::Value(why.into()))
}

/// Sets one key; nothing changes where it cannot be set.
pub(super) fn set(machine: &mut Machine, key: &str, value: &str) -> Result<(), Bad> {
    let parts: Vec<&str> = key.split('.').take(5).collect();
    let (over, can, costs) = (&mut machine.oversub, &mut machine.capabilities, &mut machine.costs);
    match parts.as_slice() {
        ["product"] => machine.product = product(value)?,
        ["device_memory"] => machine.device_memory = bytes(value)?,
        ["host_memory"] => machine.host_memory = bytes(value)?,
        ["numa_nodes"] => machine.numa_nodes = small(value)?,
        ["uvm_page"] => machine.uvm_page = positive(bytes(value)?)?,
        ["max_alloc"] => machine.max_alloc = bytes(value)?,
        ["soma", "page"] => machine.soma_page = positive(bytes(value)?)?,
        ["soma", "policy"] => machine.soma_policy = Some(policy(value)?),
        ["oversub", "enabled"] => over.enabled = truth(value)?,
        ["oversub", "level"] => {
            let count = number(value)?;
            let count = usize::try_from(count).ok().filter(|n| *n <= MANY);
            let Some(count) = count else { return bad(format!("has more than {MANY} tables")) };
            let none = WaterLevel { free_below: 0, scan_every: 1, cold_after: 1 };
            over.levels.clear();
            over.levels.resize(count, none);
        }
        ["oversub", "level", at, name] => {
            let at: usize = at.parse().map_err(|_| Bad::Key)?;
            let level = over.levels.get_mut(at).ok_or(Bad::Key)?;
            match *name {
                "free_below" => level.free_below = percent(value)?,
                "scan_every" => level.scan_every = positive(number(value)?)?,
                "cold_after" => level.cold_after = number(value)?,
                _ => return Err(Bad::Key),
            }
        }
        ["oversub", "target_free"] => over.target_free = percent(value)?,
        ["oversub", "batch"] => over.batch = positive(number(value)?)?,
        ["oversub", "max_pinned"] => over.max_pinned = percent(value)?,
        ["oversub", "direct_reclaim"] => over.direct_reclaim = truth(value)?,
        ["oversub", "host_swap_pages"] => {
            over.host_swap_pages = if value == "unlimited" { None } else { Some(number(value)?) };
        }
        ["oversub", "thrash_window"] => over.thrash_window = number(value)?,
        ["capabilities", "uvm"] => can.uvm = truth(value)?,
        ["capabilities", "remote_mapping"] => can.remote_mapping = truth(value)?,
        ["capabilities", "soma"] => can.soma = truth(value)?,
        ["capabilities", "soma_attributes"] => can.soma_attributes = truth(value)?,
        ["capabilities", "soma_trim"] => can.soma_trim = truth(value)?,
        ["capabilities", "soma_hal"] => can.soma_hal = truth(value)?,
        ["capabilities", "concurrent_managed"] => can.concurrent_managed = truth(value)?,
        ["capabilities", "peer"] => can.peer = truth(value)?,
        ["costs", "pipes", pipe, name] => {
            let number = number(value)?;
            let known = costs.pipes.iter().position(|(n, _)| n.eq_ignore_ascii_case(pipe));
            if !["latency", "bytes_per_tick"].contains(name) {
                return Err(Bad::Key);
            }
            if known.is_none() && costs.pipes.len() >= MANY {
                return bad(format!("is of pipe {MANY} or later"));
            }
            let at = known.unwrap_or(costs.pipes.len());
            if known.is_none() {
                costs.pipes.push(((*pipe).to_owned(), costs.other_pipe));
            }
            if let Some((_, cost)) = costs.pipes.get_mut(at) {
                pipe_cost(cost, name, number)?;
            }
        }
        ["costs", "other_pipe", name] => pipe_cost(&mut costs.other_pipe, name, number(value)?)?,
        ["costs", "fault"] => costs.fault = number(value)?,
        ["costs", "dma_start"] => costs.dma_start = number(value)?,
        ["costs", "link"] => costs.link = positive(number(value)?)?,
        ["costs", "peer_link"] => costs.peer_link = positive(number(value)?)?,
        ["costs", "prefetch_batch"] => costs.prefetch_batch = positive(number(value)?)?,
        ["costs", "call"] => costs.call = number(value)?,
        ["costs", "kernel"] => costs.kernel = number(value)?,
        ["costs", "host"] => costs.host = positive(number(value)?)?,
        ["scope", name, what] => scope(machine, name, what, value)?,
        ["weak_pipes"] => machine.weak_pipes = names(value)?,
        ["flag_ids"] => machine.flag_ids = small(value)?,
        ["cross_flags"] => machine.cross_flags = small(value)?,
        ["cross_limit"] => machine.cross_limit = small(value)?,
        ["reserved_flags"] => machine.reserved_flags = pairs(value)?,
        ["device_ids_differ"] => machine.device_ids_differ = truth(value)?,
        _ => return Err(Bad::Key),
    }
    Ok(())
}

fn pipe_cost(cost: &mut PipeCost, name: &str, number: u64) -> Result<(), Bad> {
    match name {
        "latency" => cost.latency = number,
        "bytes_per_tick" => cost.bytes_per_tick = number,
        _ => return Err(Bad::Key),
    }
    Ok(())
}

/// A memory of a core; a new one where none has the name.
fn scope(machine: &mut Machine, name: &str, what: &str, value: &str) -> Result<(), Bad> {
    let new = || CoreScope {
        name: name.to_owned(),
        capacity: None,
        alignment: 32,
        filled_by: Vec::new(),
        drained_by: Vec::new(),
    };
    let known = machine.scopes.iter().position(|s| s.name.eq_ignore_ascii_case(name));
    let mut scope = known.and_then(|at| machine.scopes.get(at).cloned()).unwrap_or_else(new);
    match what {
        "capacity" if value == "unknown" => scope.capacity = None,
        "capacity" => scope.capacity = Some(bytes(value)?),
        "alignment" => scope.alignment = positive(bytes(value)?)?,
        "filled_by" => scope.filled_by = names(value)?,
        "drained_by" => scope.drained_by = names(value)?,
        _ => return Err(Bad::Key),
    }
    if known.is_none() && machine.scopes.len() >= MANY {
        return bad(format!("is of memory {MANY} or later"));
    }
    match known.and_then(|at| machine.scopes.get_mut(at)) {
        Some(old) => *old = scope,
        None => machine.scopes.push(scope),
    }
    Ok(())
}

fn product(value: &str) -> Result<Product, Bad> {
    match value {
        "a2" => Ok(Product::A2),
        "a3" => Ok(Product::A3),
        "950" => Ok(Product::P950),
        "other" => Ok(Product::Other),
        _ => bad(format!("is `{}`, not `a2`, `a3`, `950` or `other`", shown(value))),
    }
}

fn policy(value: &str) -> Result<SomaPolicy, Bad> {
    match value {
        "documented" => Ok(SomaPolicy::Documented),
        "source-0184aa3c8" => Ok(SomaPolicy::Source0184),
        "head" => Ok(SomaPolicy::Head),
        _ => bad(format!("is `{}`; the words are `{}`", shown(value), POLICIES.join("`, `"))),
    }
}

fn truth(value: &str) -> Result<bool, Bad> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => bad(format!("is `{}`, not true or false", shown(value))),
    }
}

fn bytes(value: &str) -> Result<u64, Bad> {
    size::parse(value).or_else(|error| match error {
        BadSize::Negative => bad("is negative"),
        BadSize::TooLarge => bad("does not fit 64 bits"),
        BadSize::Malformed(_) => bad(format!("is `{}`, not a number of bytes", shown(value))),
    })
}

fn number(value: &str) -> Result<u64, Bad> {
    match value.parse() {
        Ok(number) => Ok(number),
        Err(_) => bad(format!("is `{}`, not a number of 64 bits", shown(value))),
    }
}

fn small(value: &str) -> Result<u32, Bad> {
    match value.parse() {
        Ok(number) => Ok(number),
        Err(_) => bad(format!("is `{}`, not a number of 32 bits", shown(value))),
    }
}

fn positive(number: u64) -> Result<u64, Bad> {
    if number == 0 { bad("is 0") } else { Ok(number) }
}

/// 20 or `20%`.
fn percent(value: &str) -> Result<u64, Bad> {
    let digits = value.strip_suffix('%').unwrap_or(value).trim_end();
    match digits.parse() {
        Ok(number) if number <= 100 => Ok(number),
        _ => bad(format!("is `{}`, not a percentage from 0 to 100", shown(value))),
    }
}

fn names(value: &str) -> Result<Vec<String>, Bad> {
    let all: Vec<&str> = value.split(',').map(str::trim).filter(|n| !n.is_empty()).collect();
    if all.len() > LONGEST {
        return bad(format!("has more than {LONGEST} names"));
    }
    Ok(all.into_iter().map(str::to_owned).collect())
}

fn pairs(value: &str) -> Result<Vec<(String, String)>, Bad> {
    let pair = |text: String| match text.split_once([' ', '>']) {
        Some((from, to)) if !to.trim().is_empty() && !from.trim().is_empty() => {
            Ok((from.trim().to_owned(), to.trim().to_owned()))
        }
        _ => bad(format!("has `{}`, not two pipes such as `S V`", shown(&text))),
    };
    names(value)?.into_iter().map(pair).collect()
}
