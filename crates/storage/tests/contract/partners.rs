//! Partners and their secrets.

use std::time::Duration;

use domain::event::EventType;
use domain::partner::Sandbox;
use ports::storage::partners::ClockChange;
use ports::storage::{PartnerRecord, Storage, StorageError};

use crate::sample::{event_of, later, now, partner, secret};

pub async fn an_added_partner_is_read_unchanged(store: &dyn Storage) {
    let (partner, secret) = (partner(), secret(1));
    store.add_partner(&partner, &secret).await.unwrap();
    let found = store.partners().await.unwrap();
    assert_eq!(found, [PartnerRecord { partner, secrets: vec![secret] }]);
}

pub async fn two_partners_cannot_have_the_same_client_id(store: &dyn Storage) {
    let first = partner();
    store.add_partner(&first, &secret(1)).await.unwrap();
    let mut second = partner();
    second.client_id = first.client_id;
    let refused = store.add_partner(&second, &secret(1)).await;
    assert!(matches!(refused, Err(StorageError::Refused(_))), "{refused:?}");
    assert_eq!(store.partners().await.unwrap().len(), 1);
}

pub async fn a_changed_partner_is_read_with_its_changes(store: &dyn Storage) {
    let mut partner = partner();
    store.add_partner(&partner, &secret(1)).await.unwrap();
    partner.enabled = false;
    partner.scopes = domain::access::Scopes::NONE;
    partner.origins = Vec::new();
    assert!(store.change_partner(&partner, ClockChange::Keep).await.unwrap());
    assert_eq!(store.partners().await.unwrap()[0].partner, partner);
    let unknown = crate::sample::partner();
    assert!(!store.change_partner(&unknown, ClockChange::Keep).await.unwrap());
}

pub async fn each_advance_of_a_test_partners_clock_adds_to_the_stored_clock(store: &dyn Storage) {
    let mut partner = partner();
    partner.sandbox = Some(Sandbox::default());
    store.add_partner(&partner, &secret(1)).await.unwrap();
    let ahead = async || store.partners().await.unwrap()[0].partner.sandbox.unwrap().ahead;
    assert_eq!(ahead().await, Duration::ZERO); // D97
    // Two requests at once read the same clock, and both advance it.
    for _ in 0..2 {
        let day = ClockChange::Advance(Duration::from_secs(86_400));
        assert!(store.change_partner(&partner, day).await.unwrap());
    }
    assert_eq!(ahead().await, Duration::from_secs(2 * 86_400));
    partner.name = "Another name".into();
    assert!(store.change_partner(&partner, ClockChange::Keep).await.unwrap());
    assert_eq!(ahead().await, Duration::from_secs(2 * 86_400), "a change of something else leaves it");
    assert!(store.change_partner(&partner, ClockChange::Reset).await.unwrap());
    assert_eq!(ahead().await, Duration::ZERO);
}

pub async fn every_change_of_a_partner_raises_the_revision(store: &dyn Storage) {
    let partner = partner();
    let mut last = store.revision().await.unwrap();
    let mut raised = async |what: &str| {
        let revision = store.revision().await.unwrap();
        assert!(revision > last, "{what}");
        last = revision;
    };
    store.add_partner(&partner, &secret(1)).await.unwrap();
    raised("a new partner").await;
    store.change_partner(&partner, ClockChange::Keep).await.unwrap();
    raised("a changed partner").await;
    let added = || event_of(partner.id.uuid(), EventType::CredentialAdded, now());
    let revoked = || event_of(partner.id.uuid(), EventType::CredentialRevoked, now());
    store.add_secret(partner.id, &secret(2), 2, &added()).await.unwrap();
    raised("a new secret").await;
    store.revoke_secret(partner.id, 1, later(1), false, &revoked()).await.unwrap();
    raised("a revoked secret").await;
}

pub async fn a_partner_cannot_have_more_live_secrets_than_allowed(store: &dyn Storage) {
    // D5
    let partner = partner();
    let added = || event_of(partner.id.uuid(), EventType::CredentialAdded, now());
    let revoked = || event_of(partner.id.uuid(), EventType::CredentialRevoked, now());
    store.add_partner(&partner, &secret(1)).await.unwrap();
    assert!(store.add_secret(partner.id, &secret(2), 2, &added()).await.unwrap());
    assert!(!store.add_secret(partner.id, &secret(3), 2, &added()).await.unwrap());
    assert!(store.revoke_secret(partner.id, 1, later(1), false, &revoked()).await.unwrap());
    assert!(
        !store.revoke_secret(partner.id, 1, later(2), false, &revoked()).await.unwrap(),
        "it is revoked already"
    );
    assert!(store.add_secret(partner.id, &secret(3), 2, &added()).await.unwrap());
    let found = store.partners().await.unwrap();
    let revoked: Vec<bool> = found[0].secrets.iter().map(|secret| secret.revoked_at.is_some()).collect();
    assert_eq!(revoked, [true, false, false]);
}
