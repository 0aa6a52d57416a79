//! The shuffle of an attempt: a 32-bit Mersenne Twister under libstdc++'s `std::shuffle`
//! (Appendix B).

const WORDS: usize = 624;
const MIDDLE: usize = 397;

/// mt19937. One generator serves all shuffles of an attempt.
#[derive(Clone, Debug)]
pub struct Mt19937 {
    state: [u32; WORDS],
    next: usize,
}

impl Mt19937 {
    /// The standard initialisation from one number: the attempt, 0 to 19.
    pub fn new(seed: u32) -> Self {
        let mut state = [seed; WORDS];
        let mut last = seed;
        for (i, word) in (1u32..).zip(&mut state[1..]) {
            last = (last ^ (last >> 30)).wrapping_mul(1_812_433_253).wrapping_add(i);
            *word = last;
        }
        Self { state, next: WORDS }
    }

    /// The next number.
    pub fn next_u32(&mut self) -> u32 {
        if self.next == WORDS {
            self.twist();
        }
        let mut y = self.state[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    fn twist(&mut self) {
        for i in 0..WORDS {
            let y = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % WORDS] & 0x7fff_ffff);
            let odd = if y & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[i] = self.state[(i + MIDDLE) % WORDS] ^ (y >> 1) ^ odd;
        }
        self.next = 0;
    }

    /// A number in `[0, range)`, by multiplication (libstdc++ 11 and newer). `range` is not 0.
    fn below(&mut self, range: u32) -> usize {
        let wide = u64::from(range);
        let mut product = u64::from(self.next_u32()) * wide;
        if low(product) < wide {
            let least = (1u64 << 32) % wide;
            while low(product) < least {
                product = u64::from(self.next_u32()) * wide;
            }
        }
        // Less than `range`.
        (product >> 32) as usize
    }

    /// Permutes a list. Lists of none or one draw no number; longer ones draw one number for every
    /// two elements.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        let len = u32::try_from(items.len()).unwrap_or(u32::MAX);
        let mut i = 1;
        if len > 0xffff {
            // Two elements would not fit into one number: one number each.
            while i < len {
                let at = self.below(i + 1);
                items.swap(i as usize, at);
                i += 1;
            }
            return;
        }
        if len.is_multiple_of(2) && len > 0 {
            let at = self.below(2);
            items.swap(1, at);
            i = 2;
        }
        while i < len {
            let x = self.below((i + 1) * (i + 2));
            let (at, second) = (i as usize, i as usize + 2);
            items.swap(at, x / second);
            items.swap(at + 1, x % second);
            i += 2;
        }
    }
}

fn low(product: u64) -> u64 {
    product & 0xffff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check values of Appendix B.
    #[test]
    fn seed_0_gives_the_numbers_and_the_permutations_of_libstdcpp() {
        let mut twister = Mt19937::new(0);
        let first: Vec<u32> = (0..4).map(|_| twister.next_u32()).collect();
        assert_eq!(first, [2_357_136_044, 2_546_248_239, 3_071_714_933, 3_626_093_760]);

        let wanted: [&[u8]; 9] = [
            &[],
            &[0],
            &[0, 1],
            &[2, 1, 0],
            &[0, 1, 3, 2],
            &[2, 1, 4, 3, 0],
            &[5, 1, 4, 2, 3, 0],
            &[2, 1, 6, 0, 3, 4, 5],
            &[6, 0, 5, 7, 4, 1, 2, 3],
        ];
        let mut twister = Mt19937::new(0);
        for (n, wanted) in (0u8..).zip(wanted) {
            let mut items: Vec<u8> = (0..n).collect();
            twister.shuffle(&mut items);
            assert_eq!(items, wanted);
        }
    }

    /// The value that the C++ standard gives for the 10000th number of the default seed.
    #[test]
    fn the_ten_thousandth_number_of_the_default_seed_is_the_standards() {
        let mut twister = Mt19937::new(5489);
        let last = (0..10_000).map(|_| twister.next_u32()).last();
        assert_eq!(last, Some(4_123_659_995));
    }

    #[test]
    fn any_length_stays_a_permutation() {
        for n in [2usize, 17, 100, 0xffff, 0x1_0001] {
            let mut items: Vec<usize> = (0..n).collect();
            Mt19937::new(7).shuffle(&mut items);
            items.sort_unstable();
            assert!(items.into_iter().eq(0..n));
        }
    }
}
