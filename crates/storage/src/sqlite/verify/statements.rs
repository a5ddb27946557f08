//! A look at statements: each with all bytes of its files, and the answers to it.

use domain::id::{PartnerId, kind};
use domain::statement::{Recipient, Statement, StatementFile};
use rusqlite::{Row, params};
use service::storage::StorageError;
use service::storage::statements::PartPosition;

use super::files::{Whole, is_whole};
use super::{Found, Look, named};
use crate::rows::id_bytes;
use crate::rows::statement::{file_code, open_part, owner};
use crate::sqlite::row::id;
use crate::sqlite::statement::{answer_columns, columns};

pub(super) fn statements(look: &mut Look<'_>) {
    let name = |row: &Row<'_>| row.get::<_, String>(4);
    look.rows("statements", include_str!("../../../sql/verify/statements.sql"), name, |row, found| {
        found.must(row.get(8)?, "its month is not closed");
        if let Some(statement) = found.read(columns(row)?.open(found.seal)) {
            for file in &statement.files {
                let good = is_good(found, &statement, file);
                let good = found.read(good).unwrap_or(true);
                found.must(good, "the parts of a file are not the bytes that were made");
            }
        }
        Ok(())
    });
    let parts = include_str!("../../../sql/verify/statement_parts.sql");
    look.rows("statement_parts", parts, named::<kind::Statement>, |row, found| {
        found.must(row.get(2)?, "it is a part of a statement that is not there");
        Ok(())
    });
    let answers = include_str!("../../../sql/verify/statement_answers.sql");
    look.rows("statement_answers", answers, named::<kind::Statement>, |row, found| {
        found.must(row.get(7)?, "it answers a statement that is not there");
        found.read(answer_columns(row, 1)?.open(found.seal, id(row, 0)?));
        Ok(())
    });
}

/// Whether the parts of a file are the bytes that were made.
fn is_good(found: &Found<'_>, statement: &Statement, file: &StatementFile) -> Result<bool, StorageError> {
    let of: Option<PartnerId> = match statement.recipient {
        Recipient::Partner(partner) => Some(partner),
        Recipient::Insurer(_) | Recipient::Operator => None,
    };
    let read = include_str!("../../../sql/verify/statement_file.sql");
    let whole = Whole { bytes: file.bytes, hash: file.hash };
    let values = params![id_bytes(owner(of)), id_bytes(statement.id), file_code(file.format)];
    is_whole(found, &whole, read, values, |number, sealed| {
        let position = PartPosition { of, statement: statement.id, file: file.format, number };
        open_part(found.seal, position, sealed)
    })
}
