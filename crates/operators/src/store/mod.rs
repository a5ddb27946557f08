//! Checks of the store as a whole.
//!
//! Uses `act`, `today`.

pub(crate) mod audit;
pub(crate) mod catalogue;
pub(crate) mod import;
pub(crate) mod key;

use std::collections::BTreeMap;

use serde_json::Value;
use service::installation::{CLOCK_TOLERANCE, Condition};
use service::keys::KeyPurpose;
use service::storage::StoreServer;
use tokio::task::spawn_blocking;
use web::error::{Code, Problem};

use crate::act::answer::Done;
use crate::act::finding::Finding;
use crate::act::input::input;
use crate::act::shown::answer;
use crate::act::trail::heads_in;
use crate::act::{About, Act, Extent, Needs, On, Result, Role, get};
use crate::today::in_words;

/// Age in seconds from which an undelivered event makes the check doubtful.
const LONG_UNDELIVERED: u64 = 3600;

/// Days after which a key should be rotated.
const OLDEST_KEY: i64 = 365;

input! {
    /// Verify every record of the store, and the relations between records
    struct VerifyStore {}
}

impl Act for VerifyStore {
    const ABOUT: About = get("store.verify", "/store/verification", &[Role::Compliance]).needs(Needs::Store);

    type Answer = Done<StoreVerified>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let verified = verified(on, Extent::Everything).await?;
        let fault = |fault: &Value| {
            let [record, rule, expected, found] = parts_of(fault);
            RecordFault { record, rule, expected, found }
        };
        let rows = verified["rows"].as_object().into_iter().flatten();
        let mut faults: Vec<RecordFault> =
            verified["faults"].as_array().into_iter().flatten().map(fault).collect();
        // The chains of the trail are verified already. Only the signed heads know where each chain ended.
        let (heads, _) = heads_in(&on.trail.heads().map_err(|cause| Problem::new(Code::E5030, cause))?);
        let cut = on.service.audit.cut_chains(&heads).await?;
        faults.extend(cut.into_iter().map(|found| RecordFault {
            record: "audit trail".to_owned(),
            rule: "audit.end".to_owned(),
            expected: "the entries up to the last signed head".to_owned(),
            found,
        }));
        Ok(Done::of(StoreVerified {
            rows: rows.map(|(table, rows)| (table.clone(), rows.as_u64().unwrap_or_default())).collect(),
            faults,
            more_faults: verified["more_faults"].as_u64().unwrap_or_default(),
        }))
    }
}

input! {
    /// Check the store, its keys, its premiums and payments, and the work that waits for a person
    struct ExamineStore {}
}

impl Act for ExamineStore {
    const ABOUT: About =
        get("store.examine", "/store/condition", &[Role::Read, Role::Compliance]).needs(Needs::Store);

    type Answer = Done<Findings>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let condition = on.service.installation.condition().await?;
        let mut findings = (on.examine)();
        findings.extend([
            ("store", store(&condition)),
            ("deliveries", deliveries(&condition)),
            ("keys", keys(on).await?),
            ("books", books(on).await),
            ("waiting", waiting(on).await?),
        ]);
        findings.extend(on.service.shared.catalogues.unapproved().map(|hash| {
            let text = format!("{hash} differs from the catalogue that the team approved, which runs: 'catalogue reload' publishes it");
            ("catalogue folder", Finding::Doubtful(text))
        }));
        findings
            .extend(condition.server.as_ref().map(|(server, ahead)| ("database", database(server, *ahead))));
        let shown = findings.into_iter().map(|(what, finding)| {
            let (state, text) = finding.parts();
            FindingShown { what, state, text }
        });
        Ok(Done::of(Findings { findings: shown.collect() }))
    }
}

answer! {
    /// Result of a verification of the store
    struct StoreVerified {
        /// Number of verified rows of each table
        rows: BTreeMap<String, u64>,
        /// Faults
        faults: Vec<RecordFault>,
        /// Number of faults that are not listed
        more_faults: u64,
    }
}

answer! {
    /// A fault of a record
    struct RecordFault {
        /// Record
        record: String,
        /// Rule that the record breaks
        rule: String,
        /// Value by the rule
        expected: String,
        /// Value of the record
        found: String,
    }
}

answer! {
    /// Findings about the store and its machine
    struct Findings {
        /// Each check with its finding
        findings: Vec<FindingShown>,
    }
}

answer! {
    /// A check with its finding
    struct FindingShown {
        /// What was checked
        what: &'static str,
        /// State: good, doubtful or bad
        state: &'static str,
        /// The finding in words
        text: String,
    }
}

