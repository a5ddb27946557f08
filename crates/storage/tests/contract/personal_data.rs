//! Erasure, removal, legal holds and withdrawn consents (D122).

use domain::credit_life::ProposalStatus;
use domain::date::{Date, Timestamp, day_of};
use domain::health_proposal::ConsentPurpose;
use domain::id::{PartnerId, PolicyId, Uuid};
use domain::identifier::{Identifier, IdentifierKind};
use domain::person::PersonalLine;
use domain::session::Session;
use ports::storage::lists::Selection;
use ports::storage::personal_data::{Erasure, Hold, Outdated, Removed, RemovedKind};
use ports::storage::{Identified, PremiumAct, ProposalAct, Storage};

use crate::complaints::complaint;
use crate::sample::{self, credit, deposit, draw, health_quote, id, issue, later, now, proposal};

const NONE: [Uuid; 0] = [];

const YEAR: i64 = 366 * 86_400 * 1_000_000;

pub fn hold(policy: PolicyId) -> Hold {
    Hold {
        record: policy.to_string(),
        id: policy.uuid(),
        held_at: now(),
        held_by: "uid:0".into(),
        reason: PersonalLine::kept("court case 7".into()),
    }
}

pub fn erasure(records: &[Removed]) -> Erasure {
    Erasure { id: id::<domain::id::kind::Policy>().uuid(), at: now(), records: records.to_vec() }
}

fn outdated(before: Timestamp) -> Outdated {
    Outdated { before, day: day_of(before) }
}

/// All records of a kind that are old at an instant.
async fn old(store: &dyn Storage, kind: RemovedKind, of: PartnerId, before: Timestamp) -> Vec<Uuid> {
    store.old_records(kind, of, outdated(before), Uuid::nil(), 9).await.unwrap().records
}

async fn quotes_of(store: &dyn Storage, of: PartnerId) -> (usize, u64) {
    let days =
        domain::period::Period { first: Date::constant(2026, 11, 1), last: Date::constant(2026, 11, 30) };
    let page = store.health_quotes(of, Selection::Period(days), None, 9).await.unwrap();
    (page.records.len(), page.count)
}

pub async fn an_erasure_of_a_health_quote_also_removes_its_identifiers_and_count(store: &dyn Storage) {
    let of = sample::partner().id;
    let (gone, stays) = (health_quote(of), health_quote(of));
    store.keep_health_quote(&gone, None).await.unwrap();
    store.keep_health_quote(&stays, None).await.unwrap();
    assert_eq!(quotes_of(store, of).await, (2, 2));
    let mobile = Identifier::of(IdentifierKind::Mobile, "9876543210");
    let found = store.identified(&[of], Identified::HealthQuote, &mobile, 9).await.unwrap();
    assert_eq!(found.len(), 2, "by how its customer is reached");
    let erasure = erasure(&[Removed { kind: RemovedKind::HealthQuote, of, id: gone.id.uuid() }]);
    assert!(store.erase(&erasure).await.unwrap());
    assert!(!store.erase(&erasure).await.unwrap(), "once");
    assert!(store.erasures_done().await.unwrap().contains(&erasure.id));
    store.settle_removals().await.unwrap();
    assert_eq!(store.health_quote(of, gone.id).await.unwrap(), None);
    assert_eq!(quotes_of(store, of).await, (1, 1));
    let found = store.identified(&[of], Identified::HealthQuote, &mobile, 9).await.unwrap();
    assert_eq!(found, [(of, stays.id.uuid())]);
}

