//! Delivery of events to partners' endpoints (D96).
//!
//! Each endpoint has its own queue, so that no endpoint waits for another's server. Partners share the
//! parallel attempts equally. A partner's endpoints share that partner's attempts (D111).

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::date::Timestamp;
use domain::event::{Event, EventType};
use domain::id::{PartnerId, Uuid, WebhookEndpointId};
use domain::webhook::{
    DeliveryAttempt, DeliveryState, DisabledBy, EndpointHealth, EndpointState, WebhookEndpoint,
};
use futures_util::future::BoxFuture;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, MissedTickBehavior};

use crate::outside::carrier::{Carried, Parcel};
use crate::shared::Shared;
use crate::storage::webhooks::{Held, Lane, Sent};
use crate::storage::{EventQuery, StorageError};
use crate::traces::{self, CallerSampling, SpanKind};

/// Wait before each repetition of a failed attempt: ten attempts in 75 hours and 35 minutes.
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

/// Longest wait that an endpoint can request with `Retry-After`. A longer wait is shortened to this.
const LONGEST_ASKED: Duration = Duration::from_hours(1);

/// Failed attempts in a row after which an endpoint gets no attempts for [`REST`].
const RESTS_AFTER: u32 = 10;
/// How long an endpoint gets no attempts after [`RESTS_AFTER`] failures in a row.
const REST: Duration = Duration::from_secs(30);

/// An endpoint is disabled if it has failed for this time and in this many attempts.
const DISABLED_AFTER: (Duration, u32) = (Duration::from_hours(5 * 24), 20);

/// The partner's other endpoints get an event if an endpoint has failed for this time.
const FAILING_AFTER: Duration = Duration::from_hours(24);

/// Interval in which due deliveries are looked up.
const LOOK: Duration = Duration::from_millis(200);

/// Lease of a delivery. If the process that holds it is killed, another process sends the event after this
/// time.
const HELD: Duration = Duration::from_millis(1500);

/// Interval in which leases are renewed. Two renewals may fail before a delivery is sent twice.
const RENEWAL: Duration = Duration::from_millis(500);

/// Most delivery attempts that one process makes at once.
const MOST: usize = 128;
/// Most attempts at once that are repetitions, or go to slow or failing endpoints.
const MOST_AGAIN: usize = 96;
/// Most attempts at once to one endpoint.
const MOST_TO_ONE: usize = 16;

/// An endpoint's answer that takes longer counts as late, even if it reports success.
const LATE: Duration = Duration::from_secs(2);
/// How long an endpoint counts as slow after a late answer.
const SLOW_FOR: Duration = Duration::from_secs(60);

/// Deliveries claimed for each free attempt to a healthy endpoint. They are sent one after another.
const IN_A_ROW: usize = 8;
/// Longest time for which one attempt sends deliveries one after another. The remaining deliveries become due
/// again.
const LONGEST_ROW: Duration = Duration::from_secs(2);

/// Deliveries of one endpoint that wait for an attempt.
type Queue = Arc<Mutex<VecDeque<Held>>>;

/// Whether an attempt is a repetition, or its endpoint is slow or failing. Such attempts may take only
/// [`MOST_AGAIN`] of the places.
type IsPatient = bool;

/// Endpoints whose last answer was late, with its time. Each process has its own list.
#[derive(Default)]
pub(crate) struct SlowEndpoints(Mutex<HashMap<WebhookEndpointId, Instant>>);

impl SlowEndpoints {
    fn note(&self, endpoint: WebhookEndpointId, took: Duration) {
        let mut slow = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match took > LATE {
            true => drop(slow.insert(endpoint, Instant::now())),
            false => drop(slow.remove(&endpoint)),
        }
    }

    /// Endpoints that are slow now.
    fn now(&self) -> HashSet<WebhookEndpointId> {
        let mut slow = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slow.retain(|_, since| since.elapsed() < SLOW_FOR);
        slow.keys().copied().collect()
    }
}

/// Partners that share the attempts of this process, each with its endpoints that have deliveries due or
/// underway.
#[derive(Default)]
struct Sharers(HashMap<PartnerId, HashSet<WebhookEndpointId>>);

impl Sharers {
    fn add(&mut self, partner: PartnerId, endpoint: WebhookEndpointId) {
        self.0.entry(partner).or_default().insert(endpoint);
    }

    /// Number of attempts that one partner may make at once. The share is computed for one partner more than
    /// there are, so that a new partner finds a free place.
    fn of_partner(&self, all: usize) -> usize {
        (all / (self.0.len() + 1)).max(1)
    }

