//! Small specs of the program form: loops with known, unknown and no trips, branches, views,
//! selections, carries, slots. Every byte string gives one that can be read.

use std::fmt::Write;

use super::bytes::Bytes;

/// A spec with one scope `ub` and one function.
pub(crate) fn generate(bytes: &[u8]) -> String {
    let mut bytes = Bytes::new(bytes);
    let mut out = head(&mut bytes);
    out.push_str(&Program::new(&mut bytes, "").text());
    out
}

/// A spec with one function for each byte string.
pub(crate) fn functions(each: &[&[u8]]) -> String {
    let mut out = "version = 1\n\n[[scope]]\nname = \"ub\"\ncapacity = 12\n".to_owned();
    for (at, bytes) in each.iter().enumerate() {
        let _ = write!(out, "\n[[function]]\nname = \"f{at}\"\n");
        out.push_str(&Program::new(&mut Bytes::new(bytes), "function.").text());
    }
    out
}

fn head(bytes: &mut Bytes<'_>) -> String {
    let mut out = "version = 1\n\n[[scope]]\nname = \"ub\"\n".to_owned();
    let _ = writeln!(out, "alignment = {}", bytes.pick(&[1, 2, 4]));
    if !bytes.one_in(4) {
        let _ = writeln!(out, "capacity = {}", 8 + bytes.below(24));
    }
    out
}

/// A value that an op may name.
#[derive(Clone)]
struct Name {
    text: String,
    /// Bytes, where they are known.
    size: Option<usize>,
}

struct Program<'a, 'b> {
    bytes: &'a mut Bytes<'b>,
    /// `function.` or nothing, before each table's name.
    prefix: &'static str,
    buffers: String,
    aliases: String,
    regions: String,
    ops: String,
    counts: [usize; 4],
    /// A multi-buffer that waits for the loop that it rotates in.
    waiting: Option<Name>,
}

/// Ops of one program, at most; keeps the executor and the oracle quick.
const MAX_OPS: usize = 9;

impl<'a, 'b> Program<'a, 'b> {
    fn new(bytes: &'a mut Bytes<'b>, prefix: &'static str) -> Self {
        let empty = String::new;
        let mut program = Self {
            bytes,
            prefix,
            buffers: empty(),
            aliases: empty(),
            regions: empty(),
            ops: empty(),
            counts: [0; 4],
            waiting: None,
        };
        let mut names = program.declare();
        program.region("", 0, &mut names);
        program
    }

    fn text(self) -> String {
        [self.buffers, self.aliases, self.regions, self.ops].concat()
    }

    fn declare(&mut self) -> Vec<Name> {
        let mut names = Vec::new();
        let prefix = self.prefix;
        for at in 0..2 + self.bytes.below(3) {
            let size = *self.bytes.pick(&[4, 2, 8, 1, 0, 6]);
            let text = format!("b{at}");
            let table = format!("\n[[{prefix}buffer]]\nname = \"{text}\"\nsize = {size}\n");
            self.buffers.push_str(&table);
            if self.bytes.one_in(6) {
                let words = ["output", "donated", "persistent", "parameter", "constant"];
                let _ = writeln!(self.buffers, "class = \"{}\"", self.bytes.pick(&words));
            }
            if self.bytes.one_in(9) {
                self.buffers.push_str("preload = true\n");
            }
            names.push(Name { text, size: Some(size) });
        }
        if self.bytes.one_in(2) {
            let size = *self.bytes.pick(&[2, 4]);
            let slots = 2 + self.bytes.below(2);
            let text = "m".to_owned();
            let _ = write!(
                self.buffers,
                "\n[[{prefix}buffer]]\nname = \"m\"\nsize = {size}\nslots = {slots}\n"
            );
            self.waiting = Some(Name { text, size: Some(size) });
        }
        for at in 0..self.bytes.below(3) {
            let base = self.bytes.pick(&names).clone();
            let text = format!("v{at}");
            let mut size = base.size;
            let how = match (self.bytes.below(3), base.size) {
                (0, Some(all)) if all >= 2 => {
                    let lo = self.bytes.below(all - 1);
                    let hi = lo + 1 + self.bytes.below(all - lo);
                    size = Some(hi - lo);
                    format!("of = [\"{}\"]\nrange = [{lo}, {hi}]\n", base.text)
                }
                (1, _) => {
                    let other = self.bytes.pick(&names).clone();
                    size = None;
                    format!("of = [\"{}\", \"{}\"]\n", base.text, other.text)
                }
                _ => {
                    size = size.filter(|_| self.bytes.one_in(2));
                    let unknown = if size.is_none() { "unknown = true\n" } else { "" };
                    format!("of = [\"{}\"]\n{unknown}", base.text)
                }
            };
            let _ = write!(self.aliases, "\n[[{prefix}alias]]\nname = \"{text}\"\n{how}");
            names.push(Name { text, size });
        }
        names
    }

