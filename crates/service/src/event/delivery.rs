//! Deliveries: events are sent to the endpoints that ask for them, each endpoint in a lane of its own, so that none waits for another's
//! server (D96). The attempts that can be made at once are shared by partner, then by endpoint (D111).

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
use crate::traces::{self, Caller, Kind};

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

/// Attempts at once: of a process, of those that were sent before or go to an endpoint that is slow or takes nothing, and to one
/// endpoint.
const MOST: usize = 128;
const MOST_AGAIN: usize = 96;
const MOST_TO_ONE: usize = 16;

/// An answer that takes longer than this is late, whatever it says: its endpoint counts as slow for a while.
const LATE: Duration = Duration::from_secs(2);
const SLOW_FOR: Duration = Duration::from_secs(60);

/// Deliveries that are claimed for each attempt that has room, where the endpoint takes what it gets: they are sent one after another,
/// for so long. What is left then comes due again.
const IN_A_ROW: usize = 8;
const LONGEST_ROW: Duration = Duration::from_secs(2);

/// Deliveries of one endpoint that wait for an attempt.
type Queue = Arc<Mutex<VecDeque<Held>>>;

/// Whether an attempt is one of those that must not take every place: it was sent before, or its endpoint is slow or takes nothing.
type IsPatient = bool;

/// Endpoints whose last answer was late, with when it came. Known to this process alone: another one finds out by itself.
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

    /// Those that are slow now.
    fn now(&self) -> HashSet<WebhookEndpointId> {
        let mut slow = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slow.retain(|_, since| since.elapsed() < SLOW_FOR);
        slow.keys().copied().collect()
    }
}

/// How many share the attempts: the partners with something due or underway, each with how many of its endpoints have.
#[derive(Default)]
struct Sharers(HashMap<PartnerId, HashSet<WebhookEndpointId>>);

impl Sharers {
    fn add(&mut self, partner: PartnerId, endpoint: WebhookEndpointId) {
        self.0.entry(partner).or_default().insert(endpoint);
    }

    /// A partner's share of a number. One more than there are takes part, so that there is room for who comes next.
    fn of_partner(&self, all: usize) -> usize {
        (all / (self.0.len() + 1)).max(1)
    }

    /// An endpoint's share of its partner's.
    fn of_endpoint(&self, partner: PartnerId) -> usize {
        let endpoints = self.0.get(&partner).map_or(0, HashSet::len);
        (self.of_partner(MOST) / (endpoints + 1)).clamp(1, MOST_TO_ONE)
    }
}

/// The attempts that are made now.
#[derive(Default)]
struct Underway {
    tasks: JoinSet<()>,
    attempts: HashMap<Id, Place>,
}

/// What an attempt takes up: a place of its partner and to its endpoint, and what was claimed with it under one owner.
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

    /// How many more may begin, to an endpoint of a partner.
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
    pub(crate) shared: Arc<Shared>,
    pub(crate) slow: SlowEndpoints,
}

impl DeliveryService {
    /// Frees the deliveries of processes that are gone, for one that knows that it is alone with its store.
    ///
    /// # Errors
    /// [`StorageError`].
    pub async fn take_over(&self) -> Result<usize, StorageError> {
        self.shared.storage.free_deliveries(self.shared.partner_clock.real()).await
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
            if let Err(fault) =
                self.shared.storage.hand_back_deliveries(owner, self.shared.partner_clock.real()).await
            {
                tracing::warn!("deliveries could not be handed back, they come due again: {fault}");
            }
        }
    }

    /// Holds on to what is sent, and to what waits behind it.
    async fn renew(&self, underway: &Underway) {
        for owner in underway.owners() {
            if let Err(fault) =
                self.shared.storage.renew_deliveries(owner, self.shared.partner_clock.real() + HELD).await
            {
                tracing::warn!("deliveries could not be held: {fault}");
            }
        }
    }

    /// Begins what is due and has room: of every endpoint what was never sent, then what is sent again.
    async fn begin_due(self: &Arc<Self>, underway: &mut Underway) -> Result<(), StorageError> {
        let now = self.shared.partner_clock.real();
        let lanes = self.shared.storage.lanes(now).await?;
        let oldest = lanes.iter().filter_map(|lane| lane.first_due).min().filter(|due| *due < now);
        let age = oldest.map_or(0.0, |due| now.duration_since(due).as_secs_f64());
        metrics::gauge!("covernote_webhook_oldest_undelivered_seconds").set(age);
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
            // Who has least underway is first, and then who has waited longest.
            lanes.sort_by_cached_key(|lane| {
                let Lane { endpoint, .. } = lane;
                let of_partner = underway.count(|place| place.of == endpoint.partner);
                let to_it = underway.count(|place| place.to == endpoint.id);
                (of_partner, to_it, due(lane, again))
            });
            for Lane { endpoint, .. } in lanes {
                let is_patient = again || endpoint.health.failures > 0 || slow.contains(&endpoint.id);
                // One that rested is tried with one.
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
                    // The others go on.
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
        let (at, begun) = (self.shared.partner_clock.real(), Instant::now());
        let Some(event) = self.shared.storage.event(held.of, held.delivery.event).await? else {
            return Ok(None);
        };
        let caller = match &event.data.trace {
            Some(trace) => Caller::of(Some(trace)),
            None => Caller::NotSampled,
        };
        let send = self.send_once(endpoint, held, event, (at, begun));
        Ok(Some(traces::begin(caller, Kind::Client, || "deliver event".to_owned(), send).await))
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
            traces::fail(sent.attempt.status.map_or("no answer", |_| "not taken"));
        }
        sent
    }

    /// Keeps how an attempt ended, and what that means for its endpoint.
    async fn keep(self: Arc<Self>, endpoint: Arc<WebhookEndpoint>, held: Held, sent: Sent) {
        let health = match self.shared.storage.keep_attempt(&held, &sent).await {
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

    /// A wait that is up to a fifth shorter or longer, so that what failed together does not come again together.
    fn scattered(&self, wait: Duration) -> Duration {
        let mut byte = [0];
        self.shared.random.fill(&mut byte);
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
        let event = self.shared.events().of_endpoint(EventType::EndpointFailing, endpoint, at);
        let noted = match self.shared.storage.events(endpoint.partner, &told).await {
            Ok(page) if page.events.is_empty() => {
                self.shared.storage.add_event(endpoint.partner, &event).await
            }
            other => other.map(|_| ()),
        };
        match noted {
            Ok(()) => {}
            Err(fault) => tracing::warn!("a failing endpoint could not be told of: {fault}"),
        }
    }

    /// Disables an endpoint, and tells the partner's others.
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
            // It was changed meanwhile: the next attempt judges anew.
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

    /// Takes every place that there is for the endpoints of some partners, in turn: how many each partner has.
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
    async fn however_many_partners_send_there_is_room_for_one_more() {
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
    fn an_answer_that_comes_late_makes_its_endpoint_slow_until_one_is_in_time() {
        let (slow, endpoint) = (SlowEndpoints::default(), id(1));
        slow.note(endpoint, LATE);
        assert!(slow.now().is_empty());
        slow.note(endpoint, LATE + Duration::from_millis(1));
        assert!(slow.now().contains(&endpoint));
        slow.note(endpoint, Duration::from_millis(20));
        assert!(slow.now().is_empty());
    }
}
