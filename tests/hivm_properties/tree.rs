//! A generated program as a tree: what the printers print, the interpreter runs and the shrinker cuts.

/// An SSA value; its type stands in [`Program::types`].
pub(crate) type Val = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elem {
    I1,
    I8,
    F16,
    F32,
    I32,
    I64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Gm,
    Ub,
    L1,
    L0c,
}

/// A memref type with the sizes that it has at most; what is dynamic prints as `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MemTy {
    pub(crate) sizes: Vec<u64>,
    /// The first size is not known.
    pub(crate) dynamic: bool,
    /// Strides, and the offset where it is known; none for the identity.
    pub(crate) layout: Option<(Vec<u64>, Option<u64>)>,
    pub(crate) elem: Elem,
    pub(crate) space: Space,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    Mem(MemTy),
    Scalar(Elem),
    Index,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Slots(u32),
    Unique,
    Preload,
}

/// How bytes of a value are seen through another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// `rows` of the first dimension from `from` on.
    Rows {
        from: u64,
    },
    /// As `Rows`, from a row that is known when it runs.
    RowsAt {
        at: Val,
    },
    /// The first rows, as many as are known when it runs.
    FirstRows {
        count: Val,
    },
    Collapse,
    Expand,
    /// The elements from `from` on, in one dimension.
    Reinterpret {
        from: u64,
    },
    Cast,
    /// Bytes from a shift on, as another element type.
    Bytes {
        shift: u64,
    },
}

/// How an op goes about its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Element by element, all inputs read before anything is written.
    Elementwise,
    /// It may write before it has read everything.
    Whole,
    /// As `Whole`, and adds to what was there.
    Adds,
}

/// A destination-style op: `ins` with what is read, `outs`, a temporary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Act {
    pub(crate) name: &'static str,
    pub(crate) way: Way,
    pub(crate) ins: Vec<Val>,
    /// Constants behind them: name and type.
    pub(crate) extra: &'static [(&'static str, &'static str)],
    pub(crate) outs: Vec<Val>,
    pub(crate) temp: Option<Val>,
    /// Attributes in both spellings.
    pub(crate) attrs: Vec<Attr>,
}

/// An attribute: behind the operands, or before `ins`, and in the properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attr {
    pub(crate) before: &'static str,
    pub(crate) after: &'static str,
    pub(crate) generic: &'static str,
}

