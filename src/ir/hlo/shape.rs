//! Shapes, their nodes and their bytes (spec/xla-memory.md 3).

use std::fmt;

use super::ElementType;

/// A dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dim {
    /// The size, or the bound of a dynamic one; `None` for an unbounded one (`?`).
    pub size: Option<u64>,
    /// True for `<=N` and `?`.
    pub dynamic: bool,
}

/// Which indices a dimension is split at, and over what: `SC(dim:i,j)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SplitConfig {
    /// The dimension.
    pub dim: u32,
    /// Where it is split.
    pub indices: Vec<u64>,
}

/// How an array lies in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Layout {
    /// Dimensions, the one that varies fastest first.
    pub minor_to_major: Vec<u32>,
    /// `T(8,128)(2,1)`: tiles, outermost first; `None` is `*`.
    pub tiles: Vec<Vec<Option<u64>>>,
    /// `E(4)`: bits of an element.
    pub element_bits: Option<u32>,
    /// `S(5)`; 0 where nothing is said.
    pub memory_space: u32,
    /// `SC(0:3)`.
    pub split_configs: Vec<SplitConfig>,
    /// Other tags as written, such as `L(128)` or `D(D,C)`, in the order in which they are printed.
    pub tags: Vec<String>,
}

/// An array.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Array {
    /// The type of its elements.
    pub element: ElementType,
    /// Its dimensions.
    pub dims: Vec<Dim>,
    /// Its layout, where the text says one.
    pub layout: Option<Layout>,
}

/// The shape of an instruction.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// `f32[2,3]{1,0}`.
    Array(Array),
    /// `(f32[], s32[])`.
    Tuple(Vec<Shape>),
    /// `token[]`.
    Token,
    /// `opaque[]`.
    Opaque,
}

/// A node of a shape: the way from the top through tuples.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeIndex(pub Vec<u32>);

impl ShapeIndex {
    /// The whole.
    pub const TOP: Self = Self(Vec::new());

    /// Element `at` of a top-level tuple.
    pub fn one(at: u32) -> Self {
        Self(vec![at])
    }

    /// True for the whole.
    pub fn is_top(&self) -> bool {
        self.0.is_empty()
    }

    /// Element `at` of the tuple at this node.
    #[must_use]
    pub fn child(&self, at: u32) -> Self {
        let mut path = self.0.clone();
        path.push(at);
        Self(path)
    }

    /// The node `rest` below this one.
    #[must_use]
    pub fn join(&self, rest: &Self) -> Self {
        Self(self.0.iter().chain(&rest.0).copied().collect())
    }

    /// What is left below `prefix`; `None` when this node is not below it.
    pub fn below(&self, prefix: &Self) -> Option<Self> {
        self.0.strip_prefix(&prefix.0[..]).map(|rest| Self(rest.to_vec()))
    }
}

impl From<&[u32]> for ShapeIndex {
    fn from(path: &[u32]) -> Self {
        Self(path.to_vec())
    }
}

impl fmt::Display for ShapeIndex {
    /// `{}`, `{0,1}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (at, step) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(f, "{comma}{step}")?;
        }
        f.write_str("}")
    }
}

impl Layout {
    /// Where a tag of [`Layout::tags`] is printed: 0 before the tiles, 1 behind them, 2 at the end.
    pub(super) fn place(tag: &str) -> u8 {
        match tag.split('(').next() {
            Some("D") => 0,
            Some("L" | "#" | "*") => 1,
            _ => 2,
        }
    }

    /// Brings the tags into the order in which they are printed.
    pub(super) fn sort_tags(&mut self) {
        self.tags.sort_by_key(|tag| Self::place(tag));
    }
}

impl Array {
    /// The memory space of the layout; 0 where nothing is said.
    pub fn memory_space(&self) -> u32 {
        self.layout.as_ref().map_or(0, |layout| layout.memory_space)
    }

    /// The order of dimensions: the layout's, or the default (last dimension fastest).
    pub fn minor_to_major(&self) -> Vec<u32> {
        match &self.layout {
            Some(layout) if layout.minor_to_major.len() == self.dims.len() => {
                layout.minor_to_major.clone()
            }
            _ => (0..u32::try_from(self.dims.len()).unwrap_or(0)).rev().collect(),
        }
    }

    /// Elements, bounds taken for dynamic dimensions; `None` when unbounded or past 64 bits.
    pub fn elements(&self) -> Option<u64> {
        // A dimension of 0 makes the product 0 however large the others are.
        if self.dims.iter().any(|dim| dim.size == Some(0)) {
            return Some(0);
        }
        self.dims.iter().try_fold(1_u64, |product, dim| product.checked_mul(dim.size?))
    }

    /// Bytes (spec 3); `None` when unbounded or past 64 bits.
    pub fn bytes(&self) -> Option<u64> {
        self.bytes_of(self.elements()?)
    }

    fn bytes_of(&self, elements: u64) -> Option<u64> {
        let bits = self.layout.as_ref().and_then(|layout| layout.element_bits);
        let bits = bits.map_or(self.element.bits(), u64::from);
        let total = u128::from(elements) * u128::from(bits);
        u64::try_from(total.div_ceil(8)).ok()
    }

