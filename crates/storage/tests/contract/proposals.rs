//! Embedded proposals and their moves.

use domain::person::PersonalLine;
use domain::proposal::{Actor, Move, ProposalStatus};
use futures_util::future::join_all;
use service::storage::{Kept, Moved, ProposalAct, Storage};

use crate::sample::{id, issue, later, now, once, proposal, quote};

fn made(from: Option<ProposalStatus>, to: ProposalStatus) -> Move {
    Move { at: later(1), by: Actor::Partner, from, to, reason: None }
}

fn created(to: ProposalStatus) -> [Move; 1] {
    [Move { at: now(), by: Actor::Partner, from: None, to, reason: None }]
}

pub async fn a_proposal_reads_back_as_it_was_kept(store: &dyn Storage) {
    let proposal = proposal(id(), ProposalStatus::Draft);
    let moves = created(ProposalStatus::Draft);
    assert_eq!(
        store
            .keep_proposal(&proposal, ProposalAct { moves: &moves, ..ProposalAct::default() })
            .await
            .unwrap(),
        Kept::New
    );
    assert_eq!(
        store.proposal(id(), proposal.id).await.unwrap(),
        None,
        "another partner does not see it (D3)"
    );
    assert_eq!(store.proposal(proposal.partner, proposal.id).await.unwrap(), Some(proposal.clone()));
    assert_eq!(store.partner_of_proposal(proposal.id).await.unwrap(), Some(proposal.partner));
    assert_eq!(store.partner_of_proposal(id()).await.unwrap(), None);
}

pub async fn of_sixteen_racing_moves_exactly_one_wins(store: &dyn Storage) {
    // D28
    for _ in 0..20 {
        let proposal = proposal(id(), ProposalStatus::Pending);
        store
            .keep_proposal(
                &proposal,
                ProposalAct { moves: &created(ProposalStatus::Pending), ..ProposalAct::default() },
            )
            .await
            .unwrap();
        let (of, which) = (proposal.partner, proposal.id);
        let completed = [made(Some(ProposalStatus::Pending), ProposalStatus::Completed)];
        let rejected = [made(Some(ProposalStatus::Pending), ProposalStatus::Rejected)];
        let issues: Vec<_> = (0..8).map(|_| issue(&proposal)).collect();
        let completions = issues.iter().map(|issue| {
            store.move_proposal(
                of,
                which,
                ProposalStatus::Pending,
                ProposalAct { moves: &completed, issue: Some(issue), ..ProposalAct::default() },
            )
        });
        let rejections = (0..8).map(|_| {
            store.move_proposal(
                of,
                which,
                ProposalStatus::Pending,
                ProposalAct { moves: &rejected, ..ProposalAct::default() },
            )
        });
        let moved: Vec<Moved> =
            join_all(completions.chain(rejections)).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(moved.iter().filter(|moved| **moved == Moved::Won).count(), 1);
        let stands = store.proposal(of, which).await.unwrap().unwrap().status;
        let has_policy = store.policy_of(of, which).await.unwrap().is_some();
        assert_eq!(has_policy, stands == ProposalStatus::Completed);
        assert_eq!(store.history(of, which).await.unwrap().len(), 2);
    }
}

pub async fn a_lost_move_leaves_nothing_behind(store: &dyn Storage) {
    // D28
    let proposal = proposal(id(), ProposalStatus::Rejected);
    store
        .keep_proposal(
            &proposal,
            ProposalAct { moves: &created(ProposalStatus::Rejected), ..ProposalAct::default() },
        )
        .await
        .unwrap();
    let (of, which) = (proposal.partner, proposal.id);
    let moves = [made(Some(ProposalStatus::Pending), ProposalStatus::Completed)];
    let (issue, once) = (issue(&proposal), once(3, b"answer"));
    let moved = store
        .move_proposal(
            of,
            which,
            ProposalStatus::Pending,
            ProposalAct { moves: &moves, issue: Some(&issue), once: Some(&once), ..ProposalAct::default() },
        )
        .await
        .unwrap();
    assert_eq!(moved, Moved::Lost);
    assert!(store.policy_of(of, which).await.unwrap().is_none());
    assert!(store.kept_answer(of, once.key, now()).await.unwrap().is_none());
    assert_eq!(store.history(of, which).await.unwrap().len(), 1);
}

