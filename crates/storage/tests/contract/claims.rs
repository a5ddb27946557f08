//! Claims with their moves and papers.

use domain::claim::{Claim, ClaimDocument, ClaimState};
use domain::credit_life::ProposalStatus;
use domain::policy::Policy;
use domain::proposal::{Actor, Move};
use futures_util::future::join_all;
use ports::storage::claims::ClaimAct;
use ports::storage::lists::Selection;
use ports::storage::policies::{PolicyAct, PolicyChanged};
use ports::storage::{ProposalAct, Storage};

use crate::sample::{claim, credit, has_paper, id, issue, later, noticed, paper, proposal, response};

pub async fn issued(store: &dyn Storage) -> Policy {
    let proposal = proposal(id(), ProposalStatus::Completed);
    let issue = issue(&proposal);
    let act = ProposalAct { issue: Some(&issue), ..ProposalAct::of(&[]) };
    credit(store).keep_proposal(&proposal, act).await.unwrap();
    issue.policy
}

/// Adds a claim to a policy that still has its version.
async fn makes_known(store: &dyn Storage, policy: &Policy, claim: &Claim) -> PolicyChanged {
    let claimed = Policy { claims: vec![claim.id], ..policy.clone() };
    let moves = noticed(claim);
    let act =
        PolicyAct { claim: Some(ClaimAct { claim, is_new: true, moves: &moves }), ..PolicyAct::default() };
    store.change_policy(&claimed, act).await.unwrap()
}

/// Moves a claim of a policy that still has its version.
async fn changes(
    store: &dyn Storage,
    policy: &Policy,
    claim: &Claim,
    moves: &[Move<ClaimState>],
) -> PolicyChanged {
    let act = PolicyAct { claim: Some(ClaimAct { claim, is_new: false, moves }), ..PolicyAct::default() };
    store.change_policy(policy, act).await.unwrap()
}

pub async fn a_claim_is_stored_with_its_policy_and_read_unchanged(store: &dyn Storage) {
    // D81
    let policy = issued(store).await;
    let (of, made) = (policy.partner, claim(&policy));
    assert_eq!(makes_known(store, &policy, &made).await, PolicyChanged::Done);
    assert_eq!(store.claim(of, made.id).await.unwrap().as_ref(), Some(&made));
    assert_eq!(store.claim(id(), made.id).await.unwrap(), None, "another partner does not see it (D3)");
    assert_eq!(store.claims_on(of, policy.id).await.unwrap(), std::slice::from_ref(&made));
    assert_eq!(store.owner_of_claim(made.id).await.unwrap(), Some(of));
    assert_eq!(store.claim_history(of, made.id).await.unwrap(), noticed(&made));
    let found = store.policy(of, policy.id).await.unwrap().unwrap();
    assert_eq!((found.claims, found.version), (vec![made.id], policy.version + 1));
    let page = store.claims(of, Selection::All, None, 10).await.unwrap();
    assert_eq!((page.records, page.count), (vec![made.clone()], 1));
    assert!(store.open_claims(1000).await.unwrap().contains(&made));
}

pub async fn only_one_of_sixteen_claims_on_one_version_of_a_policy_is_stored(store: &dyn Storage) {
    let policy = issued(store).await;
    let claims: Vec<Claim> = (1..=16)
        .map(|member| {
            let mut made = claim(&policy);
            made.notice.member = member;
            made
        })
        .collect();
    let kept = join_all(claims.iter().map(|made| makes_known(store, &policy, made))).await;
    assert_eq!(kept.iter().filter(|kept| **kept == PolicyChanged::Done).count(), 1);
    assert!(kept.iter().all(|kept| matches!(kept, PolicyChanged::Done | PolicyChanged::Lost)), "{kept:?}");
    assert_eq!(store.claims_on(policy.partner, policy.id).await.unwrap().len(), 1);
}

pub async fn a_claim_with_a_used_idempotency_key_is_not_stored(store: &dyn Storage) {
    // D36
    let (first, second) = (issued(store).await, issued(store).await);
    let used = response(1, b"first");
    let (made, other) = (claim(&first), Claim { partner: first.partner, ..claim(&second) });
    let moves = noticed(&made);
    let act = PolicyAct {
        claim: Some(ClaimAct { claim: &made, is_new: true, moves: &moves }),
        response: Some(&used),
        ..PolicyAct::default()
    };
    assert_eq!(store.change_policy(&first, act).await.unwrap(), PolicyChanged::Done);
    let policy = store.policy(first.partner, first.id).await.unwrap().unwrap();
    let act = PolicyAct {
        claim: Some(ClaimAct { claim: &other, is_new: true, moves: &moves }),
        response: Some(&used),
        ..PolicyAct::default()
    };
    assert_eq!(store.change_policy(&policy, act).await.unwrap(), PolicyChanged::Twin);
    assert_eq!(store.claim(first.partner, other.id).await.unwrap(), None);
}

