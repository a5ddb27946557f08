//! A store with a row in every table.

use super::{complaints, personal_data, sample, statements, team, webhooks};

use super::health_sample::{
    answered, health_issue, health_proposal, imported_policy, imported_proposal, made, opened, proposed,
    records,
};
use super::sample::{
    deposit, draw, event_of, finished_event, health_quote, id, issue, later, now, outcomes, owed, proposal,
    quote, receipt, response,
};
use domain::claim::ClaimDocument;
use domain::credit_life::{EmbeddedProposal, ProposalStatus};
use domain::date::Date;
use domain::event::EventType;
use domain::health_proposal::{ConsentPurpose, HealthProposalStatus, ProposalOrigin};
use domain::id::{PartnerId, Uuid};
use domain::money::Rupees;
use domain::partner::{Partner, Sandbox};
use domain::policy::{Cover, Policy};
use domain::premium::{Account, Entry, PaymentReference, Posting};
use domain::proposal::{Actor, Move};
use domain::quote::CatalogueHash;
use domain::refund::RefundPayment;
use domain::session::Session;
use domain::statement::{Month, Recipient, RowKey, StatementKind, Transaction};
use domain::text::FromText;
use domain::webhook::WantedEvents;
use ports::storage::calendars::CalendarMark;
use ports::storage::claims::ClaimAct;
use ports::storage::jobs::{Job, JobKind, Lease};
use ports::storage::notices::Told;
use ports::storage::personal_data::{Removed, RemovedKind};
use ports::storage::policies::{Endorsed, NotedPayment, PolicyAct, PolicyChanged, PolicyPosting};
use ports::storage::request_log::{LoggedRequest, RequestBatch};
use ports::storage::statements::{AnswerKept, CommissionPosting, MonthRun, RowAnswer};
use ports::storage::{PremiumAct, ProposalAct, SaleCount, Storage};

const FILES: &[u8] = b"the files of a catalogue";

/// Hash of the catalogue that consists of [`FILES`].
fn catalogue() -> CatalogueHash {
    let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, FILES);
    CatalogueHash(hash.as_ref().try_into().unwrap())
}

