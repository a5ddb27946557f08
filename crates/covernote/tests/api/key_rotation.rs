//! Keys rotate while servers run, and everything made with the old keys stays usable (D4, D59).

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use domain::date::Date;
use domain::identifier::{Identifier, IdentifierKind};
use domain::work_item::WorkItem;
use service::keys::{Key, KeyPurpose};
use service::storage::keys::Renewed;

use crate::support::{App, Customer, Engine, Setup, bodies};

/// Every sealed column of every table.
const SEALED: &[(&str, &str)] = &[
    ("partners", "proof"),
    ("secrets", "hash"),
    ("embedded_quotes", "body"),
    ("health_quotes", "body"),
    ("health_quotes", "outcome"),
    ("tags", "named"),
    ("claims", "body"),
    ("claim_moves", "reason"),
    ("claim_papers", "body"),
    ("claim_parts", "body"),
    ("complaints", "body"),
    ("events", "body"),
    ("webhook_endpoints", "body"),
    ("deliveries", "body"),
    ("statements", "body"),
    ("statement_parts", "body"),
    ("statement_answers", "body"),
    ("health_outcomes", "body"),
    ("proposals", "body"),
    ("proposals", "reason"),
    ("moves", "reason"),
    ("policies", "body"),
    ("policies", "certificate"),
    ("replaced_certificates", "certificate"),
    ("policy_moves", "reason"),
    ("premiums", "proof"),
    ("receipts", "sealed"),
    ("receipts", "proof"),
    ("ledger", "proof"),
    ("deposits", "proof"),
    ("statement_months", "proof"),
    ("calendars", "proof"),
    ("withdrawn_consents", "proof"),
    ("ledger", "sealed"),
    ("payments", "sealed"),
    ("sessions", "body"),
    ("journeys", "body"),
    ("kept_responses", "body"),
    ("request_log", "body"),
    ("approvals", "body"),
    ("work_items", "body"),
    ("holds", "reason"),
    ("operators", "body"),
    ("operator_secrets", "body"),
];

/// Number of values that each key of the store has sealed, in all tables.
fn sealed_by(app: &App) -> BTreeMap<String, usize> {
    let mut by = BTreeMap::new();
    for (table, column) in SEALED {
        let number = match app.store {
            Engine::Sqlite(_) => format!("lower(hex(substr({column}, 2, 4)))"),
            Engine::Postgres(_) => format!("encode(substr({column}, 2, 4), 'hex')"),
        };
        for number in app.store.texts(&format!("select {number} from {table} where {column} is not null")) {
            *by.entry(number).or_default() += 1;
        }
    }
    by
}

async fn turn_over(app: &App, purpose: KeyPurpose) -> Key {
    let key = app.service.keys.rotate(purpose).await.expect("a new key");
    app.clock.advance(Duration::from_secs(75));
    key
}

async fn renew(app: &App, key: &Key) -> Renewed {
    app.service.keys.renew(key, &mut |rows, all| assert!(rows <= all)).await.expect("renewed")
}

#[tokio::test]
async fn every_column_with_sealed_data_is_listed_in_this_test() {
    let app = App::start().await;
    let sealed = ["body", "proof", "hash", "reason", "certificate", "outcome", "sealed"];
    // The audit key seals the reasons of the trail: it stays as long as its entries.
    let not_sealed = [
        ("catalogues", "hash"),
        ("receipt_lines", "outcome"),
        ("audit", "hash"),
        ("audit", "reason"),
        ("operator_secrets", "hash"),
    ];
    for table in app.store.tables() {
        for column in app.store.columns_of(&table) {
            let is_known = SEALED.contains(&(&table, &column)) || not_sealed.contains(&(&table, &column));
            assert!(is_known || !sealed.contains(&column.as_str()), "{table}.{column} is in no list");
        }
    }
}

