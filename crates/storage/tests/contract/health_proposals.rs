//! Health proposals: made by a journey or imported, and moved.

use domain::date::Date;
use domain::health_proposal::{Health, HealthProposal, HealthProposalStatus, ProposalOrigin};
use domain::id::PartnerId;
use domain::journey::Journey;
use domain::line::LineOfBusiness;
use domain::period::Period;
use domain::person::PersonalLine;
use domain::proposal::{Actor, Move};
use futures_util::future::join_all;
use ports::storage::jobs::JobKind;
use ports::storage::lists::Selection;
use ports::storage::{ImportEnd, Moved, ProposalAct, Proposed, Storage, StorageError};

use HealthProposalStatus::{
    Accepted, Cancelled, Initiated, Offline, Pending, Rejected, Submitted, Underwriting,
};

use crate::health_sample::{
    answered, health_issue, health_proposal, imported_proposal, made, opened, proposed, records,
};
use crate::sample::{credit, health, id, later, now};

/// The day of `now()`.
const TODAY: Selection =
    Selection::Period(Period { first: Date::constant(2026, 11, 20), last: Date::constant(2026, 11, 20) });

/// Moves that bring a new proposal to a status at once.
fn born(status: HealthProposalStatus) -> Vec<Move<HealthProposalStatus>> {
    let mut moves = vec![made(None, Initiated)];
    if status != Initiated {
        moves.push(made(Some(Initiated), status));
    }
    moves
}

/// Journey on its last page.
async fn has_journey(store: &dyn Storage, of: PartnerId) -> Journey {
    let journey = opened(of);
    assert!(store.open_journey(&journey, None).await.unwrap());
    let journey = answered(&journey);
    assert!(store.change_journey(&journey).await.unwrap());
    journey
}

/// Writes a journey's proposal.
async fn keep(store: &dyn Storage, proposal: &HealthProposal, journey: &Journey) -> Proposed {
    let moves = born(proposal.status);
    let journey = proposed(journey, proposal);
    let act = ProposalAct { journey: Some(&journey), ..ProposalAct::<Health>::of(&moves) };
    health(store).keep_proposal(proposal, act).await.unwrap()
}

/// Proposal in a status.
async fn has_proposal(store: &dyn Storage, status: HealthProposalStatus) -> HealthProposal {
    let journey = has_journey(store, id()).await;
    let proposal = health_proposal(&journey, status);
    assert_eq!(keep(store, &proposal, &journey).await, Proposed::New);
    proposal
}

pub async fn a_health_proposal_is_stored_with_its_journey_and_read_unchanged(store: &dyn Storage) {
    let journey = has_journey(store, id()).await;
    let proposal = health_proposal(&journey, Pending);
    assert_eq!(keep(store, &proposal, &journey).await, Proposed::New);
    let (of, which) = (proposal.partner, proposal.id);
    assert_eq!(health(store).proposal(of, which).await.unwrap(), Some(proposal.clone()));
    assert_eq!(store.owner_of_proposal(which).await.unwrap(), Some((of, LineOfBusiness::Health)));
    assert_eq!(health(store).history(of, which).await.unwrap(), born(Pending));
    assert_eq!(store.journey(journey.cookie).await.unwrap(), Some(proposed(&journey, &proposal)));
    // Another partner does not see it (D3), and unknown ids find nothing.
    assert_eq!(health(store).proposal(id(), which).await.unwrap(), None);
    assert_eq!(health(store).history(id(), which).await.unwrap(), []);
    assert_eq!(store.owner_of_proposal(id()).await.unwrap(), None);
    // Reads of embedded proposals do not find it (D46).
    assert!(credit(store).proposal(of, which).await.unwrap().is_none());
}

pub async fn a_quote_and_variant_can_have_only_one_active_health_proposal(store: &dyn Storage) {
    // interface, States: rule of one active proposal
    for (status, is_active) in [
        (Initiated, true),
        (Pending, true),
        (Submitted, true),
        (Underwriting, true),
        (Accepted, true),
        (Offline, true),
        (Cancelled, false),
        (Rejected, false),
    ] {
        let journey = has_journey(store, id()).await;
        let first = health_proposal(&journey, status);
        assert_eq!(keep(store, &first, &journey).await, Proposed::New);
        let journey = proposed(&journey, &first);
        let second = health_proposal(&journey, Pending);
        let wanted = if is_active { Proposed::AlreadyActive(first.id) } else { Proposed::New };
        assert_eq!(keep(store, &second, &journey).await, wanted, "beside {status}");
        let found = health(store).proposal(second.partner, second.id).await.unwrap();
        assert_eq!(found.is_some(), !is_active);
        let stands = store.journey(journey.cookie).await.unwrap().unwrap();
        let noted = if is_active { first.id } else { second.id };
        assert_eq!(stands.answers.proposal, Some(noted), "what was not kept is not noted");
        // The same quote with another variant has its own proposal, and so has another partner with the same
        // variant.
        let mut other_variant = proposed(&stands, &first);
        other_variant.version -= 1;
        other_variant.answers.choice.as_mut().unwrap().variant = id();
        let third = health_proposal(&other_variant, Pending);
        assert_eq!(keep(store, &third, &other_variant).await, Proposed::New);
        let mut elsewhere = has_journey(store, id()).await;
        elsewhere.answers.quote = stands.answers.quote;
        elsewhere.answers.choice = stands.answers.choice;
        let fourth = health_proposal(&elsewhere, Pending);
        assert_eq!(keep(store, &fourth, &elsewhere).await, Proposed::New);
    }
}

