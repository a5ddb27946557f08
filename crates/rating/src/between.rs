//! Bounds: the least value of something with the most.

/// The least and the most value, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Between<T> {
    /// The least value.
    pub least: T,
    /// The most value.
    pub most: T,
}

impl<T: PartialOrd> Between<T> {
    /// Whether a value is neither below the least nor above the most.
    pub fn holds(&self, value: &T) -> bool {
        *value >= self.least && *value <= self.most
    }
}
