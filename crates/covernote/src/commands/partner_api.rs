//! Calls the service over HTTP as a partner. Renews tokens, and turns refusals into sentences.

use std::time::{Duration, Instant};

use local_http::{Client, Request, Response};
use serde_json::{Value, json};
use url::Url;

use crate::cli::{HiddenText, PartnerAccess};
use crate::failure::{Failure, Result};

/// Longest wait for an answer. It is long, because moving a test partner's clock may take 20 seconds.
const ANSWER: Duration = Duration::from_secs(30);

/// A token is replaced this long before it expires.
const BEFORE_ITS_END: Duration = Duration::from_secs(60);

/// Wait for a busy service whose answer has no `Retry-After`.
const BUSY: Duration = Duration::from_secs(1);

/// Most attempts of [`PartnerApi::call_patiently`].
const ATTEMPTS: usize = 5;

/// Why a call failed.
#[derive(Debug)]
pub(super) enum CallError {
    /// There was no usable answer. The text is the end of a sentence about the service.
    Away(String),
    /// The service is busy, and its answer says to wait this long.
    Busy(Duration),
    /// The service refuses the request, and would refuse it again.
    Refused {
        status: u16,
        /// Code and detail of the refusal.
        told: String,
    },
}

/// A partner's client of the service.
pub(super) struct PartnerApi {
    client: Client,
    base: String,
    client_id: String,
    client_secret: HiddenText,
    scopes: &'static [&'static str],
    token: Option<(String, Instant)>,
}

