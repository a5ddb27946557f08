//! Bounds: a least and a most.

/// A least and a most, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Between<T> {
    /// The least.
    pub least: T,
    /// The most.
    pub most: T,
}

impl<T: PartialOrd> Between<T> {
    /// Whether a value is neither below the least nor above the most.
    pub fn holds(&self, value: &T) -> bool {
        *value >= self.least && *value <= self.most
    }
}
