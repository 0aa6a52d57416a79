//! Targets: the embedded table of chips, and the reader of target files.

use toml::Spanned;

use super::Targets;
use super::context::Context;
use crate::diag::{Code, Diagnostic, FileId, Sources};
use crate::format::read::{self, nearest};
use crate::format::spec::PipeWord;
use crate::format::target::{
    CapacityWord, PHYSICAL, ReservedTable, TargetFile, TargetProfile, TargetScope, VERSION,
};
use crate::format::values::Size;
use crate::model::{
    ByteRange, Capacity, IdVec, Pipe, PipeId, PipeKind, Reserved, Scope, ScopeId, TargetInfo,
};

/// A target, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name and the profile in force.
    pub info: TargetInfo,
    /// The memories.
    pub scopes: IdVec<ScopeId, Scope>,
    /// The pipes.
    pub pipes: IdVec<PipeId, Pipe>,
    /// Other names of scopes: `cbuf` for `l1`.
    pub aliases: Vec<(String, ScopeId)>,
}

impl Target {
    /// The scope of that name or alias, upper or lower case.
    pub fn scope(&self, name: &str) -> Option<ScopeId> {
        let own = self.scopes.enumerate().map(|(id, scope)| (scope.name.as_str(), id));
        let other = self.aliases.iter().map(|(alias, id)| (alias.as_str(), *id));
        own.chain(other).find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, id)| id)
    }
}

macro_rules! table {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../specs/targets/", $name, ".toml"))),)*]
    };
}

/// The targets that memplan brings along: name and text. A new one is a file and a word here.
pub fn embedded() -> &'static [(&'static str, &'static str)] {
    table!["ascend310b" "ascend910_93" "ascend910b" "ascend950"]
}

/// The targets that memplan brings along, and no files.
#[derive(Clone, Copy, Debug)]
pub struct Embedded;

impl Targets for Embedded {
    fn load(&mut self, sources: &mut Sources, name: &str) -> Result<FileId, Diagnostic> {
        let text = find(name).ok_or_else(|| unknown(name))?;
        Ok(sources.add(format!("<target {name}>"), text))
    }
}

/// The text of an embedded target by its name, a family or a chip, upper or lower case.
pub fn find(name: &str) -> Option<&'static str> {
    let asked = key(name);
    let by_name = embedded().iter().find(|(own, _)| key(own) == asked);
    let found = by_name.or_else(|| {
        embedded().iter().find(|(_, text)| selectors(text).iter().any(|s| key(s) == asked))
    });
    found.map(|(_, text)| *text)
}

/// The profiles of an embedded target by its name, the physical one first; none for other targets.
pub fn profiles(name: &str) -> Vec<String> {
    let file = find(name).and_then(|text| read::read::<TargetFile>(text, &[]).ok());
    let named = |file: TargetFile| file.profile.into_keys().map(|key| key.into_inner());
    let others = file.into_iter().flat_map(named).collect::<Vec<String>>();
    if others.is_empty() {
        return others;
    }
    std::iter::once(PHYSICAL.to_owned()).chain(others).collect()
}

/// The message for a name that no target has; the caller adds the place.
pub fn unknown(name: &str) -> Diagnostic {
    let selectors: Vec<String> = embedded().iter().flat_map(|(_, text)| selectors(text)).collect();
    let names = embedded().iter().map(|(own, _)| *own);
    let help = match nearest(name, names.clone().chain(selectors.iter().map(String::as_str))) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let names: Vec<&str> = names.collect();
            format!("the targets are {}; or give the path of a target file", names.join(", "))
        }
    };
    Diagnostic::error(Code::SpecUnknownTarget, format!("unknown target `{name}`")).help(help)
}

/// Compilers write `B4-1` and `B4_1`.
fn key(name: &str) -> String {
    name.to_ascii_lowercase().replace('-', "_")
}

fn selectors(text: &str) -> Vec<String> {
    let file = read::read::<TargetFile>(text, &[]);
    file.map(|f| f.families.into_iter().chain(f.chips).collect()).unwrap_or_default()
}

/// Reads a target file with one of its profiles.
///
/// # Errors
/// All errors of the file at once. An unknown profile has no place: the caller knows who asked.
pub fn read(
    sources: &Sources,
    file: FileId,
    profile: Option<&str>,
) -> Result<Target, Vec<Diagnostic>> {
    let text = sources.get(file).map_or("", |s| &s.text);
    let mut reader = Reader(Context::new(file));
    let parsed = read::read::<TargetFile>(text, &[]).map_err(|errors| {
        errors.iter().map(|e| super::shape_error(&reader.0, e)).collect::<Vec<Diagnostic>>()
    })?;
    let target = reader.target(&parsed, profile);
    let mut errors = reader.0.errors;
    if errors.is_empty() {
        return Ok(target);
    }
    errors.truncate(read::MAX_ERRORS);
    Err(errors)
}

struct Reader(Context);

impl Reader {
    fn error<T>(&mut self, code: Code, message: String, at: &Spanned<T>) {
        let at = self.0.place(at);
        self.0.error(Diagnostic::error(code, message).at(at, ""));
    }

