//! The generic form: `"op"(operands)[successors] <{properties}> ({regions}) {attributes} : types`.

use super::allocs::segments;
use super::build::Draft;
use super::cursor::Reader;
use super::errors::{Read, syntax};
use super::plain::{FLOAT_PREDICATES, INT_PREDICATES, symbol};
use super::token::Kind;
use crate::ir::mlir::groups::{Group, ambiguous, distribute, groups};
use crate::ir::mlir::{Attr, Attrs, BlockId, OpId, Operand, Role, Successor, Type};

/// Attributes of the generic form that only say which operand or result is which.
const SEGMENTS: [&str; 5] = [
    "operandSegmentSizes",
    "operand_segment_sizes",
    "resultSegmentSizes",
    "result_segment_sizes",
    "case_operand_segments",
];

impl Reader<'_> {
    /// Reads what stands behind the quoted name.
    pub(super) fn generic(&mut self, name: &str, op: OpId, d: &mut Draft) -> Read<()> {
        let start = self.at;
        let open = self.expect(Kind::LParen)?;
        let close = self.close(open)?;
        self.operands(d)?;
        if self.at != close {
            return Err(self.unexpected("`,` or `)`"));
        }
        self.at += 1;
        let blocks = self.successors()?;
        if self.eat(Kind::Less) {
            self.dict(&mut d.attrs)?;
            self.expect(Kind::Greater)?;
        }
        if self.peek() == Kind::LParen {
            self.regions(name, op, d)?;
            if self.unclosed == Some(self.at) {
                return Ok(());
            }
        }
        self.optional_dict(&mut d.attrs)?;
        self.expect(Kind::Colon)?;
        self.paren_types()?;
        self.expect(Kind::Arrow)?;
        d.types = self.result_types()?;
        self.normalize(name, start, &blocks, d)
    }

    /// `[^a, ^b]`, if there.
    fn successors(&mut self) -> Read<Vec<BlockId>> {
        let mut blocks = Vec::new();
        if self.peek() != Kind::LSquare {
            return Ok(blocks);
        }
        let close = self.close(self.at)?;
        self.at += 1;
        while self.at < close {
            let at = self.expect(Kind::Block)?;
            blocks.push(self.label(at));
            if self.at < close {
                self.expect(Kind::Comma)?;
            }
        }
        self.at = close + 1;
        Ok(blocks)
    }

    /// `({..}, {..})`.
    fn regions(&mut self, name: &str, op: OpId, d: &mut Draft) -> Read<()> {
        self.expect(Kind::LParen)?;
        loop {
            let region = self.region_of(op, d, &Vec::new())?;
            if self.unclosed == Some(self.at) {
                return Ok(());
            }
            if !self.eat(Kind::Comma) {
                let f = &self.f.function;
                let empty = match f.regions[region].blocks.as_slice() {
                    [block] => f.blocks[*block].ops.is_empty(),
                    _ => false,
                };
                // The custom form has no word for the side that is not there.
                if name == "scf.if" && empty && d.regions.len() == 2 {
                    d.regions.pop();
                }
                self.expect(Kind::RParen)?;
                return Ok(());
            }
        }
    }

    /// Brings the attributes into the words of the custom form, and takes operands apart.
    fn normalize(
        &mut self,
        name: &str,
        start: usize,
        blocks: &[BlockId],
        d: &mut Draft,
    ) -> Read<()> {
        let loc = self.loc(start, self.at);
        let count = |attrs: &Attrs, name| -> Option<Vec<usize>> {
            let ints = attrs.get(name)?.ints()?;
            ints.iter().map(|n| usize::try_from(*n).ok()).collect()
        };
        let sizes = SEGMENTS[..2].iter().find_map(|name| count(&d.attrs, name));
        let cases = count(&d.attrs, SEGMENTS[4]);
        let mut attrs = Attrs::default();
        for (key, attr, loc) in std::mem::take(&mut d.attrs).into_items() {
            if SEGMENTS.contains(&key.as_str()) {
                continue;
            }
            let (key, attr) = translate(name, key, attr);
            attrs.push(key, attr, loc);
        }
        d.attrs = attrs;
        if let Some(sizes) = &sizes {
            let sum = sizes.iter().try_fold(0_usize, |sum, n| sum.checked_add(*n));
            if sum != Some(d.operands.len()) {
                let count = d.operands.len();
                let message =
                    format!("the segments of `{name}` do not add up to its {count} operands");
                let error = syntax(loc, message, "this operation");
                return Err(Box::new(error.help("correct `operandSegmentSizes`")));
            }
        }
        if !blocks.is_empty() {
            return self.pass(name, sizes, cases, blocks, d);
        }
        if let Some(table) = groups(name) {
            let counts = sizes.filter(|sizes| sizes.len() == table.len());
            let counts = counts.or_else(|| distribute(d.operands.len(), table));
            let Some(mut counts) = counts else { return Ok(()) };
            if name == "memref_ext.alloc_workspace" {
                self.argument_second(&mut counts, d);
            }
            roles(table, &counts, &mut d.operands);
            if ambiguous(table) && !d.operands.is_empty() {
                segments(d, &counts, loc);
            }
        } else if let (true, Some(sizes)) = (name.starts_with("hivm.hir."), sizes)
            && sizes.len() > 1
        {
            // Structured ops that the table lacks: sources, destinations, the rest.
            let outs = sizes[0]..sizes[0] + sizes[1];
            d.operands[outs].iter_mut().for_each(|o| o.role = Role::Out);
        }
        Ok(())
    }

    /// Hands operands to the successors.
    fn pass(
        &mut self,
        name: &str,
        sizes: Option<Vec<usize>>,
        cases: Option<Vec<usize>>,
        blocks: &[BlockId],
        d: &mut Draft,
    ) -> Read<()> {
        let counts = match (name, sizes, cases) {
            // The flag, the default's values, the cases' values.
            ("cf.switch", Some(sizes), Some(cases)) if sizes.len() > 1 => {
                [&sizes[..2], &cases].concat()
            }
            (_, Some(sizes), _) => sizes,
            (_, None, _) if blocks.len() == 1 => vec![0, d.operands.len()],
            _ => vec![d.operands.len()],
        };
        let mut rest = std::mem::take(&mut d.operands).into_iter();
        d.operands = rest.by_ref().take(counts.first().copied().unwrap_or(0)).collect();
        for (at, block) in blocks.iter().enumerate() {
            let count = counts.get(at + 1).copied().unwrap_or(0);
            let args = rest.by_ref().take(count).map(|o| o.value).collect();
            d.successors.push(Successor { block: *block, args });
        }
        Ok(())
    }

    /// A workspace whose argument is listed before its sizes: the memref tells.
    fn argument_second(&self, counts: &mut [usize], d: &mut Draft) {
        let memref = |o: &Operand| matches!(self.f.function.ty(o.value), Type::MemRef(_));
        if let [sizes, from, _] = counts
            && *sizes == 1
            && d.operands.first().is_some_and(memref)
        {
            d.operands[..1 + *from].rotate_left(1);
            std::mem::swap(sizes, from);
        }
    }
}

