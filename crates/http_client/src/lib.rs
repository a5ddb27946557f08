//! HTTP/1.1 client for all outgoing calls of the service.
//!
//! It follows no redirects, because a redirect could send personal data to any server. It ignores the proxy
//! settings of the environment, because a proxy could read that data.

use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::TryStreamExt;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
pub use hyper::StatusCode;
use hyper::body::{Bytes, Frame, Incoming};
use hyper::client::conn::http1;
pub use hyper::header::HeaderValue;
use hyper::{HeaderMap, Request};
use hyper_rustls::builderstates::WantsSchemes;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as HyperClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use rustls::RootCertStore;
use rustls::crypto::aws_lc_rs::default_provider;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::io::ReaderStream;
use tower_service::Service;

/// Future that resolves a host name to its IP addresses.
pub type Addresses = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Function that resolves a host name to its IP addresses.
pub type LookUp = Arc<dyn Fn(String) -> Addresses + Send + Sync>;

/// Resolves host names with the operating system.
pub fn names_of_this_machine() -> LookUp {
    Arc::new(|name| {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    })
}

/// Number of bytes that are read from a file at once.
const PART: usize = 64 * 1024;

/// Body of a request.
pub enum Sent {
    /// The whole body, in memory.
    Bytes(Bytes),
    /// A file that is read while it is sent.
    File(std::fs::File),
}

impl From<Bytes> for Sent {
    fn from(bytes: Bytes) -> Self {
        Sent::Bytes(bytes)
    }
}

type SentBody = UnsyncBoxBody<Bytes, io::Error>;

impl Sent {
    fn body(self) -> SentBody {
        match self {
            Sent::Bytes(bytes) => Full::new(bytes).map_err(|never| match never {}).boxed_unsync(),
            Sent::File(file) => {
                let parts = ReaderStream::with_capacity(tokio::fs::File::from_std(file), PART);
                StreamBody::new(parts.map_ok(Frame::data)).boxed_unsync()
            }
        }
    }
}

/// Settings for the connections of a client.
#[derive(Clone)]
pub struct Connecting {
    /// Function that resolves host names.
    pub names: LookUp,
    /// Longest time to connect, after the host name is resolved.
    pub within: Duration,
    /// Time after which an idle connection is closed.
    pub idle: Duration,
    /// Most idle connections to the same server.
    pub idle_to_one: usize,
}

impl Connecting {
    /// Default settings: the operating system's resolver, 5 seconds to connect, idle connections for 30
    /// seconds.
    pub fn usual() -> Self {
        Connecting {
            names: names_of_this_machine(),
            within: Duration::from_secs(5),
            idle: Duration::from_secs(30),
            idle_to_one: usize::MAX,
        }
    }
}

#[derive(Clone)]
pub struct Client(HyperClient<HttpsConnector<HttpConnector<Names>>, SentBody>);

impl Client {
    /// Creates a client that trusts the operating system's certificates.
    ///
    /// # Errors
    /// The reason why the operating system's certificates cannot be read.
    pub fn trusting(connecting: Connecting) -> Result<Self, String> {
        let builder = HttpsConnectorBuilder::new().with_provider_and_native_roots(default_provider());
        let builder = builder
            .map_err(|cause| format!("the certificates that this machine trusts cannot be read: {cause}"))?;
        Ok(Client::of(connecting, builder))
    }

    /// Creates a client for plain HTTP. It reads no certificates and trusts none, so every TLS request fails.
    pub fn trusting_nobody(connecting: Connecting) -> Self {
        let config = rustls::ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .expect("the provider supports the default protocol versions")
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth();
        Client::of(connecting, HttpsConnectorBuilder::new().with_tls_config(config))
    }

    /// Creates a client that trusts the operating system's certificates. If they cannot be read, it trusts
    /// none, so every TLS request fails.
    pub fn trusting_if_possible(connecting: Connecting) -> Self {
        Client::trusting(connecting.clone()).unwrap_or_else(|_| Client::trusting_nobody(connecting))
    }

