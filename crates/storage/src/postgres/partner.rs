//! Partners with their secrets.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use domain::partner::Partner;
use service::storage::partners::ClockChange;
use service::storage::{NewEvent, PartnerRecord, Partners, SecretRecord, StorageError, TokenCount};

use super::Postgres;
use super::column::{get, id, read, values};
use super::transaction::Transaction;
use super::{event, token};
use crate::fields::Fields;
use crate::rows::event::EventRow;
use crate::rows::partner::{
    SecretRow, clock_ahead, columns, lines, prove, records, revoked, scopes_beside, with_clock,
};

async fn insert_secret(to: &Transaction, of: PartnerId, secret: &SecretRow) -> Result<(), StorageError> {
    let add = include_str!("../../sql/secrets/add.sql");
    to.execute(
        add,
        values![id(of), secret.number as i32, &secret.hash[..], secret.added_at.as_microsecond()],
    )
    .await?;
    Ok(())
}

#[async_trait]
impl Partners for Postgres {
    async fn revision(&self) -> Result<u64, StorageError> {
        let found = self.connections.read_one(include_str!("../../sql/revision/read.sql"), values![]).await?;
        let row = found.ok_or_else(|| StorageError::Damaged("the revision is gone".into()))?;
        Ok(get::<i64>(&row, 0)?.unsigned_abs())
    }

    async fn partners(&self) -> Result<Vec<PartnerRecord>, StorageError> {
        let found = self.connections.read(include_str!("../../sql/partners/list.sql"), values![]).await?;
        let partners = read(&found, |row| columns(row, &self.seal))?;
        let found = self.connections.read(include_str!("../../sql/secrets/list.sql"), values![]).await?;
        let secrets = read(&found, |row| Ok((row.get(0)?, SecretRow::columns(row)?)))?;
        Ok(records(&self.seal, partners, secrets))
    }

    async fn add_partner(&self, partner: &Partner, secret: &SecretRecord) -> Result<(), StorageError> {
        let proof = prove(&self.seal, partner, &partner.scopes.to_string())?;
        let secret = SecretRow::of(&self.seal, partner.id, secret)?;
        let change = self.begin_change().await?;
        change
            .execute(
                include_str!("../../sql/partners/add.sql"),
                values![
                    id(partner.id),
                    partner.client_id,
                    partner.name,
                    partner.enabled,
                    partner.scopes.to_string(),
                    partner.legacy_reads,
                    partner.attribution,
                    lines(&partner.origins),
                    lines(&partner.return_urls),
                    i64::from(partner.tokens_per_hour),
                    partner.tokens_ended_at.map(Timestamp::as_microsecond),
                    partner.created_at.as_microsecond(),
                    proof,
                    partner.is_test(),
                    clock_ahead(partner),
                ],
            )
            .await?;
        insert_secret(&change, partner.id, &secret).await?;
        Ok(change.commit().await?)
    }

    async fn change_partner(&self, partner: &Partner, clock: ClockChange) -> Result<bool, StorageError> {
        let change = self.begin_change().await?;
        let read = include_str!("../../sql/partners/kept.sql");
        let kept = change.execute(read, values![id(partner.id)]).await?.rows;
        let Some(row) = kept.first() else { return Ok(false) };
        let scopes = scopes_beside(&partner.scopes, get(row, 0)?);
        let partner = &with_clock(partner, get(row, 1)?, clock);
        let outcome = change
            .execute(
                include_str!("../../sql/partners/change.sql"),
                values![
                    partner.name,
                    partner.enabled,
                    scopes,
                    partner.legacy_reads,
                    partner.attribution,
                    lines(&partner.origins),
                    lines(&partner.return_urls),
                    i64::from(partner.tokens_per_hour),
                    partner.tokens_ended_at.map(Timestamp::as_microsecond),
                    prove(&self.seal, partner, &scopes)?,
                    clock_ahead(partner),
                    id(partner.id),
                ],
            )
            .await?;
        change.commit().await?;
        Ok(outcome.changed == 1)
    }

    async fn add_secret(
        &self,
        of: PartnerId,
        secret: &SecretRecord,
        most: usize,
        event: &NewEvent,
    ) -> Result<bool, StorageError> {
        let change = self.begin_change().await?;
        let live =
            change.execute(include_str!("../../sql/secrets/count_live.sql"), values![id(of)]).await?.rows;
        if live.first().map_or(Ok(0), |row| get::<i64>(row, 0))? >= most as i64 {
            return Ok(false);
        }
        insert_secret(&change, of, &SecretRow::of(&self.seal, of, secret)?).await?;
        event::note(&change, &EventRow::all(&self.seal, of, std::slice::from_ref(event))?).await?;
        change.commit().await?;
        Ok(true)
    }

    async fn revoke_secret(
        &self,
        of: PartnerId,
        number: u32,
        at: Timestamp,
        end_tokens: bool,
        event: &NewEvent,
    ) -> Result<bool, StorageError> {
        let change = self.begin_change().await?;
        let read = include_str!("../../sql/secrets/read.sql");
        let found = change.execute(read, values![id(of), number as i32]).await?.rows;
        let Some(row) = found.first() else { return Ok(false) };
        let found = SecretRow::columns(Fields::of(row))?.open(&self.seal, of)?;
        let Some(changed) = revoked(&found, at, end_tokens) else { return Ok(false) };
        let SecretRow { hash, revoked_at, tokens_ended, .. } = SecretRow::of(&self.seal, of, &changed)?;
        let revoked_at = revoked_at.map(Timestamp::as_microsecond);
        let revoke = include_str!("../../sql/secrets/revoke.sql");
        change.execute(revoke, values![hash, revoked_at, tokens_ended, id(of), number as i32]).await?;
        event::note(&change, &EventRow::all(&self.seal, of, std::slice::from_ref(event))?).await?;
        change.commit().await?;
        Ok(true)
    }

    async fn count_token(
        &self,
        of: PartnerId,
        token: Uuid,
        at: Timestamp,
        limit: u32,
    ) -> Result<TokenCount, StorageError> {
        token::count(&self.connections, of, token, at, limit).await
    }
}
