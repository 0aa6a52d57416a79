//! What holds for any problem: small specs made from bytes, planned, judged, broken on purpose.
//!
//! `MEMPLAN_CASES=N` makes each property run N cases instead of its own number.

#[path = "properties/bytes.rs"]
mod bytes;
#[path = "properties/mutate.rs"]
mod mutate;
#[path = "properties/programs.rs"]
mod programs;
#[path = "properties/ranges.rs"]
mod ranges;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use memplan::diag::{Code, Severity, Sources};
use memplan::front::spec::{self, targets::Embedded};
use memplan::model::{
    Answer, Finding, FunctionAnswer, Plan, Problem, ReuseLevel, ScopeAnswer, Verdict,
};
use memplan::plan::{self, Arena, Built, HEURISTICS, Options, Scene, Sharing, Strategy};
use memplan::{analyze, verify};
use quickcheck::{Gen, QuickCheck};

/// What the reader makes of a generated spec; a generator that writes broken ones is a bug.
fn read(text: &str) -> Problem {
    let mut sources = Sources::default();
    let file = sources.add("case.toml", text);
    match spec::read(&mut sources, file, None, &mut Embedded) {
        Ok(read) => read.problem,
        Err(errors) => {
            let words: Vec<String> = errors.iter().map(|e| e.message.clone()).collect();
            unreachable!("the generator wrote a broken spec: {words:?}\n{text}")
        }
    }
}

/// Short: what is not decided then is not looked at, what is said must be right.
fn options(strategy: Strategy, level: Option<ReuseLevel>) -> Options {
    Options { strategy, level, time: Some(Duration::from_millis(40)), ..Options::default() }
}

fn solve(problem: &Problem, options: &Options) -> Answer {
    plan::solve(&plan::Question::of(problem), options, &|_| ())
}

fn plan_of(answer: &Answer) -> Plan {
    Plan { functions: answer.functions.iter().map(|f| f.plan.clone()).collect() }
}

/// Faults of a plan. What nothing has written is a fault of the program, whatever the plan.
fn faults(problem: &Problem, plan: &Plan) -> Vec<Finding> {
    let mut all = verify::verify(problem, plan);
    all.retain(|f| f.severity == Severity::Error && f.code != Code::VerifyReadBeforeWrite);
    all
}

/// Numbers of cases by word, printed at the end of a property.
#[derive(Default)]
struct Tally(Mutex<BTreeMap<String, u64>>);

impl Tally {
    fn count(&self, word: impl Into<String>) {
        let mut all = self.0.lock().expect("no panic while counting");
        *all.entry(word.into()).or_default() += 1;
    }

    fn of(&self, word: &str) -> u64 {
        self.0.lock().expect("no panic while counting").get(word).copied().unwrap_or(0)
    }

    fn print(&self, name: &str) {
        let all = self.0.lock().expect("no panic while counting");
        let words: Vec<String> = all.iter().map(|(word, n)| format!("{word} {n}")).collect();
        eprintln!("{name}: {}", words.join(", "));
    }
}

/// Runs a property on bytes; panics with the smallest case that breaks it.
fn run(cases: u64, size: usize, property: fn(Vec<u8>) -> bool) {
    let asked = std::env::var("MEMPLAN_CASES").ok().and_then(|n| n.parse().ok());
    QuickCheck::new().tests(asked.unwrap_or(cases)).rng(Gen::new(size)).quickcheck(property);
}

fn scopes(answer: &Answer) -> impl Iterator<Item = (&FunctionAnswer, &ScopeAnswer)> {
    answer.functions.iter().flat_map(|f| f.scopes.iter().map(move |s| (f, s)))
}

/// Every plan passes the judge, no peak is below the bound.
fn sound(problem: &Problem, text: &str, options: &Options, tally: &Tally) -> Answer {
    let answer = solve(problem, options);
    let what = format!("{} {:?}", options.strategy.name(), options.level);
    for (_, scope) in scopes(&answer) {
        tally.count(scope.verdict.name());
        assert!(scope.lower_bound >= scope.max_load.bytes, "{what}\n{text}");
        if let Some(peak) = scope.peak {
            assert!(peak >= scope.lower_bound, "{what}: {peak} < {}\n{text}", scope.lower_bound);
            let capacity = problem.scopes[scope.scope].bytes();
            assert!(capacity.is_none_or(|c| peak <= c), "{what}: peak {peak}\n{text}");
        }
        assert_eq!(scope.peak.is_some(), scope.verdict.has_plan(), "{what}\n{text}");
    }
    if answer.verdict().is_some_and(Verdict::has_plan) {
        let plan = plan_of(&answer);
        let faults = faults(problem, &plan);
        assert!(faults.is_empty(), "{what}: {faults:#?}\n{plan:#?}\n{text}");
    }
    answer
}

