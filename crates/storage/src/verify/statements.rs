//! Verifies statements: each with all bytes of its files, and with its answers.

use domain::id::{PartnerId, StatementId, kind};
use domain::statement::Recipient;
use ports::storage::statements::PartPosition;

use super::files::Whole;
use super::{Look, named};
use crate::fields::{RowFields, Value};
use crate::records::id_bytes;
use crate::records::statement::{AnswerRow, Row, file_code, open_part, owner};

pub(super) fn statements(look: &mut Look<'_>) {
    let name = |row: RowFields<'_>| row.get(4);
    look.rows("statements", include_str!("../../sql/verify/statements.sql"), name, |row, found| {
        found.there("closed month of the statement", row.get(8)?);
        let Some(statement) = found.read(Row::columns(row)?.open(found.seal)) else { return Ok(()) };
        let of: Option<PartnerId> = match statement.recipient {
            Recipient::Partner(partner) => Some(partner),
            Recipient::Insurer(_) | Recipient::Operator => None,
        };
        let (of_bytes, id) = (id_bytes(owner(of)), id_bytes(statement.id));
        for file in &statement.files {
            let whole = Whole { bytes: file.bytes, hash: file.hash };
            let values = [Value::Id(of_bytes), Value::Id(id), Value::Integer(file_code(file.format).into())];
            let read = include_str!("../../sql/statement_parts/read.sql");
            found.must_be_whole(&whole, read, &values, |number, sealed| {
                let position = PartPosition { of, statement: statement.id, file: file.format, number };
                open_part(found.seal, position, sealed)
            });
        }
        Ok(())
    });
    let parts = include_str!("../../sql/verify/statement_parts.sql");
    look.rows("statement_parts", parts, named::<kind::Statement>, |row, found| {
        found.there("its statement", row.get(2)?);
        Ok(())
    });
    let answers = include_str!("../../sql/verify/statement_answers.sql");
    look.rows("statement_answers", answers, named::<kind::Statement>, |row, found| {
        let statement: StatementId = row.get(0)?;
        found.there("its statement", row.get(7)?);
        found.read(AnswerRow::columns(row.from(1))?.open(found.seal, statement));
        Ok(())
    });
}
