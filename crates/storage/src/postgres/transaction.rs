//! Transactions of several statements, for the operator's commands. What is not committed leaves nothing.

use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;

use super::Postgres;
use super::column::{Value, values};
use super::connections::{Connections, Executed, Fault, PATIENCE, collect};
use super::hosts::Connection;

/// An act under way. Its statements have no names, so that they get through a pooler.
pub(super) struct Transaction {
    connection: Option<Connection>,
    patience: Duration,
    /// Whether the tables are spread over the nodes of a distributed engine.
    pub(super) is_spread: bool,
}

impl Transaction {
    pub(super) async fn begin(connections: &Connections) -> Result<Self, Fault> {
        Transaction::begin_patient(connections, PATIENCE).await
    }

    /// The same for an act whose statements may take so long.
    pub(super) async fn begin_patient(connections: &Connections, patience: Duration) -> Result<Self, Fault> {
        let end = Instant::now() + PATIENCE;
        let is_spread = connections.is_spread;
        let act = Transaction { connection: Some(connections.take().await?), patience, is_spread };
        // The last is for one that is cut off in the middle of it: the server must not hold its locks for hours.
        let limit = patience.as_millis();
        let begin = format!(
            "begin; set local statement_timeout = {limit}; set local idle_in_transaction_session_timeout = {limit}"
        );
        tokio::time::timeout_at(end, act.run(&begin)).await.unwrap_or(Err(Fault::slow(PATIENCE)))?;
        Ok(act)
    }

    pub(super) async fn execute(&self, statement: &str, values: &[Value<'_>]) -> Result<Executed, Fault> {
        let outcome = async {
            collect(self.connection().query_typed_raw(statement, values.iter().map(Value::typed)).await?)
                .await
        };
        self.within_time(outcome).await
    }

    /// Says statements that give nothing.
    pub(super) async fn run(&self, statements: &str) -> Result<(), Fault> {
        self.within_time(self.connection().batch_execute(statements)).await
    }

    pub(super) async fn commit(mut self) -> Result<(), Fault> {
        self.run("commit").await?;
        // The connection goes back to its pool: nothing is open on it.
        drop(self.connection.take());
        Ok(())
    }

    /// Ends it without a trace. The connection goes back to its pool.
    pub(super) async fn undo(mut self) -> Result<(), Fault> {
        self.run("rollback").await?;
        drop(self.connection.take());
        Ok(())
    }

    fn connection(&self) -> &Connection {
        self.connection
            .as_ref()
            .expect("an act under way has its connection: taken by commit, undo and drop alone")
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
    /// What was not committed ends with its connection.
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            drop(Connection::take(connection));
        }
    }
}

impl Postgres {
    /// Begins a change of partners, secrets or keys. These go one after another, and raise the revision by which every
    /// process learns of them: whoever raised it holds its row until it commits, and what it reads from then on is as the
    /// one before left it.
    pub(super) async fn begin_change(&self) -> Result<Transaction, Fault> {
        let act = Transaction::begin(&self.connections).await?;
        act.execute(include_str!("../../sql/revision/raise.sql"), values![]).await?;
        Ok(act)
    }
}
