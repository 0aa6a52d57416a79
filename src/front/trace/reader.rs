//! What all parts of the reader share: errors, names, and which names something has made.

use std::collections::BTreeMap;
use std::ops::Range;

use super::threads::Threads;
use crate::diag::{Code, Diagnostic, FileId, Loc};
use crate::format::read::nearest;
use crate::front::errors::{Errors, shown};
use crate::model::trace::{Names, Packed, Sym};

/// Kinds of names: each has a space of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Space {
    Pointer,
    Handle,
    Key,
    Pool,
    Sections,
    Stream,
    Event,
    Program,
}

impl Space {
    fn word(self) -> &'static str {
        match self {
            Self::Pointer => "pointer",
            Self::Handle => "handle",
            Self::Key => "key",
            Self::Pool => "pool",
            Self::Sections => "manager of sections",
            Self::Stream => "stream",
            Self::Event => "event",
            Self::Program => "program",
        }
    }
}

/// Process and thread.
pub(super) type Who = (Sym, Sym);

/// Who has made a name: two threads are as good as many.
#[derive(Clone, Copy, Debug)]
struct Made {
    first: Option<Who>,
    others: bool,
    alive: Option<Loc>,
}

/// A use of a name that nothing before has made.
struct Pending {
    space: Space,
    name: Sym,
    by: Who,
    loc: Loc,
}

pub(super) struct Reader {
    file: FileId,
    pub(super) errors: Errors,
    pub(super) names: Names,
    made: BTreeMap<(Space, Sym), Made>,
    pending: Vec<Pending>,
    /// Who does what the current line says.
    pub(super) who: Who,
    pub(super) threads: Threads,
    /// Pointers that programs touch, and where first.
    pub(super) globals: BTreeMap<Sym, Loc>,
    /// Ranges that say what they hold.
    pub(super) packed: Vec<Packed>,
}

impl Reader {
    pub(super) fn new(file: FileId) -> Self {
        let mut names = Names::default();
        let who = (names.intern("p0"), names.intern("h0"));
        let (errors, made, pending) = (Errors::default(), BTreeMap::new(), Vec::new());
        let threads = Threads::of(who.0);
        let globals = BTreeMap::new();
        let packed = Vec::new();
        Self { file, errors, names, made, pending, who, threads, globals, packed }
    }

    pub(super) fn loc(&self, span: &Range<usize>) -> Loc {
        // The size of an input is limited well below 4 GiB.
        let at = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Loc { file: self.file, start: at(span.start), end: at(span.end) }
    }

    pub(super) fn error(&mut self, code: Code, message: impl Into<String>, span: &Range<usize>) {
        self.push(code, message, span, None);
    }

    pub(super) fn push(
        &mut self,
        code: Code,
        message: impl Into<String>,
        span: &Range<usize>,
        help: Option<String>,
    ) {
        let mut d = Diagnostic::error(code, message).at(self.loc(span), "");
        d.help = help;
        self.errors.push(d);
    }

    /// A name is made by the current line.
    pub(super) fn make(&mut self, space: Space, name: Sym) {
        let who = self.who;
        let made = self.made.entry((space, name)).or_insert(Made {
            first: Some(who),
            others: false,
            alive: None,
        });
        made.others |= made.first != Some(who);
    }

    /// The same for what may be made once only, until it is ended.
    pub(super) fn make_once(&mut self, space: Space, name: Sym, span: &Range<usize>) {
        self.make(space, name);
        let loc = self.loc(span);
        let Some(made) = self.made.get_mut(&(space, name)) else { return };
        let Some(first) = made.alive.replace(loc) else { return };
        let message = format!("{} `{}` is made twice", space.word(), shown(self.names.text(name)));
        let d = Diagnostic::error(Code::TraceDuplicateName, message);
        self.errors.push(d.at(loc, "again here").at(first, "first here"));
    }

    /// What was made once may be made again.
    pub(super) fn end(&mut self, space: Space, name: Sym) {
        if let Some(made) = self.made.get_mut(&(space, name)) {
            made.alive = None;
        }
    }

    /// A name is used by the current line.
    pub(super) fn used(&mut self, space: Space, name: Sym, span: &Range<usize>) {
        // Streams are there as soon as somebody speaks of them.
        if space == Space::Stream || self.made.contains_key(&(space, name)) {
            return;
        }
        let (by, loc) = (self.who, self.loc(span));
        self.pending.push(Pending { space, name, by, loc });
    }

    /// True when some name of the kind was made.
    pub(super) fn any(&self, space: Space) -> bool {
        self.made.range((space, Sym(0))..=(space, Sym(u32::MAX))).next().is_some()
    }

    /// After the last line: what nobody has made. What another thread makes on a later line may
    /// still come first.
    pub(super) fn settle(&mut self) {
        for Pending { space, name, by, loc } in std::mem::take(&mut self.pending) {
            let made = self.made.get(&(space, name));
            let later = made.is_some();
            // A program is no step of a thread: it may stand anywhere.
            let fine = made.is_some_and(|m| m.others || m.first != Some(by));
            if fine || (later && space == Space::Program) {
                continue;
            }
            if later {
                let text = shown(self.names.text(name));
                let message = format!("{} `{text}` is used before it is made", space.word());
                let d = Diagnostic::error(Code::TraceUnknownName, message);
                self.errors.push(d.at(loc, ""));
            } else {
                self.unknown(space, name, loc);
            }
            if self.errors.full() {
                break;
            }
        }
    }

    pub(super) fn is_made(&self, space: Space, name: Sym) -> bool {
        self.made.contains_key(&(space, name))
    }

    /// A name that nothing in the trace makes.
    pub(super) fn unknown(&mut self, space: Space, name: Sym, loc: Loc) {
        let text = self.names.text(name);
        let known = self.made.range((space, Sym(0))..=(space, Sym(u32::MAX)));
        let known = known.map(|((_, sym), _)| self.names.text(*sym));
        let near = nearest(text, known.take(1000));
        let message = format!("no {} is named `{}`", space.word(), shown(text));
        let mut d = Diagnostic::error(Code::TraceUnknownName, message).at(loc, "");
        d.help = near.map(|near| format!("did you mean `{near}`?"));
        self.errors.push(d);
    }
}
