//! Verifies statements: each with all bytes of its files, and with its answers.

use domain::id::{PartnerId, kind};
use domain::statement::Recipient;
use ports::storage::statements::PartPosition;

use super::files::Whole;
use super::{Look, named, texted};
use crate::fields::{FromRow, values};
use crate::records::statement::{AnswerRow, Row, open_part, owner};

pub(super) fn statements(look: &mut Look<'_>) {
    look.rows(
        "statements",
        include_str!("../../sql/verify/statements.sql"),
        texted("number"),
        |row, found| {
            found.there("closed month of the statement", row.named("is_closed")?);
            let Some(statement) = found.read(Row::columns(row)?.open(found.seal)) else { return Ok(()) };
            let of: Option<PartnerId> = match statement.recipient {
                Recipient::Partner(partner) => Some(partner),
                Recipient::Insurer(_) | Recipient::Operator => None,
            };
            for file in &statement.files {
                let whole = Whole { bytes: file.bytes, hash: file.hash };
                let values = values![owner(of), statement.id, file.format];
                let read = include_str!("../../sql/statement_parts/read.sql");
                found.must_be_whole(&whole, read, values, |number, sealed| {
                    let position = PartPosition { of, statement: statement.id, file: file.format, number };
                    open_part(found.seal, position, sealed)
                });
            }
            Ok(())
        },
    );
    let parts = include_str!("../../sql/verify/statement_parts.sql");
    look.rows("statement_parts", parts, named::<kind::Statement>("statement_id"), |row, found| {
        found.there("its statement", row.get(2)?);
        Ok(())
    });
    let answers = include_str!("../../sql/verify/statement_answers.sql");
    look.rows("statement_answers", answers, named::<kind::Statement>("statement_id"), |row, found| {
        found.there("its statement", row.named("has_statement")?);
        found.read(AnswerRow::columns(row)?.open(found.seal));
        Ok(())
    });
}