/// Gives operands the roles of their groups.
fn roles(table: &[Group], counts: &[usize], operands: &mut [Operand]) {
    let mut rest = operands.iter_mut();
    for (group, count) in table.iter().zip(counts) {
        rest.by_ref().take(*count).for_each(|operand| operand.role = group.role);
    }
}

/// An attribute as the custom form has it.
fn translate(op: &str, key: String, attr: Attr) -> (String, Attr) {
    let word = |attr: &Attr| attr.word().map(str::to_owned);
    match (op, key.as_str()) {
        ("func.call", "callee") | ("gpu.launch_func", "kernel") => {
            let callee = word(&attr).map_or(attr, |name| Attr::Str(symbol(&name)));
            ("callee".to_owned(), callee)
        }
        ("arith.cmpi", "predicate") => (key, predicate(&INT_PREDICATES, attr)),
        ("arith.cmpf", "predicate") => (key, predicate(&FLOAT_PREDICATES, attr)),
        ("hivm.hir.vreduce", "arith" | "reduce_op") => ("kind".to_owned(), attr),
        _ => (key, attr),
    }
}

fn predicate(words: &[&str], attr: Attr) -> Attr {
    let number = attr.int().and_then(|n| usize::try_from(n).ok());
    let word = number.and_then(|n| words.get(n));
    word.map_or(attr, |word| Attr::Str((*word).to_owned()))
}
