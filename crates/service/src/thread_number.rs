//! Numbers of threads, by which they take parts of what all share.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How many threads have a number so far.
static THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static THREAD: usize = THREADS.fetch_add(1, Ordering::Relaxed);
}

/// The number of this thread: the first that asks has 0, the next one 1, and each keeps its own.
pub fn thread_number() -> usize {
    THREAD.with(|number| *number)
}
