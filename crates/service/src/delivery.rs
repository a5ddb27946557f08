//! Deliveries: events are sent to the endpoints that ask for them, each endpoint in a lane of its own, so that none waits for another's
//! server (D96).

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::date::Timestamp;
use domain::event::{Event, EventType};
use domain::id::{Uuid, WebhookEndpointId};
use domain::webhook::{
    DeliveryAttempt, DeliveryState, DisabledBy, EndpointHealth, EndpointState, WebhookEndpoint,
};
use futures_util::future::BoxFuture;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, MissedTickBehavior};

use crate::carrier::{Carried, Carrier, Parcel};
use crate::clock::{Ids, Random};
use crate::event::EventMaker;
use crate::partner_clock::PartnerClock;
use crate::storage::webhooks::{Held, Lane, Sent};
use crate::storage::{EventQuery, Events, StorageError, Webhooks};

/// When an event is sent again that was not taken, after each attempt: ten attempts in 75 hours and 35 minutes.
pub const SCHEDULE: [Duration; 9] = [
    Duration::from_secs(5),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(5),
    Duration::from_hours(10),
    Duration::from_hours(14),
    Duration::from_hours(20),
    Duration::from_hours(24),
];

/// Longest wait that an endpoint may ask for.
const LONGEST_ASKED: Duration = Duration::from_hours(1);

/// Attempts in a row that are not taken, after which an endpoint rests, and for how long.
const RESTS_AFTER: u32 = 10;
const REST: Duration = Duration::from_secs(30);

/// An endpoint is disabled that took nothing for so long, in so many attempts.
const DISABLED_AFTER: (Duration, u32) = (Duration::from_hours(5 * 24), 20);

/// The partner's other endpoints are told of one that took nothing for so long.
const FAILING_AFTER: Duration = Duration::from_hours(24);

/// How often deliveries are looked for.
const LOOK: Duration = Duration::from_millis(200);

/// How long a delivery is held: so much later it is sent by another process where this one was killed.
const HELD: Duration = Duration::from_millis(1500);

/// How often that is renewed while somebody sends: two renewals may fail before a delivery is sent twice.
const RENEWAL: Duration = Duration::from_millis(500);

/// Attempts at once: of a process, of those that were sent before or go to an endpoint that does not take them, and to one endpoint.
const MOST: usize = 128;
const MOST_AGAIN: usize = 96;
const MOST_TO_ONE: usize = 16;

/// Deliveries that are claimed for each attempt that has room, where the endpoint takes what it gets: they are sent one after another,
/// for so long. What is left then comes due again.
const IN_A_ROW: usize = 8;
const LONGEST_ROW: Duration = Duration::from_secs(2);

/// Deliveries of one endpoint that wait for an attempt.
type Queue = Arc<Mutex<VecDeque<Held>>>;

/// Whether an attempt is one of those that must not take every place: it was sent before, or its endpoint takes nothing.
type IsPatient = bool;

/// The attempts that are made now.
#[derive(Default)]
struct Underway {
    tasks: JoinSet<()>,
    attempts: HashMap<Id, Place>,
}

/// What an attempt takes up: a place to its endpoint, and what was claimed with it under one owner.
#[derive(Clone, Copy)]
struct Place {
    to: WebhookEndpointId,
    is_patient: IsPatient,
    owner: Uuid,
}

impl Underway {
    /// How many more may begin, to an endpoint.
    fn room(&self, to: WebhookEndpointId, is_patient: IsPatient) -> usize {
        let patient = self.attempts.values().filter(|place| place.is_patient).count();
        let to_it = self.attempts.values().filter(|place| place.to == to).count();
        let of_patient = if is_patient { MOST_AGAIN.saturating_sub(patient) } else { MOST };
        let of_all = MOST.saturating_sub(self.attempts.len());
        of_all.min(of_patient).min(MOST_TO_ONE.saturating_sub(to_it))
    }

    fn begin(&mut self, place: Place, attempt: impl Future<Output = ()> + Send + 'static) {
        self.attempts.insert(self.tasks.spawn(attempt).id(), place);
    }

