//! Policies and their certificates.

use domain::credit_life::ProposalStatus;
use domain::date::Date;
use domain::id::Uuid;
use domain::identifier::{Identifier, IdentifierKind};
use domain::money::Rupees;
use domain::period::Period;
use domain::policy::{CheckCode, Policy};
use domain::policy_state::PolicyState;
use domain::premium::{Account, PaymentReference};
use domain::proposal::Actor;
use domain::refund::RefundPayment;
use domain::text::FromText;
use futures_util::future::join_all;
use ports::storage::jobs::{Job, JobFamily, JobKind, Lease};
use ports::storage::lists::Selection;
use ports::storage::notices::Told;
use ports::storage::policies::{Endorsed, PolicyAct, PolicyChanged};
use ports::storage::{Identified, Issue, ProposalAct, Proposed, SaleCount, Storage, StorageError};

use crate::sample::{asked, cancelled, credit, endorsed, id, issue, later, owes, proposal, response};

pub async fn a_certificate_is_found_by_its_proposal_and_its_check_code(store: &dyn Storage) {
    // D30
    let proposal = proposal(id(), ProposalStatus::Completed);
    let issue = issue(&proposal);
    credit(store)
        .keep_proposal(&proposal, ProposalAct { issue: Some(&issue), ..ProposalAct::of(&[]) })
        .await
        .unwrap();
    let (of, which) = (proposal.partner, proposal.id);
    assert_eq!(store.policy_of(of, which).await.unwrap().as_ref(), Some(&issue.policy));
    let checked = store.policy_checked(issue.policy.check.unwrap()).await.unwrap();
    assert_eq!(checked, Some((of, issue.policy.id)));
    assert_eq!(store.policy_checked(CheckCode([0; 16])).await.unwrap(), None);
    let document = store.certificate(of, which).await.unwrap().unwrap();
    assert_eq!((document.number, document.bytes), (issue.policy.number, issue.certificate));
    assert!(store.certificate(id(), which).await.unwrap().is_none(), "another partner does not see it (D3)");
}

pub async fn a_second_policy_with_the_same_number_is_refused(store: &dyn Storage) {
    let first = proposal(id(), ProposalStatus::Completed);
    let taken = issue(&first);
    credit(store)
        .keep_proposal(&first, ProposalAct { issue: Some(&taken), ..ProposalAct::of(&[]) })
        .await
        .unwrap();
    let second = proposal(first.partner, ProposalStatus::Completed);
    let mut issue = issue(&second);
    issue.policy.number = taken.policy.number;
    let refused = credit(store)
        .keep_proposal(&second, ProposalAct { issue: Some(&issue), ..ProposalAct::of(&[]) })
        .await;
    assert!(matches!(refused, Err(StorageError::Refused(_))), "{refused:?}");
    assert!(
        credit(store).proposal(second.partner, second.id).await.unwrap().is_none(),
        "nothing is half there"
    );
}

pub async fn only_one_of_four_simultaneous_sales_of_the_same_group_is_stored(store: &dyn Storage) {
    // D140
    let of = id();
    let from = (id(), id());
    for sold in 0..3 {
        let (counts, _) = store.sales(of, &[7, 4095], from, 10).await.unwrap();
        assert_eq!(counts, [SaleCount { bucket: 7, sales: sold }, SaleCount { bucket: 4095, sales: sold }]);
        let sales = join_all((0..4).map(|_| async {
            let mut proposal = proposal(of, ProposalStatus::Completed);
            (proposal.application.request.quote, proposal.application.variant) = from;
            let issue = issue(&proposal);
            let act = ProposalAct { issue: Some(&issue), sales: &counts, ..ProposalAct::of(&[]) };
            (proposal.id, credit(store).keep_proposal(&proposal, act).await.unwrap())
        }));
        let (stored, refused): (Vec<_>, Vec<_>) =
            sales.await.into_iter().partition(|(_, kept)| *kept == Proposed::New);
        assert_eq!(stored.len(), 1, "{refused:?}");
        assert!(refused.iter().all(|(_, kept)| *kept == Proposed::SoldMeanwhile), "{refused:?}");
        let (_, all) = store.sales(of, &[], from, 1).await.unwrap();
        assert_eq!(all, [stored[0].0], "the newest sale");
    }
    assert_eq!(store.sales(id(), &[7], from, 10).await.unwrap().0[0].sales, 0, "another partner's");
}

