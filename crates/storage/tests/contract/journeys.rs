//! Journeys (D38).

use domain::event::EventType;
use ports::storage::EventQuery;
use ports::storage::journeys::OldJourney;
use std::collections::BTreeMap;

use domain::session::Session;
use futures_util::future::join_all;
use ports::storage::Storage;

use crate::health_sample::{answered, opened};
use crate::sample::{event_of, id, later, now};

pub async fn an_opened_journey_and_a_changed_journey_are_read_unchanged(store: &dyn Storage) {
    let journey = opened(id());
    assert!(store.open_journey(&journey, None).await.unwrap());
    assert_eq!(store.journey(journey.cookie).await.unwrap(), Some(journey.clone()));
    let mut changed = answered(&journey);
    changed.seen_at = later(60_000_000);
    assert!(store.change_journey(&changed).await.unwrap());
    assert_eq!(store.journey(journey.cookie).await.unwrap(), Some(changed));
    assert_eq!(store.journey([0; 32]).await.unwrap(), None);
}

pub async fn a_token_opens_only_one_of_several_simultaneous_journeys(store: &dyn Storage) {
    // D38
    let of = id();
    let first = opened(of);
    let others: Vec<_> = (0..8)
        .map(|_| {
            let mut journey = opened(of);
            journey.token = first.token;
            journey
        })
        .collect();
    let openings = others.iter().map(|journey| store.open_journey(journey, None));
    let won: Vec<bool> = join_all(openings).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(won.iter().filter(|won| **won).count(), 1);
    let winner = others.iter().zip(&won).find(|(_, won)| **won).unwrap().0;
    assert_eq!(store.journey_opened_by(of, first.token).await.unwrap(), Some(winner.cookie));
    for (journey, won) in others.iter().zip(won) {
        assert_eq!(store.journey(journey.cookie).await.unwrap().is_some(), won);
    }
    assert_eq!(store.journey_opened_by(id(), first.token).await.unwrap(), None, "another partner's (D3)");
    assert_eq!(store.journey_opened_by(of, opened(of).token).await.unwrap(), None);
}

pub async fn a_session_is_stored_only_if_its_journey_is_opened(store: &dyn Storage) {
    // D37
    let (first, mut second) = (opened(id()), opened(id()));
    second.partner = first.partner;
    second.token = first.token;
    let begins = |session| Session {
        id: session,
        partner: first.partner,
        created_at: now(),
        metadata: BTreeMap::new(),
    };
    assert!(store.open_journey(&first, Some(&begins(first.session))).await.unwrap());
    assert!(!store.open_journey(&second, Some(&begins(second.session))).await.unwrap());
    assert!(store.session(first.partner, first.session).await.unwrap().is_some());
    assert!(store.session(first.partner, second.session).await.unwrap().is_none());
}

pub async fn only_one_of_several_tabs_that_change_a_journey_simultaneously_succeeds(store: &dyn Storage) {
    // No tab overwrites the answers of another tab.
    for _ in 0..20 {
        let journey = opened(id());
        store.open_journey(&journey, None).await.unwrap();
        let tabs: Vec<_> = (0..4).map(|_| answered(&journey)).collect();
        let changes = tabs.iter().map(|tab| store.change_journey(tab));
        let won: Vec<bool> = join_all(changes).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(won.iter().filter(|won| **won).count(), 1);
        let winner = tabs.iter().zip(won).find(|(_, won)| *won).unwrap().0;
        assert_eq!(store.journey(journey.cookie).await.unwrap().as_ref(), Some(winner));
        assert!(!store.change_journey(&answered(&journey)).await.unwrap(), "the version before is gone");
    }
}

pub async fn journeys_that_were_not_used_for_long_are_removed_oldest_first(store: &dyn Storage) {
    let mut journeys = Vec::new();
    for seen in [-3, -2, -1, 0, 1] {
        let mut journey = opened(id());
        journey.seen_at = later(seen);
        store.open_journey(&journey, None).await.unwrap();
        journeys.push(journey);
    }
    let left = async || {
        let mut left = Vec::new();
        for journey in &journeys {
            left.push(store.journey(journey.cookie).await.unwrap().is_some());
        }
        left
    };
    let forgets = async |before, most| {
        let old = store.old_journeys(before, most).await.unwrap();
        let told = |old: OldJourney| {
            let event = event_of(old.id, EventType::JourneyExpired, now());
            (old, Some(event))
        };
        let old: Vec<_> = old.into_iter().map(told).collect();
        store.forget_journeys(&old).await.unwrap()
    };
    assert_eq!(forgets(now(), 2).await, 2, "no more than so many at once");
    assert_eq!(left().await, [false, false, true, true, true], "the oldest first");
    assert_eq!(forgets(now(), 2).await, 1);
    assert_eq!(forgets(now(), 2).await, 0);
    assert_eq!(left().await, [false, false, false, true, true], "those seen just then stay");
    // A journey that was used again since it was found stays, and gets no event.
    let old = store.old_journeys(later(5), 10).await.unwrap();
    assert_eq!(old.len(), 2);
    let mut seen = answered(&journeys[3]);
    seen.seen_at = later(10);
    assert!(store.change_journey(&seen).await.unwrap());
    let told = |old: OldJourney| {
        let event = event_of(old.id, EventType::JourneyExpired, now());
        (old, Some(event))
    };
    assert_eq!(store.forget_journeys(&old.into_iter().map(told).collect::<Vec<_>>()).await.unwrap(), 1);
    assert_eq!(left().await, [false, false, false, true, false]);
    let query = EventQuery { most: 100, ..EventQuery::default() };
    let mut told = 0;
    for journey in &journeys {
        let found = store.events(journey.partner, &query).await.unwrap().events;
        let of_it = found.iter().filter(|event| event.subject == journey.id).count();
        assert_eq!(of_it, usize::from(journey.id != journeys[3].id));
        told += of_it;
    }
    assert_eq!(told, 4);
}
