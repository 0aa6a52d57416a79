//! Programs as text in the generic form.

use super::print::{Page, device, mark_text, name, names, operands, types};
use super::tree::{Act, If, Program, Step, Trips, Ty, Val, View, While, walk};

/// A dynamic entry of a static array.
const DYNAMIC: &str = "-9223372036854775808";
const FLAGS: &str = "memref<?xi1, #hivm.address_space<gm>>";
const NUMBERS: &str = "memref<?xi64, #hivm.address_space<gm>>";

/// The text of a program; called functions stay in the custom form, which may stand in between.
pub(crate) fn generic(program: &Program) -> String {
    let mut page = Page::new();
    page.line("\"builtin.module\"() ({");
    let mut callees: Vec<String> = Vec::new();
    walk(&program.body, &mut |step| {
        if let Step::Call { callee, args } = step {
            callees.push(callee.text(program, args));
        }
    });
    callees.sort();
    callees.dedup();
    callees.iter().flat_map(|c| c.lines()).for_each(|line| page.line(line));
    let mut kinds = vec![FLAGS.to_owned(), NUMBERS.to_owned()];
    kinds.extend(program.args.iter().map(|a| program.ty(*a)));
    let mut own = vec!["%flags".to_owned(), "%numbers".to_owned()];
    own.extend(program.args.iter().map(|a| name(*a)));
    let out = types(program, &program.returns);
    page.line(format!(
        "\"func.func\"() <{{function_type = ({}) -> ({out}), sym_name = \"kernel\"}}> ({{",
        kinds.join(", ")
    ));
    let head: Vec<String> = own.iter().zip(&kinds).map(|(a, t)| format!("{a}: {t}")).collect();
    page.line(format!("^bb0({}):", head.join(", ")));
    for n in [0, 1, 32, 64] {
        page.line(constant(&format!("%c{n}"), &format!("{n} : index"), "index"));
    }
    page.line(constant("%true", "true", "i1"));
    page.line(constant("%false", "false", "i1"));
    page.line(constant("%one", "1.0 : f32", "f32"));
    let mut printer = Printer { program, page };
    printer.steps(&program.body);
    printer.op("func.return", &program.returns, "");
    let mut page = printer.page;
    page.line("}) : () -> ()");
    page.line(format!("}}) {{{}}} : () -> ()", device(program)));
    page.text()
}

