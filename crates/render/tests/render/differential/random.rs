//! Random choices that are the same in every run.

/// A source of random numbers (`SplitMix64`).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Self(seed);
        // Neighbours would make the same choices, one step later.
        random.0 = random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    /// True once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<'t, T: ?Sized>(&mut self, items: &[&'t T]) -> &'t T {
        items[self.below(items.len())]
    }

    /// A whole number from the first to the last.
    pub(crate) fn number(&mut self, first: i32, last: i32) -> i32 {
        first + i32::try_from(self.below(usize::try_from(last - first + 1).unwrap())).unwrap()
    }

    /// A number of an ordinary size, and now and then one at the edge of what is sensible.
    pub(crate) fn length(&mut self, first: i32, last: i32) -> String {
        if self.once_in(12) {
            let extremes = [
                "0",
                "0.0001",
                "0.003",
                "0.01",
                "-3",
                "5000",
                "100000",
                "1000000000",
            ];
            self.pick(&extremes).to_owned()
        } else {
            format!("{}.{}", self.number(first, last), self.below(10))
        }
    }
}
