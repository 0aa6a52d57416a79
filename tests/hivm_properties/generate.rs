//! Random valid programs: what is read has been written, types fit, names are seen where they are used.

use super::choose::Choose;
use super::tree::{
    Act, Carry, Elem, If, Mark, MemTy, Program, Space, Step, Trips, Ty, Val, Way, While,
};

/// What a program may have in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Statements, about.
    pub(crate) steps: u64,
    /// Loops, branches, scopes, selects.
    pub(crate) nested: bool,
    /// Marks, views, temporaries, scalars, calls, cube ops.
    pub(crate) features: bool,
}

/// A program of a seed.
pub(crate) fn program(seed: u64, shape: Shape) -> Program {
    let mut choose = Choose::new(seed);
    let ub = choose.pick(&[512, 768, 1024, 1536, 4096]);
    let habits = Habits {
        slots: choose.pick(&[0, 0, 20, 60]),
        unique: choose.pick(&[0, 0, 0, 15]),
        preload: choose.pick(&[0, 0, 0, 20]),
        fresh: choose.pick(&[50, 75, 95]),
        cube: choose.percent(15),
        outside: choose.percent(10),
    };
    let program = Program {
        seed,
        types: Vec::new(),
        args: Vec::new(),
        body: Vec::new(),
        returns: Vec::new(),
        capacity: [ub, choose.pick(&[1024, 2048, 4096]), choose.pick(&[2048, 4096])],
    };
    let mut maker = Maker {
        choose,
        program,
        habits,
        shape,
        facts: Vec::new(),
        seen: Vec::new(),
        out: Vec::new(),
        loops: 0,
        depth: 0,
        left: shape.steps,
    };
    maker.value(Ty::Scalar(Elem::F32), Fact::other());
    maker.program.args.push(0);
    maker.body();
    if maker.choose.percent(15)
        && let Some(value) = maker.written(|_| true)
    {
        maker.program.returns.push(value);
    }
    maker.program.body = std::mem::take(&mut maker.out);
    maker.program
}

/// How often things are done in this program, in percent.
pub(super) struct Habits {
    slots: u64,
    unique: u64,
    preload: u64,
    fresh: u64,
    cube: bool,
    outside: bool,
}

/// What is known of a value.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub(super) written: bool,
    /// The value whose bytes these are.
    pub(super) root: Val,
    /// True when that is the value of an alloc.
    pub(super) known: bool,
}

impl Fact {
    pub(super) fn other() -> Self {
        Self { written: true, root: 0, known: false }
    }
}

pub(super) struct Maker {
    pub(super) choose: Choose,
    pub(super) program: Program,
    pub(super) habits: Habits,
    pub(super) shape: Shape,
    pub(super) facts: Vec<Fact>,
    /// Memrefs that are visible.
    pub(super) seen: Vec<Val>,
    pub(super) out: Vec<Step>,
    pub(super) loops: usize,
    pub(super) depth: usize,
    pub(super) left: u64,
}

/// The argument that is a scalar of type f32.
pub(super) const SCALAR: Val = 0;

impl Maker {
    pub(super) fn value(&mut self, ty: Ty, fact: Fact) -> Val {
        let id = self.program.types.len();
        self.program.types.push(ty);
        self.facts.push(fact);
        id
    }

    /// A name for what may be any of several buffers.
    pub(super) fn wild(&mut self, like: Val, written: bool) -> Val {
        let ty = self.program.types[like].clone();
        let id = self.program.types.len();
        self.value(ty, Fact { written, root: id, known: false })
    }

    pub(super) fn is_written(&self, value: Val) -> bool {
        self.facts[value].written || self.facts[self.facts[value].root].written
    }

    pub(super) fn write(&mut self, value: Val) {
        let root = self.facts[value].root;
        self.facts[value].written = true;
        self.facts[root].written = true;
    }

    /// A visible value with data in it; late ones are likelier.
    pub(super) fn written(&mut self, fits: impl Fn(&MemTy) -> bool) -> Option<Val> {
        let all: Vec<Val> = self
            .seen
            .iter()
            .copied()
            .filter(|v| self.is_written(*v) && fits(self.program.mem(*v)))
            .collect();
        let from = if self.choose.percent(70) { all.len().saturating_sub(4) } else { 0 };
        if all.is_empty() { None } else { Some(self.choose.pick(&all[from..])) }
    }

    pub(super) fn alloc(&mut self, ty: MemTy, plain: bool) -> Val {
        let id = self.program.types.len();
        let out = self.value(Ty::Mem(ty), Fact { written: false, root: id, known: true });
        let mut marks = Vec::new();
        if !plain && self.shape.features {
            let rare = if self.loops == 0 { 8 } else { 1 };
            if self.choose.percent(self.habits.slots / rare) {
                marks.push(Mark::Slots(self.choose.pick(&[2, 2, 2, 3, 4])));
            }
            if self.choose.percent(self.habits.unique) {
                marks.push(Mark::Unique);
            }
            if self.loops > 0 && self.choose.percent(self.habits.preload) {
                marks.push(Mark::Preload);
            }
        }
        self.out.push(Step::Alloc { out, marks });
        if !plain {
            self.seen.push(out);
        }
        out
    }

