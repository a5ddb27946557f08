//! Durable jobs and their leases.

use std::collections::HashSet;

use domain::credit_life::ProposalStatus;
use domain::id::{PartnerId, Uuid};
use domain::line::LineOfBusiness;
use domain::proposal::{Actor, Move};
use futures_util::future::join_all;
use ports::storage::jobs::{JobFamily, JobKind, Lease, PutOff};
use ports::storage::{ProposalAct, Storage};

use crate::sample::{credit, health_quote, id, later, now, proposal};

/// Microseconds in a second.
const SECOND: i64 = 1_000_000;

fn owner(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// Claims jobs that are due `after` microseconds from now. The lease lasts ten seconds.
async fn claim(store: &dyn Storage, by: u128, after: i64, most: usize) -> Vec<Lease> {
    claim_of(store, JobFamily::Recommendations, by, after, most).await
}

async fn claim_of(store: &dyn Storage, family: JobFamily, by: u128, after: i64, most: usize) -> Vec<Lease> {
    let until = later(after + 10 * SECOND);
    store.claim_jobs(family, owner(by), later(after), until, most).await.unwrap()
}

async fn has_quotes(store: &dyn Storage, count: usize) {
    for _ in 0..count {
        store.keep_health_quote(&health_quote(id()), None).await.unwrap();
    }
}

pub async fn only_one_worker_holds_a_job_until_its_lease_expires(store: &dyn Storage) {
    has_quotes(store, 1).await;
    assert_eq!(store.next_due().await.unwrap(), Some(now()));
    let first = claim(store, 1, 0, 5).await;
    assert_eq!((first.len(), first[0].attempt, first[0].job.kind), (1, 1, JobKind::Recommendation));
    assert_eq!(store.next_due().await.unwrap(), Some(later(10 * SECOND)));
    assert!(claim(store, 2, 9 * SECOND, 5).await.is_empty());
    let second = claim(store, 2, 10 * SECOND, 5).await;
    assert_eq!((second.len(), second[0].attempt), (1, 2), "a lapsed lease is taken over");
    // The first lease is no longer valid, even after its holder claims the job again.
    let how = PutOff { due: now(), step: 0, faults: 0 };
    assert!(!store.put_off(&first[0], how).await.unwrap());
    assert!(!store.end_job(&first[0]).await.unwrap());
    let third = claim(store, 1, 20 * SECOND, 5).await;
    assert!(!store.end_job(&first[0]).await.unwrap());
    assert!(store.end_job(&third[0]).await.unwrap());
    assert_eq!(store.next_due().await.unwrap(), None);
}

pub async fn a_lease_that_is_renewed_in_time_does_not_expire(store: &dyn Storage) {
    has_quotes(store, 2).await;
    let renewed = claim(store, 1, 0, 1).await;
    let forgotten = claim(store, 1, 0, 1).await;
    assert_eq!(store.renew_leases(&renewed, later(15 * SECOND)).await.unwrap(), 1);
    let lapsed = claim(store, 3, 12 * SECOND, 5).await;
    assert_eq!(lapsed.len(), 1, "the one that was not renewed, though its holder renewed another");
    assert_eq!(lapsed[0].job, forgotten[0].job);
    assert_eq!(store.renew_leases(&forgotten, later(99 * SECOND)).await.unwrap(), 0, "it is another's now");
}

pub async fn a_postponed_job_is_not_due_before_its_new_time(store: &dyn Storage) {
    has_quotes(store, 1).await;
    let lease = claim(store, 1, 0, 1).await[0];
    let how = PutOff { due: later(60 * SECOND), step: 1, faults: 2 };
    assert!(store.put_off(&lease, how).await.unwrap());
    assert!(claim(store, 1, 59 * SECOND, 1).await.is_empty());
    let again = claim(store, 2, 60 * SECOND, 1).await[0];
    assert_eq!((again.attempt, again.step, again.faults), (2, 1, 2));
}

pub async fn a_process_that_stops_hands_back_only_its_own_jobs(store: &dyn Storage) {
    has_quotes(store, 3).await;
    claim(store, 1, 0, 2).await;
    claim(store, 2, 0, 1).await;
    assert_eq!(store.hand_back(owner(1), later(SECOND)).await.unwrap(), 2);
    assert_eq!(claim(store, 3, SECOND, 5).await.len(), 2, "at once, and not those of others");
}

pub async fn a_process_that_is_alone_can_end_the_leases_of_all_processes(store: &dyn Storage) {
    has_quotes(store, 3).await;
    claim(store, 1, 0, 2).await;
    claim(store, 2, 0, 1).await;
    assert_eq!(store.free_leases(later(SECOND)).await.unwrap(), 3);
    assert_eq!(claim(store, 3, SECOND, 5).await.len(), 3);
}

pub async fn the_job_that_is_due_longest_is_claimed_first(store: &dyn Storage) {
    for before in [1, 3, 2] {
        let mut quote = health_quote(id());
        quote.created_at = later(-before);
        store.keep_health_quote(&quote, None).await.unwrap();
        if before == 3 {
            let nothing_due = store
                .claim_jobs(JobFamily::Recommendations, owner(9), later(-4), later(SECOND), 5)
                .await
                .unwrap();
            assert!(nothing_due.is_empty());
        }
    }
    // A job made by a clock that is ahead is due now, after the others (D97).
    let mut ahead = health_quote(id());
    ahead.created_at = later(1000 * SECOND);
    store.keep_health_quote(&ahead, None).await.unwrap();
    for _ in 0..3 {
        let next = store.next_due().await.unwrap().unwrap();
        let lease = claim(store, 1, SECOND, 1).await[0];
        let quote = store.health_quote(lease.job.of, domain::id::QuoteId::from_uuid(lease.job.subject));
        assert_eq!(quote.await.unwrap().unwrap().created_at, next);
        assert!(store.end_job(&lease).await.unwrap());
    }
    assert_eq!(store.next_due().await.unwrap(), Some(now()));
    assert_eq!(claim(store, 1, SECOND, 1).await[0].job.of, ahead.partner);
}

pub async fn waiting_jobs_of_different_partners_are_claimed_in_turn(store: &dyn Storage) {
    let (many, few): (PartnerId, PartnerId) = (id(), id());
    for (of, count) in [(many, 10), (few, 2)] {
        for number in 0..count {
            let mut quote = health_quote(of);
            quote.created_at = later(number + if of == few { 1000 } else { 0 });
            store.keep_health_quote(&quote, None).await.unwrap();
        }
    }
    let claimed = claim(store, 1, SECOND, 4).await;
    let of_few = claimed.iter().filter(|lease| lease.job.of == few).count();
    assert_eq!((claimed.len(), of_few), (4, 2), "although ten of another are due longer");
    // A partner with more held jobs comes later.
    let third: PartnerId = id();
    store.keep_health_quote(&health_quote(third), None).await.unwrap();
    let next = claim(store, 2, SECOND, 1).await;
    assert_eq!(next[0].job.of, third);
}

pub async fn each_job_goes_to_only_one_of_many_workers_that_claim_simultaneously(store: &dyn Storage) {
    has_quotes(store, 40).await;
    // Simultaneous claims may get fewer jobs than there are, so they are repeated.
    let mut leases: Vec<Lease> = Vec::new();
    while store.next_due().await.unwrap().is_some_and(|due| due <= now()) {
        let claims = (0..16).map(|by| claim(store, by, 0, 5));
        leases.extend(join_all(claims).await.into_iter().flatten());
    }
    let subjects: HashSet<Uuid> = leases.iter().map(|lease| lease.job.subject).collect();
    assert_eq!((leases.len(), subjects.len()), (40, 40));
    assert_eq!(
        store.count_jobs().await.unwrap(),
        [(JobKind::Recommendation, 40)],
        "claimed ones are still there"
    );
}

pub async fn a_proposal_that_waits_for_its_insurer_has_a_job_until_it_is_decided(store: &dyn Storage) {
    // D29
    let proposal = proposal(id(), ProposalStatus::Pending);
    let (of, which) = (proposal.partner, proposal.id);
    let made =
        |to| Move { at: now(), by: Actor::Insurer, from: Some(ProposalStatus::Pending), to, reason: None };
    let moves = [Move { from: None, ..made(ProposalStatus::Pending) }];
    let act = ProposalAct { ask_insurer: Some(now()), ..ProposalAct::of(&moves) };
    credit(store).keep_proposal(&proposal, act).await.unwrap();
    let job =
        store.job_for(JobKind::Decision(LineOfBusiness::CreditLife), which.uuid()).await.unwrap().unwrap();
    assert_eq!((job.of, job.subject), (of, which.uuid()));
    assert_eq!(store.job_for(JobKind::Recommendation, which.uuid()).await.unwrap(), None);
    assert!(claim(store, 1, 0, 1).await.is_empty(), "it is of another family");
    let lease = claim_of(store, JobFamily::Decisions, 1, 0, 1).await[0];
    let moves = [made(ProposalStatus::Rejected)];
    let act = ProposalAct::of(&moves);
    credit(store).move_proposal(of, which, ProposalStatus::Pending, act).await.unwrap();
    assert_eq!(
        store.job_for(JobKind::Decision(LineOfBusiness::CreditLife), which.uuid()).await.unwrap(),
        None
    );
    assert!(!store.end_job(&lease).await.unwrap());
}
