//! Buffers: sizes, alignments, slots, pins, given live ranges.

use super::context::{Context, count};
use super::growth;
use super::machine::ScopeNames;
use super::names::Names;
use super::size::{DTYPES, dtype_bits, dtype_synonym, footprint};
use super::{
    MAX_SLOTS,
    regions::{Place, Regions},
};
use crate::diag::{Code, Diagnostic};
use crate::format::read::nearest;
use crate::format::spec::{BufferTable, ClassWord};
use crate::model::{
    AccessMode, Buffer, BufferId, ByteRange, Bytes, Capacity, ElementShape, Function, Index,
    LifetimeClass, Live, LoopId, PipeUse, Problem, Scope, ScopeId, Step, ValueKind,
};

/// Adds the buffers of a function.
pub(crate) fn lower(
    context: &mut Context,
    problem: &Problem,
    scopes: &ScopeNames,
    function: &mut Function,
    names: &mut Names,
    regions: &Regions,
    tables: &[BufferTable],
) {
    for table in tables {
        let id = BufferId::new(function.buffers.len());
        let kind = ValueKind::Buffer(id);
        let value = names.define(context, function, "buffer", &table.name, kind);
        let scope = scope(context, problem, scopes, table);
        let (size, shape) = size(context, table);
        let alignment = match &table.alignment {
            Some(a) => context.positive("the alignment", a).unwrap_or(1),
            None => problem.scopes.get(scope).map_or(1, |s| s.alignment),
        };
        let slots = slots(context, table);
        let home = table.in_loop.as_ref().and_then(|name| {
            let place = regions.find(context, Some(name));
            match place {
                Place::Loop(id) => Some(id),
                Place::Top => None,
                Place::Then(_) | Place::Else(_) => {
                    let d = Diagnostic::error(
                        Code::SpecInvalidValue,
                        format!("`{}` is not a loop", name.get_ref()),
                    );
                    let d = d.at(context.place(name), "");
                    context.error(d);
                    None
                }
            }
        });
        let live = live(context, table);
        growth::lower(context, table, id, &mut function.growth);
        function.buffers.push(Buffer {
            name: table.name.get_ref().clone(),
            loc: Some(context.place(&table.name)),
            scope,
            size: Bytes(size),
            shape,
            alignment,
            slots,
            spare_slots: false,
            rotates_in: rotation(slots, home),
            pin: pin(context, table, slots, alignment, size, problem.scopes.get(scope)),
            unique: table.unique,
            owner: owner(context, problem, scope, table),
            class: class(table.class),
            temporary: table.temporary,
            preload: table.preload,
            coupling: None,
            lives_in: home,
            pipes: pipes(context, problem, table, live.is_some()),
            live,
            value,
        });
    }
}

fn rotation(slots: u32, home: Option<LoopId>) -> Option<LoopId> {
    if slots > 1 { home } else { None }
}

fn scope(
    context: &mut Context,
    problem: &Problem,
    scopes: &ScopeNames,
    table: &BufferTable,
) -> ScopeId {
    let Some(name) = &table.scope else {
        if let Some(only) = scopes.only() {
            return only;
        }
        if scopes.is_broken() {
            return ScopeId(0);
        }
        let d = Diagnostic::error(
            Code::SpecMissingKey,
            format!("buffer `{}` has no `scope`", table.name.get_ref()),
        );
        let d = d.at(context.place(&table.name), "");
        context.error(d.help("`scope` may be left out when the spec has one `[[scope]]`"));
        return ScopeId(0);
    };
    let Some(id) = scopes.find(name.get_ref()) else {
        if !scopes.is_broken() {
            context.unknown("scope", name, scopes.names());
        }
        return ScopeId(0);
    };
    if problem.scopes.get(id).is_some_and(|s| s.capacity == Capacity::Unknown) {
        let d = Diagnostic::error(
            Code::SpecUnknownCapacity,
            format!("nobody knows the capacity of scope `{}`", name.get_ref()),
        );
        let d = d.at(context.place(name), "used here");
        context.error(
            d.help(format!(
                "give it: `[[scope]] name = \"{0}\", capacity = BYTES` in the spec, or `--capacity {0}=BYTES`",
                name.get_ref()
            )),
        );
    }
    id
}

fn slots(context: &mut Context, table: &BufferTable) -> u32 {
    let Some(slots) = &table.slots else { return 1 };
    let Some(n) = context.number("the number of slots", slots) else { return 1 };
    if n == 0 || n > MAX_SLOTS {
        let d = Diagnostic::error(Code::SpecInvalidValue, format!("{n} slots"));
        let d = d.at(context.place(slots), "");
        context.error(d.help(format!("a buffer has 1 to {MAX_SLOTS} slots")));
        return 1;
    }
    u32::try_from(n).unwrap_or(1)
}

