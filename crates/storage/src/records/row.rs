//! Declaration of a table's row.

use crate::fields::Value;

/// Row that a statement can add.
pub(crate) trait ToRow {
    /// Names of the columns to which the row's encrypted body is bound.
    const BOUND: &'static [&'static str];

    /// Values of a new row, in the order of [`FromRow::COLUMNS`](crate::fields::FromRow::COLUMNS).
    fn values(&self) -> Vec<Value<'_>>;
}

/// Declares the columns of a table's row, in types of the domain.
///
/// The encrypted body of the row is bound to the first columns ([`Bound`](crate::records::bound::Bound)), in this
/// order. Never change the order: it is that of all stored rows. The very first column is the id of whom the
/// row belongs to. The row has `free` columns too, among them the body.
///
/// A statement may return the columns in any order, with others, because they are read by name. `in`: the
/// statement that adds a row. Its first columns must be these, which is checked when the program is compiled.
macro_rules! row {
    (
        $(#[$doc:meta])*
        $name:ident $(in $insert:literal)? {
            $($(#[$bound_doc:meta])* $bound:ident: $bound_type:ty,)*
        } free {
            $($(#[$free_doc:meta])* $free:ident: $free_type:ty,)*
        }
    ) => {
        $(#[$doc])*
        pub(crate) struct $name {
            $($(#[$bound_doc])* pub(crate) $bound: $bound_type,)*
            $($(#[$free_doc])* pub(crate) $free: $free_type,)*
        }

        impl $crate::fields::FromRow for $name {
            const COLUMNS: &'static [&'static str] = &[$(stringify!($bound),)* $(stringify!($free)),*];

            fn columns(row: $crate::fields::RowFields<'_>) -> ports::storage::Result<Self> {
                let mut at = 0..;
                let mut near = || at.next().unwrap_or_default();
                Ok($name {
                    $($bound: row.near(near(), stringify!($bound))?,)*
                    $($free: row.near(near(), stringify!($free))?,)*
                })
            }
        }

        impl $name {
            /// Columns to which the row's encrypted body is bound, so that a change of a column is detected.
            pub(crate) fn bound(&self) -> $crate::records::bound::Bound {
                $crate::records::bound::Bound::of(&[$($crate::fields::ToValue::to_value(&self.$bound)),*])
            }
        }

        impl $crate::records::row::ToRow for $name {
            const BOUND: &'static [&'static str] = &[$(stringify!($bound)),*];

            fn values(&self) -> Vec<$crate::fields::Value<'_>> {
                vec![
                    $($crate::fields::ToValue::to_value(&self.$bound),)*
                    $($crate::fields::ToValue::to_value(&self.$free),)*
                ]
            }
        }

        $(const _: () = assert!(
            $crate::records::row::adds($crate::operation::text!($insert), <$name as $crate::fields::FromRow>::COLUMNS),
            "the statement adds other columns first",
        );)?
    };
}
pub(crate) use row;

/// Whether the columns of an `insert` begin with these.
pub(crate) const fn adds(statement: &str, columns: &[&str]) -> bool {
    let text = statement.as_bytes();
    let mut at = 0;
    // The list of columns opens the first line that begins with a blank and a bracket, or follows the table.
    while !(text[at] == b'(' && has_column_at(text, at + 1, columns[0].as_bytes())) {
        at += 1;
        if at == text.len() {
            return false;
        }
    }
    let mut column = 0;
    while column < columns.len() {
        at += 1;
        while text[at] == b' ' || text[at] == b'\n' {
            at += 1;
        }
        let name = columns[column].as_bytes();
        if !has_column_at(text, at, name) {
            return false;
        }
        at += name.len();
        column += 1;
    }
    true
}

/// Whether a column's name is at an index of the text, followed by a comma or a closing bracket.
const fn has_column_at(text: &[u8], at: usize, name: &[u8]) -> bool {
    let mut letter = 0;
    while letter < name.len() {
        if at + letter >= text.len() || text[at + letter] != name[letter] {
            return false;
        }
        letter += 1;
    }
    at + letter < text.len() && (text[at + letter] == b',' || text[at + letter] == b')')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_insert_statement_with_other_columns_than_declared_is_detected() {
        let statement =
            "-- (a comment)\ninsert into claims\n    (partner_id, claim_id, line) values ($1, $2, $3)";
        assert!(adds(statement, &["partner_id", "claim_id"]));
        assert!(adds(statement, &["partner_id", "claim_id", "line"]));
        assert!(!adds(statement, &["partner_id", "line"]));
        assert!(!adds(statement, &["partner_id", "claim"]));
        assert!(!adds(statement, &["claim_id"]));
    }
}