/// Issued policy with its premium in the ledger.
async fn issued(store: &dyn Storage) -> Policy {
    let proposal = proposal(id(), ProposalStatus::Completed);
    let issue = issue(&proposal);
    let act = ProposalAct { issue: Some(&issue), ..ProposalAct::of(&[]) };
    credit(store).keep_proposal(&proposal, act).await.unwrap();
    issue.policy
}

pub async fn a_policy_change_is_stored_with_its_moves_and_its_refund(store: &dyn Storage) {
    // D66, D69
    let policy = issued(store).await;
    let (of, which) = (policy.partner, policy.id);
    let (changed, moves) = cancelled(&policy);
    let refund = owes(&policy);
    let act = PolicyAct { moves: &moves, postings: std::slice::from_ref(&refund), ..PolicyAct::default() };
    assert_eq!(store.change_policy(&changed, act).await.unwrap(), PolicyChanged::Done);
    let found = store.policy(of, which).await.unwrap().unwrap();
    assert_eq!(found, Policy { version: policy.version + 1, ..changed.clone() });
    assert_eq!(store.policy(of, which).await.unwrap(), Some(found.clone()));
    assert_eq!(store.policy_history(of, which).await.unwrap(), moves);
    assert_eq!(store.owner_of_policy(which).await.unwrap(), Some(of));
    let balances = store.account_balances().await.unwrap();
    let owed =
        balances.iter().find(|one| one.insurer == refund.insurer && one.account == Account::PolicyRefund);
    assert_eq!(owed.map(|one| one.balance), Some(policy.premium.total()));
    assert!(store.refunds_owed(1000).await.unwrap().contains(&found.clone()));
    // The certificate's document tells the state of its policy.
    let document = store.certificate(of, policy.proposal.unwrap()).await.unwrap().unwrap();
    assert_eq!(document.state, PolicyState::Cancelled);
    // After the payment, no refund is owed.
    let mut paid = found;
    let payment = RefundPayment {
        reference: PaymentReference::from_text("UTR-1").unwrap(),
        paid_on: Date::constant(2026, 11, 25),
        interest: Rupees::ZERO,
    };
    paid.cancellation.as_mut().unwrap().refund.paid = Some(payment);
    let act = PolicyAct { moves: &[], response: None, ..PolicyAct::default() };
    assert_eq!(store.change_policy(&paid, act).await.unwrap(), PolicyChanged::Done);
    assert!(store.refunds_owed(1000).await.unwrap().iter().all(|policy| policy.id != which));
    assert_eq!(store.policy_history(of, which).await.unwrap(), moves, "no move was made");
    // Another partner sees nothing of it (D3).
    assert_eq!(store.policy(id(), which).await.unwrap(), None);
    assert_eq!(store.policy_history(id(), which).await.unwrap(), []);
    assert_eq!(store.owner_of_policy(id()).await.unwrap(), None);
}

