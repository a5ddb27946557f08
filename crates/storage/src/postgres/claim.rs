//! Claims with their moves.

use async_trait::async_trait;
use domain::claim::{Claim, ClaimState};
use domain::date::Timestamp;
use domain::id::{ClaimId, PartnerId, PolicyId, Uuid};
use domain::proposal::Move;
use service::storage::lists::{ListStart, Page, Selection};
use service::storage::{Claims, StorageError};
use tokio_postgres::Row as PgRow;

use super::column::{Group, Value, get, get_id, id, most as at_most, uuid, values};
use super::list::FIRST;
use super::{Postgres, moves};
use crate::fields::Fields;
use crate::rows::claim::{Found, MOVES, Row};
use crate::rows::id_bytes;
use crate::rows::moves::MoveRow;
use crate::rows::position::Listed;
use crate::rows::state_moves::FoundMove;

/// Claims as columns of a statement, none or one, with their moves.
pub(super) struct Columns<'a> {
    of: Vec<Uuid>,
    ids: Vec<Uuid>,
    created_at: Vec<i64>,
    policies: Vec<Uuid>,
    lines: Vec<i16>,
    sessions: Vec<Option<Uuid>>,
    states: Vec<i16>,
    changed_at: Vec<i64>,
    versions: Vec<i32>,
    settle_by: Vec<i32>,
    bodies: Vec<&'a [u8]>,
    moves: moves::Columns<'a>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(claim: Option<&'a Row>) -> Self {
        let none: &[MoveRow] = &[];
        Columns {
            of: claim.iter().map(|row| id(row.of)).collect(),
            ids: claim.iter().map(|row| uuid(row.id)).collect(),
            created_at: claim.iter().map(|row| row.created_at).collect(),
            policies: claim.iter().map(|row| uuid(row.policy)).collect(),
            lines: claim.iter().map(|row| row.line).collect(),
            sessions: claim.iter().map(|row| row.session.map(id)).collect(),
            states: claim.iter().map(|row| row.state).collect(),
            changed_at: claim.iter().map(|row| row.changed_at).collect(),
            versions: claim.iter().map(|row| row.version).collect(),
            settle_by: claim.iter().map(|row| row.settle_by).collect(),
            bodies: claim.iter().map(|row| row.body.as_slice()).collect(),
            moves: moves::Columns::of(claim.map_or(none, |row| &row.moves)),
        }
    }
}

impl Group for Columns<'_> {
    fn values(&self) -> Vec<Value<'_>> {
        let claim = values![
            self.of,
            self.ids,
            self.created_at,
            self.policies,
            self.lines,
            self.sessions,
            self.states,
            self.changed_at,
            self.versions,
            self.settle_by,
            self.bodies,
        ];
        [claim.to_vec(), self.moves.values()].concat()
    }
}

#[async_trait]
impl Claims for Postgres {
    async fn claim(&self, of: PartnerId, claim: ClaimId) -> Result<Option<Claim>, StorageError> {
        let read = include_str!("../../sql/claims/read.sql");
        let found = self.connections.read_one(read, values![id(of), id(claim)]).await?;
        found.map(|row| Found::columns(Fields::of(&row))?.open(&self.seal, of)).transpose()
    }

    async fn claims(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<Claim>, StorageError> {
        let open = |row: &PgRow| Found::columns(Fields::of(row).from(FIRST))?.open(&self.seal, of);
        self.pages.claims.read(self, of, which, start, most, open).await
    }

    async fn count_claims_since(&self, of: PartnerId, since: Timestamp) -> Result<u64, StorageError> {
        let count = include_str!("../../sql/claims/count_since.sql");
        let found = self.connections.read_one(count, values![id(of), since.as_microsecond()]).await?;
        found.map_or(Ok(0), |row| get::<i64>(&row, 0)).map(i64::unsigned_abs)
    }

    async fn claims_on(&self, of: PartnerId, policy: PolicyId) -> Result<Vec<Claim>, StorageError> {
        let list = include_str!("../../sql/claims/of_policy.sql");
        let rows = self.connections.read(list, values![id(of), id(policy)]).await?;
        rows.iter().map(|row| Found::columns(Fields::of(row))?.open(&self.seal, of)).collect()
    }

    async fn owner_of_claim(&self, claim: ClaimId) -> Result<Option<PartnerId>, StorageError> {
        let read = include_str!("../../sql/claims/owner_of.sql");
        let found = self.connections.read_one(read, values![id(claim)]).await?;
        found.map(|row| get_id(&row, 0)).transpose()
    }

    async fn open_claims(&self, most: usize) -> Result<Vec<Claim>, StorageError> {
        let list = include_str!("../../sql/claims/open.sql");
        let rows = self.connections.read(list, values![at_most(most)]).await?;
        rows.iter().map(|row| Found::columns(Fields::of(row))?.open(&self.seal, get_id(row, 10)?)).collect()
    }

    async fn claim_history(
        &self,
        of: PartnerId,
        claim: ClaimId,
    ) -> Result<Vec<Move<ClaimState>>, StorageError> {
        let list = include_str!("../../sql/claim_moves/list.sql");
        let rows = self.connections.read(list, values![id(of), id(claim)]).await?;
        let open =
            |row: &PgRow| FoundMove::columns(Fields::of(row))?.open(&self.seal, MOVES, of, id_bytes(claim));
        rows.iter().map(open).collect()
    }
}
