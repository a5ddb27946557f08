//! Copies of a store, and a look at everything in one.
#![allow(missing_docs, unreachable_pub, dead_code, clippy::unwrap_used, reason = "a test binary")]

#[path = "contract/complaints.rs"]
mod complaints;
#[path = "contract/health_sample.rs"]
mod health_sample;
#[path = "contract/sample.rs"]
mod sample;
#[path = "contract/statements.rs"]
mod statements;
#[path = "contract/webhooks.rs"]
mod webhooks;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use domain::claim::ClaimDocument;
use domain::credit_life::{EmbeddedProposal, ProposalStatus};
use domain::date::Date;
use domain::event::EventType;
use domain::health_proposal::{HealthProposalStatus, ProposalOrigin};
use domain::id::{PartnerId, QuoteId, Uuid};
use domain::line::Line;
use domain::partner::{Partner, Sandbox};
use domain::policy::Policy;
use domain::proposal::{Actor, Move};
use domain::session::Session;
use domain::statement::{Month, Recipient, RowKey, Transaction};
use domain::text::FromText;
use domain::webhook::WantedEvents;
use health_sample::{
    answered, health_issue, health_proposal, imported_policy, imported_proposal, made, opened, proposed,
    records,
};
use rusqlite::Connection;
use sample::{
    deposit, draw, event_of, finished_event, health_quote, id, issue, later, now, outcomes, owed, proposal,
    quote, random, receipt, response, sqlite_in,
};
use service::catalogue::hash_of;
use service::keys::KeyPurpose;
use service::storage::calendars::CalendarMark;
use service::storage::claims::ClaimAct;
use service::storage::jobs::{Job, JobKind, Lease};
use service::storage::notices::Told;
use service::storage::policies::{Endorsed, PolicyAct, PolicyChanged};
use service::storage::request_log::{LoggedRequest, RequestBatch};
use service::storage::statements::{AnswerKept, MonthRun, RowAnswer};
use service::storage::{
    Calendars, Complaints, Deposits, EmbeddedQuotes, HealthQuotes, Installation, Jobs, Journeys, Keys,
    Notices, Partners, Policies, PremiumAct, Premiums, ProposalAct, Proposals, RequestLogs, Sessions,
    Statements, StatusPages, Storage, Webhooks,
};
use storage::sqlite::FILE;
use storage::sqlite::snapshot::{Snapshot, Unfit, Verified, files_of};
use storage::{Keyring, Sqlite};

const FILES: &[u8] = b"the files of a catalogue";

