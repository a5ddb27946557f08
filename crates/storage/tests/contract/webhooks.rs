//! Webhooks: endpoints, and deliveries that are created with their events (D96).

use domain::event::EventType;
use domain::id::{EventId, PartnerId, Uuid};
use domain::webhook::{
    Delivery, DeliveryAttempt, DeliveryState, EndpointHealth, EndpointState, SigningSecret, WantedEvents,
    WebhookEndpoint,
};
use futures_util::future::join_all;
use ports::storage::lists::Beyond;
use ports::storage::webhooks::{Held, Sent};
use ports::storage::{NewEvent, Storage};

use crate::sample::{event_of, id, later, now, partner, secret};

pub fn endpoint(of: PartnerId, wanted: WantedEvents) -> WebhookEndpoint {
    WebhookEndpoint {
        id: id(),
        partner: of,
        created_at: now(),
        url: "https://partner.example/hooks".into(),
        description: Some("ours".into()),
        wanted,
        secrets: vec![SigningSecret { bytes: [7; 32], since: now(), until: None }],
        state: EndpointState::Enabled,
        disabled: None,
        version: 1,
        health: EndpointHealth::default(),
    }
}

async fn with_partner(store: &dyn Storage) -> PartnerId {
    let partner = partner();
    store.add_partner(&partner, &secret(1)).await.unwrap();
    partner.id
}

/// Writes an event of a type with the smallest act that makes one.
async fn happens(store: &dyn Storage, of: PartnerId, number: u32, kind: EventType) -> NewEvent {
    let event = event_of(Uuid::from_u128(number.into()), kind, now());
    assert!(store.add_secret(of, &secret(number + 10), 1000, &event).await.unwrap());
    event
}

async fn claim(store: &dyn Storage, of: &WebhookEndpoint, again: bool, at: i64) -> Vec<Held> {
    let to = (of.partner, of.id);
    store.claim_deliveries(to, again, Uuid::from_u128(1), later(at), later(at + 30), 100).await.unwrap()
}

fn sent(status: u16, state: DeliveryState, due: Option<i64>) -> Sent {
    let attempt = DeliveryAttempt { at: now(), millis: 3, status: Some(status), answer: "seen".into() };
    Sent { state, due_at: due.map(later), attempt, rests: (2, later(500)) }
}

async fn delivery(store: &dyn Storage, to: &WebhookEndpoint, event: EventId) -> Option<Delivery> {
    store.delivery((to.partner, to.id), event).await.unwrap()
}

pub async fn an_endpoint_is_added_changed_by_version_and_removed_with_its_deliveries(store: &dyn Storage) {
    let of = with_partner(store).await;
    let made = endpoint(of, WantedEvents::All);
    assert!(store.add_endpoint(&made, 10).await.unwrap());
    assert_eq!(store.endpoints(of).await.unwrap(), std::slice::from_ref(&made));
    assert_eq!(store.endpoints(id()).await.unwrap(), [], "another partner's (D3)");
    let other = WebhookEndpoint { url: "https://other.example".into(), ..made.clone() };
    let changes = join_all((0..16).map(|_| store.change_endpoint(&other, &[]))).await;
    assert_eq!(changes.into_iter().filter(|changed| *changed.as_ref().unwrap()).count(), 1);
    assert_eq!(store.endpoints(of).await.unwrap(), [WebhookEndpoint { version: 2, ..other }]);
    let event = happens(store, of, 1, EventType::PolicyIssued).await;
    assert!(delivery(store, &made, event.id).await.is_some());
    assert!(!store.remove_endpoint(of, id::<domain::id::kind::WebhookEndpoint>()).await.unwrap());
    assert!(store.remove_endpoint(of, made.id).await.unwrap());
    assert_eq!((store.endpoints(of).await.unwrap(), delivery(store, &made, event.id).await), (vec![], None));
}

pub async fn a_partner_cannot_have_more_endpoints_than_allowed(store: &dyn Storage) {
    let of = with_partner(store).await;
    let endpoints: Vec<WebhookEndpoint> = (0..16).map(|_| endpoint(of, WantedEvents::All)).collect();
    let added = join_all(endpoints.iter().map(|one| store.add_endpoint(one, 10))).await;
    assert_eq!(added.into_iter().filter(|added| *added.as_ref().unwrap()).count(), 10);
    assert_eq!(store.endpoints(of).await.unwrap().len(), 10);
}

