//! A store on either engine: [`ports::storage::Storage`], of which each noun's part lies in the noun's module.

use std::sync::Arc;
use std::time::Duration;

use ports::clock::Random;
use ports::storage::{Result, Storage};

use crate::act::{Guard, Operation, Read, Statement, Stop};
use crate::audit::{Change, Entry};
use crate::engine::Engine;
use crate::fields::{Fields, Owned, Value};
use crate::keyring::LiveKeyring;
use crate::seal::Seal;

pub struct Store {
    pub(crate) engine: Engine,
    pub(crate) seal: Arc<Seal>,
    pub(crate) keyring: LiveKeyring,
    pub(crate) random: Arc<dyn Random>,
}

impl Storage for Store {}

impl Store {
    /// The rows of a statement, each read.
    pub(crate) async fn all<T: Send>(
        &self,
        statement: Statement<'_>,
        values: &[Value<'_>],
        mut columns: impl FnMut(Fields<'_>) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        let mut found = Vec::new();
        self.engine.read(statement, values, &mut |row| columns(row).map(|row| found.push(row))).await?;
        Ok(found)
    }

    /// The first row of a statement, if it gives one.
    pub(crate) async fn first<T: Send>(
        &self,
        statement: Statement<'_>,
        values: &[Value<'_>],
        mut columns: impl FnMut(Fields<'_>) -> Result<T> + Send,
    ) -> Result<Option<T>> {
        let mut found = None;
        let mut each = |row: Fields<'_>| match found {
            None => columns(row).map(|row| found = Some(row)),
            Some(_) => Ok(()),
        };
        self.engine.read(statement, values, &mut each).await?;
        Ok(found)
    }

    /// The number that a statement gives.
    pub(crate) async fn number(&self, statement: Statement<'_>, values: &[Value<'_>]) -> Result<u64> {
        Ok(self.first(statement, values, |row| row.get(0)).await?.unwrap_or_default())
    }

    /// The rows of several statements, read together: those of the first statement first.
    pub(crate) async fn all_of<T: Send>(
        &self,
        reads: &[Read<'_>],
        mut columns: impl FnMut(Fields<'_>) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        let mut found = Vec::new();
        let mut each = |_, row: Fields<'_>| columns(row).map(|row| found.push(row));
        self.engine.read_together(reads, false, &mut each).await?;
        Ok(found)
    }

    /// Executes one statement, which is upkeep: how many rows it changed.
    pub(crate) async fn write(&self, statement: Statement<'_>, values: &[Value<'_>]) -> Result<u64> {
        self.engine.write(statement, values, false).await
    }

    /// Executes one statement as an act: whether it changed something. If it did not, the audit trail has no entry.
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

    /// Does an operation, whole or not at all, with its entry in the audit trail.
    pub(crate) async fn act<G, T>(
        &self,
        change: Change,
        given: G,
        operation: Operation<G, T>,
    ) -> Result<T, Stop>
    where
        G: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.engine.act(None, Entry::of(change, &self.seal), given, operation).await
    }

    /// The same for one of which a step may take longer than a request does.
    pub(crate) async fn act_patiently<G, T>(
        &self,
        patience: Duration,
        change: Change,
        given: G,
        operation: Operation<G, T>,
    ) -> Result<T, Stop>
    where
        G: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.engine.act(Some(patience), Entry::of(change, &self.seal), given, operation).await
    }
}

/// Whether an operation was done that may find the record changed meanwhile.
pub(crate) fn unless_changed<T>(done: Result<T, Stop>) -> Result<bool> {
    match done {
        Ok(_) => Ok(true),
        Err(Stop::Guard(_)) => Ok(false),
        Err(Stop::Fault(fault)) => Err(fault),
    }
}