/// A store with something in every table.
async fn full(folder: &Path) -> Sqlite {
    let store = sqlite_in(folder);
    let catalogue = hash_of(FILES);
    store.keep_catalogue(catalogue, FILES, now()).await.unwrap();
    let partner = sample::partner();
    let of = partner.id;
    store.add_partner(&partner, &sample::secret(1)).await.unwrap();
    store.count_token(of, Uuid::from_u128(7), now(), 9).await.unwrap();
    store.remember(service::storage::Fact::BaseUrl, "https://cover.example").await.unwrap();

    let mut embedded = quote(of);
    embedded.catalogue = catalogue;
    store.keep_embedded_quote(&embedded, Some(&response(1, b"answer"))).await.unwrap();
    let lent = deposit(10_000_000);
    store.open_deposit(&lent, now()).await.unwrap();
    for status in [ProposalStatus::Completed, ProposalStatus::Pending] {
        let mut proposal = proposal(of, status);
        proposal.application.quoted.catalogue = catalogue;
        has_proposal(&store, &proposal).await;
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
                service::storage::jobs::JobFamily::Recommendations,
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
    let ping = event_of(hooks.id.uuid(), EventType::EndpointPing, now());
    store.ping((of, hooks.id), &ping).await.unwrap();

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
    let act = PolicyAct { moves: &moves, posting: Some(&refund), ..PolicyAct::default() };
    assert_eq!(store.change_policy(&cancelled, act).await.unwrap(), PolicyChanged::Done);
    claims_on(&store, &Policy { version: cancelled.version + 1, ..cancelled }).await;
    let day = 86_400_000_000;
    let brought = [imported_proposal(of, now()), imported_proposal(of, later(-day))];
    store.import_proposals(records(&brought)).await.unwrap();
    let mut brought = [imported_policy(of, now()), imported_policy(of, later(-30 * day))];
    // It was renewed before it came, and what follows it did not come.
    brought[1].state = domain::policy_state::PolicyState::Renewed;
    store.import_policies(records(&brought)).await.unwrap();
    store.end_status_page(of, accepted.id, now()).await.unwrap();
    has_statements(&store, of).await;
    tries(&store).await;
    let complaint = complaints::complaint(Some(id()), 15);
    store.keep_complaint(&complaint).await.unwrap();
    assert!(store.answer_complaint(&complaints::answered(&complaint)).await.unwrap());
    store
}

/// A test partner with a statement by its own clock, a calendar and requests.
async fn tries(store: &Sqlite) {
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

/// A closed month with a statement, whose only row is answered, and one that somebody began to close.
async fn has_statements(store: &Sqlite, of: PartnerId) {
    let (closed, begun) = (month("2026-11"), month("2026-12"));
    for (month, closes) in [(closed, true), (begun, false)] {
        let run = MonthRun { month, number: 7 };
        let number = format!("CS-{}-0001", month.number());
        let made = statements::statement(&number, month, Recipient::Partner(of));
        store.begin_month(run, now()).await.unwrap();
        assert!(store.add_statement_part(run, statements::part_of(&made), b"rows").await.unwrap());
        if closes {
            let (made, posting) = (std::slice::from_ref(&made), [statements::posting(of)]);
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

/// A policy with a claim and its paper, and an upload that broke off.
async fn claims_on<L: Line, S: Storage + Policies<L>>(store: &S, policy: &Policy<L>) {
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

#[tokio::test]
async fn a_store_that_was_sealed_anew_is_as_whole_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let store = full(folder.path()).await;
    let key = store.add_key(KeyPurpose::Data, [5; 32], now(), now(), 2).await.unwrap().unwrap();
    assert!(store.keys().await.unwrap().contains(&key));
    let renewed = store.reseal(&mut |_, _| {}).await.unwrap();
    assert_eq!((renewed.rows, renewed.unreadable), (renewed.changed, 0), "{:?}", renewed.listed);
    let copy = folder.path().join("copy.db");
    copied(folder.path(), &copy);
    let verified = verified(&copy, &folder.path().join("keyring"));
    assert_eq!(verified.faults, []);
}

/// Keeps a proposal with its move, and with its policy or its job.
async fn has_proposal(store: &Sqlite, proposal: &EmbeddedProposal) {
    let reason = Some(domain::person::PersonalLine::kept("आय".into()));
    let born = Move { at: now(), by: Actor::Operator, from: None, to: proposal.status, reason };
    let mut issue = issue(proposal);
    issue.policy.cover.catalogue = hash_of(FILES);
    let completed = proposal.status == ProposalStatus::Completed;
    let moves = [born];
    let (issue, ask_insurer) = (completed.then_some(&issue), (!completed).then(now));
    let owed = owed(proposal);
    let premium = match completed {
        true => PremiumAct::Draw(draw(proposal.premium.total())),
        false => PremiumAct::Owe(Box::new(owed.clone())),
    };
    let act = ProposalAct { issue, premium: Some(&premium), ask_insurer, ..ProposalAct::of(&moves) };
    store.keep_proposal(proposal, act).await.unwrap();
    if !completed {
        let receipt = receipt(proposal, owed.books.due);
        let received = event_of(proposal.id.uuid(), EventType::PremiumReceived, now());
        assert!(store.keep_receipts(&[(receipt, vec![received])]).await.unwrap()[0].is_new());
    }
}

/// A copy of a folder's store.
fn copied(from: &Path, to: &Path) {
    let copy = Snapshot::of_folder(from).unwrap().copy(to, &mut |_, _| {}).unwrap();
    copy.finish().unwrap();
}

fn verified(file: &Path, keyring: &Path) -> Verified {
    let keyring = Keyring::read(keyring).unwrap();
    Snapshot::of_file(file).unwrap().verify(&keyring, &mut |_, _| {}).unwrap()
}

fn faults(of: &Verified) -> Vec<String> {
    of.faults.iter().map(ToString::to_string).collect()
}

#[tokio::test]
async fn a_copy_is_one_whole_file_with_everything_in_it() {
    let here = tempfile::tempdir().unwrap();
    let _server = full(here.path()).await;
    let keyring = here.path().join("keyring");
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = elsewhere.path().join(FILE);
    copied(here.path(), &copy);
    let looked = verified(&copy, &keyring);
    assert_eq!(faults(&looked), [""; 0]);
    let rows: BTreeMap<&str, u64> = looked.tables.iter().copied().collect();
    // Every table that there is was looked at, and every row of it.
    let store = Connection::open(&copy).unwrap();
    let mut tables = store.prepare("select name from sqlite_schema where type = 'table'").unwrap();
    let names: Vec<String> = tables.query_map((), |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.len(), names.len(), "{rows:?} of {names:?}");
    for table in names {
        let count = format!("select count(*) from {table}");
        let count: i64 = store.query_row(&count, (), |row| row.get(0)).unwrap();
        assert!(count > 0, "{table} is empty: nothing is proved of it");
        assert_eq!(rows.get(table.as_str()).copied(), Some(count.unsigned_abs()), "{table}");
    }
    drop(tables);
    drop(store);
    let names: Vec<_> =
        fs::read_dir(elsewhere.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names, [FILE], "it needs no log, not even to be read");
    fs::copy(&keyring, elsewhere.path().join("keyring")).unwrap();
    assert_eq!(sqlite_in(elsewhere.path()).partners().await.unwrap().len(), 2);
}

#[test]
fn a_copy_is_of_one_moment_while_others_write() {
    let here = tempfile::tempdir().unwrap();
    drop(sqlite_in(here.path()));
    let other = Connection::open(here.path().join(FILE)).unwrap();
    let large =
        "insert into catalogues (hash, files, first_kept_at) values (randomblob(32), zeroblob(2000000), 0)";
    for _ in 0..16 {
        other.execute(large, ()).unwrap();
    }
    let snapshot = Snapshot::of_folder(here.path()).unwrap();
    let write = |number: u64| {
        other.execute("insert into tokens values (x'01', $1, x'02')", [number as i64]).unwrap();
        other.execute(large, ()).unwrap();
    };
    write(0);
    let copy = here.path().join("copy");
    let (mut written, mut before) = (0, 0);
    let made = snapshot.copy(&copy, &mut |done, all| {
        assert!(before < done && done <= all, "it begins anew: {done} after {before}");
        before = done;
        written += 1;
        write(written);
    });
    made.unwrap().finish().unwrap();
    assert!(written > 5, "it was copied in {written} steps");
    let copy = Connection::open(&copy).unwrap();
    let count = |table: &str| -> i64 {
        copy.query_row(&format!("select count(*) from {table}"), (), |row| row.get(0)).unwrap()
    };
    assert_eq!((count("tokens"), count("catalogues")), (0, 16));
}

#[test]
fn a_copy_that_is_given_up_leaves_nothing() {
    let here = tempfile::tempdir().unwrap();
    drop(sqlite_in(here.path()));
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = elsewhere.path().join("copy");
    let snapshot = Snapshot::of_folder(here.path()).unwrap();
    drop(snapshot.copy(&copy, &mut |_, _| {}).unwrap());
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    fs::write(&copy, "another's").unwrap();
    snapshot.copy(&copy, &mut |_, _| {}).unwrap().finish().unwrap_err();
    assert_eq!(fs::read(&copy).unwrap(), b"another's");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn a_file_with_its_log_beside_it_is_whole() {
    let here = tempfile::tempdir().unwrap();
    let store = full(here.path()).await;
    let elsewhere = tempfile::tempdir().unwrap();
    // As somebody copied it by hand after a kill: the newest writes are in the log alone.
    for end in ["", "-wal"] {
        let name = format!("{FILE}{end}");
        fs::copy(here.path().join(&name), elsewhere.path().join(name)).unwrap();
    }
    drop(store);
    let looked = verified(&elsewhere.path().join(FILE), &here.path().join("keyring"));
    assert_eq!(faults(&looked), [""; 0]);
    assert!(looked.tables.contains(&("proposals", 5)), "{:?}", looked.tables);
}

#[test]
fn a_copy_that_says_it_has_a_log_is_read_without_making_one() {
    let here = tempfile::tempdir().unwrap();
    let store = sqlite_in(here.path());
    futures_util::future::FutureExt::now_or_never(store.close());
    drop(store);
    let elsewhere = tempfile::tempdir().unwrap();
    // A name that means something else in an address.
    let file = elsewhere.path().join("50% #1?.db");
    let other = Connection::open(here.path().join(FILE)).unwrap();
    other.backup("main", &file, None::<fn(_)>).unwrap();
    assert_eq!(fs::read(&file).unwrap()[18], 2);
    Snapshot::of_file(&file).unwrap();
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
}

#[test]
fn what_is_no_store_of_ours_is_told_apart() {
    let here = tempfile::tempdir().unwrap();
    let path = here.path().join("file");
    let refused = |why: &str| match Snapshot::of_file(&path) {
        Err(Unfit::NoStore(told)) => assert!(told.contains(why), "{told}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("taken"),
    };
    for text in ["", "no database, but a text that is longer than the head of one would be in its first page"]
    {
        fs::write(&path, text.repeat(20)).unwrap();
        refused("no covernote store");
    }
    fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("create table migrations (number)").unwrap();
    refused("no covernote store");
}

#[test]
fn a_store_of_a_newer_program_and_another_keyring_are_refused() {
    let here = tempfile::tempdir().unwrap();
    drop(sqlite_in(here.path()));
    let other = here.path().join("other");
    struct Nines;
    impl service::clock::Random for Nines {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(9);
        }
    }
    let other = Keyring::read_or_make(&other, &Nines).unwrap();
    let snapshot = Snapshot::of_folder(here.path()).unwrap();
    assert!(matches!(snapshot.opens_with(&other), Err(Unfit::Keyring(_))));
    drop(snapshot);
    let newer = "insert into migrations (number, name, applied_at) values (999, 'newer', 0)";
    Connection::open(here.path().join(FILE)).unwrap().execute(newer, ()).unwrap();
    assert!(matches!(Snapshot::of_folder(here.path()), Err(Unfit::Newer { found: 999, .. })));
}

/// Flips a byte of a blob, so that it still is one and of the same length.
fn flipped(column: &str) -> String {
    format!(
        "cast(substr({column}, 1, 40) || case substr({column}, 41, 1) when x'00' then x'01' else x'00' end \
         || substr({column}, 42) as blob)"
    )
}

#[tokio::test]
async fn every_kind_of_fault_is_found_and_named() {
    let here = tempfile::tempdir().unwrap();
    drop(full(here.path()).await);
    let (whole, keyring) = (here.path().join("whole"), here.path().join("keyring"));
    copied(here.path(), &whole);
    let closed = "a sealed body does not open";
    let sealed = [
        ("embedded_quotes", "body", "embedded_quotes quo_"),
        ("proposals", "body", "proposals pro_"),
        ("moves", "reason", "moves pro_"),
        ("proposals", "reason", "proposals pro_"),
        ("policy_moves", "reason", "policy_moves pol_"),
        ("policies", "body", "policies pol_"),
        ("policies", "certificate", "policies pol_"),
        ("kept_responses", "body", "kept_responses 0101"),
        ("health_quotes", "body", "health_quotes quo_"),
        ("health_quotes", "outcome", "health_quotes quo_"),
        ("health_outcomes", "body", "health_outcomes quo_"),
        ("sessions", "body", "sessions ses_"),
        ("journeys", "body", "journeys 0192f3a1-"),
        ("premiums", "proof", "premiums pro_"),
        ("tags", "named", "tags "),
        ("claims", "body", "claims clm_"),
        ("claim_moves", "reason", "claim_moves clm_"),
        ("claim_papers", "body", "claim_papers doc_"),
        ("claim_parts", "body", "claim_papers doc_"),
    ];
    let sealed = sealed.map(|(table, column, record)| {
        let flip = flipped(column);
        (format!("update {table} set {column} = {flip} where {column} is not null"), record, closed)
    });
    let others = [
        ("update catalogues set files = x'00'", "catalogues ", "not those that it was named by"),
        ("delete from catalogues", " ", "is not in the store"),
        ("delete from policies where line = 1", "proposals pro_", "COMPLETED and has no policy"),
        ("delete from policies where line = 2", "proposals pro_", "ACCEPTED and has no policy"),
        ("update proposals set status = 3 where status = 2", "proposals pro_", closed),
        ("update proposals set status = 0 where status = 1", "proposals pro_", closed),
        ("update proposals set status = 99 where status = 1", "proposals pro_", "a newer program wrote this"),
        ("update proposals set line = 99", "proposals pro_", "a column does not read"),
        ("delete from moves", "proposals pro_", "its last move led elsewhere, or it has none"),
        ("delete from proposals where status = 2", "policies pol_", "not there, or not COMPLETED"),
        ("delete from proposals where status = 5", "policies pol_", "not there, or not ACCEPTED"),
        ("delete from proposals where status = 1", "jobs 0192f3a1-", "decision: what it is for is not there"),
        ("delete from proposals where status = 1", "moves pro_", "a move of a proposal that is not there"),
        ("update moves set line = 2 where line = 1", "moves pro_", "or of another line"),
        (
            "update policies set policy_id = x'00112233445566778899aabbccddeeff' where line = 1",
            "pol_",
            closed,
        ),
        ("update policies set state = 1 where state = 3", "policies pol_", closed),
        ("delete from claims", "policies pol_", "it has other claims than it says"),
        ("delete from claims", "claim_papers doc_", "it is of a claim that is not there"),
        ("delete from claims", "claim_moves clm_", "it is a move of a claim that is not there"),
        ("delete from claim_moves", "claims clm_", "its last move led elsewhere, or it has none"),
        ("update claims set state = 2", "claims clm_", closed),
        ("delete from claim_papers", "claims clm_", "its papers have another size than it says"),
        ("delete from claim_papers", "claim_parts doc_", "it is a part of a paper that is not there"),
        (
            "delete from claim_parts where number = 1",
            "claim_papers doc_",
            "its parts are not the bytes that came",
        ),
        ("update claim_papers set is_whole = 0", "claim_papers doc_", closed),
        ("delete from policies where state = 3", "claims clm_", "it is on a policy that is not there"),
        ("delete from tags", "proposals pro_", "it is not found by its mobile"),
        ("update events set type = 1", "events evt_", closed),
        ("update events set sequence = sequence + 1", "event_counts ", "not counted without a gap"),
        ("update tags set tag = randomblob(16)", "tags ", "no key makes it of what is sealed beside it"),
        ("delete from proposals where status = 1", "tags ", "it is of a record that is not there"),
        ("delete from policy_moves", "policies pol_", "its last move led elsewhere, or it has none"),
        ("delete from policies where state = 3", "policy_moves pol_", "a move of a policy that is not there"),
        ("delete from ledger where entry = 10", "policies pol_", "something else of the refund that is owed"),
        ("delete from ledger where entry = 10", "policies pol_", "something else of what comes back"),
        (
            "update ledger set amount = amount * 2 where entry = 10",
            "policies pol_",
            "something else of the refund that is owed",
        ),
        ("update policies set certificate = null", "policies pol_", "it has no certificate"),
        ("delete from jobs where kind = 0", "health_quotes quo_", "not finished and no job works on it"),
        ("delete from health_quotes where outcome is null", "health_outcomes quo_", "its quote is not there"),
        (
            "delete from health_quotes where outcome is null",
            "jobs 0192f3a1-",
            "recommendation: what it is for",
        ),
        (
            "update day_counts set number = number + 1 where kind = 0",
            "day_counts par_",
            "3 health quotes are counted, 2 are there",
        ),
        (
            "delete from day_counts where kind = 12 and day = 20261120",
            "20261120",
            "0 health policies are counted, 2 are there",
        ),
        (
            "insert into day_counts select partner_id, 0, 20200101, 4 from day_counts limit 1",
            "20200101",
            "4 health quotes are counted, 0 are there",
        ),
        (
            "delete from session_counts where kind = 0",
            "session_counts ses_",
            "0 health quotes are counted, 2 are there",
        ),
        ("update premiums set received = received + 1", "premiums pro_", closed),
        ("delete from ledger where entry = 3", "premiums pro_", "the ledger says something else"),
        ("delete from ledger where entry = 2", "policies pol_", "the ledger does not have its premium"),
        ("update ledger set amount = 1 where entry = 2", "deposits deposit", "something else of its balance"),
        ("update deposits set balance = balance + 1", "deposits deposit", "something else of its balance"),
        ("update receipts set amount = amount + 1", "receipts UTR-1", "its lines are not all of it"),
        ("delete from receipts", "receipt_lines UTR-1", "its receipt is not there"),
        ("update partners set created_at = 9223372036854775807", "partners", "out of range"),
        ("update partners set scopes = 'business'", "partners", "changed without the keyring"),
        ("update secrets set number = number + 1", "secrets", "changed without the keyring"),
        (
            "pragma foreign_keys = off; delete from partners",
            "the database",
            "a row of secrets belongs to none of partners",
        ),
    ];
    let others = others.map(|(damage, record, what)| (damage.to_owned(), record, what));
    for (damage, record, what) in sealed.into_iter().chain(others) {
        let damaged = here.path().join("damaged");
        fs::copy(&whole, &damaged).unwrap();
        let store = Connection::open(&damaged).unwrap();
        store.execute_batch(&format!("pragma foreign_keys = off; {damage}")).expect(&damage);
        assert!(store.changes() > 0, "{damage}");
        drop(store);
        let faults = faults(&verified(&damaged, &keyring));
        let found = faults.iter().any(|fault| fault.contains(record) && fault.contains(what));
        assert!(found, "{damage}: {record}: {what}: {faults:#?}");
    }
}

#[tokio::test]
async fn a_damaged_page_is_a_fault_and_the_rest_is_looked_at() {
    let here = tempfile::tempdir().unwrap();
    let store = full(here.path()).await;
    let of = id();
    for _ in 0..400 {
        store.keep_embedded_quote(&quote(of), None).await.unwrap();
    }
    let copy = here.path().join("copy");
    copied(here.path(), &copy);
    let pages = Connection::open(&copy).unwrap();
    let root: i64 = pages
        .query_row("select rootpage from sqlite_schema where name = 'embedded_quotes'", (), |row| row.get(0))
        .unwrap();
    drop(pages);
    let mut bytes = fs::read(&copy).unwrap();
    let page = (root as usize - 1) * 4096;
    bytes[page..page + 4096].fill(0xa5);
    fs::write(&copy, bytes).unwrap();
    let looked = verified(&copy, &here.path().join("keyring"));
    let faults = faults(&looked);
    assert!(faults[0].starts_with("the database: "), "{faults:#?}");
    assert!(
        faults.iter().any(|fault| fault.starts_with("embedded_quotes: it cannot be read")),
        "{faults:#?}"
    );
    assert!(looked.tables.contains(&("proposals", 5)), "{:?}", looked.tables);
}

#[tokio::test]
async fn a_hundred_faults_are_told_and_of_more_their_number() {
    let here = tempfile::tempdir().unwrap();
    let store = sqlite_in(here.path());
    let of = id();
    for _ in 0..130 {
        store.keep_embedded_quote(&quote(of), None).await.unwrap();
    }
    let copy = here.path().join("copy");
    copied(here.path(), &copy);
    let damage = format!("update embedded_quotes set body = {}", flipped("body"));
    Connection::open(&copy).unwrap().execute(&damage, ()).unwrap();
    let looked = verified(&copy, &here.path().join("keyring"));
    assert_eq!((looked.faults.len(), looked.untold, looked.all_faults()), (100, 30, 130));
    let named: Vec<QuoteId> = looked
        .faults
        .iter()
        .map(|fault| fault.record.strip_prefix("embedded_quotes ").unwrap().parse().unwrap())
        .collect();
    assert_eq!(named.len(), 100);
}

#[test]
fn a_store_of_an_older_version_is_looked_at_as_it_was() {
    let here = tempfile::tempdir().unwrap();
    let path = here.path().join("old");
    let store = Connection::open(&path).unwrap();
    store.execute_batch(include_str!("../sql/migrations/make_table.sqlite.sql")).unwrap();
    store.execute_batch(include_str!("../migrations/sqlite/0001_store.sql")).unwrap();
    store.execute("insert into migrations values (1, 'store', 0)", ()).unwrap();
    drop(store);
    let keyring = here.path().join("keyring");
    Keyring::read_or_make(&keyring, random().as_ref()).unwrap();
    let looked = verified(&path, &keyring);
    assert_eq!(faults(&looked), [""; 0]);
    assert!(looked.tables.contains(&("policies", 0)), "{:?}", looked.tables);
}

#[test]
fn a_copy_takes_no_log_that_was_left_behind_for_its_own() {
    let (here, spare) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    drop(sqlite_in(here.path()));
    let file = spare.path().join(FILE);
    let snapshot = Snapshot::of_folder(here.path()).unwrap();
    let made = snapshot.copy(&file, &mut |_, _| {}).unwrap();
    let log = files_of(&file).find(|file| file.to_string_lossy().ends_with("-wal")).unwrap();
    fs::write(&log, "another's").unwrap();
    let refused = made.finish_as_store(spare.path(), None).unwrap_err().to_string();
    assert!(refused.contains("-wal is there meanwhile"), "{refused}");
    assert!(!file.exists());
    fs::rename(log, spare.path().join(format!("{FILE}-journal"))).unwrap();
    copied(here.path(), &file);
    assert!(matches!(Snapshot::of_file(&file), Err(Unfit::NoStore(_))));
}