pub async fn an_event_is_delivered_only_to_enabled_endpoints_that_want_its_type(store: &dyn Storage) {
    let of = with_partner(store).await;
    let (all, some) =
        (endpoint(of, WantedEvents::All), endpoint(of, WantedEvents::Types(vec![EventType::ClaimPaid])));
    let mut off = endpoint(of, WantedEvents::All);
    let others = endpoint(with_partner(store).await, WantedEvents::All);
    for one in [&all, &some, &off, &others] {
        assert!(store.add_endpoint(one, 10).await.unwrap());
    }
    off.state = EndpointState::Disabled;
    assert!(store.change_endpoint(&off, &[]).await.unwrap());
    let event = happens(store, of, 1, EventType::PolicyIssued).await;
    let paid = happens(store, of, 2, EventType::ClaimPaid).await;
    let held = claim(store, &all, false, 1).await;
    let mut found: Vec<EventId> = held.iter().map(|held| held.delivery.event).collect();
    found.sort();
    let mut wanted = vec![event.id, paid.id];
    wanted.sort();
    assert_eq!(found, wanted);
    let held = claim(store, &some, false, 1).await;
    assert_eq!(held.iter().map(|held| held.delivery.event).collect::<Vec<_>>(), [paid.id]);
    assert_eq!(delivery(store, &off, event.id).await, None);
    assert_eq!(delivery(store, &others, event.id).await, None);
    // A ping goes only to its own endpoint.
    let ping = event_of(some.id.uuid(), EventType::EndpointPing, now());
    store.ping((of, some.id), &ping).await.unwrap();
    assert!(delivery(store, &some, ping.id).await.is_some());
    assert_eq!(delivery(store, &all, ping.id).await, None);
    assert_eq!(store.event(of, ping.id).await.unwrap().map(|event| event.sequence), Some(1));
}

pub async fn only_one_worker_holds_a_delivery_until_its_lease_expires(store: &dyn Storage) {
    let of = with_partner(store).await;
    let to = endpoint(of, WantedEvents::All);
    store.add_endpoint(&to, 10).await.unwrap();
    let event = happens(store, of, 1, EventType::PolicyIssued).await;
    let claims = join_all((0..8).map(|_| claim(store, &to, false, 1))).await;
    let mut held: Vec<Held> = claims.into_iter().flatten().collect();
    assert_eq!(held.len(), 1, "one of eight");
    let first = held.remove(0);
    assert_eq!(claim(store, &to, false, 30).await.len(), 0);
    assert_eq!(store.renew_deliveries(Uuid::from_u128(2), later(90)).await.unwrap(), 0, "another's");
    assert_eq!(store.renew_deliveries(Uuid::from_u128(1), later(31)).await.unwrap(), 1);
    let second = claim(store, &to, false, 31).await.remove(0);
    let lost = sent(200, DeliveryState::Delivered, None);
    assert_eq!(store.keep_attempt(&first, &lost).await.unwrap(), None, "somebody else has it");
    assert_eq!(store.keep_attempt(&second, &lost).await.unwrap(), Some(EndpointHealth::default()));
    let done = delivery(store, &to, event.id).await.unwrap();
    assert_eq!(
        (done.state, done.due_at, done.tries, done.attempts),
        (DeliveryState::Delivered, None, 1, vec![lost.attempt])
    );
    assert_eq!(claim(store, &to, false, 1_000).await.len() + claim(store, &to, true, 1_000).await.len(), 0);
}

pub async fn an_endpoint_is_paused_after_two_failures_and_recovers_after_one_success(store: &dyn Storage) {
    let of = with_partner(store).await;
    let to = endpoint(of, WantedEvents::All);
    store.add_endpoint(&to, 10).await.unwrap();
    for number in 1..4 {
        happens(store, of, number, EventType::PolicyIssued).await;
    }
    let held = claim(store, &to, false, 1).await;
    let failed = sent(500, DeliveryState::Pending, Some(100));
    let health = store.keep_attempt(&held[0], &failed).await.unwrap().unwrap();
    assert_eq!((health.failures, health.failing_since, health.rests_until), (1, Some(now()), None));
    let lanes = |at| async move {
        let lanes = store.lanes(later(at)).await.unwrap();
        lanes.into_iter().find(|lane| lane.endpoint.id == to.id)
    };
    let lane = lanes(50).await.unwrap();
    assert_eq!((lane.first_due, lane.again_due), (Some(later(31)), Some(later(100))));
    let health = store.keep_attempt(&held[1], &failed).await.unwrap().unwrap();
    assert_eq!((health.failures, health.rests_until), (2, Some(later(500))));
    assert!(lanes(499).await.is_none(), "it rests");
    assert_eq!(lanes(500).await.unwrap().endpoint.health.failures, 2);
    let again = claim(store, &lane.endpoint, true, 600).await;
    assert_eq!(again.len(), 2);
    let taken = sent(204, DeliveryState::Delivered, None);
    assert_eq!(store.keep_attempt(&again[0], &taken).await.unwrap(), Some(EndpointHealth::default()));
    assert_eq!(store.endpoints(of).await.unwrap()[0].health, EndpointHealth::default());
}

