//! Papers of claims, in parts.

use async_trait::async_trait;
use domain::claim::ClaimDocument;
use domain::date::Timestamp;
use domain::id::{ClaimDocumentId, ClaimId, PartnerId, PolicyId};
use service::storage::claims::PaperUsage;
use service::storage::{ClaimPapers, StorageError};

use super::Postgres;
use super::column::{get, get_id, id, most as at_most, values};
use crate::fields::Fields;
use crate::rows::claim::{PaperRow, open_part, seal_part};

#[async_trait]
impl ClaimPapers for Postgres {
    async fn begin_paper(&self, of: PartnerId, paper: &ClaimDocument) -> Result<(), StorageError> {
        let row = PaperRow::of(&self.seal, of, paper, false)?;
        let begin = include_str!("../../sql/claim_papers/begin.sql");
        let (of, paper, claim) = (id(of), id(row.id), id(row.claim));
        let added_at = row.added_at.as_microsecond();
        let values = values![of, paper, claim, added_at, row.bytes, row.is_whole, row.body];
        self.connections.write(begin, values).await?;
        Ok(())
    }

    async fn add_part(
        &self,
        of: PartnerId,
        paper: ClaimDocumentId,
        number: u32,
        bytes: &[u8],
    ) -> Result<(), StorageError> {
        let sealed = seal_part(&self.seal, of, paper, number, bytes)?;
        let add = include_str!("../../sql/claim_parts/add.sql");
        self.connections.write(add, values![id(of), id(paper), number as i32, sealed]).await?;
        Ok(())
    }

    async fn finish_paper(
        &self,
        of: PartnerId,
        paper: &ClaimDocument,
        most: u64,
    ) -> Result<bool, StorageError> {
        let row = PaperRow::of(&self.seal, of, paper, true)?;
        let finish = include_str!("../../sql/claim_papers/finish.postgres.sql");
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let (of, claim, paper) = (id(of), id(row.claim), id(row.id));
        let values = values![of, claim, paper, row.bytes, most, row.body];
        Ok(!self.connections.write(finish, values).await?.rows.is_empty())
    }

    async fn paper_usage(
        &self,
        of: PartnerId,
        claim: ClaimId,
        policy: PolicyId,
        since: Timestamp,
    ) -> Result<PaperUsage, StorageError> {
        let usage = include_str!("../../sql/claim_papers/usage.sql");
        let (of, claim, policy, since) = (id(of), id(claim), id(policy), since.as_microsecond());
        let rows = self.connections.read(usage, values![of, claim, policy, since]).await?;
        let number =
            |column| rows.first().map_or(Ok(0), |row| get::<i64>(row, column)).map(i64::unsigned_abs);
        Ok(PaperUsage {
            papers_of_claim: number(0)?,
            bytes_of_claim: number(1)?,
            bytes_of_policy: number(2)?,
            papers_of_day: number(3)?,
            bytes_of_day: number(4)?,
        })
    }

    async fn drop_paper(&self, of: PartnerId, paper: ClaimDocumentId) -> Result<(), StorageError> {
        let drop = include_str!("../../sql/claim_papers/drop.postgres.sql");
        self.connections.write(drop, values![id(of), id(paper)]).await?;
        Ok(())
    }

    async fn forget_unfinished_papers(&self, before: Timestamp, most: usize) -> Result<usize, StorageError> {
        let list = include_str!("../../sql/claim_papers/unfinished.postgres.sql");
        let rows = self.connections.read(list, values![before.as_microsecond(), at_most(most)]).await?;
        for row in &rows {
            self.drop_paper(get_id(row, 0)?, get_id(row, 1)?).await?;
        }
        Ok(rows.len())
    }

    async fn papers(&self, of: PartnerId, claim: ClaimId) -> Result<Vec<ClaimDocument>, StorageError> {
        let list = include_str!("../../sql/claim_papers/list.sql");
        let rows = self.connections.read(list, values![id(of), id(claim)]).await?;
        rows.iter().map(|row| PaperRow::columns(Fields::of(row))?.open(&self.seal, of)).collect()
    }

    async fn paper(
        &self,
        of: PartnerId,
        claim: ClaimId,
        paper: ClaimDocumentId,
    ) -> Result<Option<ClaimDocument>, StorageError> {
        let read = include_str!("../../sql/claim_papers/read.sql");
        let found = self.connections.read_one(read, values![id(of), id(paper), id(claim)]).await?;
        found.map(|row| PaperRow::columns(Fields::of(&row))?.open(&self.seal, of)).transpose()
    }

    async fn part(
        &self,
        of: PartnerId,
        paper: ClaimDocumentId,
        number: u32,
    ) -> Result<Option<Vec<u8>>, StorageError> {
        let read = include_str!("../../sql/claim_parts/read.sql");
        let found = self.connections.read_one(read, values![id(of), id(paper), number as i32]).await?;
        found.map(|row| open_part(&self.seal, of, paper, number, get::<&[u8]>(&row, 0)?)).transpose()
    }
}
