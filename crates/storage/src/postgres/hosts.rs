//! How a connection is made: to one host of the address after another, each within a time of its own.
//!
//! A server that is frozen still takes connections, and then says nothing. So the whole of a connection has a limit, the handshake
//! and the question whether the server takes writes included: else the hosts behind such a one would never be asked.

use std::future::{Future, pending};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use deadpool_postgres::Connect;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::config::Host;
use tokio_postgres::{Client, Config, Error};

use super::address;
use super::tls::Tls;

/// A connection, and what drives it.
type Connected = (Client, JoinHandle<()>);

/// The hosts of an address.
pub(super) struct Hosts {
    each: Vec<Config>,
    tls: Tls,
    /// Longest wait for one address of a host.
    limit: Duration,
    /// The host that was found last, which is asked first.
    found: AtomicUsize,
}

impl Hosts {
    /// Every host, each within a limit.
    pub(super) fn of(config: &Config, tls: Tls, limit: Duration) -> Self {
        Hosts { each: address::each_host(config), tls, limit, found: AtomicUsize::new(0) }
    }

    /// A connection to the first host that is as wanted. Where none says anything this has no end, and the pool's limit is one.
    async fn connect_any(&self) -> Result<Connected, Error> {
        let first = self.found.load(Ordering::Relaxed);
        let count = self.each.len();
        let mut fault = None;
        for place in (0..count).map(|place| (first + place) % count) {
            for one in self.addresses_of(&self.each[place]).await {
                match timeout(self.limit, self.connect_one(&one)).await {
                    Ok(Ok(connected)) => {
                        self.found.store(place, Ordering::Relaxed);
                        return Ok(connected);
                    }
                    Ok(Err(why)) => fault = Some(why),
                    Err(_) => {
                        tracing::debug!("a host of the database did not answer within {:?}", self.limit)
                    }
                }
            }
        }
        match fault {
            Some(fault) => Err(fault),
            None => pending().await,
        }
    }

    /// A host once for each of its addresses: a name may have several.
    async fn addresses_of(&self, one: &Config) -> Vec<Config> {
        let ([Host::Tcp(name)], [port], []) = (one.get_hosts(), one.get_ports(), one.get_hostaddrs()) else {
            return vec![one.clone()];
        };
        let found = timeout(self.limit, tokio::net::lookup_host((name.as_str(), *port))).await;
        let Ok(Ok(found)) = found else {
            // Who connects to it is told why.
            return vec![one.clone()];
        };
        let at = |address: SocketAddr| {
            let mut at = one.clone();
            at.hostaddr(address.ip());
            at
        };
        found.map(at).collect()
    }

    async fn connect_one(&self, one: &Config) -> Result<Connected, Error> {
        let (client, connection) = one.connect(self.tls.clone()).await?;
        let drive = async move {
            if let Err(fault) = connection.await {
                tracing::debug!("a connection to the database ended: {fault}");
            }
        };
        Ok((client, tokio::spawn(drive)))
    }
}

impl Connect for Hosts {
    fn connect(&self, _: &Config) -> Pin<Box<dyn Future<Output = Result<Connected, Error>> + Send + '_>> {
        Box::pin(self.connect_any())
    }
}
