//! Names looked up where they are dialled: the addresses that are judged are the ones that are connected to, whatever the name says a
//! moment later. A name of which one address is refused is refused as a whole.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper_util::client::legacy::connect::dns::Name;
use tower_service::Service;

use crate::addresses::AddressRules;

/// Longest wait for a name.
const LOOK_UP: Duration = Duration::from_secs(3);

/// The future of a look-up.
type Found = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Who knows the addresses of names.
pub(crate) type LookUp = Arc<dyn Fn(String) -> Found + Send + Sync>;

/// The names of this machine.
pub(crate) fn system() -> LookUp {
    Arc::new(|name| {
        Box::pin(async move {
            let found = tokio::time::timeout(LOOK_UP, tokio::net::lookup_host((name.as_str(), 0))).await;
            let found = found
                .map_err(|_| io::Error::new(io::ErrorKind::TimedOut, "its name is not found in time"))?;
            Ok(found?.map(|address| address.ip()).collect())
        })
    })
}

/// Looks names up and judges their addresses.
#[derive(Clone)]
pub(crate) struct JudgedNames {
    pub(crate) rules: Arc<AddressRules>,
    pub(crate) look_up: LookUp,
    /// Whether what is dialled speaks TLS.
    pub(crate) with_tls: bool,
}

impl Service<Name> for JudgedNames {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let (rules, with_tls) = (self.rules.clone(), self.with_tls);
        let found = (self.look_up)(name.as_str().to_owned());
        Box::pin(async move {
            let addresses = found.await?;
            if addresses.is_empty() {
                return Err(io::Error::new(io::ErrorKind::NotFound, "its name has no address"));
            }
            for address in &addresses {
                rules.judge(*address, with_tls).map_err(io::Error::other)?;
            }
            let dialled: Vec<SocketAddr> = addresses.into_iter().map(|address| (address, 0).into()).collect();
            Ok(dialled.into_iter())
        })
    }
}
