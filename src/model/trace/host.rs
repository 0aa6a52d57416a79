//! What the host keeps for compiled programs: sections of code, and elements of pinned memory
//! (xla-memory 17, 18).

/// A part of the one mapping that a JIT linker writes into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Instructions.
    Code,
    /// Data that is read only.
    Ro,
    /// Data that is read and written.
    Rw,
}

/// What is wanted of a section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SectionSize {
    /// Bytes.
    pub bytes: u64,
    /// The largest alignment in it, in bytes; 0 is 1.
    pub align: u64,
}

/// The types of HLO that an element of a host memory pool may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names of the types")]
pub enum Primitive {
    Pred,
    S8,
    S16,
    S32,
    S64,
    U8,
    U16,
    U32,
    U64,
    F16,
    Bf16,
    F32,
    F64,
    C64,
    C128,
}

impl Section {
    /// In the order in which they lie: what is read only has to come behind the code.
    pub const ALL: [Self; 3] = [Self::Code, Self::Ro, Self::Rw];

    /// The word of the trace language.
    pub fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Ro => "ro",
            Self::Rw => "rw",
        }
    }
}

impl Primitive {
    /// The word of the trace language, which is that of HLO.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pred => "pred",
            Self::S8 => "s8",
            Self::S16 => "s16",
            Self::S32 => "s32",
            Self::S64 => "s64",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::C64 => "c64",
            Self::C128 => "c128",
        }
    }

    /// Bytes of one element.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Pred | Self::S8 | Self::U8 => 1,
            Self::S16 | Self::U16 | Self::F16 | Self::Bf16 => 2,
            Self::S32 | Self::U32 | Self::F32 => 4,
            Self::S64 | Self::U64 | Self::F64 | Self::C64 => 8,
            Self::C128 => 16,
        }
    }
}
