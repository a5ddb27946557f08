//! Operations on the store, the same on both engines.
//!
//! An operation is a function over [`Operation`]. It executes statements; either all of them take effect, or none.
//!
//! On SQLite the writer's thread runs the operation to its end. On PostgreSQL the operation is a transaction.
//! Its statements wait until the operation asks for rows or ends. Then one pipeline sends them. So an
//! operation that reads nothing takes one round trip.
//!
//! A guard is a statement that must change a row. If the guard changes nothing, the operation ends. Rows that
//! many operations change, such as the row of a deposit, are changed last, because a changed row stays locked
//! until the commit.

use futures_util::future::BoxFuture;
use ports::storage::{Result, StorageError};

use crate::counted_event::CountedEvent;
use crate::fields::{RowFields, Value};

/// SQL statement: one text for both engines, or one for each.
#[derive(Clone, Copy)]
pub(crate) struct Statement<'a> {
    pub(crate) sqlite: &'a str,
    pub(crate) postgres: &'a str,
}

impl<'a> Statement<'a> {
    /// Statement with the same text on both engines.
    pub(crate) const fn of(text: &'a str) -> Self {
        Statement { sqlite: text, postgres: text }
    }
}

/// Copy of a statement that reads a list in reverse order.
pub(crate) struct Reversed {
    sqlite: String,
    postgres: String,
}

impl Statement<'_> {
    /// Copy of the statement with changed texts: for each pair in `changes`, the first string is replaced by
    /// the second.
    pub(crate) fn reversed(self, changes: &[(&str, &str)]) -> Reversed {
        let change =
            |text: &str| changes.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
        Reversed { sqlite: change(self.sqlite), postgres: change(self.postgres) }
    }
}

impl Reversed {
    pub(crate) fn statement(&self) -> Statement<'_> {
        Statement { sqlite: &self.sqlite, postgres: &self.postgres }
    }
}

/// Text of the file `$name.sql` in the folder `sql`.
macro_rules! text {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/sql/", $name, ".sql"))
    };
}
pub(crate) use text;

/// Statement from a file in the folder `sql`. `by engine`: each engine has its own file. `locked`: PostgreSQL
/// locks the rows that the statement reads until the operation ends.
macro_rules! sql {
    ($name:literal) => {
        $crate::operation::Statement::of($crate::operation::text!($name))
    };
    (by engine $name:literal) => {
        $crate::operation::Statement {
            sqlite: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/sql/", $name, ".sqlite.sql")),
            postgres: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/sql/", $name, ".postgres.sql")),
        }
    };
    (locked $name:literal) => {
        $crate::operation::Statement {
            sqlite: $crate::operation::text!($name),
            postgres: concat!(
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/sql/", $name, ".sql")),
                " for update"
            ),
        }
    };
}
pub(crate) use sql;

/// Declares the enum `Guard`, with a name for each variant.
macro_rules! guards {
    ($($(#[$doc:meta])* $guard:ident = $name:literal,)*) => {
        /// Reason why an operation had no effect: a statement that must change a row changed none.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Guard { $($(#[$doc])* $guard,)* }

        impl Guard {
            /// Name of the guard. PostgreSQL's error message contains the name, so that the failed guard can
            /// be recognized.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Guard::$guard => $name,)* }
            }

            pub(crate) fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Guard::$guard),)* _ => None }
            }
        }
    };
}
guards! {
    /// The record was changed or removed since it was read.
    Version = "version",
    /// Another request with the same idempotency key came first.
    Response = "idempotency key",
    /// A record with the same id or unique key already exists.
    Taken = "new record",
    /// The journey was changed since it was read.
    Journey = "journey",
    /// The policy that the new one renews was changed since it was read.
    Renewed = "renewed policy",
    /// Another policy of the same group of sales was issued since the group was read.
    Sale = "sale",
    /// The premium was not received, or its deposit is missing or too low.
    Premium = "premium",
    /// The payment's reference was already used for another payment.
    Payment = "payment",
    /// The operator's act was done before, or its approval was decided before.
    Companion = "companion",
    /// Another process added an entry to the same slot of the audit trail.
    Chain = "audit trail",
}

/// Reason why an operation ended without effect.
#[derive(Debug)]
pub(crate) enum Stop {
    Guard(Guard),
    Fault(StorageError),
}

impl From<StorageError> for Stop {
    fn from(fault: StorageError) -> Self {
        Stop::Fault(fault)
    }
}

impl From<Stop> for StorageError {
    /// Converts the stop of an operation whose guards fail only if the store is damaged.
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Fault(fault) => fault,
            Stop::Guard(Guard::Taken) => {
                StorageError::Refused("a record with the same key already exists".into())
            }
            Stop::Guard(guard) => StorageError::Refused(format!(
                "the operation was stopped, because the check of the {} failed",
                guard.name()
            )),
        }
    }
}