impl PartnerApi {
    /// A client with tokens of these scopes.
    ///
    /// # Errors
    /// [`Failure`] if credentials are missing, or if the address is faulty.
    pub(super) fn new(access: &PartnerAccess, scopes: &'static [&'static str]) -> Result<Self> {
        let given = |flag: Option<&str>, name: &str, variable: &str| {
            let found = flag.map(str::to_owned).or_else(|| std::env::var(variable).ok());
            found.filter(|text| !text.is_empty()).ok_or_else(|| {
                Failure::Configuration(format!("{name} is missing: give it, or set the variable {variable}"))
            })
        };
        let secret = access.client_secret.as_ref().map(|secret| secret.0.as_str());
        Ok(PartnerApi {
            client: Client::new(),
            base: address("--url", &access.url)?.trim_end_matches('/').to_owned(),
            client_id: given(access.client_id.as_deref(), "--client-id", "CLIENT_ID")?,
            client_secret: HiddenText(given(secret, "--client-secret", "CLIENT_SECRET")?),
            scopes,
            token: None,
        })
    }

    /// The address of the service, without a slash at its end.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Refuses a live partner, since `command` is for test partners only.
    ///
    /// # Errors
    /// [`CallError::Refused`] for a live partner; any [`CallError`] if the service does not say which kind
    /// the partner is.
    pub(super) async fn needs_test_partner(&mut self, command: &str) -> Result<(), CallError> {
        match self.call("GET", "/v1/sandbox/clock", None).await {
            Err(CallError::Refused { status: 404, .. }) => {
                let told = format!(
                    "{} is a live partner: {command} is for test partners only. The operator creates one with covernote partner create NAME --test",
                    self.client_id
                );
                Err(CallError::Refused { status: 404, told })
            }
            other => other.map(|_| ()),
        }
    }

    /// Sends a request, and repeats it while the service is busy. Returns the body of the answer.
    ///
    /// # Errors
    /// [`CallError`].
    pub(super) async fn call_patiently(
        &mut self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Vec<u8>, CallError> {
        for _ in 1..ATTEMPTS {
            match self.call(method, path, body).await {
                Err(CallError::Busy(wait)) => tokio::time::sleep(wait).await,
                other => return other,
            }
        }
        self.call(method, path, body).await
    }

    /// Sends a request, and returns the body of the answer. A refused token is replaced once.
    ///
    /// # Errors
    /// [`CallError`].
    pub(super) async fn call(
        &mut self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Vec<u8>, CallError> {
        let was_kept = self.token.is_some();
        let token = self.token().await?;
        match self.send(method, path, body, Some(&token)).await {
            Err(CallError::Refused { status: 401, .. }) if was_kept => {
                self.token = None;
                let token = self.token().await?;
                self.send(method, path, body, Some(&token)).await
            }
            other => other,
        }
    }

    /// Returns a token that stays valid for at least [`BEFORE_ITS_END`], unless it is revoked.
    async fn token(&mut self) -> Result<String, CallError> {
        if let Some((token, until)) = &self.token
            && Instant::now() < *until
        {
            return Ok(token.clone());
        }
        let credentials = json!({
            "client_id": self.client_id, "client_secret": self.client_secret.0, "scopes": self.scopes,
        });
        let asked = Instant::now();
        let answer = self.send("POST", "/v1/auth/token", Some(&credentials), None).await?;
        let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
        let token = answer["payload"]["access_token"].as_str();
        let token =
            token.ok_or_else(|| CallError::Away("no token came; is covernote at this URL?".into()))?;
        let lasts = Duration::from_secs(answer["payload"]["expires_in"].as_u64().unwrap_or_default());
        self.token = Some((token.to_owned(), asked + lasts.saturating_sub(BEFORE_ITS_END)));
        Ok(token.to_owned())
    }

    async fn send(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        token: Option<&str>,
    ) -> Result<Vec<u8>, CallError> {
        let mut headers = vec![("user-agent".to_owned(), AGENT.to_owned())];
        headers.extend(token.map(|token| ("authorization".to_owned(), format!("Bearer {token}"))));
        headers.extend(body.map(|_| ("content-type".to_owned(), "application/json".to_owned())));
        let body = body.map(|body| body.to_string().into_bytes()).unwrap_or_default();
        let request =
            Request { method: method.to_owned(), url: format!("{}{path}", self.base), headers, body };
        let response = self.client.send(&request, ANSWER).await.map_err(CallError::Away)?;
        match response.status {
            200..300 => Ok(response.body),
            429 | 503 => Err(CallError::Busy(retry_after(&response).unwrap_or(BUSY))),
            500.. => Err(CallError::Away(format!("the answer has the status {}", response.status))),
            status => Err(CallError::Refused { status, told: refusal(&response) }),
        }
    }
}

/// `User-Agent` of these commands, the same as in deliveries.
pub(super) const AGENT: &str = concat!("covernote/", env!("CARGO_PKG_VERSION"));

/// Parses the http or https address in a flag.
///
/// # Errors
/// [`Failure::BadData`] if the text is not such an address.
pub(super) fn address(flag: &str, text: &str) -> Result<String> {
    let parsed = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let parsed = parsed.filter(|url| url.has_host() && url.fragment().is_none());
    parsed.map(String::from).ok_or_else(|| {
        Failure::BadData(format!("{flag}: {text:?} is not an address such as http://127.0.0.1:8080"))
    })
}

/// Wait that a response asks for in `Retry-After`, if any.
pub(super) fn retry_after(response: &Response) -> Option<Duration> {
    response.header("retry-after")?.trim().parse().ok().map(Duration::from_secs)
}

/// Code and detail of a refusal, with its first fault, as text.
fn refusal(response: &Response) -> String {
    let body: Value = serde_json::from_slice(&response.body).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let fault = &body["additional_info"][0];
    let words = [text(&body["type"]), text(&body["detail"]), text(&fault["field"]), text(&fault["message"])];
    let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
    if words.is_empty() { format!("status {}", response.status) } else { words.join(" ") }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Away(why) => Failure::Away(format!("the service: {why}")),
            CallError::Busy(_) => Failure::Away("the service is busy; try again later".into()),
            CallError::Refused { told, .. } => Failure::Failed(format!("the service refuses: {told}")),
        }
    }
}
