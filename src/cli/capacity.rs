//! `--capacity [SCOPE=]SIZE`.

use crate::diag::{Code, Diagnostic};
use crate::format::read::nearest;
use crate::front::spec::size::{self, BadSize};
use crate::model::{Problem, ScopeId};

/// True when one of the options sets the capacity of that scope: by its name, or of the only scope.
pub(super) fn sets(options: &[String], scope: &str) -> bool {
    options.iter().any(|option| match option.rsplit_once('=') {
        Some((name, _)) => name.trim().eq_ignore_ascii_case(scope),
        None => true,
    })
}

/// True for a capacity of a memory that the problem has, and for one without a name.
pub(super) fn is_for(problem: &Problem, option: &str) -> bool {
    option.rsplit_once('=').is_none_or(|(name, _)| {
        problem.scopes.iter().any(|scope| scope.name.eq_ignore_ascii_case(name.trim()))
    })
}

/// Sets capacities; a later option wins over an earlier one. Returns the scopes and bytes set. Where only some
/// scopes are packed, these are the `heaps`.
///
/// # Errors
/// A size that is none, a scope that the problem does not have, a size without a scope where there
/// are several.
pub(super) fn apply(
    problem: &mut Problem,
    heaps: &[ScopeId],
    options: &[String],
) -> Result<Vec<(String, u64)>, Diagnostic> {
    let mut set = Vec::new();
    for option in options {
        let (scope, size) = match option.rsplit_once('=') {
            Some((scope, size)) => (named(problem, option, scope.trim())?, size),
            None => (only(problem, heaps, option)?, option.as_str()),
        };
        let bytes = size::parse(size).map_err(|bad| bad_size(option, bad))?;
        // Functions of one text may have a scope of one name each with their own capacity.
        let name = problem.scopes[scope].name.clone();
        for scope in problem.scopes.iter_mut().filter(|s| s.name == name) {
            scope.resize(bytes);
        }
        set.push((name, bytes));
    }
    Ok(set)
}

fn bad_size(option: &str, bad: BadSize) -> Diagnostic {
    let why = match bad {
        BadSize::Negative => "it is below zero".to_owned(),
        BadSize::TooLarge => "it does not fit 64 bits".to_owned(),
        BadSize::Malformed(why) => why,
    };
    error(option, &why).help("write `196608`, `192KiB`, or `ub=192KiB`")
}

fn error(option: &str, why: &str) -> Diagnostic {
    Diagnostic::error(Code::ConfigBadOption, format!("`--capacity {option}`: {why}"))
}

fn named(problem: &Problem, option: &str, name: &str) -> Result<ScopeId, Diagnostic> {
    let all = || problem.scopes.enumerate();
    let exact = all().find(|(_, s)| s.name == name);
    let found = exact.or_else(|| all().find(|(_, s)| s.name.eq_ignore_ascii_case(name)));
    found.map(|(id, _)| id).ok_or_else(|| {
        let names = || problem.scopes.iter().map(|s| s.name.as_str());
        let help = match nearest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the scopes are {}", list(names())),
        };
        error(option, &format!("there is no scope `{name}`")).help(help)
    })
}

/// The only scope that buffers lie in; the only heap, where there are heaps.
fn only(problem: &Problem, heaps: &[ScopeId], option: &str) -> Result<ScopeId, Diagnostic> {
    let all = || problem.functions.iter().flat_map(|f| f.buffers.iter().map(|b| b.scope));
    let mut used: Vec<ScopeId> = if heaps.is_empty() { all().collect() } else { heaps.to_vec() };
    used.sort_unstable();
    used.dedup_by_key(|id| problem.scopes[*id].name.clone());
    match used.as_slice() {
        [one] => Ok(*one),
        [] if problem.scopes.len() == 1 => Ok(ScopeId(0)),
        several => {
            let names = list(several.iter().map(|id| problem.scopes[*id].name.as_str()));
            let why = format!("of which scope? the input uses {names}");
            Err(error(option, &why).help(format!("write `SCOPE={option}`")))
        }
    }
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|n| format!("`{n}`")).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Capacity, Scope};

    fn problem() -> Problem {
        let scope = |name: &str| Scope {
            name: name.to_owned(),
            capacity: Capacity::Unbounded,
            alignment: 32,
            round_up: true,
            reserved: Vec::new(),
            partitions: Vec::new(),
            source: None,
            loc: None,
        };
        Problem { scopes: vec![scope("ub"), scope("l1")].into(), ..Problem::default() }
    }

    #[test]
    fn sizes_go_to_their_scopes() {
        let mut problem = problem();
        let options = ["ub=192 KiB".to_owned(), "L1=1024".to_owned(), "ub=7".to_owned()];
        assert_eq!(apply(&mut problem, &[], &options).map(|set| set.len()), Ok(3));
        assert_eq!(problem.scopes[ScopeId(0)].bytes(), Some(7));
        assert_eq!(problem.scopes[ScopeId(1)].bytes(), Some(1024));
    }

    #[test]
    fn a_size_alone_is_that_of_the_only_heap() {
        let mut problem = problem();
        let heap = [ScopeId(1)];
        assert_eq!(
            apply(&mut problem, &heap, &["1KiB".to_owned()]),
            Ok(vec![("l1".to_owned(), 1024)])
        );
        assert_eq!(problem.scopes[ScopeId(0)].capacity, Capacity::Unbounded);
        let both = [ScopeId(0), ScopeId(1)];
        assert!(apply(&mut problem, &both, &["1KiB".to_owned()]).is_err());
    }

    #[test]
    fn what_the_command_line_sets_need_not_be_known_before() {
        let options = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        assert!(sets(&options(&["BT=1KiB"]), "bt"));
        assert!(sets(&options(&["1KiB"]), "bt"));
        assert!(!sets(&options(&["ub=1KiB"]), "bt"));
        assert!(!sets(&[], "bt"));
    }

    #[test]
    fn mistakes_come_with_a_suggestion() {
        let help = |option: &str| {
            let error = apply(&mut problem(), &[], &[option.to_owned()]).expect_err(option);
            assert_eq!(error.code, Code::ConfigBadOption);
            error.help.unwrap_or_default()
        };
        assert_eq!(help("ubb=4"), "did you mean `ub`?");
        assert_eq!(help("x.y=4"), "the scopes are `ub`, `l1`");
        assert_eq!(help("4"), "write `SCOPE=4`");
        assert_eq!(help("ub=4 parsecs"), "write `196608`, `192KiB`, or `ub=192KiB`");
    }
}
