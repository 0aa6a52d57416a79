//! Random numbers that repeat on every machine.

/// SplitMix64: a small generator, good enough for noise and for test data.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A generator whose numbers depend on nothing but `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Sixty-four random bits.
    pub const fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 when the bound is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        // The high half of a 128-bit product: the bias is below 2^-32 for every bound in use.
        ((self.bits() as u128 * bound as u128) >> 64) as u64
    }

    /// True `num` times out of `den`.
    pub const fn chance(&mut self, num: u64, den: u64) -> bool {
        self.below(den) < num
    }
}
