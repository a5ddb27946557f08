//! Embedded quotes.

use domain::date::Timestamp;
use domain::id::{Id, Uuid};
use domain::quote::EmbeddedQuote;
use futures_util::future::join_all;
use ports::storage::{Kept, Storage, StorageError};

use crate::sample::{id, quote, response};

pub async fn a_stored_embedded_quote_is_read_unchanged(store: &dyn Storage) {
    let quote = quote(id());
    assert_eq!(store.keep_embedded_quote(&quote, None).await.unwrap(), Kept::New);
    assert_eq!(store.embedded_quote(quote.partner, quote.id).await.unwrap(), Some(quote));
}

pub async fn an_embedded_quote_of_another_partner_is_not_found(store: &dyn Storage) {
    // D3
    let quote = quote(id());
    store.keep_embedded_quote(&quote, None).await.unwrap();
    assert_eq!(store.embedded_quote(id(), quote.id).await.unwrap(), None);
}

pub async fn only_one_of_sixteen_quotes_with_the_same_idempotency_key_is_stored(store: &dyn Storage) {
    // D36
    let of = id();
    let quotes: Vec<_> = (0..16).map(|_| quote(of)).collect();
    let responses: Vec<_> = (0..16).map(|n| response(1, &[n])).collect();
    let keepings = quotes
        .iter()
        .zip(&responses)
        .map(|(quote, response)| store.keep_embedded_quote(quote, Some(response)));
    let kept: Vec<Kept> = join_all(keepings).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(kept.iter().filter(|kept| **kept == Kept::New).count(), 1);
    for (quote, kept) in quotes.iter().zip(&kept) {
        let found = store.embedded_quote(of, quote.id).await.unwrap();
        assert_eq!(found.is_some(), *kept == Kept::New, "a twin leaves no quote behind");
    }
}

pub async fn all_of_500_simultaneous_quotes_are_stored(store: &dyn Storage) {
    let of = id();
    let quotes: Vec<_> = (0..500).map(|_| quote(of)).collect();
    for kept in join_all(quotes.iter().map(|quote| store.keep_embedded_quote(quote, None))).await {
        assert_eq!(kept.unwrap(), Kept::New);
    }
    for quote in quotes {
        assert_eq!(store.embedded_quote(of, quote.id).await.unwrap().map(|found| found.id), Some(quote.id));
    }
}

pub async fn a_refused_quote_does_not_prevent_the_storage_of_others_in_its_group(store: &dyn Storage) {
    let first = quote(id());
    store.keep_embedded_quote(&first, None).await.unwrap();
    let neighbours: Vec<_> = (0..8).map(|_| quote(first.partner)).collect();
    // The same id again is refused. All are sent before any is answered, so that they share a group.
    let all = neighbours[..4].iter().chain([&first]).chain(&neighbours[4..]);
    let kept = join_all(all.map(|quote| store.keep_embedded_quote(quote, None))).await;
    assert!(matches!(kept[4], Err(StorageError::Refused(_))), "{:?}", kept[4]);
    assert_eq!(kept.iter().filter(|kept| matches!(kept, Ok(Kept::New))).count(), 8);
}

pub async fn old_quotes_are_removed_and_newer_quotes_stay(store: &dyn Storage) {
    let made_at = |year: &str| {
        let at: Timestamp = format!("{year}-05-05T00:00:00Z").parse().unwrap();
        let millis = u128::try_from(at.as_millisecond()).unwrap();
        let of = id();
        let ids =
            (1..=3).map(move |nth| Id::from_uuid(Uuid::from_u128(millis << 80 | 7 << 76 | 2 << 62 | nth)));
        ids.map(|id| EmbeddedQuote { id, ..quote(of) }).collect::<Vec<_>>()
    };
    let (old, newer) = (made_at("2021"), made_at("2024"));
    for quote in old.iter().chain(&newer) {
        store.keep_embedded_quote(quote, None).await.unwrap();
    }
    let before = "2024-01-01T00:00:00Z".parse().unwrap();
    let mut times = 0;
    while store.forget_embedded_quotes(before, 2).await.unwrap() {
        times += 1;
    }
    assert!(times > 0);
    for quote in old {
        assert_eq!(store.embedded_quote(quote.partner, quote.id).await.unwrap(), None);
    }
    for quote in newer {
        assert_eq!(store.embedded_quote(quote.partner, quote.id).await.unwrap(), Some(quote));
    }
}