fn constant(name: &str, value: &str, ty: &str) -> String {
    format!("{name} = \"arith.constant\"() <{{value = {value}}}> : () -> {ty}")
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

    /// An op without results.
    fn op(&mut self, what: &str, values: &[Val], more: &str) {
        let (values, kinds) = (names(values), types(self.program, values));
        self.page.line(format!("\"{what}\"({values}){more} : ({kinds}) -> ()"));
    }

    fn step(&mut self, step: &Step) {
        let p = self.program;
        match step {
            Step::Alloc { out, marks } => {
                let segments = "<{operandSegmentSizes = array<i32: 0, 0>}>";
                let (value, ty) = (name(*out), p.ty(*out));
                self.page.line(format!("{value} = \"memref.alloc\"() {segments} : () -> {ty}"));
                for mark in marks {
                    let text = mark_text(*mark);
                    self.op("annotation.mark", &[*out], &format!(" {{{text}}}"));
                }
            }
            Step::Ask { out } => self.ask(*out),
            Step::View { out, of, view } => self.view(*out, *of, view),
            Step::Select { out, cond, yes, no } => {
                let (values, ty) = (names(&[*cond, *yes, *no]), p.ty(*out));
                let out = name(*out);
                self.page
                    .line(format!("{out} = \"arith.select\"({values}) : (i1, {ty}, {ty}) -> {ty}"));
            }
            Step::Act(act) => self.act(act),
            Step::Peek { out, of } => {
                let (at, kinds) = self.zeros(*of);
                let (out, of, ty, to) = (name(*out), name(*of), p.ty(*of), p.ty(*out));
                self.page
                    .line(format!("{out} = \"memref.load\"({of}{at}) : ({ty}{kinds}) -> {to}"));
            }
            Step::Poke { of, what } => {
                let (at, kinds) = self.zeros(*of);
                let (values, own) = (names(&[*what, *of]), types(p, &[*what, *of]));
                self.page.line(format!("\"memref.store\"({values}{at}) : ({own}{kinds}) -> ()"));
            }
            Step::Dim { out, of } => {
                let (out, of, ty) = (name(*out), name(*of), p.ty(*of));
                self.page
                    .line(format!("{out} = \"memref.dim\"({of}, %c0) : ({ty}, index) -> index"));
            }
            Step::Call { callee, args } => {
                let callee = callee.name(p, args);
                let more = format!(" <{{callee = @{callee}}}> {{hivm.vector_function, no_inline}}");
                self.op("func.call", args, &more);
            }
            Step::For { index, trips, carries, body } => {
                let inits: Vec<Val> = carries.iter().map(|c| c.init).collect();
                let args: Vec<Val> =
                    std::iter::once(*index).chain(carries.iter().map(|c| c.arg)).collect();
                let next: Vec<Val> = carries.iter().map(|c| c.next).collect();
                let results: Vec<Val> = carries.iter().map(|c| c.result).collect();
                let high = match trips {
                    Trips::Known(n) => {
                        let own = format!("%n{index}");
                        self.page.line(constant(&own, &format!("{n} : index"), "index"));
                        own
                    }
                    Trips::Unknown(value) => name(*value),
                };
                let more =
                    if inits.is_empty() { String::new() } else { format!(", {}", names(&inits)) };
                self.open(&results, "scf.for", &format!("%c0, {high}, %c1{more}"));
                self.block(&args, body, "scf.yield", &next);
                let kinds = std::iter::repeat_n("index".to_owned(), 3);
                let kinds = kinds.chain(inits.iter().map(|v| p.ty(*v))).collect::<Vec<_>>();
                self.close(&kinds.join(", "), &results);
            }
            Step::While(w) => self.while_loop(w),
            Step::If(branch) if branch.blocks => self.blocks(branch),
            Step::If(branch) => self.branch(branch),
            Step::Scope { results, body } => {
                let (out, inner): (Vec<Val>, Vec<Val>) = results.iter().copied().unzip();
                self.open(&out, "scope.scope", "");
                self.block(&[], body, "scope.return", &inner);
                self.close("", &out);
            }
        }
    }

    fn open(&mut self, results: &[Val], what: &str, operands: &str) {
        let made =
            if results.is_empty() { String::new() } else { format!("{} = ", names(results)) };
        self.page.line(format!("{made}\"{what}\"({operands}) ({{"));
    }

    fn close(&mut self, operands: &str, results: &[Val]) {
        let to = types(self.program, results);
        self.page.line(format!("}}) : ({operands}) -> ({to})"));
    }

    /// A block with its terminator.
    fn block(&mut self, args: &[Val], steps: &[Step], end: &str, values: &[Val]) {
        let p = self.program;
        if !args.is_empty() {
            let args: Vec<String> =
                args.iter().map(|a| format!("{}: {}", name(*a), p.ty(*a))).collect();
            self.page.line(format!("^bb0({}):", args.join(", ")));
        }
        self.page.depth += 1;
        self.steps(steps);
        if !(values.is_empty() && end == "scf.yield") {
            self.op(end, values, "");
        }
        self.page.depth -= 1;
    }

    fn while_loop(&mut self, w: &While) {
        let inits: Vec<Val> = w.heads.iter().map(|h| h.0).collect();
        let results: Vec<Val> = w.tails.iter().map(|t| t.2).collect();
        self.open(&results, "scf.while", &names(&inits));
        let heads: Vec<Val> = w.heads.iter().map(|h| h.1).collect();
        let passed: Vec<Val> = std::iter::once(w.cond).chain(w.tails.iter().map(|t| t.0)).collect();
        self.block(&heads, &w.before, "scf.condition", &passed);
        self.page.line("}, {");
        let args: Vec<Val> = w.tails.iter().map(|t| t.1).collect();
        let next: Vec<Val> = w.heads.iter().map(|h| h.2).collect();
        self.block(&args, &w.after, "scf.yield", &next);
        self.close(&types(self.program, &inits), &results);
    }

    fn branch(&mut self, branch: &If) {
        let results: Vec<Val> = branch.results.iter().map(|r| r.0).collect();
        self.open(&results, "scf.if", &name(branch.cond));
        let then: Vec<Val> = branch.results.iter().map(|r| r.1).collect();
        self.block(&[], &branch.then, "scf.yield", &then);
        self.page.line("}, {");
        if let Some(otherwise) = &branch.otherwise {
            let other: Vec<Val> = branch.results.iter().map(|r| r.2).collect();
            self.block(&[], otherwise, "scf.yield", &other);
            if otherwise.is_empty() && other.is_empty() {
                // An empty side is no side unless something says so.
                self.op("scf.yield", &[], "");
            }
        }
        self.close("i1", &results);
    }

    fn blocks(&mut self, branch: &If) {
        let p = self.program;
        self.page.labels += 3;
        let at = self.page.labels;
        let label = |n: usize| format!("^bb{}", at - n);
        let successors = format!("[{}, {}]", label(2), label(1));
        let segments = "<{operandSegmentSizes = array<i32: 1, 0, 0>}>";
        self.op("cf.cond_br", &[branch.cond], &format!("{successors} {segments}"));
        let then: Vec<Val> = branch.results.iter().map(|r| r.1).collect();
        let other: Vec<Val> = branch.results.iter().map(|r| r.2).collect();
        let otherwise = branch.otherwise.as_deref().unwrap_or_default();
        let mut sides = [(2, &branch.then[..], then), (1, otherwise, other)];
        if branch.cond % 2 == 1 {
            sides.reverse();
        }
        for (n, steps, values) in sides {
            self.page.line(format!("{}:", label(n)));
            self.steps(steps);
            self.op("cf.br", &values, &format!("[{}]", label(0)));
        }
        let args: Vec<String> =
            branch.results.iter().map(|r| format!("{}: {}", name(r.0), p.ty(r.0))).collect();
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        self.page.line(format!("{}{args}:", label(0)));
    }

    fn ask(&mut self, out: Val) {
        if self.program.types[out] == Ty::Index {
            self.page.line(format!(
                "%i{out} = \"memref.load\"(%numbers, %c0) : ({NUMBERS}, index) -> i64"
            ));
            let out_name = name(out);
            self.page.line(format!("{out_name} = \"arith.index_cast\"(%i{out}) : (i64) -> index"));
        } else {
            let out = name(out);
            self.page
                .line(format!("{out} = \"memref.load\"(%flags, %c0) : ({FLAGS}, index) -> i1"));
        }
    }

    fn view(&mut self, out: Val, of: Val, view: &View) {
        let p = self.program;
        let (from, to, source) = (p.ty(of), p.ty(out), name(of));
        let sizes = &p.mem(out).sizes;
        let array = |first: &str, rest: &[String]| {
            let all: Vec<String> =
                std::iter::once(first.to_owned()).chain(rest.iter().cloned()).collect();
            format!("array<i64: {}>", all.join(", "))
        };
        let (zeros, ones) =
            (vec!["0".to_owned(); sizes.len() - 1], vec!["1".to_owned(); sizes.len() - 1]);
        let rest: Vec<String> = sizes[1..].iter().map(u64::to_string).collect();
        let first = sizes[0].to_string();
        let sub = |segments: &str, at: &str, count: &str, more: Option<Val>| {
            let more = more.map_or((String::new(), ""), |v| (format!(", {}", name(v)), ", index"));
            format!(
                "\"memref.subview\"({source}{}) <{{operandSegmentSizes = array<i32: {segments}>, \
                 static_offsets = {}, static_sizes = {}, static_strides = {}}}> : ({from}{}) -> {to}",
                more.0,
                array(at, &zeros),
                array(count, &rest),
                array("1", &ones),
                more.1
            )
        };
        let text = match view {
            View::Rows { from } => sub("1, 0, 0, 0", &from.to_string(), &first, None),
            View::RowsAt { at } => sub("1, 1, 0, 0", DYNAMIC, &first, Some(*at)),
            View::FirstRows { count } => sub("1, 0, 1, 0", "0", DYNAMIC, Some(*count)),
            View::Collapse => format!(
                "\"memref.collapse_shape\"({source}) <{{reassociation = [[0, 1]]}}> : ({from}) -> {to}"
            ),
            View::Expand => format!(
                "\"memref.expand_shape\"({source}) <{{reassociation = [[0, 1]], static_output_shape = \
                 {}}}> : ({from}) -> {to}",
                array(&first, &rest)
            ),
            View::Reinterpret { from: start } => format!(
                "\"memref.reinterpret_cast\"({source}) <{{operandSegmentSizes = array<i32: 1, 0, 0, 0>, \
                 static_offsets = array<i64: {start}>, static_sizes = array<i64: {first}>, \
                 static_strides = array<i64: 1>}}> : ({from}) -> {to}"
            ),
            View::Cast => format!("\"memref.cast\"({source}) : ({from}) -> {to}"),
            View::Bytes { shift } => {
                format!("\"memref.view\"({source}, %c{shift}) : ({from}, index) -> {to}")
            }
        };
        self.page.line(format!("{} = {text}", name(out)));
    }

    fn act(&mut self, act: &Act) {
        let p = self.program;
        let (mut values, mut kinds) = operands(p, act);
        let behind: Vec<Val> = act.outs.iter().chain(&act.temp).copied().collect();
        values.extend(behind.iter().map(|v| name(*v)));
        kinds.extend(behind.iter().map(|v| p.ty(*v)));
        let mut attrs: Vec<String> = act.attrs.iter().map(|a| a.generic.to_owned()).collect();
        let temps = usize::from(act.temp.is_some());
        let segments = match act.name {
            "load" => Some("1, 1, 0, 0, 0, 0".to_owned()),
            "nd2nz" => Some("1, 1, 0, 0".to_owned()),
            "fixpipe" => Some("1, 1, 0, 0".to_owned()),
            "mmadL1" => Some("1, 1, 1, 1, 1, 1, 1, 0, 0, 0".to_owned()),
            "store" | "copy" | "vtanh" => None,
            "vreduce" => Some(format!("1, 1, {temps}, 0")),
            _ => Some(format!("{}, {}, {temps}", act.ins.len(), act.outs.len())),
        };
        attrs.extend(segments.map(|s| format!("operandSegmentSizes = array<i32: {s}>")));
        let attrs =
            if attrs.is_empty() { String::new() } else { format!(" <{{{}}}>", attrs.join(", ")) };
        let (values, kinds) = (values.join(", "), kinds.join(", "));
        self.page.line(format!("\"hivm.hir.{}\"({values}){attrs} : ({kinds}) -> ()", act.name));
    }

    /// Indices of the first element, and their types.
    fn zeros(&self, of: Val) -> (String, String) {
        let rank = self.program.mem(of).sizes.len();
        (", %c0".repeat(rank), ", index".repeat(rank))
    }
}