pub async fn only_one_of_16_simultaneous_proposals_for_a_quote_and_variant_is_stored(store: &dyn Storage) {
    // interface, States: rule of one active proposal
    let of = id();
    let first = has_journey(store, of).await;
    let mut journeys = vec![first.clone()];
    for _ in 1..16 {
        let mut journey = has_journey(store, of).await;
        journey.answers.quote = first.answers.quote;
        journey.answers.choice = first.answers.choice;
        journeys.push(journey);
    }
    let proposals: Vec<_> = journeys.iter().map(|journey| health_proposal(journey, Pending)).collect();
    let keepings = proposals.iter().zip(&journeys).map(|(proposal, journey)| keep(store, proposal, journey));
    let ends = join_all(keepings).await;
    let kept: Vec<_> = proposals.iter().zip(&ends).filter(|(_, end)| **end == Proposed::New).collect();
    let [(winner, _)] = kept[..] else { panic!("{ends:?}") };
    let lost = ends.iter().filter(|end| **end == Proposed::AlreadyActive(winner.id)).count();
    assert_eq!(lost, 15, "the others are told which one it is");
    assert_eq!(health(store).proposals(of, TODAY, None, 20).await.unwrap().count, 1);
}

pub async fn a_journey_that_changed_after_it_was_read_makes_no_proposal(store: &dyn Storage) {
    // A second press of the same button, or another tab.
    let journey = has_journey(store, id()).await;
    let mut elsewhere = journey.clone();
    elsewhere.version += 1;
    assert!(store.change_journey(&elsewhere).await.unwrap());
    let proposal = health_proposal(&journey, Pending);
    assert_eq!(keep(store, &proposal, &journey).await, Proposed::JourneyChanged);
    assert_eq!(health(store).proposal(proposal.partner, proposal.id).await.unwrap(), None);
    assert_eq!(health(store).history(proposal.partner, proposal.id).await.unwrap(), []);
    assert_eq!(health(store).proposals(proposal.partner, TODAY, None, 20).await.unwrap().count, 0);
    assert_eq!(store.journey(journey.cookie).await.unwrap(), Some(elsewhere));
}

pub async fn an_immediately_accepted_health_proposal_is_stored_with_its_policy(store: &dyn Storage) {
    // D29
    let journey = has_journey(store, id()).await;
    let proposal = health_proposal(&journey, Accepted);
    let (issue, moves) = (health_issue(&proposal), born(Accepted));
    let after = proposed(&journey, &proposal);
    let act = ProposalAct { issue: Some(&issue), journey: Some(&after), ..ProposalAct::<Health>::of(&moves) };
    let kept = health(store).keep_proposal(&proposal, act).await;
    assert_eq!(kept.unwrap(), Proposed::New);
    let (of, which) = (proposal.partner, proposal.id);
    assert_eq!(store.policy_of(of, which).await.unwrap(), Some(issue.policy));
}

pub async fn only_one_of_sixteen_simultaneous_moves_of_a_health_proposal_wins(store: &dyn Storage) {
    // D28
    for _ in 0..10 {
        let proposal = has_proposal(store, Underwriting).await;
        let (of, which) = (proposal.partner, proposal.id);
        let accepted = [made(Some(Underwriting), Accepted)];
        let rejected = [made(Some(Underwriting), Rejected)];
        let issues: Vec<_> = (0..8).map(|_| health_issue(&proposal)).collect();
        let acceptances = issues.iter().map(|issue| {
            let act = ProposalAct { issue: Some(issue), ..ProposalAct::<Health>::of(&accepted) };
            health(store).move_proposal(of, which, Underwriting, act)
        });
        let rejections = (0..8).map(|_| {
            let act = ProposalAct::<Health>::of(&rejected);
            health(store).move_proposal(of, which, Underwriting, act)
        });
        let moved: Vec<Moved> =
            join_all(acceptances.chain(rejections)).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(moved.iter().filter(|moved| **moved == Moved::Won).count(), 1);
        let stands = health(store).proposal(of, which).await.unwrap().unwrap().status;
        let has_policy = store.policy_of(of, which).await.unwrap().is_some();
        assert_eq!(has_policy, stands == Accepted);
        assert_eq!(health(store).history(of, which).await.unwrap().len(), 3);
    }
}

