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
use domain::id::ProposalId;
use http_body_util::{BodyExt, Full};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::RootCertStore;
use rustls::crypto::aws_lc_rs::default_provider;
use service::clock::Clock;

use crate::protocol::IDEMPOTENCY_KEY;
use crate::signature::{Credentials, Message};

/// How long a connection is kept for the next call: less than servers usually keep theirs.
const IDLE: Duration = Duration::from_secs(30);

/// What servers read in their logs.
const OURSELVES: HeaderValue = HeaderValue::from_static(concat!("covernote/", env!("CARGO_PKG_VERSION")));

/// How long a connection may take to be made, so that one lost packet leaves time for another attempt.
const CONNECTING: Duration = Duration::from_secs(5);

/// What is asked.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) method: Method,
    /// Behind the address of the insurer.
    pub(crate) path: String,
    pub(crate) body: Vec<u8>,
    /// Whose submission it is.
    pub(crate) key: Option<ProposalId>,
}

/// What was answered.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) content_type: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    /// Empty unless the status is 200: what a refusal says is not ours to keep.
    pub(crate) body: Vec<u8>,
}

/// Why an attempt gave nothing. The texts are fit for a log.
#[derive(Debug)]
pub(crate) enum Fault {
    /// No answer arrived, or not whole.
    Unreachable(String),
    /// The insurer says that it cannot answer now.
    Busy {
        status: StatusCode,
        /// How long it asks to be left alone.
        retry_after: Option<Duration>,
    },
    /// What it answered is wrong, and would be again.
    Wrong(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Unreachable(what) | Fault::Wrong(what) => to.write_str(what),
            Fault::Busy { status, retry_after: None } => write!(to, "it answered {}", status.as_u16()),
            Fault::Busy { status, retry_after: Some(wait) } => {
                write!(to, "it answered {} and asks to wait {} s", status.as_u16(), wait.as_secs())
            }
        }
    }
}

/// The way to one insurer's server: HTTP/1.1 and nothing around it. No redirect is followed, which could lead anywhere
/// with everything that a proposal tells, and no proxy of the environment is used, which would read it.
pub(crate) struct Exchange {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    url: String,
    /// The path of the address itself, which is in front of every path of ours.
    base_path: String,
    credentials: Option<Arc<Credentials>>,
    clock: Arc<dyn Clock>,
    largest_answer: usize,
}

impl Exchange {
    /// The way to a server. Without credentials it is asked as a stranger.
    ///
    /// # Errors
    /// Why there is none, such as a machine that trusts no certificate.
    pub(crate) fn to(
        url: &str,
        credentials: Option<Arc<Credentials>>,
        clock: Arc<dyn Clock>,
        largest_answer: usize,
    ) -> Result<Self, String> {
        let parsed = url.parse::<Uri>().ok().filter(|parsed| {
            matches!(parsed.scheme_str(), Some("http" | "https")) && parsed.query().is_none()
        });
        let parsed = parsed.ok_or_else(|| format!("{url} is no address such as https://insurer.example"))?;
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(IDLE)
            .pool_timer(TokioTimer::new())
            .build(connector(&parsed)?);
        Ok(Exchange {
            client,
            url: url.trim_end_matches('/').to_owned(),
            base_path: parsed.path().trim_end_matches('/').to_owned(),
            credentials,
            clock,
            largest_answer,
        })
    }

    /// Sends a request once.
    ///
    /// # Errors
    /// [`Fault::Unreachable`] and [`Fault::Wrong`]; a status other than 200 is an answer.
    pub(crate) async fn send(&self, request: &Request) -> Result<Answer, Fault> {
        let mut sent = axum::http::Request::new(Full::from(request.body.clone()));
        *sent.method_mut() = request.method.clone();
        let uri = format!("{}{}", self.url, request.path).parse::<Uri>();
        *sent.uri_mut() = uri.map_err(|_| Fault::Wrong("its address cannot be asked".into()))?;
        *sent.headers_mut() = self.headers(request).map_err(Fault::Wrong)?;
        let response = self.client.request(sent).await.map_err(|fault| {
            let stage = if fault.is_connect() { "it cannot be reached" } else { "it did not answer" };
            Fault::Unreachable(said(stage, &fault))
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
                return Err(Fault::Wrong("the answer is compressed".into()));
            }
            answer.body = self.gather(response).await?;
        }
        Ok(answer)
    }

