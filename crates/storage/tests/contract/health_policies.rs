//! Health policies: issued with their proposals or imported, and found by their numbers.

use domain::date::day_of;
use domain::health_proposal::{Health, HealthProposal, HealthProposalStatus};
use domain::id::PartnerId;
use domain::line::LineOfBusiness;
use domain::period::Period;
use domain::policy::{CheckCode, Policy, PolicyNumber};
use domain::policy_state::PolicyState;
use domain::proposal::Actor;
use ports::storage::lists::{Beyond, Selection};
use ports::storage::policies::{PolicyAct, PolicyChanged};
use ports::storage::{ImportEnd, Issue, Moved, ProposalAct, Proposed, RenewedPolicy, Storage, StorageError};

use HealthProposalStatus::{Accepted, Initiated, Underwriting};

use crate::health_sample::{
    answered, health_issue, health_proposal, imported_policy, made, opened, proposed, records,
};
use crate::sample::{health, id, later, now};

/// Proposal that its insurer is underwriting.
async fn has_proposal(store: &dyn Storage, of: PartnerId) -> HealthProposal {
    let first = opened(of);
    assert!(store.open_journey(&first, None).await.unwrap());
    let journey = answered(&first);
    assert!(store.change_journey(&journey).await.unwrap());
    let proposal = health_proposal(&journey, Underwriting);
    let moves = [made(None, Initiated), made(Some(Initiated), Underwriting)];
    let after = proposed(&journey, &proposal);
    let act = ProposalAct { journey: Some(&after), ..ProposalAct::<Health>::of(&moves) };
    let kept = health(store).keep_proposal(&proposal, act).await;
    assert_eq!(kept.unwrap(), Proposed::New);
    proposal
}

/// Accepts a proposal and issues its policy.
async fn accept(
    store: &dyn Storage,
    proposal: &HealthProposal,
    issue: &Issue,
) -> Result<Moved, StorageError> {
    let moves = [made(Some(Underwriting), Accepted)];
    let act = ProposalAct { issue: Some(issue), ..ProposalAct::<Health>::of(&moves) };
    health(store).move_proposal(proposal.partner, proposal.id, Underwriting, act).await
}

async fn import(store: &dyn Storage, policies: &[Policy]) -> ImportEnd {
    store.import_policies(records(policies)).await.unwrap()
}

pub async fn a_health_policy_is_found_by_its_id_proposal_numbers_and_check_code(store: &dyn Storage) {
    // D54
    let proposal = has_proposal(store, id()).await;
    let issue = health_issue(&proposal);
    assert_eq!(accept(store, &proposal, &issue).await.unwrap(), Moved::Won);
    let Issue { policy, certificate, .. } = issue;
    let of = policy.partner;
    let found = Some(policy.clone());
    assert_eq!(store.policy(of, policy.id).await.unwrap(), found);
    assert_eq!(store.policy_of(of, proposal.id).await.unwrap(), found);
    assert_eq!(
        store.policy_numbered(of, LineOfBusiness::Health, policy.number.as_str()).await.unwrap(),
        found
    );
    assert_eq!(store.policy_numbered(of, LineOfBusiness::Health, "IGI/2026/00002").await.unwrap(), found);
    let checked = store.policy_checked(policy.check.unwrap()).await.unwrap();
    assert_eq!(checked, Some((of, policy.id)));
    let held = store.certificate(of, proposal.id).await.unwrap().unwrap();
    assert_eq!((held.number, held.bytes), (policy.number.clone(), certificate));
    assert_eq!((held.line, held.state), (LineOfBusiness::Health, PolicyState::Issued));
    assert!(!held.was_read);
    store.certificate_was_read(of, proposal.id, now()).await.unwrap();
    assert!(store.certificate(of, proposal.id).await.unwrap().unwrap().was_read);
    // Another partner does not see it (D3), and unknown ids find nothing.
    let other = id();
    assert_eq!(store.policy(other, policy.id).await.unwrap(), None);
    assert_eq!(store.policy_of(other, proposal.id).await.unwrap(), None);
    assert_eq!(
        store.policy_numbered(other, LineOfBusiness::Health, policy.number.as_str()).await.unwrap(),
        None
    );
    assert_eq!(store.policy_numbered(other, LineOfBusiness::Health, "IGI/2026/00002").await.unwrap(), None);
    assert!(store.certificate(other, proposal.id).await.unwrap().is_none());
    assert_eq!(store.policy_checked(CheckCode([0; 16])).await.unwrap(), None);
    assert_eq!(
        store.policy_numbered(of, LineOfBusiness::Health, "igi/2026/00002").await.unwrap(),
        None,
        "as it is written"
    );
    // Reads of embedded policies do not find it (D46).
    let number = policy.number.as_str();
    assert_eq!(store.policy_numbered(of, LineOfBusiness::CreditLife, number).await.unwrap(), None);
}

