//! Events, numbered by subject, read in pages (D95).

use domain::event::{Event, EventType};
use domain::id::{EventId, PartnerId, Uuid};
use futures_util::future::join_all;
use ports::storage::events::EventQuery;
use ports::storage::lists::Beyond;
use ports::storage::policies::{PolicyAct, PolicyChanged};
use ports::storage::{NewEvent, Storage};

use crate::claims::issued;
use crate::sample::{event_of, later, now, partner, response, secret};

/// Writes an event with the smallest act that makes one: adding a secret to a partner.
async fn keep(store: &dyn Storage, of: PartnerId, number: u32, event: &NewEvent) {
    assert!(store.add_secret(of, &secret(number), 1000, event).await.unwrap());
}

async fn of_subject(store: &dyn Storage, of: PartnerId, subject: Uuid) -> Vec<Event> {
    let query = EventQuery { subject: Some(subject), most: 100, ..EventQuery::default() };
    store.events(of, &query).await.unwrap().events
}

fn sequences(events: &[Event]) -> Vec<u64> {
    events.iter().map(|event| event.sequence).collect()
}

pub async fn an_act_stores_its_events_numbered_by_subject(store: &dyn Storage) {
    let policy = issued(store).await;
    let (of, subject, other) = (policy.partner, policy.id.uuid(), Uuid::from_u128(7));
    let events = [
        event_of(subject, EventType::EndorsementApplied, now()),
        event_of(other, EventType::ClaimPaid, now()),
        event_of(subject, EventType::RefundDue, now()),
    ];
    let act = || PolicyAct { events: &events, ..PolicyAct::default() };
    assert_eq!(store.change_policy(&policy, act()).await.unwrap(), PolicyChanged::Done);
    let told = of_subject(store, of, subject).await;
    assert_eq!(sequences(&told), [2, 1]);
    assert_eq!((told[0].kind, told[1].kind), (EventType::RefundDue, EventType::EndorsementApplied));
    assert_eq!(sequences(&of_subject(store, of, other).await), [1]);
    let first = &events[0];
    let Event { id, partner, kind, at, subject: about, sequence, data } =
        store.event(of, first.id).await.unwrap().unwrap();
    assert_eq!((id, partner, kind, at), (first.id, of, first.kind, first.at));
    assert_eq!((about, sequence, data), (subject, 1, first.data.clone()));
    assert_eq!(store.event(crate::sample::id(), first.id).await.unwrap(), None, "another partner's (D3)");
}

pub async fn an_act_that_is_lost_or_repeated_stores_no_event(store: &dyn Storage) {
    let policy = issued(store).await;
    let subject = policy.id.uuid();
    let kept = [event_of(subject, EventType::PolicyRenewed, now())];
    let used = response(1, b"first");
    let act = PolicyAct { events: &kept, response: Some(&used), ..PolicyAct::default() };
    assert_eq!(store.change_policy(&policy, act).await.unwrap(), PolicyChanged::Done);
    let lost = [event_of(subject, EventType::PolicyCancelled, now())];
    let act = PolicyAct { events: &lost, ..PolicyAct::default() };
    assert_eq!(store.change_policy(&policy, act).await.unwrap(), PolicyChanged::Lost);
    let twin = [event_of(subject, EventType::PolicyCancelled, now())];
    let act = PolicyAct { events: &twin, response: Some(&used), ..PolicyAct::default() };
    let now_there = store.policy(policy.partner, policy.id).await.unwrap().unwrap();
    assert_eq!(store.change_policy(&now_there, act).await.unwrap(), PolicyChanged::Twin);
    assert_eq!(sequences(&of_subject(store, policy.partner, subject).await), [1]);
}

pub async fn sixteen_simultaneous_acts_number_the_events_of_a_subject_without_a_gap(store: &dyn Storage) {
    let partner = partner();
    store.add_partner(&partner, &secret(1)).await.unwrap();
    let subject = Uuid::from_u128(16);
    let keeping = (2..18).map(|number| async move {
        let event = event_of(subject, EventType::CredentialAdded, now());
        keep(store, partner.id, number, &event).await;
    });
    join_all(keeping).await;
    let told = of_subject(store, partner.id, subject).await;
    assert_eq!(sequences(&told), (1..=16).rev().collect::<Vec<_>>());
}

