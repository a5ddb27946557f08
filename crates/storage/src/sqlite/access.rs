//! Partners, secrets, keys, token counts: who may call, and how often.

use domain::access::{Scope, Scopes};
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use domain::partner::Partner;
use domain::text::FromText;
use rusqlite::{Connection, OptionalExtension, Row, params};
use service::clock::Chance;
use service::keys::{Key, KeyPurpose};
use service::storage::{PartnerRecord, SecretRecord, StorageError, TokenCount};

use super::row::{fault, id, id_bytes, instant, optional_instant};
use crate::keyring::Keyring;
use crate::seal::{unwrap, wrap};

/// The sliding hour, in microseconds (D6).
const HOUR: i64 = 3_600_000_000;

pub(super) fn revision(from: &Connection) -> Result<u64, StorageError> {
    let mut read = from.prepare_cached(include_str!("../../sql/revision/read.sql")).map_err(fault)?;
    let number: i64 = read.query_row((), |row| row.get(0)).map_err(fault)?;
    Ok(number.unsigned_abs())
}

fn raise_revision(to: &Connection) -> Result<(), StorageError> {
    to.execute(include_str!("../../sql/revision/raise.sql"), ()).map(|_| ()).map_err(fault)
}

pub(super) fn partners(from: &Connection) -> Result<Vec<PartnerRecord>, StorageError> {
    let mut list = from.prepare_cached(include_str!("../../sql/partners/list.sql")).map_err(fault)?;
    let found = list.query_map((), partner).map_err(fault)?;
    let mut records = found
        .map(|partner| partner.map(|partner| PartnerRecord { partner, secrets: Vec::new() }))
        .collect::<Result<Vec<_>, _>>()
        .map_err(fault)?;
    let mut list = from.prepare_cached(include_str!("../../sql/secrets/list.sql")).map_err(fault)?;
    let secrets = list.query_map((), |row| Ok((id(row, 0)?, secret(row)?))).map_err(fault)?;
    for found in secrets {
        let (of, secret): (PartnerId, SecretRecord) = found.map_err(fault)?;
        if let Some(record) = records.iter_mut().find(|record| record.partner.id == of) {
            record.secrets.push(secret);
        }
    }
    Ok(records)
}

fn partner(row: &Row<'_>) -> rusqlite::Result<Partner> {
    let lines = |text: String| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let scopes: String = row.get(4)?;
    Ok(Partner {
        id: id(row, 0)?,
        client_id: row.get(1)?,
        name: row.get(2)?,
        enabled: row.get(3)?,
        // A scope that this program does not know is one that it cannot grant.
        scopes: scopes.split(' ').filter_map(|word| Scope::from_text(word).ok()).collect::<Scopes>(),
        legacy_reads: row.get(5)?,
        attribution: row.get(6)?,
        origins: lines(row.get(7)?),
        return_urls: lines(row.get(8)?),
        tokens_per_hour: row.get(9)?,
        created_at: instant(row, 10)?,
    })
}

fn secret(row: &Row<'_>) -> rusqlite::Result<SecretRecord> {
    Ok(SecretRecord {
        number: row.get(1)?,
        hash: row.get(2)?,
        added_at: instant(row, 3)?,
        revoked_at: optional_instant(row, 4)?,
    })
}

pub(super) fn add_partner(
    to: &Connection,
    partner: &Partner,
    secret: &SecretRecord,
) -> Result<(), StorageError> {
    to.execute(
        include_str!("../../sql/partners/add.sql"),
        params![
            id_bytes(partner.id),
            partner.client_id,
            partner.name,
            partner.enabled,
            partner.scopes.to_string(),
            partner.legacy_reads,
            partner.attribution,
            partner.origins.join("\n"),
            partner.return_urls.join("\n"),
            partner.tokens_per_hour,
            partner.created_at.as_microsecond(),
        ],
    )
    .map_err(fault)?;
    insert_secret(to, partner.id, secret)?;
    raise_revision(to)
}

pub(super) fn change_partner(to: &Connection, partner: &Partner) -> Result<bool, StorageError> {
    let changed = to
        .execute(
            include_str!("../../sql/partners/change.sql"),
            params![
                partner.name,
                partner.enabled,
                partner.scopes.to_string(),
                partner.legacy_reads,
                partner.attribution,
                partner.origins.join("\n"),
                partner.return_urls.join("\n"),
                partner.tokens_per_hour,
                id_bytes(partner.id),
            ],
        )
        .map_err(fault)?;
    raise_revision(to)?;
    Ok(changed == 1)
}

