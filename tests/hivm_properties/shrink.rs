//! Smaller programs: one statement less, or a loop or branch replaced by what is in it.

use super::interpret::{self, Event};
use super::memory::UNDEF;
use super::tree::{Program, Step, Val};

/// All valid programs with one statement less.
pub(crate) fn smaller(program: &Program) -> Vec<Program> {
    let mut count = 0;
    super::tree::walk(&program.body, &mut |_| count += 1);
    let mut all: Vec<Program> = Vec::new();
    if !program.returns.is_empty() {
        all.push(Program { returns: Vec::new(), ..program.clone() });
    }
    // Large pieces first: those stand late.
    for at in (0..count).rev() {
        for replace in [false, true] {
            let mut left = at;
            let body = without(&program.body, &mut left, replace);
            if body == program.body {
                continue;
            }
            let candidate = Program { body, ..program.clone() };
            if is_valid(&candidate) {
                all.push(candidate);
            }
        }
    }
    for n in 0..program.args.len() {
        let mut args = program.args.clone();
        args.remove(n);
        let candidate = Program { args, ..program.clone() };
        if !candidate.args.is_empty() && is_valid(&candidate) {
            all.push(candidate);
        }
    }
    if !reads_anything(program) {
        all.retain(|p| !reads_anything(p));
    }
    all
}

/// True when something is read that the program does not say, on one of a few ways.
fn reads_anything(program: &Program) -> bool {
    let unknown = |event: &Event| event.value == UNDEF;
    (0..4).any(|seed| interpret::run(program, None, seed).events.iter().any(unknown))
}

/// The steps without the `left`-th, or with its insides in its place.
fn without(steps: &[Step], left: &mut usize, replace: bool) -> Vec<Step> {
    let mut out = Vec::new();
    for step in steps {
        if *left == 0 {
            *left = usize::MAX;
            if replace {
                match step {
                    Step::Alloc { out: value, marks } if !marks.is_empty() => {
                        out.push(Step::Alloc { out: *value, marks: marks[1..].to_vec() });
                    }
                    Step::If(branch) if branch.otherwise.is_some() && branch.results.is_empty() => {
                        let mut alone = branch.clone();
                        if branch.blocks {
                            alone.blocks = false;
                        } else {
                            alone.otherwise = None;
                        }
                        out.push(Step::If(alone));
                    }
                    _ => step.blocks().into_iter().for_each(|b| out.extend(b.clone())),
                }
            }
            continue;
        }
        if *left != usize::MAX {
            *left -= 1;
        }
        let mut step = step.clone();
        match &mut step {
            Step::For { body, .. } | Step::Scope { body, .. } => {
                *body = without(body, left, replace)
            }
            Step::While(w) => {
                w.before = without(&w.before, left, replace);
                w.after = without(&w.after, left, replace);
            }
            Step::If(branch) => {
                branch.then = without(&branch.then, left, replace);
                branch.otherwise = branch.otherwise.as_ref().map(|b| without(b, left, replace));
            }
            _ => {}
        }
        out.push(step);
    }
    out
}

/// True when every name is seen where it is used.
fn is_valid(program: &Program) -> bool {
    let mut seen = vec![false; program.types.len()];
    program.args.iter().for_each(|a| seen[*a] = true);
    steps(&program.body, &mut seen) && program.returns.iter().all(|v| seen[*v])
}

fn inner(of: &[Step], args: &[Val], uses: &[Val], seen: &[bool]) -> bool {
    let mut own = seen.to_vec();
    args.iter().for_each(|a| own[*a] = true);
    steps(of, &mut own) && uses.iter().all(|v| own[*v])
}

fn steps(of: &[Step], seen: &mut [bool]) -> bool {
    of.iter().all(|step| one(step, seen))
}

fn one(step: &Step, seen: &mut [bool]) -> bool {
    let (uses, makes): (Vec<Val>, Vec<Val>) = match step {
        Step::Alloc { out, .. } | Step::Ask { out } => (Vec::new(), vec![*out]),
        Step::View { out, of, view } => {
            let mut uses = vec![*of];
            match view {
                super::tree::View::RowsAt { at: n } | super::tree::View::FirstRows { count: n } => {
                    uses.push(*n);
                }
                _ => {}
            }
            (uses, vec![*out])
        }
        Step::Select { out, cond, yes, no } => (vec![*cond, *yes, *no], vec![*out]),
        Step::Act(act) => {
            let all = act.ins.iter().chain(&act.outs).chain(&act.temp);
            (all.copied().collect(), Vec::new())
        }
        Step::Peek { out, of } | Step::Dim { out, of } => (vec![*of], vec![*out]),
        Step::Poke { of, what } => (vec![*of, *what], Vec::new()),
        Step::Call { args, .. } => (args.clone(), Vec::new()),
        Step::For { index, trips, carries, body } => {
            let mut uses: Vec<Val> = carries.iter().map(|c| c.init).collect();
            if let super::tree::Trips::Unknown(value) = trips {
                uses.push(*value);
            }
            let args: Vec<Val> = carries.iter().map(|c| c.arg).chain([*index]).collect();
            let next: Vec<Val> = carries.iter().map(|c| c.next).collect();
            if !inner(body, &args, &next, seen) {
                return false;
            }
            (uses, carries.iter().map(|c| c.result).collect())
        }
        Step::While(w) => {
            let mut own = seen.to_vec();
            w.heads.iter().for_each(|h| own[h.1] = true);
            let passed = |own: &[bool]| own[w.cond] && w.tails.iter().all(|t| own[t.0]);
            if !steps(&w.before, &mut own) || !passed(&own) {
                return false;
            }
            let args: Vec<Val> = w.tails.iter().map(|t| t.1).collect();
            let next: Vec<Val> = w.heads.iter().map(|h| h.2).collect();
            if !inner(&w.after, &args, &next, seen) {
                return false;
            }
            let inits = w.heads.iter().map(|h| h.0).collect();
            (inits, w.tails.iter().map(|t| t.2).collect())
        }
        Step::If(branch) => {
            let then: Vec<Val> = branch.results.iter().map(|r| r.1).collect();
            let other: Vec<Val> = branch.results.iter().map(|r| r.2).collect();
            let otherwise = branch.otherwise.as_deref().unwrap_or_default();
            if !inner(&branch.then, &[], &then, seen) || !inner(otherwise, &[], &other, seen) {
                return false;
            }
            (vec![branch.cond], branch.results.iter().map(|r| r.0).collect())
        }
        Step::Scope { results, body } => {
            let uses: Vec<Val> = results.iter().map(|r| r.1).collect();
            if !inner(body, &[], &uses, seen) {
                return false;
            }
            (Vec::new(), results.iter().map(|r| r.0).collect())
        }
    };
    if !uses.iter().all(|v| seen[*v]) {
        return false;
    }
    makes.iter().for_each(|v| seen[*v] = true);
    true
}
