//! DNS look-ups for webhooks.
//!
//! A webhook connects only to addresses that were checked, even if the DNS entry of the host name changes a
//! moment later. If one of the addresses of a host name is forbidden, the host name is refused.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use http_client::{LookUp, names_of_this_machine};

use crate::addresses::AddressRules;

/// Longest time of a DNS look-up.
const LOOK_UP: Duration = Duration::from_secs(3);

/// Resolves host names with the operating system, in at most [`LOOK_UP`].
pub(crate) fn system() -> LookUp {
    let names = names_of_this_machine();
    Arc::new(move |name| {
        let found = names(name);
        Box::pin(async move {
            let late = |_| io::Error::new(io::ErrorKind::TimedOut, "the host name was not resolved in time");
            tokio::time::timeout(LOOK_UP, found).await.map_err(late)?
        })
    })
}

/// Resolves host names with `look_up`, and refuses forbidden addresses. `with_tls` says whether the
/// connection uses TLS.
pub(crate) fn judged(look_up: LookUp, rules: Arc<AddressRules>, with_tls: bool) -> LookUp {
    Arc::new(move |name| {
        let (found, rules) = (look_up(name), rules.clone());
        Box::pin(async move {
            let addresses = found.await?;
            if addresses.is_empty() {
                return Err(io::Error::new(io::ErrorKind::NotFound, "the host name has no IP address"));
            }
            for address in &addresses {
                rules.judge(*address, with_tls).map_err(io::Error::other)?;
            }
            Ok(addresses)
        })
    })
}
