//! Who does things: processes and their threads.

use std::collections::{BTreeMap, BTreeSet};

use super::line::Line;
use super::reader::{Reader, Who};
use crate::diag::{Code, Diagnostic, Loc};
use crate::format::read::nearest;
use crate::format::tree::Node;
use crate::front::errors::shown;
use crate::model::trace::Sym;

/// Processes and threads that were named.
#[derive(Default)]
pub(super) struct Threads {
    /// In the order named.
    pub(super) processes: Vec<Sym>,
    /// True when the header lists them: there are no others.
    pub(super) listed: bool,
    /// Threads that do something.
    acting: BTreeSet<Who>,
    forked: BTreeMap<Who, Loc>,
    joined: Vec<(Who, Loc)>,
}

impl Threads {
    /// One process.
    pub(super) fn of(process: Sym) -> Self {
        Self { processes: vec![process], ..Self::default() }
    }
}

impl Reader {
    /// `p0.h1`, `h1` (of `p0`), `p1` (its `h0`).
    pub(super) fn who(&mut self, node: Option<&Node>) -> Who {
        let default = (self.names.intern("p0"), self.names.intern("h0"));
        let Some(node) = node else { return default };
        let Some(name) = self.name("th", node) else { return default };
        let text = self.names.text(name).to_owned();
        let (process, thread) = match text.split_once('.') {
            Some((process, thread)) => (process, thread),
            None if text.starts_with('p') => (text.as_str(), "h0"),
            None => ("p0", text.as_str()),
        };
        if process.is_empty() || thread.is_empty() || thread.contains('.') {
            let help = "write process and thread, such as \"p0.h0\"".to_owned();
            let message = format!("`{}` is no thread", shown(&text));
            self.push(Code::TraceInvalidValue, message, &node.span, Some(help));
            return default;
        }
        let who = (self.names.intern(process), self.names.intern(thread));
        self.process(who.0, node);
        self.threads.acting.insert(who);
        who
    }

    /// A process that the header lists, or a new one where it lists none.
    fn process(&mut self, process: Sym, node: &Node) {
        if self.threads.processes.contains(&process) {
            return;
        }
        if !self.threads.listed {
            self.threads.processes.push(process);
            return;
        }
        let text = self.names.text(process);
        let known = self.threads.processes.iter().map(|p| self.names.text(*p));
        let help = nearest(text, known).map(|near| format!("did you mean `{near}`?"));
        let message = format!("the header names no process `{}`", shown(text));
        self.push(Code::TraceUnknownName, message, &node.span, help);
    }

    /// The name of a thread as threads of its own process call it; of others with the process.
    fn thread_name(&mut self, name: &str, node: &Node) -> Option<Sym> {
        let sym = self.name(name, node)?;
        let text = self.names.text(sym).to_owned();
        match text.split_once('.') {
            Some((process, thread)) if process == self.names.text(self.who.0) => {
                Some(self.names.intern(thread))
            }
            _ => Some(sym),
        }
    }

    /// After the last line: threads that somebody waits for and that nobody is.
    pub(super) fn settle_threads(&mut self) {
        for (who, loc) in std::mem::take(&mut self.threads.joined) {
            if self.threads.acting.contains(&who) || self.threads.forked.contains_key(&who) {
                continue;
            }
            let message = format!("no thread is named `{}`", shown(self.names.text(who.1)));
            let d = Diagnostic::error(Code::TraceUnknownName, message).at(loc, "");
            self.errors.push(d.help("a thread starts with `fork`, or with a line of its own"));
        }
    }
}

impl Line<'_, '_> {
    /// A thread that starts.
    pub(super) fn fork(&mut self, name: &str) -> Option<Sym> {
        let node = self.get(name)?;
        self.needed_name(name)?;
        let thread = self.reader.thread_name(name, node)?;
        let loc = self.reader.loc(&node.span);
        let who = (self.reader.who.0, thread);
        if let Some(first) = self.reader.threads.forked.insert(who, loc) {
            let text = shown(self.reader.names.text(thread));
            let message = format!("thread `{text}` starts twice");
            let d = Diagnostic::error(Code::TraceDuplicateName, message);
            self.reader.errors.push(d.at(loc, "again here").at(first, "first here"));
        }
        Some(thread)
    }

    /// A thread that is waited for.
    pub(super) fn join(&mut self, name: &str) -> Option<Sym> {
        let node = self.get(name)?;
        self.needed_name(name)?;
        let thread = self.reader.thread_name(name, node)?;
        let loc = self.reader.loc(&node.span);
        let who = (self.reader.who.0, thread);
        self.reader.threads.joined.push((who, loc));
        Some(thread)
    }

    /// Threads that wait for each other.
    pub(super) fn threads(&mut self, name: &str) -> Vec<Sym> {
        let items = self.list(name);
        items.iter().filter_map(|node| self.reader.thread_name(name, node)).collect()
    }
}
