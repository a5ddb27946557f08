//! The checker, which compares every record of the journal with every record of the store.
//!
//! Over HTTP, from a fresh server, it reads statuses, certificates, finished recommendations, lists with
//! their counts, and stored responses. From the store it reads what HTTP does not show: quotes, sessions,
//! histories, and records that no client knows.

use domain::policy::Policy;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use covernote::wiring::SystemClock;
use domain::claim::Claim;
use domain::credit_life::{CreditLife, EmbeddedProposal, ProposalStatus};
use domain::date::day_of;
use domain::event::{EventFamily, EventType};
use domain::id::{ClaimId, Id, Kind, PartnerId, PolicyId, ProposalId, QuoteId, SessionId, Uuid};
use domain::money::Rupees;
use domain::policy_state::PolicyState;
use domain::premium::{Account, Entry};
use rustix::process::Signal;
use serde_json::Value;
use service::clock::Clock;
use service::storage::jobs::JobKind;
use service::storage::{EventQuery, Policies, Proposals};

use crate::http::{Answer, Connection, Request};
use crate::journal::{Acknowledged, Asked, Claimed, Journal, Proposed, Received, Recommended, Written};
use crate::load::{CLAIMS, LABEL, POLICIES, PROPOSAL, RECOMMENDATION, paper_of};
use crate::site::{Site, Store, address};

/// Number of concurrent readers.
const READERS: usize = 4;

/// Time after which an unfinished job is a fault.
const JOBS: Duration = Duration::from_secs(120);

/// A mark after every acknowledgement, so that all of them count.
pub const ALL: u64 = u64::MAX;

/// Faults that several concurrent readers record.
#[derive(Default)]
struct Faults(Mutex<Vec<String>>);

impl Faults {
    fn note(&self, fault: String) {
        self.0.lock().expect("unpoisoned").push(fault);
    }

    fn is_none(&self) -> bool {
        self.0.lock().expect("unpoisoned").is_empty()
    }

    #[track_caller]
    fn are_none(self) {
        assert!(self.is_none(), "{self}");
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults = self.0.lock().expect("unpoisoned");
        let some: Vec<&String> = faults.iter().take(20).collect();
        write!(f, "{} faults: {some:#?}", faults.len())
    }
}

/// Checks a journal against a fresh server of the site, then against its store. Also checks that there was no
/// forbidden answer before.
#[track_caller]
pub fn check(site: &mut Site, journal: &Journal) {
    check_answers(site, journal);
    let store = site.store();
    let faults = Faults::default();
    for fault in in_store(&store, site.partner(), journal, ALL) {
        faults.note(fault);
    }
    let left = store.wait(store.storage.count_jobs()).expect("readable");
    if left.iter().any(|(_, jobs)| *jobs > 0) {
        faults.note(format!("jobs are left behind: {left:?}"));
    }
    faults.are_none();
}

/// Checks a journal against a fresh server of the site. Also checks that there was no forbidden answer before.
#[track_caller]
pub fn check_answers(site: &mut Site, journal: &Journal) {
    journal.has_no_faults();
    let mut server = site.server();
    let token = site.token(&server);
    let faults = over_http(address(&server), &token, journal);
    // An answer says little about its cause. The server's log says more.
    assert!(faults.is_none(), "{faults}\nThe server of the check said: {:#?}", server.logged());
    server.signal(Signal::TERM);
    assert_eq!(server.child.wait().expect("it stops").code(), Some(0));
}

