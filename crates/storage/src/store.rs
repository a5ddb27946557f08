//! A store on either engine. Each part of [`ports::storage::Storage`] is implemented in its own module of
//! `records`.

use std::sync::Arc;
use std::time::Duration;

use ports::clock::Random;
use ports::storage::{Result, Storage, StorageError};

use crate::audit::{Change, Entry};
use crate::engine::Engine;
use crate::fields::{Owned, RowFields, Value};
use crate::keyring::LiveKeyring;
use crate::operation::{Guard, OperationFn, Read, Statement, Stop};
use crate::seal::Seal;

pub struct Store {
    pub(crate) engine: Engine,
    pub(crate) seal: Arc<Seal>,
    pub(crate) keyring: LiveKeyring,
    pub(crate) random: Arc<dyn Random>,
}

impl Storage for Store {}

impl Store {
    /// Rows of a statement, each converted by `columns`.
    pub(crate) async fn all<T: Send>(
        &self,
        statement: Statement<'_>,
        values: &[Value<'_>],
        mut columns: impl FnMut(RowFields<'_>) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        let mut found = Vec::new();
        self.engine.read(statement, values, &mut |row| columns(row).map(|row| found.push(row))).await?;
        Ok(found)
    }

    /// First row of a statement, if any.
    pub(crate) async fn first<T: Send>(
        &self,
        statement: Statement<'_>,
        values: &[Value<'_>],
        mut columns: impl FnMut(RowFields<'_>) -> Result<T> + Send,
    ) -> Result<Option<T>> {
        let mut found = None;
        let mut each = |row: RowFields<'_>| match found {
            None => columns(row).map(|row| found = Some(row)),
            Some(_) => Ok(()),
        };
        self.engine.read(statement, values, &mut each).await?;
        Ok(found)
    }

    /// Number that a statement returns, or 0 if it returns no row.
    pub(crate) async fn number(&self, statement: Statement<'_>, values: &[Value<'_>]) -> Result<u64> {
        Ok(self.first(statement, values, |row| row.get(0)).await?.unwrap_or_default())
    }

    /// Rows of several statements, read on one snapshot. The rows of the first statement come first.
    pub(crate) async fn all_of<T: Send>(
        &self,
        reads: &[Read<'_>],
        mut columns: impl FnMut(RowFields<'_>) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        let mut found = Vec::new();
        let mut each = |_, row: RowFields<'_>| columns(row).map(|row| found.push(row));
        self.engine.read_together(reads, false, &mut each).await?;
        Ok(found)
    }

    /// Executes one statement that gets no entry in the audit trail. Returns how many rows it changed.
    pub(crate) async fn write(&self, statement: Statement<'_>, values: &[Value<'_>]) -> Result<u64> {
        self.engine.write(statement, values, false).await
    }

    /// Executes one statement, with an entry in the audit trail. Returns whether it changed a row. If not,
    /// there is no entry.
    pub(crate) async fn change(
        &self,
        change: Change,
        statement: Statement<'static>,
        values: &[Value<'_>],
    ) -> Result<bool> {
        let changed = self.act(change, (statement, Owned::all(values)), |(statement, values), to| {
            Box::pin(async move {
                let values: Vec<Value<'_>> = values.iter().map(Owned::value).collect();
                to.require(*statement, &values, Guard::Version);
                Ok(())
            })
        });
        unless_changed(changed.await)
    }

    /// Runs an operation, and writes its entry in the audit trail. Either everything is written, or nothing.
    pub(crate) async fn act<G, T>(
        &self,
        change: Change,
        given: G,
        operation: OperationFn<G, T>,
    ) -> Result<T, Stop>
    where
        G: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.act_for(None, change, given, operation).await
    }

    /// Like [`Store::act`], for an operation that may take longer than a request. `patience`: longest time
    /// for each round trip to PostgreSQL.
    pub(crate) async fn act_patiently<G, T>(
        &self,
        patience: Duration,
        change: Change,
        given: G,
        operation: OperationFn<G, T>,
    ) -> Result<T, Stop>
    where
        G: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.act_for(Some(patience), change, given, operation).await
    }

    /// Runs an operation. An operator's act may have companions: its decided approval and its kept response,
    /// which belong into the transaction of its first entry in the audit trail. So the first operation that
    /// writes an entry also writes them.
    async fn act_for<G, T>(
        &self,
        patience: Option<Duration>,
        change: Change,
        given: G,
        operation: OperationFn<G, T>,
    ) -> Result<T, Stop>
    where
        G: Send + Sync + 'static,
        T: Send + 'static,
    {
        let entry = Entry::of(change, &self.seal);
        let acting = entry.as_ref().filter(|entry| !entry.companions().is_empty()).map(Entry::acting);
        let entries_before = acting.as_ref().map_or(0, |acting| acting.entries());
        let done = self.engine.act(patience, entry, given, operation).await;
        match (acting, done) {
            (_, Err(Stop::Guard(Guard::Companion))) => Err(StorageError::Refused(
                "this act was already done, or its approval was already decided".into(),
            )
            .into()),
            // The operation wrote its entry, so later operations of the act do not write the companions again.
            // An operation that undid itself has no entry: then the next one writes them.
            (Some(acting), Ok(value)) if acting.entries() > entries_before => {
                acting.go_with(None);
                Ok(value)
            }
            (_, done) => done,
        }
    }
}

/// Whether an operation took effect. `false` if a guard stopped it, for example because the record was
/// changed meanwhile.
pub(crate) fn unless_changed<T>(done: Result<T, Stop>) -> Result<bool> {
    match done {
        Ok(_) => Ok(true),
        Err(Stop::Guard(_)) => Ok(false),
        Err(Stop::Fault(fault)) => Err(fault),
    }
}
