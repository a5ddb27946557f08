//! Operations on SQLite. The writer's thread runs each operation to its end on its connection.

use futures_util::future::{BoxFuture, FutureExt, ready};
use ports::storage::{Result, StorageError};
use rusqlite::{Connection, params_from_iter};

use super::row::fault;
use super::writer::{Extent, Writer};
use crate::audit::{Entry, Link};
use crate::counted_event::CountedEvent;
use crate::fields::{Owned, RowFields, Value, values};
use crate::operation::{EachRow, Guard, Operation, OperationFn, Statement, Stop, sql};

/// Slot of the audit trail and of the counts of records. SQLite needs only one slot, because only one thread
/// writes.
const SLOT: i16 = 0;

/// Executes a statement, and gives its rows to `each`. Returns how many rows it returned or changed.
pub(crate) fn execute(
    on: &Connection,
    statement: &str,
    values: &[Value<'_>],
    each: &mut dyn FnMut(RowFields<'_>) -> Result<()>,
) -> Result<u64> {
    let mut statement = on.prepare_cached(statement).map_err(fault)?;
    if statement.column_count() == 0 {
        return statement.execute(params_from_iter(values)).map(|changed| changed as u64).map_err(fault);
    }
    let mut rows = statement.query(params_from_iter(values)).map_err(fault)?;
    let mut number = 0;
    while let Some(row) = rows.next().map_err(fault)? {
        each(RowFields::of(row))?;
        number += 1;
    }
    Ok(number)
}

/// Operation that is running on SQLite.
struct Within<'c> {
    connection: &'c mut Connection,
    /// Reason why the operation must stop. Once it is set, no further statement is executed.
    stop: Option<Stop>,
    is_undone: bool,
    counted: Vec<CountedEvent>,
}

impl Within<'_> {
    fn run(
        &mut self,
        statement: Statement<'_>,
        values: &[Value<'_>],
        each: &mut EachRow<'_>,
    ) -> Result<u64, Stop> {
        if let Some(stop) = self.stop.take() {
            return Err(stop);
        }
        Ok(execute(self.connection, statement.sqlite, values, each)?)
    }

    fn run_without_rows(&mut self, statement: Statement<'_>, values: &[Value<'_>], guard: Option<Guard>) {
        self.stop = match (self.run(statement, values, &mut |_| Ok(())), guard) {
            (Err(stop), _) => Some(stop),
            (Ok(0), Some(guard)) => Some(Stop::Guard(guard)),
            (Ok(_), _) => None,
        };
    }
}

impl Operation for Within<'_> {
    fn execute(&mut self, statement: Statement<'_>, values: &[Value<'_>]) {
        self.run_without_rows(statement, values, None);
    }

    fn require(&mut self, statement: Statement<'_>, values: &[Value<'_>], guard: Guard) {
        self.run_without_rows(statement, values, Some(guard));
    }

    fn execute_last(&mut self, statement: Statement<'_>, values: &[Value<'_>], guard: Option<Guard>) {
        self.run_without_rows(statement, values, guard);
    }

    fn ask<'a>(
        &'a mut self,
        statement: Statement<'a>,
        sets: &'a [Vec<Value<'a>>],
        each: &'a mut EachRow<'a>,
        _ends: bool,
    ) -> BoxFuture<'a, Result<Vec<u64>, Stop>> {
        ready(sets.iter().map(|values| self.run(statement, values, each)).collect()).boxed()
    }

    fn undo(&mut self) {
        self.is_undone = true;
    }

    fn counted(&mut self) -> &mut Vec<CountedEvent> {
        &mut self.counted
    }

    fn slot(&self) -> i16 {
        SLOT
    }
}

/// Adds an operation's entry to the audit trail.
fn add_entry(to: &Connection, entry: &Entry) -> Result<()> {
    let mut end = Link::default();
    execute(to, sql!("audit/end").sqlite, values![SLOT], &mut |row| {
        end = Link::columns(row)?;
        Ok(())
    })?;
    execute(to, sql!(by engine "audit/add").sqlite, &entry.row(SLOT, &end)?.values(), &mut |_| Ok(()))
        .map(|_| ())
}

impl Writer {
    /// Runs an operation and writes its entry in the audit trail. `extent`: how much the operation writes.
    pub(crate) async fn operate<G, T>(
        &self,
        extent: Extent,
        entry: Option<Entry>,
        given: G,
        operation: OperationFn<G, T>,
    ) -> Result<T, Stop>
    where
        G: Send + 'static,
        T: Send + 'static,
    {
        let run = move |connection: &mut Connection| {
            let mut within = Within { connection, stop: None, is_undone: false, counted: Vec::new() };
            let done = operation(&given, &mut within).now_or_never();
            let done = done.unwrap_or_else(|| {
                let why = "an operation on the store waited for something other than the store";
                Err(StorageError::Damaged(why.into()).into())
            });
            let done = done.and_then(|value| within.stop.take().map_or(Ok(value), Err));
            let done = match &entry {
                Some(entry) if !within.is_undone => done.and_then(|value| {
                    for companion in entry.companions() {
                        let (statement, values) = (companion.statement, companion.values());
                        within.require(statement, &values, Guard::Companion);
                    }
                    within.stop.take().map_or(Ok(()), Err)?;
                    entry.end_rehearsal()?;
                    Ok(add_entry(within.connection, entry).map(|()| value)?)
                }),
                _ => done,
            };
            (done.is_ok() && !within.is_undone, done.map(|value| (value, within.is_undone, within.counted)))
        };
        let (value, is_undone, counted) = self.act(extent, run).await.map_err(Stop::from)??;
        if !is_undone {
            counted.iter().for_each(CountedEvent::count);
        }
        Ok(value)
    }

    /// Executes one statement. Returns how many rows it changed. `extent`: whether it writes many pages.
    pub(crate) async fn write(&self, statement: &str, values: &[Value<'_>], extent: Extent) -> Result<u64> {
        let (statement, values) = (statement.to_owned(), Owned::all(values));
        let run = move |connection: &mut Connection| {
            let statement = connection.prepare_cached(&statement);
            let values = params_from_iter(values.iter().map(Owned::value));
            let changed = statement.and_then(|mut statement| statement.execute(values));
            let is_to_commit = changed.is_ok();
            (is_to_commit, changed.map(|changed| changed as u64).map_err(fault))
        };
        self.act(extent, run).await?
    }
}
