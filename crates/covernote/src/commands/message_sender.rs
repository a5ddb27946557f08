//! Events sent to a developer's own server, as the service delivers them (D96).

use std::time::{Duration, Instant};

use local_http::{Client, Request};
use service::access::signing_secret::{secret_of, secret_text};
use service::clock::{Clock, Random};
use webhooks::signature::signatures;

use super::partner_api::{AGENT, address};
use crate::cli::HiddenText;
use crate::failure::{Failure, Result};
use crate::wiring::{OsRandom, SystemClock};

/// Longest wait for an answer, which is that of deliveries.
const ANSWER: Duration = Duration::from_secs(15);

/// Waits before the second attempt and those that follow.
pub(super) const WAITS: [Duration; 3] =
    [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(4)];

/// A secret to sign with.
pub(super) struct Signer {
    secret: Vec<u8>,
    /// Its text, where it was made here and is to be shown.
    pub(super) made: Option<String>,
}

impl Signer {
    /// The secret of a flag, or a new one.
    ///
    /// # Errors
    /// That the flag has none.
    pub(super) fn of(flag: Option<&HiddenText>) -> Result<Self> {
        let Some(HiddenText(text)) = flag else {
            let mut secret = [0; 32];
            OsRandom::default().fill(&mut secret);
            return Ok(Signer { made: Some(secret_text(&secret)), secret: secret.to_vec() });
        };
        let secret = secret_of(text)
            .ok_or_else(|| Failure::BadData("--secret: it is not whsec_ and base64".to_owned()))?;
        Ok(Signer { secret, made: None })
    }

    /// A signature of a message at a time in seconds since 1970.
    pub(super) fn sign(&self, id: &str, at: i64, body: &[u8]) -> String {
        signatures(std::slice::from_ref(&self.secret), id, at, body)
    }
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sent {
    /// The status of the answer, or why there was none, as the end of a sentence about the server.
    pub(super) answer: Result<u16, String>,
    /// Its length.
    pub(super) took: Duration,
}

impl Sent {
    /// Whether the message was taken.
    pub(super) fn is_taken(&self) -> bool {
        matches!(self.answer, Ok(200..300))
    }

    /// The answer in a word or two.
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
    /// Sends to the address of a flag.
    ///
    /// # Errors
    /// That it is none.
    pub(super) fn to(url: &str) -> Result<Self> {
        Ok(MessageSender { client: Client::new(), url: address("--forward-to", url)? })
    }

    /// Sends a message that says it was signed so at a time.
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

    /// Sends a message as it must be.
    pub(super) async fn send_signed(&self, signer: &Signer, id: &str, body: &[u8]) -> Sent {
        let at = SystemClock.now().as_second();
        self.send(id, at, &signer.sign(id, at, body), body).await
    }
}