fn insert_secret(to: &Connection, of: PartnerId, secret: &SecretRecord) -> Result<(), StorageError> {
    let values = params![id_bytes(of), secret.number, secret.hash, secret.added_at.as_microsecond()];
    to.execute(include_str!("../../sql/secrets/add.sql"), values).map(|_| ()).map_err(fault)
}

pub(super) fn add_secret(
    to: &Connection,
    of: PartnerId,
    secret: &SecretRecord,
    most: usize,
) -> Result<bool, StorageError> {
    let count = include_str!("../../sql/secrets/count_live.sql");
    let live: i64 = to.query_row(count, [id_bytes(of)], |row| row.get(0)).map_err(fault)?;
    if live >= most as i64 {
        return Ok(false);
    }
    insert_secret(to, of, secret)?;
    raise_revision(to)?;
    Ok(true)
}

pub(super) fn revoke_secret(
    to: &Connection,
    of: PartnerId,
    number: u32,
    at: Timestamp,
) -> Result<bool, StorageError> {
    let values = params![at.as_microsecond(), id_bytes(of), number];
    let changed = to.execute(include_str!("../../sql/secrets/revoke.sql"), values).map_err(fault)?;
    raise_revision(to)?;
    Ok(changed == 1)
}

pub(super) fn keys(from: &Connection, keyring: &Keyring) -> Result<Vec<Key>, StorageError> {
    let mut list = from.prepare_cached(include_str!("../../sql/keys/list.sql")).map_err(fault)?;
    let mut rows = list.query(()).map_err(fault)?;
    let mut keys = Vec::new();
    while let Some(row) = rows.next().map_err(fault)? {
        let number: u32 = row.get(0).map_err(fault)?;
        let purpose: String = row.get(1).map_err(fault)?;
        let wrapped: Vec<u8> = row.get(2).map_err(fault)?;
        let purpose = KeyPurpose::of_word(&purpose)
            .ok_or_else(|| StorageError::Damaged(format!("key {number} is for something unknown")))?;
        keys.push(Key {
            number,
            purpose,
            secret: unwrap(keyring, number, &wrapped)?,
            created_at: instant(row, 3).map_err(fault)?,
            active_from: instant(row, 4).map_err(fault)?,
            retired_at: optional_instant(row, 5).map_err(fault)?,
        });
    }
    Ok(keys)
}

pub(super) fn add_key(
    to: &Connection,
    keyring: &Keyring,
    chance: &dyn Chance,
    purpose: KeyPurpose,
    secret: [u8; 32],
    created_at: Timestamp,
    active_from: Timestamp,
) -> Result<Key, StorageError> {
    let next = include_str!("../../sql/keys/next_number.sql");
    let number: u32 = to.query_row(next, (), |row| row.get(0)).map_err(fault)?;
    let wrapped = wrap(keyring, chance, number, &secret)?;
    let values =
        params![number, purpose.word(), wrapped, created_at.as_microsecond(), active_from.as_microsecond()];
    to.execute(include_str!("../../sql/keys/add.sql"), values).map_err(fault)?;
    raise_revision(to)?;
    Ok(Key { number, purpose, secret, created_at, active_from, retired_at: None })
}

pub(super) fn retire_key(to: &Connection, number: u32, at: Timestamp) -> Result<bool, StorageError> {
    let retire = include_str!("../../sql/keys/retire.sql");
    let changed = to.execute(retire, params![at.as_microsecond(), number]).map_err(fault)?;
    raise_revision(to)?;
    Ok(changed == 1)
}

pub(super) fn count_token(
    to: &Connection,
    of: PartnerId,
    token: Uuid,
    at: Timestamp,
    limit: u32,
) -> Result<TokenCount, StorageError> {
    let (of, at) = (id_bytes(of), at.as_microsecond());
    let mut forget = to.prepare_cached(include_str!("../../sql/tokens/forget_old.sql")).map_err(fault)?;
    forget.execute(params![of, at - HOUR]).map_err(fault)?;
    let mut count = to.prepare_cached(include_str!("../../sql/tokens/count.sql")).map_err(fault)?;
    let counted = count.query_row([of], |row| Ok((row.get::<_, u32>(0)?, row.get::<_, Option<i64>>(1)?)));
    let (counted, oldest) = counted.optional().map_err(fault)?.unwrap_or((0, None));
    if counted >= limit {
        let free_at = Timestamp::from_microsecond(oldest.unwrap_or(at) + HOUR);
        let free_at =
            free_at.map_err(|_| StorageError::Damaged("a token was counted outside the calendar".into()))?;
        return Ok(TokenCount::Exhausted { free_at });
    }
    let mut add = to.prepare_cached(include_str!("../../sql/tokens/add.sql")).map_err(fault)?;
    add.execute(params![of, at, token.as_bytes()]).map_err(fault)?;
    Ok(TokenCount::Counted)
}