    fn of(connecting: Connecting, builder: HttpsConnectorBuilder<WantsSchemes>) -> Self {
        let mut tcp = HttpConnector::new_with_resolver(Names(connecting.names));
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(connecting.within));
        let client = HyperClient::builder(TokioExecutor::new())
            .pool_idle_timeout(connecting.idle)
            .pool_max_idle_per_host(connecting.idle_to_one)
            .pool_timer(TokioTimer::new())
            .build(builder.https_or_http().enable_http1().wrap_connector(tcp));
        Client(client)
    }

    /// Sends a request once. An answer with any status is a success.
    ///
    /// # Errors
    /// The reason why there is no answer, as the end of a sentence about the server.
    pub async fn send(&self, request: Request<impl Into<Sent>>) -> Result<Answer, String> {
        let answer = self.0.request(request.map(|body| body.into().body())).await.map_err(|fault| {
            let stage =
                if fault.is_connect() { "the server cannot be reached" } else { "the server did not answer" };
            format!("{stage}: {}", innermost(&fault))
        })?;
        let (head, body) = answer.into_parts();
        Ok(Answer { status: head.status, headers: head.headers, body })
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("Client")
    }
}

/// Sends a request over a connection that is already open, such as a local socket.
///
/// # Errors
/// The reason why there is no answer, as for [`Client::send`].
pub async fn send_over(
    connection: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<impl Into<Sent>>,
) -> Result<Answer, String> {
    let said = |fault: &hyper::Error| format!("the server did not answer: {}", innermost(fault));
    let (mut sender, driver) =
        http1::handshake::<_, SentBody>(TokioIo::new(connection)).await.map_err(|fault| said(&fault))?;
    tokio::spawn(driver);
    let answer =
        sender.send_request(request.map(|body| body.into().body())).await.map_err(|fault| said(&fault))?;
    let (head, body) = answer.into_parts();
    Ok(Answer { status: head.status, headers: head.headers, body })
}

/// Answer of a server. Its body is not read yet.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    body: Incoming,
}

pub struct Body {
    /// Bytes of the body that were read, up to the limit.
    pub bytes: Vec<u8>,
    /// Whether `bytes` is the whole body. If not, the body exceeds the limit.
    pub is_whole: bool,
}

impl Answer {
    /// Value of a header. `None` if the header is missing or its value is not text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// Reads the next part of the body. `None` after the last part.
    ///
    /// # Errors
    /// The reason why the body broke off, as the end of a sentence about the server.
    pub async fn part(&mut self) -> Result<Option<Bytes>, String> {
        let Some(frame) = self.body.frame().await else { return Ok(None) };
        let frame =
            frame.map_err(|fault| format!("the server's answer is incomplete: {}", innermost(&fault)))?;
        Ok(Some(frame.into_data().unwrap_or_default()))
    }

    /// Reads the body, at most `most` bytes of it.
    ///
    /// # Errors
    /// The reason why the body broke off, as the end of a sentence about the server.
    pub async fn body(mut self, most: usize) -> Result<Body, String> {
        let mut bytes = Vec::new();
        while let Some(part) = self.part().await? {
            bytes.extend_from_slice(&part);
            if bytes.len() > most {
                bytes.truncate(most);
                return Ok(Body { bytes, is_whole: false });
            }
        }
        Ok(Body { bytes, is_whole: true })
    }
}

/// Adapter that lets the connector use a [`LookUp`].
#[derive(Clone)]
struct Names(LookUp);

impl Service<Name> for Names {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let found = (self.0)(name.as_str().to_owned());
        Box::pin(async move {
            let found: Vec<SocketAddr> =
                found.await?.into_iter().map(|address| (address, 0).into()).collect();
            Ok(found.into_iter())
        })
    }
}

/// Innermost cause of an error.
fn innermost<'f>(fault: &'f (dyn Error + 'static)) -> &'f (dyn Error + 'static) {
    let mut innermost = fault;
    while let Some(deeper) = innermost.source() {
        innermost = deeper;
    }
    innermost
}