    /// Bytes where memory is laid out in the tiles that the layout names, each filled up (spec 3:
    /// TPU); those of [`Array::bytes`] without tiles; `None` when unbounded or past 64 bits.
    ///
    /// A tile covers as many of the minor-most dimensions as it has sizes; the next one covers the
    /// tile before it. `*` joins a dimension with its minor neighbour.
    pub fn padded_bytes(&self) -> Option<u64> {
        let tiles = self.layout.as_ref().map_or(&[][..], |layout| &layout.tiles);
        let order = self.minor_to_major().into_iter().rev();
        let size = |dim: u32| self.dims.get(dim as usize)?.size;
        let mut sizes: Vec<u64> = order.map(size).collect::<Option<_>>()?;
        for tile in tiles {
            sizes = tiled(sizes, tile)?;
        }
        let elements = match sizes.contains(&0) {
            true => 0,
            false => sizes.iter().try_fold(1_u64, |product, size| product.checked_mul(*size))?,
        };
        self.bytes_of(elements)
    }

    /// True when both are the same array in the same layout and memory space; what the text leaves
    /// out has its default.
    pub fn same(&self, other: &Self) -> bool {
        let plain = Layout::default();
        let (a, b) =
            (self.layout.as_ref().unwrap_or(&plain), other.layout.as_ref().unwrap_or(&plain));
        self.element == other.element
            && self.dims == other.dims
            && self.minor_to_major() == other.minor_to_major()
            && (&a.tiles, a.element_bits, a.memory_space)
                == (&b.tiles, b.element_bits, b.memory_space)
            && (&a.split_configs, &a.tags) == (&b.split_configs, &b.tags)
    }
}

/// Sizes, major first, with the last ones cut into tiles: how many tiles, then the sizes of one.
fn tiled(mut sizes: Vec<u64>, tile: &[Option<u64>]) -> Option<Vec<u64>> {
    let missing = tile.len().saturating_sub(sizes.len());
    sizes.splice(0..0, std::iter::repeat_n(1, missing));
    let covered = sizes.split_off(sizes.len().saturating_sub(tile.len()));
    let mut inner = Vec::with_capacity(tile.len());
    let mut joined = 1_u64;
    for (size, tile) in covered.into_iter().zip(tile) {
        let size = size.checked_mul(joined)?;
        joined = 1;
        match tile {
            None => joined = size,
            Some(0) => return None,
            Some(tile) => {
                sizes.push(size.div_ceil(*tile));
                inner.push(*tile);
            }
        }
    }
    // A `*` without a minor neighbour joins nothing.
    sizes.push(joined);
    sizes.extend(inner);
    Some(sizes)
}

impl Shape {
    /// The shape at a node; `None` when there is no such node.
    pub fn at(&self, index: &ShapeIndex) -> Option<&Self> {
        index.0.iter().try_fold(self, |shape, &step| match shape {
            Self::Tuple(parts) => parts.get(step as usize),
            _ => None,
        })
    }

    /// The shape at a node, to change it.
    pub fn at_mut(&mut self, index: &ShapeIndex) -> Option<&mut Self> {
        index.0.iter().try_fold(self, |shape, &step| match shape {
            Self::Tuple(parts) => parts.get_mut(step as usize),
            _ => None,
        })
    }

    /// All nodes in pre-order, the whole first.
    pub fn nodes(&self) -> Vec<(ShapeIndex, &Self)> {
        let mut out = Vec::new();
        let mut todo = vec![(ShapeIndex::TOP, self)];
        while let Some((index, shape)) = todo.pop() {
            if let Self::Tuple(parts) = shape {
                let below = (0..).zip(parts).collect::<Vec<_>>();
                todo.extend(below.into_iter().rev().map(|(at, part)| (index.child(at), part)));
            }
            out.push((index, shape));
        }
        out
    }

    /// Nodes that are no tuples, in pre-order.
    pub fn leaves(&self) -> Vec<(ShapeIndex, &Self)> {
        let mut nodes = self.nodes();
        nodes.retain(|(_, shape)| !shape.is_tuple());
        nodes
    }

    /// True for a tuple.
    pub fn is_tuple(&self) -> bool {
        matches!(self, Self::Tuple(_))
    }

    /// The array, if it is one.
    pub fn array(&self) -> Option<&Array> {
        match self {
            Self::Array(array) => Some(array),
            _ => None,
        }
    }

    /// Bytes of this node alone (spec 3): a tuple is its table of pointers, a token nothing; `None`
    /// when unbounded or past 64 bits.
    pub fn bytes(&self, pointer: u64) -> Option<u64> {
        match self {
            Self::Array(array) => array.bytes(),
            Self::Tuple(parts) => pointer.checked_mul(parts.len() as u64),
            Self::Token => Some(0),
            Self::Opaque => Some(pointer),
        }
    }

    /// The memory space of this node; 0 for all but arrays.
    pub fn memory_space(&self) -> u32 {
        self.array().map_or(0, Array::memory_space)
    }

    /// True when both are the same, layouts and memory spaces included; what the text leaves out has
    /// its default (22.9).
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Array(a), Self::Array(b)) => a.same(b),
            (Self::Tuple(a), Self::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
            }
            (a, b) => a == b,
        }
    }
}
