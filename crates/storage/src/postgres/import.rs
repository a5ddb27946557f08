//! Imports: all records of a file in one transaction, a piece with each statement.

use std::sync::Arc;

use std::collections::HashSet;
use std::marker::PhantomData;
use std::time::Duration;

use domain::id::{PartnerId, Uuid};
use service::storage::{ImportEnd, Records, StorageError};

use super::column::{Column, Group, Value, uuid};
use super::transaction::Transaction;
use super::{Postgres, tag};
use crate::codes::Coded;
use crate::rows::counted::Counted;
use crate::rows::line::StoredLine;
use crate::rows::tag::TagRow;
use crate::seal::Seal;

/// Records in a piece.
const PIECE: usize = 1000;

/// Longest that a piece may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Records of an import, as columns of a statement that gives the keys of those it kept.
pub(super) trait Piece<T>: Default + Send + Sync {
    /// Takes the columns, then the slot that counts them.
    const STATEMENT: &str;

    fn add(&mut self, seal: &Arc<Seal>, record: &T) -> Result<(), StorageError>;

    fn values(&self) -> Vec<Value<'_>>;

    /// Partner and id of each record.
    fn keys(&self) -> impl Iterator<Item = (Uuid, Uuid)> + '_;

    /// What the records are found by.
    fn tags(&self) -> &[TagRow];
}

/// What every record of a piece has: its keys, its line, and what it is counted as.
pub(super) struct Given<L> {
    of: Vec<Uuid>,
    ids: Vec<Uuid>,
    line: i16,
    kind: i16,
    tags: Vec<TagRow>,
    of_line: PhantomData<fn() -> L>,
}

impl<L: StoredLine> Default for Given<L> {
    fn default() -> Self {
        let line = L::LINE.code().into();
        Given { of: Vec::new(), ids: Vec::new(), line, kind: 0, tags: Vec::new(), of_line: PhantomData }
    }
}

impl<L: StoredLine> Given<L> {
    pub(super) fn add(&mut self, of: PartnerId, id: [u8; 16], kind: Counted, tags: Vec<TagRow>) {
        self.tags.extend(tags);
        self.of.push(super::column::id(of));
        self.ids.push(uuid(id));
        self.kind = kind.code().into();
    }

    /// Partner and id of each record.
    pub(super) fn keys(&self) -> impl Iterator<Item = (Uuid, Uuid)> + '_ {
        self.of.iter().copied().zip(self.ids.iter().copied())
    }

    /// What the records are found by.
    pub(super) fn tags(&self) -> &[TagRow] {
        &self.tags
    }

    /// The keys as the first columns of a statement.
    pub(super) fn keys_as_values(&self) -> Vec<Value<'_>> {
        vec![self.of.value(), self.ids.value()]
    }

    /// The line and what is counted, as the last columns before the slot.
    pub(super) fn line_and_kind(&self) -> Vec<Value<'_>> {
        vec![self.line.value(), self.kind.value()]
    }
}

impl Postgres {
    /// Keeps records, all or none.
    pub(super) async fn import<T: Send + 'static, P: Piece<T>>(
        &self,
        mut records: Records<T>,
    ) -> Result<ImportEnd, StorageError> {
        let act = Transaction::begin_patient(&self.connections, PATIENCE).await?;
        let (mut position, mut taken) = (0, Vec::new());
        loop {
            let mut piece = P::default();
            for record in records.by_ref().take(PIECE) {
                piece.add(&self.seal, &record?)?;
            }
            let keys: Vec<(Uuid, Uuid)> = piece.keys().collect();
            if keys.is_empty() {
                break;
            }
            let slot = self.slot;
            let mut values = piece.values();
            values.push(slot.value());
            let kept = act.execute(P::STATEMENT, &values).await?;
            let mut kept: HashSet<(Uuid, Uuid)> =
                kept.rows.iter().map(|row| (row.get(0), row.get(1))).collect();
            for key in keys {
                // Of two with one key in the piece the first was kept.
                if !kept.remove(&key) {
                    taken.push(position);
                }
                position += 1;
            }
            // Where a record is taken, everything is undone.
            if taken.is_empty() {
                let tags = tag::Columns::of(piece.tags());
                act.execute(include_str!("../../sql/tags/add.postgres.sql"), &tags.values()).await?;
            }
        }
        if taken.is_empty() {
            act.commit().await?;
            Ok(ImportEnd::Kept(position))
        } else {
            // Nothing is committed: what was kept so far goes with the act.
            Ok(ImportEnd::Taken(taken))
        }
    }
}