    /// Statements of a region; names that they define outlive them in `names`.
    fn region(&mut self, place: &str, depth: usize, names: &mut Vec<Name>) {
        // Even a side of a branch has an op, so that regions stand where they are written.
        let count = 1 + self.bytes.below(if depth == 0 { 5 } else { 3 });
        for _ in 0..count {
            if self.counts[0] >= MAX_OPS {
                return;
            }
            match self.bytes.below(5) {
                3 if depth < 3 => self.a_loop(place, depth, names),
                4 if depth < 3 => self.branch(place, depth, names),
                _ => self.op(place, names),
            }
        }
    }

    fn fresh(&mut self, what: usize, letter: &str) -> String {
        self.counts[what] += 1;
        format!("{letter}{}", self.counts[what])
    }

    fn within(place: &str) -> String {
        if place.is_empty() { String::new() } else { format!("in = \"{place}\"\n") }
    }

    fn a_loop(&mut self, place: &str, depth: usize, names: &mut Vec<Name>) {
        let prefix = self.prefix;
        let name = self.fresh(1, "l");
        let mut inside = names.clone();
        if self.waiting.is_some() && self.bytes.one_in(2) {
            inside.extend(self.waiting.take());
        }
        let trips = *self.bytes.pick(&[
            "",
            "trips = 2\n",
            "trips = 3\n",
            "trips = 0\n",
            "trips = 1\n",
            "at_least = 1\n",
        ]);
        let mut carries = Vec::new();
        let mut results = Vec::new();
        for _ in 0..self.bytes.below(3) {
            let (c, r) = (self.fresh(3, "c"), self.fresh(3, "r"));
            let init = self.bytes.pick(names).text.clone();
            carries.push((c.clone(), init, r.clone()));
            inside.push(Name { text: c, size: None });
            results.push(Name { text: r, size: None });
        }
        self.op(&name, &inside);
        self.region(&name, depth + 1, &mut inside);
        let tables: Vec<String> = carries
            .iter()
            .map(|(c, init, r)| {
                let next = &self.bytes.pick(&inside).text;
                // A rotating buffer means this trip's slot: not what a carry wants.
                let next = if next == "m" { c } else { next };
                format!(
                    "{{ name = \"{c}\", init = \"{init}\", next = \"{next}\", result = \"{r}\" }}"
                )
            })
            .collect();
        let _ = write!(
            self.regions,
            "\n[[{prefix}loop]]\nname = \"{name}\"\n{}{trips}carries = [{}]\n",
            Self::within(place),
            tables.join(", ")
        );
        names.extend(results);
    }

    fn branch(&mut self, place: &str, depth: usize, names: &mut Vec<Name>) {
        let prefix = self.prefix;
        let name = self.fresh(2, "i");
        let mut results = String::new();
        let mut sides = [names.clone(), names.clone()];
        for (side, word) in sides.iter_mut().zip(["then", "else"]) {
            let here = format!("{name}.{word}");
            self.op(&here, side);
            self.region(&here, depth + 1, side);
        }
        if self.bytes.one_in(2) {
            let r = self.fresh(3, "r");
            let then = self.bytes.pick(&sides[0]).text.clone();
            let other = self.bytes.pick(&sides[1]).text.clone();
            results = format!(
                "results = [{{ name = \"{r}\", then = \"{then}\", else = \"{other}\" }}]\n"
            );
            names.push(Name { text: r, size: None });
        }
        let _ = write!(
            self.regions,
            "\n[[{prefix}branch]]\nname = \"{name}\"\n{}{results}",
            Self::within(place)
        );
    }

    fn op(&mut self, place: &str, names: &[Name]) {
        let prefix = self.prefix;
        let name = self.fresh(0, "o");
        let pipe = *self.bytes.pick(&["V", "MTE2", "MTE3", "V", "S"]);
        let _ = write!(
            self.ops,
            "\n[[{prefix}op]]\nname = \"{name}\"\n{}pipe = \"{pipe}\"\n",
            Self::within(place)
        );
        let write = self.operand(names);
        let mut reads = Vec::new();
        for _ in 0..self.bytes.below(3) {
            reads.push(self.operand(names));
        }
        let _ = writeln!(self.ops, "reads = [{}]", reads.join(", "));
        if !self.bytes.one_in(4) {
            let _ = writeln!(self.ops, "writes = [{write}]");
        }
        if self.bytes.one_in(6) {
            let temp = self.bytes.pick(names).text.clone();
            let _ = writeln!(self.ops, "temps = [\"{temp}\"]");
        }
        if self.bytes.one_in(2) {
            self.ops.push_str("inplace = \"any\"\n");
        }
    }

    fn operand(&mut self, names: &[Name]) -> String {
        let name = self.bytes.pick(names).clone();
        match name.size {
            Some(size @ 2..) if self.bytes.one_in(4) => {
                let lo = self.bytes.below(size - 1);
                let hi = lo + 1 + self.bytes.below(size - lo);
                let partial = self.bytes.one_in(3);
                let value = name.text;
                format!("{{ value = \"{value}\", bytes = [{lo}, {hi}], partial = {partial} }}")
            }
            _ => format!("\"{}\"", name.text),
        }
    }
}
