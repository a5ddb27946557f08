//! `covernote webhook`: acts on endpoints, or the verification of a message.

use std::fs;

use service::access::signing_secret::secret_of;
use service::clock::Clock;
use webhooks::signature::{Forged, TOLERANCE, verify};

use super::operate;
use crate::cli::{Message, Noun, Webhook, WebhookVerb};
use crate::failure::{Failure, Result};
use crate::output;
use crate::wiring::SystemClock;

pub(super) fn run(Webhook { verb, printing, flags }: Webhook) -> Result<()> {
    match verb {
        WebhookVerb::Stored(verb) => operate::run(Noun { verb, printing, flags }),
        WebhookVerb::Verify(message) => judge(message),
    }
}

/// Verifies a message in the way its receiver must verify it.
fn judge(message: Message) -> Result<()> {
    let Message { secret, id, timestamp, signature, body, any_age } = message;
    let secret = secret_of(&secret)
        .ok_or_else(|| Failure::BadData("--secret: must be whsec_ followed by base64".to_owned()))?;
    let body = fs::read(&body).map_err(|cause| Failure::Failed(format!("{}: {cause}", body.display())))?;
    let now = if any_age { timestamp } else { SystemClock.now().as_second() };
    match verify(&secret, &id, timestamp, &signature, &body, now) {
        Ok(()) => {
            output::message("The message is genuine.");
            Ok(())
        }
        Err(Forged::Signature) => Err(Failure::BadData(
            "The message is not signed with this secret. The body must be the bytes exactly as received, before JSON is parsed.".into(),
        )),
        Err(Forged::Time) => Err(Failure::BadData(format!(
            "The message's timestamp differs from this machine's clock by more than {TOLERANCE} seconds."
        ))),
    }
}
