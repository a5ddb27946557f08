//! The audit trail (D119).

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use ports::acting::{Acting, Actor, Via, act_as};
use ports::storage::Storage;
use ports::storage::audit::{AuditFilter, AuditQuery};

use crate::complaints::{answered, complaint};
use crate::sample::{id, now};

pub async fn an_act_gets_an_audit_entry_only_if_it_changed_something(store: &dyn Storage) {
    let complaint = complaint(None, 15);
    let mut acting = Acting::of(Via::Socket, "complaint.answer").by(Actor::Operator(id()));
    acting.reason = Some("Asha called".to_owned());
    act_as(Arc::new(acting), async {
        store.keep_complaint(&complaint).await.unwrap();
        assert!(store.answer_complaint(&answered(&complaint)).await.unwrap());
        assert!(!store.answer_complaint(&answered(&complaint)).await.unwrap());
    })
    .await;
    let subject = AuditQuery::Subject(complaint.id.to_string());
    let mut entries = store.audit_entries(&subject, 9).await.unwrap();
    entries.sort_by_key(|entry| entry.number);
    let changes: Vec<&str> = entries.iter().map(|entry| entry.change.as_str()).collect();
    assert_eq!(changes, ["complaint.add", "complaint.answer"]);
    let first = &entries[0];
    assert!(first.actor.starts_with("opr_"), "{}", first.actor);
    assert_eq!((first.via.as_str(), first.action.as_str()), ("socket", "complaint.answer"));
    assert_eq!(first.reason.as_deref(), Some("Asha called"));
}

pub async fn an_act_without_an_actor_is_audited_as_an_act_of_the_system(store: &dyn Storage) {
    store.note("policy.reveal", "pol_1").await.unwrap();
    let entries = store.audit_entries(&AuditQuery::Newest, 1).await.unwrap();
    assert_eq!((entries[0].actor.as_str(), entries[0].via.as_str()), ("system", "process"));
}

pub async fn simultaneous_acts_make_audit_chains_without_a_gap(store: &dyn Storage) {
    // An act that fails halfway leaves no gap either.
    let complaint = complaint(None, 15);
    store.keep_complaint(&complaint).await.unwrap();
    for round in 0..5 {
        join_all((0..20).map(|_| store.note("policy.reveal", "pol_1"))).await;
        join_all((0..20).map(|_| store.keep_complaint(&complaint))).await;
        let verified = store.verify_audit(&[]).await.unwrap();
        assert_eq!(verified.faults, [""; 0]);
        assert_eq!(verified.entries, 1 + 20 * (round + 1));
        assert_eq!(verified.unproven, verified.entries);
    }
}

pub async fn entries_of_operators_are_filtered_and_their_sights_of_personal_data_counted(
    store: &dyn Storage,
) {
    // D145, D146
    let operator = Actor::Operator(id());
    let name = operator.to_string();
    let by = |via, action: &'static str| Arc::new(Acting::of(via, action).by(operator.clone()));
    act_as(by(Via::Https, "policy.show"), store.note("personal.reveal", "pol_1")).await.unwrap();
    act_as(by(Via::Console, "policy.find"), store.note("personal.search", "")).await.unwrap();
    act_as(by(Via::Api, "GET /x"), store.note("personal.reveal", "pol_1")).await.unwrap();
    let hour = Duration::from_secs(3600);
    let (from, until) = (now() - hour, now() + hour);
    assert_eq!(store.reveals(from, until).await.unwrap(), [(name.clone(), 2)]);
    assert!(store.reveals(until, until + hour).await.unwrap().is_empty());
    let filter = AuditFilter { subject: None, actor: Some(name), action: None, from, until };
    let number = async |filter: AuditFilter| {
        store.audit_entries(&AuditQuery::Filtered(filter), 9).await.unwrap().len()
    };
    assert_eq!(number(filter.clone()).await, 2);
    assert_eq!(number(AuditFilter { action: Some("policy.find".into()), ..filter.clone() }).await, 1);
    assert_eq!(number(AuditFilter { subject: Some("pol_1".into()), ..filter.clone() }).await, 2);
    assert_eq!(number(AuditFilter { until: from, ..filter }).await, 0);
}

pub async fn signed_audit_heads_prove_the_entries_before_them(store: &dyn Storage) {
    store.note("policy.reveal", "pol_1").await.unwrap();
    store.note("policy.reveal", "pol_2").await.unwrap();
    let heads = store.audit_heads().await.unwrap();
    assert!(!heads.is_empty());
    let verified = store.verify_audit(&heads).await.unwrap();
    assert_eq!((verified.faults.len(), verified.unproven), (0, 0));
    store.note("policy.reveal", "pol_3").await.unwrap();
    assert_eq!(store.verify_audit(&heads).await.unwrap().unproven, 1);
    let mut forged = heads.clone();
    forged[0].number += 1;
    let faults = store.verify_audit(&forged).await.unwrap().faults;
    assert!(faults[0].contains("is not signed by this store"), "{faults:?}");
    assert!(store.cut_chains(&heads).await.unwrap().is_empty());
}
