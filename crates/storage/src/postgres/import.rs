//! Imports: all records of a file in one transaction, a piece with each statement.

use std::collections::HashSet;
use std::time::Duration;

use domain::id::Uuid;
use service::storage::StorageError;
use service::storage::health_proposals::{ImportEnd, Records};

use super::Postgres;
use super::act::Act;
use super::column::{Column, Value};
use crate::seal::Seal;

/// Records in a piece.
const PIECE: usize = 1000;

/// Longest that a piece may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Records of an import, as columns of a statement that gives the keys of those it kept.
pub(super) trait Piece<T>: Default + Send + Sync {
    /// Takes the columns, then the slot that counts them.
    const STATEMENT: &str;

    fn add(&mut self, seal: &Seal, record: &T) -> Result<(), StorageError>;

    fn values(&self) -> Vec<Value<'_>>;

    /// Partner and id of each record.
    fn keys(&self) -> impl Iterator<Item = (Uuid, Uuid)> + '_;
}

impl Postgres {
    /// Keeps records, all or none.
    pub(super) async fn import<T: Send + 'static, P: Piece<T>>(
        &self,
        mut records: Records<T>,
    ) -> Result<ImportEnd, StorageError> {
        let act = Act::begin(&self.connections).await?.patient(PATIENCE);
        let (mut place, mut taken) = (0, Vec::new());
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
            let kept = act.say(P::STATEMENT, &values).await?;
            let mut kept: HashSet<(Uuid, Uuid)> =
                kept.rows.iter().map(|row| (row.get(0), row.get(1))).collect();
            for key in keys {
                // Of two with one key in the piece the first was kept.
                if !kept.remove(&key) {
                    taken.push(place);
                }
                place += 1;
            }
        }
        if taken.is_empty() {
            act.commit().await?;
            Ok(ImportEnd::Kept(place))
        } else {
            // Nothing is committed: what was kept so far goes with the act.
            Ok(ImportEnd::Taken(taken))
        }
    }
}
