//! Where the generator's choices come from.

/// A source of choices: bytes of a fuzzer, or numbers that follow from a seed.
pub(super) enum Choices<'b> {
    /// One byte a choice, zeros after the last.
    Bytes(&'b [u8]),
    /// The state of a generator of numbers.
    Seed(u64),
}

impl Choices<'_> {
    /// A number below `count`; 0 when there is none.
    pub(super) fn below(&mut self, count: usize) -> usize {
        let number = match self {
            Self::Bytes(bytes) => match bytes.split_first() {
                Some((first, rest)) => {
                    *bytes = rest;
                    u64::from(*first)
                }
                None => 0,
            },
            Self::Seed(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                mixed ^ (mixed >> 31)
            }
        };
        usize::try_from(number % (count.max(1) as u64)).unwrap_or(0)
    }

    /// True once in so many times.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these; the slice must not be empty.
    pub(super) fn of<'t, T>(&mut self, all: &'t [T]) -> Option<&'t T> {
        all.get(self.below(all.len()))
    }
}