pub async fn old_records_without_a_legal_hold_are_found_page_by_page(store: &dyn Storage) {
    let of = sample::partner().id;
    let quotes: Vec<_> = (0..3).map(|_| health_quote(of)).collect();
    for quote in &quotes {
        store.keep_health_quote(quote, None).await.unwrap();
    }
    let kind = RemovedKind::HealthQuote;
    assert_eq!(old(store, kind, of, now()).await, NONE, "as old as that: not older");
    let ids: Vec<Uuid> = quotes.iter().map(|quote| quote.id.uuid()).collect();
    assert_eq!(old(store, kind, of, later(YEAR)).await, ids);
    let held = Hold { record: quotes[0].id.to_string(), id: ids[0], ..hold(id()) };
    assert!(store.hold(&held).await.unwrap());
    let page = store.old_records(kind, of, outdated(later(YEAR)), Uuid::nil(), 2).await.unwrap();
    assert_eq!((page.records.as_slice(), page.next), (&ids[1..2], Some(ids[1])));
    let page = store.old_records(kind, of, outdated(later(YEAR)), ids[1], 2).await.unwrap();
    assert_eq!((page.records.as_slice(), page.next), (&ids[2..], None));
    store.remove_old(&[Removed { kind, of, id: ids[1] }]).await.unwrap();
    assert_eq!(quotes_of(store, of).await, (2, 2));
}

pub async fn open_sold_and_held_proposals_are_never_removed_as_old(store: &dyn Storage) {
    let of = sample::partner().id;
    store.open_deposit(&deposit(10_000_000), now()).await.unwrap();
    let of_status = |status| proposal(of, status);
    let (draft, pending) = (of_status(ProposalStatus::Draft), of_status(ProposalStatus::Pending));
    let sold = of_status(ProposalStatus::Completed);
    for open in [&draft, &pending] {
        credit(store).keep_proposal(open, ProposalAct::of(&[])).await.unwrap();
    }
    let (issued, drawn) = (issue(&sold), PremiumAct::Draw(draw(sold.premium.total())));
    let act = ProposalAct { issue: Some(&issued), premium: Some(&drawn), ..ProposalAct::of(&[]) };
    credit(store).keep_proposal(&sold, act).await.unwrap();
    assert_eq!(old(store, RemovedKind::UnsoldProposal, of, later(YEAR)).await, [draft.id.uuid()]);
    // A proposal may be sold, submitted or held after it was found.
    let held = proposal(of, ProposalStatus::Draft);
    credit(store).keep_proposal(&held, ProposalAct::of(&[])).await.unwrap();
    let hold = Hold { record: held.id.to_string(), id: held.id.uuid(), ..hold(id()) };
    assert!(store.hold(&hold).await.unwrap());
    let all = [&draft, &pending, &sold, &held];
    let removed = all.map(|one| Removed { kind: RemovedKind::UnsoldProposal, of, id: one.id.uuid() });
    store.remove_old(&removed).await.unwrap();
    for (proposal, stays) in all.into_iter().zip([false, true, true, true]) {
        let found = credit(store).proposal(of, proposal.id).await.unwrap();
        assert_eq!(found.is_some(), stays, "{}", proposal.status);
    }
}

pub async fn a_policy_is_removed_only_after_its_cover_and_its_legal_hold_ended(store: &dyn Storage) {
    let of = sample::partner().id;
    store.open_deposit(&deposit(10_000_000), now()).await.unwrap();
    let sold = proposal(of, ProposalStatus::Completed);
    let (issued, drawn) = (issue(&sold), PremiumAct::Draw(draw(sold.premium.total())));
    let act = ProposalAct { issue: Some(&issued), premium: Some(&drawn), ..ProposalAct::of(&[]) };
    credit(store).keep_proposal(&sold, act).await.unwrap();
    let policy = &issued.policy;
    assert_eq!(old(store, RemovedKind::Policy, of, later(YEAR)).await, NONE, "it covers for years");
    let ended = later(40 * YEAR);
    assert_eq!(old(store, RemovedKind::Policy, of, ended).await, [policy.id.uuid()]);
    assert!(store.hold(&hold(policy.id)).await.unwrap());
    assert_eq!(old(store, RemovedKind::Policy, of, ended).await, NONE, "held");
    // A hold may be set after the record was found.
    let complaint = complaint(Some(policy.id), 15);
    store.keep_complaint(&complaint).await.unwrap();
    let about =
        Removed { kind: RemovedKind::Complaint, of: complaint.partner.unwrap(), id: complaint.id.uuid() };
    let itself = Removed { kind: RemovedKind::Policy, of, id: policy.id.uuid() };
    for held in [about, itself] {
        store.remove_old(&[held]).await.unwrap();
    }
    assert!(store.complaint(complaint.id).await.unwrap().is_some(), "the policy's hold keeps it");
    assert!(store.policy(of, policy.id).await.unwrap().is_some());
    assert!(store.release(&policy.id.to_string(), policy.id.uuid()).await.unwrap());
    store.remove_old(&[about]).await.unwrap();
    assert!(store.complaint(complaint.id).await.unwrap().is_none());
    store.remove_old(&[itself]).await.unwrap();
    assert!(store.policy(of, policy.id).await.unwrap().is_none());
    assert_eq!(credit(store).proposal(of, sold.id).await.unwrap(), None, "its proposal goes with it");
}

