//! Partners with their secrets.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use domain::partner::Partner;
use rusqlite::{Connection, OptionalExtension, Row, params};
use service::storage::{PartnerRecord, Partners, SecretRecord, StorageError, TokenCount};

use super::row::{fault, id, instant, optional_instant};
use super::{Sqlite, revision, token};
use crate::rows::id_bytes;
use crate::rows::partner::{lines, of_lines, of_words, scopes_beside};

pub(super) fn all(from: &Connection) -> Result<Vec<PartnerRecord>, StorageError> {
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

#[async_trait]
impl Partners for Sqlite {
    async fn revision(&self) -> Result<u64, StorageError> {
        self.readers.read(revision::read)
    }

    async fn partners(&self) -> Result<Vec<PartnerRecord>, StorageError> {
        self.readers.read(all)
    }

    async fn add_partner(&self, partner: &Partner, secret: &SecretRecord) -> Result<(), StorageError> {
        let (partner, secret) = (partner.clone(), secret.clone());
        self.writer.keep(move |to| add(to, &partner, &secret)).await
    }

    async fn change_partner(&self, partner: &Partner) -> Result<bool, StorageError> {
        let partner = partner.clone();
        self.writer.keep(move |to| change(to, &partner)).await
    }

    async fn add_secret(
        &self,
        of: PartnerId,
        secret: &SecretRecord,
        most: usize,
    ) -> Result<bool, StorageError> {
        let secret = secret.clone();
        self.writer.keep(move |to| add_secret(to, of, &secret, most)).await
    }

    async fn revoke_secret(
        &self,
        of: PartnerId,
        number: u32,
        at: Timestamp,
        end_tokens: bool,
    ) -> Result<bool, StorageError> {
        self.writer.keep(move |to| revoke_secret(to, of, number, at, end_tokens)).await
    }

    async fn count_token(
        &self,
        of: PartnerId,
        token: Uuid,
        at: Timestamp,
        limit: u32,
    ) -> Result<TokenCount, StorageError> {
        self.writer.keep(move |to| token::count(to, of, token, at, limit)).await
    }
}

fn partner(row: &Row<'_>) -> rusqlite::Result<Partner> {
    Ok(Partner {
        id: id(row, 0)?,
        client_id: row.get(1)?,
        name: row.get(2)?,
        enabled: row.get(3)?,
        scopes: of_words(&row.get::<_, String>(4)?),
        legacy_reads: row.get(5)?,
        attribution: row.get(6)?,
        origins: of_lines(&row.get::<_, String>(7)?),
        return_urls: of_lines(&row.get::<_, String>(8)?),
        tokens_per_hour: row.get(9)?,
        tokens_ended_at: optional_instant(row, 10)?,
        created_at: instant(row, 11)?,
    })
}

fn secret(row: &Row<'_>) -> rusqlite::Result<SecretRecord> {
    Ok(SecretRecord {
        number: row.get(1)?,
        hash: row.get(2)?,
        added_at: instant(row, 3)?,
        revoked_at: optional_instant(row, 4)?,
        tokens_ended: row.get(5)?,
    })
}

fn add(to: &Connection, partner: &Partner, secret: &SecretRecord) -> Result<(), StorageError> {
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
            lines(&partner.origins),
            lines(&partner.return_urls),
            partner.tokens_per_hour,
            partner.tokens_ended_at.map(Timestamp::as_microsecond),
            partner.created_at.as_microsecond(),
        ],
    )
    .map_err(fault)?;
    insert_secret(to, partner.id, secret)?;
    revision::raise(to)
}

fn change(to: &Connection, partner: &Partner) -> Result<bool, StorageError> {
    let read = include_str!("../../sql/partners/scopes.sql");
    let kept = to.query_row(read, [id_bytes(partner.id)], |row| row.get(0)).optional().map_err(fault)?;
    let Some(kept): Option<String> = kept else { return Ok(false) };
    let changed = to
        .execute(
            include_str!("../../sql/partners/change.sql"),
            params![
                partner.name,
                partner.enabled,
                scopes_beside(&partner.scopes, &kept),
                partner.legacy_reads,
                partner.attribution,
                lines(&partner.origins),
                lines(&partner.return_urls),
                partner.tokens_per_hour,
                partner.tokens_ended_at.map(Timestamp::as_microsecond),
                id_bytes(partner.id),
            ],
        )
        .map_err(fault)?;
    revision::raise(to)?;
    Ok(changed == 1)
}

fn insert_secret(to: &Connection, of: PartnerId, secret: &SecretRecord) -> Result<(), StorageError> {
    let values = params![id_bytes(of), secret.number, secret.hash, secret.added_at.as_microsecond()];
    to.execute(include_str!("../../sql/secrets/add.sql"), values).map(|_| ()).map_err(fault)
}

fn add_secret(
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
    revision::raise(to)?;
    Ok(true)
}

fn revoke_secret(
    to: &Connection,
    of: PartnerId,
    number: u32,
    at: Timestamp,
    end_tokens: bool,
) -> Result<bool, StorageError> {
    let values = params![at.as_microsecond(), end_tokens, id_bytes(of), number];
    let changed = to.execute(include_str!("../../sql/secrets/revoke.sql"), values).map_err(fault)?;
    revision::raise(to)?;
    Ok(changed == 1)
}
