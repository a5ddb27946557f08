//! The store's keys (D4).

use clap::{Args, ValueEnum};
use domain::date::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::keys::{Key, KeyPurpose};
use utoipa::ToSchema;

use crate::act::{About, Act, Needs, On, Result, get, post, verbs};
use crate::answer::Answer;
use crate::progress::Progress;
use crate::record::minute;

verbs! {
    /// Verbs of `covernote keys`
    KeysVerb {
        List(ListKeys),
        Rotate(RotateKey),
        Retire(RetireKey),
    }
}

/// List the keys without their secrets
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListKeys {}

impl Act for ListKeys {
    const ABOUT: About = get("keys.list", "/keys", &[]).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let (keys, now) = (on.service.keys.keys().await?, on.service.installation.now());
        let row = |key: &Key| {
            vec![
                key.number.to_string(),
                key.purpose.word().into(),
                state(key, now).into(),
                minute(key.created_at),
            ]
        };
        let json = json!({ "keys": keys.iter().map(|key| to_json(key, now)).collect::<Vec<_>>() });
        let mut answer =
            Answer::of(json).table(&["number", "purpose", "state", "created"], keys.iter().map(row));
        let signs = |key: &&Key| key.purpose == KeyPurpose::Signing && key.retired_at.is_none();
        if keys.iter().filter(signs).count() > 1 {
            answer.message("Two signing keys are live; tokens of both are accepted.");
        }
        Ok(answer)
    }
}

/// Add a key while servers run; the earlier key stays valid until it is retired. For data and lookup keys,
/// the command also rewrites every row with the new key and then retires the earlier key; repeat the command
/// to continue a stopped rotation
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RotateKey {
    /// Purpose of the key
    #[arg(value_enum, default_value_t = Purpose::Signing)]
    #[serde(default)]
    purpose: Purpose,
}

impl Act for RotateKey {
    const ABOUT: About = post("keys.rotate", "/keys", &[]).irreversible().needs(Needs::Store).in_steps();

    async fn run(self, on: &On) -> Result<Answer> {
        let (keys, purpose) = (&on.service.keys, purpose_of(self.purpose));
        let word = purpose.word();
        let unfinished = if purpose.has_rows() { keys.unfinished(purpose).await? } else { None };
        let (key, goes_on) = match unfinished {
            Some(key) => (key, true),
            None => (keys.rotate(purpose).await?, false),
        };
        let (number, now) = (key.number, on.service.installation.now());
        let mut json = to_json(&key, now);
        if !purpose.has_rows() {
            return Ok(Answer::of(json).saying(format!(
                "{word} key {number} is used from {}; run 'keys retire' for the earlier key when nothing made with that key is in use",
                key.active_from
            )));
        }
        let mut progress = Progress::of(RotateKey::ABOUT.name);
        let renewed = keys.renew(&key, &mut |rows, all| progress.tell(rows, Some(all))).await?;
        json["rows"] = renewed.rows.into();
        json["renewed"] = renewed.changed.into();
        json["unreadable"] = renewed.unreadable.into();
        let mut answer = Answer::of(json);
        if goes_on {
            answer.message(format!("continuing the rotation to {word} key {number}"));
        }
        renewed.listed.iter().for_each(|line| answer.message(line));
        Ok(match renewed.unreadable {
            0 => answer.saying(format!(
                "{} rows now use {word} key {number}; the earlier key is retired",
                renewed.rows
            )),
            unreadable => answer.refusing(vec![format!(
                "{unreadable} rows cannot be read and are unchanged; the earlier {word} key stays live. 'backup \
                 --verify' lists every damaged row"
            )]),
        })
    }
}

/// Retire a key; everything that was made with this key, such as a token, is then refused
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RetireKey {
    /// Number of the key, as 'keys list' shows it
    number: u32,
    /// Retire the key even if something made with it, such as a token, may still be in use
    #[arg(long)]
    #[serde(default)]
    force: bool,
}

impl Act for RetireKey {
    const ABOUT: About = post("keys.retire", "/keys/retirement", &[]).irreversible().needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let purpose = on.service.keys.retire(self.number, self.force).await?;
        let json = json!({ "number": self.number, "purpose": purpose.word() });
        Ok(Answer::of(json).saying(format!(
            "{} key {} is retired: everything made with this key is refused within 5 seconds",
            purpose.word(),
            self.number
        )))
    }
}

fn state(key: &Key, now: Timestamp) -> &'static str {
    match key {
        Key { retired_at: Some(_), .. } => "retired",
        Key { active_from, .. } if *active_from > now => "coming",
        _ => "live",
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

/// Purpose of a key
#[derive(Debug, Clone, Copy, Default, ValueEnum, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Purpose {
    /// Signs tokens
    #[default]
    Signing,
    /// Encrypts personal data
    Data,
    /// Hashes the lead ids and user ids by which quotes are found
    Lookup,
    /// Signs addresses of certificates and of status pages
    Address,
    /// Hashes idempotency keys
    Idempotency,
    /// Authenticates the cursors with which partners request the next page of a list
    Cursor,
    /// Links the entries of the audit trail by keyed hashes, and signs the newest entries
    Audit,
}

fn purpose_of(purpose: Purpose) -> KeyPurpose {
    match purpose {
        Purpose::Signing => KeyPurpose::Signing,
        Purpose::Data => KeyPurpose::Data,
        Purpose::Lookup => KeyPurpose::Lookup,
        Purpose::Address => KeyPurpose::Address,
        Purpose::Idempotency => KeyPurpose::Idempotency,
        Purpose::Cursor => KeyPurpose::Cursor,
        Purpose::Audit => KeyPurpose::Audit,
    }
}
