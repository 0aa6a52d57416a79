//! Programs as text in the custom form.

use super::tree::{Act, Callee, If, Mark, Program, Step, Trips, Ty, Val, View, While};

/// Lines with their depth.
pub(crate) struct Page {
    lines: Vec<String>,
    pub(crate) depth: usize,
    /// Labels of blocks given out.
    pub(crate) labels: usize,
}

impl Page {
    pub(crate) fn new() -> Self {
        Self { lines: Vec::new(), depth: 0, labels: 0 }
    }

    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push(format!("{}{}", "  ".repeat(self.depth), text.as_ref()));
    }

    pub(crate) fn text(self) -> String {
        self.lines.join("\n") + "\n"
    }
}

/// Names of values: those of arguments, constants and the rest.
pub(crate) fn name(value: Val) -> String {
    format!("%v{value}")
}

pub(crate) fn names(values: &[Val]) -> String {
    values.iter().map(|v| name(*v)).collect::<Vec<_>>().join(", ")
}

pub(crate) fn types(program: &Program, values: &[Val]) -> String {
    values.iter().map(|v| program.ty(*v)).collect::<Vec<_>>().join(", ")
}

/// The head of the module: the sizes of the memories in bits.
pub(crate) fn device(program: &Program) -> String {
    let [ub, l1, l0c] = program.capacity.map(|bytes| bytes * 8);
    let all = [
        ("UB_SIZE", ub),
        ("L1_SIZE", l1),
        ("L0A_SIZE", 524_288),
        ("L0B_SIZE", 524_288),
        ("L0C_SIZE", l0c),
        ("UB_ALIGN_SIZE", 256),
        ("L1_ALIGN_SIZE", 256),
        ("L0C_ALIGN_SIZE", 4096),
    ];
    let entries: Vec<String> =
        all.iter().map(|(k, n)| format!("#dlti.dl_entry<\"{k}\", {n} : i32>")).collect();
    format!(
        "dlti.target_system_spec = #dlti.target_system_spec<\"NPU\" : #hacc.target_device_spec<{}>>",
        entries.join(", ")
    )
}

/// The functions that are called, in the custom form.
const CALLEES: &str = "\
func.func @NAME(%a: TYPE, %b: TYPE) attributes {hivm.vector_function} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read READ[%c0], %z : TYPE, vector<8xf32>
  vector.transfer_write %v, %b[%c0] : vector<8xf32>, TYPE
TAIL  return
}";

impl Callee {
    pub(crate) fn name(self, program: &Program, args: &[Val]) -> String {
        let ty = program.mem(args[0]);
        let dims: Vec<String> = ty.sizes.iter().map(u64::to_string).collect();
        let own = if self == Self::Map { "map" } else { "late" };
        format!("{own}_{}", dims.join("x"))
    }

    /// The function itself.
    pub(crate) fn text(self, program: &Program, args: &[Val]) -> String {
        let ty = program.ty(args[0]);
        let tail = match self {
            Self::Map => "",
            Self::Late => {
                "  %w = vector.transfer_read %a[%c4], %z : TYPE, vector<8xf32>\n  \
                 vector.transfer_write %w, %b[%c4] : vector<8xf32>, TYPE\n"
            }
        };
        CALLEES
            .replace("TAIL", tail)
            .replace("NAME", &self.name(program, args))
            .replace("READ", "%a")
            .replace("TYPE", &ty)
    }
}

/// The text of a program.
pub(crate) fn custom(program: &Program) -> String {
    let mut page = Page::new();
    page.line(format!("module attributes {{{}}} {{", device(program)));
    let mut callees: Vec<String> = Vec::new();
    super::tree::walk(&program.body, &mut |step| {
        if let Step::Call { callee, args } = step {
            callees.push(callee.text(program, args));
        }
    });
    callees.sort();
    callees.dedup();
    for callee in callees {
        callee.lines().for_each(|line| page.line(line));
    }
    let args: Vec<String> =
        program.args.iter().map(|a| format!("{}: {}", name(*a), program.ty(*a))).collect();
    let out = if program.returns.is_empty() {
        String::new()
    } else {
        format!(" -> ({})", types(program, &program.returns))
    };
    page.line(format!(
        "func.func @kernel(%flags: memref<?xi1, #hivm.address_space<gm>>, %numbers: memref<?xi64, \
         #hivm.address_space<gm>>, {}){out} {{",
        args.join(", ")
    ));
    page.depth += 1;
    for n in [0, 1, 32, 64] {
        page.line(format!("%c{n} = arith.constant {n} : index"));
    }
    page.line("%true = arith.constant true");
    page.line("%false = arith.constant false");
    page.line("%one = arith.constant 1.0 : f32");
    let mut printer = Printer { program, page };
    printer.steps(&program.body);
    let mut page = printer.page;
    if program.returns.is_empty() {
        page.line("return");
    } else {
        page.line(format!(
            "return {} : {}",
            names(&program.returns),
            types(program, &program.returns)
        ));
    }
    page.depth -= 1;
    page.line("}");
    page.line("}");
    page.text()
}

