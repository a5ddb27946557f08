//! Messages to an integration's receiver: genuine ones twice, one late, and some that must be refused.

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

/// How long after a look at the list the next one follows.
const LOOKS: Duration = Duration::from_secs(1);

/// How long after it happened the late event is sent.
const LATE: Duration = Duration::from_secs(20);

/// How old the old message says it is, in seconds.
const OLD: i64 = 600;

/// Who sends messages, and where it is noted how they were answered.
pub(super) struct Messages {
    pub(super) sender: MessageSender,
    pub(super) signer: Signer,
    /// Another secret.
    pub(super) forger: Signer,
    pub(super) proxy: Arc<Proxy>,
}

/// Sends the partner's events as they come, until the service refuses.
///
/// # Errors
/// Why it refuses.
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
    /// Sends what there is to send of an event, the first of which has number 0.
    async fn tell(self: Arc<Self>, event: NewEvent, nth: usize) {
        match nth {
            // What must be refused goes first, while the event is new to the receiver.
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

    /// Sends a message, again while there is no answer or the receiver is out of order, and notes how that ended.
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
