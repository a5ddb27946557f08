//! The HTTP/1.1 client of everything here that calls others. It follows no redirect, since a redirect could send personal data
//! anywhere, and uses no proxy of the environment, since a proxy could read that data.

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

/// The addresses of a name, once they are known.
pub type Addresses = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Who knows the addresses of names.
pub type LookUp = Arc<dyn Fn(String) -> Addresses + Send + Sync>;

/// The names that this machine knows.
pub fn names_of_this_machine() -> LookUp {
    Arc::new(|name| {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    })
}

/// Bytes of a file that are read at once.
const PART: usize = 64 * 1024;

/// The body of a request.
pub enum Sent {
    /// All of it.
    Bytes(Bytes),
    /// A file, read while it is sent.
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

/// How a client connects.
#[derive(Clone)]
pub struct Connecting {
    /// Who knows the addresses of names.
    pub names: LookUp,
    /// Longest time to connect, once an address is known.
    pub within: Duration,
    /// How long an idle connection is kept.
    pub idle: Duration,
    /// How many idle connections to one server are kept.
    pub idle_to_one: usize,
}

impl Connecting {
    /// By the names of this machine: five seconds to connect, and connections that are kept as long as servers usually keep
    /// theirs.
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
    /// A client that trusts the certificates that this machine trusts.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub fn trusting(connecting: Connecting) -> Result<Self, String> {
        let builder = HttpsConnectorBuilder::new().with_provider_and_native_roots(default_provider());
        let builder = builder
            .map_err(|cause| format!("the certificates that this machine trusts cannot be read: {cause}"))?;
        Ok(Client::of(connecting, builder))
    }

    /// A client that trusts no certificate, for plain HTTP: it needs none of this machine. A request over TLS fails.
    pub fn trusting_nobody(connecting: Connecting) -> Self {
        let config = rustls::ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .expect("the provider supports the default protocol versions")
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth();
        Client::of(connecting, HttpsConnectorBuilder::new().with_tls_config(config))
    }

    /// A client that trusts the certificates that this machine trusts, and none if they cannot be read.
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

    /// Sends a request once. Any status is an answer.
    ///
    /// # Errors
    /// Why no answer begins, as the end of a sentence about the server.
    pub async fn send(&self, request: Request<impl Into<Sent>>) -> Result<Answer, String> {
        let answer = self.0.request(request.map(|body| body.into().body())).await.map_err(|fault| {
            let stage = if fault.is_connect() { "it cannot be reached" } else { "it did not answer" };
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

/// Sends a request over a connection that is there already, such as a socket of this machine.
///
/// # Errors
/// As of [`Client::send`].
pub async fn send_over(
    connection: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<impl Into<Sent>>,
) -> Result<Answer, String> {
    let said = |fault: &hyper::Error| format!("it did not answer: {}", innermost(fault));
    let (mut sender, driver) =
        http1::handshake::<_, SentBody>(TokioIo::new(connection)).await.map_err(|fault| said(&fault))?;
    tokio::spawn(driver);
    let answer =
        sender.send_request(request.map(|body| body.into().body())).await.map_err(|fault| said(&fault))?;
    let (head, body) = answer.into_parts();
    Ok(Answer { status: head.status, headers: head.headers, body })
}

/// An answer, whose body is still on its way.
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    body: Incoming,
}

pub struct Body {
    /// Its bytes, or as many as were wanted.
    pub bytes: Vec<u8>,
    /// Whether these are all.
    pub is_whole: bool,
}

impl Answer {
    /// A header that is text, by its name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The next part of the body; `None` behind the last one.
    ///
    /// # Errors
    /// Why it broke off, as the end of a sentence about the server.
    pub async fn part(&mut self) -> Result<Option<Bytes>, String> {
        let Some(frame) = self.body.frame().await else { return Ok(None) };
        let frame = frame.map_err(|fault| format!("its answer broke off: {}", innermost(&fault)))?;
        Ok(Some(frame.into_data().unwrap_or_default()))
    }

    /// Reads the body, of which at most so many bytes are wanted.
    ///
    /// # Errors
    /// Why it broke off, as the end of a sentence about the server.
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

/// Names, as the connector asks for them.
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

/// The cause under all others.
fn innermost<'f>(fault: &'f (dyn Error + 'static)) -> &'f (dyn Error + 'static) {
    let mut innermost = fault;
    while let Some(deeper) = innermost.source() {
        innermost = deeper;
    }
    innermost
}
