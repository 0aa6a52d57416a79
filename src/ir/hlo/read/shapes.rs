//! Shapes and their layouts.

use super::cursor::Reader;
use super::errors::{Read, error};
use crate::diag::Code;
use crate::ir::hlo::near::nearest;
use crate::ir::hlo::{Array, DEPTH, Dim, ElementType, Layout, Shape, SplitConfig};

impl Reader<'_> {
    /// A shape.
    pub(super) fn shape(&mut self) -> Read<Shape> {
        self.nested(0)
    }

    /// A shape inside of `depth` tuples: recursion ends at the limit.
    fn nested(&mut self, depth: usize) -> Read<Shape> {
        if !self.eat(b'(') {
            return self.leaf();
        }
        if depth >= DEPTH {
            self.at -= 1;
            return Err(self.too_deep("tuples"));
        }
        let mut parts = Vec::new();
        while !self.eat(b')') {
            parts.push(self.nested(depth + 1)?);
            if !self.eat(b',') {
                self.expect_one("`,` or `)`", b')')?;
                break;
            }
        }
        Ok(Shape::Tuple(parts))
    }

    /// Takes a byte that must be next, with other words for what was expected.
    pub(super) fn expect_one(&mut self, expected: &str, byte: u8) -> Read<()> {
        if self.eat(byte) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn leaf(&mut self) -> Read<Shape> {
        self.skip();
        let start = self.at;
        let word = self.word("a shape")?;
        let special = match word {
            "token" => Some(Shape::Token),
            "opaque" => Some(Shape::Opaque),
            _ => None,
        };
        if self.peek() != b'[' {
            self.at = start;
            return Err(self.unexpected("a shape"));
        }
        self.at += 1;
        if let Some(shape) = special {
            self.expect(b']')?;
            return Ok(shape);
        }
        let Some(element) = ElementType::of(word) else {
            let message = format!("`{word}` is no element type");
            let loc = self.loc(start, start + word.len());
            let mut error = error(Code::HloBadShape, message, loc, "not known");
            if let Some(near) = nearest(word, ElementType::ALL.iter().map(|e| e.name())) {
                *error = error.help(format!("did you mean `{near}`?"));
            }
            return Err(error);
        };
        let dims = self.dims()?;
        let layout = if self.has_layout() { Some(self.layout(start, &dims)?) } else { None };
        Ok(Shape::Array(Array { element, dims, layout }))
    }

    /// `2,<=3,?]`.
    fn dims(&mut self) -> Read<Vec<Dim>> {
        let mut dims = Vec::new();
        while !self.eat(b']') {
            let unbounded = self.eat(b'?');
            let bounded = self.eat(b'<');
            if bounded {
                self.expect(b'=')?;
            }
            let size = if unbounded && !bounded { None } else { Some(self.number("a dimension")?) };
            dims.push(Dim { size, dynamic: unbounded || bounded });
            if !self.eat(b',') {
                self.expect_one("`,` or `]`", b']')?;
                break;
            }
        }
        Ok(dims)
    }

    /// True when the `{` here opens a layout, not the body of a computation.
    fn has_layout(&self) -> bool {
        if self.peek() != b'{' {
            return false;
        }
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let next = rest.iter().find(|b| !matches!(b, b' ' | b'\t'));
        matches!(next, Some(b'0'..=b'9' | b':' | b'}'))
    }

    fn layout(&mut self, start: usize, dims: &[Dim]) -> Read<Layout> {
        let open = self.at;
        self.at += 1;
        let mut layout = Layout::default();
        loop {
            self.skip();
            if !self.peek().is_ascii_digit() {
                break;
            }
            layout.minor_to_major.push(self.small("a dimension")?);
            if !self.eat(b',') {
                break;
            }
        }
        if self.eat(b':') {
            while !self.eat(b'}') {
                self.tag(&mut layout)?;
            }
        } else {
            self.expect_one("`,`, `:` or `}`", b'}')?;
        }
        layout.sort_tags();
        if !layout.minor_to_major.is_empty() && !permutes(&layout.minor_to_major, dims.len()) {
            let message = "the layout does not list each of the array's dimensions once";
            let error = error(Code::HloBadShape, message, self.loc(open, self.at), "this layout")
                .at(self.loc(start, open), format!("the array has {}", dims.len()));
            return Err(error.into());
        }
        Ok(layout)
    }

    /// `T(8,128)(2,1)`, `S(5)`, `SC(0:3)`, or another one.
    fn tag(&mut self, layout: &mut Layout) -> Read<()> {
        self.skip();
        let start = self.at;
        match self.peek() {
            b'#' | b'*' => self.at += 1,
            _ => {
                self.word("a tag of a layout or `}`")?;
            }
        }
        let tag = self.slice(start, self.at);
        if self.peek() != b'(' {
            return Err(self.unexpected("`(`"));
        }
        match tag {
            "T" => {
                while self.peek() == b'(' {
                    layout.tiles.push(self.tile()?);
                }
            }
            "E" => layout.element_bits = Some(self.bits()?),
            "S" => layout.memory_space = self.in_parentheses("a memory space")?,
            "SC" => {
                while self.peek() == b'(' {
                    layout.split_configs.push(self.split()?);
                }
            }
            _ => {
                let mut text = tag.to_owned();
                while self.peek() == b'(' {
                    self.at += 1;
                    text = format!("{text}({})", self.inside()?);
                    self.expect(b')')?;
                }
                layout.tags.push(text);
            }
        }
        Ok(())
    }

    fn in_parentheses(&mut self, what: &str) -> Read<u32> {
        self.expect(b'(')?;
        let number = self.small(what)?;
        self.expect(b')')?;
        Ok(number)
    }

    fn bits(&mut self) -> Read<u32> {
        let start = self.at;
        let bits = self.in_parentheses("a number of bits")?;
        if bits == 0 {
            let loc = self.loc(start, self.at);
            return Err(error(Code::HloBadShape, "elements of 0 bits", loc, "this size"));
        }
        Ok(bits)
    }

    /// `(8,128)`; a dimension may be `*`.
    fn tile(&mut self) -> Read<Vec<Option<u64>>> {
        self.expect(b'(')?;
        let mut tile = Vec::new();
        while !self.eat(b')') {
            tile.push(if self.eat(b'*') { None } else { Some(self.number("a tile's size")?) });
            if !self.eat(b',') {
                self.expect_one("`,` or `)`", b')')?;
                break;
            }
        }
        Ok(tile)
    }

    /// `(0:3,5)`.
    fn split(&mut self) -> Read<SplitConfig> {
        self.expect(b'(')?;
        let dim = self.small("a dimension")?;
        self.expect(b':')?;
        let mut indices = Vec::new();
        while !self.eat(b')') {
            indices.push(self.number("an index")?);
            if !self.eat(b',') {
                self.expect_one("`,` or `)`", b')')?;
                break;
            }
        }
        Ok(SplitConfig { dim, indices })
    }
}

/// True when the list holds each of `0..count` once.
fn permutes(list: &[u32], count: usize) -> bool {
    let mut seen = vec![false; count];
    let fresh = |&d: &u32| seen.get_mut(d as usize).is_some_and(|s| !std::mem::replace(s, true));
    list.len() == count && list.iter().all(fresh)
}
