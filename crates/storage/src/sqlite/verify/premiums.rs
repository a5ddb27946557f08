//! A look at the books: what premiums, receipts and deposits say is what the ledger says.

use domain::premium::{Account, Entry, ReceiptOutcome};
use rusqlite::Row;

use super::Look;
use crate::sqlite::premium;
use crate::sqlite::row::{coded, id};

/// The name of a record by the text in its first column.
fn texted(row: &Row<'_>) -> rusqlite::Result<String> {
    row.get(0)
}

pub(super) fn premiums(look: &mut Look<'_>) {
    let name = |row: &Row<'_>| id::<domain::id::kind::Proposal>(row, 1).map(|id| id.to_string());
    look.rows("premiums", include_str!("../../../sql/verify/premiums.sql"), name, |row, found| {
        let Some(premium) = found.read(premium::columns(row)?.open(found.seal)) else { return Ok(()) };
        let booked = |column| row.get::<_, Option<i64>>(column).map(Option::unwrap_or_default);
        let books = premium.books;
        let pairs = [
            (booked(21)?, books.unsettled),
            (booked(22)?, books.received),
            (booked(23)?, books.applied),
            (booked(24)?, books.refundable),
            (-booked(25)?, books.held_here),
        ];
        let same = pairs.iter().all(|(ledger, amount)| *ledger == amount.paise());
        found.must(same, "the ledger says something else of its money");
        Ok(())
    });
}

pub(super) fn receipts(look: &mut Look<'_>) {
    look.rows("receipts", include_str!("../../../sql/verify/receipts.sql"), texted, |row, found| {
        let (amount, lines): (i64, Option<i64>) = (row.get(1)?, row.get(2)?);
        found.must(Some(amount) == lines, "its lines are not all of it");
        Ok(())
    });
    let statement = include_str!("../../../sql/verify/receipt_lines.sql");
    look.rows("receipt_lines", statement, texted, |row, found| {
        coded::<ReceiptOutcome>(row, 1)?;
        found.must(row.get(2)?, "its receipt is not there");
        found.must(row.get(3)?, "the premium that it is for is not there");
        Ok(())
    });
}

pub(super) fn deposits(look: &mut Look<'_>) {
    look.rows("deposits", include_str!("../../../sql/verify/deposits.sql"), texted, |row, found| {
        let (balance, booked): (i64, i64) = (row.get(1)?, row.get(2)?);
        found.must(balance == booked, "the ledger says something else of its balance");
        Ok(())
    });
}

pub(super) fn ledger(look: &mut Look<'_>) {
    let name = |row: &Row<'_>| row.get::<_, i64>(0).map(|number| number.to_string());
    look.rows("ledger", include_str!("../../../sql/verify/ledger.sql"), name, |row, _| {
        coded::<Entry>(row, 1)?;
        coded::<Account>(row, 2)?;
        coded::<Account>(row, 3)?;
        Ok(())
    });
}