    /// Those under whom somebody sends now.
    fn owners(&self) -> HashSet<Uuid> {
        self.attempts.values().map(|place| place.owner).collect()
    }

    /// Forgets an attempt that has ended, also by a panic.
    fn forget(&mut self, ended: Result<(Id, ()), JoinError>) {
        let id = ended.map_or_else(|fault| fault.id(), |(id, ())| id);
        self.attempts.remove(&id);
    }

    /// Until one has ended; for ever where there is none.
    async fn one_has_ended(&mut self) {
        match self.tasks.join_next_with_id().await {
            Some(ended) => self.forget(ended),
            None => std::future::pending().await,
        }
        while let Some(ended) = self.tasks.try_join_next_with_id() {
            self.forget(ended);
        }
    }
}

/// Sends the events of one process.
pub struct DeliveryService {
    pub(crate) storage: Arc<dyn Webhooks>,
    pub(crate) events: Arc<dyn Events>,
    pub(crate) made: EventMaker,
    pub(crate) carrier: Arc<dyn Carrier>,
    pub(crate) body_of: fn(&Event, bool) -> Vec<u8>,
    pub(crate) clock: PartnerClock,
    pub(crate) random: Arc<dyn Random>,
    pub(crate) ids: Ids,
}

impl DeliveryService {
    /// Frees the deliveries of processes that are gone, for one that knows that it is alone with its store.
    ///
    /// # Errors
    /// [`StorageError`].
    pub async fn take_over(&self) -> Result<usize, StorageError> {
        self.storage.free_deliveries(self.clock.real()).await
    }

    /// Delivers events until told to stop. What is on its way then is handed back: it may arrive twice.
    pub fn deliver(
        self: Arc<Self>,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> BoxFuture<'static, ()> {
        Box::pin(self.deliver_until(Box::pin(stop)))
    }

    async fn deliver_until(self: Arc<Self>, mut stop: BoxFuture<'static, ()>) {
        let mut underway = Underway::default();
        let mut look = tokio::time::interval(LOOK);
        let mut renewal = tokio::time::interval(RENEWAL);
        look.set_missed_tick_behavior(MissedTickBehavior::Skip);
        renewal.set_missed_tick_behavior(MissedTickBehavior::Skip);
        loop {
            if let Err(fault) = self.begin_due(&mut underway).await {
                tracing::warn!("deliveries could not be claimed: {fault}");
            }
            metrics::gauge!("covernote_webhook_attempts_underway").set(underway.tasks.len() as f64);
            tokio::select! {
                () = &mut stop => break,
                () = underway.one_has_ended() => {}
                _ = look.tick() => {}
                _ = renewal.tick() => self.renew(&underway).await,
            }
        }
        let owners = underway.owners();
        underway.tasks.shutdown().await;
        for owner in owners {
            if let Err(fault) = self.storage.hand_back_deliveries(owner, self.clock.real()).await {
                tracing::warn!("deliveries could not be handed back, they come due again: {fault}");
            }
        }
    }

    /// Holds on to what is sent, and to what waits behind it.
    async fn renew(&self, underway: &Underway) {
        for owner in underway.owners() {
            if let Err(fault) = self.storage.renew_deliveries(owner, self.clock.real() + HELD).await {
                tracing::warn!("deliveries could not be held: {fault}");
            }
        }
    }

