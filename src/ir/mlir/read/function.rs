//! `func.func`, in both forms.

use super::build::Build;
use super::cursor::Reader;
use super::errors::Read;
use super::region::Arguments;
use super::token::Kind;
use super::types;
use crate::diag::Loc;
use crate::ir::mlir::{Attr, Attrs, Chunk, RegionId, Type};
use crate::model::IdVec;

impl<'t> Reader<'t> {
    /// `func.func [private|public|nested] @name(arguments) [-> results] [attributes {..}] [{..}]`.
    pub(super) fn function(&mut self, chunk: &mut Chunk, level: u32) -> Read<()> {
        self.f = Build::new(self.file);
        self.at += 1;
        let mut attrs = Attrs::default();
        let visibility = self.at;
        if self.peek() == Kind::Word {
            let word = self.word(visibility).to_owned();
            if !["private", "public", "nested"].contains(&word.as_str()) {
                return Err(self.unexpected("`@name`, `private`, `public` or `nested`"));
            }
            self.at += 1;
            attrs.push("sym_visibility", Attr::Str(word), self.loc_of(visibility));
        }
        let name = self.expect(Kind::Symbol)?;
        self.f.function.name = super::plain::symbol(self.word(name));
        self.f.function.loc = self.loc_of(name);
        let mut arguments: Arguments = Vec::new();
        self.arguments(&mut arguments, &mut attrs)?;
        if self.eat(Kind::Arrow) {
            self.function_results(&mut attrs)?;
        }
        if self.eat_word("attributes") {
            self.dict(&mut attrs)?;
        }
        self.f.function.attrs = attrs;
        if self.peek() == Kind::LBrace {
            self.body_of_function(&arguments)?;
        }
        if self.unclosed != Some(self.at) {
            self.f.function.printed_loc = self.optional_loc();
        }
        self.done(chunk, level);
        Ok(())
    }

    fn body_of_function(&mut self, arguments: &Arguments) -> Read<()> {
        let open = self.at;
        let region = self.region(None, arguments)?;
        self.report_undefined();
        let end = self.f.entry_label.unwrap_or(self.token(open).end);
        self.f.function.body = Some(region);
        self.f.function.body_start = Some(Loc { file: self.file, start: end, end });
        Ok(())
    }

    /// Hands the function over.
    fn done(&mut self, chunk: &mut Chunk, level: u32) {
        self.f.settle();
        let build = std::mem::replace(&mut self.f, Build::new(self.file));
        let mut function = build.function;
        function.top_level = level < 2;
        chunk.functions.push(function);
    }

    /// `(%a : type {attributes} loc(..), ..)`; a declaration may list types alone.
    fn arguments(&mut self, arguments: &mut Arguments, attrs: &mut Attrs) -> Read<()> {
        let open = self.expect(Kind::LParen)?;
        let close = self.close(open)?;
        let mut dicts = Vec::new();
        while self.at < close {
            let named = (self.peek() == Kind::Value).then_some(self.at);
            if named.is_some() {
                self.at += 1;
                self.expect(Kind::Colon)?;
            }
            let ty = self.ty()?;
            self.f.function.inputs.push(ty.clone());
            if let Some(at) = named {
                arguments.push((at, ty));
            }
            dicts.push(self.dict_of_its_own()?);
            self.optional_loc();
            if self.at < close {
                self.expect(Kind::Comma)?;
            }
        }
        self.at = close + 1;
        all_attrs("arg_attrs", dicts, self.loc(open, self.at), attrs);
        Ok(())
    }

    /// `type`, or `(type {attributes}, ..)`.
    fn function_results(&mut self, attrs: &mut Attrs) -> Read<()> {
        let open = self.at;
        if self.peek() != Kind::LParen || self.type_end(open).is_some() {
            self.ty()?;
            return Ok(());
        }
        let close = self.close(open)?;
        self.at += 1;
        let mut dicts = Vec::new();
        while self.at < close {
            self.ty()?;
            dicts.push(self.dict_of_its_own()?);
            if self.at < close {
                self.expect(Kind::Comma)?;
            }
        }
        self.at = close + 1;
        all_attrs("res_attrs", dicts, self.loc(open, self.at), attrs);
        Ok(())
    }

    fn dict_of_its_own(&mut self) -> Read<Attrs> {
        let mut dict = Attrs::default();
        if self.peek() == Kind::LBrace {
            self.dict(&mut dict)?;
        }
        Ok(dict)
    }

    /// `"func.func"() <{function_type = .., sym_name = ".."}> ({..}) {..} : () -> ()`.
    pub(super) fn generic_function(&mut self, chunk: &mut Chunk, level: u32) -> Read<()> {
        self.f = Build::new(self.file);
        let start = self.at;
        let mut attrs = Attrs::default();
        self.generic_head(&mut attrs)?;
        self.expect(Kind::LParen)?;
        self.body_of_function(&Vec::new())?;
        if self.unclosed != Some(self.at) {
            self.expect(Kind::RParen)?;
            self.f.function.printed_loc = self.generic_tail(&mut attrs)?;
        }
        self.f.function.loc = self.loc_of(start);
        let mut inputs = Vec::new();
        for (name, attr, loc) in attrs.into_items() {
            match (name.as_str(), attr) {
                ("sym_name", Attr::Str(name)) => {
                    self.f.function.name = name;
                    self.f.function.loc = loc;
                }
                ("function_type", Attr::Other(text)) => inputs = self.inputs(&text),
                (_, attr) => self.f.function.attrs.push(name, attr, loc),
            }
        }
        let f = &mut self.f.function;
        let entry = f.blocks.iter().next();
        if entry.is_some_and(|b| b.ops.is_empty() && b.args.is_empty()) && f.blocks.len() == 1 {
            // A declaration.
            (f.body, f.body_start) = (None, None);
            (f.blocks, f.regions) = (IdVec::new(), IdVec::new());
            f.inputs = inputs;
        } else if f.body == Some(RegionId(0)) {
            let entry = f.regions[RegionId(0)].blocks[0];
            f.inputs = f.blocks[entry].args.iter().map(|v| f.values[*v].ty.clone()).collect();
        }
        self.done(chunk, level);
        Ok(())
    }

    /// The inputs of a function type.
    fn inputs(&self, text: &str) -> Vec<Type> {
        let read = |text: &&str| types::read(text, &|name| self.alias_text(name));
        let list = types::inputs(text);
        list.iter().map(|text| read(text).unwrap_or(Type::Unknown)).collect()
    }
}

/// As the generic form has them: a dictionary per argument or result, if any is not empty.
fn all_attrs(name: &str, dicts: Vec<Attrs>, loc: Loc, attrs: &mut Attrs) {
    if dicts.iter().any(|dict| dict.iter().next().is_some()) {
        attrs.push(name, Attr::Array(dicts.into_iter().map(Attr::Dict).collect()), loc);
    }
}