    pub(super) fn new_type(&mut self) -> MemTy {
        let sizes = self.choose.pick(&[
            vec![8],
            vec![16],
            vec![16],
            vec![24],
            vec![32],
            vec![64],
            vec![5],
            vec![2, 8],
            vec![4, 8],
            vec![2, 16],
        ]);
        let common = [Elem::F32, Elem::F32, Elem::F32, Elem::F16];
        let elem = if self.shape.features {
            self.choose.pick(&[Elem::F32, Elem::F32, Elem::F32, Elem::F16, Elem::I32, Elem::I64])
        } else {
            self.choose.pick(&common)
        };
        MemTy::plain(sizes, elem, Space::Ub)
    }

    /// The argument in global memory of this type.
    pub(super) fn gm(&mut self, like: &MemTy) -> Val {
        let ty = Ty::Mem(MemTy::plain(like.sizes.clone(), like.elem, Space::Gm));
        let known = self.program.args.iter().find(|a| self.program.types[**a] == ty);
        if let Some(&known) = known {
            return known;
        }
        let arg = self.value(ty, Fact::other());
        self.program.args.push(arg);
        arg
    }

    /// A place to write a value of this type to: new, or an old one that is none of `not`.
    pub(super) fn target(&mut self, ty: &MemTy, not: &[Val]) -> Val {
        let clear = |maker: &Self, value: Val| {
            let fact = &maker.facts[value];
            let apart = |other: &Val| {
                let other = &maker.facts[*other];
                other.known && other.root != fact.root
            };
            fact.known && not.iter().filter(|n| maker.program.is_mem(**n)).all(apart)
        };
        let old: Vec<Val> = self
            .seen
            .iter()
            .copied()
            .filter(|v| self.program.mem(*v) == ty && clear(self, *v))
            .collect();
        if old.is_empty() || self.choose.percent(self.habits.fresh) {
            let plain = MemTy::plain(ty.sizes.clone(), ty.elem, ty.space);
            return self.alloc(plain, false);
        }
        self.choose.pick(&old)
    }

    pub(super) fn act(&mut self, name: &'static str, way: Way, ins: &[Val], outs: &[Val]) {
        self.push(Act {
            name,
            way,
            ins: ins.to_vec(),
            extra: &[],
            outs: outs.to_vec(),
            temp: None,
            attrs: Vec::new(),
        });
    }

    pub(super) fn push(&mut self, act: Act) {
        for out in act.outs.clone() {
            self.write(out);
        }
        self.out.push(Step::Act(act));
    }

    /// A value with data of any type, or of the one asked for.
    pub(super) fn source(&mut self, ty: Option<&MemTy>) -> Val {
        let fits = |t: &MemTy| match ty {
            Some(ty) => {
                t.sizes == ty.sizes && t.elem == ty.elem && t.space == ty.space && !t.dynamic
            }
            None => t.space == Space::Ub && t.elem != Elem::I1 && !t.dynamic,
        };
        if self.choose.percent(85)
            && let Some(old) = self.written(fits)
        {
            return old;
        }
        let ty = ty.cloned().unwrap_or_else(|| self.new_type());
        let plain = MemTy::plain(ty.sizes, ty.elem, ty.space);
        let new = self.alloc(plain.clone(), false);
        let gm = self.gm(&plain);
        self.act("load", Way::Whole, &[gm], &[new]);
        new
    }

    fn body(&mut self) {
        let start = self.left;
        while self.left > 0 {
            self.left -= 1;
            // Inside, leave something for what comes after.
            if self.depth > 0 && self.choose.percent(100 / (start + 1)) {
                break;
            }
            self.one();
        }
        if let Some(value) = self.written(|t| t.space == Space::Ub && t.elem != Elem::I1) {
            self.store(value);
        }
    }

    fn one(&mut self) {
        let nested = self.shape.nested && self.depth < 3 && self.left > 2;
        let (n, f) = (if nested { 1 } else { 0 }, if self.shape.features { 1 } else { 0 });
        let (cube, outside) = (u64::from(self.habits.cube), u64::from(self.habits.outside));
        let top = u64::from(self.depth == 0);
        let weights = [
            14,
            10,
            12,
            4 * f,
            9 * n,
            6 * n,
            3 * n,
            2 * n,
            2 * n * top,
            5 * f,
            3 * f,
            2 * f,
            2 * u64::from(self.shape.nested),
            6 * cube,
            2 * outside,
        ];
        let mut at = self.choose.below(weights.iter().sum());
        let which = weights.iter().position(|w| {
            let hit = at < *w;
            at = at.saturating_sub(*w);
            hit
        });
        match which.unwrap_or(0) {
            0 => self.load(),
            1 => {
                let value = self.source(None);
                self.store(value);
            }
            2 => self.vector(),
            3 => self.whole(),
            4 => self.for_loop(),
            5 => self.branch(false),
            6 => self.while_loop(),
            7 => self.scope(),
            8 => self.branch(true),
            9 => self.view(),
            10 => self.scalar(),
            11 => self.call(),
            12 => self.select(false),
            13 => self.cube(),
            _ => self.select(true),
        }
    }

