//! One request to an insurer and its answer, bounded in size.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use domain::id::ProposalId;
use reqwest::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, Response, StatusCode};
use service::clock::Clock;

use crate::protocol::IDEMPOTENCY_KEY;
use crate::signature::{Credentials, Message};

/// How long a connection is kept for the next call: less than servers usually keep theirs.
const IDLE: Duration = Duration::from_secs(30);

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

/// The way to one insurer's server.
pub(crate) struct Exchange {
    client: Client,
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
        let parsed = reqwest::Url::parse(url).map_err(|fault| format!("{url} is no address: {fault}"))?;
        let client = Client::builder()
            .user_agent(concat!("covernote/", env!("CARGO_PKG_VERSION")))
            .http1_only()
            // Redirects could lead anywhere, with everything that a proposal tells.
            .redirect(Policy::none())
            .referer(false)
            // A proxy of the environment would read what is meant for the insurer alone.
            .no_proxy()
            .pool_idle_timeout(IDLE)
            .tcp_nodelay(true);
        // Certificates that the machine trusts are needed for https alone; a machine may well have none.
        let client = if parsed.scheme() == "http" { client.tls_certs_only([]) } else { client };
        Ok(Exchange {
            client: client.build().map_err(|fault| said(&fault))?,
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
        let response = self
            .client
            .request(request.method.clone(), format!("{}{}", self.url, request.path))
            .headers(self.headers(request).map_err(Fault::Wrong)?)
            .body(request.body.clone())
            .send()
            .await
            .map_err(|fault| Fault::Unreachable(said(&fault)))?;
        let text = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        let status = response.status();
        let mut answer = Answer {
            status,
            content_type: text(CONTENT_TYPE).map(str::to_owned),
            retry_after: text(RETRY_AFTER)
                .and_then(|seconds| seconds.trim().parse().ok())
                .map(Duration::from_secs),
            body: Vec::new(),
        };
        if status == StatusCode::OK {
            if text(CONTENT_ENCODING).is_some_and(|encoding| !encoding.eq_ignore_ascii_case("identity")) {
                return Err(Fault::Wrong("the answer is compressed".into()));
            }
            answer.body = self.gather(response).await?;
        }
        Ok(answer)
    }

    fn headers(&self, request: &Request) -> Result<HeaderMap, String> {
        const JSON: HeaderValue = HeaderValue::from_static("application/json");
        let mut headers = HeaderMap::from_iter([(ACCEPT, JSON)]);
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
    async fn gather(&self, mut response: Response) -> Result<Vec<u8>, Fault> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|fault| Fault::Unreachable(said(&fault)))? {
            if body.len() + chunk.len() > self.largest_answer {
                return Err(Fault::Wrong(format!("the answer is larger than {} bytes", self.largest_answer)));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
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

/// What a transport says of its failure: the innermost cause, without the address.
fn said(fault: &reqwest::Error) -> String {
    let stage = match () {
        () if fault.is_connect() => "it cannot be reached",
        () if fault.is_builder() => "it cannot be asked",
        () if fault.is_body() || fault.is_decode() => "its answer broke off",
        () => "it did not answer",
    };
    let mut innermost = fault.source();
    while let Some(deeper) = innermost.and_then(Error::source) {
        innermost = Some(deeper);
    }
    innermost.map_or_else(|| stage.to_owned(), |cause| format!("{stage}: {cause}"))
}
