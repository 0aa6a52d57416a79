//! Shapes as text.

use std::fmt::{self, Display, Write};

use super::{Array, Dim, Layout, Shape};

/// A shape to be printed.
struct Text<'s> {
    shape: &'s Shape,
    layouts: bool,
    indices: bool,
}

impl Shape {
    /// The text of the shape, with or without layouts, with or without `/*index=5*/` in front of every
    /// fifth element of a tuple.
    pub fn text(&self, layouts: bool, indices: bool) -> impl Display {
        Text { shape: self, layouts, indices }
    }
}

impl Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text(true, false).fmt(f)
    }
}

impl Display for Text<'_> {
    // Recursion is as deep as the shape, which has a limit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shape {
            Shape::Token => f.write_str("token[]"),
            Shape::Opaque => f.write_str("opaque[]"),
            Shape::Array(array) if self.layouts => array.fmt(f),
            Shape::Array(array) => bare(array, f),
            Shape::Tuple(parts) => {
                f.write_char('(')?;
                for (at, shape) in parts.iter().enumerate() {
                    separate(at, self.indices, f)?;
                    Text { shape, ..*self }.fmt(f)?;
                }
                f.write_char(')')
            }
        }
    }
}

/// What stands in front of item `at` of a list.
pub(super) fn separate(at: usize, indices: bool, f: &mut impl Write) -> fmt::Result {
    if at > 0 {
        f.write_str(", ")?;
    }
    if indices && at > 0 && at.is_multiple_of(5) { write!(f, "/*index={at}*/") } else { Ok(()) }
}

fn bare(array: &Array, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}[", array.element.name())?;
    list(&array.dims, f)?;
    f.write_char(']')
}

/// Items with commas and without blanks.
fn list<T: Display>(items: &[T], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            f.write_char(',')?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

impl Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        bare(self, f)?;
        self.layout.as_ref().map_or(Ok(()), |layout| layout.fmt(f))
    }
}

impl Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.size, self.dynamic) {
            (Some(size), true) => write!(f, "<={size}"),
            (Some(size), false) => size.fmt(f),
            (None, _) => f.write_char('?'),
        }
    }
}

impl Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('{')?;
        list(&self.minor_to_major, f)?;
        if self.has_tags() {
            f.write_char(':')?;
        }
        self.tags_at(0, f)?;
        for (at, tile) in self.tiles.iter().enumerate() {
            f.write_str(if at == 0 { "T(" } else { "(" })?;
            for (at, size) in tile.iter().enumerate() {
                let comma = if at == 0 { "" } else { "," };
                match size {
                    Some(size) => write!(f, "{comma}{size}")?,
                    None => write!(f, "{comma}*")?,
                }
            }
            f.write_char(')')?;
        }
        self.tags_at(1, f)?;
        if let Some(bits) = self.element_bits {
            write!(f, "E({bits})")?;
        }
        if self.memory_space != 0 {
            write!(f, "S({})", self.memory_space)?;
        }
        for split in &self.split_configs {
            write!(f, "SC({}:", split.dim)?;
            list(&split.indices, f)?;
            f.write_char(')')?;
        }
        self.tags_at(2, f)?;
        f.write_char('}')
    }
}

impl Layout {
    fn has_tags(&self) -> bool {
        let plain = Self { minor_to_major: self.minor_to_major.clone(), ..Self::default() };
        *self != plain
    }

    fn tags_at(&self, place: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tags
            .iter()
            .filter(|tag| Self::place(tag) == place)
            .try_for_each(|tag| f.write_str(tag))
    }
}