/// Fills a store with a row in every table.
pub async fn full<S: Storage>(store: &S) {
    let catalogue = catalogue();
    store.keep_catalogue(catalogue, FILES, now()).await.unwrap();
    let partner = sample::partner();
    let of = partner.id;
    store.add_partner(&partner, &sample::secret(1)).await.unwrap();
    store.count_token(of, now(), 9).await.unwrap();
    store.remember(ports::storage::Fact::BaseUrl, "https://cover.example").await.unwrap();

    let operator = team::operator();
    store
        .keep_operator(&operator, "operator.invite", Some(&team::secret(Some(operator.id), 1)))
        .await
        .unwrap();

    store.keep_approval(&team::approval()).await.unwrap();
    store.keep_work_item(&team::work_item(operator.id), "waiting.take").await.unwrap();

    let mut embedded = quote(of);
    embedded.catalogue = catalogue;
    store.keep_embedded_quote(&embedded, Some(&response(1, b"answer"))).await.unwrap();
    let lent = deposit(10_000_000);
    store.open_deposit(&lent, now()).await.unwrap();
    for status in [ProposalStatus::Completed, ProposalStatus::Pending] {
        let mut proposal = proposal(of, status);
        proposal.application.quoted.catalogue = catalogue;
        has_proposal(store, &proposal).await;
    }

    let session =
        Session { id: id(), partner: of, created_at: now(), metadata: [("a".into(), "b".into())].into() };
    store.keep_session(&session, None).await.unwrap();
    for (number, finished) in [(1, true), (2, false)] {
        let mut asked = health_quote(of);
        asked.catalogue = catalogue;
        asked.request.session = Some(session.id);
        asked.created_at = later(number * 1_000_000);
        store.keep_health_quote(&asked, None).await.unwrap();
        let lease = store
            .claim_jobs(
                ports::storage::jobs::JobFamily::Recommendations,
                Uuid::from_u128(1),
                later(9_000_000),
                later(10_000_000),
                9,
            )
            .await
            .unwrap();
        let lease = lease.into_iter().find(|lease| lease.job.subject == asked.id.uuid()).unwrap();
        assert!(store.keep_outcomes(&lease, 1, &outcomes()[1]).await.unwrap());
        if finished {
            for (ask, came) in asked.asks.iter_mut().zip(outcomes()) {
                ask.outcomes = Some(came);
            }
            asked.ranking = Some(vec![0]);
            assert!(store.finish_health_quote(&lease, &asked, &finished_event(&asked)).await.unwrap());
        }
    }

    let hooks = webhooks::endpoint(of, WantedEvents::All);
    assert!(store.add_endpoint(&hooks, 10).await.unwrap());
    for _ in 0..3 {
        let ping = event_of(hooks.id.uuid(), EventType::EndpointPing, now());
        store.ping((of, hooks.id), &ping).await.unwrap();
    }

    let journey = opened(of);
    assert!(store.open_journey(&journey, None).await.unwrap());
    let journey = answered(&journey);
    assert!(store.change_journey(&journey).await.unwrap());
    let mut accepted = health_proposal(&journey, HealthProposalStatus::Accepted);
    if let ProposalOrigin::Journey(made) = &mut accepted.application.origin {
        made.chosen.catalogue = catalogue;
    }
    let policy = health_issue(&accepted);
    let (moves, journey) = ([made(None, HealthProposalStatus::Accepted)], proposed(&journey, &accepted));
    let draw = PremiumAct::Draw(draw(accepted.premium.total()));
    let premium = Some(&draw);
    let act =
        ProposalAct { issue: Some(&policy), premium, journey: Some(&journey), ..ProposalAct::of(&moves) };
    store.keep_proposal(&accepted, act).await.unwrap();
    let endorsed = sample::endorsed(&policy.policy, later(50));
    let act = PolicyAct {
        endorsed: Some(Endorsed { certificate: b"%PDF-second", at: later(50) }),
        ..PolicyAct::default()
    };
    assert_eq!(store.change_policy(&endorsed, act).await.unwrap(), PolicyChanged::Done);
    let job = Job { kind: JobKind::Notice, of, subject: endorsed.id.uuid() };
    let lease = Lease { job, owner: Uuid::from_u128(1), attempt: 1, faults: 0, step: 0 };
    assert!(!store.keep_told(&lease, Told { issued: true, ..Told::default() }).await.unwrap());
    let (cancelled, moves) = sample::cancelled(&Policy { version: endorsed.version + 1, ..endorsed });
    let refund = sample::owes(&policy.policy);
    let postings = std::slice::from_ref(&refund);
    let act = PolicyAct { moves: &moves, postings, ..PolicyAct::default() };
    assert_eq!(store.change_policy(&cancelled, act).await.unwrap(), PolicyChanged::Done);
    claims_on(store, &Policy { version: cancelled.version + 1, ..cancelled }).await;
    has_paid_refund(store, of).await;
    let day = 86_400_000_000;
    let brought = [imported_proposal(of, now()), imported_proposal(of, later(-day))];
    store.import_proposals(records(&brought)).await.unwrap();
    let mut brought = [imported_policy(of, now()), imported_policy(of, later(-30 * day))];
    // Renewed before its import. The renewal was not imported.
    brought[1].state = domain::policy_state::PolicyState::Renewed;
    store.import_policies(records(&brought)).await.unwrap();
    store.end_status_page(of, accepted.id, now()).await.unwrap();
    has_statements(store, of).await;
    tries(store).await;
    let complaint = complaints::complaint(Some(id()), 15);
    store.keep_complaint(&complaint).await.unwrap();
    assert!(store.answer_complaint(&complaints::answered(&complaint)).await.unwrap());
    let held = cancelled.id;
    assert!(store.hold(&personal_data::hold(held)).await.unwrap());
    assert!(store.withdraw_consent(of, accepted.id, ConsentPurpose::Messages, now()).await.unwrap());
    let draft = proposal(of, ProposalStatus::Draft);
    store.keep_proposal(&draft, ProposalAct::of(&[])).await.unwrap();
    let erased = Removed { kind: RemovedKind::UnsoldProposal, of, id: draft.id.uuid() };
    let erased = personal_data::erasure(&[erased]);
    assert!(store.erase(&erased).await.unwrap());
}

/// Test partner with a statement by its own clock, a calendar and requests.
async fn tries<S: Storage>(store: &S) {
    let tried = Partner { sandbox: Some(Sandbox::default()), ..sample::partner() };
    store.add_partner(&tried, &sample::secret(1)).await.unwrap();
    let made = statements::statement("TEST-CS-202709-1", month("2027-09"), Recipient::Partner(tried.id));
    let ready = event_of(made.id.uuid(), EventType::StatementReady, now());
    let parts = [(statements::part_of(&made), b"rows".to_vec())];
    assert!(store.add_test_statement(&made, &parts, (tried.id, ready)).await.unwrap());
    let mark = CalendarMark { day: Date::constant(2027, 10, 1), step: None, assortment: None, version: 1 };
    store.begin_calendar(tried.id, &mark).await.unwrap();
    let request = LoggedRequest {
        at: now(),
        method: "GET".into(),
        route: "/v1/events".into(),
        status: 404,
        code: Some("R4040".into()),
        micros: 250,
        id: Uuid::from_u128(7),
    };
    let batch = RequestBatch { partner: tried.id, id: Uuid::from_u128(9), requests: vec![request] };
    store.log_requests(&[batch]).await.unwrap();
}