pub async fn a_lost_move_of_a_health_proposal_changes_nothing(store: &dyn Storage) {
    // D28
    let proposal = has_proposal(store, Rejected).await;
    let (of, which) = (proposal.partner, proposal.id);
    let (issue, moves) = (health_issue(&proposal), [made(Some(Underwriting), Accepted)]);
    let act =
        ProposalAct { issue: Some(&issue), ask_insurer: Some(now()), ..ProposalAct::<Health>::of(&moves) };
    assert_eq!(health(store).move_proposal(of, which, Underwriting, act).await.unwrap(), Moved::Lost);
    // Nor does a proposal of another partner, or an unknown one, move.
    let act =
        ProposalAct { issue: Some(&issue), ask_insurer: Some(now()), ..ProposalAct::<Health>::of(&moves) };
    assert_eq!(health(store).move_proposal(id(), which, Rejected, act).await.unwrap(), Moved::Lost);
    assert_eq!(health(store).proposal(of, which).await.unwrap(), Some(proposal));
    assert_eq!(store.policy_of(of, which).await.unwrap(), None);
    assert_eq!(health(store).history(of, which).await.unwrap().len(), 2);
    assert_eq!(store.job_for(JobKind::Decision(LineOfBusiness::Health), which.uuid()).await.unwrap(), None);
}

pub async fn all_moves_of_a_health_proposal_and_its_last_reason_are_stored(store: &dyn Storage) {
    let proposal = has_proposal(store, Offline).await;
    let (of, which) = (proposal.partner, proposal.id);
    let reason = Some(PersonalLine::kept("आय का प्रमाण नहीं".into()));
    let step = |from, to, reason: &Option<PersonalLine>| Move {
        at: later(5),
        by: Actor::Operator,
        from: Some(from),
        to,
        reason: reason.clone(),
    };
    let steps = [step(Offline, Underwriting, &None), step(Underwriting, Rejected, &reason)];
    let act = ProposalAct::<Health>::of(&steps);
    assert_eq!(health(store).move_proposal(of, which, Offline, act).await.unwrap(), Moved::Won);
    let history = health(store).history(of, which).await.unwrap();
    assert_eq!(history, [born(Offline), steps.to_vec()].concat());
    let found = health(store).proposal(of, which).await.unwrap().unwrap();
    assert_eq!((found.status, found.changed_at, found.reason), (Rejected, later(5), reason));
    assert_eq!(found.created_at, now());
}

pub async fn a_health_proposal_that_waits_for_its_insurer_has_a_job_until_it_is_decided(store: &dyn Storage) {
    // D29
    for end in [Accepted, Rejected] {
        let journey = has_journey(store, id()).await;
        let proposal = health_proposal(&journey, Pending);
        let moves = born(Pending);
        let after = proposed(&journey, &proposal);
        let (ask_insurer, journey) = (Some(later(3)), Some(&after));
        let act = ProposalAct { ask_insurer, journey, ..ProposalAct::<Health>::of(&moves) };
        assert_eq!(health(store).keep_proposal(&proposal, act).await.unwrap(), Proposed::New);
        let (of, which) = (proposal.partner, proposal.id);
        let waits = async || {
            store.job_for(JobKind::Decision(LineOfBusiness::Health), which.uuid()).await.unwrap().is_some()
        };
        assert!(waits().await);
        let step = [made(Some(Pending), Submitted)];
        let act = ProposalAct::<Health>::of(&step);
        assert_eq!(health(store).move_proposal(of, which, Pending, act).await.unwrap(), Moved::Won);
        assert!(waits().await, "it is not decided");
        let steps = [made(Some(Submitted), Underwriting), made(Some(Underwriting), end)];
        let issue = (end == Accepted).then(|| health_issue(&proposal));
        let act = ProposalAct { issue: issue.as_ref(), ..ProposalAct::<Health>::of(&steps) };
        assert_eq!(health(store).move_proposal(of, which, Submitted, act).await.unwrap(), Moved::Won);
        assert!(!waits().await);
    }
}

