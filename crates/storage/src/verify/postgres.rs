//! Verifies a PostgreSQL store as it is at one moment.

use std::cell::Cell;
use std::future::Future;
use std::time::Duration;

use ports::keys::Key;
use ports::storage::{Result, StorageError};
use tokio::runtime::Runtime;

use super::{EachRow, Moment, Progress, Scope, Verified, verify};
use crate::OpenError;
use crate::fields::{RowFields, Value};
use crate::keyring::Keyring;
use crate::opening::postgres::open_keys;
use crate::operation::text;
use crate::postgres::fault::Fault;
use crate::postgres::transaction::Transaction;
use crate::postgres::{Database, Postgres, connect, migration};

/// Longest time for a whole verification.
const PATIENCE: Duration = Duration::from_secs(24 * 60 * 60);

/// Number of rows that are fetched in one round trip.
const PAGE: usize = 256;

/// Transaction that sees the store as it was when it began.
struct Snapshot {
    /// Tokio runtime that runs the connection while a statement is awaited.
    runtime: Runtime,
    act: Transaction,
    /// Number of statements so far. Each statement has its own cursor.
    cursors: Cell<u32>,
}

impl Snapshot {
    fn wait<T>(&self, outcome: impl Future<Output = Result<T, Fault>>) -> Result<T> {
        self.runtime.block_on(outcome).map_err(StorageError::from)
    }

    fn fetch_all(&self, cursor: u32, statement: &str, row: EachRow<'_>) -> Result<()> {
        self.wait(self.act.run(&format!("declare verified_{cursor} no scroll cursor for {statement}")))?;
        let fetch = format!("fetch {PAGE} from verified_{cursor}");
        loop {
            let rows = self.wait(self.act.execute(&fetch, &[]))?.rows;
            rows.iter().try_for_each(|found| row(RowFields::of(found)))?;
            if rows.len() < PAGE {
                return self.wait(self.act.run(&format!("close verified_{cursor}")));
            }
        }
    }
}

impl Moment for Snapshot {
    fn each(&self, statement: &str, row: EachRow<'_>) -> Result<()> {
        let cursor = self.cursors.get();
        self.cursors.set(cursor + 1);
        self.wait(self.act.run("savepoint pass"))?;
        let done = self.fetch_all(cursor, statement, row);
        // After a failed statement, later statements must still see the same store.
        let end = if done.is_ok() { "release savepoint pass" } else { "rollback to savepoint pass" };
        self.wait(self.act.run(end))?;
        done
    }

    fn find(&self, statement: &str, values: &[Value<'_>], row: EachRow<'_>) -> Result<()> {
        let rows = self.wait(self.act.execute(statement, values))?.rows;
        rows.iter().try_for_each(|found| row(RowFields::of(found)))
    }
}

impl Postgres {
    /// Verifies the store in a database, as it is at the start. Other programs may write meanwhile. On Citus
    /// they may not, because each node's snapshot starts when the node is first queried. Do not call this
    /// within a Tokio runtime.
    ///
    /// # Errors
    /// As for [`Postgres::open`]. Faults of records are in the result, not errors.
    pub fn verify(
        database: &Database,
        keyring: &Keyring,
        scope: Scope,
        progress: Progress<'_>,
    ) -> Result<Verified, OpenError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime =
            runtime.map_err(|cause| OpenError::Unfit(format!("the runtime cannot start: {cause}")))?;
        let (act, schema, keys) = runtime.block_on(begin(database, keyring))?;
        let from = Snapshot { runtime, act, cursors: Cell::new(0) };
        Ok(verify(&from, scope, (schema, &keys), Verified::default(), progress))
    }
}

/// Begins the transaction, reads the schema's version, and unwraps the store's keys.
async fn begin(database: &Database, keyring: &Keyring) -> Result<(Transaction, i32, Vec<Key>), OpenError> {
    let connections = connect(database)?;
    let act = Transaction::begin_patient(&connections, PATIENCE).await.map_err(StorageError::from)?;
    let moment = "set transaction isolation level repeatable read, read only";
    act.run(moment).await.map_err(StorageError::from)?;
    let schema = migration::newest(&act, migration::known()).await?;
    let keys = act.execute(text!("keys/list"), &[]).await.map_err(StorageError::from)?;
    Ok((act, schema, open_keys(&keys.rows, keyring)?))
}
