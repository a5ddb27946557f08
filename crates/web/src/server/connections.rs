//! How many connections there may be: of all clients, of one client, and a few more that are only for probes.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::app::Limits;
use crate::counts::{Counted, Counts};
use crate::peer::Peer;

/// Connections beside the others on which only probes are answered, so that an orchestrator sees a process that is busy
/// and not one that is dead.
const FOR_PROBES: usize = 32;

/// The limit of connections.
pub(crate) struct Connections {
    all: Arc<Semaphore>,
    for_probes: Arc<Semaphore>,
    most_of_one: usize,
    of_one: Counts<Peer>,
}

/// What a new connection may be used for.
pub(crate) enum Use {
    Everything,
    /// There is no more room: probes are answered, everything else is refused.
    Probes,
}

/// A connection's permit, given back when it is dropped.
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

    /// Admits a connection; `None` if there is not even room for a probe. Trusted proxies carry the connections of
    /// many clients, and are not counted.
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
