//! Statements that wait to be sent.

use crate::act::{Guard, Statement};
use crate::fields::{Owned, Value};

/// A statement that was not sent yet.
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

/// What a guard's error says, before the guard's name.
pub(crate) const GUARDED: &str = "covernote: not as expected: ";

/// A statement that fails where it changes nothing: then it reads the name of its guard as a number.
fn guarded(statement: &str, guard: Guard) -> String {
    format!(
        "with changed as (\n{statement}\nreturning 1\n) select cast(case when exists (select 1 from changed) then '1' \
         else '{GUARDED}{}' end as integer)",
        guard.name()
    )
}
