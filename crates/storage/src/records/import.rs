//! Imports: all records of a file, or none of them.
//!
//! An import is not one transaction, because other writes would wait for it. It stages its records in many short
//! transactions: their rows name the import, and the views `visible_proposals` and `visible_policies` leave them
//! out. The last transaction removes the import from the table `imports`, which makes all its records visible at
//! once. If an import ends before that, its records are removed.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use domain::id::{PartnerId, Uuid};
use ports::storage::{ImportEnd, Imports, Result, StorageError};

use super::counted::{Count, Counts};
use super::personal_data::{OF_POLICY, OF_PROPOSAL, delete};
use crate::audit::{UPKEEP, on};
use crate::fields::{RowFields, Value, values};
use crate::operation::{Guard, Operation, Statement, Stop, sql};
use crate::store::{Store, unless_changed};

/// Longest time to write the records that are sent to the database at once.
const PATIENCE: Duration = Duration::from_secs(60);

/// Fewest and most records in one transaction.
const FEWEST: usize = 8;
const MOST: usize = 1000;

/// A transaction should take at least this time, and less than twice this time, because other writes wait for it.
const SHORT: Duration = Duration::from_millis(20);

/// Time without a transaction after which an import counts as ended, for example because its process was killed.
const LIFETIME: Duration = Duration::from_secs(30);

/// Longest wait for another import.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

const PAUSE: Duration = Duration::from_millis(200);

/// Record that can be imported.
pub(crate) trait Imported: Send + Sync + 'static {
    /// Statement that adds the record, unless it already exists.
    const ADD: Statement<'static>;

    /// Values of [`Imported::ADD`], for a record that an import stages.
    fn values(&self, import: i64) -> Vec<Value<'_>>;

    /// Writes the rows that belong to the record, such as its tags.
    fn goes_with(&self, to: &mut dyn Operation);

    fn counted(&self) -> (PartnerId, Count);
}

/// Stages some records, and counts those with a session. Returns for each whether it was added.
async fn stage<R: Imported>(
    to: &mut dyn Operation,
    import: i64,
    at: i64,
    piece: &[R],
) -> Result<Vec<bool>, Stop> {
    // The import may have been removed, because it was silent for too long.
    to.require(sql!("imports/renew"), values![at, import], Guard::Version);
    let sets: Vec<_> = piece.iter().map(|record| record.values(import)).collect();
    let added: Vec<bool> =
        to.change_each(R::ADD, &sets).await?.into_iter().map(|changed| changed > 0).collect();
    let mut counts = Counts::default();
    for (record, _) in piece.iter().zip(&added).filter(|(_, added)| **added) {
        record.goes_with(to);
        let (of, count) = record.counted();
        counts.add(of, count);
    }
    counts.write_sessions(to);
    Ok(added)
}

/// Staged records: their number, the positions of those that already exist, and the counts of their days.
#[derive(Default)]
struct Staged {
    number: u64,
    taken: Vec<u64>,
    counts: Counts,
}

impl Store {
    /// Imports all records, or none if one of them already exists. Waits for another import.
    pub(super) async fn import<R: Imported>(
        &self,
        records: Box<dyn Iterator<Item = Result<R>> + Send>,
    ) -> Result<ImportEnd> {
        let import = self.begin_import().await?;
        let staged = match self.stage_all(import, records).await {
            Ok(staged) if staged.taken.is_empty() => staged,
            Ok(Staged { taken, .. }) => {
                self.remove_import(import).await?;
                return Ok(ImportEnd::Taken(taken));
            }
            Err(fault) => {
                // If this fails too, `end_dead_imports` removes the records later.
                let _ = self.remove_import(import).await;
                return Err(fault);
            }
        };
        let shown = self.act_patiently(
            PATIENCE,
            on("import", "records"),
            (import, staged.counts),
            |(import, counts), to| {
                Box::pin(async move {
                    to.require(sql!("imports/end"), values![*import], Guard::Version);
                    counts.write_days(to);
                    Ok(())
                })
            },
        );
        match unless_changed(shown.await)? {
            true => Ok(ImportEnd::Kept(staged.number)),
            false => Err(interrupted()),
        }
    }