/// Issue of a policy that renews the policy `before`.
fn renewing(proposal: &HealthProposal, before: &Policy) -> Issue {
    let issue = health_issue(proposal);
    let renewed = before.clone().renewed(issue.policy.id, Actor::Operator, now()).unwrap();
    let (policy, moves) = renewed.into_parts();
    Issue { renewed: Some(Box::new(RenewedPolicy { policy, moves })), ..issue }
}

pub async fn a_policy_that_changed_after_it_was_read_is_not_renewed(store: &dyn Storage) {
    // D91
    let of = id();
    let first = has_proposal(store, of).await;
    let before = health_issue(&first);
    assert_eq!(accept(store, &first, &before).await.unwrap(), Moved::Won);
    let before = before.policy;
    let second = has_proposal(store, of).await;
    let issue = renewing(&second, &before);
    // The policy is changed after it was read.
    let changed = store.change_policy(&before, PolicyAct::default()).await.unwrap();
    assert_eq!(changed, PolicyChanged::Done);
    assert_eq!(accept(store, &second, &issue).await.unwrap(), Moved::Lost);
    let stands = health(store).proposal(of, second.id).await.unwrap().unwrap();
    assert_eq!(stands.status, Underwriting, "nothing of it was done");
    assert_eq!(store.policy_of(of, second.id).await.unwrap(), None);
    let unmoved = store.policy(of, before.id).await.unwrap().unwrap();
    assert_eq!((unmoved.state, unmoved.version), (PolicyState::Issued, 2));
    // With the current version, both change in one act.
    let issue = renewing(&second, &unmoved);
    assert_eq!(accept(store, &second, &issue).await.unwrap(), Moved::Won);
    let renewed = store.policy(of, before.id).await.unwrap().unwrap();
    assert_eq!((renewed.state, renewed.renewed_by), (PolicyState::Renewed, Some(issue.policy.id)));
    let moves = store.policy_history(of, before.id).await.unwrap();
    assert_eq!(moves.iter().map(|moved| moved.to).collect::<Vec<_>>(), [PolicyState::Renewed]);
    // It cannot be renewed again.
    let third = has_proposal(store, of).await;
    let again = Issue { renewed: issue.renewed.clone(), ..health_issue(&third) };
    assert_eq!(accept(store, &third, &again).await.unwrap(), Moved::Lost);
}

pub async fn policies_due_for_renewal_are_listed_by_their_last_day(store: &dyn Storage) {
    // D91
    let of = id();
    let mut policies = Vec::new();
    for _ in 0..3 {
        let proposal = has_proposal(store, of).await;
        let issue = health_issue(&proposal);
        assert_eq!(accept(store, &proposal, &issue).await.unwrap(), Moved::Won);
        policies.push(issue.policy);
    }
    let imported = imported_policy(of, now());
    assert_eq!(import(store, std::slice::from_ref(&imported)).await, ImportEnd::Kept(1));
    let last_day = policies[0].last_day();
    policies.sort_by_key(|policy| policy.id.uuid());
    let ids = |found: Vec<Policy>| found.iter().map(|policy| policy.id).collect::<Vec<_>>();
    let all = Period { first: last_day, last: last_day };
    let until = policies[0].renewable_until.expect("it has a grace");
    let due =
        async |ends, today, after, most| ids(store.renewals_due(of, ends, today, after, most).await.unwrap());
    let wanted: Vec<_> = policies.iter().map(|policy| policy.id).collect();
    assert_eq!(due(all, last_day, None, 10).await, wanted, "an imported one cannot be renewed");
    assert_eq!(due(all, last_day, None, 2).await, wanted[..2]);
    let beyond = |nth: usize| (last_day, wanted[nth]);
    assert_eq!(due(all, last_day, Some(Beyond::After(beyond(1))), 10).await, wanted[2..]);
    assert_eq!(due(all, last_day, Some(Beyond::Before(beyond(2))), 10).await, wanted[..2]);
    assert_eq!(due(all, last_day, Some(Beyond::Before(beyond(2))), 1).await, wanted[1..2]);
    assert_eq!(due(all, until, None, 10).await, wanted);
    assert_eq!(due(all, until.tomorrow().unwrap(), None, 10).await, [], "they have lapsed");
    let tomorrow = last_day.tomorrow().unwrap();
    assert_eq!(due(Period { first: tomorrow, last: tomorrow }, last_day, None, 10).await, []);
    assert_eq!(ids(store.renewals_due(id(), all, last_day, None, 10).await.unwrap()), [], "another's");
}

