//! The types of elements (spec/xla-memory.md 3).

macro_rules! elements {
    ($($variant:ident $text:literal $bits:literal)*) => {
        /// The type of an element.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the table gives the word")]
        pub enum ElementType { $($variant,)* }

        impl ElementType {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The type of that word.
            pub fn of(word: &str) -> Option<Self> {
                Some(match word { $($text => Self::$variant,)* _ => return None })
            }

            /// The word.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// Bits of an element in memory where the layout does not say otherwise; at least 8.
            pub fn bits(self) -> u64 {
                match self { $(Self::$variant => $bits,)* }
            }
        }
    };
}

elements! {
    Pred "pred" 8 S1 "s1" 8 S2 "s2" 8 S4 "s4" 8 S8 "s8" 8 S16 "s16" 16 S32 "s32" 32 S64 "s64" 64
    U1 "u1" 8 U2 "u2" 8 U4 "u4" 8 U8 "u8" 8 U16 "u16" 16 U32 "u32" 32 U64 "u64" 64
    F4e2m1fn "f4e2m1fn" 8 F8e3m4 "f8e3m4" 8 F8e4m3 "f8e4m3" 8 F8e4m3fn "f8e4m3fn" 8
    F8e4m3fnuz "f8e4m3fnuz" 8 F8e4m3b11fnuz "f8e4m3b11fnuz" 8 F8e5m2 "f8e5m2" 8
    F8e5m2fnuz "f8e5m2fnuz" 8 F8e8m0fnu "f8e8m0fnu" 8
    Bf16 "bf16" 16 F16 "f16" 16 F32 "f32" 32 F64 "f64" 64 C64 "c64" 64 C128 "c128" 128
}
