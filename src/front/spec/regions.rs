//! The flat list of ops and its `in` keys, made into a region tree.
//!
//! A loop or branch stands where its first op stands. The ops of a region are written together: a
//! region that was left is not entered again.

use std::collections::BTreeMap;

use toml::Spanned;

use super::MAX_DEPTH;
use super::context::Context;
use crate::diag::{Code, Diagnostic, Loc};
use crate::format::spec::{BranchTable, LoopTable};
use crate::model::{Branch, BranchId, Function, IdVec, Loop, LoopId, Node, OpId, Region, Trips};

/// A region: the body of the function, of a loop, or a side of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Top,
    Loop(LoopId),
    Then(BranchId),
    Else(BranchId),
}

/// The regions of a function by name.
#[derive(Default)]
pub(crate) struct Regions {
    names: BTreeMap<String, Place>,
    loops: IdVec<LoopId, Place>,
    branches: IdVec<BranchId, Place>,
}

impl Regions {
    /// Declares the loops and branches of a function, still empty.
    pub(crate) fn declare(
        context: &mut Context,
        function: &mut Function,
        loops: &[LoopTable],
        branches: &[BranchTable],
    ) -> Self {
        let mut regions = Self::default();
        for table in loops {
            let id = function.loops.push(Loop {
                name: table.name.get_ref().clone(),
                loc: Some(context.place(&table.name)),
                trips: trips(context, table),
                carries: Vec::new(),
                body: Region::default(),
                parent: None,
            });
            regions.loops.push(Place::Top);
            regions.name(context, function, "loop", &table.name, &[("", Place::Loop(id))]);
        }
        for table in branches {
            let id = function.branches.push(Branch {
                name: table.name.get_ref().clone(),
                loc: Some(context.place(&table.name)),
                results: Vec::new(),
                then: Region::default(),
                otherwise: Region::default(),
            });
            regions.branches.push(Place::Top);
            let sides = [(".then", Place::Then(id)), (".else", Place::Else(id))];
            regions.name(context, function, "branch", &table.name, &sides);
        }
        for (table, id) in loops.iter().zip(function.loops.ids()) {
            regions.loops[id] = regions.find(context, table.within.as_ref());
        }
        for (table, id) in branches.iter().zip(function.branches.ids()) {
            regions.branches[id] = regions.find(context, table.within.as_ref());
        }
        regions.check_nesting(context, function);
        for id in function.loops.ids() {
            function.loops[id].parent = regions.loop_around(regions.loops[id]);
        }
        regions
    }

    fn name(
        &mut self,
        context: &mut Context,
        function: &Function,
        what: &str,
        name: &Spanned<String>,
        places: &[(&str, Place)],
    ) {
        for (suffix, place) in places {
            let key = format!("{}{suffix}", name.get_ref());
            if let Some(&taken) = self.names.get(&key) {
                let first = loc_of(function, taken);
                context.duplicate(what, name, first);
                return;
            }
            self.names.insert(key, *place);
        }
    }

    /// The region of an `in` key; the body of the function without one or after an error.
    pub(crate) fn find(&self, context: &mut Context, name: Option<&Spanned<String>>) -> Place {
        let Some(name) = name else { return Place::Top };
        if let Some(&place) = self.names.get(name.get_ref()) {
            return place;
        }
        let then = format!("{}.then", name.get_ref());
        if self.names.contains_key(&then) {
            let d = Diagnostic::error(
                Code::SpecUnknownName,
                format!("branch `{}` has two sides", name.get_ref()),
            );
            let d = d.at(context.place(name), "");
            context.error(d.help(format!("write `{then}` or `{}.else`", name.get_ref())));
        } else {
            context.unknown("loop or branch side", name, self.names.keys().map(String::as_str));
        }
        Place::Top
    }

    /// The region around a region; `None` around the body of the function.
    pub(crate) fn parent(&self, place: Place) -> Option<Place> {
        match place {
            Place::Top => None,
            Place::Loop(id) => Some(self.loops[id]),
            Place::Then(id) | Place::Else(id) => Some(self.branches[id]),
        }
    }

    /// The innermost loop that is, or is around, a region.
    pub(crate) fn loop_around(&self, place: Place) -> Option<LoopId> {
        let mut next = Some(place);
        let mut depth = 0;
        while let Some(here) = next {
            if let Place::Loop(id) = here {
                return Some(id);
            }
            next = self.parent(here);
            depth += 1;
            if depth > 2 * MAX_DEPTH {
                return None;
            }
        }
        None
    }

    /// The regions around a region from the outside in, itself last.
    pub(crate) fn path(&self, place: Place) -> Vec<Place> {
        let mut path = vec![place];
        while let Some(parent) = path.last().and_then(|&p| self.parent(p)) {
            path.push(parent);
            if path.len() > 2 * MAX_DEPTH {
                break;
            }
        }
        path.reverse();
        path
    }

    /// Regions that contain themselves, or too many others, are errors; such a region then counts
    /// as standing in the body of the function.
    fn check_nesting(&mut self, context: &mut Context, function: &Function) {
        let loops = function.loops.ids().map(Place::Loop);
        let all: Vec<Place> = loops.chain(function.branches.ids().map(Place::Then)).collect();
        for place in all {
            let mut depth = 0;
            let mut next = self.parent(place);
            let mut cycle = false;
            while let Some(here) = next {
                cycle = same(here, place);
                if cycle || depth > MAX_DEPTH {
                    break;
                }
                depth += 1;
                next = self.parent(here);
            }
            let (code, message) = if cycle {
                (Code::SpecAliasCycle, "is inside itself".to_owned())
            } else if depth > MAX_DEPTH {
                (Code::SpecNestingTooDeep, format!("is nested more than {MAX_DEPTH} deep"))
            } else {
                continue;
            };
            let name = name_of(function, place);
            let d = Diagnostic::error(code, format!("`{name}` {message}"));
            context.error(d.maybe_at(loc_of(function, place), ""));
            match place {
                Place::Loop(id) => self.loops[id] = Place::Top,
                Place::Then(id) | Place::Else(id) => self.branches[id] = Place::Top,
                Place::Top => {}
            }
        }
    }