pub async fn recovery_repeats_missed_deliveries_but_not_delivered_ones(store: &dyn Storage) {
    let of = with_partner(store).await;
    let before = happens(store, of, 1, EventType::PolicyIssued).await;
    let to = endpoint(of, WantedEvents::Types(vec![EventType::PolicyIssued]));
    store.add_endpoint(&to, 10).await.unwrap();
    let taken = happens(store, of, 2, EventType::PolicyIssued).await;
    let failed = happens(store, of, 3, EventType::PolicyIssued).await;
    happens(store, of, 4, EventType::ClaimPaid).await;
    for held in claim(store, &to, false, 1).await {
        let is_taken = held.delivery.event == taken.id;
        let how = if is_taken {
            sent(200, DeliveryState::Delivered, None)
        } else {
            sent(500, DeliveryState::Failed, None)
        };
        store.keep_attempt(&held, &how).await.unwrap();
    }
    let long_ago = "2020-01-01T00:00:00Z".parse().unwrap();
    assert_eq!(store.recover_deliveries(&to, long_ago, later(40), 1).await.unwrap(), 1);
    assert_eq!(store.recover_deliveries(&to, long_ago, later(40), 10).await.unwrap(), 1);
    assert_eq!(store.recover_deliveries(&to, long_ago, later(40), 10).await.unwrap(), 0);
    let mut again: Vec<EventId> =
        claim(store, &to, true, 50).await.iter().map(|held| held.delivery.event).collect();
    again.sort();
    let mut wanted = vec![before.id, failed.id];
    wanted.sort();
    assert_eq!(again, wanted);
    let page = store.deliveries((of, to.id), None, None, 2).await.unwrap();
    assert_eq!((page.deliveries.len(), page.has_more), (2, true));
    let last = page.deliveries[1].event;
    let before = store.deliveries((of, to.id), None, Some(Beyond::Before(last)), 5).await.unwrap();
    assert_eq!(before.deliveries.last().map(|one| one.event), Some(page.deliveries[0].event));
    let done = store.deliveries((of, to.id), Some(DeliveryState::Delivered), None, 5).await.unwrap();
    assert_eq!(done.deliveries.iter().map(|one| one.event).collect::<Vec<_>>(), [taken.id]);
}

pub async fn held_deliveries_can_be_handed_back_freed_and_sent_again(store: &dyn Storage) {
    let of = with_partner(store).await;
    let to = endpoint(of, WantedEvents::All);
    store.add_endpoint(&to, 10).await.unwrap();
    let event = happens(store, of, 1, EventType::PolicyIssued).await;
    claim(store, &to, false, 1).await;
    assert_eq!(store.hand_back_deliveries(Uuid::from_u128(1), later(2)).await.unwrap(), 1);
    let held = claim(store, &to, false, 2).await.remove(0);
    assert!(store.free_deliveries(later(3)).await.unwrap() >= 1);
    let held_again = claim(store, &to, false, 3).await.remove(0);
    assert!(held_again.lease > held.lease);
    store.keep_attempt(&held_again, &sent(200, DeliveryState::Delivered, None)).await.unwrap();
    store.deliver_again((of, to.id), event.id, later(4)).await.unwrap();
    let again = delivery(store, &to, event.id).await.unwrap();
    assert_eq!((again.state, again.tries, again.attempts.len()), (DeliveryState::Pending, 0, 1));
    assert_eq!(claim(store, &to, false, 4).await.len(), 1);
    let long_after = "2099-01-01T00:00:00Z".parse().unwrap();
    assert_eq!(store.forget_deliveries(of, long_after, 10).await.unwrap(), 1);
    assert_eq!(delivery(store, &to, event.id).await, None);
}