    /// Number of attempts that may go to one endpoint at once: its part of its partner's share.
    fn of_endpoint(&self, partner: PartnerId) -> usize {
        let endpoints = self.0.get(&partner).map_or(0, HashSet::len);
        (self.of_partner(MOST) / (endpoints + 1)).clamp(1, MOST_TO_ONE)
    }
}

/// Attempts that run now.
#[derive(Default)]
struct Underway {
    tasks: JoinSet<()>,
    attempts: HashMap<Id, Place>,
}

/// A running attempt. `owner` is the id under which its deliveries were claimed.
#[derive(Clone, Copy)]
struct Place {
    of: PartnerId,
    to: WebhookEndpointId,
    is_patient: IsPatient,
    owner: Uuid,
}

impl Underway {
    fn count(&self, which: impl Fn(&Place) -> bool) -> usize {
        self.attempts.values().filter(|place| which(place)).count()
    }

    /// Number of further attempts that may begin to an endpoint of a partner.
    fn room(
        &self,
        (of, to): (PartnerId, WebhookEndpointId),
        is_patient: IsPatient,
        sharers: &Sharers,
    ) -> usize {
        let left = |most: usize, taken: usize| most.saturating_sub(taken);
        let mut room = left(MOST, self.attempts.len())
            .min(left(sharers.of_partner(MOST), self.count(|place| place.of == of)))
            .min(left(sharers.of_endpoint(of), self.count(|place| place.to == to)));
        if is_patient {
            let its_own = self.count(|place| place.is_patient && place.of == of);
            room = room
                .min(left(MOST_AGAIN, self.count(|place| place.is_patient)))
                .min(left(sharers.of_partner(MOST_AGAIN), its_own));
        }
        room
    }

    fn begin(&mut self, place: Place, attempt: impl Future<Output = ()> + Send + 'static) {
        self.attempts.insert(self.tasks.spawn(attempt).id(), place);
    }

    /// Ids under which the deliveries that are being sent were claimed.
    fn owners(&self) -> HashSet<Uuid> {
        self.attempts.values().map(|place| place.owner).collect()
    }

    /// Removes an attempt that has ended, even if it ended with a panic.
    fn forget(&mut self, ended: Result<(Id, ()), JoinError>) {
        let id = ended.map_or_else(|fault| fault.id(), |(id, ())| id);
        self.attempts.remove(&id);
    }

    /// Waits until an attempt has ended. If no attempt runs, it waits forever.
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

/// Delivers events in one process.
pub struct DeliveryService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) slow: SlowEndpoints,
}

impl DeliveryService {
    /// Frees the deliveries of ended processes. Call it only if no other process uses the store.
    ///
    /// # Errors
    /// [`StorageError`].
    pub async fn take_over(&self) -> Result<usize, StorageError> {
        self.shared.storage.free_deliveries(self.shared.partner_clock.real()).await
    }