    /// Begins what is due and has room: of every endpoint what was never sent, then what is sent again.
    async fn begin_due(self: &Arc<Self>, underway: &mut Underway) -> Result<(), StorageError> {
        let now = self.clock.real();
        let lanes = self.storage.lanes(now).await?;
        let oldest = lanes.iter().filter_map(|lane| lane.first_due).min().filter(|due| *due < now);
        let age = oldest.map_or(0.0, |due| now.duration_since(due).as_secs_f64());
        metrics::gauge!("covernote_webhook_oldest_undelivered_seconds").set(age);
        for again in [false, true] {
            for Lane { endpoint, first_due, again_due } in &lanes {
                let due = if again { again_due } else { first_due };
                if due.is_none_or(|due| due > now) {
                    continue;
                }
                let is_patient = again || endpoint.health.failures > 0;
                // One that rested is tried with one.
                let most = if endpoint.health.failures >= RESTS_AFTER { 1 } else { MOST_TO_ONE };
                let room = underway.room(endpoint.id, is_patient).min(most);
                if room == 0 {
                    continue;
                }
                let to = (endpoint.partner, endpoint.id);
                let owner = self.ids.uuid();
                let claims = if is_patient { room } else { room * IN_A_ROW };
                let claimed = self.storage.claim_deliveries(to, again, owner, now, now + HELD, claims).await;
                let claimed = claimed.unwrap_or_else(|fault| {
                    // The others go on.
                    tracing::warn!(endpoint.id = %endpoint.id, "deliveries to {} could not be claimed: {fault}", endpoint.id);
                    Vec::new()
                });
                let attempts = room.min(claimed.len());
                let queue: Queue = Arc::new(Mutex::new(claimed.into()));
                let shared = Arc::new(endpoint.clone());
                for _ in 0..attempts {
                    let sending = Arc::clone(self).send_in_a_row(shared.clone(), queue.clone());
                    underway.begin(Place { to: endpoint.id, is_patient, owner }, sending);
                }
            }
        }
        Ok(())
    }

    /// Sends what waits, one after another, while it is taken. None waits until it is kept how the one before ended, so that the store
    /// keeps many at once.
    async fn send_in_a_row(self: Arc<Self>, endpoint: Arc<WebhookEndpoint>, queue: Queue) {
        let begun = Instant::now();
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let mut keeping = JoinSet::new();
        while let Some(held) = next() {
            let is_taken = match self.attempt(&endpoint, &held).await {
                Ok(Some(sent)) => {
                    let is_taken = sent.attempt.is_taken();
                    keeping.spawn(Arc::clone(&self).keep(endpoint.clone(), held, sent));
                    is_taken
                }
                // It is older than what is kept: its delivery goes the same way.
                Ok(None) => true,
                Err(fault) => {
                    tracing::warn!("an event could not be read, and is sent later: {fault}");
                    false
                }
            };
            if !is_taken || begun.elapsed() > LONGEST_ROW {
                break;
            }
        }
        while let Some(kept) = keeping.join_next().await {
            if let Err(fault) = kept {
                tracing::error!("an attempt could not be kept, and its event is sent again: {fault}");
            }
        }
    }

    /// Sends one event once: how that ended, or nothing where the event is no longer there.
    async fn attempt(&self, endpoint: &WebhookEndpoint, held: &Held) -> Result<Option<Sent>, StorageError> {
        let (at, begun) = (self.clock.real(), Instant::now());
        let Some(event) = self.events.event(held.of, held.delivery.event).await? else {
            return Ok(None);
        };
        let secrets = endpoint.live_secrets(at).map(|secret| secret.bytes.to_vec()).collect();
        let (url, body) = (endpoint.url.clone(), (self.body_of)(&event, self.clock.is_test(held.of)));
        let carried = self.carrier.carry(&Parcel { url, secrets, id: event.id, at, body }).await;
        let millis = u32::try_from(begun.elapsed().as_millis()).unwrap_or(u32::MAX);
        let sent = self.judge(held, carried, at, millis);
        let outcome = if sent.attempt.is_taken() { "taken" } else { "failed" };
        metrics::counter!("covernote_webhook_attempts_total", "outcome" => outcome).increment(1);
        Ok(Some(sent))
    }

