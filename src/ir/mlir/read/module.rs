//! Modules: what stands outside of functions.

use super::aliases;
use super::cursor::Reader;
use super::errors::{Read, syntax};
use super::token::Kind;
use crate::ir::mlir::{Attrs, Chunk};

impl Reader<'_> {
    /// Reads functions, modules and other statements up to the `}` of the module that `open`
    /// opened, or to the end of the chunk. `level` counts the modules around.
    pub(super) fn items(&mut self, chunk: &mut Chunk, level: u32, open: Option<usize>) {
        loop {
            let start = self.at;
            let read = match self.peek() {
                Kind::End => {
                    if let Some(open) = open {
                        self.unclosed(open);
                    }
                    return;
                }
                Kind::RBrace if open.is_some() => {
                    self.at += 1;
                    return;
                }
                Kind::RBrace => {
                    self.at += 1;
                    let error = syntax(self.loc_of(start), "`}` closes nothing", "no `{` for it");
                    Err(Box::new(error.help("remove it, or add the missing `{` before it")))
                }
                Kind::Hash | Kind::Bang if aliases::defines(&self.tokens, start) => {
                    self.at = aliases::end(&self.tokens, start);
                    continue;
                }
                // The label of the module's only block.
                Kind::Block if self.kind(start + 1) == Kind::Colon => {
                    self.at += 2;
                    continue;
                }
                Kind::Word => match self.word(start) {
                    "module" | "builtin.module" => self.module(chunk, level),
                    "func.func" => self.function(chunk, level),
                    word if word.contains('.') => {
                        self.at = self.extent(start).end.max(start + 1);
                        continue;
                    }
                    _ => Err(self.unexpected("a function or a module")),
                },
                Kind::Str if self.kind(start + 1) == Kind::LParen => {
                    match self.unquote(start).as_str() {
                        "builtin.module" => self.generic_module(chunk, level),
                        "func.func" => self.generic_function(chunk, level),
                        _ => {
                            self.at = self.extent(start).end.max(start + 1);
                            continue;
                        }
                    }
                }
                // Values of statements such as `%0 = spirv.Constant ..` outside of functions.
                Kind::Value if self.starts_results(start) => {
                    self.at = self.extent(start).end.max(start + 1);
                    continue;
                }
                _ => Err(self.unexpected("a function or a module")),
            };
            if let Err(error) = read {
                self.errors.push(error);
                if self.at <= start || self.unclosed != Some(self.at) {
                    let extent = self.extent(start);
                    self.at = self.at.max(self.resume(start, &extent));
                }
            }
        }
    }

    /// `module [@name] [attributes {..}] {..}`.
    fn module(&mut self, chunk: &mut Chunk, level: u32) -> Read<()> {
        self.at += 1;
        self.eat(Kind::Symbol);
        let mut attrs = Attrs::default();
        if self.eat_word("attributes") {
            // Its functions are still worth reading.
            let open = self.at;
            if let Err(error) = self.dict(&mut attrs) {
                self.errors.push(error);
                self.at = self.past(open);
            }
        }
        if level == 0 {
            chunk.attrs.extend(attrs);
        }
        self.module_body(chunk, level)?;
        self.optional_loc();
        Ok(())
    }

    fn module_body(&mut self, chunk: &mut Chunk, level: u32) -> Read<()> {
        let open = self.at;
        if self.peek() != Kind::LBrace {
            return Err(self.unexpected("`{` and a module"));
        }
        if let Err(error) = self.deeper() {
            self.at = self.past(open);
            return Err(error);
        }
        self.at += 1;
        self.items(chunk, level + 1, Some(open));
        self.depth -= 1;
        Ok(())
    }

    /// `"builtin.module"() <{..}> ({..}) {..} : () -> ()`.
    fn generic_module(&mut self, chunk: &mut Chunk, level: u32) -> Read<()> {
        let mut attrs = Attrs::default();
        self.generic_head(&mut attrs)?;
        self.expect(Kind::LParen)?;
        self.module_body(chunk, level)?;
        if self.unclosed == Some(self.at) {
            return Ok(());
        }
        self.expect(Kind::RParen)?;
        self.generic_tail(&mut attrs)?;
        if level == 0 {
            for (name, attr, loc) in attrs.into_items() {
                if name != "sym_name" {
                    chunk.attrs.push(name, attr, loc);
                }
            }
        }
        Ok(())
    }

    /// `"op"() <{..}>`.
    pub(super) fn generic_head(&mut self, attrs: &mut Attrs) -> Read<()> {
        self.at += 1;
        self.expect(Kind::LParen)?;
        self.expect(Kind::RParen)?;
        if self.eat(Kind::Less) {
            self.dict(attrs)?;
            self.expect(Kind::Greater)?;
        }
        Ok(())
    }

    /// `{..} : () -> () loc(..)`; gives the location.
    pub(super) fn generic_tail(&mut self, attrs: &mut Attrs) -> Read<Option<String>> {
        self.optional_dict(attrs)?;
        if self.eat(Kind::Colon) {
            self.paren_types()?;
            self.expect(Kind::Arrow)?;
            self.result_types()?;
        }
        Ok(self.optional_loc())
    }
}
