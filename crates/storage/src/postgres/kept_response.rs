//! Responses kept under idempotency keys (D36). A unique index decides between twins: the loser's statement is undone whole.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use service::storage::responses::{IdempotencyKeyHash, StoredResponse};
use service::storage::{Responses, StorageError};

use super::Postgres;
use super::column::{Group, Value, get, get_instant, id, most as at_most, uuid, values};
use super::connections::Fault;
use crate::rows::kept_response::{Row, open};

/// The unique index that decides between twins.
const UNIQUE_KEY: &str = "one_response_for_a_key";

/// Responses as columns of a statement: none or some.
#[derive(Default)]
pub(super) struct Columns<'a> {
    of: Vec<Uuid>,
    keys: Vec<&'a [u8]>,
    kept_at: Vec<i64>,
    bodies: Vec<&'a [u8]>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(response: Option<&'a Row>) -> Self {
        let mut columns = Columns::default();
        if let Some(Row { of, key, kept_at, body }) = response {
            columns.of.push(uuid(*of));
            columns.keys.push(key);
            columns.kept_at.push(*kept_at);
            columns.bodies.push(body);
        }
        columns
    }
}

impl Group for Columns<'_> {
    fn values(&self) -> Vec<Value<'_>> {
        values![self.of, self.keys, self.kept_at, self.bodies].to_vec()
    }
}

/// How an act with a response went.
pub(super) enum KeyOutcome<T> {
    Done(T),
    /// Another request with the same key was first; nothing was done.
    Twin,
    /// The key's day is over, and it was dropped: the act is to be done again.
    Again,
}

impl Postgres {
    /// Tells how an act went that keeps a response, where there is one. A key whose day is over may be used anew before
    /// the sweep has come by.
    pub(super) async fn key_outcome<T>(
        &self,
        outcome: Result<T, Fault>,
        response: Option<&Row>,
    ) -> Result<KeyOutcome<T>, Fault> {
        let response = match (outcome, response) {
            (Err(fault), Some(response)) if fault.is_taken(UNIQUE_KEY) => response,
            (outcome, _) => return outcome.map(KeyOutcome::Done),
        };
        let forget = include_str!("../../sql/kept_responses/forget_one_old.sql");
        let (of, key, over) = (uuid(response.of), &response.key[..], response.over_before());
        let forgotten = self.connections.write(forget, values![of, key, over]).await?.changed;
        Ok(if forgotten == 0 { KeyOutcome::Twin } else { KeyOutcome::Again })
    }
}

#[async_trait]
impl Responses for Postgres {
    async fn kept_response(
        &self,
        of: PartnerId,
        key: IdempotencyKeyHash,
        since: Timestamp,
    ) -> Result<Option<StoredResponse>, StorageError> {
        let read = include_str!("../../sql/kept_responses/read.sql");
        let found =
            self.connections.read_one(read, values![id(of), &key.0[..], since.as_microsecond()]).await?;
        let Some(row) = found else { return Ok(None) };
        open(&self.seal, of, key, get_instant(&row, 0)?, get(&row, 1)?).map(Some)
    }

    async fn forget_kept_responses(&self, before: Timestamp, most: usize) -> Result<usize, StorageError> {
        let forget = include_str!("../../sql/kept_responses/forget_old.sql");
        let forgotten =
            self.connections.write(forget, values![before.as_microsecond(), at_most(most)]).await?;
        Ok(forgotten.changed as usize)
    }
}
