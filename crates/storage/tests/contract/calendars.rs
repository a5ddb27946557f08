//! Calendars of partners, with removal of test partners' records (D97, D98).

use domain::date::{Date, days_later};
use domain::event::EventType;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use ports::storage::calendars::{CalendarMark, DayOfPolicy};
use ports::storage::{EventQuery, NewEvent, Storage};

use crate::claims::issued;
use crate::sample::{event_of, now};

fn mark(day: Date) -> CalendarMark {
    CalendarMark { day, step: None, assortment: Some([7; 32]), version: 1 }
}

pub async fn events_of_a_calendar_version_are_stored_only_once(store: &dyn Storage) {
    let of = crate::sample::id();
    assert_eq!(store.calendar(of).await.unwrap(), None);
    let begun = mark(Date::constant(2026, 11, 20));
    store.begin_calendar(of, &begun).await.unwrap();
    store.begin_calendar(of, &mark(Date::constant(2030, 1, 1))).await.unwrap();
    assert_eq!(store.calendar(of).await.unwrap(), Some(begun), "begun once");
    let subject = domain::id::Uuid::from_u128(7);
    let told = [event_of(subject, EventType::PolicyExpired, now())];
    let next = CalendarMark {
        day: Date::constant(2026, 11, 21),
        step: Some((1000, Some(crate::sample::id()))),
        ..begun
    };
    let tells =
        async |to: &CalendarMark, events: &[NewEvent]| store.tell_calendar(of, to, events).await.unwrap();
    assert!(tells(&next, &told).await);
    let again = [event_of(subject, EventType::PolicyExpired, now())];
    assert!(!tells(&next, &again).await, "another process told of that version"); // D98
    assert_eq!(store.calendar(of).await.unwrap(), Some(CalendarMark { version: 2, ..next }));
    let events = store.events(of, &EventQuery { most: 10, ..EventQuery::default() }).await.unwrap().events;
    assert_eq!(events.len(), 1);
}

pub async fn issued_policies_are_found_by_their_last_day(store: &dyn Storage) {
    let policy = issued(store).await;
    let (of, last) = (policy.partner, policy.last_day());
    let found = async |day, after| store.policies_on(of, day, after, 10).await.unwrap();
    let ids = |found: Vec<Policy>| found.iter().map(|policy| policy.id).collect::<Vec<_>>();
    assert_eq!(ids(found(DayOfPolicy::LastDay(last), None).await), [policy.id]);
    assert_eq!(ids(found(DayOfPolicy::LastDay(last), Some(policy.id)).await), []);
    assert_eq!(ids(found(DayOfPolicy::LastDay(days_later(last, 1).unwrap()), None).await), []);
    assert_eq!(ids(found(DayOfPolicy::RenewableUntil(last), None).await), []);
    let (cancelled, moves) = crate::sample::cancelled(&policy);
    assert_eq!(cancelled.state, PolicyState::Cancelled);
    let act = ports::storage::policies::PolicyAct { moves: &moves, ..Default::default() };
    store.change_policy(&cancelled, act).await.unwrap();
    assert_eq!(ids(found(DayOfPolicy::LastDay(last), None).await), [], "only ISSUED ones");
}

pub async fn the_removal_of_test_data_removes_only_records_of_its_partner(store: &dyn Storage) {
    let (gone, stays) = (issued(store).await, issued(store).await);
    let mut removed = 0;
    loop {
        match store.forget_test_data(gone.partner, 2).await.unwrap() {
            0 => break,
            some => removed += some,
        }
    }
    assert!(removed >= 2, "a proposal and its policy: {removed}"); // D97
    assert_eq!(store.policy(gone.partner, gone.id).await.unwrap(), None);
    assert!(store.policy(stays.partner, stays.id).await.unwrap().is_some());
}

pub async fn hurrying_the_jobs_of_a_partner_makes_them_due_now(store: &dyn Storage) {
    let quote = crate::sample::health_quote(crate::sample::id());
    store.keep_health_quote(&quote, None).await.unwrap();
    let of = quote.partner;
    assert_eq!(store.jobs_at_work(of, crate::sample::later(1)).await.unwrap(), 1);
    assert_eq!(store.jobs_at_work(crate::sample::id(), crate::sample::later(1)).await.unwrap(), 0);
    let family = ports::storage::jobs::JobFamily::Recommendations;
    let owner = domain::id::Uuid::from_u128(9);
    let lease =
        store.claim_jobs(family, owner, crate::sample::later(1), crate::sample::later(2), 1).await.unwrap();
    let lease = lease.first().expect("the job");
    let late = ports::storage::jobs::PutOff { due: crate::sample::later(1_000_000), step: 0, faults: 0 };
    assert!(store.put_off(lease, late).await.unwrap());
    assert_eq!(store.jobs_at_work(of, crate::sample::later(3)).await.unwrap(), 0);
    store.hurry_jobs(of, crate::sample::later(3)).await.unwrap();
    assert_eq!(store.jobs_at_work(of, crate::sample::later(3)).await.unwrap(), 1);
}