pub async fn a_claim_changes_only_if_its_policy_still_has_the_version_that_was_read(store: &dyn Storage) {
    // D82, D113
    let policy = issued(store).await;
    let (of, made) = (policy.partner, claim(&policy));
    makes_known(store, &policy, &made).await;
    let policy = store.policy(of, policy.id).await.unwrap().unwrap();
    let moves = |to, version: u32| {
        let claim = Claim { state: to, changed_at: later(5), version, ..made.clone() };
        let from = Some(ClaimState::Intimated);
        (claim, [Move { at: later(5), by: Actor::Operator, from, to, reason: None }])
    };
    let (assessed, moved) = moves(ClaimState::UnderAssessment, 2);
    let made_at_once = (0..16).map(|_| changes(store, &policy, &assessed, &moved));
    let done = join_all(made_at_once).await.into_iter().filter(|one| *one == PolicyChanged::Done).count();
    assert_eq!(done, 1);
    assert_eq!(store.claim(of, made.id).await.unwrap(), Some(assessed.clone()));
    assert_eq!(store.claim_history(of, made.id).await.unwrap(), [noticed(&made), moved].concat());
    assert_eq!(store.claims(of, Selection::All, None, 10).await.unwrap().count, 1);
    let policy = store.policy(of, policy.id).await.unwrap().unwrap();
    let (settled, moved) = moves(ClaimState::Rejected, 3);
    assert_eq!(changes(store, &policy, &settled, &moved).await, PolicyChanged::Done);
    assert!(store.open_claims(1000).await.unwrap().iter().all(|open| open.id != made.id));
}

pub async fn a_paper_is_visible_only_when_it_is_complete(store: &dyn Storage) {
    // D83
    let policy = issued(store).await;
    let (of, made) = (policy.partner, claim(&policy));
    makes_known(store, &policy, &made).await;
    let bytes = b"%PDF-1.7 the bytes of a paper";
    let whole = paper(&made, bytes);
    assert!(has_paper(store, of, &whole, bytes).await);
    let broken = ClaimDocument { bytes: 0, ..paper(&made, b"") };
    store.begin_paper(of, &broken).await.unwrap();
    store.add_part(of, broken.id, 0, b"%PDF").await.unwrap();
    assert_eq!(store.papers(of, made.id).await.unwrap(), std::slice::from_ref(&whole));
    assert_eq!(store.paper(of, made.id, whole.id).await.unwrap().as_ref(), Some(&whole));
    assert_eq!(store.paper(id(), made.id, whole.id).await.unwrap(), None);
    assert_eq!(store.paper(of, id(), whole.id).await.unwrap(), None, "of another claim");
    assert_eq!(store.paper(of, made.id, broken.id).await.unwrap(), None);
    let (first, last) = bytes.split_at(bytes.len() / 2);
    for (number, wanted) in [(0, Some(first)), (1, Some(last)), (2, None)] {
        assert_eq!(store.part(of, whole.id, number).await.unwrap().as_deref(), wanted);
    }
    store.drop_paper(of, whole.id).await.unwrap();
    assert!(store.part(of, whole.id, 0).await.unwrap().is_some(), "a whole one is not dropped");
    store.drop_paper(of, broken.id).await.unwrap();
    assert_eq!(store.part(of, broken.id, 0).await.unwrap(), None);
}

pub async fn old_unfinished_papers_are_removed_and_recent_ones_stay(store: &dyn Storage) {
    // D83
    let policy = issued(store).await;
    let (of, made) = (policy.partner, claim(&policy));
    makes_known(store, &policy, &made).await;
    let old = ClaimDocument { bytes: 0, added_at: later(-7_200_000_000), ..paper(&made, b"") };
    let young = ClaimDocument { bytes: 0, ..paper(&made, b"") };
    for begun in [&old, &young] {
        store.begin_paper(of, begun).await.unwrap();
        store.add_part(of, begun.id, 0, b"%PDF").await.unwrap();
    }
    while store.forget_unfinished_papers(later(-3_600_000_000), 1).await.unwrap() > 0 {}
    assert_eq!(store.part(of, old.id, 0).await.unwrap(), None);
    assert!(store.part(of, young.id, 0).await.unwrap().is_some());
}

pub async fn the_papers_of_a_claim_share_one_size_limit(store: &dyn Storage) {
    // D83: `has_paper` allows a claim 1000 bytes.
    let policy = issued(store).await;
    let (of, made) = (policy.partner, claim(&policy));
    makes_known(store, &policy, &made).await;
    let bytes = [b'x'; 400];
    let papers: Vec<ClaimDocument> = (0..8).map(|_| paper(&made, &bytes)).collect();
    let kept = join_all(papers.iter().map(|paper| has_paper(store, of, paper, &bytes))).await;
    assert_eq!(kept.iter().filter(|kept| **kept).count(), 2, "{kept:?}");
    assert_eq!(store.papers(of, made.id).await.unwrap().len(), 2);
    let paid = Claim { state: ClaimState::Paid, version: 2, ..made.clone() };
    let policy = store.policy(of, policy.id).await.unwrap().unwrap();
    assert_eq!(changes(store, &policy, &paid, &[]).await, PolicyChanged::Done);
    assert!(!has_paper(store, of, &paper(&made, b"%PDF-"), b"%PDF-").await, "it takes none any more");
}