struct Printer<'a> {
    program: &'a Program,
    page: Page,
}

impl Printer<'_> {
    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            self.step(step);
        }
    }

    fn block(&mut self, steps: &[Step]) {
        self.page.depth += 1;
        self.steps(steps);
        self.page.depth -= 1;
    }

    fn of(&self, values: &[Val]) -> String {
        format!("{} : {}", names(values), types(self.program, values))
    }

    fn step(&mut self, step: &Step) {
        let p = self.program;
        match step {
            Step::Alloc { out, marks } => {
                self.page.line(format!("{} = memref.alloc() : {}", name(*out), p.ty(*out)));
                for mark in marks {
                    let text = mark_text(*mark);
                    let ty = p.ty(*out);
                    self.page.line(format!("annotation.mark {} {{{text}}} : {ty}", name(*out)));
                }
            }
            Step::Ask { out } => self.ask(*out),
            Step::View { out, of, view } => {
                let line = format!("{} = {}", name(*out), self.view(*out, *of, view));
                self.page.line(line);
            }
            Step::Select { out, cond, yes, no } => self.page.line(format!(
                "{} = arith.select {} : {}",
                name(*out),
                names(&[*cond, *yes, *no]),
                p.ty(*out)
            )),
            Step::Act(act) => self.act(act),
            Step::Peek { out, of } => {
                let at = zeros(p, *of);
                let (out, of, ty) = (name(*out), name(*of), p.ty(*of));
                self.page.line(format!("{out} = memref.load {of}[{at}] : {ty}"));
            }
            Step::Poke { of, what } => {
                let at = zeros(p, *of);
                let line =
                    format!("memref.store {}, {}[{at}] : {}", name(*what), name(*of), p.ty(*of));
                self.page.line(line);
            }
            Step::Dim { out, of } => {
                let line =
                    format!("{} = memref.dim {}, %c0 : {}", name(*out), name(*of), p.ty(*of));
                self.page.line(line);
            }
            Step::Call { callee, args } => self.page.line(format!(
                "func.call @{}({}) {{hivm.vector_function, no_inline}} : ({}) -> ()",
                callee.name(p, args),
                names(args),
                types(p, args)
            )),
            Step::For { index, trips, carries, body } => {
                let (inits, args): (Vec<Val>, Vec<Val>) =
                    carries.iter().map(|c| (c.init, c.arg)).unzip();
                let results: Vec<Val> = carries.iter().map(|c| c.result).collect();
                let high = match trips {
                    Trips::Known(n) => {
                        self.page.line(format!("%n{index} = arith.constant {n} : index"));
                        format!("%n{index}")
                    }
                    Trips::Unknown(value) => name(*value),
                };
                let carried = if carries.is_empty() {
                    String::new()
                } else {
                    let pairs: Vec<String> = args
                        .iter()
                        .zip(&inits)
                        .map(|(a, i)| format!("{} = {}", name(*a), name(*i)))
                        .collect();
                    format!(" iter_args({}) -> ({})", pairs.join(", "), types(p, &inits))
                };
                let made = made(&results);
                self.page.line(format!(
                    "{made}scf.for {} = %c0 to {high} step %c1{carried} {{",
                    name(*index)
                ));
                self.block(body);
                let next: Vec<Val> = carries.iter().map(|c| c.next).collect();
                self.yields("scf.yield", &next);
                self.page.line("}");
            }
            Step::While(w) => self.while_loop(w),
            Step::If(branch) if branch.blocks => self.blocks(branch),
            Step::If(branch) => self.branch(branch),
            Step::Scope { results, body } => {
                let (out, inner): (Vec<Val>, Vec<Val>) = results.iter().copied().unzip();
                let made = made(&out);
                let types = types(p, &out);
                self.page.line(format!("{made}scope.scope : () -> ({types}) {{"));
                self.block(body);
                self.page.depth += 1;
                if inner.is_empty() {
                    self.page.line("scope.return");
                } else {
                    let of = self.of(&inner);
                    self.page.line(format!("scope.return {of}"));
                }
                self.page.depth -= 1;
                self.page.line("}");
            }
        }
    }

    fn ask(&mut self, out: Val) {
        match self.program.types[out] {
            Ty::Index => {
                self.page.line(format!(
                    "%i{out} = memref.load %numbers[%c0] : memref<?xi64, #hivm.address_space<gm>>"
                ));
                self.page.line(format!("{} = arith.index_cast %i{out} : i64 to index", name(out)));
            }
            _ => self.page.line(format!(
                "{} = memref.load %flags[%c0] : memref<?xi1, #hivm.address_space<gm>>",
                name(out)
            )),
        }
    }

    fn view(&self, out: Val, of: Val, view: &View) -> String {
        let p = self.program;
        let (from, to, source) = (p.ty(of), p.ty(out), name(of));
        let sizes = &p.mem(out).sizes;
        let rest = |first: String, other: &str| {
            let others = std::iter::repeat_n(other.to_owned(), sizes.len() - 1);
            std::iter::once(first).chain(others).collect::<Vec<_>>().join(", ")
        };
        let rows = |first: String| {
            let others = sizes[1..].iter().map(u64::to_string);
            std::iter::once(first).chain(others).collect::<Vec<_>>().join(", ")
        };
        let ones = rest("1".to_owned(), "1");
        let sub = |at: String, count: String| {
            format!(
                "memref.subview {source}[{}] [{}] [{ones}] : {from} to {to}",
                rest(at, "0"),
                rows(count)
            )
        };
        match view {
            View::Rows { from } => sub(from.to_string(), sizes[0].to_string()),
            View::RowsAt { at } => sub(name(*at), sizes[0].to_string()),
            View::FirstRows { count } => sub("0".to_owned(), name(*count)),
            View::Collapse => {
                format!("memref.collapse_shape {source} [[0, 1]] : {from} into {to}")
            }
            View::Expand => {
                let dims: Vec<String> = sizes.iter().map(u64::to_string).collect();
                format!(
                    "memref.expand_shape {source} [[0, 1]] output_shape [{}] : {from} into {to}",
                    dims.join(", ")
                )
            }
            View::Reinterpret { from: start } => format!(
                "memref.reinterpret_cast {source} to offset: [{start}], sizes: [{}], strides: [1] : \
                 {from} to {to}",
                sizes[0]
            ),
            View::Cast => format!("memref.cast {source} : {from} to {to}"),
            View::Bytes { shift } => format!("memref.view {source}[%c{shift}][] : {from} to {to}"),
        }
    }

    fn act(&mut self, act: &Act) {
        let before: String = act.attrs.iter().map(|a| a.before).collect();
        let after: String = act.attrs.iter().map(|a| a.after).collect();
        let (values, kinds) = operands(self.program, act);
        let ins = format!(" ins({} : {})", values.join(", "), kinds.join(", "));
        let outs = self.of(&act.outs);
        let temp = act.temp.map_or(String::new(), |t| format!(" temp_buffer({})", self.of(&[t])));
        self.page.line(format!("hivm.hir.{}{before}{ins} outs({outs}){temp}{after}", act.name));
    }

    fn yields(&mut self, word: &str, values: &[Val]) {
        if values.is_empty() {
            return;
        }
        let of = self.of(values);
        self.page.depth += 1;
        self.page.line(format!("{word} {of}"));
        self.page.depth -= 1;
    }

    fn while_loop(&mut self, w: &While) {
        let p = self.program;
        let pairs: Vec<String> = w
            .heads
            .iter()
            .map(|(init, arg, _)| format!("{} = {}", name(*arg), name(*init)))
            .collect();
        let inits: Vec<Val> = w.heads.iter().map(|h| h.0).collect();
        let results: Vec<Val> = w.tails.iter().map(|t| t.2).collect();
        let made = made(&results);
        let (from, to) = (types(p, &inits), types(p, &results));
        self.page.line(format!("{made}scf.while ({}) : ({from}) -> ({to}) {{", pairs.join(", ")));
        self.block(&w.before);
        let passed: Vec<Val> = w.tails.iter().map(|t| t.0).collect();
        self.page.depth += 1;
        let (cond, of) = (name(w.cond), self.of(&passed));
        self.page.line(format!("scf.condition({cond}) {of}"));
        self.page.depth -= 1;
        self.page.line("} do {");
        let args: Vec<String> =
            w.tails.iter().map(|(_, arg, _)| format!("{}: {}", name(*arg), p.ty(*arg))).collect();
        self.page.line(format!("^bb0({}):", args.join(", ")));
        self.block(&w.after);
        let next: Vec<Val> = w.heads.iter().map(|h| h.2).collect();
        self.yields("scf.yield", &next);
        self.page.line("}");
    }

    fn branch(&mut self, branch: &If) {
        let results: Vec<Val> = branch.results.iter().map(|r| r.0).collect();
        let made = made(&results);
        let to = if results.is_empty() {
            String::new()
        } else {
            format!("-> ({}) ", types(self.program, &results))
        };
        self.page.line(format!("{made}scf.if {} {to}{{", name(branch.cond)));
        self.block(&branch.then);
        let then: Vec<Val> = branch.results.iter().map(|r| r.1).collect();
        self.yields("scf.yield", &then);
        if let Some(otherwise) = &branch.otherwise {
            self.page.line("} else {");
            self.block(otherwise);
            let other: Vec<Val> = branch.results.iter().map(|r| r.2).collect();
            self.yields("scf.yield", &other);
        }
        self.page.line("}");
    }

    fn blocks(&mut self, branch: &If) {
        let p = self.program;
        self.page.labels += 3;
        let at = self.page.labels;
        let (one, two, join) =
            (format!("^bb{}", at - 2), format!("^bb{}", at - 1), format!("^bb{at}"));
        self.page.line(format!("cf.cond_br {}, {one}, {two}", name(branch.cond)));
        let mut sides = [(one, Some(&branch.then), 1), (two, branch.otherwise.as_ref(), 2)];
        // Blocks stand in any order.
        if branch.cond % 2 == 1 {
            sides.reverse();
        }
        for (label, steps, which) in sides {
            self.page.line(format!("{label}:"));
            self.steps(steps.map_or(&[][..], Vec::as_slice));
            let passed: Vec<Val> =
                branch.results.iter().map(|r| if which == 1 { r.1 } else { r.2 }).collect();
            if passed.is_empty() {
                self.page.line(format!("cf.br {join}"));
            } else {
                let of = self.of(&passed);
                self.page.line(format!("cf.br {join}({of})"));
            }
        }
        let args: Vec<String> =
            branch.results.iter().map(|r| format!("{}: {}", name(r.0), p.ty(r.0))).collect();
        if args.is_empty() {
            self.page.line(format!("{join}:"));
        } else {
            self.page.line(format!("{join}({}):", args.join(", ")));
        }
    }
}

/// What stands in `ins`: values and types.
pub(crate) fn operands(program: &Program, act: &Act) -> (Vec<String>, Vec<String>) {
    let own = act.ins.iter().map(|v| (name(*v), program.ty(*v)));
    let more = act.extra.iter().map(|(value, ty)| ((*value).to_owned(), (*ty).to_owned()));
    own.chain(more).unzip()
}

/// `%a, %b = `, or nothing.
fn made(results: &[Val]) -> String {
    if results.is_empty() { String::new() } else { format!("{} = ", names(results)) }
}

fn zeros(program: &Program, of: Val) -> String {
    vec!["%c0"; program.mem(of).sizes.len()].join(", ")
}

pub(crate) fn mark_text(mark: Mark) -> String {
    match mark {
        Mark::Slots(n) => format!("hivm.multi_buffer = {n} : i32"),
        Mark::Unique => "mem_unique".to_owned(),
        Mark::Preload => "hivm.preload_local_buffer = 1 : i32".to_owned(),
    }
}
