//! Operators and their secrets (D120).

use std::sync::Arc;

use domain::approval::{Approval, ApprovalState};
use domain::date::Timestamp;
use domain::id::OperatorId;
use domain::team::{Access, Identity, OperatorSecret, Passkey, Role, SecretKind, TakenRoles, TeamMember};
use domain::work_item::WorkItem;
use ports::acting::{Acting, Actor, Via, act_as};
use ports::storage::{Fact, Storage, StorageError};

use crate::sample::{id, now};

pub fn operator() -> TeamMember {
    TeamMember {
        id: id(),
        name: "Meera".into(),
        roles: vec![Role::Claims],
        created_at: now(),
        ended_at: None,
        generation: 0,
        recovered_at: None,
        passkeys: vec![Passkey {
            id: vec![9; 20],
            public_key: vec![8; 77],
            algorithm: -7,
            counter: 0,
            added_at: now(),
            confirms_from: now(),
            used_at: None,
        }],
        recovery_codes: vec![[1; 32], [2; 32]],
        identity: Some(Identity { issuer: "https://id.example".into(), subject: "meera".into() }),
        access: Some(Access { given_by: vec!["opr_1".into()], at: now() }),
        taken: Some(TakenRoles { roles: vec![Role::Admin], at: now() }),
        version: 0,
    }
}

pub fn secret(operator: Option<OperatorId>, hash: u8) -> OperatorSecret {
    OperatorSecret {
        hash: [hash; 32],
        kind: SecretKind::Session,
        operator,
        name: "laptop".into(),
        roles: vec![Role::Claims],
        generation: 0,
        made_at: now(),
        expires_at: Timestamp::from_second(now().as_second() + 60).unwrap(),
        confirmed_at: None,
        seen_at: now(),
        ended_at: None,
        version: 0,
    }
}

pub fn work_item(owner: OperatorId) -> WorkItem {
    WorkItem { owner: Some(owner), ..WorkItem::new("complaint:cmp_1".to_owned()) }
}

pub fn approval() -> Approval {
    Approval {
        id: id(),
        act: "refund.paid".into(),
        path: vec![("id".into(), "pol_1".into())],
        body: "{}".into(),
        subject: "pol_1".into(),
        subject_version: "3".into(),
        what: "a refund".into(),
        facts: Vec::new(),
        asked_by: "opr_1".into(),
        asked_at: now(),
        expires_at: Timestamp::from_second(now().as_second() + 60).unwrap(),
        state: ApprovalState::Waiting,
        decided: None,
        reason: None,
        version: 0,
    }
}

pub async fn a_rehearsed_operation_meets_its_guards_but_changes_nothing(store: &dyn Storage) {
    // D144
    let rehearse = || Arc::new(Acting::of(Via::Process, "x").by(Actor::System).rehearsal());
    let new = approval();
    let acting = rehearse();
    let refused = act_as(acting.clone(), store.keep_approval(&new)).await;
    assert!(matches!(refused, Err(StorageError::Rehearsed)) && acting.is_rehearsed());
    assert_eq!(store.approval(new.id).await.unwrap(), None);
    let unaudited = act_as(rehearse(), store.remember(Fact::BaseUrl, "https://x.example")).await;
    assert!(matches!(unaudited, Err(StorageError::Rehearsed)));
    assert!(store.keep_approval(&new).await.unwrap());
    let stale = Approval { version: 7, ..new.clone() };
    let acting = rehearse();
    let stopped = act_as(acting.clone(), store.keep_approval(&stale)).await;
    assert!(matches!(stopped, Ok(false)) && !acting.is_rehearsed(), "its guard stops it");
    assert!(store.verify_audit(&[]).await.unwrap().faults.is_empty());
}

pub async fn only_the_first_of_two_changes_of_a_work_item_is_stored(store: &dyn Storage) {
    let new = WorkItem { changed_at: now(), ..work_item(id()) };
    assert!(store.keep_work_item(&new, "waiting.take").await.unwrap());
    assert!(!store.keep_work_item(&new, "waiting.take").await.unwrap(), "it was added before");
    let kept = store.work_item(&new.task).await.unwrap().unwrap();
    assert_eq!(kept, WorkItem { version: 1, ..new.clone() });
    let aside = WorkItem { owner: None, ..kept.clone() };
    assert!(store.keep_work_item(&aside, "waiting.hand_over").await.unwrap());
    assert!(!store.keep_work_item(&kept, "waiting.note").await.unwrap(), "it was changed meanwhile");
    assert_eq!(store.work_items(9).await.unwrap(), [WorkItem { version: 2, ..aside }]);
    assert_eq!(store.forget_work_items(now(), 9).await.unwrap(), 0);
    let later = now() + std::time::Duration::from_secs(1);
    assert_eq!(store.forget_work_items(later, 9).await.unwrap(), 1);
    assert_eq!(store.work_item(&new.task).await.unwrap(), None);
}

