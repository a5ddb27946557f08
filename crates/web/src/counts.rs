//! Counts with a limit for each key, such as connections by address.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// Counts by key. A key with count zero takes no memory.
pub(crate) struct Counts<K>(Arc<Mutex<HashMap<K, usize>>>);

/// Counts as one for its key until it is dropped.
pub(crate) struct Counted<K: Eq + Hash> {
    key: K,
    counts: Arc<Mutex<HashMap<K, usize>>>,
}

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Counts(Arc::default())
    }
}

impl<K: Eq + Hash + Copy> Counts<K> {
    /// Increases the key's count. `None` if the count is already `most`.
    pub(crate) fn add(&self, key: K, most: usize) -> Option<Counted<K>> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(key).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Counted { key, counts: self.0.clone() })
    }
}

impl<K: Eq + Hash> Drop for Counted<K> {
    fn drop(&mut self) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_own_limit_and_dropped_items_no_longer_count() {
        let counts = Counts::default();
        let first = counts.add(1, 2).expect("the first");
        let second = counts.add(1, 2).expect("the second");
        assert!(counts.add(1, 2).is_none());
        assert!(counts.add(2, 2).is_some());
        drop(second);
        assert!(counts.add(1, 2).is_some());
        drop(first);
        assert!(counts.0.lock().expect("unpoisoned").is_empty());
    }
}