pub async fn a_move_with_a_used_key_is_a_twin_even_where_it_would_be_lost(store: &dyn Storage) {
    // D36
    let proposal = proposal(id(), ProposalStatus::Draft);
    store
        .keep_proposal(
            &proposal,
            ProposalAct { moves: &created(ProposalStatus::Draft), ..ProposalAct::default() },
        )
        .await
        .unwrap();
    let moves = [made(Some(ProposalStatus::Draft), ProposalStatus::Pending)];
    let once = once(4, b"answer");
    let again = || {
        store.move_proposal(
            proposal.partner,
            proposal.id,
            ProposalStatus::Draft,
            ProposalAct { moves: &moves, once: Some(&once), ..ProposalAct::default() },
        )
    };
    assert_eq!(again().await.unwrap(), Moved::Won);
    assert_eq!(again().await.unwrap(), Moved::Twin);
}

pub async fn each_move_is_kept_in_the_history(store: &dyn Storage) {
    let proposal = proposal(id(), ProposalStatus::Pending);
    let (of, which) = (proposal.partner, proposal.id);
    store
        .keep_proposal(
            &proposal,
            ProposalAct { moves: &created(ProposalStatus::Pending), ..ProposalAct::default() },
        )
        .await
        .unwrap();
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
        store
            .move_proposal(
                of,
                which,
                ProposalStatus::Pending,
                ProposalAct { moves, ..ProposalAct::default() }
            )
            .await
            .unwrap(),
        Moved::Won
    );
    let [first] = created(ProposalStatus::Pending);
    assert_eq!(store.history(of, which).await.unwrap(), [first, refused]);
    let found = store.proposal(of, which).await.unwrap().unwrap();
    assert_eq!((found.status, found.changed_at), (ProposalStatus::Rejected, later(5)));
}

pub async fn proposals_are_listed_newest_first(store: &dyn Storage) {
    let of = id();
    let mut ids = Vec::new();
    for status in [ProposalStatus::Draft, ProposalStatus::Pending, ProposalStatus::Draft] {
        let proposal = proposal(of, status);
        store
            .keep_proposal(&proposal, ProposalAct { moves: &created(status), ..ProposalAct::default() })
            .await
            .unwrap();
        ids.push(proposal.id);
    }
    let list = async |status, most| {
        let lines = store.proposals(of, status, most).await.unwrap();
        lines.iter().map(|line| line.id).collect::<Vec<_>>()
    };
    assert_eq!(list(None, 10).await, [ids[2], ids[1], ids[0]]);
    assert_eq!(list(None, 2).await, [ids[2], ids[1]]);
    assert_eq!(list(Some(ProposalStatus::Draft), 10).await, [ids[2], ids[0]]);
}

pub async fn a_proposal_is_read_with_the_quote_that_it_was_made_from(store: &dyn Storage) {
    let quote = quote(id());
    store.keep_embedded_quote(&quote, None).await.unwrap();
    let mut proposal = proposal(quote.partner, ProposalStatus::Draft);
    proposal.request.quote = quote.id;
    store.keep_proposal(&proposal, ProposalAct::default()).await.unwrap();
    let (of, which) = (proposal.partner, proposal.id);
    let found = store.proposal_with_quote(of, which).await.unwrap().unwrap();
    assert_eq!(found, (proposal.clone(), Some(quote)));
    assert!(
        store.proposal_with_quote(id(), which).await.unwrap().is_none(),
        "another partner does not see it (D3)"
    );
    proposal.id = id();
    proposal.request.quote = id();
    store.keep_proposal(&proposal, ProposalAct::default()).await.unwrap();
    assert_eq!(store.proposal_with_quote(of, proposal.id).await.unwrap(), Some((proposal, None)));
}
