//! Limits of request bodies that are still arriving. They are separate from the permits, so that incomplete
//! requests do not delay complete ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::admission::{Client, Share};
use crate::error::{Problem, Result};

/// Maximum number of bytes of all arriving bodies together.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// Maximum number of bodies of one partner that can arrive at once.
const MOST_OF_PARTNER: usize = 256;

/// Maximum number of bodies from one address that can arrive at once, for clients without credentials.
const MOST_OF_PEER: usize = 64;

/// Counts the bytes of all arriving bodies, within [`MOST_BYTES`].
#[derive(Default)]
pub(crate) struct Arrivals {
    bytes: AtomicUsize,
}

/// A request body that is arriving. Dropping it frees its bytes for other bodies.
pub(crate) struct Arrival<'a> {
    arrivals: &'a Arrivals,
    share: Arc<Share>,
    bytes: usize,
}

impl Arrivals {
    /// Registers a new body of this client.
    ///
    /// # Errors
    /// E5030 if too many bodies of this client are arriving.
    pub(crate) fn begin(&self, client: Client, share: &Arc<Share>) -> Result<Arrival<'_>> {
        let most = match client {
            Client::Partner(_) => MOST_OF_PARTNER,
            Client::Peer(_) => MOST_OF_PEER,
        };
        let before = share.arriving.fetch_add(1, Ordering::AcqRel);
        // Created before the check, so that its drop returns the budget in either case.
        let arrival = Arrival { arrivals: self, share: share.clone(), bytes: 0 };
        if before >= most { Err(Problem::overloaded()) } else { Ok(arrival) }
    }
}

impl Arrival<'_> {
    /// Reserves memory for more bytes of this body.
    ///
    /// # Errors
    /// E5030 if all arriving bodies together are too large.
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
