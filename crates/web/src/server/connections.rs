//! Limits on the number of connections: of all clients, of one client, and a reserve for probes.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::app::Limits;
use crate::counts::{Counted, Counts};
use crate::peer::Peer;

/// Extra connections on which only probes are answered, so that an orchestrator can tell a busy process from
/// a dead one.
const FOR_PROBES: usize = 32;

/// Counts the open connections, within their limits.
pub(crate) struct Connections {
    all: Arc<Semaphore>,
    for_probes: Arc<Semaphore>,
    most_of_one: usize,
    of_one: Counts<Peer>,
}

/// What a new connection may be used for.
pub(crate) enum Use {
    Everything,
    /// A limit is reached, so only probes are answered.
    Probes,
}

/// Permit for one connection. Dropping it makes room for another connection.
pub(crate) struct ConnectionPermit {
    _permit: OwnedSemaphorePermit,
    _counted: Option<Counted<Peer>>,
}

impl Connections {
    pub(crate) fn new(limits: &Limits) -> Self {
        Connections {
            all: Arc::new(Semaphore::new(limits.connections)),
            for_probes: Arc::new(Semaphore::new(FOR_PROBES)),
            most_of_one: limits.connections_per_address,
            of_one: Counts::default(),
        }
    }

    /// Admits a connection. `None` if there is no room even for probes. A trusted proxy has connections of
    /// many clients, so the limit by address does not apply to it.
    pub(crate) fn admit(&self, peer: Peer, is_proxy: bool) -> Option<(ConnectionPermit, Use)> {
        let counted = (!is_proxy).then(|| self.of_one.add(peer, self.most_of_one));
        let has_room = !matches!(counted, Some(None));
        if has_room && let Ok(permit) = self.all.clone().try_acquire_owned() {
            return Some((
                ConnectionPermit { _permit: permit, _counted: counted.flatten() },
                Use::Everything,
            ));
        }
        let permit = self.for_probes.clone().try_acquire_owned().ok()?;
        Some((ConnectionPermit { _permit: permit, _counted: None }, Use::Probes))
    }
}
