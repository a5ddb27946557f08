//! Responses kept under idempotency keys (D36).

use ports::storage::responses::KEPT_FOR;
use ports::storage::{Kept, Storage};

use crate::sample::{id, later, now, quote, response, response_at};

const DAY: i64 = KEPT_FOR * 1_000_000;

pub async fn a_response_is_stored_together_with_its_record(store: &dyn Storage) {
    let (quote, response) = (quote(id()), response(1, b"the answer"));
    store.keep_embedded_quote(&quote, Some(&response)).await.unwrap();
    let found = store.kept_response(quote.partner, response.key, now()).await.unwrap();
    assert_eq!(found, Some(response.response));
}

pub async fn a_kept_response_of_another_partner_is_not_found(store: &dyn Storage) {
    let (quote, response) = (quote(id()), response(1, b"the answer"));
    store.keep_embedded_quote(&quote, Some(&response)).await.unwrap();
    assert_eq!(store.kept_response(id(), response.key, now()).await.unwrap(), None);
}

pub async fn an_expired_kept_response_is_not_found_and_its_key_can_be_used_again(store: &dyn Storage) {
    let first = quote(id());
    store.keep_embedded_quote(&first, Some(&response(1, b"first"))).await.unwrap();
    let of = first.partner;
    let key = response(1, b"").key;
    assert!(store.kept_response(of, key, now()).await.unwrap().is_some());
    assert!(store.kept_response(of, key, later(1)).await.unwrap().is_none());
    let second = response_at(1, b"second", later(DAY + 1));
    assert_eq!(store.keep_embedded_quote(&quote(of), Some(&second)).await.unwrap(), Kept::New);
    assert_eq!(store.kept_response(of, key, later(1)).await.unwrap(), Some(second.response));
}

pub async fn old_kept_responses_are_removed_and_newer_ones_stay(store: &dyn Storage) {
    let of = id();
    for (key, at) in [(1, 0), (2, 10), (3, 20)] {
        store.keep_embedded_quote(&quote(of), Some(&response_at(key, b"", later(at)))).await.unwrap();
    }
    assert_eq!(store.forget_kept_responses(later(10), 100).await.unwrap(), 1);
    assert!(store.kept_response(of, response(2, b"").key, now()).await.unwrap().is_some());
    assert_eq!(
        store.forget_kept_responses(later(100), 1).await.unwrap(),
        1,
        "no more than asked for at once"
    );
    assert_eq!(store.forget_kept_responses(later(100), 100).await.unwrap(), 1);
}