    /// Delivers events until `stop` resolves. Unfinished deliveries are then handed back, so they may arrive
    /// twice.
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
            if let Err(fault) =
                self.shared.storage.hand_back_deliveries(owner, self.shared.partner_clock.real()).await
            {
                tracing::warn!(
                    "deliveries could not be handed back; they continue when their leases lapse: {fault}"
                );
            }
        }
    }

    /// Renews the leases of deliveries that are being sent, or wait behind them.
    async fn renew(&self, underway: &Underway) {
        for owner in underway.owners() {
            if let Err(fault) =
                self.shared.storage.renew_deliveries(owner, self.shared.partner_clock.real() + HELD).await
            {
                tracing::warn!("leases of deliveries could not be renewed: {fault}");
            }
        }
    }

    /// Begins the due deliveries for which attempts are free: first attempts before repetitions.
    async fn begin_due(self: &Arc<Self>, underway: &mut Underway) -> Result<(), StorageError> {
        let now = self.shared.partner_clock.real();
        let lanes = self.shared.storage.lanes(now).await?;
        let slow = self.slow.now();
        let due = |lane: &Lane, again: bool| {
            (if again { lane.again_due } else { lane.first_due }).filter(|due| *due <= now)
        };
        let mut sharers = Sharers::default();
        underway.attempts.values().for_each(|place| sharers.add(place.of, place.to));
        for lane in lanes.iter().filter(|lane| due(lane, false).or(due(lane, true)).is_some()) {
            sharers.add(lane.endpoint.partner, lane.endpoint.id);
        }
        for again in [false, true] {
            let mut lanes: Vec<&Lane> = lanes.iter().filter(|lane| due(lane, again).is_some()).collect();
            // First the endpoints with the fewest attempts underway, then those that have waited longest.
            lanes.sort_by_cached_key(|lane| {
                let Lane { endpoint, .. } = lane;
                let of_partner = underway.count(|place| place.of == endpoint.partner);
                let to_it = underway.count(|place| place.to == endpoint.id);
                (of_partner, to_it, due(lane, again))
            });
            for Lane { endpoint, .. } in lanes {
                let is_patient = again || endpoint.health.failures > 0 || slow.contains(&endpoint.id);
                // An endpoint that rested is tried with one delivery.
                let most = if endpoint.health.failures >= RESTS_AFTER { 1 } else { MOST_TO_ONE };
                let place = (endpoint.partner, endpoint.id);
                let room = underway.room(place, is_patient, &sharers).min(most);
                if room == 0 {
                    continue;
                }
                let owner = self.shared.ids.uuid();
                let claims = if is_patient { room } else { room * IN_A_ROW };
                let claimed =
                    self.shared.storage.claim_deliveries(place, again, owner, now, now + HELD, claims).await;
                let claimed = claimed.unwrap_or_else(|fault| {
                    // The other endpoints continue.
                    tracing::warn!(endpoint.id = %endpoint.id, "deliveries to {} could not be claimed: {fault}", endpoint.id);
                    Vec::new()
                });
                let attempts = room.min(claimed.len());
                let queue: Queue = Arc::new(Mutex::new(claimed.into()));
                let shared = Arc::new(endpoint.clone());
                for _ in 0..attempts {
                    let sending = Arc::clone(self).send_in_a_row(shared.clone(), queue.clone());
                    let (of, to) = place;
                    underway.begin(Place { of, to, is_patient, owner }, sending);
                }
            }
        }
        Ok(())
    }

    /// Sends queued deliveries one after another until one fails. The next delivery does not wait until the
    /// previous result is stored, so that the store can write many at once.
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
                // The event is older than the retention period. Its delivery is removed too.
                Ok(None) => true,
                Err(fault) => {
                    tracing::warn!("an event could not be read and is sent later: {fault}");
                    false
                }
            };
            if !is_taken || begun.elapsed() > LONGEST_ROW {
                break;
            }
        }
        while let Some(kept) = keeping.join_next().await {
            if let Err(fault) = kept {
                tracing::error!(
                    "the result of a delivery attempt could not be stored; the event is sent again: {fault}"
                );
            }
        }
    }

    /// Sends one event once. Returns the result, or `None` if the event no longer exists.
    async fn attempt(&self, endpoint: &WebhookEndpoint, held: &Held) -> Result<Option<Sent>, StorageError> {
        let (at, begun) = (self.shared.partner_clock.real(), Instant::now());
        let Some(event) = self.shared.storage.event(held.of, held.delivery.event).await? else {
            return Ok(None);
        };
        let caller = match &event.data.trace {
            Some(trace) => CallerSampling::of(Some(trace)),
            None => CallerSampling::NotSampled,
        };
        let send = self.send_once(endpoint, held, event, (at, begun));
        Ok(Some(traces::begin(caller, SpanKind::Client, || "deliver event".to_owned(), send).await))
    }

    async fn send_once(
        &self,
        endpoint: &WebhookEndpoint,
        held: &Held,
        event: Event,
        (at, begun): (Timestamp, Instant),
    ) -> Sent {
        traces::note("event.id", event.id);
        traces::note("event.type", event.kind.word());
        traces::note("endpoint.id", endpoint.id);
        let secrets = endpoint.live_secrets(at).map(|secret| secret.bytes.to_vec()).collect();
        let (url, body) = (
            endpoint.url.clone(),
            (self.shared.settings.event_body)(&event, self.shared.partner_clock.is_test(held.of)),
        );
        let carried =
            self.shared.settings.carrier.carry(&Parcel { url, secrets, id: event.id, at, body }).await;
        self.slow.note(endpoint.id, begun.elapsed());
        let millis = u32::try_from(begun.elapsed().as_millis()).unwrap_or(u32::MAX);
        let sent = self.judge(held, carried, at, millis);
        let outcome = if sent.attempt.is_taken() { "taken" } else { "failed" };
        metrics::counter!("covernote_webhook_attempts_total", "outcome" => outcome).increment(1);
        if let Some(status) = sent.attempt.status {
            traces::note("http.response.status_code", status);
        }
        if !sent.attempt.is_taken() {
            traces::fail(sent.attempt.status.map_or("no answer", |_| "not accepted"));
        }
        sent
    }

    /// Stores the result of an attempt, then disables or reports an endpoint that keeps failing.
    async fn keep(self: Arc<Self>, endpoint: Arc<WebhookEndpoint>, held: Held, sent: Sent) {
        let health = match self.shared.storage.keep_attempt(&held, &sent).await {
            Ok(Some(health)) => health,
            Ok(None) => return,
            Err(fault) => {
                tracing::warn!(
                    "the result of a delivery attempt could not be stored; the event is sent again: {fault}"
                );
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

    /// Decides a delivery's state after an attempt: delivered, to be repeated, or failed.
    fn judge(&self, held: &Held, carried: Result<Carried, String>, at: Timestamp, millis: u32) -> Sent {
        let (status, answer, asked) = match carried {
            Ok(carried) => (Some(carried.status), carried.answer, carried.retry_after),
            Err(why) => (None, why, None),
        };
        let attempt = DeliveryAttempt { at, millis, status, answer };
        let now = self.shared.partner_clock.real();
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

    /// The wait, made up to a fifth shorter or longer at random, so that deliveries that failed together are
    /// not repeated together.
    fn scattered(&self, wait: Duration) -> Duration {
        let mut byte = [0];
        self.shared.random.fill(&mut byte);
        wait.mul_f64(0.8 + 0.4 * f64::from(byte[0]) / 255.0)
    }

    /// Adds one event about an endpoint that has failed for a day, for the partner's other endpoints.
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
        let event = self.shared.events().of_endpoint(EventType::EndpointFailing, endpoint, at);
        let noted = match self.shared.storage.events(endpoint.partner, &told).await {
            Ok(page) if page.events.is_empty() => {
                self.shared.storage.add_event(endpoint.partner, &event).await
            }
            other => other.map(|_| ()),
        };
        match noted {
            Ok(()) => {}
            Err(fault) => tracing::warn!("the event about a failing endpoint could not be stored: {fault}"),
        }
    }

    /// Disables an endpoint, with an event for the partner's other endpoints.
    async fn disable(&self, endpoint: &WebhookEndpoint, why: DisabledBy) {
        let now = self.shared.partner_clock.real();
        let disabled = WebhookEndpoint {
            state: EndpointState::Disabled,
            disabled: Some((why, now)),
            ..endpoint.clone()
        };
        let event = self.shared.events().of_endpoint(EventType::EndpointDisabled, &disabled, now);
        match self.shared.storage.change_endpoint(&disabled, &[event]).await {
            Ok(true) => {
                tracing::warn!(partner.id = %endpoint.partner, endpoint.id = %endpoint.id, "endpoint {} is disabled: {why}", endpoint.id);
            }
            // The endpoint was changed meanwhile. The next attempt decides again.
            Ok(false) => {}
            Err(fault) => tracing::warn!("an endpoint could not be disabled: {fault}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::id::Id;

    use super::*;

    fn id<K: domain::id::Kind>(number: u128) -> Id<K> {
        Id::from_uuid(Uuid::from_u128(number))
    }

    /// Takes every free place for the endpoints of some partners. Returns the number of places that each
    /// partner has.
    async fn filled(partners: u128, endpoints: u128) -> Vec<usize> {
        let (mut underway, mut sharers) = (Underway::default(), Sharers::default());
        let lanes: Vec<(PartnerId, WebhookEndpointId)> = (0..partners)
            .flat_map(|partner| (0..endpoints).map(move |endpoint| (partner, endpoint)))
            .map(|(partner, endpoint)| (id(partner), id(partner * 100 + endpoint)))
            .collect();
        lanes.iter().for_each(|(of, to)| sharers.add(*of, *to));
        for (of, to) in lanes {
            for _ in 0..underway.room((of, to), false, &sharers) {
                underway
                    .begin(Place { of, to, is_patient: false, owner: Uuid::nil() }, std::future::pending());
            }
        }
        (0..partners).map(|partner| underway.count(|place| place.of == id(partner))).collect()
    }

    #[tokio::test]
    async fn deliveries_of_any_number_of_partners_leave_room_for_another_partner() {
        for (partners, endpoints) in [(1, 1), (1, 10), (2, 10), (5, 10), (40, 3), (100, 1)] {
            let taken = filled(partners, endpoints).await;
            assert!(taken.iter().sum::<usize>() < MOST, "{partners} partners take {taken:?}");
            assert!(taken.iter().all(|taken| *taken > 0), "{partners} partners take {taken:?}");
        }
        assert_eq!(filled(1, 1).await, [MOST_TO_ONE]);
        // One share is left for another endpoint of the same partner.
        assert_eq!(filled(1, 10).await, [50]);
    }

    #[test]
    fn an_endpoint_counts_as_slow_after_a_late_answer_until_a_timely_one() {
        let (slow, endpoint) = (SlowEndpoints::default(), id(1));
        slow.note(endpoint, LATE);
        assert!(slow.now().is_empty());
        slow.note(endpoint, LATE + Duration::from_millis(1));
        assert!(slow.now().contains(&endpoint));
        slow.note(endpoint, Duration::from_millis(20));
        assert!(slow.now().is_empty());
    }
}
