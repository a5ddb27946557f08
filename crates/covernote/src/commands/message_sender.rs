//! Sends events to a developer's own server, in the way the service delivers them (D96).

use std::time::{Duration, Instant};

use local_http::{Client, Request};
use service::access::signing_secret::{secret_of, secret_text};
use service::clock::{Clock, Random};
use webhooks::signature::signatures;

use super::partner_api::{AGENT, address};
use crate::cli::HiddenText;
use crate::failure::{Failure, Result};
use crate::wiring::{OsRandom, SystemClock};

/// Longest wait for an answer, the same as for deliveries.
const ANSWER: Duration = Duration::from_secs(15);

/// Waits before the second, third and fourth attempt.
pub(super) const WAITS: [Duration; 3] =
    [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4)];

/// Signs messages with a secret.
pub(super) struct Signer {
    secret: Vec<u8>,
    /// Text of the secret, if it was made here and must be shown.
    pub(super) made: Option<String>,
}

impl Signer {
    /// Signer with the secret in a flag, or with a new secret.
    ///
    /// # Errors
    /// [`Failure::BadData`] if the flag is not a secret.
    pub(super) fn of(flag: Option<&HiddenText>) -> Result<Self> {
        let Some(HiddenText(text)) = flag else {
            let mut secret = [0; 32];
            OsRandom::default().fill(&mut secret);
            return Ok(Signer { made: Some(secret_text(&secret)), secret: secret.to_vec() });
        };
        let secret = secret_of(text)
            .ok_or_else(|| Failure::BadData("--secret: must be whsec_ followed by base64".to_owned()))?;
        Ok(Signer { secret, made: None })
    }

    /// Signature of a message. `at` is in seconds since 1970.
    pub(super) fn sign(&self, id: &str, at: i64, body: &[u8]) -> String {
        signatures(std::slice::from_ref(&self.secret), id, at, body)
    }
}

/// Result of an attempt to send a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sent {
    /// HTTP status of the answer. Without an answer, the reason as the end of a sentence about the server.
    pub(super) answer: Result<u16, String>,
    /// Duration of the attempt.
    pub(super) took: Duration,
}

impl Sent {
    /// Whether the receiver accepted the message (2xx).
    pub(super) fn is_taken(&self) -> bool {
        matches!(self.answer, Ok(200..300))
    }

    /// The answer as a short text, such as `200`.
    pub(super) fn told(&self) -> String {
        match &self.answer {
            Ok(status) => status.to_string(),
            Err(why) => format!("no answer ({why})"),
        }
    }
}

/// Sends messages to one server.
#[derive(Clone)]
pub(super) struct MessageSender {
    client: Client,
    url: String,
}

impl MessageSender {
    /// A sender to the address in `--forward-to`.
    ///
    /// # Errors
    /// [`Failure::BadData`] if the text is not an address.
    pub(super) fn to(url: &str) -> Result<Self> {
        Ok(MessageSender { client: Client::new(), url: address("--forward-to", url)? })
    }

    /// Sends a message with this signature and this timestamp, in seconds since 1970.
    pub(super) async fn send(&self, id: &str, at: i64, signature: &str, body: &[u8]) -> Sent {
        let headers = [
            ("content-type", "application/json"),
            ("user-agent", AGENT),
            ("webhook-id", id),
            ("webhook-timestamp", &at.to_string()),
            ("webhook-signature", signature),
        ];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let request = Request { method: "POST".into(), url: self.url.clone(), headers, body: body.to_vec() };
        let begun = Instant::now();
        let answer = self.client.send(&request, ANSWER).await.map(|response| response.status);
        Sent { answer, took: begun.elapsed() }
    }

    /// Sends a message with a correct signature and timestamp.
    pub(super) async fn send_signed(&self, signer: &Signer, id: &str, body: &[u8]) -> Sent {
        let at = SystemClock.now().as_second();
        self.send(id, at, &signer.sign(id, at, body), body).await
    }
}