/// Checks a journal against a server.
fn over_http(server: std::net::SocketAddr, token: &str, journal: &Journal) -> Faults {
    let faults = Faults::default();
    let get = |connection: &mut Connection, path: &str| -> Answer {
        connection.ask(server, Some(token), &Request::get(path)).expect("an answer")
    };
    let numbers = Mutex::new(BTreeSet::new());
    each(&journal.proposals, |connection, proposed: &Proposed| {
        let Some(Acknowledged { id, .. }) = &proposed.written.acknowledged else { return };
        let answer = get(connection, &format!("{PROPOSAL}/{id}/status"));
        if answer.status != 200 {
            return faults.note(format!("proposal {id} is lost: {}", answer.text()));
        }
        let found = &answer.json()["payload"];
        let status = ProposalStatus::ALL
            .iter()
            .find(|status| found["status"] == status.word())
            .unwrap_or_else(|| panic!("no status: {found}"));
        if !may_stand(proposed, *status, ALL) {
            faults.note(format!("proposal {id} is {found}"));
        }
        match (found["policy_url"].as_str(), *status) {
            (Some(url), ProposalStatus::Completed) => {
                let path = url.strip_prefix("http://covernote.example").expect("the base address");
                let policy = get(connection, path);
                if policy.status != 200 || !policy.body.starts_with(b"%PDF") {
                    return faults.note(format!("the certificate of {id} is lost: {}", policy.status));
                }
                let name = policy.header("content-disposition").expect("a name").to_owned();
                if !numbers.lock().expect("unpoisoned").insert(name.clone()) {
                    faults.note(format!("two policies have {name}"));
                }
            }
            (None, status) if status != ProposalStatus::Completed => {}
            _ => faults.note(format!("proposal {id} is half there: {found}")),
        }
    });

    each(&journal.claims, |connection, claimed: &Claimed| {
        let Some(Acknowledged { id, .. }) = &claimed.written.acknowledged else { return };
        let Some(Acknowledged { id: paper, .. }) = &claimed.paper else { return };
        // The connection of a paper with missing bytes breaks.
        let request = Request::get(format!("{CLAIMS}/{id}/documents/{paper}"));
        match connection.ask(server, Some(token), &request) {
            Ok(answer) if answer.text() == paper_of(&claimed.written.label) => {}
            Ok(answer) => {
                let (status, bytes) = (answer.status, answer.body.len());
                faults.note(format!("the paper {paper} of {id} is lost: {status}, {bytes} bytes"));
            }
            Err(how) => faults.note(format!("the paper {paper} of {id} is lost: {how:?}")),
        }
    });
    each(&journal.cancellations, |connection, cancelled: &Asked| {
        let answer = get(connection, &format!("{POLICIES}/{}", cancelled.policy));
        let found = &answer.json()["payload"]["status"];
        if cancelled.mark.is_some() && found != PolicyState::Cancelled.word() {
            faults.note(format!("the cancellation of {} is lost: {found}", cancelled.policy));
        }
    });

    let started = Instant::now();
    each(&journal.recommendations, |connection, Recommended { written, .. }| {
        let Some(Acknowledged { id, .. }) = &written.acknowledged else { return };
        loop {
            let answer = get(connection, &format!("{RECOMMENDATION}/{id}"));
            if answer.status != 200 {
                return faults.note(format!("recommendation {id} is lost: {}", answer.text()));
            }
            let found = &answer.json()["payload"];
            if found["status"] == "success" {
                if found["completed_variants"] != found["total_variants"] || !has_each_variant_once(found) {
                    faults.note(format!("recommendation {id} is half there: {found}"));
                }
                return;
            }
            if started.elapsed() > JOBS {
                return faults.note(format!("recommendation {id} never succeeds"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    });

    // The list of the day, or of two days around midnight, must have each of them once.
    let mut connection = Connection::default();
    let today = day_of(SystemClock.now());
    let labels = walked(&mut connection, server, token, &format!("end_date={today}"), &faults);
    let asked: BTreeMap<&str, &Written> =
        journal.recommendations.iter().map(|one| (one.written.label.as_str(), &one.written)).collect();
    for (id, label) in &labels {
        match asked.get(label.as_str()) {
            None => faults.note(format!("{id} was asked for by nobody: {label}")),
            Some(Written { acknowledged: Some(acknowledged), .. }) if acknowledged.id != *id => {
                faults.note(format!("{label} is there twice: {id} and {}", acknowledged.id));
            }
            Some(_) => {}
        }
    }
    are_single(labels.iter().map(|(_, label)| label.as_str()), "health quotes", &faults);
    let listed: BTreeSet<&str> = labels.iter().map(|(id, _)| id.as_str()).collect();
    for acknowledged in journal.recommendations.iter().filter_map(|one| one.written.acknowledged.as_ref()) {
        if !listed.contains(acknowledged.id.as_str()) {
            faults.note(format!("{} is in no list", acknowledged.id));
        }
    }
    // The list of each session, for a sample of sessions.
    let with_session: Vec<&Recommended> =
        journal.recommendations.iter().filter(|one| one.session.is_some()).collect();
    let sample: Vec<&&Recommended> = with_session.iter().step_by(with_session.len() / 200 + 1).collect();
    each(&sample, |connection, one| {
        let session = one.session.as_ref().expect("filtered");
        let found = walked(connection, server, token, &format!("session_id={session}"), &faults);
        let fits = match &one.written.acknowledged {
            Some(acknowledged) => found.iter().map(|(id, _)| id).eq([&acknowledged.id]),
            None => found.len() <= 1,
        };
        if !fits {
            faults.note(format!("session {session} has {found:?}"));
        }
    });

    each(&journal.answered, |connection, one| {
        let again = connection.ask(server, Some(token), &one.request).expect("an answer");
        if (again.status, &again.body) != (one.answer.status, &one.answer.body)
            || again.header("idempotency-replayed") != Some("true")
        {
            let (key, first) = (&one.request.key, one.answer.text());
            faults.note(format!("{key:?} was answered {first}, and now {}: {}", again.status, again.text()));
        }
    });
    faults
}

/// Every quote of a list, by id and label. The count on each page must equal their number.
fn walked(
    connection: &mut Connection,
    server: std::net::SocketAddr,
    token: &str,
    query: &str,
    faults: &Faults,
) -> Vec<(String, String)> {
    let (mut found, mut counts) = (Vec::new(), BTreeSet::new());
    let mut query = format!("{query}&limit=100");
    loop {
        let request = Request::get(format!("/v1/business/health/quotes?{query}"));
        let answer = connection.ask(server, Some(token), &request).expect("an answer");
        assert_eq!(answer.status, 200, "{query}: {}", answer.text());
        let page = answer.json();
        counts.insert(page["count"].as_u64().expect("a number"));
        for quote in page["quotes"].as_array().expect("a list") {
            let text = |name: &str| quote[name].as_str().expect("text").to_owned();
            found.push((text("quote_id"), text("customer_name")));
        }
        if page["has_next"] != true {
            break;
        }
        query = format!("next={}", page["end_cursor"].as_str().expect("text"));
    }
    if counts != BTreeSet::from([found.len() as u64]) {
        faults.note(format!("{query}: {} records are walked, the list counts {counts:?}", found.len()));
    }
    found
}

fn has_each_variant_once(job: &Value) -> bool {
    let offered = job["new_recommendations"].as_array().expect("a list");
    let variants: BTreeSet<&str> =
        offered.iter().map(|item| item["variant_id"].as_str().expect("text")).collect();
    let recommended = offered.iter().filter(|item| item["recommended"] == true).count();
    variants.len() == offered.len() && recommended == usize::from(!offered.is_empty())
}

/// Whether a proposal may have this status: not before the last status acknowledged up to the mark, and not
/// after the last requested status.
fn may_stand(proposed: &Proposed, found: ProposalStatus, by: u64) -> bool {
    let acknowledged = proposed.moves.iter().rposition(|(_, mark)| mark.is_some_and(|mark| mark <= by));
    proposed.moves.iter().skip(acknowledged.unwrap_or(0)).any(|(status, _)| *status == found)
}

fn are_single<'a>(labels: impl Iterator<Item = &'a str>, what: &str, faults: &Faults) {
    let mut seen = BTreeSet::new();
    for label in labels {
        if !seen.insert(label) {
            faults.note(format!("{what}: {label} is there twice"));
        }
    }
}

/// Runs several readers, each with its own connection.
fn each<T: Sync>(things: &[T], look: impl Fn(&mut Connection, &T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..READERS {
            scope.spawn(|| {
                let mut connection = Connection::default();
                while let Some(thing) = things.get(next.fetch_add(1, Ordering::Relaxed)) {
                    look(&mut connection, thing);
                }
            });
        }
    });
}

/// Faults of a store: acknowledged records that are missing or wrong, up to a mark, and any record that is
/// inconsistent.
pub fn in_store(store: &Store, of: PartnerId, journal: &Journal, by: u64) -> Vec<String> {
    let faults = Faults::default();
    let storage = store.storage.as_ref();

    let found = labels(store, "sessions", "session_id", &faults, |id: SessionId| {
        let session = store.wait(storage.session(of, id)).map_err(|fault| fault.to_string())?;
        Ok(session.and_then(|session| session.metadata.get(LABEL).cloned()))
    });
    agree("session", &found, journal.sessions.iter(), by, &faults);

    let found = labels(store, "embedded_quotes", "quote_id", &faults, |id: QuoteId| {
        let quote = store.wait(storage.embedded_quote(of, id)).map_err(|fault| fault.to_string())?;
        Ok(quote.and_then(|quote| quote.request.context.first(LABEL).map(str::to_owned)))
    });
    agree("quote", &found, journal.quotes.iter(), by, &faults);

    let found = labels(store, "health_quotes", "quote_id", &faults, |id: QuoteId| {
        let quote = store.wait(storage.health_quote(of, id)).map_err(|fault| fault.to_string())?;
        let Some(quote) = quote else { return Ok(None) };
        let job = store.wait(storage.job_for(JobKind::Recommendation, id.uuid()));
        let has_job = job.map_err(|fault| fault.to_string())?.is_some();
        if has_job == quote.ranking.is_some() {
            return Err(format!("half there: finished {}, job {has_job}", quote.ranking.is_some()));
        }
        let finished = usize::from(quote.ranking.is_some());
        is_told(store, of, id.uuid(), &[(|kind| kind == EventType::RecommendationCompleted, finished)])?;
        for ask in quote.asks.iter().filter(|_| quote.ranking.is_some()) {
            if ask.outcomes.as_ref().map(Vec::len) != Some(ask.variants.len()) {
                return Err("it has variants without or with two outcomes".into());
            }
        }
        Ok(quote.request.customer.name.map(|name| name.reveal().to_owned()))
    });
    let recommended = journal.recommendations.iter().map(|one| &one.written);
    agree("recommendation", &found, recommended, by, &faults);

    let proposals: HashMap<&str, &Proposed> =
        journal.proposals.iter().map(|one| (one.written.label.as_str(), one)).collect();
    let found = labels(store, "proposals", "proposal_id", &faults, |id: ProposalId| {
        let proposal = store
            .wait(Proposals::<CreditLife>::proposal(storage, of, id))
            .map_err(|fault| fault.to_string())?;
        let Some(proposal) = proposal else { return Ok(None) };
        is_whole(store, of, &proposal)?;
        let label = proposal.application.request.context.first(LABEL).map(str::to_owned);
        let asked = label.as_deref().and_then(|label| proposals.get(label));
        if let Some(asked) = asked
            && !may_stand(asked, proposal.status, by)
        {
            return Err(format!("it is {:?}, after {:?}", proposal.status, asked.moves));
        }
        Ok(label)
    });
    agree("proposal", &found, journal.proposals.iter().map(|one| &one.written), by, &faults);
    let found = labels(store, "claims", "claim_id", &faults, |id: ClaimId| {
        let claim = store.wait(storage.claim(of, id)).map_err(|fault| fault.to_string())?;
        let Some(claim) = claim else { return Ok(None) };
        is_whole_claim(store, of, &claim)?;
        Ok(Some(claim.notice.cause.reveal().to_owned()))
    });
    agree("claim", &found, journal.claims.iter().map(|one| &one.written), by, &faults);
    let asked_of = |all: &'_ [Asked]| -> HashMap<String, Asked> {
        all.iter().map(|one| (one.policy.clone(), one.clone())).collect()
    };
    let (cancelled, endorsed) = (asked_of(&journal.cancellations), asked_of(&journal.endorsements));
    let refunded = asked_of(&journal.refunds);
    for id in store.ids("policies", "policy_id").unwrap_or_default().into_iter().map(PolicyId::from_uuid) {
        match store.wait(storage.policy(of, id)) {
            Err(fault) => faults.note(format!("{id}: {fault}")),
            Ok(None) => faults.note(format!("{id} is nobody's")),
            Ok(Some(policy)) => {
                let (id_text, endorsed) = (id.to_string(), endorsed.get(&id.to_string()));
                if let Err(fault) = is_whole_policy(store, of, &policy, cancelled.get(&id_text), by)
                    .and_then(|()| is_endorsed_whole(store, of, &policy, endorsed, by))
                    .and_then(|()| is_refunded_whole(store, of, &policy, refunded.get(&id_text), by))
                    .and_then(|()| is_policy_told(store, of, &policy))
                {
                    faults.note(format!("{id}: {fault}"));
                }
            }
        }
    }
    match store.ids("policies", "proposal_id") {
        Err(fault) => faults.note(fault),
        Ok(policies) if policies.iter().collect::<BTreeSet<_>>().len() == policies.len() => {}
        Ok(_) => faults.note("a proposal has two policies".into()),
    }
    for received in &journal.receipts {
        if let Err(fault) = is_received(store, of, received, by) {
            faults.note(format!("{}: {fault}", received.reference));
        }
    }
    match in_balance(store) {
        Ok(true) => {}
        Ok(false) => faults.note("the books are not in balance".into()),
        Err(fault) => faults.note(fault),
    }
    faults.0.into_inner().expect("unpoisoned")
}

/// Whether the ledger sums to zero, and the deposits have the balance in the ledger.
fn in_balance(store: &Store) -> Result<bool, String> {
    let storage = store.storage.as_ref();
    let balances = store.wait(storage.account_balances()).map_err(|fault| fault.to_string())?;
    let on_deposits = balances.iter().filter(|account| account.account == Account::Deposit);
    let booked: Rupees = on_deposits.map(|account| account.balance).sum();
    let deposits = store.wait(storage.deposits()).map_err(|fault| fault.to_string())?;
    let deposits: Rupees = deposits.iter().map(|deposit| deposit.balance).sum();
    let sum: Rupees = balances.iter().map(|account| account.balance).sum();
    Ok(sum == Rupees::ZERO && booked == deposits)
}

/// Checks that a proposal has a policy, a certificate and its premium in the ledger exactly if it is
/// COMPLETED, and that its history ends with its status.
fn is_whole(store: &Store, of: PartnerId, proposal: &EmbeddedProposal) -> Result<(), String> {
    let (storage, id) = (store.storage.as_ref(), proposal.id);
    let policy = store.wait(Policies::policy_of(storage, of, id)).map_err(|fault| fault.to_string())?;
    let certificate = store.wait(storage.certificate(of, id)).map_err(|fault| fault.to_string())?;
    let history =
        store.wait(Proposals::<CreditLife>::history(storage, of, id)).map_err(|fault| fault.to_string())?;
    let completed = proposal.status == ProposalStatus::Completed;
    if (policy.is_some(), certificate.is_some()) != (completed, completed) {
        let (policy, certificate) = (policy.is_some(), certificate.is_some());
        return Err(format!("half there: {:?}, policy {policy}, certificate {certificate}", proposal.status));
    }
    let ledger = store.wait(storage.ledger_of(of, id)).map_err(|fault| fault.to_string())?;
    let paid: Vec<_> = ledger.iter().filter(|line| line.posting.credit == Account::Premium).collect();
    let amounts: Vec<_> = paid.iter().map(|line| line.posting.amount).collect();
    let wanted = if completed { vec![proposal.premium.total()] } else { Vec::new() };
    if amounts != wanted {
        return Err(format!("half there: {:?}, with the premiums {amounts:?}", proposal.status));
    }
    is_told(store, of, id.uuid(), &[(|kind| kind.family() == EventFamily::Proposal, history.len())])?;
    match history.last() {
        Some(last) if last.to == proposal.status => Ok(()),
        last => Err(format!("half there: {:?}, its history ends with {last:?}", proposal.status)),
    }
}

/// A family of events, with the number of changes that they must report.
type Changes = (fn(EventType) -> bool, usize);

/// Checks that a record has one event for each change, and that its events are numbered from 1 without a gap.
fn is_told(store: &Store, of: PartnerId, subject: Uuid, changes: &[Changes]) -> Result<(), String> {
    let query = EventQuery { subject: Some(subject), most: 1000, ..EventQuery::default() };
    let told = store.wait(store.storage.events(of, &query)).map_err(|fault| fault.to_string())?.events;
    let numbers: Vec<u64> = told.iter().rev().map(|event| event.sequence).collect();
    if numbers != (1..=told.len() as u64).collect::<Vec<_>>() {
        return Err(format!("its events are counted {numbers:?}"));
    }
    for (is_one, wanted) in changes {
        let found = told.iter().filter(|event| is_one(event.kind)).count();
        if found != *wanted {
            let told: Vec<&str> = told.iter().map(|event| event.kind.word()).collect();
            return Err(format!("half there: {found} events tell of {wanted} changes: {told:?}"));
        }
    }
    Ok(())
}

/// Checks that each change of a policy has its event.
fn is_policy_told(store: &Store, of: PartnerId, policy: &Policy) -> Result<(), String> {
    let history =
        store.wait(store.storage.policy_history(of, policy.id)).map_err(|fault| fault.to_string())?;
    let refunds: Vec<_> = policy.refunds().filter(|refund| refund.amount.total() > Rupees::ZERO).collect();
    let paid = refunds.iter().filter(|refund| refund.paid.is_some()).count();
    let is_move = |kind: EventType| kind.family() == EventFamily::Policy && kind != EventType::PolicyIssued;
    let changes: [Changes; 5] = [
        (is_move, history.len()),
        (|kind| kind == EventType::PolicyIssued, 1),
        (|kind| kind == EventType::EndorsementApplied, policy.made_endorsements().count()),
        (|kind| kind == EventType::RefundDue, refunds.len()),
        (|kind| kind == EventType::RefundPaid, paid),
    ];
    is_told(store, of, policy.id.uuid(), &changes)
}

/// Checks that a claim's history ends with its state, that its policy knows it, and that its papers have
/// every byte.
fn is_whole_claim(store: &Store, of: PartnerId, claim: &Claim) -> Result<(), String> {
    let (storage, id) = (store.storage.as_ref(), claim.id);
    let history = store.wait(storage.claim_history(of, id)).map_err(|fault| fault.to_string())?;
    if history.last().map(|last| last.to) != Some(claim.state) {
        return Err(format!("half there: {}, its history is {history:?}", claim.state));
    }
    is_told(store, of, id.uuid(), &[(|kind| kind.family() == EventFamily::Claim, history.len())])?;
    let policy = store.wait(storage.policy(of, claim.policy)).map_err(|fault| fault.to_string())?;
    let knows = match &policy {
        Some(policy) => policy.claims.contains(&id),
        _ => false,
    };
    if !knows {
        return Err("half there: its policy does not know it".into());
    }
    for paper in store.wait(storage.papers(of, id)).map_err(|fault| fault.to_string())? {
        let mut bytes = Vec::new();
        for number in 0.. {
            let part = store.wait(storage.part(of, paper.id, number)).map_err(|fault| fault.to_string())?;
            let Some(part) = part else { break };
            bytes.extend(part);
        }
        if bytes != paper_of(claim.notice.cause.reveal()).as_bytes() {
            return Err(format!("half there: {} bytes of a paper of {}", bytes.len(), paper.bytes));
        }
    }
    Ok(())
}

/// Checks that a policy is cancelled exactly once, with its history and its refund in the ledger, or not at
/// all. An acknowledged cancellation must be there; one that nobody requested must not.
fn is_whole_policy(
    store: &Store,
    of: PartnerId,
    policy: &Policy,
    asked: Option<&Asked>,
    by: u64,
) -> Result<(), String> {
    let storage = store.storage.as_ref();
    let history = store.wait(storage.policy_history(of, policy.id)).map_err(|fault| fault.to_string())?;
    let stands = history.last().map_or(PolicyState::Issued, |last| last.to);
    if stands != policy.state {
        return Err(format!("half there: {}, its history is {history:?}", policy.state));
    }
    let proposal = policy.proposal.ok_or("it has no proposal")?;
    let ledger = store.wait(storage.ledger_of(of, proposal)).map_err(|fault| fault.to_string())?;
    let returned =
        ledger.iter().map(|line| line.posting).filter(|posting| posting.entry == Entry::Cancellation);
    let returned: Vec<Rupees> = returned.map(|posting| posting.amount).collect();
    let refund = policy.cancellation.as_ref().map(|cancellation| cancellation.refund.amount.total());
    let is_cancelled = policy.state == PolicyState::Cancelled;
    if returned != Vec::from_iter(refund.filter(|_| is_cancelled)) {
        return Err(format!("half there: {} with the refunds {returned:?}", policy.state));
    }
    for claim in &policy.claims {
        let found = store.wait(storage.claim(of, *claim)).map_err(|fault| fault.to_string())?;
        found.ok_or_else(|| format!("half there: its claim {claim} is not"))?;
    }
    match asked {
        None if is_cancelled => Err("it is cancelled, and nobody asked for it".into()),
        Some(Asked { mark: Some(mark), .. }) if *mark <= by && !is_cancelled => {
            Err(format!("its cancellation is lost: {}", policy.state))
        }
        _ => Ok(()),
    }
}

/// Checks that a policy is endorsed exactly once, with its refund in the ledger and its previous certificate,
/// or not at all. An acknowledged endorsement must be there; one that nobody requested must not.
fn is_endorsed_whole(
    store: &Store,
    of: PartnerId,
    policy: &Policy,
    asked: Option<&Asked>,
    by: u64,
) -> Result<(), String> {
    let storage = store.storage.as_ref();
    let proposal = policy.proposal.ok_or("it has no proposal")?;
    let ledger = store.wait(storage.ledger_of(of, proposal)).map_err(|fault| fault.to_string())?;
    let booked = ledger.iter().map(|line| line.posting).filter(|posting| posting.entry == Entry::Endorsement);
    let booked: Vec<Rupees> = booked.map(|posting| posting.amount).collect();
    let made: Vec<_> = policy.made_endorsements().collect();
    let refunds: Vec<Rupees> =
        made.iter().filter_map(|made| made.refund.as_ref()).map(|refund| refund.amount.total()).collect();
    if booked != refunds {
        return Err(format!("half there: endorsed with the refunds {booked:?}, not {refunds:?}"));
    }
    for version in 1..=policy.certificate_version() {
        let replaced = store.wait(storage.replaced_certificate(of, policy.id, version));
        let is_there = replaced.map_err(|fault| fault.to_string())?.is_some();
        if is_there != (version < policy.certificate_version()) {
            return Err(format!("half there: version {version} of its certificate"));
        }
    }
    is_done_once("endorsement", asked, made.len(), by)
}

/// Checks that something was done once if it was acknowledged, at most once if it was requested, and
/// otherwise never.
fn is_done_once(what: &str, asked: Option<&Asked>, done: usize, by: u64) -> Result<(), String> {
    match (asked, done) {
        (None, 0) | (Some(_), 1) => Ok(()),
        (Some(Asked { mark, .. }), 0) if mark.is_none_or(|mark| mark > by) => Ok(()),
        (Some(_), 0) => Err(format!("its {what} is lost")),
        (_, done) => Err(format!("it has {what} {done} times")),
    }
}

/// Checks that each paid refund of a policy has exactly one line in the ledger. An acknowledged payment must
/// be there; one that nobody requested must not.
fn is_refunded_whole(
    store: &Store,
    of: PartnerId,
    policy: &Policy,
    asked: Option<&Asked>,
    by: u64,
) -> Result<(), String> {
    let proposal = policy.proposal.ok_or("it has no proposal")?;
    let ledger = store.wait(store.storage.ledger_of(of, proposal)).map_err(|fault| fault.to_string())?;
    let booked = ledger.iter().map(|line| line.posting).filter(|posting| posting.entry == Entry::RefundPaid);
    let booked: Vec<Rupees> = booked.map(|posting| posting.amount).collect();
    let paid: Vec<Rupees> =
        policy.refunds().filter(|refund| refund.paid.is_some()).map(|refund| refund.amount.total()).collect();
    if booked != paid {
        return Err(format!("half there: refunds of {paid:?} are paid, and {booked:?} is booked"));
    }
    is_done_once("payment of a refund", asked, paid.len(), by)
}

/// Checks that a premium receipt is stored at most once, and exactly once if it was acknowledged.
fn is_received(store: &Store, of: PartnerId, received: &Received, by: u64) -> Result<(), String> {
    let proposal = received.proposal.parse().expect("an id");
    let found = store.wait(store.storage.receipts_of(of, proposal)).map_err(|fault| fault.to_string())?;
    let ledger = store.wait(store.storage.ledger_of(of, proposal)).map_err(|fault| fault.to_string())?;
    let booked: Vec<Rupees> = ledger
        .iter()
        .map(|line| line.posting)
        .filter(|posting| posting.entry == Entry::Receipt)
        .map(|posting| posting.amount)
        .collect();
    let kept: Vec<Rupees> = found.iter().map(|line| line.amount).collect();
    match kept.len() {
        0 if received.mark.is_some_and(|mark| mark <= by) => Err("the receipt is lost".into()),
        0 | 1 if kept == booked && found.iter().all(|line| line.reference == received.reference) => {
            let is_premium = |kind: EventType| kind.family() == EventFamily::Premium;
            is_told(store, of, proposal.uuid(), &[(is_premium, kept.len())])
        }
        _ => Err(format!("half there: the receipts {kept:?}, and {booked:?} is booked")),
    }
}

/// Ids by label in a table. Duplicate labels and unreadable records are recorded as faults.
fn labels<K: Kind>(
    store: &Store,
    table: &str,
    column: &str,
    faults: &Faults,
    label: impl Fn(Id<K>) -> Result<Option<String>, String>,
) -> HashMap<String, String> {
    let mut found = HashMap::new();
    let ids = store.ids(table, column).unwrap_or_else(|fault| {
        faults.note(fault);
        Vec::new()
    });
    for id in ids.into_iter().map(Id::<K>::from_uuid) {
        match label(id) {
            Err(fault) => faults.note(format!("{table}: {id}: {fault}")),
            Ok(None) => faults.note(format!("{table}: {id} was asked for by nobody")),
            Ok(Some(label)) => {
                if let Some(other) = found.insert(label.clone(), id.to_string()) {
                    faults.note(format!("{table}: {label} is there twice: {id} and {other}"));
                }
            }
        }
    }
    found
}

/// Checks that each record acknowledged up to a mark is stored under its label with its id, and that each
/// stored record was requested.
fn agree<'a>(
    what: &str,
    found: &HashMap<String, String>,
    written: impl Iterator<Item = &'a Written>,
    by: u64,
    faults: &Faults,
) {
    let mut asked = BTreeSet::new();
    for Written { label, acknowledged } in written {
        asked.insert(label.as_str());
        let Some(acknowledged) = acknowledged.as_ref().filter(|it| it.mark <= by) else { continue };
        if found.get(label) != Some(&acknowledged.id) {
            faults.note(format!(
                "{what} {} of {label} is lost; there is {:?}",
                acknowledged.id,
                found.get(label)
            ));
        }
    }
    for (label, id) in found {
        if !asked.contains(label.as_str()) {
            faults.note(format!("{what} {id} was asked for by nobody: {label}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::load::Load;

    /// Damages of a store, with the faults that the checker must report.
    const DAMAGES: &[(&str, &str)] = &[
        ("delete from sessions where rowid = 1", "is lost"),
        (
            "delete from embedded_quotes where quote_id = (select min(quote_id) from embedded_quotes)",
            "is lost",
        ),
        ("delete from health_quotes where rowid = 1", "is lost"),
        ("delete from proposals where rowid = 1", "is lost"),
        ("delete from policies where rowid = 1", "the certificate of"),
        ("delete from moves where sequence = (select max(sequence) from moves)", "half there"),
        ("delete from ledger where entry = 2", "with the premiums []"),
        ("delete from events where rowid = (select max(rowid) from events)", "events tell of"),
        ("delete from events where type = 1", "0 events tell of 1 changes"),
        ("update events set sequence = sequence + 1000 where type = 3", "its events are counted"),
        ("delete from claims where rowid = 1", "is lost"),
        ("delete from claim_moves where rowid = 1", "half there"),
        ("delete from claim_parts where rowid = 2", "is lost"),
        ("delete from policy_moves where sequence = (select max(sequence) from policy_moves)", "half there"),
        ("delete from ledger where entry = 10", "with the refunds []"),
        ("delete from ledger where entry = 16", "endorsed with the refunds []"),
        ("delete from ledger where entry = 11", "is booked"),
        ("delete from receipt_lines where rowid = 1", "the receipt is lost"),
        ("delete from replaced_certificates where rowid = 1", "version 1 of its certificate"),
        ("update policies set state = 1 where state = 3", "is lost"),
        ("update deposits set balance = balance + 1", "the books are not in balance"),
        ("update proposals set status = 1 where status = 2", "E5000"),
        ("update proposals set status = 2 where status = 1", "E5000"),
        ("update day_counts set number = number + 1", "the list counts"),
        ("delete from kept_responses", "was answered"),
        ("update sessions set session_id = randomblob(16) where rowid = 2", "cannot be decrypted"),
    ];

    #[test]
    fn the_checker_detects_every_planted_damage_of_a_store() {
        let mut site = Site::sqlite();
        let server = site.server();
        let load = Load::with_operator("seen", &site.token(&server), 4, site.operator());
        load.targets().open(&server.base);
        load.goes_on_for(200);
        let journal = load.ends();
        drop(server);
        check(&mut site, &journal);
        let path = site.data().join(storage::sqlite::FILE);
        let whole = std::fs::read(&path).expect("one file: its server stopped");
        for (damage, said) in DAMAGES {
            for left in ["covernote.db-wal", "covernote.db-shm"] {
                let _ = std::fs::remove_file(site.data().join(left));
            }
            std::fs::write(&path, &whole).expect("written");
            let database = rusqlite::Connection::open(&path).expect("the store");
            assert!(database.execute(damage, ()).expect("done") > 0, "{damage} does nothing");
            drop(database);
            let panic = catch_unwind(AssertUnwindSafe(|| check(&mut site, &journal))).expect_err(damage);
            let found = panic.downcast_ref::<String>().expect("a sentence");
            assert!(found.contains(said), "{damage} is seen as {found}");
        }
    }
}