    /// Runs what makes a block, and returns the block with what it sees at its end.
    fn inside<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> (Vec<Step>, T) {
        let outer = std::mem::take(&mut self.out);
        let seen = self.seen.len();
        let share = self.left / 2 + 1;
        let rest = self.left.saturating_sub(share);
        self.left = share;
        self.depth += 1;
        let made = make(self);
        self.depth -= 1;
        self.left += rest;
        self.seen.truncate(seen);
        (std::mem::replace(&mut self.out, outer), made)
    }

    /// A value with data of the type of `like`, seen here.
    fn same(&mut self, like: Val) -> Val {
        let ty = self.program.mem(like).clone();
        let found = self.written(|t| *t == ty);
        if let Some(found) = found.filter(|_| self.choose.percent(70)) {
            return found;
        }
        if ty.layout.is_some() || ty.dynamic || ty.space != Space::Ub {
            return like;
        }
        let new = self.alloc(ty.clone(), false);
        let gm = self.gm(&ty);
        self.act("load", Way::Whole, &[gm], &[new]);
        new
    }

    /// Buffers that a loop or branch works on.
    fn some(&mut self, most: u64) -> Vec<Val> {
        let count = self.choose.below(most + 1);
        (0..count).map(|_| self.source(None)).collect()
    }

    fn for_loop(&mut self) {
        let inits = self.some(2);
        let trips = if self.choose.percent(30) {
            Trips::Known(self.choose.below(5))
        } else {
            Trips::Unknown(self.ask(Ty::Index))
        };
        let index = self.value(Ty::Index, Fact::other());
        let args: Vec<Val> = inits.iter().map(|i| self.wild(*i, true)).collect();
        self.loops += 1;
        let (body, next) = self.inside(|m| {
            m.seen.extend(&args);
            m.body();
            args.iter().map(|a| m.same(*a)).collect::<Vec<Val>>()
        });
        self.loops -= 1;
        let mut carries = Vec::new();
        for ((init, arg), next) in inits.into_iter().zip(args).zip(next) {
            let result = self.wild(init, true);
            self.seen.push(result);
            carries.push(Carry { init, arg, next, result });
        }
        self.out.push(Step::For { index, trips, carries, body });
    }

    fn while_loop(&mut self) {
        let mut inits = self.some(1);
        if inits.is_empty() {
            inits.push(self.source(None));
        }
        let args: Vec<Val> = inits.iter().map(|i| self.wild(*i, true)).collect();
        let slots = std::mem::replace(&mut self.habits.slots, 0);
        self.loops += 1;
        let (before, (passed, cond)) = self.inside(|m| {
            m.seen.extend(&args);
            m.left = m.left.min(2);
            m.body();
            let passed: Vec<Val> = args.iter().map(|a| m.same(*a)).collect();
            let cond = m.ask(Ty::Scalar(Elem::I1));
            (passed, cond)
        });
        self.habits.slots = slots;
        let again: Vec<Val> = passed.iter().map(|p| self.wild(*p, true)).collect();
        let (after, next) = self.inside(|m| {
            m.seen.extend(&again);
            m.body();
            again.iter().map(|a| m.same(*a)).collect::<Vec<Val>>()
        });
        self.loops -= 1;
        let results: Vec<Val> = passed.iter().map(|p| self.wild(*p, true)).collect();
        self.seen.extend(&results);
        let heads = inits.into_iter().zip(args).zip(next).map(|((i, a), n)| (i, a, n)).collect();
        let tails =
            passed.into_iter().zip(again).zip(results).map(|((p, a), r)| (p, a, r)).collect();
        self.out.push(Step::While(While { heads, before, cond, tails, after }));
    }

    fn branch(&mut self, blocks: bool) {
        let cond = self.ask(Ty::Scalar(Elem::I1));
        let likes = self.some(1);
        let yields = |m: &mut Self| {
            m.body();
            likes.iter().map(|l| m.same(*l)).collect::<Vec<Val>>()
        };
        let (then, first) = self.inside(yields);
        let alone = likes.is_empty() && !blocks && self.choose.percent(50);
        let (otherwise, second) = if alone {
            (None, Vec::new())
        } else {
            let (block, values) = self.inside(yields);
            (Some(block), values)
        };
        let mut results = Vec::new();
        for (then, other) in first.into_iter().zip(second) {
            let result = self.wild(then, true);
            self.seen.push(result);
            results.push((result, then, other));
        }
        self.out.push(Step::If(If { cond, results, then, otherwise, blocks }));
    }

    fn scope(&mut self) {
        let likes = self.some(1);
        let (body, inner) = self.inside(|m| {
            m.body();
            likes.iter().map(|l| m.same(*l)).collect::<Vec<Val>>()
        });
        let mut results = Vec::new();
        for value in inner {
            let result = self.wild(value, true);
            self.seen.push(result);
            results.push((result, value));
        }
        self.out.push(Step::Scope { results, body });
    }
}