pub async fn an_endorsed_policy_keeps_every_certificate(store: &dyn Storage) {
    // D89
    let policy = issued(store).await;
    let (of, which, proposal) = (policy.partner, policy.id, policy.proposal.unwrap());
    let waits = asked(&policy);
    let act = PolicyAct::default();
    assert_eq!(store.change_policy(&waits, act).await.unwrap(), PolicyChanged::Done);
    let found = store.policy(of, which).await.unwrap().unwrap();
    assert_eq!(found.endorsements, waits.endorsements);
    let open = |found: Vec<Policy>| found.iter().any(|policy| policy.id == which);
    assert!(open(store.endorsements_open(1000).await.unwrap()));
    let mut made = found;
    made.make_endorsement(Actor::Operator, later(40)).unwrap();
    let act = |certificate| {
        let endorsed = Some(Endorsed { certificate, at: later(40) });
        PolicyAct { endorsed, ..PolicyAct::default() }
    };
    assert_eq!(store.change_policy(&made, act(b"second")).await.unwrap(), PolicyChanged::Done);
    assert!(!open(store.endorsements_open(1000).await.unwrap()));
    // A second change that saw the old version has no effect.
    assert_eq!(store.change_policy(&made, act(b"lost")).await.unwrap(), PolicyChanged::Lost);
    let twice = endorsed(&Policy { version: made.version + 1, ..made }, later(50));
    assert_eq!(store.change_policy(&twice, act(b"third")).await.unwrap(), PolicyChanged::Done);
    let document = store.certificate(of, proposal).await.unwrap().unwrap();
    assert_eq!(document.bytes, b"third");
    let replaced = async |of, version| store.replaced_certificate(of, which, version).await.unwrap();
    assert_eq!(replaced(of, 1).await.as_deref(), Some(&b"%PDF-sample"[..]));
    assert_eq!(replaced(of, 2).await.as_deref(), Some(&b"second"[..]));
    for none in [0, 3, u32::MAX] {
        assert_eq!(replaced(of, none).await, None, "{none}");
    }
    assert_eq!(replaced(id(), 1).await, None, "another partner's");
    let by = Identifier::of(IdentifierKind::Email, "new@example.com");
    let known = store.identified(&[of], Identified::Policy, &by, 10).await.unwrap();
    assert_eq!(known, [(of, which.uuid())], "it is found by its new address, once");
}

pub async fn notices_that_reached_an_insurer_stay_recorded_even_after_a_lost_lease(store: &dyn Storage) {
    // D90
    let proposal = proposal(id(), ProposalStatus::Completed);
    let issue = Issue { is_told: true, ..issue(&proposal) };
    let act = ProposalAct { issue: Some(&issue), ..ProposalAct::of(&[]) };
    credit(store).keep_proposal(&proposal, act).await.unwrap();
    let (of, which) = (issue.policy.partner, issue.policy.id);
    assert_eq!(store.told(of, which).await.unwrap(), Told::default());
    let job = store.job_for(JobKind::Notice, which.uuid()).await.unwrap().expect("it began with the policy");
    let lease = claimed(store, job).await;
    let issued = Told { issued: true, ..Told::default() };
    assert!(store.keep_told(&lease, issued).await.unwrap(), "the lease holds");
    // A change of the policy makes the job due again. The worker that holds it loses its lease and cannot end
    // it.
    let endorsed = endorsed(&issue.policy, later(40));
    let act = PolicyAct {
        endorsed: Some(Endorsed { certificate: b"second", at: later(40) }),
        tell: Some(later(40)),
        ..PolicyAct::default()
    };
    assert_eq!(store.change_policy(&endorsed, act).await.unwrap(), PolicyChanged::Done);
    assert!(!store.end_job(&lease).await.unwrap());
    let more = Told { endorsements: 1, claims: 2, ..issued };
    assert!(!store.keep_told(&lease, more).await.unwrap(), "the lease was lost");
    assert_eq!(store.told(of, which).await.unwrap(), more, "and it was told all the same");
    let less = Told { cancelled: true, ..Told::default() };
    store.keep_told(&lease, less).await.unwrap();
    assert_eq!(store.told(of, which).await.unwrap(), Told { cancelled: true, ..more });
    assert_eq!(store.told(id(), which).await.unwrap(), Told::default(), "another partner's");
    let again = claimed(store, job).await;
    assert!(store.end_job(&again).await.unwrap());
    assert_eq!(store.job_for(JobKind::Notice, which.uuid()).await.unwrap(), None);
}

