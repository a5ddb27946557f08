//! Papers of claims, in parts.

use async_trait::async_trait;
use domain::claim::ClaimDocument;
use domain::date::Timestamp;
use domain::id::{ClaimDocumentId, ClaimId, PartnerId, PolicyId};
use rusqlite::{Connection, OptionalExtension, Row, params};
use service::storage::claims::PaperUsage;
use service::storage::{ClaimPapers, StorageError};

use super::Sqlite;
use super::row::{by, fault};
use super::writer::Act;
use crate::rows::claim::{PaperRow, open_part, seal_part};
use crate::rows::id_bytes;

/// Removes a paper that is not whole, with its parts.
fn drop_one(to: &Connection, of: [u8; 16], paper: [u8; 16]) -> rusqlite::Result<()> {
    let mut drop = to.prepare_cached(include_str!("../../sql/claim_papers/drop.sqlite.sql"))?;
    if drop.execute(params![of, paper])? > 0 {
        to.prepare_cached(include_str!("../../sql/claim_parts/drop.sqlite.sql"))?
            .execute(params![of, paper])?;
    }
    Ok(())
}

#[async_trait]
impl ClaimPapers for Sqlite {
    async fn begin_paper(&self, of: PartnerId, paper: &ClaimDocument) -> Result<(), StorageError> {
        let row = PaperRow::of(&self.seal, of, paper, false)?;
        self.writer
            .keep(move |to| {
                let begin = include_str!("../../sql/claim_papers/begin.sql");
                let values = params![
                    id_bytes(of),
                    id_bytes(row.id),
                    id_bytes(row.claim),
                    row.added_at.as_microsecond(),
                    row.bytes,
                    row.is_whole,
                    row.body
                ];
                to.prepare_cached(begin).and_then(|mut begin| begin.execute(values)).map_err(fault)?;
                Ok(())
            })
            .await
    }

    async fn add_part(
        &self,
        of: PartnerId,
        paper: ClaimDocumentId,
        number: u32,
        bytes: &[u8],
    ) -> Result<(), StorageError> {
        let sealed = seal_part(&self.seal, of, paper, number, bytes)?;
        self.writer
            .keep_bulk(move |to| {
                let add = include_str!("../../sql/claim_parts/add.sql");
                let values = params![id_bytes(of), id_bytes(paper), number, sealed];
                to.prepare_cached(add).and_then(|mut add| add.execute(values)).map_err(fault)?;
                Ok(())
            })
            .await
    }

    async fn finish_paper(
        &self,
        of: PartnerId,
        paper: &ClaimDocument,
        most: u64,
    ) -> Result<bool, StorageError> {
        let row = PaperRow::of(&self.seal, of, paper, true)?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.writer
            .decide(move |to| {
                let room = include_str!("../../sql/claims/add_paper.sqlite.sql");
                let mut room = to.prepare_cached(room).map_err(fault)?;
                let values = params![row.bytes, id_bytes(of), id_bytes(row.claim), row.bytes, most];
                if room.execute(values).map_err(fault)? == 0 {
                    return Ok(Act::Undo(false));
                }
                let finish = include_str!("../../sql/claim_papers/finish.sqlite.sql");
                let mut finish = to.prepare_cached(finish).map_err(fault)?;
                let values = params![row.bytes, row.body, id_bytes(of), id_bytes(row.id)];
                match finish.execute(values).map_err(fault)? {
                    0 => Ok(Act::Undo(false)),
                    _ => Ok(Act::Keep(true)),
                }
            })
            .await
    }

    async fn paper_usage(
        &self,
        of: PartnerId,
        claim: ClaimId,
        policy: PolicyId,
        since: Timestamp,
    ) -> Result<PaperUsage, StorageError> {
        self.readers.read(|from| {
            let usage = include_str!("../../sql/claim_papers/usage.sql");
            let mut usage = from.prepare_cached(usage).map_err(fault)?;
            let values = params![id_bytes(of), id_bytes(claim), id_bytes(policy), since.as_microsecond()];
            let number = |row: &Row<'_>, column| row.get::<_, i64>(column).map(i64::unsigned_abs);
            let read = |row: &Row<'_>| {
                Ok(PaperUsage {
                    papers_of_claim: number(row, 0)?,
                    bytes_of_claim: number(row, 1)?,
                    bytes_of_policy: number(row, 2)?,
                    papers_of_day: number(row, 3)?,
                    bytes_of_day: number(row, 4)?,
                })
            };
            usage.query_row(values, read).map_err(fault)
        })
    }

    async fn drop_paper(&self, of: PartnerId, paper: ClaimDocumentId) -> Result<(), StorageError> {
        let (of, paper) = (id_bytes(of), id_bytes(paper));
        self.writer.keep(move |to| drop_one(to, of, paper).map_err(fault)).await
    }

    async fn forget_unfinished_papers(&self, before: Timestamp, most: usize) -> Result<usize, StorageError> {
        let before = before.as_microsecond();
        let list = include_str!("../../sql/claim_papers/unfinished.sqlite.sql");
        let found: Vec<([u8; 16], [u8; 16])> = self.readers.read(|from| {
            let mut list = from.prepare_cached(list).map_err(fault)?;
            let rows = list.query_map(params![before, most as i64], |row| Ok((row.get(0)?, row.get(1)?)));
            rows.map_err(fault)?.collect::<Result<_, _>>().map_err(fault)
        })?;
        let number = found.len();
        if number > 0 {
            let drop = move |to: &Connection| -> Result<(), StorageError> {
                found.iter().try_for_each(|(of, paper)| drop_one(to, *of, *paper)).map_err(fault)
            };
            self.writer.keep(drop).await?;
        }
        Ok(number)
    }

    async fn papers(&self, of: PartnerId, claim: ClaimId) -> Result<Vec<ClaimDocument>, StorageError> {
        self.readers.read(|from| {
            let list = include_str!("../../sql/claim_papers/list.sql");
            let mut list = from.prepare_cached(list).map_err(fault)?;
            let found = list
                .query_map(params![id_bytes(of), id_bytes(claim)], by(PaperRow::columns))
                .map_err(fault)?;
            found.map(|found| found.map_err(fault)?.open(&self.seal, of)).collect()
        })
    }

    async fn paper(
        &self,
        of: PartnerId,
        claim: ClaimId,
        id: ClaimDocumentId,
    ) -> Result<Option<ClaimDocument>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/claim_papers/read.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            let values = params![id_bytes(of), id_bytes(id), id_bytes(claim)];
            let found = read.query_row(values, by(PaperRow::columns)).optional().map_err(fault)?;
            found.map(|found| found.open(&self.seal, of)).transpose()
        })
    }

    async fn part(
        &self,
        of: PartnerId,
        paper: ClaimDocumentId,
        number: u32,
    ) -> Result<Option<Vec<u8>>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/claim_parts/read.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            let values = params![id_bytes(of), id_bytes(paper), number];
            let sealed: Option<Vec<u8>> =
                read.query_row(values, |row| row.get(0)).optional().map_err(fault)?;
            sealed.map(|sealed| open_part(&self.seal, of, paper, number, &sealed)).transpose()
        })
    }
}
