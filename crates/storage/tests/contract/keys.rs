//! Keys of the store.

use ports::keys::KeyPurpose;
use ports::storage::Storage;

use crate::health_quotes::{answered_in_part, read};
use crate::sample::{later, now};

pub async fn a_new_store_has_one_live_key_for_every_purpose(store: &dyn Storage) {
    let keys = store.keys().await.unwrap();
    for purpose in KeyPurpose::ALL {
        assert_eq!(
            keys.iter().filter(|key| key.purpose == *purpose && key.retired_at.is_none()).count(),
            1,
            "{purpose:?}"
        );
    }
    let mut secrets: Vec<_> = keys.iter().map(|key| key.secret).collect();
    secrets.dedup();
    assert_eq!(secrets.len(), keys.len(), "every key has a secret of its own");
}

pub async fn an_added_key_is_stored_and_a_retired_key_can_still_be_read(store: &dyn Storage) {
    // D4
    let added = store.add_key(KeyPurpose::Signing, [5; 32], now(), later(10), 2).await.unwrap().unwrap();
    assert!(store.keys().await.unwrap().contains(&added));
    let third = store.add_key(KeyPurpose::Signing, [6; 32], now(), later(10), 2).await.unwrap();
    assert_eq!(third, None, "two are live already");
    assert!(store.retire_key(added.number, later(20)).await.unwrap());
    assert!(!store.retire_key(added.number, later(30)).await.unwrap(), "it is retired already");
    let keys = store.keys().await.unwrap();
    let found = keys.iter().find(|key| key.number == added.number).unwrap();
    assert_eq!((found.retired_at, found.secret), (Some(later(20)), [5; 32]));
}

pub async fn outcomes_of_an_unfinished_quote_are_resealed_with_the_new_key(store: &dyn Storage) {
    let quote = answered_in_part(store).await;
    let key = store.add_key(KeyPurpose::Data, [5; 32], now(), now(), 2).await.unwrap().unwrap();
    // The new key is known and used from now on.
    assert!(store.keys().await.unwrap().contains(&key));
    let renewed = store.reseal(&mut |_, _| {}).await.unwrap();
    assert_eq!((renewed.unreadable, renewed.listed), (0, Vec::new()));
    assert!(renewed.changed >= 2, "the quote, and what came of an ask");
    assert_eq!(read(store, &quote).await, quote);
    assert_eq!(store.reseal(&mut |_, _| {}).await.unwrap().changed, 0);
}

pub async fn keys_wrapped_by_the_newest_wrapping_key_are_not_rewrapped(store: &dyn Storage) {
    let keys = store.keys().await.unwrap();
    assert_eq!(store.wrapping_keys().await.unwrap().into_iter().collect::<Vec<_>>(), [1]);
    assert_eq!(store.rewrap().await.unwrap(), 0);
    assert_eq!(store.keys().await.unwrap(), keys);
}
