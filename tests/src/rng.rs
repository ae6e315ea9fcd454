//! Repeatable chance.

/// A small generator (splitmix64): the same seed gives the same run everywhere.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// A generator from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if `end` is 0.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the number is below a usize"
    )]
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 {
            return 0;
        }
        (self.number() % end as u64) as usize
    }

    /// One of them.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}