#[tokio::test]
async fn after_a_rotation_all_rows_are_sealed_with_the_new_data_key_and_stay_readable() {
    let app = App::start().await;
    app.has_quote().await;
    let embedded = app.has_proposal("COMPLETED").await;
    let health = app.has_health_quote(bodies::recommendation()).await;
    let recommended = app.finished_recommendation(&health).await;
    let session = app.has_session().await;
    let customer = Customer::arrived(&app).await;
    let keyed = async || {
        let request = app.request("POST", "/v1/embedded/quote").bearer_auth(&app.partner().token);
        app.send(request.header("idempotency-key", "k").json(&bodies::quote())).await
    };
    let first = keyed().await;
    let aside = |item: &mut WorkItem| item.snoozed_until = Some(Date::constant(2027, 1, 1));
    let noted = app.service.work_items.change("claim:clm_1", "waiting.snooze", aside).await.expect("noted");
    let before = sealed_by(&app);
    assert_eq!(before.len(), 1, "one key has sealed everything");

    let key = turn_over(&app, KeyPurpose::Data).await;
    app.has_quote().await;
    assert_eq!(sealed_by(&app).len(), 2, "what is new is sealed with the new key");
    let renewed = renew(&app, &key).await;
    assert_eq!(renewed.unreadable, 0, "{:?}", renewed.listed);
    assert_eq!(renewed.changed, before.values().sum::<usize>() as u64);
    assert_eq!(
        app.service.work_items.of("claim:clm_1").await.expect("readable"),
        WorkItem { version: 1, ..noted }
    );
    let after = sealed_by(&app);
    assert_eq!(after.keys().collect::<Vec<_>>(), [&format!("{:08x}", key.number)]);
    assert_eq!(renew(&app, &key).await.changed, 0, "there is nothing left to do");

    // Another process can read it, too, without anything in memory.
    let other = app.another_process(&rating::Files::sample()).await;
    assert!(other.sessions.exists(app.partner().id, session.parse().expect("an id")).await.expect("read"));
    assert_eq!(app.get(&format!("/v1/embedded/proposal/{embedded}/status")).await.status, 200);
    assert_eq!(app.get_without_bearer(&app.download_path(&embedded).await).await.status, 200);
    assert_eq!(app.recommendation(&health).await, recommended);
    assert_eq!(customer.get("who").await.status(), 200);
    let replayed = keyed().await;
    assert_eq!(replayed.header("idempotency-replayed"), Some("true"));
    assert_eq!(replayed.text, first.text);
    app.token_of(app.partner(), &["business"]).await;
    // The old key is retired: it opens old rows, but seals nothing new.
    let keys = app.service.keys.keys().await.expect("keys");
    let live = keys.iter().filter(|key| key.purpose == KeyPurpose::Data && key.retired_at.is_none());
    assert_eq!(live.map(|key| key.number).collect::<Vec<_>>(), [key.number]);
}

#[tokio::test]
async fn a_rotation_reports_an_unreadable_row_and_stays_unfinished() {
    let app = App::start().await;
    app.has_quote().await;
    app.has_quote().await;
    let spoil = match app.store {
        Engine::Sqlite(_) => {
            "update embedded_quotes set body = zeroblob(80) where quote_id = (select max(quote_id) from embedded_quotes)"
        }
        Engine::Postgres(_) => {
            "update embedded_quotes set body = substr(body, 1, 60) || decode(repeat('00', 40), 'hex') where quote_id = (select quote_id from embedded_quotes order by quote_id desc limit 1)"
        }
    };
    app.store.says(spoil).expect("spoiled");
    let key = turn_over(&app, KeyPurpose::Data).await;
    let renewed = renew(&app, &key).await;
    assert_eq!(renewed.unreadable, 1);
    assert!(renewed.listed[0].starts_with("embedded_quotes "), "{:?}", renewed.listed);
    assert!(app.service.keys.unfinished(KeyPurpose::Data).await.expect("read").is_some());
    assert_eq!(sealed_by(&app).values().min(), Some(&1), "all others are sealed anew");
}

#[tokio::test]
async fn a_process_without_the_new_key_gets_an_error_until_it_refreshes_its_keys() {
    let app = App::start().await;
    let other = app.another_process(&rating::Files::sample()).await;
    let session = app.has_session().await.parse().expect("an id");
    let key = turn_over(&app, KeyPurpose::Data).await;
    renew(&app, &key).await;
    let of = app.partner().id;
    let unread = other.sessions.exists(of, session).await.expect_err("it does not know the key");
    assert!(matches!(unread, service::Error::Storage(service::storage::StorageError::Away(_))), "{unread}");
    other.shared.directory.refresh().await.expect("read");
    assert!(other.sessions.exists(of, session).await.expect("it knows the key now"));
}

#[tokio::test]
async fn quotes_are_found_by_lead_during_and_after_a_rotation_of_the_lookup_key() {
    let app = Setup::health().start().await;
    let body = |lead: &str| {
        let mut body = bodies::recommendation();
        body["lead_id"] = json!(lead);
        body
    };
    let before = app.has_health_quote(body("lead-1")).await;
    let found = async || -> Vec<String> {
        let by = Identifier::of(IdentifierKind::Lead, "lead-1");
        let found = app.service.health_quotes.find_identified(None, &by, 10).await.expect("found");
        found.iter().map(|quote| quote.id.to_string()).collect()
    };
    let key = turn_over(&app, KeyPurpose::Lookup).await;
    let after = app.has_health_quote(body("lead-1")).await;
    assert_eq!(found().await, [after.clone(), before.clone()], "by either key");
    let renewed = renew(&app, &key).await;
    assert_eq!(
        (renewed.changed, renewed.unreadable),
        (4, 0),
        "its lead, its user, and how its customer is reached"
    );
    assert_eq!(found().await, [after, before]);
    assert!(app.service.keys.unfinished(KeyPurpose::Lookup).await.expect("read").is_none());
    assert_eq!(renew(&app, &key).await.changed, 0);
}

