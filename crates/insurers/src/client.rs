//! One request to an insurer and its answer, bounded in size.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::header::{
    ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER, USER_AGENT,
};
use axum::http::uri::Scheme;
use axum::http::{Method, Response, StatusCode, Uri};
use http_body_util::{BodyExt, Full};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as HyperClient;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::RootCertStore;
use rustls::crypto::aws_lc_rs::default_provider;
use service::clock::Clock;

use crate::protocol::IDEMPOTENCY_KEY;
use crate::signature::{Credentials, Message};

/// How long an idle connection is kept: less than servers usually keep theirs.
const IDLE: Duration = Duration::from_secs(30);

/// Our `User-Agent`.
const AGENT: HeaderValue = HeaderValue::from_static(concat!("covernote/", env!("CARGO_PKG_VERSION")));

/// Longest time to connect: one lost packet leaves time for another attempt.
const CONNECTING: Duration = Duration::from_secs(5);

/// One request.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) method: Method,
    /// Path after the insurer's address.
    pub(crate) path: String,
    pub(crate) body: Vec<u8>,
    /// Idempotency key of a submission, the proposal's id, or of a notice, its own.
    pub(crate) key: Option<String>,
}

/// The answer to one request.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) content_type: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    /// Empty unless the status is 200: we do not keep the text of a refusal.
    pub(crate) body: Vec<u8>,
}

/// Why an attempt failed. The texts hold nothing personal, so that they can be logged.
#[derive(Debug)]
pub(crate) enum ClientError {
    /// No complete answer arrived.
    Unreachable(String),
    /// The insurer cannot answer now: 5xx or 429.
    Busy {
        status: StatusCode,
        /// How long the insurer asks us to wait.
        retry_after: Option<Duration>,
    },
    /// The insurer refuses the request, and would refuse it again: 4xx other than 401, 403 and 429.
    Refused(StatusCode),
    /// The answer is wrong, and a retry would not help.
    Wrong(String),
}

impl std::fmt::Display for ClientError {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ClientError::Unreachable(what) | ClientError::Wrong(what) => to.write_str(what),
            ClientError::Refused(status) => write!(to, "it answered {}", status.as_u16()),
            ClientError::Busy { status, retry_after: None } => write!(to, "it answered {}", status.as_u16()),
            ClientError::Busy { status, retry_after: Some(wait) } => {
                write!(to, "it answered {} and asks to wait {} s", status.as_u16(), wait.as_secs())
            }
        }
    }
}

/// The HTTP/1.1 client of one insurer's server. It follows no redirect, since a redirect could send a proposal's
/// personal data anywhere. It uses no proxy of the environment, since a proxy could read that data.
pub(crate) struct Client {
    client: HyperClient<HttpsConnector<HttpConnector>, Full<Bytes>>,
    url: String,
    /// Path of the insurer's address; it precedes every path of the protocol.
    base_path: String,
    credentials: Option<Arc<Credentials>>,
    clock: Arc<dyn Clock>,
    max_answer_bytes: usize,
}

impl Client {
    /// A client of a server. Without credentials its requests are not authenticated.
    ///
    /// # Errors
    /// Why the client cannot be created, such as a machine without trusted certificates.
    pub(crate) fn to(
        url: &str,
        credentials: Option<Arc<Credentials>>,
        clock: Arc<dyn Clock>,
        max_answer_bytes: usize,
    ) -> Result<Self, String> {
        let parsed = url.parse::<Uri>().ok().filter(|parsed| {
            matches!(parsed.scheme_str(), Some("http" | "https")) && parsed.query().is_none()
        });
        let parsed = parsed.ok_or_else(|| format!("{url} is no address such as https://insurer.example"))?;
        let client = HyperClient::builder(TokioExecutor::new())
            .pool_idle_timeout(IDLE)
            .pool_timer(TokioTimer::new())
            .build(connector(&parsed)?);
        Ok(Client {
            client,
            url: url.trim_end_matches('/').to_owned(),
            base_path: parsed.path().trim_end_matches('/').to_owned(),
            credentials,
            clock,
            max_answer_bytes,
        })
    }

    /// Sends a request once.
    ///
    /// # Errors
    /// [`ClientError::Unreachable`] or [`ClientError::Wrong`]. A status other than 200 is an answer, not an error.
    pub(crate) async fn send(&self, request: &Request) -> Result<Answer, ClientError> {
        let mut sent = axum::http::Request::new(Full::from(request.body.clone()));
        *sent.method_mut() = request.method.clone();
        let uri = format!("{}{}", self.url, request.path).parse::<Uri>();
        *sent.uri_mut() = uri.map_err(|_| ClientError::Wrong("its address is not valid".into()))?;
        *sent.headers_mut() = self.headers(request).map_err(ClientError::Wrong)?;
        let response = self.client.request(sent).await.map_err(|fault| {
            let stage = if fault.is_connect() { "it cannot be reached" } else { "it did not answer" };
            ClientError::Unreachable(describe(stage, &fault))
        })?;
        let text = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        let mut answer = Answer {
            status: response.status(),
            content_type: text(CONTENT_TYPE).map(str::to_owned),
            retry_after: text(RETRY_AFTER)
                .and_then(|seconds| seconds.trim().parse().ok())
                .map(Duration::from_secs),
            body: Vec::new(),
        };
        if answer.status == StatusCode::OK {
            if text(CONTENT_ENCODING).is_some_and(|encoding| !encoding.eq_ignore_ascii_case("identity")) {
                return Err(ClientError::Wrong("the answer is compressed".into()));
            }
            answer.body = self.read_body(response).await?;
        }
        Ok(answer)
    }

