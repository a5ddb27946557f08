//! Token counts: a limit in any sliding hour (D6).

use futures_util::future::join_all;
use ports::storage::{Storage, TokenCount};

use crate::sample::{later, now, partner, secret};

const HOUR: i64 = 3_600_000_000;

pub async fn the_hourly_token_limit_is_a_sliding_window_exact_to_the_microsecond(store: &dyn Storage) {
    let partner = partner();
    store.add_partner(&partner, &secret(1)).await.unwrap();
    let count = async |at: i64| store.count_token(partner.id, later(at), 2).await.unwrap();
    assert!(matches!(count(0).await, TokenCount::Counted { .. }));
    assert!(matches!(count(1_000_000).await, TokenCount::Counted { .. }));
    assert_eq!(count(2_000_000).await, TokenCount::Exhausted { free_at: later(HOUR) });
    assert_eq!(
        count(HOUR - 1).await,
        TokenCount::Exhausted { free_at: later(HOUR) },
        "a refused one does not count"
    );
    assert!(matches!(count(HOUR).await, TokenCount::Counted { .. }));
    assert_eq!(count(HOUR).await, TokenCount::Exhausted { free_at: later(HOUR + 1_000_000) });
}

pub async fn each_partner_has_its_own_token_limit(store: &dyn Storage) {
    for _ in 0..2 {
        let partner = partner();
        store.add_partner(&partner, &secret(1)).await.unwrap();
        assert!(matches!(store.count_token(partner.id, now(), 1).await.unwrap(), TokenCount::Counted { .. }));
    }
}

pub async fn concurrent_token_requests_never_exceed_the_hourly_limit(store: &dyn Storage) {
    let partner = partner();
    store.add_partner(&partner, &secret(1)).await.unwrap();
    let tries = (0..64).map(|at| store.count_token(partner.id, later(at), 10));
    let counted = join_all(tries)
        .await
        .into_iter()
        .filter(|count| matches!(count, Ok(TokenCount::Counted { .. })))
        .count();
    assert_eq!(counted, 10);
}