fn size(context: &mut Context, table: &BufferTable) -> (u64, Option<ElementShape>) {
    let given = table.size.as_ref().map(|s| context.size("the size", s));
    let shape = shape(context, table);
    match (given, shape) {
        (Some(size), None) => (size.unwrap_or(0), None),
        (None, Some((bytes, shape))) => (bytes, Some(shape)),
        (Some(size), Some((bytes, shape))) => {
            let size = size.unwrap_or(bytes);
            if size < bytes {
                let d = Diagnostic::error(
                    Code::SpecInvalidValue,
                    format!("the size is {size} bytes but the shape needs {bytes}"),
                );
                let place = table.size.as_ref().map(|s| context.place(s));
                context.error(d.maybe_at(place, ""));
            }
            (size, Some(shape))
        }
        (None, None) => {
            if table.shape.is_none() && table.dtype.is_none() {
                let d = Diagnostic::error(
                    Code::SpecMissingKey,
                    format!("buffer `{}` has no size", table.name.get_ref()),
                );
                let d = d.at(context.place(&table.name), "");
                context.error(d.help("write `size = BYTES`, or `shape = [..]` and `dtype`"));
            }
            (0, None)
        }
    }
}

fn shape(context: &mut Context, table: &BufferTable) -> Option<(u64, ElementShape)> {
    let (dims_key, dtype) = match (&table.shape, &table.dtype) {
        (Some(shape), Some(dtype)) => (shape, dtype),
        (None, None) => return stray(context, table),
        (Some(one), None) => {
            let d = Diagnostic::error(Code::SpecMissingKey, "a `shape` without a `dtype`");
            let d = d.at(context.place(one), "");
            context.error(d);
            return None;
        }
        (None, Some(one)) => {
            let d = Diagnostic::error(Code::SpecMissingKey, "a `dtype` without a `shape`");
            let d = d.at(context.place(one), "");
            context.error(d);
            return None;
        }
    };
    let Some(bits) = dtype_bits(dtype.get_ref()) else {
        let known = DTYPES.iter().map(|(name, _)| *name);
        let near = dtype_synonym(dtype.get_ref());
        let near = near.or_else(|| nearest(dtype.get_ref(), known.clone()));
        let d = Diagnostic::error(
            Code::SpecInvalidValue,
            format!("`{}` is not an element type", dtype.get_ref()),
        );
        let d = d.at(context.place(dtype), "");
        context.error(match near {
            Some(near) => d.help(format!("did you mean `{near}`?")),
            None => d.help(format!("the types are {}", known.collect::<Vec<_>>().join(" "))),
        });
        return None;
    };
    let loc = context.place(dims_key);
    let mut dims = Vec::new();
    for n in dims_key.get_ref() {
        dims.push(context.number_at("a dimension", *n, loc)?);
    }
    let mut strides = None;
    if let Some(key) = &table.strides {
        let loc = context.place(key);
        let mut all = Vec::new();
        for n in key.get_ref() {
            all.push(context.number_at("a stride", *n, loc)?);
        }
        if all.len() != dims.len() {
            let d = Diagnostic::error(
                Code::SpecInvalidValue,
                format!(
                    "{} for {}",
                    count(all.len() as u64, "stride"),
                    count(dims.len() as u64, "dimension")
                ),
            );
            context.error(d.at(loc, ""));
            return None;
        }
        strides = Some(all);
    }
    let mut pitch = None;
    if let Some(key) = &table.row_pitch {
        let bytes = context.size("the row pitch", key)?;
        let row = footprint(&dims[dims.len().saturating_sub(1)..], bits, None, None)?;
        if bytes < row || strides.is_some() {
            let why = match strides {
                Some(_) => "a row pitch beside strides".to_owned(),
                None => format!("the row pitch is {bytes} bytes but a row needs {row}"),
            };
            let d = Diagnostic::error(Code::SpecInvalidValue, why);
            let d = d.at(context.place(key), "");
            context.error(d);
            return None;
        }
        pitch = Some(bytes);
    }
    let Some(bytes) = footprint(&dims, bits, strides.as_deref(), pitch) else {
        let d = Diagnostic::error(
            Code::SpecSizeOverflow,
            format!("the size of buffer `{}` does not fit 64 bits", table.name.get_ref()),
        );
        context.error(d.at(loc, ""));
        return None;
    };
    Some((bytes, ElementShape { dims, strides, dtype: dtype.get_ref().clone(), bits }))
}

/// Strides or a row pitch mean nothing without a shape.
fn stray(context: &mut Context, table: &BufferTable) -> Option<(u64, ElementShape)> {
    let key = table.strides.as_ref().map(|s| context.place(s));
    let key = key.or_else(|| table.row_pitch.as_ref().map(|s| context.place(s)));
    if let Some(loc) = key {
        let d = Diagnostic::error(Code::SpecMissingKey, "padded rows without a `shape`");
        context.error(d.at(loc, ""));
    }
    None
}