pub async fn only_the_first_of_two_decisions_on_an_approval_is_stored(store: &dyn Storage) {
    // D121
    let new = approval();
    assert!(store.keep_approval(&new).await.unwrap());
    let kept = store.approval(new.id).await.unwrap().unwrap();
    assert_eq!(kept, Approval { version: 1, ..new.clone() });
    let decided = Approval { state: ApprovalState::Refused, decided: Some(("opr_2".into(), now())), ..kept };
    assert!(store.keep_approval(&decided).await.unwrap());
    assert!(!store.keep_approval(&decided).await.unwrap());
    for subject in [Some("pol_1"), None] {
        let refused = ApprovalState::Refused;
        let found = store.approvals(refused, subject, now(), 9).await.unwrap();
        assert_eq!(found, [Approval { version: 2, ..decided.clone() }]);
        assert_eq!(store.approvals(refused, subject, new.expires_at, 9).await.unwrap(), []);
        assert_eq!(store.approvals(ApprovalState::Waiting, subject, now(), 9).await.unwrap(), []);
    }
    assert_eq!(store.approvals(ApprovalState::Refused, Some("pol_2"), now(), 9).await.unwrap(), []);
    let later = Timestamp::from_second(new.expires_at.as_second() + 1).unwrap();
    assert_eq!(store.forget_approvals(new.expires_at, 9).await.unwrap(), 0);
    assert_eq!(store.forget_approvals(later, 9).await.unwrap(), 1);
}

pub async fn only_the_first_of_two_changes_of_an_operator_is_stored(store: &dyn Storage) {
    let new = operator();
    assert!(store.keep_operator(&new, "operator.invite", None).await.unwrap());
    assert!(!store.keep_operator(&new, "operator.invite", None).await.unwrap(), "there is one already");
    let kept = store.operator(new.id).await.unwrap().unwrap();
    assert_eq!(kept, TeamMember { version: 1, ..new.clone() });
    let changed = TeamMember { roles: vec![Role::Admin], ..kept.clone() };
    assert!(store.keep_operator(&changed, "operator.invite", Some(&secret(Some(new.id), 1))).await.unwrap());
    assert!(!store.keep_operator(&changed, "operator.invite", Some(&secret(Some(new.id), 2))).await.unwrap());
    assert_eq!(store.operators().await.unwrap(), [TeamMember { version: 2, ..changed }]);
    assert_eq!(store.secrets_of(new.id).await.unwrap().len(), 1, "whole or not at all");
}

pub async fn an_operator_secret_can_be_spent_only_once(store: &dyn Storage) {
    let (new, of) = (secret(None, 1), Some(id()));
    assert!(store.keep_secret(&new).await.unwrap());
    assert!(!store.keep_secret(&new).await.unwrap());
    let kept = store.secret(&[1; 32]).await.unwrap().unwrap();
    assert_eq!(kept, OperatorSecret { version: 1, ..new.clone() });
    let spent = OperatorSecret { operator: of, ended_at: Some(now()), ..kept };
    assert!(store.change_secret(&spent).await.unwrap());
    assert!(!store.change_secret(&spent).await.unwrap());
    let seen = Timestamp::from_second(now().as_second() + 9).unwrap();
    store.see_secret(&[1; 32], seen).await.unwrap();
    let kept = store.secret(&[1; 32]).await.unwrap().unwrap();
    assert_eq!(kept, OperatorSecret { seen_at: seen, version: 2, ..spent });
}

pub async fn expired_operator_secrets_are_removed(store: &dyn Storage) {
    store.keep_secret(&secret(None, 1)).await.unwrap();
    let end = secret(None, 1).expires_at;
    assert_eq!(store.forget_secrets(end, 9).await.unwrap(), 0);
    let later = Timestamp::from_second(end.as_second() + 1).unwrap();
    assert_eq!(store.forget_secrets(later, 9).await.unwrap(), 1);
    assert_eq!(store.secret(&[1; 32]).await.unwrap(), None);
}