#[tokio::test]
async fn a_rotation_of_the_lookup_key_finishes_after_a_contact_was_changed_meanwhile() {
    let app = App::start().await;
    let mut body = app.has_proposal_body("SUBMITTED").await;
    body["context_data"] = json!([{ "key": "loan_account_number", "values": ["LN-0001"] }]);
    let proposal = app.post("/v1/embedded/proposal", body).await.json()["payload"]["proposal_id"].clone();
    let proposal = proposal.as_str().expect("an id");
    let path = format!("/v1/embedded/proposal/{proposal}");
    assert_eq!(app.patch(&path, json!({ "status": "COMPLETED" })).await.status, 200);
    let policy = app.policy_id_of(proposal).await;
    let key = turn_over(&app, KeyPurpose::Lookup).await;
    // The policy gets its tags by the new key, beside those by the old key.
    let contact = json!({ "mobile": "9876500000", "email": "new@example.com", "address": bodies::address() });
    let changed = app.endorses(&policy, json!({ "kind": "CONTACT", "contact": contact })).await;
    assert_eq!(changed.status, 200, "{}", changed.text);
    let found = async || {
        let page: Value = app.get("/v1/policies?reference=LN-0001").await.json();
        page["policies"].as_array().expect("policies").len()
    };
    assert_eq!(found().await, 1, "listed once while two keys are live");
    assert_eq!(renew(&app, &key).await.unreadable, 0);
    assert_eq!(found().await, 1);
    assert!(app.service.keys.unfinished(KeyPurpose::Lookup).await.expect("read").is_none());
    assert_eq!(renew(&app, &key).await.changed, 0);
}

#[tokio::test]
async fn an_old_key_is_accepted_and_not_retired_while_something_made_with_it_is_valid() {
    let app = App::start().await;
    let id = app.has_proposal("COMPLETED").await;
    let download = app.download_path(&id).await;
    let numbers = async |purpose| {
        let keys = app.service.keys.keys().await.expect("keys");
        let of = keys.into_iter().filter(|key| key.purpose == purpose && key.retired_at.is_none());
        of.map(|key| key.number).collect::<Vec<_>>()
    };
    for _ in 0..3 {
        app.has_health_quote(bodies::recommendation()).await;
    }
    let path = "/v1/business/health/quotes?end_date=2026-11-20&limit=2";
    let page: Value = app.get(path).await.json();
    let cursor = page["end_cursor"].as_str().expect("a cursor").to_owned();
    let next = format!("{path}&next={cursor}");
    let keyed = async || {
        let request = app.request("POST", "/v1/embedded/quote").bearer_auth(&app.partner().token);
        app.send(request.header("idempotency-key", "k").json(&bodies::quote())).await
    };
    let first = keyed().await;
    for purpose in [KeyPurpose::Address, KeyPurpose::Cursor, KeyPurpose::Idempotency] {
        let old = numbers(purpose).await[0];
        turn_over(&app, purpose).await;
        assert!(app.service.keys.rotate(purpose).await.is_err(), "two are live");
        assert!(app.service.keys.retire(old, false).await.is_err(), "something of it may be out");
    }
    assert_eq!(app.get_without_bearer(&download).await.status, 200);
    assert_eq!(app.get(&next).await.status, 200);
    assert_eq!(keyed().await.text, first.text);
    let reused = app.request("POST", "/v1/embedded/quote").bearer_auth(&app.partner().token);
    let other = crate::support::bodies::with(bodies::quote(), "policy_term", json!(36));
    assert_eq!(app.send(reused.header("idempotency-key", "k").json(&other)).await.status, 422);
    // After a forced rotation, what the old key made is refused.
    for purpose in [KeyPurpose::Address, KeyPurpose::Cursor] {
        let old = numbers(purpose).await[0];
        app.service.keys.retire(old, true).await.expect("retired");
    }
    assert_eq!(app.get_without_bearer(&download).await.status, 404);
    assert_eq!(app.get(&next).await.status, 400);
    assert_eq!(app.get_without_bearer(&app.download_path(&id).await).await.status, 200);
    // A day later the stored responses are gone, so their key can go, too.
    app.clock.advance(Duration::from_secs(24 * 3600));
    let old = numbers(KeyPurpose::Idempotency).await[0];
    app.service.keys.retire(old, false).await.expect("nothing of it is out");
    for purpose in [KeyPurpose::Data, KeyPurpose::Lookup] {
        let old = numbers(purpose).await[0];
        turn_over(&app, purpose).await;
        assert!(app.service.keys.retire(old, true).await.is_err(), "rows depend on it");
    }
}