/// The pins of a buffer whose slots have `size` bytes.
fn pin(
    context: &mut Context,
    table: &BufferTable,
    slots: u32,
    alignment: u64,
    size: u64,
    scope: Option<&Scope>,
) -> Option<Vec<u64>> {
    let key = table.pin.as_ref()?;
    let loc = context.place(key);
    let mut pins = Vec::new();
    for offset in &key.get_ref().0 {
        pins.push(context.size_at("the pin", offset, loc)?);
    }
    let mut bad = |message: String, help: Option<&str>| {
        let mut d = Diagnostic::error(Code::SpecBadPin, message).at(loc, "");
        d.help = help.map(str::to_owned);
        context.error(d);
    };
    if pins.len() != slots as usize {
        let (given, wanted) =
            (count(pins.len() as u64, "pinned offset"), count(slots.into(), "slot"));
        bad(format!("{given} for {wanted}"), Some("pin every slot: pin = [OFFSET, ..]"));
        return None;
    }
    for &at in &pins {
        let bytes = ByteRange::new(at, at.saturating_add(size));
        let end = scope.and_then(Scope::bytes).unwrap_or(u64::MAX);
        let mut reserved = scope.iter().flat_map(|s| &s.reserved).map(|r| r.range);
        if !at.is_multiple_of(alignment) {
            bad(format!("the pin {at} is not a multiple of the alignment {alignment}"), None);
        } else if bytes.end > end || at.checked_add(size).is_none() {
            bad(format!("the pinned bytes {bytes} end past the capacity {end}"), None);
        } else if let Some(range) = reserved.find(|r| r.overlap(bytes).is_some()) {
            bad(format!("the pinned bytes {bytes} lie on reserved ones, {range}"), None);
        } else {
            continue;
        }
        return None;
    }
    Some(pins)
}

fn owner(
    context: &mut Context,
    problem: &Problem,
    scope: ScopeId,
    table: &BufferTable,
) -> Option<String> {
    let key = table.owner.as_ref()?;
    let parts = problem.scopes.get(scope).map_or(&[][..], |s| &s.partitions);
    if parts.iter().all(|p| p.owner != *key.get_ref()) {
        let known: Vec<&str> = parts.iter().map(|p| p.owner.as_str()).collect();
        context.unknown("owner of a partition of the scope", key, known);
        return None;
    }
    Some(key.get_ref().clone())
}

fn live(context: &mut Context, table: &BufferTable) -> Option<Vec<Live>> {
    let key = table.live.as_ref()?;
    let mut ranges = context.ranges("the live range", key).unwrap_or_default();
    ranges.sort_unstable();
    let mut out: Vec<Live> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match out.last_mut() {
            // Ranges that overlap or touch are one.
            Some(last) if range.start <= last.end.0 => {
                last.end = Step(last.end.0.max(range.end));
            }
            _ => out.push(Live::new(range.start, range.end)),
        }
    }
    Some(out)
}

fn pipes(
    context: &mut Context,
    problem: &Problem,
    table: &BufferTable,
    given: bool,
) -> Vec<PipeUse> {
    let mut uses = Vec::new();
    for key in &table.pipes {
        let text = key.get_ref();
        let (name, mode) = match text.split_once(':') {
            None => (text.as_str(), Some(AccessMode::Read)),
            Some((name, "r")) => (name, Some(AccessMode::Read)),
            Some((name, "w")) => (name, Some(AccessMode::Write)),
            Some((name, "t")) => (name, Some(AccessMode::Temporary)),
            Some((name, _)) => (name, None),
        };
        match (problem.pipe(name), mode) {
            (Some(pipe), Some(mode)) => uses.push(PipeUse { pipe, mode }),
            (None, _) => {
                let name = toml::Spanned::new(key.span(), name.to_owned());
                context.unknown("pipe", &name, problem.pipes.iter().map(|p| p.name.as_str()));
            }
            (_, None) => {
                let d = Diagnostic::error(
                    Code::SpecInvalidValue,
                    format!("`{text}` is not a pipe with `:r`, `:w` or `:t`"),
                );
                let d = d.at(context.place(key), "");
                context.error(d);
            }
        }
    }
    if let (false, Some(first)) = (given, table.pipes.first()) {
        let d = Diagnostic::error(
            Code::SpecTwoForms,
            "`pipes` is for buffers with `live`; here the ops say which pipes touch it",
        );
        let d = d.at(context.place(first), "");
        context.error(d);
    }
    uses
}

fn class(word: Option<ClassWord>) -> LifetimeClass {
    match word {
        None | Some(ClassWord::Local) => LifetimeClass::Local,
        Some(ClassWord::Parameter) => LifetimeClass::Parameter,
        Some(ClassWord::Output) => LifetimeClass::Output,
        Some(ClassWord::Constant) => LifetimeClass::Constant,
        Some(ClassWord::Donated) => LifetimeClass::Donated,
        Some(ClassWord::Persistent) => LifetimeClass::Persistent,
        Some(ClassWord::ThreadLocal) => LifetimeClass::ThreadLocal,
    }
}
