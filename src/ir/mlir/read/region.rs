//! Regions and blocks.

use super::build::Draft;
use super::cursor::Reader;
use super::errors::{Read, syntax};
use super::token::Kind;
use crate::diag::{Code, Diagnostic};
use crate::ir::mlir::{BlockId, OpId, RegionId, Type};

/// Arguments of an entry block that the op names: their tokens and types.
pub(super) type Arguments = Vec<(usize, Type)>;

impl Reader<'_> {
    /// Reads `{..}` as a region of an op and adds it to the draft.
    pub(super) fn region_of(
        &mut self,
        op: OpId,
        d: &mut Draft,
        arguments: &Arguments,
    ) -> Read<RegionId> {
        let region = self.region(Some(op), arguments)?;
        d.regions.push(region);
        Ok(region)
    }

    /// Reads `{..}`.
    pub(super) fn region(&mut self, op: Option<OpId>, arguments: &Arguments) -> Read<RegionId> {
        let open = self.at;
        if self.peek() != Kind::LBrace {
            return Err(self.unexpected("`{` and a region"));
        }
        if let Err(error) = self.deeper() {
            // Not another word about what is in there.
            self.at = self.past(open);
            return Err(error);
        }
        self.at += 1;
        let (region, entry) = self.f.region(op);
        let labels = std::mem::take(&mut self.f.labels);
        let block = std::mem::replace(&mut self.f.block, entry);
        self.f.names.open();
        for (at, ty) in arguments {
            self.argument(*at, entry, ty.clone());
        }
        self.statements(region, open);
        self.undefined_blocks();
        self.f.names.close();
        self.f.block = block;
        self.f.labels = labels;
        self.depth -= 1;
        Ok(region)
    }

    /// Statements up to the `}` of the region that `open` opened.
    fn statements(&mut self, region: RegionId, open: usize) {
        loop {
            match self.peek() {
                Kind::RBrace => {
                    self.at += 1;
                    return;
                }
                Kind::End => return self.unclosed(open),
                // A function inside of a function: a `}` is missing before it.
                Kind::Word if self.starts_function(self.at) => return self.unclosed(open),
                Kind::Block => {
                    if let Err(error) = self.block_label(region) {
                        self.errors.push(error);
                        self.at = self.extent(self.at).end;
                    }
                }
                _ => self.statement(),
            }
        }
    }

    /// Says once, for the innermost of the regions that end here, that its `}` is missing.
    pub(super) fn unclosed(&mut self, open: usize) {
        if self.unclosed != Some(self.at) {
            self.unclosed = Some(self.at);
            let error = syntax(self.loc_of(open), "this region is never closed", "opened here");
            self.errors.push(Box::new(error.help("add the missing `}`")));
        }
    }

    /// `^name(%a : type, ..):`.
    fn block_label(&mut self, region: RegionId) -> Read<()> {
        let at = self.at;
        self.at += 1;
        let empty = {
            let blocks = &self.f.function.blocks;
            let entry = &blocks[self.f.block];
            // The label of the entry block itself.
            self.f.function.regions[region].blocks.len() == 1
                && entry.ops.is_empty()
                && entry.args.is_empty()
                && self.f.labels.values().all(|(block, _)| *block != self.f.block)
        };
        let name = self.word(at);
        let block = match self.f.labels.get(name) {
            Some((_, None)) => {
                let loc = self.loc_of(at);
                let message = format!("`{name}` is defined twice in one region");
                let error = Diagnostic::error(Code::HivmRedefinedValue, message);
                let error = error.at(loc, "defined again here");
                self.errors.push(Box::new(error.help("give one of the blocks another name")));
                self.f.block(region)
            }
            Some((block, Some(_))) => *block,
            None if empty => self.f.block,
            None => self.f.block(region),
        };
        self.f.labels.insert(name, (block, None));
        if block != self.f.block {
            let blocks = &mut self.f.function.regions[region].blocks;
            // A label that was a successor before may be that of the entry.
            if empty { blocks[0] = block } else { blocks.push(block) }
        }
        self.f.block = block;
        if self.peek() == Kind::LParen {
            let close = self.close(self.at)?;
            self.at += 1;
            while self.at < close {
                let at = self.expect(Kind::Value)?;
                self.expect(Kind::Colon)?;
                let ty = self.ty()?;
                self.optional_loc();
                self.argument(at, block, ty);
                if self.at < close {
                    self.expect(Kind::Comma)?;
                }
            }
            self.at = close + 1;
        }
        self.expect(Kind::Colon)?;
        // The body of the function is its first region.
        if empty && region.0 == 0 {
            self.f.entry_label = Some(self.token(self.at - 1).end);
        }
        Ok(())
    }

    /// Says which blocks of the region were named but never written.
    fn undefined_blocks(&mut self) {
        let mut missing: Vec<(BlockId, _, &str)> = Vec::new();
        for (name, (block, mention)) in &self.f.labels {
            if let Some(loc) = mention {
                missing.push((*block, *loc, *name));
            }
        }
        missing.sort_by_key(|(block, ..)| *block);
        for (_, loc, name) in missing {
            let message = format!("block `{name}` is not defined");
            let error = Diagnostic::error(Code::HivmUndefinedValue, message);
            self.errors.push(Box::new(
                error.at(loc, "named here, written nowhere").help("blocks are local to a region"),
            ));
        }
    }
}