    fn target(&mut self, file: &TargetFile, profile: Option<&str>) -> Target {
        if *file.version.get_ref() != VERSION {
            let message = format!("version {} is not one that this memplan reads", file.version);
            let d = Diagnostic::error(Code::SpecVersion, message);
            let d = d.at(self.0.place(&file.version), "");
            self.0.error(d.help(format!("this memplan reads version {VERSION}")));
        }
        let mut target = Target {
            info: TargetInfo {
                name: file.name.get_ref().clone(),
                profile: profile.map(str::to_owned),
            },
            scopes: IdVec::new(),
            pipes: IdVec::new(),
            aliases: Vec::new(),
        };
        for scope in &file.scope {
            self.name(&scope.name, "scope", target.scope(scope.name.get_ref()).is_some());
            let id = target.scopes.push(self.scope(scope));
            for alias in &scope.aliases {
                self.name(alias, "scope", target.scope(alias.get_ref()).is_some());
                target.aliases.push((alias.get_ref().clone(), id));
            }
        }
        for pipe in &file.pipe {
            let taken = |p: &Pipe| p.name.eq_ignore_ascii_case(pipe.name.get_ref());
            self.name(&pipe.name, "pipe", target.pipes.iter().any(taken));
            let kind = match pipe.kind {
                PipeWord::Dma => PipeKind::Dma,
                PipeWord::Vector => PipeKind::Vector,
                PipeWord::Cube => PipeKind::Cube,
                PipeWord::Scalar => PipeKind::Scalar,
            };
            target.pipes.push(Pipe { name: pipe.name.get_ref().clone(), kind });
        }
        self.profiles(file, profile, &mut target);
        target
    }

    fn name(&mut self, name: &Spanned<String>, what: &str, taken: bool) {
        if name.get_ref().is_empty() {
            self.error(Code::SpecInvalidValue, format!("a {what} needs a name"), name);
        } else if taken {
            self.error(Code::SpecDuplicateName, format!("a second {what} `{name}`"), name);
        }
    }

    fn alignment(&mut self, alignment: &Spanned<Size>) -> u64 {
        let bytes = self.0.size("the alignment", alignment);
        if bytes == Some(0) {
            self.error(Code::SpecInvalidValue, "an alignment is at least 1".to_owned(), alignment);
        }
        bytes.unwrap_or(1).max(1)
    }

    fn scope(&mut self, scope: &TargetScope) -> Scope {
        let capacity = match scope.capacity.get_ref() {
            CapacityWord::Size(size) => {
                let loc = self.0.place(&scope.capacity);
                let bytes = self.0.size_at("the capacity", size, loc);
                bytes.map_or(Capacity::Unbounded, Capacity::Bytes)
            }
            CapacityWord::Unknown => Capacity::Unknown,
            CapacityWord::Unbounded => Capacity::Unbounded,
        };
        let mut read = Scope {
            name: scope.name.get_ref().clone(),
            capacity,
            alignment: self.alignment(&scope.alignment),
            round_up: scope.round_up,
            reserved: Vec::new(),
            partitions: Vec::new(),
            source: Some(scope.source.clone()),
            loc: None,
        };
        self.reserve(&mut read, &scope.reserved);
        read
    }

    /// Adds reserved ranges to those that a scope has, and keeps them sorted and disjoint.
    fn reserve(&mut self, scope: &mut Scope, more: &[ReservedTable]) {
        for table in more {
            let loc = self.0.place(&table.range);
            let bounds = table.range.get_ref().each_ref();
            let [start, end] = bounds.map(|bound| self.0.size_at("the range", bound, loc));
            let (Some(start), Some(end)) = (start, end) else { continue };
            let range = ByteRange::new(start, end);
            let name = &scope.name;
            if range.is_empty() {
                let message = format!("the reserved range {range} of `{name}` is empty");
                self.error(Code::SpecBadInterval, message, &table.range);
            } else if scope.bytes().is_some_and(|bytes| end > bytes) {
                let message = format!("the reserved range {range} ends past the end of `{name}`");
                self.error(Code::SpecBadScope, message, &table.range);
            } else if let Some(r) = scope.reserved.iter().find(|r| r.range.overlap(range).is_some())
            {
                let message =
                    format!("the reserved range {range} of `{name}` overlaps {}", r.range);
                self.error(Code::SpecBadScope, message, &table.range);
            } else {
                let why = Some(format!("{} ({})", table.why, table.source));
                scope.reserved.push(Reserved { range, why });
            }
        }
        scope.reserved.sort_by_key(|r| r.range);
    }

    /// Checks every profile and applies the one asked for.
    fn profiles(&mut self, file: &TargetFile, asked: Option<&str>, target: &mut Target) {
        let physical = target.clone();
        for (name, profile) in &file.profile {
            let mut changed = physical.clone();
            self.profile(profile, &mut changed);
            if asked == Some(name.get_ref().as_str()) {
                *target = changed;
            }
        }
        let Some(asked) = asked else { return };
        let known = || file.profile.keys().map(|k| k.get_ref().as_str()).chain([PHYSICAL]);
        if known().all(|name| name != asked) {
            let name = &file.name;
            let help = match nearest(asked, known()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("its profiles are {}", known().collect::<Vec<_>>().join(", ")),
            };
            let message = format!("target `{name}` has no profile `{asked}`");
            self.0.error(Diagnostic::error(Code::SpecUnknownName, message).help(help));
        }
    }

    fn profile(&mut self, profile: &TargetProfile, target: &mut Target) {
        for change in &profile.scope {
            let Some(id) = target.scope(change.name.get_ref()) else {
                let names = target.scopes.iter().map(|s| s.name.as_str());
                self.0.unknown("scope", &change.name, names);
                continue;
            };
            let scope = &mut target.scopes[id];
            self.reserve(scope, &change.reserved);
            if let Some(alignment) = &change.alignment {
                scope.alignment = self.alignment(alignment);
                let words = [scope.source.take(), change.source.clone()];
                scope.source = Some(words.into_iter().flatten().collect::<Vec<_>>().join("; "));
            }
        }
    }
}

#[cfg(test)]
mod tests;
