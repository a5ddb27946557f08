//! Bodies that are still arriving: a budget of their own, so that unfinished requests keep no finished one from its work.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::admission::{Client, Share};
use crate::error::{Problem, Result};

/// Bytes of all arriving bodies together.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// Bodies of one partner that arrive at once.
const MOST_OF_PARTNER: usize = 256;

/// Bodies from one address that arrive at once, of clients who have not shown who they are.
const MOST_OF_PEER: usize = 64;

/// All arriving bodies.
#[derive(Default)]
pub(crate) struct Arrivals {
    bytes: AtomicUsize,
}

/// A body that is arriving.
pub(crate) struct Arrival<'a> {
    arrivals: &'a Arrivals,
    share: Arc<Share>,
    bytes: usize,
}

impl Arrivals {
    /// Begins to take a body.
    ///
    /// # Errors
    /// E5030 where as many of this client's are arriving as may.
    pub(crate) fn begin(&self, client: Client, share: &Arc<Share>) -> Result<Arrival<'_>> {
        let most = match client {
            Client::Partner(_) => MOST_OF_PARTNER,
            Client::Peer(_) => MOST_OF_PEER,
        };
        let before = share.arriving.fetch_add(1, Ordering::AcqRel);
        // Made first, so that it is taken back also where it is one too many.
        let arrival = Arrival { arrivals: self, share: share.clone(), bytes: 0 };
        if before >= most { Err(Problem::overloaded()) } else { Ok(arrival) }
    }
}

impl Arrival<'_> {
    /// Takes so many bytes more.
    ///
    /// # Errors
    /// E5030 where all arriving bodies together would be too large.
    pub(crate) fn grow(&mut self, bytes: usize) -> Result<()> {
        self.bytes += bytes;
        let before = self.arrivals.bytes.fetch_add(bytes, Ordering::Relaxed);
        if before + bytes > MOST_BYTES { Err(Problem::overloaded()) } else { Ok(()) }
    }
}

impl Drop for Arrival<'_> {
    fn drop(&mut self) {
        self.arrivals.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
        self.share.arriving.fetch_sub(1, Ordering::AcqRel);
    }
}
