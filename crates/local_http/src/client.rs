//! HTTP client that sends and receives whole messages, to any address.

use std::time::Duration;

use http_client::Connecting;
use hyper::body::Bytes;
use hyper::{Method, Uri};

use crate::message::{LONGEST, Request, Response, passed_on, sent};

/// Time after which an idle connection is closed. It is shorter than the time after which most servers close
/// it.
const IDLE: Duration = Duration::from_secs(10);

#[derive(Debug, Clone)]
pub struct Client(http_client::Client);

impl Client {
    /// Creates a client that trusts the operating system's certificates.
    pub fn new() -> Self {
        Client(http_client::Client::trusting_if_possible(Connecting { idle: IDLE, ..Connecting::usual() }))
    }

    /// Sends a request once. Waits at most `within` for the complete response.
    ///
    /// # Errors
    /// The reason why no complete response came in time, as the end of a sentence about the server.
    pub async fn send(&self, request: &Request, within: Duration) -> Result<Response, String> {
        let late = |_| format!("the server did not answer within {} seconds", within.as_secs());
        tokio::time::timeout(within, self.exchange(request)).await.map_err(late)?
    }

    async fn exchange(&self, request: &Request) -> Result<Response, String> {
        let mut message = hyper::Request::new(Bytes::from(request.body.clone()));
        *message.method_mut() = Method::from_bytes(request.method.as_bytes())
            .map_err(|_| "the method of the request is not valid")?;
        *message.uri_mut() =
            Uri::try_from(&request.url).map_err(|_| "the URL of the request is not valid")?;
        *message.headers_mut() = sent(&request.headers);
        let answer = self.0.send(message).await?;
        let (status, headers) = (answer.status.as_u16(), passed_on(&answer.headers));
        let body = answer.body(LONGEST).await?;
        if !body.is_whole {
            return Err(format!("the server's answer is longer than {LONGEST} bytes"));
        }
        Ok(Response { status, headers, body: body.bytes })
    }
}

impl Default for Client {
    fn default() -> Self {
        Client::new()
    }
}