pub async fn imported_health_proposals_are_read_unchanged(store: &dyn Storage) {
    let of = id();
    let mut brought = vec![imported_proposal(of, later(-1)), imported_proposal(id(), later(-2))];
    brought[1].session = Some(id());
    brought[1].status = Accepted;
    brought[1].reason = None;
    let end = health(store).import_proposals(records(&brought)).await.unwrap();
    assert_eq!(end, ImportEnd::Kept(2));
    for proposal in brought {
        let (of, which) = (proposal.partner, proposal.id);
        let history = health(store).history(of, which).await.unwrap();
        let born = Move {
            at: proposal.created_at,
            by: Actor::Operator,
            from: None,
            to: proposal.status,
            reason: proposal.reason.clone(),
        };
        assert_eq!(history, [born]);
        assert_eq!(health(store).proposal(of, which).await.unwrap(), Some(proposal));
    }
    assert_eq!(health(store).import_proposals(records(&[])).await.unwrap(), ImportEnd::Kept(0));
}

pub async fn a_quote_and_variant_can_have_only_one_active_imported_proposal(store: &dyn Storage) {
    let of = id();
    let active = |of, quote: &str| {
        let mut proposal = imported_proposal(of, now());
        proposal.status = Underwriting;
        if let ProposalOrigin::Import(record) = &mut proposal.application.origin {
            record.quote_id = quote.into();
        }
        proposal
    };
    // A rejected proposal does not conflict, nor does another partner's.
    let all = [active(of, "Q-1"), active(of, "Q-2"), imported_proposal(of, now()), active(id(), "Q-1")];
    assert_eq!(health(store).import_proposals(records(&all)).await.unwrap(), ImportEnd::Kept(4));
    let twins = [active(of, "Q-3"), active(of, "Q-1"), active(of, "Q-4"), active(of, "Q-4")];
    let end = health(store).import_proposals(records(&twins)).await.unwrap();
    assert_eq!(end, ImportEnd::Taken(vec![1, 3]));
    // If the record names a quote of this store, a journey cannot make a second application for it.
    let journey = has_journey(store, of).await;
    let made = health_proposal(&journey, Pending);
    let chosen = made.application.journey().unwrap().chosen.clone();
    let mut brought = active(of, &chosen.quote.to_string());
    if let ProposalOrigin::Import(record) = &mut brought.application.origin {
        record.plan.variant_id = chosen.variant.to_string();
    }
    health(store).import_proposals(records(std::slice::from_ref(&brought))).await.unwrap();
    assert_eq!(keep(store, &made, &journey).await, Proposed::AlreadyActive(brought.id));
}

pub async fn an_import_of_proposals_is_stored_completely_or_not_at_all(store: &dyn Storage) {
    let of = id();
    let there = imported_proposal(of, now());
    health(store).import_proposals(records(std::slice::from_ref(&there))).await.unwrap();
    let fresh: Vec<_> = (0..4).map(|_| imported_proposal(of, now())).collect();
    let mixed = [&fresh[0], &there, &fresh[1], &fresh[2], &fresh[2], &fresh[3]].map(Clone::clone);
    let end = health(store).import_proposals(records(&mixed)).await.unwrap();
    assert_eq!(end, ImportEnd::Taken(vec![1, 4]), "those that are there, and those that came before");
    let broken = vec![Ok(fresh[0].clone()), Err(StorageError::Refused("line 2 changed".into()))];
    assert!(health(store).import_proposals(Box::new(broken.into_iter())).await.is_err());
    for proposal in &fresh {
        assert_eq!(health(store).proposal(of, proposal.id).await.unwrap(), None);
        assert_eq!(health(store).history(of, proposal.id).await.unwrap(), []);
    }
    assert_eq!(health(store).proposals(of, TODAY, None, 20).await.unwrap().count, 1);
    assert_eq!(health(store).import_proposals(records(&fresh)).await.unwrap(), ImportEnd::Kept(4));
    assert_eq!(health(store).proposals(of, TODAY, None, 20).await.unwrap().count, 5);
}

pub async fn health_proposals_are_listed_newest_first_for_the_operator(store: &dyn Storage) {
    let of = id();
    let mut brought: Vec<_> = [0, 1, 2].map(|after| imported_proposal(of, later(after))).to_vec();
    brought[1].status = Offline;
    brought.push(imported_proposal(id(), later(3)));
    health(store).import_proposals(records(&brought)).await.unwrap();
    let list = async |status, most| {
        let lines = health(store).proposal_lines(of, status, most).await.unwrap();
        lines.iter().map(|line| (line.id, line.status, line.partner)).collect::<Vec<_>>()
    };
    let line = |at: usize| (brought[at].id, brought[at].status.word(), of);
    assert_eq!(list(None, 10).await, [line(2), line(1), line(0)]);
    assert_eq!(list(None, 2).await, [line(2), line(1)]);
    assert_eq!(list(Some(Rejected), 10).await, [line(2), line(0)]);
    assert_eq!(list(Some(Pending), 10).await, []);
}
