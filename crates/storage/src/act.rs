//! Operations: what they can do on either engine.
//!
//! An operation is a function over [`Act`]: it executes statements, of which all stay or none. On SQLite the writer's thread
//! runs it to its end. On PostgreSQL it is a transaction, whose statements wait until a row is asked for or the operation
//! ends, and then are sent in one pipeline: so an operation that reads nothing takes one round trip. A statement that must change
//! something is a guard, and ends the operation where it does not. What many operations change at once, such as a deposit, is
//! changed last, since its row is held until the commit.

use futures_util::future::BoxFuture;
use ports::storage::{Result, StorageError};

use crate::counted_event::CountedEvent;
use crate::fields::{Fields, Value};

/// A statement: one text for both engines, or one for each.
#[derive(Clone, Copy)]
pub(crate) struct Statement<'a> {
    pub(crate) sqlite: &'a str,
    pub(crate) postgres: &'a str,
}

impl<'a> Statement<'a> {
    /// The same text for both engines.
    pub(crate) const fn of(text: &'a str) -> Self {
        Statement { sqlite: text, postgres: text }
    }
}

/// A statement that reads a list against its order.
pub(crate) struct Reversed {
    sqlite: String,
    postgres: String,
}

impl Statement<'_> {
    /// The same statement with each text replaced by the other.
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

/// The text of a file in `sql`.
macro_rules! text {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/sql/", $name, ".sql"))
    };
}
pub(crate) use text;

/// The statement in a file in `sql`. `by engine`: each engine has a file. `locked`: PostgreSQL holds the rows until the operation ends.
macro_rules! sql {
    ($name:literal) => {
        $crate::act::Statement::of($crate::act::text!($name))
    };
    (by engine $name:literal) => {
        $crate::act::Statement {
            sqlite: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/sql/", $name, ".sqlite.sql")),
            postgres: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/sql/", $name, ".postgres.sql")),
        }
    };
    (locked $name:literal) => {
        $crate::act::Statement {
            sqlite: $crate::act::text!($name),
            postgres: concat!(
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/sql/", $name, ".sql")),
                " for update"
            ),
        }
    };
}
pub(crate) use sql;

/// Declares the guards, each with its name.
macro_rules! guards {
    ($($(#[$doc:meta])* $guard:ident = $name:literal,)*) => {
        /// Why an operation that was well formed was not done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Guard { $($(#[$doc])* $guard,)* }

        impl Guard {
            /// What is not as expected. A server of PostgreSQL raises an error with this name, by which the guard is known again.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Guard::$guard => $name,)* }
            }

            /// The guard of a name.
            pub(crate) fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(Guard::$guard),)* _ => None }
            }
        }
    };
}
guards! {
    /// The record is in another version, state or status by now, or is gone.
    Version = "version",
    /// Another request with the same idempotency key was first.
    Response = "idempotency key",
    /// There is such a record already.
    Taken = "new record",
    /// The journey is in another version by now.
    Journey = "journey",
    /// The policy that is renewed is in another version by now.
    Renewed = "renewed policy",
    /// The premium was not received, or its deposit has too little or is not there.
    Premium = "premium",
    /// The payment's reference paid something else.
    Payment = "payment",
    /// Another process continued the slot of the audit trail.
    Chain = "audit trail",
}

/// Why an operation ended without having done anything.
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
    /// For operations whose guards hold unless the store is damaged.
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Fault(fault) => fault,
            Stop::Guard(Guard::Taken) => StorageError::Refused("there is such a record already".into()),
            Stop::Guard(guard) => StorageError::Refused(format!("the {} is not as expected", guard.name())),
        }
    }
}

/// Takes a row.
pub(crate) type EachRow<'a> = dyn FnMut(Fields<'_>) -> Result<()> + Send + 'a;

/// An operation on what it is given. It awaits what it asks the store for, and nothing else.
pub(crate) type Operation<G, T> = for<'a> fn(&'a G, &'a mut (dyn Act + 'a)) -> BoxFuture<'a, Result<T, Stop>>;

