//! Whether pools of one block refuse a call, by rules told twice: once by what is reachable in the
//! graph of what comes after what, once by counting records as the source does.

use super::stream_program::{Act, Program};

/// True when some call of a pool is refused, in the order written.
pub(crate) fn refused(program: &Program, source: bool) -> bool {
    let mut blocks: Vec<Block> = vec![Block::Fresh; program.pools];
    let mut freed: Vec<usize> = Vec::new();
    for (line, l) in program.lines.iter().enumerate() {
        match l.act {
            Act::Alloc { pointer, pool, stream } => {
                let may = match blocks[pool] {
                    Block::Fresh => true,
                    Block::Out { .. } => false,
                    Block::Back { free, by } if source => {
                        by == stream || (program.events && counted(program, free, by, line, stream))
                    }
                    Block::Back { free, .. } => {
                        let after = known(program, free, line);
                        let same = program.lines[free].act.stream() == Some(stream);
                        after && (same || program.events)
                    }
                };
                if !may {
                    return true;
                }
                blocks[pool] = Block::Out { pointer, by: stream };
            }
            Act::Free { pointer, stream } => {
                let Some(pool) = program.pool_of(pointer) else { return true };
                let Block::Out { pointer: out, by } = blocks[pool] else { return true };
                if out != pointer || freed.contains(&pointer) {
                    return true;
                }
                freed.push(pointer);
                blocks[pool] = match stream {
                    Some(_) => Block::Back { free: line, by },
                    None => Block::Fresh,
                };
            }
            _ => {}
        }
    }
    false
}

#[derive(Clone, Copy)]
enum Block {
    Fresh,
    Out {
        pointer: usize,
        by: usize,
    },
    /// Freed by a line, allocated by a stream.
    Back {
        free: usize,
        by: usize,
    },
}

/// The source's numbers: has `stream` waited for a record of `by` that is late enough?
fn counted(program: &Program, free: usize, by: usize, line: usize, stream: usize) -> bool {
    let records_before = |n: usize| {
        let lines = program.lines[..n].iter();
        lines.filter(|l| matches!(l.act, Act::Record { stream, .. } if stream == by)).count()
    };
    let stamp = records_before(free);
    (0..line).any(|n| match program.lines[n].act {
        Act::Wait { event, stream: s } if s == stream => {
            bound(program, n, event).is_some_and(|r| {
                program.lines[r].act.stream() == Some(by) && records_before(r) >= stamp
            })
        }
        _ => false,
    })
}

/// The record that a wait is for, in the order written.
fn bound(program: &Program, wait: usize, event: usize) -> Option<usize> {
    (0..wait)
        .rev()
        .find(|&r| matches!(program.lines[r].act, Act::Record { event: e, .. } if e == event))
}

/// True when the task of `free` is over before the task of `alloc` begins, in every order. Lines
/// that a thread passes and tasks that a stream runs are two things: call and task.
fn known(program: &Program, free: usize, alloc: usize) -> bool {
    // Backwards from the task of the allocation.
    let mut open = vec![(alloc, true)];
    let mut seen = Vec::new();
    while let Some((line, task)) = open.pop() {
        if seen.contains(&(line, task)) {
            continue;
        }
        seen.push((line, task));
        if (line, task) == (free, true) && line != alloc {
            return true;
        }
        let act = &program.lines[line].act;
        let before = |wanted: &dyn Fn(usize) -> bool| (0..line).rev().find(|&n| wanted(n));
        let tasks_of = |s: usize| {
            before(&|n| {
                let act = &program.lines[n].act;
                let no_task =
                    matches!(act, Act::Wait { event, .. } if bound(program, n, *event).is_none());
                act.stream() == Some(s) && !no_task
            })
        };
        if task {
            open.push((line, false));
            open.extend(act.stream().and_then(tasks_of).map(|n| (n, true)));
            if let Act::Wait { event, .. } = act {
                open.extend(bound(program, line, *event).map(|r| (r, true)));
            }
            continue;
        }
        let thread = program.lines[line].thread;
        open.extend(before(&|n| program.lines[n].thread == thread).map(|n| (n, false)));
        match act {
            Act::StreamSync(s) => open.extend(tasks_of(*s).map(|n| (n, true))),
            Act::DeviceSync => {
                open.extend((0..program.streams).filter_map(tasks_of).map(|n| (n, true)));
            }
            Act::EventSync(event) => {
                open.extend(bound(program, line, *event).map(|r| (r, true)));
            }
            Act::Meet => {
                // The same meeting of the others: the k-th of each thread.
                let meets = |t: usize| {
                    (0..program.lines.len()).filter(move |&n| {
                        program.lines[n].thread == t && program.lines[n].act == Act::Meet
                    })
                };
                let k = meets(thread).position(|n| n == line).unwrap_or(0);
                let others = (0..program.threads).filter_map(|t| meets(t).nth(k));
                open.extend(others.map(|n| (n, false)));
            }
            _ => {}
        }
    }
    false
}
