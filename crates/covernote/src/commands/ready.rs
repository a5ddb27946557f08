//! `covernote ready`: asks the process that the settings name whether it is ready. Containers use it as their
//! health check.

use std::time::Duration;

use http_client::{Sent, send_over};
use operators::Request;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{block_on, settings};
use crate::cli::Ready;
use crate::failure::{Failure, Result};
use crate::output;

/// Longest wait for the answer of the process.
const LONGEST: Duration = Duration::from_secs(5);

/// Most bytes of the answer of the process.
const MOST_BYTES: usize = 64 * 1024;

pub(super) fn run(ready: Ready) -> Result<()> {
    let settings = settings(&ready.flags)?;
    let address = match settings.metrics_listen.as_str() {
        "" if settings.has_tls() => {
            return Err(Failure::Configuration(
                "metrics_listen: must be set, because with TLS this command asks the probes on that address"
                    .into(),
            ));
        }
        "" => settings.listen.clone(),
        address => address.to_owned(),
    };
    output::data(&block_on(asked(&address, "/readyz", MOST_BYTES))?);
    Ok(())
}

/// Sends a GET to the process at an address. Returns the body of a successful answer within five seconds.
///
/// # Errors
/// The failure that an unsuccessful answer describes, or [`Failure::Away`] without an answer.
pub(super) async fn asked(address: &str, path: &str, most: usize) -> Result<String> {
    let asked = timeout(LONGEST, ask(address, path, most)).await;
    asked.unwrap_or_else(|_| Err(Failure::Away(format!("{address} did not answer within 5 seconds"))))
}

async fn ask(address: &str, path: &str, most: usize) -> Result<String> {
    let away = |why: String| Failure::Away(format!("{address}: {why}"));
    let connection = TcpStream::connect(address).await.map_err(|cause| away(cause.to_string()))?;
    let request = Request::get(path).header("host", address).body(Sent::Bytes(Default::default()));
    let request = request.map_err(|cause| Failure::Configuration(format!("{address}: {cause}")))?;
    let answer = send_over(connection, request).await.map_err(away)?;
    let status = answer.status;
    let body = answer.body(most).await.map_err(away)?.bytes;
    if !status.is_success() {
        return Err(Failure::of_answer(status.as_u16(), &body, str::to_owned));
    }
    Ok(String::from_utf8_lossy(&body).into_owned())
}
