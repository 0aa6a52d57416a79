//! The statements of random programs, but for loops and branches.

use super::generate::{Fact, Maker, SCALAR};
use super::tree::{Act, Attr, Callee, Elem, MemTy, Space, Step, Ty, Val, View, Way};

const TRUNC: Attr = Attr {
    before: "",
    after: " round_mode = <trunc>",
    generic: "round_mode = #hivm.round_mode<trunc>",
};
const LESS: Attr = Attr {
    before: "",
    after: " compare_mode = <lt>",
    generic: "compare_mode = #hivm.compare_mode<lt>",
};
const SUM: Attr = Attr {
    before: " <sum>",
    after: " reduce_dims = [0]",
    generic: "arith = #hivm.reduce_op<sum>, reduce_dims = array<i64: 0>",
};
const ROWS: Attr =
    Attr { before: "", after: " broadcast = [0]", generic: "broadcast = array<i64: 0>" };

/// The constants of a matrix op: begin anew, or add; then three sizes.
const ANEW: &[(&str, &str)] =
    &[("%true", "i1"), ("%c32", "index"), ("%c32", "index"), ("%c32", "index")];
const ADD: &[(&str, &str)] =
    &[("%false", "i1"), ("%c32", "index"), ("%c32", "index"), ("%c32", "index")];

impl Maker {
    /// A number or condition that nobody knows.
    pub(super) fn ask(&mut self, ty: Ty) -> Val {
        let out = self.value(ty, Fact::other());
        self.out.push(Step::Ask { out });
        out
    }

    pub(super) fn load(&mut self) {
        let ty = self.new_type();
        let into = self.target(&ty, &[]);
        let gm = self.gm(&ty);
        self.act("load", Way::Whole, &[gm], &[into]);
    }

    pub(super) fn store(&mut self, value: Val) {
        let ty = self.program.mem(value).clone();
        let gm = self.gm(&ty);
        self.act("store", Way::Whole, &[value], &[gm]);
    }

    fn temporary(&mut self, percent: u64) -> Option<Val> {
        if !self.shape.features || !self.choose.percent(percent) {
            return None;
        }
        let size = self.choose.pick(&[0, 8, 16, 32]);
        Some(self.alloc(MemTy::plain(vec![size], Elem::F32, Space::Ub), true))
    }

    pub(super) fn vector(&mut self) {
        let first = self.source(None);
        let ty = self.program.mem(first).clone();
        let unary = ["vexp", "vabs", "vrelu", "vtanh", "vsqrt"];
        let binary = ["vadd", "vmul", "vsub", "vdiv", "vmax", "vmin"];
        match self.choose.below(10) {
            0..3 => {
                let name = self.choose.pick(&unary);
                let temp = if name == "vtanh" { None } else { self.temporary(10) };
                self.elementwise(name, &[first], &ty, temp, Vec::new());
            }
            3..7 => {
                let name = self.choose.pick(&binary);
                let scalar = ty.elem == Elem::F32 && self.choose.percent(20);
                let second = if scalar { SCALAR } else { self.source(Some(&ty)) };
                let temp = self.temporary(10);
                self.elementwise(name, &[first, second], &ty, temp, Vec::new());
            }
            7 => {
                let elem = self.choose.pick(&[Elem::F16, Elem::F32, Elem::I32]);
                let to = MemTy { elem, layout: None, ..ty };
                self.elementwise("vcast", &[first], &to, None, vec![TRUNC]);
            }
            8 if ty.sizes.len() == 2 && ty.layout.is_none() => {
                let row = MemTy { sizes: vec![1, ty.sizes[1]], ..ty.clone() };
                let row = self.source(Some(&row));
                self.elementwise("vadd", &[first, row], &ty, None, vec![ROWS]);
            }
            _ => self.compare(first, &ty),
        }
    }

    fn elementwise(
        &mut self,
        name: &'static str,
        ins: &[Val],
        to: &MemTy,
        temp: Option<Val>,
        attrs: Vec<Attr>,
    ) {
        // Onto an operand itself now and then.
        let own = ins.iter().copied().find(|v| self.program.is_mem(*v));
        let own = own.filter(|v| self.program.mem(*v) == to && attrs.is_empty());
        let clear = |v: &Val| ins.iter().all(|i| i == v || !self.program.is_mem(*i));
        let own = own.filter(clear);
        let out = match own.filter(|_| self.choose.percent(15)) {
            Some(own) => own,
            None => self.target(to, ins),
        };
        let way = Way::Elementwise;
        self.push(Act { name, way, ins: ins.to_vec(), extra: &[], outs: vec![out], temp, attrs });
    }

