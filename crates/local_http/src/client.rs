//! A client that dials whatever it is given. It follows no redirect and uses no proxy of the environment.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::{Method, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as HyperClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::RootCertStore;
use rustls::crypto::aws_lc_rs::default_provider;

use crate::message::{LONGEST, Request, Response, passed_on, sent};

/// How long an idle connection is kept: less than servers usually keep theirs.
const IDLE: Duration = Duration::from_secs(10);

/// The client.
#[derive(Clone)]
pub struct Client(HyperClient<HttpsConnector<HttpConnector>, Full<Bytes>>);

impl Client {
    /// A client that trusts the certificates which this machine trusts.
    pub fn new() -> Self {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        let trusting = HttpsConnectorBuilder::new().with_provider_and_native_roots(default_provider());
        // A machine without certificates trusts nobody: each request over TLS says so.
        let builder = trusting.unwrap_or_else(|_| HttpsConnectorBuilder::new().with_tls_config(no_roots()));
        let connector = builder.https_or_http().enable_http1().wrap_connector(tcp);
        let client = HyperClient::builder(TokioExecutor::new())
            .pool_idle_timeout(IDLE)
            .pool_timer(TokioTimer::new())
            .build(connector);
        Client(client)
    }

    /// Sends a request once.
    ///
    /// # Errors
    /// Why no complete response came in time, as the end of a sentence about the server.
    pub async fn send(&self, request: &Request, within: Duration) -> Result<Response, String> {
        let late = |_| format!("it did not answer within {} seconds", within.as_secs());
        tokio::time::timeout(within, self.exchange(request)).await.map_err(late)?
    }

    async fn exchange(&self, request: &Request) -> Result<Response, String> {
        let mut message = hyper::Request::new(Full::from(request.body.clone()));
        *message.method_mut() =
            Method::from_bytes(request.method.as_bytes()).map_err(|_| "its method is not valid")?;
        *message.uri_mut() = Uri::try_from(&request.url).map_err(|_| "its address is not valid")?;
        *message.headers_mut() = sent(&request.headers);
        let response = self.0.request(message).await.map_err(|fault| {
            let stage = if fault.is_connect() { "it cannot be reached" } else { "it did not answer" };
            format!("{stage}: {}", innermost(&fault))
        })?;
        let (status, headers) = (response.status().as_u16(), passed_on(response.headers()));
        let body = Limited::new(response.into_body(), LONGEST).collect().await;
        let body = body.map_err(|fault| format!("its answer broke off: {}", innermost(fault.as_ref())))?;
        Ok(Response { status, headers, body: body.to_bytes().to_vec() })
    }
}

impl Default for Client {
    fn default() -> Self {
        Client::new()
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("Client")
    }
}

fn no_roots() -> rustls::ClientConfig {
    rustls::ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider supports the default protocol versions")
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth()
}

/// The cause under all others.
fn innermost(fault: &(dyn Error + 'static)) -> String {
    let mut innermost = fault;
    while let Some(deeper) = innermost.source() {
        innermost = deeper;
    }
    innermost.to_string()
}