    /// Puts ops into their regions, and regions without ops at the end of theirs.
    pub(crate) fn place(&self, context: &mut Context, function: &mut Function, ops: &[Place]) {
        let mut placed = Placed::default();
        for (at, &place) in ops.iter().enumerate() {
            let op = crate::model::Index::new(at);
            if let Err(left) = self.open(function, &mut placed, place) {
                self.reentered(context, function, op, left);
                return;
            }
            region(function, place).nodes.push(Node::Op(op));
        }
        for id in function.loops.ids() {
            self.append(function, &mut placed, Node::Loop(id), self.loops[id]);
        }
        for id in function.branches.ids() {
            self.append(function, &mut placed, Node::Branch(id), self.branches[id]);
        }
    }

    /// Makes `place` the region that is written to now; the region that was left, if it was.
    fn open(
        &self,
        function: &mut Function,
        placed: &mut Placed,
        place: Place,
    ) -> Result<(), Place> {
        let path = self.path(place);
        for step in path.windows(2) {
            let (around, inner) = (step[0], step[1]);
            let node = match inner {
                Place::Top => continue,
                Place::Loop(id) => Node::Loop(id),
                Place::Then(id) | Place::Else(id) => Node::Branch(id),
            };
            let last = region(function, around).nodes.last().copied();
            if last != Some(node) {
                if placed.has(node) {
                    return Err(inner);
                }
                region(function, around).nodes.push(node);
                placed.add(node);
            }
            if let Place::Then(id) = inner
                && !function.branches[id].otherwise.nodes.is_empty()
            {
                return Err(inner);
            }
        }
        Ok(())
    }

    fn append(&self, function: &mut Function, placed: &mut Placed, node: Node, around: Place) {
        if !placed.has(node) {
            region(function, around).nodes.push(node);
            placed.add(node);
        }
    }

    fn reentered(&self, context: &mut Context, function: &Function, op: OpId, left: Place) {
        let name = name_of(function, left);
        let late = match left {
            Place::Then(id) if function.branches[id].then.nodes.is_empty() => Some(id),
            _ => None,
        };
        let (message, label) = match late {
            Some(id) => {
                let other = name_of(function, Place::Else(id));
                (format!("`{name}` comes after `{other}`"), "this op is in it")
            }
            None => (format!("`{name}` was left and is entered again"), "this op enters it again"),
        };
        let d = Diagnostic::error(Code::SpecRegionReentered, message);
        let d = d.maybe_at(function.ops[op].loc, label).maybe_at(loc_of(function, left), "");
        context.error(d.help("write the ops of a region together, `then` before `else`"));
    }
}

#[derive(Default)]
struct Placed {
    nodes: std::collections::BTreeSet<(bool, u32)>,
}

impl Placed {
    fn key(node: Node) -> (bool, u32) {
        match node {
            Node::Op(id) => (false, id.0),
            Node::Loop(id) => (false, id.0),
            Node::Branch(id) => (true, id.0),
        }
    }
    fn has(&self, node: Node) -> bool {
        self.nodes.contains(&Self::key(node))
    }
    fn add(&mut self, node: Node) {
        self.nodes.insert(Self::key(node));
    }
}

fn region(function: &mut Function, place: Place) -> &mut Region {
    match place {
        Place::Top => &mut function.body,
        Place::Loop(id) => &mut function.loops[id].body,
        Place::Then(id) => &mut function.branches[id].then,
        Place::Else(id) => &mut function.branches[id].otherwise,
    }
}

/// True for the same loop or the same branch, whatever the side.
fn same(a: Place, b: Place) -> bool {
    match (a, b) {
        (Place::Loop(a), Place::Loop(b)) => a == b,
        (Place::Then(a) | Place::Else(a), Place::Then(b) | Place::Else(b)) => a == b,
        _ => false,
    }
}

fn name_of(function: &Function, place: Place) -> String {
    match place {
        Place::Top => function.name.clone(),
        Place::Loop(id) => function.loops[id].name.clone(),
        Place::Then(id) => format!("{}.then", function.branches[id].name),
        Place::Else(id) => format!("{}.else", function.branches[id].name),
    }
}

fn loc_of(function: &Function, place: Place) -> Option<Loc> {
    match place {
        Place::Top => function.loc,
        Place::Loop(id) => function.loops[id].loc,
        Place::Then(id) | Place::Else(id) => function.branches[id].loc,
    }
}

fn trips(context: &mut Context, table: &LoopTable) -> Trips {
    if let (Some(trips), Some(least)) = (&table.trips, &table.at_least) {
        let d = Diagnostic::error(
            Code::SpecInvalidValue,
            "`at_least` is for loops whose trips are unknown",
        );
        let d = d.at(context.place(least), "").at(context.place(trips), "the trips are known");
        context.error(d);
    }
    match (&table.trips, &table.at_least) {
        (Some(n), _) => Trips::Known(context.number("the trip count", n).unwrap_or(0)),
        (None, Some(n)) => Trips::AtLeast(context.number("`at_least`", n).unwrap_or(0)),
        (None, None) => Trips::AtLeast(0),
    }
}