    fn headers(&self, request: &Request) -> Result<HeaderMap, String> {
        const JSON: HeaderValue = HeaderValue::from_static("application/json");
        let mut headers = HeaderMap::from_iter([(ACCEPT, JSON), (USER_AGENT, AGENT)]);
        if request.method == Method::POST {
            headers.insert(CONTENT_TYPE, JSON);
        }
        if let Some(key) = &request.key {
            let key = HeaderValue::try_from(key.as_str()).expect("an id is plain ASCII");
            headers.insert(IDEMPOTENCY_KEY, key);
        }
        if let Some(credentials) = &self.credentials {
            let path = format!("{}{}", self.base_path, request.path);
            let message = Message { method: request.method.as_str(), path: &path, body: &request.body };
            credentials.sign(message, self.clock.now(), &mut headers)?;
        }
        Ok(headers)
    }

    /// Reads a body up to the largest size.
    async fn read_body<B>(&self, response: Response<B>) -> Result<Vec<u8>, ClientError>
    where
        B: axum::body::HttpBody<Data = Bytes, Error: Error + 'static> + Unpin,
    {
        let (mut body, mut received) = (response.into_body(), Vec::new());
        while let Some(frame) = body.frame().await {
            let frame =
                frame.map_err(|fault| ClientError::Unreachable(describe("its answer broke off", &fault)))?;
            let Ok(bytes) = frame.into_data() else { continue };
            if received.len() + bytes.len() > self.max_answer_bytes {
                return Err(ClientError::Wrong(format!(
                    "the answer is larger than {} bytes",
                    self.max_answer_bytes
                )));
            }
            received.extend_from_slice(&bytes);
        }
        Ok(received)
    }

    /// Whether a message was authenticated with the shared secret.
    pub(crate) fn is_from(&self, message: &service::insurer::IncomingMessage<'_>) -> bool {
        self.credentials.as_ref().is_some_and(|credentials| credentials.verify(message))
    }
}

impl Answer {
    /// The body of an answer with status 200 and JSON.
    ///
    /// # Errors
    /// [`ClientError::Busy`], [`ClientError::Refused`] and [`ClientError::Wrong`].
    pub(crate) fn body(self) -> Result<Vec<u8>, ClientError> {
        let wrong = |what: &str| Err(ClientError::Wrong(what.to_owned()));
        match self.status {
            StatusCode::OK if self.is_json() => Ok(self.body),
            StatusCode::OK => wrong("the answer does not call itself application/json"),
            StatusCode::UNAUTHORIZED => wrong("it answered 401: our secret is not accepted"),
            StatusCode::FORBIDDEN => wrong("it answered 403: our secret may not do this"),
            status if status.is_redirection() => {
                wrong(&format!("it answered {}: redirects are not followed", status.as_u16()))
            }
            status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                Err(ClientError::Busy { status, retry_after: self.retry_after })
            }
            status if status.is_client_error() => Err(ClientError::Refused(status)),
            status => wrong(&format!("it answered {}", status.as_u16())),
        }
    }

    /// Whether the `Content-Type` is JSON.
    pub(crate) fn is_json(&self) -> bool {
        let essence = self.content_type.as_deref().and_then(|kind| kind.split(';').next());
        essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
    }
}

/// The connector that opens TCP and TLS connections to a server.
fn connector(to: &Uri) -> Result<HttpsConnector<HttpConnector>, String> {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(CONNECTING));
    let builder = HttpsConnectorBuilder::new();
    if to.scheme() == Some(&Scheme::HTTP) {
        // A plain http address needs no trusted certificates, and a machine may have none.
        let provider = Arc::new(default_provider());
        let config = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider supports the default protocol versions")
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth();
        return Ok(builder.with_tls_config(config).https_or_http().enable_http1().wrap_connector(tcp));
    }
    let builder = builder
        .with_provider_and_native_roots(default_provider())
        .map_err(|cause| format!("the certificates that this machine trusts cannot be read: {cause}"))?;
    Ok(builder.https_only().enable_http1().wrap_connector(tcp))
}

/// A transport's error as text: the stage that failed, with the innermost cause.
fn describe(stage: &str, fault: &(dyn Error + 'static)) -> String {
    let mut innermost = fault;
    while let Some(deeper) = innermost.source() {
        innermost = deeper;
    }
    format!("{stage}: {innermost}")
}
