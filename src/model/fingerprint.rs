//! The fingerprint of a problem: what a plan was made for.

use std::fmt::{Display, Write};

use sha2::{Digest, Sha256};

use super::{
    AccessMode, Branch, Buffer, Capacity, Function, Loop, Node, Objective, Op, Problem, Region,
    RelationKind, Scope, Trips, ValueKind,
};

/// 32 hexadecimal digits over everything that decides whether a plan of the function is right:
/// scopes and capacities, buffers, relations, ops, and what the input wants of its plans. Not over paths, comments, the order of keys,
/// or reasons given in words.
pub fn fingerprint(problem: &Problem, function: &Function) -> String {
    let mut canon = Canon { hash: Sha256::new(), words: Vec::new() };
    canon.word("memplan fingerprint 1");
    for scope in problem.scopes.iter() {
        let used = function.buffers.iter().any(|b| problem.scopes[b.scope].name == scope.name);
        if used {
            canon.scope(scope);
        }
    }
    for pipe in problem.pipes.iter() {
        canon.line("pipe", &[&pipe.name, &format_args!("{:?}", pipe.kind)]);
    }
    canon.line("inplace", &[&format_args!("{:?}", problem.inplace)]);
    if problem.objective != Objective::AsNeeded {
        canon.line("objective", &[&format_args!("{:?}", problem.objective)]);
    }
    for buffer in function.buffers.iter() {
        canon.buffer(problem, buffer);
    }
    for relation in &function.relations {
        let (a, b) = (relation.first.0, relation.second.0);
        let number = match relation.kind {
            RelationKind::Colocate { delta } => delta,
            RelationKind::Cost { cost } => cost,
            _ => 0,
        };
        canon.line(relation.kind.name(), &[&a, &b, &number]);
    }
    for value in function.values.iter() {
        canon.value(&value.kind);
    }
    canon.region(function, &function.body);
    let mut out = String::new();
    canon.hash.update(&canon.words);
    for byte in canon.hash.finalize().iter().take(16) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// Feeds words to the hash; every word ends in a byte that no word contains.
struct Canon {
    hash: Sha256,
    /// Words that wait: the hash takes many at once.
    words: Vec<u8>,
}

/// So many bytes of words wait at most, but for the last word.
const WAITING: usize = 4096;

impl Canon {
    fn word(&mut self, word: impl Display) {
        // Writing to memory does not fail.
        let _ = std::io::Write::write_fmt(&mut self.words, format_args!("{word}"));
        self.words.push(0xFF);
        if self.words.len() >= WAITING {
            self.hash.update(&self.words);
            self.words.clear();
        }
    }

    fn line(&mut self, head: &str, words: &[&dyn Display]) {
        self.word(head);
        for word in words {
            self.word(word);
        }
    }

    fn scope(&mut self, scope: &Scope) {
        self.line("scope", &[&scope.name, &scope.alignment, &scope.round_up]);
        match scope.capacity {
            Capacity::Bytes(bytes) => self.word(bytes),
            Capacity::Unbounded | Capacity::Unknown => self.word("unbounded"),
        }
        for reserved in &scope.reserved {
            self.line("reserved", &[&reserved.range]);
        }
        for part in &scope.partitions {
            self.line("partition", &[&part.owner, &part.range]);
        }
    }

    fn buffer(&mut self, problem: &Problem, b: &Buffer) {
        let scope = &problem.scopes[b.scope].name;
        self.line("buffer", &[&b.name, scope, &b.size.0, &b.alignment, &b.slots, &b.unique]);
        self.line("class", &[&format_args!("{:?}", b.class), &b.preload, &b.temporary]);
        if let Some(id) = b.rotates_in {
            self.line("rotates", &[&id.0]);
        }
        if let Some(id) = b.lives_in {
            self.line("lives-in", &[&id.0]);
        }
        for pin in b.pin.iter().flatten() {
            self.line("pin", &[pin]);
        }
        for owner in b.owner.iter() {
            self.line("owner", &[owner]);
        }
        for live in b.live.iter().flatten() {
            self.line("live", &[&live.start.0, &live.end.0]);
        }
        for pipe in &b.pipes {
            self.line("pipe", &[&problem.pipes[pipe.pipe].name, &format_args!("{:?}", pipe.mode)]);
        }
    }

    fn value(&mut self, kind: &ValueKind) {
        match kind {
            ValueKind::Buffer(id) => self.line("buffer", &[&id.0]),
            ValueKind::View { base, delta, length } => {
                self.line("view", &[&base.0]);
                for number in [delta, length] {
                    match number {
                        Some(n) => self.word(n),
                        None => self.word("?"),
                    }
                }
            }
            ValueKind::Select(of) => {
                self.line("select", &[&of.len()]);
                for id in of {
                    self.word(id.0);
                }
            }
            ValueKind::Carry(id, n) => self.line("carry", &[&id.0, n]),
            ValueKind::LoopResult(id, n) => self.line("loop-result", &[&id.0, n]),
            ValueKind::BranchResult(id, n) => self.line("branch-result", &[&id.0, n]),
        }
    }

    // Readers limit the nesting, so this recursion is shallow.
    fn region(&mut self, function: &Function, region: &Region) {
        self.word("{");
        for node in &region.nodes {
            match *node {
                Node::Op(id) => self.op(&function.ops[id]),
                Node::Loop(id) => self.repeat(function, &function.loops[id]),
                Node::Branch(id) => self.branch(function, &function.branches[id]),
            }
        }
        self.word("}");
    }

    fn op(&mut self, op: &Op) {
        self.line("op", &[&format_args!("{:?}", op.inplace)]);
        for pipe in op.pipe.iter() {
            self.line("pipe", &[&pipe.0]);
        }
        for access in &op.accesses {
            let mode = match access.mode {
                AccessMode::Read => "read",
                AccessMode::Write => "write",
                AccessMode::Temporary => "temporary",
                AccessMode::Fresh => "fresh",
            };
            self.line(mode, &[&access.value.0, &access.partial]);
            for range in access.range.iter() {
                self.word(range);
            }
            for pipe in access.pipe.iter() {
                self.line("pipe", &[&pipe.0]);
            }
        }
        for sync in op.sync.iter() {
            self.line("sync", &[&format_args!("{sync:?}")]);
        }
    }

    fn repeat(&mut self, function: &Function, l: &Loop) {
        match l.trips {
            Trips::Known(n) => self.line("loop", &[&n]),
            Trips::AtLeast(n) => self.line("loop at least", &[&n]),
        }
        for carry in &l.carries {
            self.line("carry", &[&carry.value.0, &carry.init.0, &carry.next.0, &carry.result.0]);
        }
        self.region(function, &l.body);
    }

    fn branch(&mut self, function: &Function, branch: &Branch) {
        self.word("branch");
        for r in &branch.results {
            self.line("result", &[&r.value.0, &r.then.0, &r.otherwise.0]);
        }
        self.region(function, &branch.then);
        self.region(function, &branch.otherwise);
    }
}