/// The only scope of the only function at a level, as the oracle takes it.
fn built(problem: &Problem, level: ReuseLevel) -> Built {
    let function = &problem.functions[0];
    let facts = analyze::facts(problem, function);
    let scope = problem.scopes.ids().next().expect("a scope");
    let scene = Scene { problem, function, facts: &facts, scope };
    let arena = &Arena::of(problem, function, scope)[0];
    plan::build(&scene, arena, Sharing::Level { level, promote: false }).expect("an instance")
}

/// `optimal` and `infeasible` against trying everything.
fn honest(problem: &Problem, text: &str, answer: &Answer, level: ReuseLevel, tally: &Tally) {
    let built = built(problem, level);
    if built.items.len() > 6 || built.partial {
        tally.count("too large for the oracle");
        return;
    }
    let best = memplan_oracle::optimum(&built.instance).map(|(peak, _)| peak);
    let (_, scope) = scopes(answer).next().expect("a scope");
    let bound = scope.lower_bound;
    match (scope.verdict, best) {
        (Verdict::Infeasible, best) => assert_eq!(best, None, "not infeasible\n{text}"),
        (Verdict::Optimal, best) if level == ReuseLevel::Lifetime => {
            assert_eq!(scope.peak, best, "not optimal\n{text}");
        }
        (Verdict::Optimal | Verdict::Feasible, best) => {
            let best = best.unwrap_or_else(|| unreachable!("a plan where none is\n{text}"));
            assert!(scope.peak.is_some_and(|p| p >= best), "{:?} < {best}\n{text}", scope.peak);
        }
        (Verdict::Undecided | Verdict::NotFound, _) => tally.count("not compared"),
    }
    if let (ReuseLevel::Lifetime, Some(best)) = (level, best) {
        assert!(bound <= best, "the bound {bound} is above the optimum {best}\n{text}");
    }
    tally.count("compared with the oracle");
}

#[test]
fn ranges_are_planned_soundly() {
    static TALLY: std::sync::LazyLock<Tally> = std::sync::LazyLock::new(Tally::default);
    run(1_000, 120, |bytes| {
        let text = ranges::generate(&bytes);
        let problem = read(&text);
        TALLY.count("problems");
        for name in HEURISTICS {
            sound(&problem, &text, &options(Strategy::Heuristic(name), None), &TALLY);
        }
        let auto = sound(&problem, &text, &options(Strategy::Auto, None), &TALLY);
        if scopes(&auto).any(|(_, s)| s.verdict == Verdict::Infeasible) {
            honest(&problem, &text, &auto, ReuseLevel::Lifetime, &TALLY);
        }
        let best = sound(&problem, &text, &options(Strategy::Optimal, None), &TALLY);
        honest(&problem, &text, &best, ReuseLevel::Lifetime, &TALLY);
        true
    });
    TALLY.print("ranges");
}

#[test]
fn programs_are_planned_soundly() {
    static TALLY: std::sync::LazyLock<Tally> = std::sync::LazyLock::new(Tally::default);
    run(1_500, 160, |bytes| {
        let text = programs::generate(&bytes);
        let problem = read(&text);
        TALLY.count("programs");
        sound(&problem, &text, &options(Strategy::Auto, None), &TALLY);
        for level in ReuseLevel::ALL {
            let answer = sound(&problem, &text, &options(Strategy::Optimal, Some(level)), &TALLY);
            honest(&problem, &text, &answer, level, &TALLY);
        }
        true
    });
    TALLY.print("programs");
}

#[test]
fn broken_plans_are_found() {
    static TALLY: std::sync::LazyLock<Tally> = std::sync::LazyLock::new(Tally::default);
    run(4_000, 120, |bytes| {
        let text = ranges::generate(&bytes);
        mutate::ranges(&read(&text), &text, &bytes, &TALLY);
        true
    });
    TALLY.print("broken plans of ranges");
    assert_eq!(TALLY.of("broken"), TALLY.of("found"));
    assert!(TALLY.of("broken") > 500, "too few to mean something");
}

#[test]
fn broken_plans_of_programs_are_found() {
    static TALLY: std::sync::LazyLock<Tally> = std::sync::LazyLock::new(Tally::default);
    run(3_000, 160, |bytes| {
        let text = programs::generate(&bytes);
        mutate::programs(&read(&text), &text, &bytes, &TALLY);
        true
    });
    TALLY.print("broken plans of programs");
    assert_eq!(TALLY.of("broken"), TALLY.of("found"));
}

#[test]
fn plans_repeat_for_any_number_of_threads() {
    run(12, 160, |bytes| {
        let half = bytes.len() / 2;
        let text = programs::functions(&[&bytes, &bytes[..half], &bytes[half..]]);
        let problem = read(&text);
        let plan = |jobs| {
            let options = Options { jobs, nodes: Some(500), ..Options::default() };
            let answer = solve(&problem, &options);
            (memplan::emit::plan(&plan_of(&answer), &[]), answer)
        };
        let first = plan(1);
        assert_eq!(first, plan(2), "{text}");
        assert_eq!(first, plan(1), "{text}");
        true
    });
}
