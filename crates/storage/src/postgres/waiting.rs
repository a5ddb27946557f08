//! Statements that wait until they are sent to PostgreSQL.

use crate::fields::{Owned, Value};
use crate::operation::{Guard, Statement};

/// Statement that was not sent to PostgreSQL yet.
pub(crate) struct Waiting {
    pub(crate) text: String,
    pub(crate) values: Vec<Owned>,
}

impl Waiting {
    pub(crate) fn reading(statement: &str, values: &[Value<'_>]) -> Self {
        Waiting { text: statement.to_owned(), values: Owned::all(values) }
    }

    pub(crate) fn of(statement: Statement<'_>, values: &[Value<'_>], guard: Option<Guard>) -> Self {
        let text = match guard {
            None => statement.postgres.to_owned(),
            Some(guard) => guarded(statement.postgres, guard),
        };
        Waiting { text, values: Owned::all(values) }
    }
}

/// Prefix of a guard's error message. The guard's name follows.
pub(crate) const GUARDED: &str = "covernote: not as expected: ";

/// Wraps a statement so that it fails if it changes no row. It then casts the guard's name to a number, which
/// is an error that contains the name.
fn guarded(statement: &str, guard: Guard) -> String {
    format!(
        "with changed as (\n{statement}\nreturning 1\n) select cast(case when exists (select 1 from changed) then '1' \
         else '{GUARDED}{}' end as integer)",
        guard.name()
    )
}
