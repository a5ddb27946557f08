//! Claims with their moves.

use async_trait::async_trait;
use domain::claim::{Claim, ClaimState};
use domain::date::Timestamp;
use domain::id::{ClaimId, PartnerId, PolicyId};
use domain::proposal::Move;
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::lists::{ListStart, Page, Selection};
use service::storage::{Claims, StorageError};

use super::list;
use super::row::{by, fault, id};
use super::{Sqlite, count};
use crate::rows::claim::{Found, MOVES, Row};
use crate::rows::id_bytes;
use crate::rows::list::List;
use crate::rows::position::Listed;
use crate::rows::state_moves::FoundMove;

/// Keeps a claim with its moves, and counts one that is new. `false`: somebody changed it meanwhile.
pub(super) fn keep(to: &Connection, claim: &Row) -> Result<bool, StorageError> {
    let mut keep = to.prepare_cached(include_str!("../../sql/claims/keep.sqlite.sql")).map_err(fault)?;
    let values = params![
        id_bytes(claim.of),
        claim.id,
        claim.created_at,
        claim.policy,
        claim.line,
        claim.session.map(id_bytes),
        claim.state,
        claim.changed_at,
        claim.version,
        claim.settle_by,
        claim.body
    ];
    if keep.execute(values).map_err(fault)? == 0 {
        return Ok(false);
    }
    add_moves(to, claim)?;
    claim.count.map_or(Ok(()), |number| count::add(to, claim.of, number))?;
    Ok(true)
}

fn add_moves(to: &Connection, claim: &Row) -> Result<(), StorageError> {
    let of = id_bytes(claim.of);
    let next = include_str!("../../sql/claim_moves/next_sequence.sqlite.sql");
    let mut next = to.prepare_cached(next).map_err(fault)?;
    let first: i64 = next.query_row(params![of, claim.id], |row| row.get(0)).map_err(fault)?;
    let mut add = to.prepare_cached(include_str!("../../sql/claim_moves/add.sqlite.sql")).map_err(fault)?;
    for (sequence, made) in (first..).zip(&claim.moves) {
        add.execute(params![of, claim.id, sequence, made.at, made.by, made.from, made.to, made.reason])
            .map_err(fault)?;
    }
    Ok(())
}

#[async_trait]
impl Claims for Sqlite {
    async fn claim(&self, of: PartnerId, id: ClaimId) -> Result<Option<Claim>, StorageError> {
        self.readers.read(|from| {
            let mut read = from.prepare_cached(include_str!("../../sql/claims/read.sql")).map_err(fault)?;
            let found = read.query_row(params![id_bytes(of), id_bytes(id)], by(Found::columns)).optional();
            found.map_err(fault)?.map(|found| found.open(&self.seal, of)).transpose()
        })
    }

    async fn claims(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<Claim>, StorageError> {
        self.readers.read(|reader| {
            let moment = reader.unchecked_transaction().map_err(fault)?;
            let list = List::claims();
            let page = list::page::<Found>(&moment, &self.seal, &list, of, &which, start, most)?;
            page.try_map(|found| found.open(&self.seal, of))
        })
    }

    async fn count_claims_since(&self, of: PartnerId, since: Timestamp) -> Result<u64, StorageError> {
        self.readers.read(|from| {
            let count = include_str!("../../sql/claims/count_since.sql");
            let mut count = from.prepare_cached(count).map_err(fault)?;
            let number =
                count.query_row(params![id_bytes(of), since.as_microsecond()], |row| row.get::<_, i64>(0));
            number.map(i64::unsigned_abs).map_err(fault)
        })
    }

    async fn claims_on(&self, of: PartnerId, policy: PolicyId) -> Result<Vec<Claim>, StorageError> {
        self.readers.read(|from| {
            let list = include_str!("../../sql/claims/of_policy.sql");
            let mut list = from.prepare_cached(list).map_err(fault)?;
            let found = list.query_map(params![id_bytes(of), id_bytes(policy)], by(Found::columns));
            found.map_err(fault)?.map(|found| found.map_err(fault)?.open(&self.seal, of)).collect()
        })
    }

    async fn owner_of_claim(&self, claim: ClaimId) -> Result<Option<PartnerId>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/claims/owner_of.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            read.query_row(params![id_bytes(claim)], |row| id(row, 0)).optional().map_err(fault)
        })
    }

    async fn open_claims(&self, most: usize) -> Result<Vec<Claim>, StorageError> {
        self.readers.read(|from| {
            let mut list = from.prepare_cached(include_str!("../../sql/claims/open.sql")).map_err(fault)?;
            let columns = by(|row| Ok((row.get(10)?, Found::columns(row)?)));
            let found = list.query_map(params![most as i64], columns).map_err(fault)?;
            found
                .map(|found| {
                    let (of, found) = found.map_err(fault)?;
                    found.open(&self.seal, of)
                })
                .collect()
        })
    }

    async fn claim_history(
        &self,
        of: PartnerId,
        claim: ClaimId,
    ) -> Result<Vec<Move<ClaimState>>, StorageError> {
        self.readers.read(|from| {
            let list = include_str!("../../sql/claim_moves/list.sql");
            let mut list = from.prepare_cached(list).map_err(fault)?;
            let values = params![id_bytes(of), id_bytes(claim)];
            let found = list.query_map(values, by(FoundMove::columns)).map_err(fault)?;
            found.map(|made| made.map_err(fault)?.open(&self.seal, MOVES, of, id_bytes(claim))).collect()
        })
    }
}
