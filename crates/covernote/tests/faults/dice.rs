//! Reproducible random numbers from a seed.

/// A seeded source of numbers (SplitMix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed)
    }

    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `end`, without `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.roll() % end
    }

    /// True with a probability in percent.
    pub fn percent(&mut self, times: u64) -> bool {
        self.below(100) < times
    }
}