pub async fn events_are_read_in_pages_newest_first(store: &dyn Storage) {
    let partner = partner();
    let of = partner.id;
    store.add_partner(&partner, &secret(1)).await.unwrap();
    let mut made = Vec::new();
    for nth in 0..6 {
        let kind = if nth % 2 == 0 { EventType::PolicyIssued } else { EventType::ClaimPaid };
        let at = later(i64::from(nth) * 1_000_000);
        let id = EventId::from_uuid(Uuid::from_u128(
            (u128::try_from(at.as_millisecond()).unwrap() << 80) | u128::from(nth) | 0x8000_0000,
        ));
        let event = NewEvent { id, ..event_of(Uuid::from_u128(u128::from(nth % 3)), kind, at) };
        keep(store, of, nth + 2, &event).await;
        made.insert(0, event.id);
    }
    let ask = |query: EventQuery| async move {
        let page = store.events(of, &query).await.unwrap();
        (page.events.iter().map(|event| event.id).collect::<Vec<_>>(), page.has_more)
    };
    let most = |most| EventQuery { most, ..EventQuery::default() };
    assert_eq!(ask(most(6)).await, (made.clone(), false));
    assert_eq!(ask(most(4)).await, (made[..4].to_vec(), true));
    let behind = EventQuery { from: Some(Beyond::After(made[3])), ..most(4) };
    assert_eq!(ask(behind).await, (made[4..].to_vec(), false));
    let before = |most_of_page| EventQuery { from: Some(Beyond::Before(made[3])), ..most(most_of_page) };
    assert_eq!(ask(before(2)).await, (made[1..3].to_vec(), true));
    assert_eq!(ask(before(3)).await, (made[..3].to_vec(), false));
    for undelivered in [None, Some(false)] {
        let of_type = EventQuery { kind: Some(EventType::PolicyIssued), undelivered, ..before(1) };
        assert_eq!(ask(of_type).await, (vec![made[1]], false));
    }
    let none = EventQuery { undelivered: Some(true), ..before(9) };
    assert_eq!(ask(none).await, (vec![], false));
    let of_type = EventQuery { kind: Some(EventType::PolicyIssued), ..most(9) };
    assert_eq!(ask(of_type).await.0, [made[1], made[3], made[5]]);
    let subject = EventQuery { subject: Some(Uuid::from_u128(1)), ..most(9) };
    assert_eq!(ask(subject.clone()).await.0, [made[1], made[4]]);
    let both = EventQuery { kind: Some(EventType::ClaimPaid), ..subject };
    assert_eq!(ask(both).await.0, [made[4]]);
    let within = EventQuery { since: Some(later(1_000_000)), until: Some(later(3_000_000)), ..most(9) };
    assert_eq!(ask(within).await.0, [made[3], made[4]]);
}

pub async fn old_events_are_removed_and_their_numbers_are_not_reused(store: &dyn Storage) {
    let partner = partner();
    let of = partner.id;
    store.add_partner(&partner, &secret(1)).await.unwrap();
    let subject = Uuid::from_u128(3);
    for number in 2..5 {
        keep(store, of, number, &event_of(subject, EventType::CredentialAdded, now())).await;
    }
    let mut were_some = false;
    while store.forget_events("2020-01-01T00:00:00Z".parse().unwrap(), 2).await.unwrap() {
        were_some = true;
    }
    assert!(!were_some && of_subject(store, of, subject).await.len() == 3, "they are not older than that");
    while store.forget_events("2099-01-01T00:00:00Z".parse().unwrap(), 2).await.unwrap() {
        were_some = true;
    }
    assert!(were_some);
    assert_eq!(of_subject(store, of, subject).await, []);
    keep(store, of, 5, &event_of(subject, EventType::CredentialAdded, now())).await;
    assert_eq!(sequences(&of_subject(store, of, subject).await), [4]);
}