/// Holds a job that is due.
async fn claimed(store: &dyn Storage, job: Job) -> Lease {
    let owner = Uuid::from_u128(9);
    let (now, until) = (later(3_600_000_000), later(7_200_000_000));
    let held = store.claim_jobs(JobFamily::Notices, owner, now, until, 1000).await.unwrap();
    *held.iter().find(|lease| lease.job == job).expect("it is due")
}

pub async fn only_one_of_sixteen_changes_of_one_policy_version_is_stored(store: &dyn Storage) {
    let policy = issued(store).await;
    let (changed, moves) = cancelled(&policy);
    let refund = owes(&policy);
    let act = PolicyAct { moves: &moves, postings: std::slice::from_ref(&refund), ..PolicyAct::default() };
    let changes = join_all((0..16).map(|_| store.change_policy(&changed, act))).await;
    let done = changes.into_iter().filter(|change| *change.as_ref().unwrap() == PolicyChanged::Done).count();
    assert_eq!(done, 1);
    assert_eq!(store.policy_history(policy.partner, policy.id).await.unwrap(), moves);
    let balances = store.account_balances().await.unwrap();
    let owed: Vec<Rupees> = balances
        .iter()
        .filter(|one| one.insurer == refund.insurer && one.account == Account::PolicyRefund)
        .map(|one| one.balance)
        .collect();
    assert_eq!(owed, [policy.premium.total()], "it is owed once");
}

pub async fn a_policy_change_with_a_used_idempotency_key_changes_nothing(store: &dyn Storage) {
    // D36
    let (first, second) = (issued(store).await, issued(store).await);
    let second = Policy { partner: first.partner, ..second };
    let kept = response(77, b"first");
    let (changed, moves) = cancelled(&first);
    let act = PolicyAct { moves: &moves, response: Some(&kept), ..PolicyAct::default() };
    assert_eq!(store.change_policy(&changed, act).await.unwrap(), PolicyChanged::Done);
    // The same request again: its policy has another version now, and its response is stored.
    assert_eq!(store.change_policy(&changed, act).await.unwrap(), PolicyChanged::Twin);
    assert_eq!(store.policy_history(first.partner, first.id).await.unwrap().len(), 2);
    assert_eq!(store.policy_history(second.partner, second.id).await.unwrap(), []);
}

pub async fn policies_are_listed_and_counted_by_their_state_on_a_day(store: &dyn Storage) {
    // D66, D67
    let (first, second) = (issued(store).await, issued(store).await);
    let (changed, moves) = cancelled(&first);
    let act = PolicyAct { moves: &moves, response: None, ..PolicyAct::default() };
    assert_eq!(store.change_policy(&changed, act).await.unwrap(), PolicyChanged::Done);
    let days = Period { first: Date::constant(2026, 1, 1), last: Date::constant(2026, 12, 31) };
    let (before, after) = (Date::constant(2028, 11, 19), Date::constant(2028, 11, 20));
    for (of, state, today, wanted) in [
        (first.partner, PolicyState::Cancelled, before, 1),
        (first.partner, PolicyState::Issued, before, 0),
        (first.partner, PolicyState::Expired, after, 0),
        (second.partner, PolicyState::Issued, before, 1),
        (second.partner, PolicyState::Expired, before, 0),
        (second.partner, PolicyState::Issued, after, 0),
        (second.partner, PolicyState::Expired, after, 1),
        (second.partner, PolicyState::Cancelled, after, 0),
    ] {
        let which = Selection::PeriodIn(days, state);
        let page = store.policies(of, None, which, None, 10, today).await.unwrap();
        assert_eq!((page.records.len(), page.count), (wanted, wanted as u64), "{state} on {today}");
    }
}
