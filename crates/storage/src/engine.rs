//! The engine of a store: SQLite or PostgreSQL.

use std::time::Duration;

use domain::date::Timestamp;
use futures_util::FutureExt;
use ports::storage::{Result, StorageError};
use ports::traces::{self, SpanKind};

use crate::audit::{Entry, refuse_rehearsal};
use crate::fields::{RowFields, Value, first_id_at, values};
use crate::operation::{EachRow, Months, OperationFn, Read, Statement, Stop};
use crate::postgres::Postgres;
use crate::sqlite::Sqlite;

pub(crate) enum Engine {
    Sqlite(Box<Sqlite>),
    Postgres(Box<Postgres>),
}

/// Error that a tracing span may report as a fault. A guard that stops an operation is an ordinary outcome,
/// not a fault.
trait SpanFault {
    fn fault(&self) -> Option<&StorageError>;
}

impl SpanFault for StorageError {
    fn fault(&self) -> Option<&StorageError> {
        Some(self)
    }
}

impl SpanFault for Stop {
    fn fault(&self) -> Option<&StorageError> {
        match self {
            Stop::Fault(fault) => Some(fault),
            Stop::Guard(_) => None,
        }
    }
}

impl Engine {
    /// Executes a statement that only reads, and gives its rows to `each`.
    pub(crate) async fn read(
        &self,
        statement: Statement<'_>,
        values: &[Value<'_>],
        each: &mut EachRow<'_>,
    ) -> Result<()> {
        let read = async {
            match self {
                Engine::Sqlite(engine) => engine.read(statement.sqlite, values, each),
                Engine::Postgres(engine) => engine.read(statement.postgres, values, each).await,
            }
        };
        self.traced("read", Some(statement), read).await
    }

    /// Executes several statements that read. `each` gets every row, with the index of its statement.
    /// `is_late`: the rows may come from a standby and be a moment old.
    pub(crate) async fn read_together(
        &self,
        reads: &[Read<'_>],
        is_late: bool,
        each: &mut (dyn FnMut(usize, RowFields<'_>) -> Result<()> + Send),
    ) -> Result<()> {
        let read = async {
            match self {
                Engine::Sqlite(engine) => engine.read_together(reads, each),
                Engine::Postgres(engine) => engine.read_together(reads, is_late, each).await,
            }
        };
        self.traced("read", reads.first().map(|(statement, _)| *statement), read).await
    }

    /// Executes one statement. Returns how many rows it changed. `is_bulk`: the statement writes many pages.
    pub(crate) async fn write(
        &self,
        statement: Statement<'_>,
        values: &[Value<'_>],
        is_bulk: bool,
    ) -> Result<u64> {
        refuse_rehearsal()?;
        let write = async {
            match self {
                Engine::Sqlite(engine) => engine.write(statement.sqlite, values, is_bulk).await,
                Engine::Postgres(engine) => engine.write(statement.postgres, values).await,
            }
        };
        self.traced("write", Some(statement), write).await
    }

    /// Runs an operation and writes its entry in the audit trail. `patience`: longest time for each round
    /// trip to PostgreSQL, if the operation may take long or writes much.
    pub(crate) async fn act<G, T>(
        &self,
        patience: Option<Duration>,
        entry: Option<Entry>,
        given: G,
        operation: OperationFn<G, T>,
    ) -> Result<T, Stop>
    where
        G: Send + Sync + 'static,
        T: Send + 'static,
    {
        if entry.is_none() {
            refuse_rehearsal()?;
        }
        let act = async {
            match self {
                Engine::Sqlite(engine) => engine.act(patience.is_some(), entry, given, operation).await,
                Engine::Postgres(engine) => engine.act(patience, entry.as_ref(), &given, operation).await,
            }
        };
        self.traced("transaction", None, act).await
    }

    /// Wraps work in a tracing span, named after the statement's table.
    fn traced<T, E: SpanFault>(
        &self,
        what: &'static str,
        statement: Option<Statement<'_>>,
        work: impl Future<Output = Result<T, E>>,
    ) -> impl Future<Output = Result<T, E>> {
        let engine = match self {
            Engine::Sqlite(_) => "sqlite",
            Engine::Postgres(_) => "postgresql",
        };
        let name = || {
            let table = statement.and_then(|statement| {
                let mut words = statement.sqlite.split_whitespace();
                words.find(|word| matches!(*word, "from" | "into" | "update"))?;
                words.next().map(|table| table.trim_end_matches(|letter: char| !letter.is_alphanumeric()))
            });
            format!("store {what} {}", table.unwrap_or_default()).trim_end().to_owned()
        };
        let noted = work.inspect(move |done| {
            traces::note("db.system.name", engine);
            if let Some(fault) = done.as_ref().err().and_then(E::fault) {
                traces::fail(fault);
            }
        });
        traces::span(SpanKind::Client, name, noted)
    }

    /// Removes records that were created before `before`: at most `most`, or a whole past month. Returns
    /// whether more may be left.
    pub(crate) async fn forget_months(&self, what: Months, before: Timestamp, most: usize) -> Result<bool> {
        match self {
            Engine::Sqlite(engine) => {
                let forget = match what {
                    Months::Quotes => include_str!("../sql/embedded_quotes/forget.sqlite.sql"),
                    Months::Events => include_str!("../sql/events/forget.sqlite.sql"),
                };
                Ok(engine.write(forget, values![first_id_at(before), most], false).await? > 0)
            }
            Engine::Postgres(engine) => engine.forget_months(what, before, most).await,
        }
    }
}