    fn headers(&self, request: &Request) -> Result<HeaderMap, String> {
        const JSON: HeaderValue = HeaderValue::from_static("application/json");
        let mut headers = HeaderMap::from_iter([(ACCEPT, JSON), (USER_AGENT, OURSELVES)]);
        if request.method == Method::POST {
            headers.insert(CONTENT_TYPE, JSON);
        }
        if let Some(key) = request.key {
            let key = HeaderValue::try_from(key.to_string()).expect("an id is plain ASCII");
            headers.insert(IDEMPOTENCY_KEY, key);
        }
        if let Some(credentials) = &self.credentials {
            let path = format!("{}{}", self.base_path, request.path);
            let message = Message { method: request.method.as_str(), path: &path, body: &request.body };
            credentials.sign(message, self.clock.now(), &mut headers)?;
        }
        Ok(headers)
    }

    /// Reads a body as far as it may go.
    async fn gather<B>(&self, response: Response<B>) -> Result<Vec<u8>, Fault>
    where
        B: axum::body::HttpBody<Data = Bytes, Error: Error + 'static> + Unpin,
    {
        let (mut body, mut gathered) = (response.into_body(), Vec::new());
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|fault| Fault::Unreachable(said("its answer broke off", &fault)))?;
            let Ok(bytes) = frame.into_data() else { continue };
            if gathered.len() + bytes.len() > self.largest_answer {
                return Err(Fault::Wrong(format!("the answer is larger than {} bytes", self.largest_answer)));
            }
            gathered.extend_from_slice(&bytes);
        }
        Ok(gathered)
    }

    /// Whether what was told comes from the one who knows the secret.
    pub(crate) fn is_from(&self, told: &service::insurer::Told<'_>) -> bool {
        self.credentials.as_ref().is_some_and(|credentials| credentials.is_good(told))
    }
}

impl Answer {
    /// The body of a good answer.
    ///
    /// # Errors
    /// [`Fault::Busy`] and [`Fault::Wrong`].
    pub(crate) fn body(self) -> Result<Vec<u8>, Fault> {
        let wrong = |what: &str| Err(Fault::Wrong(what.to_owned()));
        match self.status {
            StatusCode::OK if self.is_json() => Ok(self.body),
            StatusCode::OK => wrong("the answer does not call itself application/json"),
            StatusCode::UNAUTHORIZED => wrong("it answered 401: our secret is not accepted"),
            StatusCode::NOT_FOUND => wrong("it answered 404"),
            status if status.is_redirection() => {
                wrong(&format!("it answered {}: redirects are not followed", status.as_u16()))
            }
            status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                Err(Fault::Busy { status, retry_after: self.retry_after })
            }
            status => wrong(&format!("it answered {}", status.as_u16())),
        }
    }

    /// Whether it calls itself JSON.
    pub(crate) fn is_json(&self) -> bool {
        let essence = self.content_type.as_deref().and_then(|kind| kind.split(';').next());
        essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
    }
}

/// What makes connections to a server.
fn connector(to: &Uri) -> Result<HttpsConnector<HttpConnector>, String> {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(CONNECTING));
    let builder = HttpsConnectorBuilder::new();
    if to.scheme() == Some(&Scheme::HTTP) {
        // Nobody is trusted for what is not asked under TLS: a machine may well have no certificates.
        let provider = Arc::new(default_provider());
        let config = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider has them")
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth();
        return Ok(builder.with_tls_config(config).https_or_http().enable_http1().wrap_connector(tcp));
    }
    let builder = builder
        .with_provider_and_native_roots(default_provider())
        .map_err(|cause| format!("the certificates that this machine trusts cannot be read: {cause}"))?;
    Ok(builder.https_only().enable_http1().wrap_connector(tcp))
}

/// What a transport says of its failure: how far it came, and the innermost cause.
fn said(stage: &str, fault: &(dyn Error + 'static)) -> String {
    let mut innermost = fault;
    while let Some(deeper) = innermost.source() {
        innermost = deeper;
    }
    format!("{stage}: {innermost}")
}
