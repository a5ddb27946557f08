//! Verifies an SQLite store as it is at one moment.

use ports::keys::Key;
use ports::storage::Result;
use rusqlite::{Connection, Row};

use super::{EachRow, Fault, Moment, Progress, Scope, Verified, verify};
use crate::fields::Value;
use crate::sqlite::operation::execute;

/// Verifies a store within the open read transaction of a connection.
pub(crate) fn look(
    from: &Connection,
    scope: Scope,
    (schema, keys): (i32, &[Key]),
    progress: Progress<'_>,
) -> Verified {
    let mut verified = Verified::default();
    if scope == Scope::Everything {
        progress("pages and indexes", 0);
        pages(from, &mut verified);
    }
    verify(from, scope, (schema, keys), verified, progress)
}

/// Lets SQLite check its pages, indexes and references.
fn pages(from: &Connection, verified: &mut Verified) {
    pragma(from, verified, "pragma integrity_check", |row| {
        row.get::<_, String>(0).map(|line| (line != "ok").then_some(line))
    });
    pragma(from, verified, "pragma foreign_key_check", |row| {
        let (table, parent): (String, String) = (row.get(0)?, row.get(2)?);
        Ok(Some(format!("a row of {table} that refers to a missing row of {parent}")))
    });
}

/// Executes a pragma that checks the database, and adds its reports as faults.
fn pragma(
    from: &Connection,
    verified: &mut Verified,
    statement: &str,
    line: fn(&Row<'_>) -> rusqlite::Result<Option<String>>,
) {
    let mut add = |found: String| verified.add(Fault::new("the database", statement, "ok", found));
    let done = from.prepare(statement).and_then(|mut read| {
        let mut rows = read.query(())?;
        while let Some(row) = rows.next()? {
            line(row)?.into_iter().for_each(&mut add);
        }
        Ok(())
    });
    if let Err(cause) = done {
        add(cause.to_string());
    }
}

impl Moment for Connection {
    fn each(&self, statement: &str, row: EachRow<'_>) -> Result<()> {
        self.find(statement, &[], row)
    }

    fn find(&self, statement: &str, values: &[Value<'_>], row: EachRow<'_>) -> Result<()> {
        execute(self, statement, values, row).map(|_| ())
    }
}
