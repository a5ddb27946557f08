//! Names looked up where they are dialled: the addresses that are judged are the ones that are connected to, whatever the name says a
//! moment later. A name of which one address is refused is refused as a whole.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use http_client::{LookUp, names_of_this_machine};

use crate::addresses::AddressRules;

/// Longest wait for a name.
const LOOK_UP: Duration = Duration::from_secs(3);

/// The names of this machine.
pub(crate) fn system() -> LookUp {
    let names = names_of_this_machine();
    Arc::new(move |name| {
        let found = names(name);
        Box::pin(async move {
            let late = |_| io::Error::new(io::ErrorKind::TimedOut, "its name is not found in time");
            tokio::time::timeout(LOOK_UP, found).await.map_err(late)?
        })
    })
}

/// Names whose addresses are judged. `with_tls`: whether what is dialled speaks TLS.
pub(crate) fn judged(look_up: LookUp, rules: Arc<AddressRules>, with_tls: bool) -> LookUp {
    Arc::new(move |name| {
        let (found, rules) = (look_up(name), rules.clone());
        Box::pin(async move {
            let addresses = found.await?;
            if addresses.is_empty() {
                return Err(io::Error::new(io::ErrorKind::NotFound, "its name has no address"));
            }
            for address in &addresses {
                rules.judge(*address, with_tls).map_err(io::Error::other)?;
            }
            Ok(addresses)
        })
    })
}