    /// Keeps how an attempt ended, and what that means for its endpoint.
    async fn keep(self: Arc<Self>, endpoint: Arc<WebhookEndpoint>, held: Held, sent: Sent) {
        let health = match self.storage.keep_attempt(&held, &sent).await {
            Ok(Some(health)) => health,
            Ok(None) => return,
            Err(fault) => {
                tracing::warn!("an attempt could not be kept, and its event is sent again: {fault}");
                return;
            }
        };
        let at = sent.attempt.at;
        let (long, often) = DISABLED_AFTER;
        let is_failing = health.failures >= often
            && health.failing_since.is_some_and(|since| at.duration_since(since).unsigned_abs() >= long);
        let why = match (sent.attempt.status == Some(410), is_failing) {
            (true, _) => Some(DisabledBy::Gone),
            (false, true) => Some(DisabledBy::Failing),
            (false, false) => None,
        };
        match why {
            Some(why) => self.disable(&endpoint, why).await,
            None => self.note_failing(&endpoint, &health, at).await,
        }
    }

    /// Where a delivery stands after an attempt.
    fn judge(&self, held: &Held, carried: Result<Carried, String>, at: Timestamp, millis: u32) -> Sent {
        let (status, answer, asked) = match carried {
            Ok(carried) => (Some(carried.status), carried.answer, carried.retry_after),
            Err(why) => (None, why, None),
        };
        let attempt = DeliveryAttempt { at, millis, status, answer };
        let now = self.clock.real();
        let rests = (RESTS_AFTER, now + REST);
        if attempt.is_taken() {
            return Sent { state: DeliveryState::Delivered, due_at: None, attempt, rests };
        }
        let wait = SCHEDULE.get(held.delivery.tries as usize).map(|wait| {
            let wait = self.scattered(*wait);
            let asked = asked.filter(|_| matches!(status, Some(429 | 503)));
            asked.map_or(wait, |asked| wait.max(asked.min(LONGEST_ASKED)))
        });
        match wait {
            Some(wait) => Sent { state: DeliveryState::Pending, due_at: Some(now + wait), attempt, rests },
            None => Sent { state: DeliveryState::Failed, due_at: None, attempt, rests },
        }
    }

    /// A wait that is up to a fifth shorter or longer, so that what failed together does not come again together.
    fn scattered(&self, wait: Duration) -> Duration {
        let mut byte = [0];
        self.random.fill(&mut byte);
        wait.mul_f64(0.8 + 0.4 * f64::from(byte[0]) / 255.0)
    }

    /// Tells the partner's other endpoints of one that has taken nothing for a day, once: with the attempt by which the day was over.
    async fn note_failing(&self, endpoint: &WebhookEndpoint, health: &EndpointHealth, at: Timestamp) {
        let Some(since) = health.failing_since else { return };
        if at.duration_since(since).unsigned_abs() < FAILING_AFTER {
            return;
        }
        let told = EventQuery {
            kind: Some(EventType::EndpointFailing),
            subject: Some(endpoint.id.uuid()),
            since: Some(since),
            most: 1,
            ..EventQuery::default()
        };
        let event = self.made.of_endpoint(EventType::EndpointFailing, endpoint, at);
        let noted = match self.events.events(endpoint.partner, &told).await {
            Ok(page) if page.events.is_empty() => self.events.add_event(endpoint.partner, &event).await,
            other => other.map(|_| ()),
        };
        match noted {
            Ok(()) => {}
            Err(fault) => tracing::warn!("a failing endpoint could not be told of: {fault}"),
        }
    }

    /// Disables an endpoint, and tells the partner's others.
    async fn disable(&self, endpoint: &WebhookEndpoint, why: DisabledBy) {
        let now = self.clock.real();
        let disabled = WebhookEndpoint {
            state: EndpointState::Disabled,
            disabled: Some((why, now)),
            ..endpoint.clone()
        };
        let event = self.made.of_endpoint(EventType::EndpointDisabled, &disabled, now);
        match self.storage.change_endpoint(&disabled, &[event]).await {
            Ok(true) => {
                tracing::warn!(partner.id = %endpoint.partner, endpoint.id = %endpoint.id, "endpoint {} is disabled: {why}", endpoint.id);
            }
            // It was changed meanwhile: the next attempt judges anew.
            Ok(false) => {}
            Err(fault) => tracing::warn!("an endpoint could not be disabled: {fault}"),
        }
    }
}
