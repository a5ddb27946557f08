//! Sessions (D37).

use std::collections::BTreeMap;

use domain::id::PartnerId;
use domain::session::Session;
use futures_util::future::join_all;
use ports::storage::{Kept, Storage};

use crate::sample::{id, now, response};

fn session(of: PartnerId) -> Session {
    let metadata = BTreeMap::from([("campaign".into(), "monsoon".into()), ("name".into(), "आशा".into())]);
    Session { id: id(), partner: of, created_at: now(), metadata }
}

pub async fn a_stored_session_is_read_unchanged(store: &dyn Storage) {
    let session = session(id());
    assert_eq!(store.keep_session(&session, None).await.unwrap(), Kept::New);
    assert_eq!(store.session(session.partner, session.id).await.unwrap(), Some(session));
}

pub async fn a_session_of_another_partner_is_not_found(store: &dyn Storage) {
    // D3
    let session = session(id());
    store.keep_session(&session, None).await.unwrap();
    assert_eq!(store.session(id(), session.id).await.unwrap(), None);
}

pub async fn only_one_of_eight_sessions_with_the_same_idempotency_key_is_stored(store: &dyn Storage) {
    // D36
    let of = id();
    let sessions: Vec<_> = (0..8).map(|_| session(of)).collect();
    let responses: Vec<_> = (0..8).map(|n| response(1, &[n])).collect();
    let keepings = sessions
        .iter()
        .zip(&responses)
        .map(|(session, response)| store.keep_session(session, Some(response)));
    let kept: Vec<Kept> = join_all(keepings).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(kept.iter().filter(|kept| **kept == Kept::New).count(), 1);
    for (session, kept) in sessions.iter().zip(kept) {
        assert_eq!(store.session(of, session.id).await.unwrap().is_some(), kept == Kept::New);
    }
}