pub async fn a_record_can_have_only_one_legal_hold(store: &dyn Storage) {
    let (one, other) = (hold(id()), hold(id()));
    assert!(store.hold(&one).await.unwrap());
    assert!(!store.hold(&one).await.unwrap());
    assert!(store.hold(&other).await.unwrap());
    let mut holds = store.holds().await.unwrap();
    holds.retain(|hold| [one.id, other.id].contains(&hold.id));
    assert_eq!(holds.len(), 2);
    assert!(holds.contains(&one), "it reads back as it was set");
    assert!(store.release(&one.record, one.id).await.unwrap());
    assert!(!store.release(&one.record, one.id).await.unwrap());
}

pub async fn a_consent_can_be_withdrawn_only_once(store: &dyn Storage) {
    let (of, proposal) = (sample::partner().id, id());
    assert!(store.withdraw_consent(of, proposal, ConsentPurpose::Messages, now()).await.unwrap());
    assert!(!store.withdraw_consent(of, proposal, ConsentPurpose::Messages, later(1)).await.unwrap());
    let withdrawn = store.withdrawn_consents(of, proposal).await.unwrap();
    assert_eq!(withdrawn, [(ConsentPurpose::Messages, now())]);
    assert_eq!(store.withdrawn_consents(of, id()).await.unwrap(), []);
}

pub async fn identifiers_of_persons_are_listed_by_the_period_of_their_records(store: &dyn Storage) {
    let of = sample::partner().id;
    let quote = health_quote(of);
    store.keep_health_quote(&quote, None).await.unwrap();
    let nowhere = (Uuid::nil(), Uuid::nil());
    let all = (Timestamp::UNIX_EPOCH, later(YEAR));
    let (known, next) = store.known_persons(of, all, nowhere, 2).await.unwrap();
    let (rest, end) = store.known_persons(of, all, next.unwrap(), 2).await.unwrap();
    assert_eq!((known.len(), rest.len(), end), (2, 1, None));
    let mut kinds: Vec<IdentifierKind> = known.iter().chain(&rest).map(|known| known.by.kind).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, [IdentifierKind::Mobile, IdentifierKind::Lead, IdentifierKind::User]);
    assert!(known.iter().all(|known| known.id == quote.id.uuid() && known.kind == Identified::HealthQuote));
    let (none, _) = store.known_persons(of, (later(YEAR), later(2 * YEAR)), nowhere, 9).await.unwrap();
    assert!(none.is_empty());
}

pub async fn an_erasure_removes_the_metadata_of_a_session_but_not_the_session(store: &dyn Storage) {
    // D142
    let metadata = [("phone".to_owned(), "9000000007".to_owned())].into();
    let session = Session { id: id(), partner: id(), created_at: now(), metadata };
    store.keep_session(&session, None).await.unwrap();
    let by = Identifier::of(IdentifierKind::Mobile, "9000000007");
    let of = [session.partner];
    let found = || store.identified(&of, Identified::Session, &by, 9);
    assert_eq!(found().await.unwrap(), [(session.partner, session.id.uuid())]);
    let record = Removed { kind: RemovedKind::Session, of: session.partner, id: session.id.uuid() };
    let erasure = Erasure { id: Uuid::from_u128(77), at: now(), records: vec![record] };
    assert!(store.erase(&erasure).await.unwrap());
    assert!(!store.erase(&erasure).await.unwrap(), "it was done");
    assert_eq!(found().await.unwrap(), []);
    let kept = store.session(session.partner, session.id).await.unwrap().unwrap();
    assert_eq!(kept, Session { metadata: [].into(), ..session });
}