pub async fn the_newest_of_several_policies_with_one_insurer_number_is_found(store: &dyn Storage) {
    let of = id();
    let renewed = |after| {
        let mut policy = imported_policy(of, later(after));
        policy.insurer_number = Some(PolicyNumber::kept("RENEWED/1".into()));
        policy
    };
    let policies = [renewed(-5), renewed(-1), renewed(-3)];
    assert_eq!(import(store, &policies).await, ImportEnd::Kept(3));
    let found = store.policy_numbered(of, LineOfBusiness::Health, "RENEWED/1").await.unwrap();
    assert_eq!(found.as_ref(), Some(&policies[1]));
}

pub async fn a_partner_cannot_have_two_health_policies_with_the_same_number(store: &dyn Storage) {
    let of = id();
    let first = imported_policy(of, now());
    let mut same_number = imported_policy(of, now());
    same_number.number = first.number.clone();
    let mut elsewhere = imported_policy(id(), now());
    elsewhere.number = first.number.clone();
    assert_eq!(import(store, &[first.clone(), elsewhere]).await, ImportEnd::Kept(2));
    assert_eq!(import(store, &[same_number]).await, ImportEnd::Taken(vec![0]));
    // A new policy with such a number is refused, and its proposal stays unchanged.
    let proposal = has_proposal(store, of).await;
    let mut issue = health_issue(&proposal);
    issue.policy.number = first.number;
    assert!(accept(store, &proposal, &issue).await.is_err());
    let stands = health(store).proposal(of, proposal.id).await.unwrap().unwrap();
    assert_eq!(stands.status, Underwriting);
    assert_eq!(health(store).history(of, proposal.id).await.unwrap().len(), 2);
    assert_eq!(accept(store, &proposal, &health_issue(&proposal)).await.unwrap(), Moved::Won);
}

pub async fn an_import_of_policies_is_stored_completely_or_not_at_all(store: &dyn Storage) {
    let of = id();
    let there = imported_policy(of, now());
    assert_eq!(import(store, std::slice::from_ref(&there)).await, ImportEnd::Kept(1));
    let fresh: Vec<_> = (0..3).map(|_| imported_policy(of, now())).collect();
    let mixed = [&fresh[0], &there, &fresh[1], &fresh[1], &fresh[2]].map(Clone::clone);
    assert_eq!(import(store, &mixed).await, ImportEnd::Taken(vec![1, 3]));
    let broken = vec![Ok(fresh[0].clone()), Err(StorageError::Refused("line 2 changed".into()))];
    assert!(store.import_policies(Box::new(broken.into_iter())).await.is_err());
    for policy in &fresh {
        assert_eq!(store.policy(of, policy.id).await.unwrap(), None);
    }
    let count = async || {
        store
            .policies(of, Some(LineOfBusiness::Health), Selection::All, None, 20, day_of(now()))
            .await
            .unwrap()
            .count
    };
    assert_eq!(count().await, 1);
    assert_eq!(import(store, &fresh).await, ImportEnd::Kept(3));
    assert_eq!(count().await, 4);
    assert_eq!(import(store, &[]).await, ImportEnd::Kept(0));
    for policy in fresh {
        assert_eq!(store.policy(of, policy.id).await.unwrap(), Some(policy));
    }
}
