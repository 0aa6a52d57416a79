//! The numbers of a picture, taken once from problem and answer.

use std::collections::BTreeMap;

use super::columns::{Touched, columns, positions};
use super::load;
use super::pipes::pipes;
use super::shares::shares;
use super::stack::{Together, stack};
use super::steps::steps;
use crate::format::picture::{Columns, Map, Sheet};
use crate::model::{
    Answer, BufferId, Function, FunctionAnswer, OwedEdge, RelationKind, ScopeAnswer, ScopeId,
    Timeline, Verdict,
};
use crate::report::context::Input;
use crate::report::words;

/// One input to be drawn.
#[derive(Debug)]
pub struct Picture<'a> {
    /// The input.
    pub input: Input<'a>,
    /// Its functions in the order of the answer.
    pub functions: Vec<Drawn<'a>>,
}

/// One function to be drawn.
#[derive(Debug)]
pub struct Drawn<'a> {
    /// The function.
    pub function: &'a Function,
    /// Its plan, or why there is none.
    pub answer: &'a FunctionAnswer,
    /// What else is known.
    pub extra: Extra<'a>,
    /// The numbers; its maps are the scopes of the answer, in order.
    pub sheet: Sheet,
}

/// What a picture shows of a function beside its answer.
#[derive(Clone, Debug, Default)]
pub struct Extra<'a> {
    /// Where its time goes.
    pub timeline: Option<&'a Timeline>,
    /// The edges that its placement owes; the timeline's delays are positions in them.
    pub owed: &'a [OwedEdge],
    /// Pairs that may share at the step at which the first becomes the second: they are counted once
    /// where there is no plan to see it from.
    pub inplace: Vec<(BufferId, BufferId)>,
    /// The diagnosis: what is impossible, what is possible, what would be.
    pub notes: Vec<Note>,
    /// For a plan from outside, whether the judge accepts it: its verdict is not ours to give.
    pub accepted: Option<bool>,
}

/// A part of a diagnosis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The scope that it is about; none for the whole function.
    pub scope: Option<ScopeId>,
    /// A few words.
    pub head: String,
    /// Sentences.
    pub lines: Vec<String>,
}

impl Drawn<'_> {
    /// The word over it, given the verdict of the function or of a scope.
    pub(super) fn word(&self, verdict: Verdict) -> &'static str {
        match self.extra.accepted {
            None => verdict.name(),
            Some(true) => "accepted",
            Some(false) => "rejected",
        }
    }
}

impl<'a> Picture<'a> {
    /// The picture of an answer; `extra` knows more of functions, by their place in the answer.
    pub fn of(
        input: Input<'a>,
        answer: &'a Answer,
        mut extra: impl FnMut(usize, &'a FunctionAnswer) -> Extra<'a>,
    ) -> Self {
        let mut functions = Vec::new();
        for (at, f) in answer.functions.iter().enumerate() {
            let Some(function) = input.problem.functions.get(f.index) else { continue };
            let extra = extra(at, f);
            let sheet = sheet(input, function, f, &extra);
            functions.push(Drawn { function, answer: f, extra, sheet });
        }
        Self { input, functions }
    }

    /// Buffers on it.
    pub fn buffers(&self) -> usize {
        let maps = self.functions.iter().flat_map(|f| &f.sheet.maps);
        maps.map(|map| map.buffers.id.len()).sum()
    }
}

fn sheet(input: Input<'_>, function: &Function, f: &FunctionAnswer, extra: &Extra<'_>) -> Sheet {
    let touched = Touched::of(function);
    let one = |scope: &ScopeAnswer| {
        let buffers = columns(input, function, f, scope, &touched);
        let together = together(function, &buffers, &extra.inplace);
        map(input, scope, buffers, &together, extra.accepted.is_some())
    };
    Sheet {
        steps: steps(function, f),
        maps: f.scopes.iter().map(one).collect(),
        pipes: extra.timeline.and_then(|timeline| pipes(timeline, extra.owed)),
    }
}

/// A plan from outside is drawn as it is: with holes, without the buffers that it forgets, past the end.
fn map(
    input: Input<'_>,
    answer: &ScopeAnswer,
    buffers: Columns,
    together: &Together,
    given: bool,
) -> Map {
    let scope = &input.problem.scopes[answer.scope];
    let planned = (given || answer.verdict.has_plan()) && answer.peak.is_some();
    let (stack, load) = if planned {
        (None, load::of_plan(&load::pieces(&buffers)))
    } else {
        stack(&buffers, together)
    };
    Map {
        name: words::name(&scope.name),
        capacity: scope.bytes(),
        usable: scope.usable(),
        reserved: scope.reserved.iter().map(|r| [r.range.start, r.range.end]).collect(),
        peak: answer.peak.filter(|_| planned),
        max_load: answer.max_load.bytes,
        max_load_at: answer.max_load.at.0,
        max_load_name: answer.max_load.step_name.as_deref().map(words::name),
        lower_bound: answer.lower_bound,
        shares: shares(input.problem, answer, &buffers),
        buffers,
        stack,
        load,
    }
}

/// Pairs that may hold the same bytes although both are alive, as positions.
fn together(function: &Function, buffers: &Columns, inplace: &[(BufferId, BufferId)]) -> Together {
    let at: BTreeMap<u32, u32> = positions(buffers);
    let place = |id: BufferId| at.get(&id.0).and_then(|at| usize::try_from(*at).ok());
    let pair = |a: BufferId, b: BufferId| Some((place(a)?, place(b)?));
    let exclusive = function.relations.iter().filter(|r| r.kind == RelationKind::Exclusive);
    Together {
        inplace: inplace.iter().filter_map(|(from, into)| pair(*from, *into)).collect(),
        exclusive: exclusive
            .filter_map(|r| pair(r.first, r.second))
            .flat_map(|(a, b)| [(a, b), (b, a)])
            .collect(),
    }
}
