//! Sends test messages to an integration's webhook receiver: each genuine message twice, one genuine message
//! late, and some messages that the receiver must refuse.

use std::sync::Arc;
use std::time::Duration;

use service::clock::Clock;
use tokio::task::JoinSet;

use super::proxy::Proxy;
use super::record::{Message, MessageKind};
use crate::commands::event_feed::{EventFeed, NewEvent};
use crate::commands::message_sender::{MessageSender, Sent, Signer, WAITS};
use crate::commands::partner_api::{CallError, PartnerApi};
use crate::failure::Result;
use crate::wiring::SystemClock;

/// Wait between two reads of the list of events.
const LOOKS: Duration = Duration::from_secs(1);

/// Delay of the message that is late on purpose.
const LATE: Duration = Duration::from_secs(20);

/// Age of the message that is too old on purpose, in seconds by its timestamp.
const OLD: i64 = 600;

/// Sends the test messages, and records the receiver's answers in `proxy`.
pub(super) struct Messages {
    pub(super) sender: MessageSender,
    pub(super) signer: Signer,
    /// Signs with a secret that the integration does not know.
    pub(super) forger: Signer,
    pub(super) proxy: Arc<Proxy>,
}

/// Sends the partner's new events to the receiver, until the service refuses to list events.
///
/// # Errors
/// If the service refuses to list events.
pub(super) async fn send(messages: Arc<Messages>, mut api: PartnerApi, mut feed: EventFeed) -> Result<()> {
    let (mut nth, mut sending) = (0, JoinSet::new());
    loop {
        let looked = async {
            feed.look(&mut api).await?;
            while let Some(event) = feed.next(&mut api).await? {
                sending.spawn(messages.clone().tell(event, nth));
                nth += 1;
            }
            Ok(())
        };
        let wait = match looked.await {
            Ok(()) | Err(CallError::Away(_)) => LOOKS,
            Err(CallError::Busy(wait)) => wait.max(LOOKS),
            Err(refused @ CallError::Refused { .. }) => return Err(refused.into()),
        };
        while sending.try_join_next().is_some() {}
        tokio::time::sleep(wait).await;
    }
}

impl Messages {
    /// Sends all test messages about the event with number `nth`, counted from 0.
    async fn tell(self: Arc<Self>, event: NewEvent, nth: usize) {
        match nth {
            // Messages that must be refused go first, while the event is new to the receiver.
            0 => {
                for kind in [MessageKind::Forged, MessageKind::Old, MessageKind::Changed] {
                    self.send(&event, kind).await;
                }
                self.send(&event, MessageKind::First).await;
            }
            1 => {
                tokio::time::sleep(LATE).await;
                self.send(&event, MessageKind::Late).await;
            }
            _ => self.send(&event, MessageKind::First).await,
        }
        self.send(&event, MessageKind::Second).await;
    }

    /// Sends a message, and retries if there is no answer or a status of 500 or above. Records the last
    /// answer.
    async fn send(&self, event: &NewEvent, kind: MessageKind) {
        let mut sent = self.attempt(event, kind).await;
        for wait in WAITS {
            if matches!(sent.answer, Ok(status) if status < 500) {
                break;
            }
            tokio::time::sleep(wait).await;
            sent = self.attempt(event, kind).await;
        }
        let message = Message { kind, event: event.id.to_string(), answer: sent.answer };
        self.proxy.record().messages.push(message);
    }

    async fn attempt(&self, event: &NewEvent, kind: MessageKind) -> Sent {
        let (id, now) = (event.id.to_string(), SystemClock.now().as_second());
        let body = &event.body;
        match kind {
            MessageKind::First | MessageKind::Second | MessageKind::Late => {
                self.sender.send_signed(&self.signer, &id, body).await
            }
            MessageKind::Forged => self.sender.send_signed(&self.forger, &id, body).await,
            MessageKind::Old => {
                let at = now - OLD;
                self.sender.send(&id, at, &self.signer.sign(&id, at, body), body).await
            }
            MessageKind::Changed => {
                let signature = self.signer.sign(&id, now, body);
                let changed = [body.strip_suffix(b"}").unwrap_or(body), b",\"changed\":true}"].concat();
                self.sender.send(&id, now, &signature, &changed).await
            }
        }
    }
}
