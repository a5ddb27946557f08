//! `covernote keys`: the store's keys (D4).

use domain::date::Timestamp;
use serde_json::{Value, json};
use service::clock::Clock;
use service::keys::{Key, KeyPurpose};

use super::on_service;
use crate::cli::{Keys, KeysVerb};
use crate::failure::Failure;
use crate::output;
use crate::wiring::SystemClock;

pub(super) fn run(Keys { verb, flags }: Keys) -> Result<(), Failure> {
    on_service(&flags, async |service| match verb {
        KeysVerb::List { json } => {
            list(&service.signing_keys.keys().await?, json);
            Ok(())
        }
        KeysVerb::Rotate { json } => {
            let key = service.signing_keys.rotate().await?;
            if json {
                output::json(&to_json(&key, SystemClock.now()));
            }
            let number = key.number;
            output::message(&format!(
                "signing key {number} signs from {} on; retire the earlier key once its tokens have expired",
                key.active_from
            ));
            Ok(())
        }
        KeysVerb::Retire { number, force } => {
            service.signing_keys.retire(number, force).await?;
            output::message(&format!(
                "signing key {number} is retired: its tokens are refused within 5 seconds"
            ));
            Ok(())
        }
    })
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
