//! Random programs of one core: work, then the sync that it needs, then perhaps one mistake.

use super::core_program::{CELLS, Cells, Op, PIPES, Program, S};
use super::dice::Dice;

/// A program by its number.
pub(crate) fn program(seed: u64) -> Program {
    let mut dice = Dice::new(seed);
    let mut make = Make {
        pipes: pipes(&mut dice),
        ops: Vec::new(),
        cells: [None; CELLS],
        values: 0,
        careful: if dice.percent(40) { 100 } else { 70 },
        dice,
    };
    let works = 2 + make.dice.below(6);
    for _ in 0..works {
        make.work();
    }
    let mut program = Program { ops: make.ops };
    let mut dice = make.dice;
    if dice.percent(30) {
        spoil(&mut program, &mut dice);
    }
    program
}

fn pipes(dice: &mut Dice) -> Vec<usize> {
    let mut all: Vec<usize> = (0..PIPES.len()).collect();
    while all.len() > 3 || (all.len() > 2 && dice.percent(50)) {
        let at = dice.below(all.len());
        all.remove(at);
    }
    all
}

struct Make {
    pipes: Vec<usize>,
    ops: Vec<Op>,
    /// What is in the cells when all is done in the order written.
    cells: [Option<(u16, usize)>; CELLS],
    values: u16,
    /// How many needed syncs of a hundred are there.
    careful: usize,
    dice: Dice,
}

impl Make {
    /// Some cells in a row.
    fn range(&mut self) -> (usize, usize) {
        let len = 1 + self.dice.below(4);
        (self.dice.below(CELLS - len + 1), len)
    }

    /// What can be read in a range: cells of one value each.
    fn runs(&self, at: usize, len: usize) -> Vec<Cells> {
        let mut runs: Vec<Cells> = Vec::new();
        for cell in at..at + len {
            let Some((value, from)) = self.cells[cell] else { continue };
            match runs.last_mut() {
                Some(r) if r.value == value && r.at + r.len == cell && r.from + r.len == from => {
                    r.len += 1;
                }
                _ => runs.push(Cells { at: cell, len: 1, value, from }),
            }
        }
        runs
    }

    fn fresh(&mut self, at: usize, len: usize) -> Cells {
        self.values += 1;
        Cells { at, len, value: self.values, from: self.dice.below(3) }
    }

    fn work(&mut self) {
        let pipe = self.dice.one(&self.pipes.clone());
        let (at, len) = self.range();
        let mut reads = if self.dice.percent(75) { self.runs(at, len) } else { Vec::new() };
        if reads.is_empty() && self.dice.percent(2) {
            reads.push(Cells { at, len: 1, value: 1, from: 0 });
        }
        let (to, space) = self.range();
        let apart = |r: &Cells| r.at + r.len <= to || to + space <= r.at;
        let op = if let [from, ..] = reads[..]
            && self.dice.percent(25)
            && to + from.len <= CELLS
            && (from.at + from.len <= to || to + from.len <= from.at)
        {
            Op::Move { pipe, from, to }
        } else if reads.is_empty() || (self.dice.percent(60) && reads.iter().all(apart)) {
            let writes = vec![self.fresh(to, space)];
            Op::Work { pipe, reads, writes }
        } else {
            Op::Work { pipe, reads, writes: Vec::new() }
        };
        self.order(&op, pipe);
        self.apply(&op);
        self.ops.push(op);
    }

    fn apply(&mut self, op: &Op) {
        match op {
            Op::Work { writes, .. } => {
                for w in writes {
                    for k in 0..w.len {
                        self.cells[w.at + k] = Some((w.value, w.from + k));
                    }
                }
            }
            Op::Move { from, to, .. } => {
                for k in 0..from.len {
                    self.cells[to + k] = self.cells[from.at + k];
                }
            }
            _ => {}
        }
    }

    /// The sync that an op needs after those that it conflicts with.
    fn order(&mut self, op: &Op, pipe: usize) {
        let mut before: Vec<usize> = (self.ops.iter())
            .filter(|earlier| conflict(earlier, op))
            .filter_map(Op::pipe)
            .collect();
        before.sort_unstable();
        before.dedup();
        if self.dice.percent(6) {
            self.ops.push(Op::Drain);
            return;
        }
        if self.dice.percent(10) {
            before.push(self.dice.one(&self.pipes.clone()));
        }
        for p in before {
            if !self.dice.percent(self.careful) {
                continue;
            }
            if p != pipe {
                let id = self.dice.below(2) as u32;
                self.ops.push(Op::Set { from: p, to: pipe, id });
                self.ops.push(Op::Wait { from: p, to: pipe, id });
            } else if p != S {
                self.ops.push(Op::Barrier(p));
            }
        }
    }
}

fn conflict(a: &Op, b: &Op) -> bool {
    let meet = |x: (usize, usize), y: (usize, usize)| x.0 < y.0 + y.1 && y.0 < x.0 + x.1;
    let reads = |op: &Op| op.reads().iter().map(|r| (r.at, r.len)).collect::<Vec<_>>();
    let any = |x: &[(usize, usize)], y: &[(usize, usize)]| {
        x.iter().any(|&x| y.iter().any(|&y| meet(x, y)))
    };
    let (aw, bw) = (a.writes(), b.writes());
    any(&aw, &bw) || any(&aw, &reads(b)) || any(&reads(a), &bw)
}

/// One mistake.
fn spoil(program: &mut Program, dice: &mut Dice) {
    let at = dice.below(program.ops.len());
    match dice.below(5) {
        0 | 1 => {
            // A sync rather than work.
            let sync = (at..program.ops.len()).find(|&n| !program.ops[n].works());
            program.ops.remove(sync.unwrap_or(at));
        }
        2 if at + 1 < program.ops.len() => program.ops.swap(at, at + 1),
        3 => {
            let op = program.ops[at].clone();
            if !op.works() {
                program.ops.insert(at, op);
            }
        }
        _ => match &mut program.ops[at] {
            Op::Set { id, .. } | Op::Wait { id, .. } => *id = 1 - *id,
            Op::Work { reads, .. } => {
                if let Some(read) = reads.first_mut() {
                    read.from += 1;
                }
            }
            _ => {}
        },
    }
}
