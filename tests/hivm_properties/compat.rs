//! What the spec says of any plan of the compatible planner.

use memplan::ir::hivm::PassOptions;
use memplan::plan::hivm::{Entry, Given, Input, Outcome, Planned, Success, run_on};

use super::generic::generic;
use super::print::custom;
use super::property::{Any, Straight, Tally, check};
use super::solve::{COMPAT, LARGEST, fits, plan_of, read, solve};
use super::tree::{Elem, MemTy, Program, Space, Ty};

static TALLY: Tally = Tally::new();

/// What the pass makes of the function of a program.
fn planned(text: &str, options: &PassOptions) -> Option<Box<Planned>> {
    let read = read(text);
    let kernel = &read.kernels.functions[0];
    let chunk = &read.kernels.file.chunks[kernel.chunk];
    let target = read.kernels.targets.get(kernel.chunk);
    match run_on(chunk, kernel.function, options, target, Given::default()) {
        Outcome::Planned(planned) => Some(planned),
        Outcome::Skipped(_) | Outcome::Failed(_) => None,
    }
}

/// The offsets of an entry in bits: those of its first buffer that has some.
fn offsets<'a>(success: &'a Success, entry: &Entry) -> &'a [u64] {
    let all = entry.buffers.iter().filter_map(|b| success.offsets[*b as usize].as_deref());
    all.max_by_key(|o| o.len()).unwrap_or_default()
}

fn rounded(input: &Input, entry: &Entry) -> u64 {
    let grain = input.scopes[entry.scope].alignment;
    entry.bits.next_multiple_of(grain)
}

fn alive_together(a: &Entry, b: &Entry) -> bool {
    let meet = |x: &memplan::plan::hivm::Life, y: &memplan::plan::hivm::Life| {
        x.start.max(y.start) <= x.end.min(y.end)
    };
    a.lives.iter().any(|x| b.lives.iter().any(|y| meet(x, y)))
}

fn may_stall(input: &Input, a: &Entry, b: &Entry) -> bool {
    let pair = |x: u32, y: u32| input.stall_pairs.contains(&(x.min(y), x.max(y)));
    a.buffers.iter().any(|x| b.buffers.iter().any(|y| pair(*x, *y)))
}

fn invariants(planned: &Planned) -> Result<(), String> {
    let (input, success) = (&planned.lowered.input, &planned.success);
    for (at, entry) in input.entries.iter().enumerate() {
        let scope = &input.scopes[entry.scope];
        let own = offsets(success, entry);
        let size = rounded(input, entry);
        // Hazard 7: at level 1 it may have got slots of a plan that was rolled back.
        let stale = entry.buffers.iter().any(|b| success.levels[*b as usize] == Some(1));
        if stale {
            TALLY.count("entries at level 1");
            continue;
        }
        for (n, offset) in own.iter().enumerate() {
            // 1.5: 32 bytes in ub and l1, 512 in l0c.
            let grain = if scope.name == "cc" { 4096 } else { 256 };
            if offset % grain != 0 {
                return Err(format!("{offset} bits in {} is no multiple of {grain}", scope.name));
            }
            if scope.capacity.is_some_and(|c| offset + size > c) {
                return Err(format!("{offset} + {size} bits is past the end of {}", scope.name));
            }
            // Hazard 1: what is never killed is in nobody's way, not even in its own.
            let alive = entry.lives.iter().any(|l| l.start <= l.end);
            let over = |o: &u64| *o < offset + size && *offset < o + size;
            if alive && size > 0 && own[..n].iter().any(over) {
                return Err(format!("slots of entry {at} overlap: {own:?}"));
            }
        }
        let promoted =
            |o: &&Entry| o.buffers.iter().any(|b| success.levels[*b as usize] == Some(1));
        let others = input.entries[..at].iter().filter(|o| o.scope == entry.scope);
        for other in others.filter(|o| !promoted(o)) {
            let (theirs, length) = (offsets(success, other), rounded(input, other));
            let meets = |a: &u64| theirs.iter().any(|b| *a < b + length && *b < a + size);
            if size == 0 || length == 0 || !own.iter().any(meets) || !alive_together(entry, other) {
                continue;
            }
            if !may_stall(input, entry, other) {
                return Err(format!(
                    "entries overlap while alive: {entry:?} {own:?}, {other:?} {theirs:?}"
                ));
            }
            TALLY.count("stall pairs on the same bytes");
        }
    }
    Ok(())
}

#[test]
fn compatible_plans_obey_the_spec() {
    check(150, 30, |Any(program)| {
        let text = custom(&program);
        for largest_first in [false, true] {
            let options = PassOptions { largest_first, ..PassOptions::default() };
            match planned(&text, &options) {
                Some(planned) => {
                    TALLY.count(format!(
                        "{:?}",
                        planned.success.scopes.iter().map(|s| s.how).next()
                    ));
                    invariants(&planned)?;
                }
                None => TALLY.count("no plan"),
            }
        }
        Ok(())
    });
    TALLY.print();
}

/// Offsets by the order of the buffers, or the message.
fn answer(text: &str, strategy: memplan::plan::Strategy) -> Result<Vec<Vec<u64>>, String> {
    let read = read(text);
    let answer = solve(&read, strategy);
    if !fits(&answer) {
        let words = answer
            .functions
            .iter()
            .flat_map(|f| f.errors.iter().map(|e| e.text.clone()).chain(f.message.clone()));
        return Err(words.collect::<Vec<_>>().join("; "));
    }
    let plan = plan_of(&answer);
    Ok(plan.functions.into_iter().flat_map(|f| f.placements).map(|p| p.offsets).collect())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, first: &T, second: &T) -> Result<(), String> {
    if first == second { Ok(()) } else { Err(format!("{what}: {first:?}, then {second:?}")) }
}

#[test]
fn both_spellings_of_a_program_get_the_same_answer() {
    check(25, 24, |Any(program)| {
        let (first, second) = (custom(&program), generic(&program));
        for strategy in [COMPAT, LARGEST] {
            let again = answer(&first, strategy);
            same("a second time", &again, &answer(&first, strategy))?;
            same("in the generic form", &again, &answer(&second, strategy))
                .map_err(|e| format!("{e}\n{second}"))?;
        }
        same(
            "auto in the generic form",
            &answer(&first, memplan::plan::Strategy::Auto),
            &answer(&second, memplan::plan::Strategy::Auto),
        )
    });
}

/// The same program with an argument that nobody uses, and with other names.
fn disguised(program: &Program) -> String {
    let mut more = program.clone();
    let ty = MemTy::plain(vec![7], Elem::I8, Space::Gm);
    more.types.push(Ty::Mem(ty));
    more.args.insert(0, more.types.len() - 1);
    custom(&more).replace("%v", "%x_").replace("%c0", "%zero")
}

#[test]
fn names_and_unused_arguments_change_no_offset() {
    check(80, 16, |Straight(program)| {
        for strategy in [COMPAT, LARGEST] {
            let first = answer(&custom(&program), strategy);
            same("with other names", &first, &answer(&disguised(&program), strategy))?;
        }
        Ok(())
    });
}
