//! Transactions outside of store operations: for migrations, partitions of months, or verification.

use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;

use super::column::Parameter;
use super::connections::{Connections, Executed, PATIENCE, collect, limited};
use super::fault::Fault;
use super::hosts::Connection;
use crate::fields::Value;

/// Open transaction. Its statements are not prepared, so that they work through a pooler. If the transaction
/// is dropped before its commit, it is rolled back.
pub(crate) struct Transaction {
    connection: Option<Connection>,
    patience: Duration,
}

impl Transaction {
    pub(crate) async fn begin(connections: &Connections) -> Result<Self, Fault> {
        Transaction::begin_patient(connections, PATIENCE).await
    }

    /// Like [`Transaction::begin`], but each statement may take as long as `patience`.
    pub(crate) async fn begin_patient(connections: &Connections, patience: Duration) -> Result<Self, Fault> {
        let end = Instant::now() + PATIENCE;
        let act = Transaction { connection: Some(connections.take().await?), patience };
        tokio::time::timeout_at(end, act.run(&limited(patience)))
            .await
            .unwrap_or(Err(Fault::slow(PATIENCE)))?;
        Ok(act)
    }

    pub(crate) async fn execute(&self, statement: &str, values: &[Value<'_>]) -> Result<Executed, Fault> {
        let outcome = async {
            let typed = values.iter().map(|value| (value.as_sql(), value.kind()));
            collect(self.connection().query_typed_raw(statement, typed).await?).await
        };
        self.within_time(outcome).await
    }

    /// Executes statements that return no rows.
    pub(crate) async fn run(&self, statements: &str) -> Result<(), Fault> {
        self.within_time(self.connection().batch_execute(statements)).await
    }

    pub(crate) async fn commit(mut self) -> Result<(), Fault> {
        self.run("commit").await?;
        // The connection has no open transaction, so it returns to its pool.
        drop(self.connection.take());
        Ok(())
    }

    fn connection(&self) -> &Connection {
        self.connection
            .as_ref()
            .expect("an open transaction has its connection: only commit and drop take it")
    }

    async fn within_time<T>(
        &self,
        outcome: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Fault> {
        let outcome = match tokio::time::timeout(self.patience, outcome).await {
            Ok(outcome) => outcome.map_err(Fault::from),
            Err(_) => Err(Fault::slow(self.patience)),
        };
        outcome.inspect_err(|fault| fault.doubts_server_of(self.connection()))
    }
}

impl Drop for Transaction {
    /// Closes the connection, which rolls back an uncommitted transaction.
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            drop(Connection::take(connection));
        }
    }
}