    fn compare(&mut self, first: Val, ty: &MemTy) {
        if !ty.count().is_multiple_of(8) {
            return;
        }
        let second = self.source(Some(ty));
        let mask = MemTy::plain(ty.sizes.clone(), Elem::I1, Space::Ub);
        let mask_at = self.target(&mask, &[first, second]);
        let way = Way::Elementwise;
        let act = Act {
            name: "vcmp",
            way,
            ins: vec![first, second],
            extra: &[],
            outs: vec![mask_at],
            temp: None,
            attrs: vec![LESS],
        };
        self.push(act);
        let to = MemTy::plain(ty.sizes.clone(), ty.elem, Space::Ub);
        let temp = self.temporary(20);
        self.elementwise("vsel", &[mask_at, first, second], &to, temp, Vec::new());
    }

    /// Ops that may write before they have read.
    pub(super) fn whole(&mut self) {
        let source = self.source(None);
        let ty = self.program.mem(source).clone();
        let plain = MemTy::plain(ty.sizes.clone(), ty.elem, Space::Ub);
        let temp = self.temporary(40);
        let (name, ins, out, attrs) = match self.choose.below(4) {
            0 => {
                let to = MemTy::plain(vec![1; ty.sizes.len()], ty.elem, Space::Ub);
                ("vreduce", source, to, vec![SUM])
            }
            1 if ty.sizes.len() == 2 => {
                let turned = ty.sizes.iter().rev().copied().collect();
                ("vtranspose", source, MemTy::plain(turned, ty.elem, Space::Ub), Vec::new())
            }
            2 if ty.elem == Elem::F32 => ("vbrc", SCALAR, plain, Vec::new()),
            _ => {
                let out = self.alloc(plain, false);
                self.act("copy", Way::Whole, &[source], &[out]);
                return;
            }
        };
        let out = self.alloc(out, false);
        let way = Way::Whole;
        self.push(Act { name, way, ins: vec![ins], extra: &[], outs: vec![out], temp, attrs });
    }

    /// A buffer of bytes, seen as numbers from some byte on.
    fn bytes(&mut self) {
        let all = self.alloc(MemTy::plain(vec![128], Elem::I8, Space::Ub), false);
        let shift = self.choose.pick(&[0, 32, 64]);
        let size = self.choose.pick(&[8, 16]);
        let ty = MemTy::plain(vec![size], Elem::F32, Space::Ub);
        let fact = self.facts[all].clone();
        let out = self.value(Ty::Mem(ty.clone()), fact);
        self.out.push(Step::View { out, of: all, view: View::Bytes { shift } });
        self.seen.push(out);
        let gm = self.gm(&ty);
        self.act("load", Way::Whole, &[gm], &[out]);
    }

    pub(super) fn view(&mut self) {
        if self.choose.percent(10) {
            self.bytes();
            return;
        }
        let source = self.source(None);
        let ty = self.program.mem(source).clone();
        let rows = ty.sizes[0];
        let strides = ty.strides();
        let start = ty.layout.as_ref().map_or(Some(0), |(_, offset)| *offset);
        let taken = 1 + self.choose.below(rows);
        let mut sizes = ty.sizes.clone();
        sizes[0] = taken;
        let sub = |offset: Option<u64>, dynamic: bool, sizes: Vec<u64>| MemTy {
            sizes,
            dynamic,
            layout: Some((strides.clone(), offset)),
            elem: ty.elem,
            space: ty.space,
        };
        let whole = ty.layout.is_none() && !ty.dynamic;
        let (to, view) = match self.choose.below(8) {
            0..3 => {
                let from = self.choose.below(rows - taken + 1);
                (sub(start.map(|s| s + from * strides[0]), false, sizes), View::Rows { from })
            }
            3 => {
                let at = self.ask(Ty::Index);
                (sub(None, false, sizes), View::RowsAt { at })
            }
            4 => {
                let count = self.ask(Ty::Index);
                (sub(start, true, ty.sizes.clone()), View::FirstRows { count })
            }
            5 if whole && ty.sizes.len() == 2 => {
                (MemTy { sizes: vec![ty.count()], ..ty.clone() }, View::Collapse)
            }
            5 if whole => {
                let sizes = std::iter::once(1).chain(ty.sizes.clone()).collect();
                (MemTy { sizes, ..ty.clone() }, View::Expand)
            }
            6 if whole => {
                let from = self.choose.pick(&[0, 0, 4]).min(ty.count() - 1);
                let left = ty.count() - from;
                let layout = Some((vec![1], Some(from)));
                (MemTy { sizes: vec![left], layout, ..ty.clone() }, View::Reinterpret { from })
            }
            _ if whole => (sub(None, false, ty.sizes.clone()), View::Cast),
            _ => return,
        };
        let fact = self.facts[source].clone();
        let dynamic = to.dynamic;
        let out = self.value(Ty::Mem(to), fact);
        self.out.push(Step::View { out, of: source, view });
        if dynamic {
            let ty = self.program.mem(out).clone();
            let gm = self.gm(&ty);
            if self.choose.percent(50) {
                self.act("store", Way::Whole, &[out], &[gm]);
            } else {
                self.act("load", Way::Whole, &[gm], &[out]);
            }
        } else {
            self.seen.push(out);
        }
    }