/// An operation under way.
pub(crate) trait Act: Send {
    /// Executes a statement that gives no rows. A fault ends the operation when it next asks for rows, or at its end.
    fn execute(&mut self, statement: Statement<'_>, values: &[Value<'_>]);

    /// The same for a statement that must change something.
    fn require(&mut self, statement: Statement<'_>, values: &[Value<'_>], guard: Guard);

    /// Executes a statement after all others, because other operations wait for the row that it changes. SQLite executes it at once:
    /// there, no operation runs beside another.
    fn execute_last(&mut self, statement: Statement<'_>, values: &[Value<'_>], guard: Option<Guard>);

    /// Executes a statement with each of several sets of values, and gives the rows: how many each set gave or changed. `ends`: the
    /// operation ends with it, and is committed before the rows are given; it must not be undone then.
    fn ask<'a>(
        &'a mut self,
        statement: Statement<'a>,
        sets: &'a [Vec<Value<'a>>],
        each: &'a mut EachRow<'a>,
        ends: bool,
    ) -> BoxFuture<'a, Result<Vec<u64>, Stop>>;

    /// Undoes what the operation has done, however it ends.
    fn undo(&mut self);

    /// Events that metrics count once the operation is committed.
    fn counted(&mut self) -> &mut Vec<CountedEvent>;

    /// The slot in which this process counts (D33).
    fn slot(&self) -> i16;
}

impl dyn Act + '_ {
    /// Executes a statement: how many rows it changed.
    pub(crate) async fn change(
        &mut self,
        statement: Statement<'_>,
        values: &[Value<'_>],
    ) -> Result<u64, Stop> {
        Ok(self.ask(statement, &[values.to_vec()], &mut |_| Ok(()), false).await?.iter().sum())
    }

    /// Executes a statement with each of several sets of values: how many rows each changed.
    pub(crate) async fn change_each(
        &mut self,
        statement: Statement<'_>,
        sets: &[Vec<Value<'_>>],
    ) -> Result<Vec<u64>, Stop> {
        self.ask(statement, sets, &mut |_| Ok(()), false).await
    }

    /// Ends the operation with a statement, executed with each of several sets of values: how many rows they changed.
    pub(crate) async fn finish_changing(
        &mut self,
        statement: Statement<'_>,
        sets: &[Vec<Value<'_>>],
    ) -> Result<u64, Stop> {
        Ok(self.ask(statement, sets, &mut |_| Ok(()), true).await?.iter().sum())
    }

    /// The rows of a statement, each read.
    pub(crate) async fn all<T: Send>(
        &mut self,
        statement: Statement<'_>,
        values: &[Value<'_>],
        columns: impl FnMut(Fields<'_>) -> Result<T> + Send,
    ) -> Result<Vec<T>, Stop> {
        self.all_of_each(statement, &[values.to_vec()], columns, false).await
    }

    /// The first row of a statement, if it gives one.
    pub(crate) async fn first<T: Send>(
        &mut self,
        statement: Statement<'_>,
        values: &[Value<'_>],
        columns: impl FnMut(Fields<'_>) -> Result<T> + Send,
    ) -> Result<Option<T>, Stop> {
        Ok(self.all(statement, values, columns).await?.into_iter().next())
    }

    /// The rows of a statement that is executed with each of several sets of values, each read. `ends`: as in [`Act::ask`].
    pub(crate) async fn all_of_each<T: Send>(
        &mut self,
        statement: Statement<'_>,
        sets: &[Vec<Value<'_>>],
        mut columns: impl FnMut(Fields<'_>) -> Result<T> + Send,
        ends: bool,
    ) -> Result<Vec<T>, Stop> {
        let mut found = Vec::new();
        let mut each = |row: Fields<'_>| columns(row).map(|row| found.push(row));
        self.ask(statement, sets, &mut each, ends).await?;
        Ok(found)
    }
}

/// Records that are forgotten by the month in which they were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Months {
    Quotes,
    Events,
}

/// A statement that reads, with its values.
pub(crate) type Read<'a> = (Statement<'a>, Vec<Value<'a>>);