async fn verified(on: &On, extent: Extent) -> Result<Value> {
    let verify = on.verify.clone();
    let verified = spawn_blocking(move || verify(extent)).await;
    let verified = verified.map_err(|fault| Problem::unexpected(fault.to_string()))?;
    verified.map_err(|why| Problem::new(Code::E5030, why))
}

fn store(Condition { partners, jobs, store_id, .. }: &Condition) -> Finding {
    Finding::Good(format!("partners: {partners}, jobs not finished: {jobs}, id {store_id}"))
}

/// Checks how long the oldest undelivered event has waited.
fn deliveries(condition: &Condition) -> Finding {
    match condition.oldest_pending.map(|since| since.as_secs()) {
        None => Finding::Good("no event waits for delivery".to_owned()),
        Some(seconds) if seconds < LONG_UNDELIVERED => {
            Finding::Good(format!("the oldest undelivered event is {seconds} seconds old"))
        }
        Some(seconds) => Finding::Doubtful(format!(
            "the oldest undelivered event is {} hours old: 'covernote webhook list' shows which endpoint accepts nothing",
            seconds / 3600
        )),
    }
}

/// Checks the clock and the number of sessions of the database.
fn database(server: &StoreServer, ahead: f64) -> Finding {
    let StoreServer { sessions, most_sessions, .. } = server;
    let text = format!(
        "{sessions} of {most_sessions} database sessions are in use; this machine's clock is {ahead:.1} seconds ahead of the database's"
    );
    let is_full = sessions * 10 > most_sessions * 9;
    match (ahead.abs() > CLOCK_TOLERANCE.as_secs_f64(), is_full) {
        (true, _) => Finding::Doubtful(format!("{text}: correct one of the clocks")),
        (false, true) => Finding::Doubtful(format!("{text}: raise max_connections")),
        (false, false) => Finding::Good(text),
    }
}

/// Checks the age of the store's keys.
async fn keys(on: &On) -> Result<Finding> {
    let (keys, now) = (on.service.keys.keys().await?, on.service.installation.now());
    let newest = KeyPurpose::ALL.iter().filter_map(|purpose| {
        let live = keys.iter().filter(|key| key.purpose == *purpose && key.retired_at.is_none());
        let newest = live.max_by_key(|key| key.number)?;
        Some((purpose.word(), now.duration_since(newest.created_at).as_secs() / (24 * 3600)))
    });
    let newest: Vec<(&str, i64)> = newest.collect();
    let ages: Vec<String> = newest.iter().map(|(word, days)| format!("{word} {days}")).collect();
    let ages = format!("age in days: {}", ages.join(", "));
    Ok(match newest.iter().find(|(_, days)| *days > OLDEST_KEY) {
        Some((word, _)) => Finding::Doubtful(format!("{ages}; 'keys rotate {word}' makes a new one")),
        None => Finding::Good(ages),
    })
}

/// Checks that premiums, receipts, deposits and the ledger agree.
async fn books(on: &On) -> Finding {
    let verified = match verified(on, Extent::Books).await {
        Ok(verified) => verified,
        Err(problem) => return Finding::Bad(problem.detail().to_owned()),
    };
    let faults = verified["faults"].as_array().map_or(&[][..], Vec::as_slice);
    match faults.first() {
        None => {
            let rows = verified["rows"].as_object().into_iter().flat_map(|rows| rows.values());
            let rows: u64 = rows.filter_map(Value::as_u64).sum();
            Finding::Good(format!("{rows} rows agree with the ledger"))
        }
        Some(first) => {
            let number = faults.len() as u64 + verified["more_faults"].as_u64().unwrap_or_default();
            let first = fault_in_words(first);
            Finding::Bad(format!("faults: {number}, the first: {first}; 'covernote verify' lists all"))
        }
    }
}

/// Record, rule, expected and found value of a fault.
fn parts_of(fault: &Value) -> [String; 4] {
    ["record", "rule", "expected", "found"].map(|name| fault[name].as_str().unwrap_or_default().to_owned())
}

/// Describes a fault of a verification in one line.
pub fn fault_in_words(fault: &Value) -> String {
    let [record, rule, expected, found] = parts_of(fault);
    format!("{record}: {rule}: expected {expected}, found {found}")
}

async fn waiting(on: &On) -> Result<Finding> {
    let (waiting, now) = (on.service.waiting.all().await?, on.service.installation.now());
    let late = waiting.iter().filter(|one| one.is_late(now)).count();
    let listed = |count: usize| format!("{} 'covernote today' lists them", in_words(count, late));
    Ok(match (waiting.len(), late) {
        (0, _) => Finding::Good("nothing waits for a person".to_owned()),
        (count, 0) => Finding::Good(listed(count)),
        (count, _) => Finding::Doubtful(listed(count)),
    })
}
