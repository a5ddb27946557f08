//! Ranges that include both bounds.

/// Range that includes both bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Between<T> {
    pub least: T,
    pub most: T,
}

impl<T: PartialOrd> Between<T> {
    /// Whether a value is in the range.
    pub fn holds(&self, value: &T) -> bool {
        *value >= self.least && *value <= self.most
    }
}
