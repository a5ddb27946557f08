//! Partners with their secrets.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use domain::partner::Partner;
use rusqlite::{Connection, OptionalExtension, Row, params};
use service::storage::partners::ClockChange;
use service::storage::{NewEvent, PartnerRecord, Partners, SecretRecord, StorageError, TokenCount};

use super::row::{by, fault};
use super::{Sqlite, event, revision, token};
use crate::rows::event::EventRow;
use crate::rows::id_bytes;
use crate::rows::partner::{
    SecretRow, clock_ahead, columns, lines, prove, records, revoked, scopes_beside, with_clock,
};
use crate::seal::Seal;

fn all(from: &Connection, seal: &Seal) -> Result<Vec<PartnerRecord>, StorageError> {
    let mut list = from.prepare_cached(include_str!("../../sql/partners/list.sql")).map_err(fault)?;
    let found = list.query_map((), by(|row| columns(row, seal))).map_err(fault)?;
    let partners = found.collect::<Result<_, _>>().map_err(fault)?;
    let mut list = from.prepare_cached(include_str!("../../sql/secrets/list.sql")).map_err(fault)?;
    let found = list.query_map((), by(|row| Ok((row.get(0)?, SecretRow::columns(row)?)))).map_err(fault)?;
    let secrets = found.collect::<Result<_, _>>().map_err(fault)?;
    Ok(records(seal, partners, secrets))
}

#[async_trait]
impl Partners for Sqlite {
    async fn revision(&self) -> Result<u64, StorageError> {
        self.readers.read(revision::read)
    }

    async fn partners(&self) -> Result<Vec<PartnerRecord>, StorageError> {
        self.readers.read(|from| all(from, &self.seal))
    }

    async fn add_partner(&self, partner: &Partner, secret: &SecretRecord) -> Result<(), StorageError> {
        let proof = prove(&self.seal, partner, &partner.scopes.to_string())?;
        let (partner, secret) = (partner.clone(), SecretRow::of(&self.seal, partner.id, secret)?);
        self.writer.keep(move |to| add(to, &partner, &proof, &secret)).await
    }

    async fn change_partner(&self, partner: &Partner, clock: ClockChange) -> Result<bool, StorageError> {
        let (partner, seal) = (partner.clone(), self.seal.clone());
        self.writer.keep(move |to| change(to, &seal, &partner, clock)).await
    }

    async fn add_secret(
        &self,
        of: PartnerId,
        secret: &SecretRecord,
        most: usize,
        event: &NewEvent,
    ) -> Result<bool, StorageError> {
        let secret = SecretRow::of(&self.seal, of, secret)?;
        let events = EventRow::all(&self.seal, of, std::slice::from_ref(event))?;
        self.writer
            .keep(move |to| {
                let is_added = add_secret(to, of, &secret, most)?;
                if is_added {
                    event::note(to, &events)?;
                }
                Ok(is_added)
            })
            .await
    }

    async fn revoke_secret(
        &self,
        of: PartnerId,
        number: u32,
        at: Timestamp,
        end_tokens: bool,
        event: &NewEvent,
    ) -> Result<bool, StorageError> {
        let seal = self.seal.clone();
        let events = EventRow::all(&seal, of, std::slice::from_ref(event))?;
        self.writer
            .keep(move |to| {
                let read = include_str!("../../sql/secrets/read.sql");
                let found =
                    to.query_row(read, params![id_bytes(of), number], by(SecretRow::columns)).optional();
                let Some(found) = found.map_err(fault)? else { return Ok(false) };
                let Some(changed) = revoked(&found.open(&seal, of)?, at, end_tokens) else {
                    return Ok(false);
                };
                replace_secret(to, of, &SecretRow::of(&seal, of, &changed)?)?;
                event::note(to, &events)?;
                Ok(true)
            })
            .await
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

fn add(to: &Connection, partner: &Partner, proof: &[u8], secret: &SecretRow) -> Result<(), StorageError> {
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
            proof,
            partner.is_test(),
            clock_ahead(partner),
        ],
    )
    .map_err(fault)?;
    insert_secret(to, partner.id, secret)?;
    revision::raise(to)
}

fn change(to: &Connection, seal: &Seal, partner: &Partner, clock: ClockChange) -> Result<bool, StorageError> {
    let read = include_str!("../../sql/partners/kept.sql");
    let columns = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?));
    let kept = to.query_row(read, [id_bytes(partner.id)], columns).optional().map_err(fault)?;
    let Some((kept, ahead)) = kept else { return Ok(false) };
    let scopes = scopes_beside(&partner.scopes, &kept);
    let partner = &with_clock(partner, ahead, clock);
    let changed = to
        .execute(
            include_str!("../../sql/partners/change.sql"),
            params![
                partner.name,
                partner.enabled,
                scopes,
                partner.legacy_reads,
                partner.attribution,
                lines(&partner.origins),
                lines(&partner.return_urls),
                partner.tokens_per_hour,
                partner.tokens_ended_at.map(Timestamp::as_microsecond),
                prove(seal, partner, &scopes)?,
                clock_ahead(partner),
                id_bytes(partner.id),
            ],
        )
        .map_err(fault)?;
    revision::raise(to)?;
    Ok(changed == 1)
}

fn insert_secret(to: &Connection, of: PartnerId, secret: &SecretRow) -> Result<(), StorageError> {
    let values = params![id_bytes(of), secret.number, secret.hash, secret.added_at.as_microsecond()];
    to.execute(include_str!("../../sql/secrets/add.sql"), values).map(|_| ()).map_err(fault)
}

fn add_secret(to: &Connection, of: PartnerId, secret: &SecretRow, most: usize) -> Result<bool, StorageError> {
    let count = include_str!("../../sql/secrets/count_live.sql");
    let live: i64 = to.query_row(count, [id_bytes(of)], |row| row.get(0)).map_err(fault)?;
    if live >= most as i64 {
        return Ok(false);
    }
    insert_secret(to, of, secret)?;
    revision::raise(to)?;
    Ok(true)
}

/// Replaces what may change of a secret.
fn replace_secret(to: &Connection, of: PartnerId, secret: &SecretRow) -> Result<(), StorageError> {
    let SecretRow { number, hash, revoked_at, tokens_ended, .. } = secret;
    let revoked_at = revoked_at.map(Timestamp::as_microsecond);
    let values = params![hash, revoked_at, tokens_ended, id_bytes(of), number];
    to.execute(include_str!("../../sql/secrets/revoke.sql"), values).map_err(fault)?;
    revision::raise(to)
}
