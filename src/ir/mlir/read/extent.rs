//! Where a statement ends (spec 8.3, point 3): at a line that starts another one, or at the `}`
//! of the region around it.

use super::cursor::Reader;
use super::token::Kind;

/// Dialects whose ops are recognized in the middle of a line.
const DIALECTS: [&str; 14] = [
    "affine",
    "annotation",
    "arith",
    "bufferization",
    "cf",
    "func",
    "hivm",
    "linalg",
    "math",
    "memref",
    "scf",
    "scope",
    "tensor",
    "vector",
];

/// The tokens of one statement.
pub(super) struct Extent {
    /// One past its last token.
    pub(super) end: usize,
    /// Its trailing `loc`, if any.
    pub(super) loc: Option<usize>,
    /// A bracket in it that nothing closes.
    pub(super) unclosed: Option<usize>,
    /// It holds a region.
    pub(super) region: bool,
}

impl Reader<'_> {
    /// The extent of the statement that starts at a token.
    pub(super) fn extent(&self, start: usize) -> Extent {
        let mut extent = Extent { end: start, loc: None, unclosed: None, region: false };
        let mut at = start;
        while at < self.end {
            let token = self.token(at);
            let next = if token.first { self.starts_statement(at) } else { self.squeezed(at) };
            if at > start && next {
                break;
            }
            let close = token.close().filter(|close| *close < self.end);
            match token.kind {
                Kind::RBrace => break,
                Kind::LBrace if !self.is_dict(at) => {
                    extent.region = true;
                    let Some(close) = close else {
                        at = self.end;
                        break;
                    };
                    at = close + 1;
                }
                Kind::LBrace | Kind::LParen | Kind::LSquare | Kind::Less => {
                    // A lone `<` may be a comparison.
                    let bracket = token.kind != Kind::Less || self.glued(at);
                    if close.is_none() && bracket && extent.unclosed.is_none() {
                        extent.unclosed = Some(at);
                    }
                    let next = close.unwrap_or(at) + 1;
                    let loc =
                        token.kind == Kind::LParen && at > start && self.word(at - 1) == "loc";
                    extent.loc = if loc { Some(at - 1) } else { extent.loc };
                    at = next;
                }
                _ => at += 1,
            }
        }
        extent.end = at;
        // Only a location at the very end is the statement's own.
        extent.loc = extent.loc.filter(|loc| self.past(loc + 1) == at);
        extent
    }

    /// True when a statement begins in the middle of a line, as printers never do but people may.
    fn squeezed(&self, at: usize) -> bool {
        let before = if at > 0 { self.kind(at - 1) } else { Kind::End };
        let word = if before == Kind::Word { self.word(at - 1) } else { "" };
        match self.kind(at) {
            // Neither the second of some results nor the induction variable of a loop.
            Kind::Value if before == Kind::Comma || word.contains('.') || word == "unsigned" => {
                false
            }
            Kind::Value => {
                let count = self.kind(at + 1) == Kind::Colon && self.kind(at + 2) == Kind::Int;
                self.kind(at + if count { 3 } else { 1 }) == Kind::Equal
            }
            Kind::Word if before == Kind::Equal => false,
            Kind::Word => {
                let dialect = self.word(at).split_once('.').map_or("", |(dialect, _)| dialect);
                self.word(at) == "return" || DIALECTS.contains(&dialect)
            }
            _ => false,
        }
    }

    /// True when a line that begins with this token begins a statement.
    pub(super) fn starts_statement(&self, at: usize) -> bool {
        // `%0 =` at the end of a line; no type or attribute is written like an op.
        let continued = at > 0 && self.kind(at - 1) == Kind::Equal;
        match self.kind(at) {
            Kind::Value => self.starts_results(at),
            Kind::Word => {
                let word = self.word(at);
                let op = word.contains('.') || ["return", "call", "module", "func"].contains(&word);
                op && !continued && !self.glued(at + 1) || self.starts_function(at)
            }
            Kind::Str => !continued && self.kind(at + 1) == Kind::LParen,
            Kind::Block => match self.kind(at + 1) {
                Kind::Colon => true,
                Kind::LParen => self.kind(self.past(at + 1)) == Kind::Colon,
                _ => false,
            },
            Kind::Hash | Kind::Bang => self.kind(at + 1) == Kind::Equal,
            _ => false,
        }
    }

    /// True when `%a[:n], .. =` starts at a token.
    pub(super) fn starts_results(&self, mut at: usize) -> bool {
        // Lists are short; a long one is no list of results.
        for _ in 0..64 {
            at += 1;
            if self.kind(at) == Kind::Colon && self.kind(at + 1) == Kind::Int {
                at += 2;
            }
            match self.kind(at) {
                Kind::Equal => return true,
                Kind::Comma if self.kind(at + 1) == Kind::Value => at += 1,
                _ => return false,
            }
        }
        false
    }

    /// True when a line begins with `func.func` here.
    pub(super) fn starts_function(&self, at: usize) -> bool {
        self.token(at).first && self.kind(at) == Kind::Word && self.word(at) == "func.func"
    }

    /// Where to go on after an error in the statement at `start`: at its end, or at a line in it
    /// that defines values; such lines stand in brackets only when one is missing.
    pub(super) fn resume(&self, start: usize, extent: &Extent) -> usize {
        let from = self.at.clamp(start, extent.end);
        let mut lines = (from + 1)..extent.end;
        let found = if extent.region {
            lines.find(|at| self.starts_function(*at))
        } else {
            lines.find(|at| {
                let line = self.token(*at).first && self.kind(*at) == Kind::Value;
                self.starts_function(*at) || line && self.starts_results(*at)
            })
        };
        found.unwrap_or(extent.end).max(start + 1)
    }
}
