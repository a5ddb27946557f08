//! `covernote listen`: forwards a test partner's events to the developer's machine, which the service cannot
//! reach.
//!
//! The command reads the list of events, then builds and signs the deliveries itself (D96, D97).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use domain::date::Timestamp;
use domain::event::EventType;
use domain::text::FromText;
use serde_json::json;
use service::clock::Clock;
use tokio::sync::mpsc;

use super::block_on;
use super::event_feed::{EventFeed, NewEvent};
use super::message_sender::{MessageSender, Sent, Signer, WAITS};
use super::partner_api::{CallError, PartnerApi};
use super::stop_signal::stop_signal;
use crate::cli::Listen;
use crate::failure::{Failure, Result};
use crate::output;
use crate::wiring::SystemClock;

/// Wait between two reads of the list of events.
const LOOKS: Duration = Duration::from_secs(1);

pub(super) fn run(listen: Listen) -> Result<()> {
    for word in &listen.types {
        EventType::from_text(word)
            .map_err(|_| Failure::BadData(format!("--types: {word:?} is not a type of event")))?;
    }
    let api = PartnerApi::new(&listen.access, &["business", "business.webhook"])?;
    let signer = Signer::of(listen.secret.as_ref())?;
    let shared = Arc::new(Forwarder {
        sender: MessageSender::to(&listen.forward_to)?,
        signer,
        as_json: listen.json,
        came: AtomicUsize::new(0),
        taken: AtomicUsize::new(0),
    });
    let (forwarder, of_ended) = (shared.clone(), shared.clone());
    let ended = block_on(async move {
        let stop = stop_signal()?;
        let (events, coming) = mpsc::unbounded_channel();
        tokio::select! {
            ended = read_events(api, &listen, &shared.signer, events) => ended,
            () = forward(forwarder, coming) => Ok(()),
            () = stop => Ok(()),
        }
    });
    if ended.is_ok() {
        of_ended.count();
    }
    ended
}

/// State that all deliveries of forwarded events share.
struct Forwarder {
    sender: MessageSender,
    signer: Signer,
    as_json: bool,
    came: AtomicUsize,
    taken: AtomicUsize,
}

/// Reads events until the service refuses. If the service is busy or cannot be reached, tries again.
async fn read_events(
    mut api: PartnerApi,
    listen: &Listen,
    signer: &Signer,
    events: mpsc::UnboundedSender<NewEvent>,
) -> Result<()> {
    let (mut feed, mut is_away) = (None, false);
    loop {
        let wait = match read_new(&mut api, &mut feed, listen, signer, &events).await {
            Ok(()) => LOOKS,
            Err(CallError::Busy(wait)) => wait.max(LOOKS),
            Err(CallError::Away(why)) => {
                if !is_away {
                    output::message(&format!(
                        "the service at {}: {why}; trying again every second",
                        api.base()
                    ));
                }
                is_away = true;
                tokio::time::sleep(LOOKS).await;
                continue;
            }
            Err(refused @ CallError::Refused { .. }) => return Err(refused.into()),
        };
        if is_away {
            output::message("the service answers again");
        }
        is_away = false;
        tokio::time::sleep(wait).await;
    }
}

/// Reads the partner's new events from the server, and sends them to the channel `events`. The first call also
/// creates `feed`, which has only later events, and prints that forwarding starts.
async fn read_new(
    api: &mut PartnerApi,
    feed: &mut Option<EventFeed>,
    listen: &Listen,
    signer: &Signer,
    events: &mpsc::UnboundedSender<NewEvent>,
) -> Result<(), CallError> {
    let feed = match feed {
        Some(feed) => feed,
        None => {
            api.needs_test_partner("listen").await?;
            let begun = EventFeed::from_now(api, listen.types.clone()).await?;
            begins(api, listen, signer);
            feed.insert(begun)
        }
    };
    feed.look(api).await?;
    while let Some(event) = feed.next(api).await? {
        // The channel is closed only if the command ends.
        let _ = events.send(event);
    }
    Ok(())
}

/// Prints that events are forwarded from now on, with the secret that signs them.
fn begins(api: &PartnerApi, listen: &Listen, signer: &Signer) {
    if listen.json {
        let to = &listen.forward_to;
        output::data(&json!({ "forward_to": to, "service": api.base(), "secret": signer.made }).to_string());
        return;
    }
    if let Some(secret) = &signer.made {
        output::message(&format!("messages are signed with {secret}"));
    }
    output::message(&format!("new events go to {}; press Ctrl-C to stop", listen.forward_to));
}

/// Sends events in their order. A failed event is retried while later events are sent.
async fn forward(forwarder: Arc<Forwarder>, mut coming: mpsc::UnboundedReceiver<NewEvent>) {
    let mut again = tokio::task::JoinSet::new();
    while let Some(event) = coming.recv().await {
        forwarder.came.fetch_add(1, Ordering::Relaxed);
        if !forwarder.attempt(&event, 0).await {
            let forwarder = forwarder.clone();
            again.spawn(async move {
                for (nth, wait) in WAITS.into_iter().enumerate() {
                    tokio::time::sleep(wait).await;
                    if forwarder.attempt(&event, nth + 1).await {
                        return;
                    }
                }
            });
        }
    }
    again.join_all().await;
}

impl Forwarder {
    /// Sends an event after `before` failed attempts. Returns whether the receiver accepted it.
    async fn attempt(&self, event: &NewEvent, before: usize) -> bool {
        let at = SystemClock.now();
        let sent = self.sender.send_signed(&self.signer, &event.id.to_string(), &event.body).await;
        self.taken.fetch_add(usize::from(sent.is_taken()), Ordering::Relaxed);
        self.print(event, before, at, &sent);
        sent.is_taken()
    }

    fn print(&self, event: &NewEvent, before: usize, at: Timestamp, sent: &Sent) {
        let wait = if sent.is_taken() { None } else { WAITS.get(before) };
        let millis = u64::try_from(sent.took.as_millis()).unwrap_or(u64::MAX);
        if self.as_json {
            let line = json!({
                "at": at.to_string(), "event_id": event.id.to_string(), "type": event.kind,
                "subject": event.subject, "attempt": before + 1, "status": sent.answer.as_ref().ok(),
                "error": sent.answer.as_ref().err(), "millis": millis, "delivered": sent.is_taken(),
                "next_attempt_in_seconds": wait.map(Duration::as_secs),
            });
            return output::data(&line.to_string());
        }
        let then = match wait {
            Some(wait) => format!("  again in {} s", wait.as_secs()),
            None if sent.is_taken() => String::new(),
            None => "  given up".to_owned(),
        };
        let seconds = Timestamp::from_second(at.as_second()).unwrap_or(at);
        let (kind, subject) = (&event.kind, &event.subject);
        output::data(&format!("{seconds}  {kind}  {subject}  {}  {millis} ms{then}", sent.told()));
    }

    /// Prints how many events came and how many were delivered.
    fn count(&self) {
        let (came, taken) = (self.came.load(Ordering::Relaxed), self.taken.load(Ordering::Relaxed));
        if self.as_json {
            return output::data(&json!({ "events": came, "delivered": taken }).to_string());
        }
        output::message(&format!("{taken} of {came} events were delivered"));
    }
}
