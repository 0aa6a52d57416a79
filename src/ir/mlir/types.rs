//! Types, as far as planning needs them: shapes, element widths, layouts and spaces.

use std::sync::Arc;

/// One dimension; none = dynamic (`?`).
pub type Dim = Option<u64>;

/// An element or scalar type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `i1`, `i32`, `si8`, `ui8`: bits.
    Int(u32),
    /// `f32`, `bf16`, `f8E4M3FN`, ..: bits.
    Float(u32),
    /// `index`.
    Index,
    /// Anything else, as written.
    Other(String),
}

/// The layout of a memref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Row-major without gaps; offset 0.
    Identity,
    /// `strided<[..], offset: ..>`; none = dynamic (`?`). The offset is 0 where it is not written.
    Strided {
        /// Elements from one index to the next, per dimension.
        strides: Vec<Option<i64>>,
        /// Elements before the first.
        offset: Option<i64>,
    },
    /// An affine map or another layout attribute, as written.
    Other(String),
}

/// `memref<..>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemRef {
    /// Dimensions; none for an unranked memref (`memref<*xf32>`).
    pub dims: Option<Vec<Dim>>,
    /// The element type.
    pub element: Scalar,
    /// The layout.
    pub layout: Layout,
    /// `ub` of `#hivm.address_space<ub>`; any other space as written (`1`, `#gpu..`).
    pub space: Option<String>,
}

/// `tensor<..>` or `vector<..>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shaped {
    /// Dimensions; none for an unranked tensor.
    pub dims: Option<Vec<Dim>>,
    /// The element type.
    pub element: Scalar,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `memref<..>`.
    MemRef(Arc<MemRef>),
    /// `tensor<..>`.
    Tensor(Arc<Shaped>),
    /// `vector<..>`.
    Vector(Arc<Shaped>),
    /// `i32`, `f16`, `index`.
    Scalar(Scalar),
    /// Any other, as written: `!llvm.ptr`, `(i32) -> i32`, `tuple<..>`.
    Other(Arc<str>),
    /// The text does not say, and no rule tells.
    Unknown,
}

impl Scalar {
    /// Width in bits; none for `index` and unknown types.
    pub fn bits(&self) -> Option<u32> {
        match self {
            Self::Int(bits) | Self::Float(bits) => Some(*bits),
            Self::Index | Self::Other(_) => None,
        }
    }

    /// True for `i1` .. `i64`.
    pub fn is_int(&self) -> bool {
        matches!(self, Self::Int(_))
    }
}

impl MemRef {
    /// The offset of the layout in elements: 0 without a strided layout, none when dynamic or not
    /// readable.
    pub fn offset(&self) -> Option<i64> {
        match &self.layout {
            Layout::Identity => Some(0),
            Layout::Strided { offset, .. } => *offset,
            Layout::Other(_) => None,
        }
    }

    /// The stride of the last dimension: 1 for the identity; none when dynamic or not readable.
    pub fn last_stride(&self) -> Option<i64> {
        match &self.layout {
            Layout::Identity => Some(1),
            Layout::Strided { strides, .. } => strides.last().copied().unwrap_or(Some(1)),
            Layout::Other(_) => None,
        }
    }
}

impl Type {
    /// The memref, if it is one.
    pub fn memref(&self) -> Option<&MemRef> {
        match self {
            Self::MemRef(memref) => Some(memref),
            _ => None,
        }
    }

    /// Dimensions of a shaped type.
    pub fn dims(&self) -> Option<&[Dim]> {
        match self {
            Self::MemRef(m) => m.dims.as_deref(),
            Self::Tensor(s) | Self::Vector(s) => s.dims.as_deref(),
            _ => None,
        }
    }

    /// The element type of a shaped type, or the scalar type itself.
    pub fn element(&self) -> Option<&Scalar> {
        match self {
            Self::MemRef(m) => Some(&m.element),
            Self::Tensor(s) | Self::Vector(s) => Some(&s.element),
            Self::Scalar(scalar) => Some(scalar),
            Self::Other(_) | Self::Unknown => None,
        }
    }
}