/// What a called vector function does with its arguments, the last of which it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callee {
    /// `out[i] = f(in[i])`, one trip at a time.
    Map,
    /// Reads everything after it has written something.
    Late,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trips {
    Known(u64),
    /// Any number, from a value of this name.
    Unknown(Val),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Carry {
    pub(crate) init: Val,
    pub(crate) arg: Val,
    pub(crate) next: Val,
    pub(crate) result: Val,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct While {
    /// Init, argument of the first region, what the second region yields.
    pub(crate) heads: Vec<(Val, Val, Val)>,
    pub(crate) before: Vec<Step>,
    pub(crate) cond: Val,
    /// What the condition passes, argument of the second region, result.
    pub(crate) tails: Vec<(Val, Val, Val)>,
    pub(crate) after: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct If {
    pub(crate) cond: Val,
    /// Result, value of the first side, value of the other.
    pub(crate) results: Vec<(Val, Val, Val)>,
    pub(crate) then: Vec<Step>,
    pub(crate) otherwise: Option<Vec<Step>>,
    /// Written as blocks (`cf.cond_br`); at the top of a function.
    pub(crate) blocks: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Alloc {
        out: Val,
        marks: Vec<Mark>,
    },
    /// A scalar or index that nobody knows before it runs.
    Ask {
        out: Val,
    },
    View {
        out: Val,
        of: Val,
        view: View,
    },
    Select {
        out: Val,
        cond: Val,
        yes: Val,
        no: Val,
    },
    Act(Act),
    /// `memref.load` of the first element.
    Peek {
        out: Val,
        of: Val,
    },
    /// `memref.store` to the first element.
    Poke {
        of: Val,
        what: Val,
    },
    Dim {
        out: Val,
        of: Val,
    },
    Call {
        callee: Callee,
        args: Vec<Val>,
    },
    For {
        index: Val,
        trips: Trips,
        carries: Vec<Carry>,
        body: Vec<Step>,
    },
    While(While),
    If(If),
    /// `scope.scope`: results with what they are inside.
    Scope {
        results: Vec<(Val, Val)>,
        body: Vec<Step>,
    },
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Program {
    /// Where it came from.
    pub(crate) seed: u64,
    pub(crate) types: Vec<Ty>,
    pub(crate) args: Vec<Val>,
    pub(crate) body: Vec<Step>,
    pub(crate) returns: Vec<Val>,
    /// Bytes of UB, L1 and L0C.
    pub(crate) capacity: [u64; 3],
}

impl Elem {
    pub(crate) fn bits(self) -> u64 {
        match self {
            Self::I1 => 1,
            Self::I8 => 8,
            Self::F16 => 16,
            Self::F32 | Self::I32 => 32,
            Self::I64 => 64,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::I1 => "i1",
            Self::I8 => "i8",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::I32 => "i32",
            Self::I64 => "i64",
        }
    }
}

impl MemTy {
    pub(crate) fn plain(sizes: Vec<u64>, elem: Elem, space: Space) -> Self {
        Self { sizes, dynamic: false, layout: None, elem, space }
    }

    pub(crate) fn count(&self) -> u64 {
        self.sizes.iter().product()
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.count() * self.elem.bits()).div_ceil(8)
    }

    /// Strides in elements.
    pub(crate) fn strides(&self) -> Vec<u64> {
        if let Some((strides, _)) = &self.layout {
            return strides.clone();
        }
        let mut strides = vec![1; self.sizes.len()];
        for at in (1..self.sizes.len()).rev() {
            strides[at - 1] = strides[at] * self.sizes[at];
        }
        strides
    }

    pub(crate) fn print(&self) -> String {
        let mut dims = String::new();
        for (at, size) in self.sizes.iter().enumerate() {
            let size = if at == 0 && self.dynamic { "?".to_owned() } else { size.to_string() };
            dims += &format!("{size}x");
        }
        let layout = self.layout.as_ref().map_or(String::new(), |(strides, offset)| {
            let strides: Vec<String> = strides.iter().map(u64::to_string).collect();
            let offset = match offset {
                Some(0) => String::new(),
                Some(n) => format!(", offset: {n}"),
                None => ", offset: ?".to_owned(),
            };
            format!(", strided<[{}]{offset}>", strides.join(", "))
        });
        let space = match self.space {
            Space::Gm => "gm",
            Space::Ub => "ub",
            Space::L1 => "cbuf",
            Space::L0c => "cc",
        };
        format!("memref<{dims}{}{layout}, #hivm.address_space<{space}>>", self.elem.name())
    }
}

impl Program {
    pub(crate) fn mem(&self, value: Val) -> &MemTy {
        match &self.types[value] {
            Ty::Mem(ty) => ty,
            other => unreachable!("{value} is {other:?}"),
        }
    }

    pub(crate) fn is_mem(&self, value: Val) -> bool {
        matches!(self.types[value], Ty::Mem(_))
    }

    pub(crate) fn ty(&self, value: Val) -> String {
        match &self.types[value] {
            Ty::Mem(ty) => ty.print(),
            Ty::Scalar(elem) => elem.name().to_owned(),
            Ty::Index => "index".to_owned(),
        }
    }

    /// True when control only goes down.
    pub(crate) fn is_straight(&self) -> bool {
        let nested = |s: &Step| {
            matches!(s, Step::For { .. } | Step::While(_) | Step::If(_) | Step::Scope { .. })
        };
        !self.body.iter().any(nested)
    }
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "program of seed {}:\n{}", self.seed, super::print::custom(self))
    }
}

impl Step {
    /// The blocks inside.
    pub(crate) fn blocks(&self) -> Vec<&Vec<Step>> {
        match self {
            Self::For { body, .. } | Self::Scope { body, .. } => vec![body],
            Self::While(w) => vec![&w.before, &w.after],
            Self::If(i) => std::iter::once(&i.then).chain(&i.otherwise).collect(),
            _ => Vec::new(),
        }
    }
}

/// All steps, outer ones first.
pub(crate) fn walk<'a>(steps: &'a [Step], see: &mut impl FnMut(&'a Step)) {
    for step in steps {
        see(step);
        for block in step.blocks() {
            walk(block, see);
        }
    }
}
