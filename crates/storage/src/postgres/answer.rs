//! Answers kept under idempotency keys (D36). A unique index decides between twins: the loser's statement is undone whole.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use service::idempotency::{AnswerKey, KeptAnswer};
use service::storage::{Responses, StorageError};

use super::Postgres;
use super::column::{Group, Value, get, get_instant, id, most as at_most, uuid, values};
use super::connections::Fault;
use crate::rows::answer::{Row, open};

/// The unique index that decides between twins.
const ONCE: &str = "answers_once";

/// Answers as columns of a statement: none or some.
#[derive(Default)]
pub(super) struct Columns<'a> {
    of: Vec<Uuid>,
    keys: Vec<&'a [u8]>,
    kept_at: Vec<i64>,
    bodies: Vec<&'a [u8]>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(answer: Option<&'a Row>) -> Self {
        let mut columns = Columns::default();
        if let Some(Row { of, key, kept_at, body }) = answer {
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

/// How an act with an answer went.
pub(super) enum Once<T> {
    Done(T),
    /// Another request with the same key was first; nothing was done.
    Twin,
    /// The key's day is over, and it was dropped: the act is to be done again.
    Again,
}

impl Postgres {
    /// Tells how an act went that keeps an answer, where there is one. A key whose day is over may be used anew before
    /// the sweep has come by.
    pub(super) async fn once<T>(
        &self,
        said: Result<T, Fault>,
        answer: Option<&Row>,
    ) -> Result<Once<T>, Fault> {
        let answer = match (said, answer) {
            (Err(fault), Some(answer)) if fault.is_taken(ONCE) => answer,
            (said, _) => return said.map(Once::Done),
        };
        let forget = include_str!("../../sql/answers/forget_one_old.sql");
        let (of, key, over) = (uuid(answer.of), &answer.key[..], answer.over_before());
        let forgotten = self.connections.write(forget, values![of, key, over]).await?.changed;
        Ok(if forgotten == 0 { Once::Twin } else { Once::Again })
    }
}

#[async_trait]
impl Responses for Postgres {
    async fn kept_answer(
        &self,
        of: PartnerId,
        key: AnswerKey,
        since: Timestamp,
    ) -> Result<Option<KeptAnswer>, StorageError> {
        let read = include_str!("../../sql/answers/read.sql");
        let found =
            self.connections.read_one(read, values![id(of), &key.0[..], since.as_microsecond()]).await?;
        let Some(row) = found else { return Ok(None) };
        open(&self.seal, of, key, get_instant(&row, 0)?, get(&row, 1)?).map(Some)
    }

    async fn forget_answers(&self, before: Timestamp, most: usize) -> Result<usize, StorageError> {
        let forget = include_str!("../../sql/answers/forget_old.sql");
        let forgotten =
            self.connections.write(forget, values![before.as_microsecond(), at_most(most)]).await?;
        Ok(forgotten.changed as usize)
    }
}
