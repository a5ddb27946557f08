//! `covernote keys`: the store's keys (D4).

use domain::date::Timestamp;
use serde_json::{Value, json};
use service::Service;
use service::clock::Clock;
use service::keys::{Key, KeyPurpose};

use super::on_store;
use crate::cli::{Keys, KeysVerb, Purpose};
use crate::failure::{Failure, Result};
use crate::wiring::SystemClock;
use crate::{output, progress};

pub(super) fn run(Keys { verb, flags }: Keys) -> Result<()> {
    on_store(&flags, async |service| match verb {
        KeysVerb::List { json } => {
            list(&service.keys.keys().await?, json);
            Ok(())
        }
        KeysVerb::Rotate { purpose, json } => rotate(&service, purpose_of(purpose), json).await,
        KeysVerb::Retire { number, force } => {
            let purpose = service.keys.retire(number, force).await?;
            output::message(&format!(
                "{} key {number} is retired: what was made with it is refused within 5 seconds",
                purpose.word()
            ));
            Ok(())
        }
    })
}

fn purpose_of(purpose: Purpose) -> KeyPurpose {
    match purpose {
        Purpose::Signing => KeyPurpose::Signing,
        Purpose::Data => KeyPurpose::Data,
        Purpose::Lookup => KeyPurpose::Lookup,
        Purpose::Address => KeyPurpose::Address,
        Purpose::Idempotency => KeyPurpose::Idempotency,
        Purpose::Cursor => KeyPurpose::Cursor,
    }
}

async fn rotate(service: &Service, purpose: KeyPurpose, as_json: bool) -> Result<()> {
    let word = purpose.word();
    let unfinished = if purpose.has_rows() { service.keys.unfinished(purpose).await? } else { None };
    let key = match unfinished {
        Some(key) => {
            output::message(&format!("the rotation to {word} key {} goes on", key.number));
            key
        }
        None => service.keys.rotate(purpose).await?,
    };
    let number = key.number;
    if !purpose.has_rows() {
        if as_json {
            output::json(&to_json(&key, SystemClock.now()));
        }
        output::message(&format!(
            "{word} key {number} is used from {} on; 'keys retire' ends the earlier one once nothing made with it is out",
            key.active_from
        ));
        return Ok(());
    }
    let bar = progress::rows("renewing rows");
    let renewed = service
        .keys
        .renew(&key, &mut |rows, all| {
            bar.set_length(all);
            bar.set_position(rows);
        })
        .await?;
    bar.finish_and_clear();
    if as_json {
        let mut shown = to_json(&key, SystemClock.now());
        shown["rows"] = json!(renewed.rows);
        shown["renewed"] = json!(renewed.changed);
        shown["unreadable"] = json!(renewed.unreadable);
        output::json(&shown);
    }
    for line in &renewed.listed {
        output::message(line);
    }
    match renewed.unreadable {
        0 => {
            output::message(&format!(
                "{} rows depend on {word} key {number} now; the earlier one is retired",
                renewed.rows
            ));
            Ok(())
        }
        unreadable => Err(Failure::BadData(format!(
            "{unreadable} rows cannot be read and were left as they are; the earlier {word} key stays live. 'backup \
             --verify' lists every damaged row"
        ))),
    }
}

fn state(key: &Key, now: Timestamp) -> &'static str {
    match key {
        Key { retired_at: Some(_), .. } => "retired",
        Key { active_from, .. } if *active_from > now => "coming",
        _ => "live",
    }
}

fn list(keys: &[Key], as_json: bool) {
    let now = SystemClock.now();
    if as_json {
        output::json(&json!({ "keys": keys.iter().map(|key| to_json(key, now)).collect::<Vec<_>>() }));
        return;
    }
    let row = |key: &Key| {
        vec![
            key.number.to_string(),
            key.purpose.word().into(),
            state(key, now).into(),
            key.created_at.to_string(),
        ]
    };
    output::table(&["number", "purpose", "state", "created"], keys.iter().map(row).collect());
    if keys.iter().filter(|key| key.purpose == KeyPurpose::Signing && key.retired_at.is_none()).count() > 1 {
        output::message("Two signing keys are live; tokens of both are accepted.");
    }
}

fn to_json(key: &Key, now: Timestamp) -> Value {
    json!({
        "number": key.number,
        "purpose": key.purpose.word(),
        "state": state(key, now),
        "created_at": key.created_at.to_string(),
        "active_from": key.active_from.to_string(),
        "retired_at": key.retired_at.map(|at| at.to_string()),
    })
}