    pub(super) fn scalar(&mut self) {
        let value = self.source(None);
        let elem = self.program.mem(value).elem;
        match self.choose.below(4) {
            0 if elem == Elem::F32 => self.out.push(Step::Poke { of: value, what: SCALAR }),
            1 => {
                let out = self.value(Ty::Index, Fact::other());
                self.out.push(Step::Dim { out, of: value });
            }
            _ => {
                let out = self.value(Ty::Scalar(elem), Fact::other());
                self.out.push(Step::Peek { out, of: value });
            }
        }
    }

    pub(super) fn call(&mut self) {
        let sizes = self.choose.pick(&[vec![16], vec![32]]);
        let ty = MemTy::plain(sizes, Elem::F32, Space::Ub);
        let from = self.source(Some(&ty));
        if *self.program.mem(from) != ty {
            return;
        }
        let into = self.alloc(ty, false);
        let callee = self.choose.pick(&[Callee::Map, Callee::Map, Callee::Late]);
        self.write(into);
        self.out.push(Step::Call { callee, args: vec![from, into] });
    }

    /// One of two; with a buffer from outside, perhaps.
    pub(super) fn select(&mut self, outside: bool) {
        let yes = self.source(None);
        let ty = self.program.mem(yes).clone();
        let no = if outside {
            let arg = self.value(Ty::Mem(ty), Fact::other());
            self.program.args.push(arg);
            arg
        } else {
            let same = self.written(|t| *t == ty);
            same.unwrap_or(yes)
        };
        let cond = self.ask(Ty::Scalar(Elem::I1));
        let (yes, no) = if self.choose.percent(50) { (yes, no) } else { (no, yes) };
        let out = self.wild(yes, true);
        self.out.push(Step::Select { out, cond, yes, no });
        self.seen.push(out);
    }

    /// Two tiles to L1, their product to L0C, and out.
    pub(super) fn cube(&mut self) {
        let tile = MemTy::plain(vec![16, 16], Elem::F16, Space::L1);
        let product = MemTy::plain(vec![16, 16], Elem::F32, Space::L0c);
        let mut tiles = Vec::new();
        for _ in 0..2 {
            let old = self.written(|t| *t == tile);
            tiles.push(match old.filter(|_| self.choose.percent(30)) {
                Some(old) => old,
                None => {
                    let new = self.alloc(tile.clone(), false);
                    let gm = self.gm(&tile);
                    self.act("nd2nz", Way::Whole, &[gm], &[new]);
                    new
                }
            });
        }
        let old = self.written(|t| *t == product);
        let (out, extra, way) = match old.filter(|_| self.choose.percent(50)) {
            Some(old) => (old, ADD, Way::Adds),
            None => (self.alloc(product.clone(), false), ANEW, Way::Whole),
        };
        self.push(Act {
            name: "mmadL1",
            way,
            ins: tiles,
            extra,
            outs: vec![out],
            temp: None,
            attrs: Vec::new(),
        });
        let gm = self.gm(&product);
        self.act("fixpipe", Way::Whole, &[out], &[gm]);
    }
}
