//! The first line: the name of the module and what holds for all of it.

use super::cursor::Reader;
use super::draft::Header;
use super::errors::{Read, error};
use crate::diag::Code;
use crate::ir::hlo::{Alias, AliasKind, Attribute, AttributeValue, Donor, ShapeIndex};

impl Reader<'_> {
    /// `HloModule name, key=value, ..`. Text without it, such as a lone computation from a bug report,
    /// is a module called `module`.
    pub(super) fn header(&mut self) -> Read<Header> {
        self.skip();
        let mut header = Header {
            name: "module".to_owned(),
            loc: self.loc(self.at, self.at),
            is_scheduled: false,
            aliases: Vec::new(),
            donors: Vec::new(),
            attributes: Vec::new(),
        };
        if self.peek_word() != "HloModule" {
            return Ok(header);
        }
        self.at += "HloModule".len();
        self.skip();
        let start = self.at;
        while !self.at_end() && self.peek() != b',' && !self.peek().is_ascii_whitespace() {
            self.at += 1;
        }
        if start == self.at {
            return Err(self.unexpected("the name of the module"));
        }
        self.slice(start, self.at).clone_into(&mut header.name);
        header.loc = self.loc(start, self.at);
        while self.eat(b',') {
            self.header_attribute(&mut header)?;
        }
        Ok(header)
    }

    fn header_attribute(&mut self, header: &mut Header) -> Read<()> {
        self.skip();
        let start = self.at;
        let key = self.word("the key of an attribute")?;
        self.expect(b'=')?;
        match key {
            "is_scheduled" => {
                self.skip();
                let at = self.at;
                header.is_scheduled = match self.word("`true` or `false`")? {
                    "true" => true,
                    "false" => false,
                    _ => {
                        self.at = at;
                        return Err(self.unexpected("`true` or `false`"));
                    }
                };
            }
            "input_output_alias" => self.listed(|reader| {
                header.aliases.push(reader.alias()?);
                Ok(())
            })?,
            "buffer_donor" => self.listed(|reader| {
                header.donors.push(reader.donor()?);
                Ok(())
            })?,
            _ => {
                let value = AttributeValue::Raw(self.value()?);
                let loc = self.loc(start, self.at);
                header.attributes.push(Attribute { name: key.to_owned(), value, loc });
            }
        }
        Ok(())
    }

    /// `{ item, item }`.
    pub(super) fn listed(&mut self, mut item: impl FnMut(&mut Self) -> Read<()>) -> Read<()> {
        self.expect(b'{')?;
        while !self.eat(b'}') {
            item(self)?;
            if !self.eat(b',') {
                return self.expect_one("`,` or `}`", b'}');
            }
        }
        Ok(())
    }

    /// `{0,1}`.
    fn shape_index(&mut self) -> Read<ShapeIndex> {
        let mut path = Vec::new();
        self.listed(|reader| {
            path.push(reader.small("an index")?);
            Ok(())
        })?;
        Ok(ShapeIndex(path))
    }

    /// `{0}: (1, {}, may-alias)`.
    fn alias(&mut self) -> Read<Alias> {
        self.skip();
        let start = self.at;
        let output = self.shape_index()?;
        self.expect(b':')?;
        self.expect(b'(')?;
        let parameter = self.small("the number of a parameter")?;
        let index = if self.eat(b',') { self.shape_index()? } else { ShapeIndex::TOP };
        let mut kind = AliasKind::May;
        if self.eat(b',') {
            self.skip();
            let at = self.at;
            kind = match self.word("`may-alias` or `must-alias`")? {
                "may-alias" => AliasKind::May,
                "must-alias" => AliasKind::Must,
                word => {
                    let message = format!("`{word}` is no kind of alias");
                    let error = error(Code::HloBadAlias, message, self.loc(at, self.at), "here");
                    return Err(error.help("write `may-alias` or `must-alias`").into());
                }
            };
        }
        self.expect(b')')?;
        Ok(Alias { output, parameter, index, kind, loc: self.loc(start, self.at) })
    }

    /// `(0, {1})`.
    fn donor(&mut self) -> Read<Donor> {
        self.expect(b'(')?;
        let parameter = self.small("the number of a parameter")?;
        let index = if self.eat(b',') { self.shape_index()? } else { ShapeIndex::TOP };
        self.expect(b')')?;
        Ok(Donor { parameter, index })
    }
}
