//! Client that sends one request to an insurer, and limits the size of the answer.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::header::{
    ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, USER_AGENT,
};
use axum::http::uri::Scheme;
use axum::http::{Method, StatusCode, Uri};
use http_client::Connecting;
use service::clock::Clock;
use service::traces;

use crate::protocol::IDEMPOTENCY_KEY;
use crate::signature::{Credentials, Message};

const AGENT: HeaderValue = HeaderValue::from_static(concat!("covernote/", env!("CARGO_PKG_VERSION")));

#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) method: Method,
    /// Path that is added to the insurer's base URL.
    pub(crate) path: String,
    pub(crate) body: Vec<u8>,
    /// Idempotency key: the id of the submitted proposal, of the notice, or of the request about a policy.
    pub(crate) key: Option<String>,
}

pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) content_type: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    /// Body of the answer. Empty unless the status is 200, because the text of a refusal is not stored.
    pub(crate) body: Vec<u8>,
}

/// Why an attempt to call an insurer failed. The texts contain no personal data, so they can be logged.
#[derive(Debug)]
pub(crate) enum ClientError {
    /// No complete answer arrived.
    Unreachable(String),
    /// The insurer cannot answer now. The status is 5xx or 429.
    Busy {
        status: StatusCode,
        /// Time that the insurer asks to wait, if any.
        retry_after: Option<Duration>,
    },
    /// The insurer refuses the request. A retry would be refused too. The status is 4xx, except 401, 403 and
    /// 429.
    Refused(StatusCode),
    /// The answer is wrong, and a retry would not help.
    Wrong(String),
}

impl std::fmt::Display for ClientError {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ClientError::Unreachable(what) | ClientError::Wrong(what) => to.write_str(what),
            ClientError::Refused(status) => write!(to, "the server answered {}", status.as_u16()),
            ClientError::Busy { status, retry_after: None } => {
                write!(to, "the server answered {}", status.as_u16())
            }
            ClientError::Busy { status, retry_after: Some(wait) } => {
                write!(to, "the server answered {} and asks to wait {} s", status.as_u16(), wait.as_secs())
            }
        }
    }
}

/// Client of one insurer's server.
pub(crate) struct Client {
    client: http_client::Client,
    url: String,
    /// Path of the insurer's base URL. It precedes every path of the protocol, and is signed too.
    base_path: String,
    credentials: Option<Arc<Credentials>>,
    clock: Arc<dyn Clock>,
    max_answer_bytes: usize,
}

impl Client {
    /// Creates a client for a server. Without credentials, requests are not authenticated.
    ///
    /// # Errors
    /// The reason why the client cannot be created, such as a machine without trusted certificates.
    pub(crate) fn to(
        url: &str,
        credentials: Option<Arc<Credentials>>,
        clock: Arc<dyn Clock>,
        max_answer_bytes: usize,
    ) -> Result<Self, String> {
        let parsed = url.parse::<Uri>().ok().filter(|parsed| {
            matches!(parsed.scheme_str(), Some("http" | "https")) && parsed.query().is_none()
        });
        let parsed =
            parsed.ok_or_else(|| format!("{url} is not an address such as https://insurer.example"))?;
        let client = match parsed.scheme() == Some(&Scheme::HTTP) {
            true => http_client::Client::trusting_nobody(Connecting::usual()),
            false => http_client::Client::trusting(Connecting::usual())?,
        };
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
    /// [`ClientError::Unreachable`] or [`ClientError::Wrong`]. A status other than 200 is an answer, not an
    /// error.
    pub(crate) async fn send(&self, request: &Request) -> Result<Answer, ClientError> {
        let mut sent = axum::http::Request::new(Bytes::from(request.body.clone()));
        *sent.method_mut() = request.method.clone();
        let uri = format!("{}{}", self.url, request.path).parse::<Uri>();
        *sent.uri_mut() =
            uri.map_err(|_| ClientError::Wrong("the URL of the request is not valid".into()))?;
        *sent.headers_mut() = self.headers(request).map_err(ClientError::Wrong)?;
        let response = self.client.send(sent).await.map_err(ClientError::Unreachable)?;
        let text = |name: HeaderName| response.header(name.as_str());
        let mut answer = Answer {
            status: response.status,
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
            let most = self.max_answer_bytes;
            let body = response.body(most).await.map_err(ClientError::Unreachable)?;
            if !body.is_whole {
                return Err(ClientError::Wrong(format!("the answer is larger than {most} bytes")));
            }
            answer.body = body.bytes;
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
        if let Some((name, value)) = traces::header() {
            headers.insert(name, HeaderValue::try_from(value).expect("hexadecimal digits"));
        }
        if let Some(credentials) = &self.credentials {
            let path = format!("{}{}", self.base_path, request.path);
            let message = Message { method: request.method.as_str(), path: &path, body: &request.body };
            credentials.sign(message, self.clock.now(), &mut headers)?;
        }
        Ok(headers)
    }

    /// Whether a received message is authenticated with the shared secret.
    pub(crate) fn is_from(&self, message: &service::insurer::IncomingMessage<'_>) -> bool {
        self.credentials.as_ref().is_some_and(|credentials| credentials.verify(message))
    }
}

impl Answer {
    /// Body of an answer that has status 200 and JSON.
    ///
    /// # Errors
    /// [`ClientError::Busy`], [`ClientError::Refused`] or [`ClientError::Wrong`] for any other answer.
    pub(crate) fn body(self) -> Result<Vec<u8>, ClientError> {
        let wrong = |what: &str| Err(ClientError::Wrong(what.to_owned()));
        match self.status {
            StatusCode::OK if self.is_json() => Ok(self.body),
            StatusCode::OK => wrong("the Content-Type of the answer is not application/json"),
            StatusCode::UNAUTHORIZED => wrong("the server answered 401: it does not accept the secret"),
            StatusCode::FORBIDDEN => {
                wrong("the server answered 403: the secret has no permission for this request")
            }
            status if status.is_redirection() => {
                wrong(&format!("the server answered {}: redirects are not followed", status.as_u16()))
            }
            status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                Err(ClientError::Busy { status, retry_after: self.retry_after })
            }
            status if status.is_client_error() => Err(ClientError::Refused(status)),
            status => wrong(&format!("the server answered {}", status.as_u16())),
        }
    }

    /// Whether the `Content-Type` is JSON.
    pub(crate) fn is_json(&self) -> bool {
        let essence = self.content_type.as_deref().and_then(|kind| kind.split(';').next());
        essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
    }
}
