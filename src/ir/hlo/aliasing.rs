//! `output_to_operand_aliasing={{0}: (1, {}), {1}: (2, {0})}`.

use super::{InPlacePair, Instruction, ShapeIndex};

/// The pairs that the annotation says; none when it is missing or cannot be read.
pub(super) fn annotated(op: &Instruction) -> Vec<InPlacePair> {
    op.raw("output_to_operand_aliasing").and_then(read).unwrap_or_default()
}

/// Reads the annotation.
pub(super) fn read(text: &str) -> Option<Vec<InPlacePair>> {
    let mut rest = Rest(text);
    let mut pairs = Vec::new();
    rest.skip('{')?;
    while rest.skip('}').is_none() {
        let output_index = rest.index()?;
        rest.skip(':').and(rest.skip('('))?;
        let operand = rest.number()?;
        rest.skip(',')?;
        let operand_index = rest.index()?;
        rest.skip(')')?;
        pairs.push(InPlacePair { operand, operand_index, output_index });
        let _ = rest.skip(',');
    }
    Some(pairs)
}

/// What is left of the text.
struct Rest<'t>(&'t str);

impl Rest<'_> {
    fn skip(&mut self, sign: char) -> Option<()> {
        self.0 = self.0.trim_start().strip_prefix(sign)?;
        Some(())
    }

    fn number(&mut self) -> Option<u32> {
        let text = self.0.trim_start();
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (digits, rest) = text.split_at_checked(end)?;
        self.0 = rest;
        digits.parse().ok()
    }

    fn index(&mut self) -> Option<ShapeIndex> {
        let mut index = ShapeIndex::TOP;
        self.skip('{')?;
        while self.skip('}').is_none() {
            index.0.push(self.number()?);
            let _ = self.skip(',');
        }
        Some(index)
    }
}