    async fn begin_import(&self) -> Result<i64> {
        let began = Instant::now();
        let mut import = [0; 8];
        self.random.fill(&mut import);
        let import = i64::from_be_bytes(import) & i64::MAX;
        loop {
            self.end_dead_imports().await?;
            if self.write(sql!("imports/begin"), values![import, self.seal.now()]).await? > 0 {
                return Ok(import);
            }
            if began.elapsed() > LONGEST_WAIT {
                return Err(StorageError::Away("another import is running: import the file after it".into()));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn stage_all<R: Imported>(
        &self,
        import: i64,
        mut records: Box<dyn Iterator<Item = Result<R>> + Send>,
    ) -> Result<Staged> {
        let (mut staged, mut most) = (Staged::default(), FEWEST * 8);
        loop {
            // To parse and encrypt records takes longer than other requests should wait for this thread.
            let read = tokio::task::spawn_blocking(move || {
                let piece = records.by_ref().take(most).collect::<Result<Vec<R>>>();
                (records, piece)
            });
            let (rest, piece) = read.await.map_err(|fault| StorageError::Damaged(fault.to_string()))?;
            records = rest;
            let piece = piece?;
            if piece.is_empty() {
                return Ok(staged);
            }
            for record in &piece {
                let (of, count) = record.counted();
                staged.counts.add(of, count);
            }
            let began = Instant::now();
            let given = (import, self.seal.now().as_microsecond(), piece);
            let added = self.act_patiently(PATIENCE, UPKEEP, given, |(import, at, piece), to| {
                Box::pin(stage(to, *import, *at, piece))
            });
            let added = match added.await {
                Err(Stop::Guard(Guard::Version)) => return Err(interrupted()),
                added => added?,
            };
            most = match began.elapsed() {
                took if took < SHORT => (most * 2).min(MOST),
                took if took < 2 * SHORT => most,
                _ => (most / 2).max(FEWEST),
            };
            staged
                .taken
                .extend((staged.number..).zip(&added).filter(|(_, added)| !**added).map(|(at, _)| at));
            staged.number += added.len() as u64;
        }
    }

    /// Removes the records of an import that has not ended, then the import.
    async fn remove_import(&self, import: i64) -> Result<()> {
        let staged =
            [(sql!("imports/staged_proposals"), OF_PROPOSAL), (sql!("imports/staged_policies"), OF_POLICY)];
        for (find, parts) in staged {
            let removed = || async {
                let given = (import, find, parts);
                let removed = self.act_patiently(PATIENCE, UPKEEP, given, |(import, find, parts), to| {
                    Box::pin(async move {
                        to.require(sql!("imports/abandon"), values![*import], Guard::Version);
                        let row = |row: RowFields<'_>| {
                            let (of, id): (PartnerId, Uuid) = (row.get(0)?, row.get(1)?);
                            Ok((of, id, Count { kind: row.get(2)?, session: row.get(4)?, at: row.get(3)? }))
                        };
                        let found = to.all(*find, values![*import, FEWEST * 8], row).await?;
                        let mut counts = Counts::default();
                        found.iter().for_each(|(of, _, count)| counts.remove(*of, *count));
                        let sets: Vec<_> =
                            found.iter().map(|(of, id, _)| values![*of, *id].to_vec()).collect();
                        delete(to, parts, "$2", &sets);
                        counts.write_sessions(to);
                        Ok(found.len())
                    })
                });
                match removed.await {
                    // It has ended, so that its records are visible and stay; or another process removed it.
                    Err(Stop::Guard(Guard::Version)) => Ok(0),
                    removed => removed.map_err(StorageError::from),
                }
            };
            while removed().await? > 0 {}
        }
        self.write(sql!("imports/remove"), values![import]).await.map(|_| ())
    }
}

fn interrupted() -> StorageError {
    StorageError::Away("the import was interrupted: import the file again".into())
}

#[async_trait]
impl Imports for Store {
    async fn end_dead_imports(&self) -> Result<()> {
        let before = self.seal.now() - LIFETIME;
        for import in self.all(sql!("imports/dead"), values![before], |row| row.get::<i64>(0)).await? {
            self.remove_import(import).await?;
        }
        Ok(())
    }
}
