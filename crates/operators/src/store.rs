//! Checks of the store as a whole.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::installation::{CLOCK_TOLERANCE, Condition};
use service::keys::KeyPurpose;
use service::storage::StoreServer;
use tokio::task::spawn_blocking;
use utoipa::ToSchema;
use web::error::{Code, Problem};

use crate::act::{About, Act, Extent, Needs, On, Result, Role, get};
use crate::answer::Answer;
use crate::finding::Finding;
use crate::today::in_words;

/// Age in seconds from which an undelivered event makes the check doubtful.
const LONG_UNDELIVERED: u64 = 3600;

/// Days after which a key should be rotated.
const OLDEST_KEY: i64 = 365;

/// Verify every record of the store, and the relations between records
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyStore {}

impl Act for VerifyStore {
    const ABOUT: About = get("store.verify", "/store/verification", &[Role::Compliance]).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        Ok(Answer::of(verified(on, Extent::Everything).await?))
    }
}

/// Check the store, its keys, its premiums and payments, and the work that waits for a person
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExamineStore {}

impl Act for ExamineStore {
    const ABOUT: About =
        get("store.examine", "/store/condition", &[Role::Read, Role::Compliance]).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
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
        let json = findings.iter().map(|(what, finding)| {
            let mut json = json!(finding);
            json["what"] = (*what).into();
            json
        });
        Ok(Answer::of(json!({ "findings": json.collect::<Vec<_>>() })))
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

/// Describes a fault of a verification in one line.
pub fn fault_in_words(fault: &Value) -> String {
    let [record, rule, expected, found] = ["record", "rule", "expected", "found"]
        .map(|name| fault[name].as_str().unwrap_or_default().to_owned());
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