/// Callback that receives each row of a result.
pub(crate) type EachRow<'a> = dyn FnMut(RowFields<'_>) -> Result<()> + Send + 'a;

/// Function that runs an operation with the value `&G`. It may await only the statements of the operation.
pub(crate) type OperationFn<G, T> =
    for<'a> fn(&'a G, &'a mut (dyn Operation + 'a)) -> BoxFuture<'a, Result<T, Stop>>;

/// Operation that is running. It executes its statements through this trait.
pub(crate) trait Operation: Send {
    /// Executes a statement that returns no rows. If the statement fails, the operation stops when it next
    /// reads rows, or else at its end.
    fn execute(&mut self, statement: Statement<'_>, values: &[Value<'_>]);

    /// Like [`Operation::execute`], for a statement that must change a row. If the statement changes none, the
    /// operation stops with `guard`.
    fn require(&mut self, statement: Statement<'_>, values: &[Value<'_>], guard: Guard);

    /// Executes a statement after all others, because other operations wait for the row that it changes.
    /// SQLite executes the statement at once, because operations on SQLite run one after another.
    fn execute_last(&mut self, statement: Statement<'_>, values: &[Value<'_>], guard: Option<Guard>);

    /// Executes a statement once for each set of values and gives the rows to `each`. Returns how many rows
    /// each set returned or changed.
    ///
    /// `ends`: this statement is the last one, so the operation is committed before `each` gets the rows. Do
    /// not call [`Operation::undo`] afterwards.
    fn ask<'a>(
        &'a mut self,
        statement: Statement<'a>,
        sets: &'a [Vec<Value<'a>>],
        each: &'a mut EachRow<'a>,
        ends: bool,
    ) -> BoxFuture<'a, Result<Vec<u64>, Stop>>;

    /// Discards the operation's changes, even if the operation returns `Ok`.
    fn undo(&mut self);

    /// Events that metrics count after the operation is committed.
    fn counted(&mut self) -> &mut Vec<CountedEvent>;

    /// Slot of this process in the counts of records. Counts are spread over several rows (slots), so that
    /// writers do not wait for each other (D33).
    fn slot(&self) -> i16;
}

impl dyn Operation + '_ {
    /// Executes a statement. Returns how many rows it changed.
    pub(crate) async fn change(
        &mut self,
        statement: Statement<'_>,
        values: &[Value<'_>],
    ) -> Result<u64, Stop> {
        Ok(self.ask(statement, &[values.to_vec()], &mut |_| Ok(()), false).await?.iter().sum())
    }

    /// Executes a statement once for each set of values. Returns how many rows each set changed.
    pub(crate) async fn change_each(
        &mut self,
        statement: Statement<'_>,
        sets: &[Vec<Value<'_>>],
    ) -> Result<Vec<u64>, Stop> {
        self.ask(statement, sets, &mut |_| Ok(()), false).await
    }

    /// Ends the operation with a statement that is executed once for each set of values. Returns how many
    /// rows changed.
    pub(crate) async fn finish_changing(
        &mut self,
        statement: Statement<'_>,
        sets: &[Vec<Value<'_>>],
    ) -> Result<u64, Stop> {
        Ok(self.ask(statement, sets, &mut |_| Ok(()), true).await?.iter().sum())
    }

    /// Rows of a statement, each converted by `columns`.
    pub(crate) async fn all<T: Send>(
        &mut self,
        statement: Statement<'_>,
        values: &[Value<'_>],
        columns: impl FnMut(RowFields<'_>) -> Result<T> + Send,
    ) -> Result<Vec<T>, Stop> {
        self.all_of_each(statement, &[values.to_vec()], columns, false).await
    }

    /// First row of a statement, if any.
    pub(crate) async fn first<T: Send>(
        &mut self,
        statement: Statement<'_>,
        values: &[Value<'_>],
        columns: impl FnMut(RowFields<'_>) -> Result<T> + Send,
    ) -> Result<Option<T>, Stop> {
        Ok(self.all(statement, values, columns).await?.into_iter().next())
    }

    /// Rows of a statement that is executed once for each set of values. `columns` converts each row. `ends`:
    /// as in [`Operation::ask`].
    pub(crate) async fn all_of_each<T: Send>(
        &mut self,
        statement: Statement<'_>,
        sets: &[Vec<Value<'_>>],
        mut columns: impl FnMut(RowFields<'_>) -> Result<T> + Send,
        ends: bool,
    ) -> Result<Vec<T>, Stop> {
        let mut found = Vec::new();
        let mut each = |row: RowFields<'_>| columns(row).map(|row| found.push(row));
        self.ask(statement, sets, &mut each, ends).await?;
        Ok(found)
    }
}

/// Records that are removed by the month of their creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Months {
    Quotes,
    Events,
}

/// Statement that reads, with its values.
pub(crate) type Read<'a> = (Statement<'a>, Vec<Value<'a>>);
