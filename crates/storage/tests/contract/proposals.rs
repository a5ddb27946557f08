//! Embedded proposals and their moves.

use domain::credit_life::ProposalStatus;
use domain::line::LineOfBusiness;
use domain::person::PersonalLine;
use domain::proposal::{Actor, Move};
use futures_util::future::join_all;
use ports::storage::{Moved, ProposalAct, Proposed, Storage};

use crate::sample::{credit, id, issue, later, now, proposal, response};

fn made(from: Option<ProposalStatus>, to: ProposalStatus) -> Move<ProposalStatus> {
    Move { at: later(1), by: Actor::Partner, from, to, reason: None }
}

fn created(to: ProposalStatus) -> [Move<ProposalStatus>; 1] {
    [Move { at: now(), by: Actor::Partner, from: None, to, reason: None }]
}

pub async fn a_stored_proposal_is_read_unchanged(store: &dyn Storage) {
    let proposal = proposal(id(), ProposalStatus::Draft);
    let moves = created(ProposalStatus::Draft);
    assert_eq!(credit(store).keep_proposal(&proposal, ProposalAct::of(&moves)).await.unwrap(), Proposed::New);
    assert_eq!(
        credit(store).proposal(id(), proposal.id).await.unwrap(),
        None,
        "another partner does not see it (D3)"
    );
    assert_eq!(credit(store).proposal(proposal.partner, proposal.id).await.unwrap(), Some(proposal.clone()));
    let owner = (proposal.partner, LineOfBusiness::CreditLife);
    assert_eq!(store.owner_of_proposal(proposal.id).await.unwrap(), Some(owner));
    assert_eq!(store.owner_of_proposal(id()).await.unwrap(), None);
}

pub async fn only_one_of_sixteen_simultaneous_moves_of_a_proposal_wins(store: &dyn Storage) {
    // D28
    for _ in 0..20 {
        let proposal = proposal(id(), ProposalStatus::Pending);
        credit(store)
            .keep_proposal(&proposal, ProposalAct::of(&created(ProposalStatus::Pending)))
            .await
            .unwrap();
        let (of, which) = (proposal.partner, proposal.id);
        let completed = [made(Some(ProposalStatus::Pending), ProposalStatus::Completed)];
        let rejected = [made(Some(ProposalStatus::Pending), ProposalStatus::Rejected)];
        let issues: Vec<_> = (0..8).map(|_| issue(&proposal)).collect();
        let completions = issues.iter().map(|issue| {
            credit(store).move_proposal(
                of,
                which,
                ProposalStatus::Pending,
                ProposalAct { issue: Some(issue), ..ProposalAct::of(&completed) },
            )
        });
        let rejections = (0..8).map(|_| {
            credit(store).move_proposal(of, which, ProposalStatus::Pending, ProposalAct::of(&rejected))
        });
        let moved: Vec<Moved> =
            join_all(completions.chain(rejections)).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(moved.iter().filter(|moved| **moved == Moved::Won).count(), 1);
        let stands = credit(store).proposal(of, which).await.unwrap().unwrap().status;
        let has_policy = store.policy_of(of, which).await.unwrap().is_some();
        assert_eq!(has_policy, stands == ProposalStatus::Completed);
        assert_eq!(credit(store).history(of, which).await.unwrap().len(), 2);
    }
}

pub async fn a_lost_move_of_a_proposal_changes_nothing(store: &dyn Storage) {
    // D28
    let proposal = proposal(id(), ProposalStatus::Rejected);
    credit(store)
        .keep_proposal(&proposal, ProposalAct::of(&created(ProposalStatus::Rejected)))
        .await
        .unwrap();
    let (of, which) = (proposal.partner, proposal.id);
    let moves = [made(Some(ProposalStatus::Pending), ProposalStatus::Completed)];
    let (issue, response) = (issue(&proposal), response(3, b"answer"));
    let moved = credit(store)
        .move_proposal(
            of,
            which,
            ProposalStatus::Pending,
            ProposalAct { issue: Some(&issue), response: Some(&response), ..ProposalAct::of(&moves) },
        )
        .await
        .unwrap();
    assert_eq!(moved, Moved::Lost);
    assert!(store.policy_of(of, which).await.unwrap().is_none());
    assert!(store.kept_response(of, response.key, now()).await.unwrap().is_none());
    assert_eq!(credit(store).history(of, which).await.unwrap().len(), 1);
}

pub async fn a_repeated_move_with_a_used_idempotency_key_is_a_twin_and_not_lost(store: &dyn Storage) {
    // D36
    let proposal = proposal(id(), ProposalStatus::Draft);
    credit(store).keep_proposal(&proposal, ProposalAct::of(&created(ProposalStatus::Draft))).await.unwrap();
    let moves = [made(Some(ProposalStatus::Draft), ProposalStatus::Pending)];
    let response = response(4, b"answer");
    let again = || {
        credit(store).move_proposal(
            proposal.partner,
            proposal.id,
            ProposalStatus::Draft,
            ProposalAct { response: Some(&response), ..ProposalAct::of(&moves) },
        )
    };
    assert_eq!(again().await.unwrap(), Moved::Won);
    assert_eq!(again().await.unwrap(), Moved::Twin);
}

pub async fn each_move_of_a_proposal_is_stored_in_its_history(store: &dyn Storage) {
    let proposal = proposal(id(), ProposalStatus::Pending);
    let (of, which) = (proposal.partner, proposal.id);
    credit(store).keep_proposal(&proposal, ProposalAct::of(&created(ProposalStatus::Pending))).await.unwrap();
    let reason = Some(PersonalLine::kept("आय का प्रमाण नहीं".into()));
    let refused = Move {
        at: later(5),
        by: Actor::Operator,
        from: Some(ProposalStatus::Pending),
        to: ProposalStatus::Rejected,
        reason,
    };
    let moves = std::slice::from_ref(&refused);
    assert_eq!(
        credit(store)
            .move_proposal(of, which, ProposalStatus::Pending, ProposalAct::of(moves))
            .await
            .unwrap(),
        Moved::Won
    );
    let [first] = created(ProposalStatus::Pending);
    assert_eq!(credit(store).history(of, which).await.unwrap(), [first, refused]);
    let found = credit(store).proposal(of, which).await.unwrap().unwrap();
    assert_eq!((found.status, found.changed_at), (ProposalStatus::Rejected, later(5)));
}

pub async fn proposals_are_listed_newest_first(store: &dyn Storage) {
    let of = id();
    let mut ids = Vec::new();
    for status in [ProposalStatus::Draft, ProposalStatus::Pending, ProposalStatus::Draft] {
        let proposal = proposal(of, status);
        credit(store).keep_proposal(&proposal, ProposalAct::of(&created(status))).await.unwrap();
        ids.push(proposal.id);
    }
    let list = async |status, most| {
        let lines = credit(store).proposal_lines(of, status, most).await.unwrap();
        lines.iter().map(|line| line.id).collect::<Vec<_>>()
    };
    assert_eq!(list(None, 10).await, [ids[2], ids[1], ids[0]]);
    assert_eq!(list(None, 2).await, [ids[2], ids[1]]);
    assert_eq!(list(Some(ProposalStatus::Draft), 10).await, [ids[2], ids[0]]);
}