/// Adds two months: a closed one whose statement has its only row answered, and one that is being closed.
async fn has_statements<S: Storage>(store: &S, of: PartnerId) {
    let (closed, begun) = (month("2026-11"), month("2026-12"));
    for (month, closes) in [(closed, true), (begun, false)] {
        let run = MonthRun { month, number: 7 };
        let number = format!("CS-{}-0001", month.number());
        let mut made = statements::statement(&number, month, Recipient::Insurer(id()));
        // A premium bordereau would have to agree with the ledger.
        made.kind = StatementKind::Claims;
        store.begin_month(run, now()).await.unwrap();
        assert!(store.add_statement_part(run, statements::part_of(&made), b"rows").await.unwrap());
        if closes {
            let posting = CommissionPosting { reference: number, ..statements::posting(of) };
            let (made, posting) = (std::slice::from_ref(&made), [posting]);
            assert!(store.close_month(run, statements::RATES, made, &posting, &[], now()).await.unwrap());
            let key = RowKey { policy: id(), transaction: Transaction::New, nth: 0 };
            let reason = Some("age".to_owned());
            let answer = RowAnswer { key, accepted: false, number: None, reason };
            let kept = store.keep_answer(made[0].id, &[answer], &[], now()).await.unwrap();
            assert_eq!(kept, AnswerKept::Done);
        }
    }
}

fn month(text: &str) -> Month {
    Month::from_text(text).unwrap()
}

/// Adds a cancelled policy whose refund is paid.
async fn has_paid_refund<S: Storage>(store: &S, of: PartnerId) {
    let mut sold = proposal(of, ProposalStatus::Completed);
    sold.application.quoted.catalogue = catalogue();
    has_proposal(store, &sold).await;
    let policy = store.policy_of(of, sold.id).await.unwrap().unwrap();
    let (mut cancelled, moves) = sample::cancelled(&policy);
    let reference = PaymentReference::from_text("UTR-9").unwrap();
    let refund = &mut cancelled.cancellation.as_mut().unwrap().refund;
    let paid_on = Date::constant(2026, 11, 25);
    refund.paid = Some(RefundPayment { reference: reference.clone(), paid_on, interest: Rupees::ZERO });
    let owes = sample::owes(&policy);
    let (debit, credit) = (Account::PolicyRefund, Account::WithInsurer);
    let posting = Posting { entry: Entry::RefundPaid, debit, credit, ..owes.posting };
    let pays = PolicyPosting { posting, ..owes.clone() };
    let paid_for = policy.id.to_string();
    let payment = Some(NotedPayment { reference: &reference, paid_for: &paid_for, part: None });
    let act = PolicyAct { moves: &moves, postings: &[owes, pays], payment, ..PolicyAct::default() };
    assert_eq!(store.change_policy(&cancelled, act).await.unwrap(), PolicyChanged::Done);
}

/// Adds to a policy a claim with a paper, and an upload that was interrupted.
async fn claims_on(store: &dyn Storage, policy: &Policy) {
    let made = sample::claim(policy);
    let moves = sample::noticed(&made);
    let act = PolicyAct {
        claim: Some(ClaimAct { claim: &made, is_new: true, moves: &moves }),
        ..PolicyAct::default()
    };
    let claimed = Policy { claims: vec![made.id], ..policy.clone() };
    assert_eq!(store.change_policy(&claimed, act).await.unwrap(), PolicyChanged::Done);
    let bytes = b"%PDF-1.7 a paper";
    assert!(sample::has_paper(store, policy.partner, &sample::paper(&made, bytes), bytes).await);
    store
        .begin_paper(policy.partner, &ClaimDocument { bytes: 0, ..sample::paper(&made, b"") })
        .await
        .unwrap();
}

/// Writes a proposal with its move, and with its policy or its job.
async fn has_proposal<S: Storage>(store: &S, proposal: &EmbeddedProposal) {
    let reason = Some(domain::person::PersonalLine::kept("आय".into()));
    let born = Move { at: now(), by: Actor::Operator, from: None, to: proposal.status, reason };
    let mut issue = issue(proposal);
    if let Cover::CreditLife(cover) = &mut issue.policy.cover {
        cover.catalogue = catalogue();
    }
    let completed = proposal.status == ProposalStatus::Completed;
    let moves = [born];
    let (issue, ask_insurer) = (completed.then_some(&issue), (!completed).then(now));
    let owed = owed(proposal);
    let premium = match completed {
        true => PremiumAct::Draw(draw(proposal.premium.total())),
        false => PremiumAct::Owe(Box::new(owed.clone())),
    };
    let bucket = u16::from(proposal.id.uuid().as_bytes()[15]);
    let sales: Vec<SaleCount> = issue.iter().map(|_| SaleCount { bucket, sales: 0 }).collect();
    let with = ProposalAct { sales: &sales, ..ProposalAct::of(&moves) };
    let act = ProposalAct { issue, premium: Some(&premium), ask_insurer, ..with };
    store.keep_proposal(proposal, act).await.unwrap();
    if !completed {
        let receipt = receipt(proposal, owed.books.due);
        let received = event_of(proposal.id.uuid(), EventType::PremiumReceived, now());
        assert!(store.keep_receipts(&[(receipt, vec![received])]).await.unwrap()[0].is_new());
    }
}
